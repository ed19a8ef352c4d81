/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - the machine that an archive was recorded on, from uname(2), /proc and /sys. Functions of
 * type int return 0 or a negative errno.
 */
#ifndef FXT_COLLECT_ARCHIVE_HOST_H
#define FXT_COLLECT_ARCHIVE_HOST_H

#include <stdio.h>
#include <sys/utsname.h>

#include "libfxt/fxt_writer.h"

struct host_cpu {
	char model[80];			/* "" if unknown */
	unsigned int capacity;	/* relative to 1024 of the strongest processor, 0 if unknown */
};

struct host {
	struct utsname name;		/* host name and kernel */
	char boot[40];			/* the boot id, "" without /proc */
	struct host_cpu *cpus;		/* online processors by number */
	unsigned int cpu_count;
	/*
	 * Which CPUs share a core ("cores"), a last-level cache ("caches") or a node ("nodes"), as
	 * lines "cores 0,4 1,5" with groups separated by blanks; "" if unknown.
	 */
	char *topology;
	/* us of @rt_period (us) in which real-time threads may run; "-1": always; "" if unknown. */
	char rt_runtime[16];
	char rt_period[16];
	char rt_groups[4];	/* "yes" or "no": may cgroups have such limits? "" if unknown */
	/*
	 * ns of @server_period (ns) for which the fair server runs threads of the fair class before
	 * those of the real-time class, on the CPU where it does so longest; 0 if unknown.
	 */
	uint64_t server_runtime;
	uint64_t server_period;
};

/**
 * host_read() - read the description of the machine; members that cannot be read are left empty
 * @h: host_free() frees it, also after an error
 * @root: "" for this machine, else the directory of another one's /proc and /sys
 */
int host_read(struct host *h, const char *root);
void host_free(struct host *h);

/* Write lines "key value". */
void host_describe(const struct host *h, FILE *f);

/**
 * host_write() - write packets for Perfetto's tables, as "BLOB record (record type = 5)"
 * @w: has the strings of fxt_sched.h
 *
 * Processors that do not fit into one record are omitted.
 */
int host_write(const struct host *h, struct fxt_writer *w);

#endif /* FXT_COLLECT_ARCHIVE_HOST_H */
