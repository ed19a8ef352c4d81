/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rings.bpf.h - the rings of all CPUs.
 *
 * In:  a CPU's number. Out: its ring.
 *
 * The rings are one element, whose address the kernel puts into the programs. That takes a
 * third of the instructions of a lookup. The number of CPUs is known only when the programs
 * are loaded: user space creates the element, and puts in which it is (source/bpf/place.c).
 * It does so in programs, not in functions that they call.
 */
#ifndef BPF_RINGS_BPF_H
#define BPF_RINGS_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "ring.h"
#include "rings.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fxt_ring);		/* really one for each CPU */
} rings SEC(".maps");

/* The ring of a CPU. */
static __always_inline struct fxt_ring *ring_of(__u64 cpu)
{
	struct fxt_ring *first;

	asm volatile("%0 = %1 ll" : "=r"(first) : "i"(FXT_BPF_RINGS_MARK));
	/* The verifier sees that no CPU's number is larger. */
	asm volatile("%0 &= %1" : "+r"(cpu) : "i"(FXT_BPF_CPUS_MARK));
	first += cpu;
	/* The compiler would add the number again for each field. */
	barrier_var(first);
	return first;
}

#endif /* BPF_RINGS_BPF_H */
