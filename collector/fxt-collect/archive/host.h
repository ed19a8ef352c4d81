/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - the machine that an archive was recorded on.
 *
 * In: uname(2), /proc and /sys.
 * Out: lines of text, and packets for Perfetto's tables.
 */
#ifndef FXT_COLLECT_ARCHIVE_HOST_H
#define FXT_COLLECT_ARCHIVE_HOST_H

#include <stdio.h>
#include <sys/utsname.h>

#include "libfxt/fxt_writer.h"

/**
 * struct host_cpu - an online processor
 * @model: its model name, "" if unknown
 * @capacity: relative to 1024 of the strongest processor, 0 if unknown
 */
struct host_cpu {
	char model[80];
	unsigned int capacity;
};

/**
 * struct host - a machine
 * @name: host name and kernel
 * @boot: the boot id, "" without /proc
 * @cpus: processors by number, @cpu_count of them
 * @topology: which CPUs share a core ("cores"), a last-level cache ("caches") or a node ("nodes"),
 *	as lines "cores 0,4 1,5" with groups separated by blanks; "" if unknown
 * @rt_runtime: us of @rt_period (us) in which real-time threads may run; "-1": always; "" if unknown
 * @rt_groups: "yes" or "no": may cgroups have such limits of their own? "" if unknown
 * @server_runtime: ns of @server_period (ns) for which the fair server runs threads of the fair class
 *	before those of the real-time class, on the CPU where it does so longest; 0 if unknown
 */
struct host {
	struct utsname name;
	char boot[40];
	struct host_cpu *cpus;
	unsigned int cpu_count;
	char *topology;
	char rt_runtime[16];
	char rt_period[16];
	char rt_groups[4];
	uint64_t server_runtime;
	uint64_t server_period;
};

/**
 * host_read() - read the description of the machine
 * @h: set to this machine; host_free() frees it, also after an error
 * @root: "" for this machine, else the directory of another one's /proc and /sys
 *
 * Members that cannot be read are left empty.
 *
 * Return: 0 or -ENOMEM.
 */
int host_read(struct host *h, const char *root);
void host_free(struct host *h);

/** host_describe() - write lines "key value" */
void host_describe(const struct host *h, FILE *f);

/**
 * host_write() - write packets for Perfetto
 * @h: the machine
 * @w: the archive; the strings of fxt_sched.h are registered
 *
 * "BLOB record (record type = 5)" of Perfetto's type. Processors that do not fit into one
 * record are omitted.
 *
 * Return: 0 or a negative errno.
 */
int host_write(const struct host *h, struct fxt_writer *w);

#endif /* FXT_COLLECT_ARCHIVE_HOST_H */
