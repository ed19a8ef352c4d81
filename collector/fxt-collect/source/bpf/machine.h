/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - what the running machine is like, for the BPF source.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_MACHINE_H
#define FXT_COLLECT_SOURCE_BPF_MACHINE_H

#include <stdbool.h>

#include "source/source.h"
#include "rings.h"

/**
 * machine_refused() - the line for a refusal of the kernel's
 * @e: filled in
 * @err: a negative errno
 * @what: what was tried
 *
 * Return: @err.
 */
int machine_refused(struct error *e, int err, const char *what);

/* source_ops.available() */
int machine_has_bpf(struct error *e);

/**
 * machine_cpus() - the CPUs of one kind
 * @name: "possible", "present" or "online"
 * @cpus: set to them; no CPU if it cannot be read
 */
void machine_cpus(const char *name, struct cpus *cpus);

/* How many elements a table has that is indexed by thread id: a power of two. */
unsigned int machine_threads(void);

/**
 * machine_names_bytes() - the size of the ring buffer of names
 * @cpus: CPUs that name
 * @c: the size of their buffers
 *
 * Return: bytes, a power of two.
 */
unsigned int machine_names_bytes(unsigned int cpus, const struct source_config *c);

/**
 * machine_check_memory() - will the buffers fit?
 * @cpus: CPUs that get some
 * @c: their number and size
 * @e: filled in if not
 *
 * Return: 0 or -ENOMEM.
 */
int machine_check_memory(unsigned int cpus, const struct source_config *c,
			 struct error *e);

#endif /* FXT_COLLECT_SOURCE_BPF_MACHINE_H */
