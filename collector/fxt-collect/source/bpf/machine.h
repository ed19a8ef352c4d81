/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.h - properties of the running machine for the BPF source. */
#ifndef FXT_COLLECT_SOURCE_BPF_MACHINE_H
#define FXT_COLLECT_SOURCE_BPF_MACHINE_H

#include <stdbool.h>

#include "rings.h"
#include "source/source.h"

/* Describe a refusal by the kernel; @what was tried. Return: @err, a negative errno */
int machine_refused(struct error *e, int err, const char *what);

/* source_ops.available() */
int machine_has_bpf(struct error *e);

/* Read the number after @key from a file; 0 if there is none. */
unsigned long long machine_number(const char *file, const char *key);

/* Elements of a table indexed by thread id: a power of two. */
unsigned int machine_threads(void);

/* The size of the ring buffer of names in bytes, a power of two. */
unsigned int machine_names_bytes(unsigned int cpus, const struct source_config *c);

/* Do the buffers of @cpus fit into memory? Return: 0 or -ENOMEM */
int machine_check_memory(unsigned int cpus, const struct source_config *c,
			 struct error *e);

/*
 * Let the kernel take this thread's memory from all NUMA nodes in turn. The kernel takes a map's
 * memory when the map is created, from the node of the thread that creates it. The buffers of all
 * CPUs are one map: on one node, all CPUs' stores would load its memory, and it might not fit.
 *
 * Return: true if that is so until machine_gather(); false if there is one node only, or if the
 * user has chosen nodes, as with numactl(8).
 */
bool machine_spread(void);

void machine_gather(void);

#endif /* FXT_COLLECT_SOURCE_BPF_MACHINE_H */
