/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - the machine that an archive was recorded on.
 *
 * In: uname(2), /proc and /sys.
 * Out: lines of text, and packets for Perfetto's tables.
 *
 * Functions that can fail return 0 or a negative errno, unless they say otherwise.
 */
#ifndef FXT_COLLECT_ARCHIVE_HOST_H
#define FXT_COLLECT_ARCHIVE_HOST_H

#include <stdio.h>
#include <sys/utsname.h>

#include "libfxt/fxt_writer.h"

/** struct host_cpu - an online processor */
struct host_cpu {
	char model[80];			/* its model name, "" if unknown */
	unsigned int capacity;	/* relative to 1024 of the strongest processor, 0 if unknown */
};

/** struct host - a machine */
struct host {
	struct utsname name;		/* host name and kernel */
	char boot[40];			/* the boot id, "" without /proc */
	struct host_cpu *cpus;		/* processors by number, @cpu_count of them */
	unsigned int cpu_count;
	/*
	 * Which CPUs share a core ("cores"), a last-level cache ("caches") or a node ("nodes"), as
	 * lines "cores 0,4 1,5" with groups separated by blanks; "" if unknown.
	 */
	char *topology;
	/* us of @rt_period (us) in which real-time threads may run; "-1": always; "" if unknown. */
	char rt_runtime[16];
	char rt_period[16];
	/* "yes" or "no": may cgroups have such limits of their own? "" if unknown. */
	char rt_groups[4];
	/*
	 * ns of @server_period (ns) for which the fair server runs threads of the fair class before
	 * those of the real-time class, on the CPU where it does so longest; 0 if unknown.
	 */
	uint64_t server_runtime;
	uint64_t server_period;
};

/**
 * host_read() - read the description of the machine
 * @h: set to this machine; host_free() frees it, also after an error
 * @root: "" for this machine, else the directory of another one's /proc and /sys
 *
 * Members that cannot be read are left empty.
 */
int host_read(struct host *h, const char *root);
void host_free(struct host *h);

/** host_describe() - write lines "key value" */
void host_describe(const struct host *h, FILE *f);

/**
 * host_write() - write packets for Perfetto
 * @w: the archive; the strings of fxt_sched.h are registered
 *
 * "BLOB record (record type = 5)" of Perfetto's type. Processors that do not fit into one
 * record are omitted.
 */
int host_write(const struct host *h, struct fxt_writer *w);

#endif /* FXT_COLLECT_ARCHIVE_HOST_H */
