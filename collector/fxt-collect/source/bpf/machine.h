/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - properties of the running machine for the BPF source.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_MACHINE_H
#define FXT_COLLECT_SOURCE_BPF_MACHINE_H

#include <stdbool.h>

#include "rings.h"
#include "source/source.h"

/**
 * machine_refused() - describe a refusal by the kernel
 * @e: filled in
 * @err: a negative errno
 * @what: what was tried
 *
 * Return: @err.
 */
int machine_refused(struct error *e, int err, const char *what);

/* source_ops.available() */
int machine_has_bpf(struct error *e);

/* Number of elements of a table indexed by thread id: a power of two. */
unsigned int machine_threads(void);

/**
 * machine_names_bytes() - the size of the ring buffer of names
 * @cpus: number of CPUs
 * @c: the size of their buffers
 *
 * Return: bytes, a power of two.
 */
unsigned int machine_names_bytes(unsigned int cpus, const struct source_config *c);

/**
 * machine_check_memory() - check that the buffers fit into memory
 * @cpus: number of CPUs with buffers
 * @c: their number and size
 * @e: filled in if not
 *
 * Return: 0 or -ENOMEM.
 */
int machine_check_memory(unsigned int cpus, const struct source_config *c,
			 struct error *e);

/*
 * Let the kernel take this thread's memory from all NUMA nodes in turn. The kernel takes a map's
 * memory when the map is created, from the node of the thread that creates it. The buffers of all
 * CPUs are one map. On one node they would load its memory with the stores of all CPUs, and might
 * not fit there.
 *
 * Return: true if that is so until machine_gather(); false if there is one node only, or if the
 * user has chosen nodes, as with numactl(8).
 */
bool machine_spread(void);

/** machine_gather() - undo machine_spread() */
void machine_gather(void);

#endif /* FXT_COLLECT_SOURCE_BPF_MACHINE_H */
