/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cpu.bpf.h - this CPU: its number and ring, the clock, interrupts off.
 *
 * The rings are one element of a map, whose address the kernel puts into the programs. That takes a
 * third of the instructions of a lookup. The number of CPUs is known only when the programs are
 * loaded, so user space creates the element (source/bpf/load.c).
 */
#ifndef BPF_CPU_BPF_H
#define BPF_CPU_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "config.h"

#define PATCHED(mark) ({					\
	__u64 number_;						\
								\
	asm("%0 = %1" : "=r"(number_) : "i"(mark));		\
	number_;						\
})

static __always_inline void *rings_first(void)
{
	void *first;

	asm volatile("%0 = %1 ll" : "=r"(first) : "i"(FXT_BPF_MARK_RINGS));
	return first;
}

/* Like bpf_get_smp_processor_id(), without extending the number to 64 bits again. */
static __u64 (*const this_cpu)(void) = (void *)BPF_FUNC_get_smp_processor_id;

/* Masked so that the verifier sees the bound of a CPU number. */
static __always_inline __u64 rings_index(__u64 cpu)
{
	asm volatile("%0 &= %1" : "+r"(cpu) : "i"(FXT_BPF_MARK_CPUS));
	/* No CPU number exceeds the field in records. */
	__builtin_assume(cpu < FXT_BPF_CPUS_MOST);
	return cpu;
}

static __always_inline __u64 rings_fast(void)
{
	return PATCHED(FXT_BPF_MARK_FAST);
}

static __always_inline __u64 rings_subbufs(void)
{
	return PATCHED(FXT_BPF_MARK_SUBBUFS);
}

/* The verifier must know that @index is below rings_subbufs(). */
static __always_inline void *rings_subbuf(__u64 index)
{
	void *first;

	asm volatile("%0 *= %1" : "+r"(index) : "i"(FXT_BPF_MARK_SUBBUF_BYTES));
	asm volatile("%0 = %1 ll" : "=r"(first) : "i"(FXT_BPF_MARK_SUBBUF));
	return first + index;
}

/* --- the time in ticks -------------------------------------------------------------- */

const volatile __u32 clock_kind;	/* enum fxt_bpf_clock */

static __always_inline __u64 clock_now(void)
{
	if (clock_kind == FXT_BPF_CLOCK_MONO)
		return bpf_ktime_get_ns();
	return bpf_ktime_get_boot_ns();
}

/* Without loading the kind. For programs, not for functions that they call. */
static __u64 (*const clock_now_inline)(void) = (void *)FXT_BPF_MARK_CLOCK;

/* --- turning interrupts off, if the kernel lets programs do that -------------------- */

const volatile __u32 masks;		/* programs turn interrupts off */

/* Call the function of the kernel that user space puts in place of @mark (source/bpf/load.c). */
#define CALL_KERNEL(mark, flags)						\
	asm volatile("r1 = %0; call %1"						\
		     : : "r"(flags), "i"(mark)					\
		     : "r0", "r1", "r2", "r3", "r4", "r5", "memory")

static __always_inline void mask_save(unsigned long *flags)
{
	if (masks)
		CALL_KERNEL(FXT_BPF_MARK_IRQ_SAVE, flags);
}

static __always_inline void mask_restore(unsigned long *flags)
{
	if (masks)
		CALL_KERNEL(FXT_BPF_MARK_IRQ_RESTORE, flags);
}

#endif /* BPF_CPU_BPF_H */
