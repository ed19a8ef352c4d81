/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rings.bpf.h - finding the rings of CPUs.
 *
 * The rings are one element of a map, whose address the kernel puts into the programs. That
 * takes a third of the instructions of a lookup. The number of CPUs is only known when the
 * programs are loaded, so user space creates the element, and replaces the marks in the programs
 * (source/bpf/load.c). It does so only in programs, not in functions that they call.
 */
#ifndef BPF_RINGS_BPF_H
#define BPF_RINGS_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "rings.h"

/*
 * A constant that user space puts into the program. This is one instruction. Loading the value from
 * memory would be two, which stay even if the verifier removes the branches that depend on it.
 */
#define PATCHED(mark) ({					\
	__u64 number_;						\
								\
	asm("%0 = %1" : "=r"(number_) : "i"(mark));		\
	number_;						\
})

/* The ring of the first CPU. */
static __always_inline void *rings_first(void)
{
	void *first;

	asm volatile("%0 = %1 ll" : "=r"(first) : "i"(FXT_BPF_RINGS_MARK));
	return first;
}

/* Like bpf_get_smp_processor_id(), but without extending the number to 64 bits once more. */
static __u64 (*const this_cpu)(void) = (void *)BPF_FUNC_get_smp_processor_id;

/* A CPU number, masked so that the verifier sees its bound. */
static __always_inline __u64 rings_index(__u64 cpu)
{
	asm volatile("%0 &= %1" : "+r"(cpu) : "i"(FXT_BPF_CPUS_MARK));
	/* No CPU number exceeds the field in records. */
	__builtin_assume(cpu < FXT_BPF_CPUS_MOST);
	return cpu;
}

/* The number in place of FXT_BPF_FAST_MARK. */
static __always_inline __u64 rings_fast(void)
{
	return PATCHED(FXT_BPF_FAST_MARK);
}

/* The number in place of FXT_BPF_SUBBUFS_MARK. */
static __always_inline __u64 rings_subbufs(void)
{
	return PATCHED(FXT_BPF_SUBBUFS_MARK);
}

/* The address of a sub-buffer. The verifier must know that @index is below rings_subbufs(). */
static __always_inline void *rings_subbuf(__u64 index)
{
	void *first;

	asm volatile("%0 *= %1" : "+r"(index) : "i"(FXT_BPF_SUBBUF_BYTES_MARK));
	asm volatile("%0 = %1 ll" : "=r"(first) : "i"(FXT_BPF_SUBBUF_MARK));
	return first + index;
}

#endif /* BPF_RINGS_BPF_H */
