/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rings.bpf.h - where the rings of all CPUs are.
 *
 * The rings are one element of a map, whose address the kernel puts into the programs. That
 * takes a third of the instructions of a lookup. The number of CPUs is known only when the
 * programs are loaded: user space creates the element, and puts in which it is
 * (source/bpf/place.c). It does so in programs, not in functions that they call.
 */
#ifndef BPF_RINGS_BPF_H
#define BPF_RINGS_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "rings.h"

/* The ring of the first CPU. */
static __always_inline void *rings_first(void)
{
	void *first;

	asm volatile("%0 = %1 ll" : "=r"(first) : "i"(FXT_BPF_RINGS_MARK));
	return first;
}

/* A CPU's number, of which the verifier sees that none is larger. */
static __always_inline __u64 rings_index(__u64 cpu)
{
	asm volatile("%0 &= %1" : "+r"(cpu) : "i"(FXT_BPF_CPUS_MARK));
	return cpu;
}

#endif /* BPF_RINGS_BPF_H */
