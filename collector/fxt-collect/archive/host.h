/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - what machine an archive comes from.
 *
 * What flows in: uname(2), /proc and /sys. What flows out: the same, as lines that a
 * person reads and as packets that Perfetto makes its tables of.
 */
#ifndef FXT_COLLECT_ARCHIVE_HOST_H
#define FXT_COLLECT_ARCHIVE_HOST_H

#include <stdio.h>
#include <sys/utsname.h>

#include "libfxt/fxt_writer.h"

/**
 * struct host_cpu - a processor that is online
 * @model: what it calls itself, "" if it does not
 * @capacity: relative to the strongest one's 1024, 0 if the kernel does not tell
 */
struct host_cpu {
	char model[80];
	unsigned int capacity;
};

/**
 * struct host - a machine
 * @name: its name, its kernel
 * @boot: the id of this boot, "" without /proc
 * @cpus: by their numbers, @cpu_count of them
 */
struct host {
	struct utsname name;
	char boot[40];
	struct host_cpu *cpus;
	unsigned int cpu_count;
};

/**
 * host_read() - find out
 * @h: set to this machine; host_free() frees it, also after an error
 * @root: "" for this machine, else where another one's /proc and /sys are
 *
 * What cannot be read is left empty.
 *
 * Return: 0 or -ENOMEM.
 */
int host_read(struct host *h, const char *root);
void host_free(struct host *h);

/** host_describe() - lines "key value" */
void host_describe(const struct host *h, FILE *f);

/**
 * host_write() - tell Perfetto
 * @h: the machine
 * @w: the archive; the strings of fxt_sched.h are registered
 *
 * "BLOB record (record type = 5)" of Perfetto's type. Processors for which there is no
 * room in one record are left out.
 *
 * Return: 0 or a negative errno.
 */
int host_write(const struct host *h, struct fxt_writer *w);

#endif /* FXT_COLLECT_ARCHIVE_HOST_H */
