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

#endif /* FXT_COLLECT_SOURCE_BPF_MACHINE_H */
