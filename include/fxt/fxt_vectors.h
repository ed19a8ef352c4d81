/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_vectors.h - names of interrupts without a handler and a number: the vectors of x86, and the
 * interrupts that CPUs of arm64 send to each other.
 */
#ifndef FXT_FXT_VECTORS_H
#define FXT_FXT_VECTORS_H

#include "fxt_sched_ids.h"

/* Linux: arch/x86/include/asm/irq_vectors.h. The module asserts that they are equal. */
enum fxt_linux_vector {
	FXT_LINUX_LOCAL_TIMER	= 0xec,
	FXT_LINUX_DEFERRED	= 0xf4,
	FXT_LINUX_IRQ_WORK	= 0xf6,
	FXT_LINUX_X86_PLATFORM	= 0xf7,
	FXT_LINUX_THRESHOLD	= 0xf9,
	FXT_LINUX_THERMAL	= 0xfa,
	FXT_LINUX_CALL_SINGLE	= 0xfb,
	FXT_LINUX_CALL		= 0xfc,
	FXT_LINUX_RESCHEDULE	= 0xfd,
	FXT_LINUX_ERROR		= 0xfe,
	FXT_LINUX_SPURIOUS	= 0xff,
};

/*
 * FXT_STR_VECTOR_* of a vector of the tracepoints. A vector without a name of its own is spurious.
 */
static __always_inline __u32 fxt_vector_name(__u32 vector)
{
	switch (vector) {
	case FXT_LINUX_LOCAL_TIMER:
		return FXT_STR_VECTOR_LOCAL_TIMER;
	case FXT_LINUX_RESCHEDULE:
		return FXT_STR_VECTOR_RESCHEDULE;
	case FXT_LINUX_CALL:
		return FXT_STR_VECTOR_CALL;
	case FXT_LINUX_CALL_SINGLE:
		return FXT_STR_VECTOR_CALL_SINGLE;
	case FXT_LINUX_IRQ_WORK:
		return FXT_STR_VECTOR_IRQ_WORK;
	case FXT_LINUX_X86_PLATFORM:
		return FXT_STR_VECTOR_X86_PLATFORM;
	case FXT_LINUX_THERMAL:
		return FXT_STR_VECTOR_THERMAL;
	case FXT_LINUX_ERROR:
		return FXT_STR_VECTOR_ERROR;
	case FXT_LINUX_THRESHOLD:
		return FXT_STR_VECTOR_THRESHOLD;
	case FXT_LINUX_DEFERRED:
		return FXT_STR_VECTOR_DEFERRED;
	}
	return FXT_STR_VECTOR_SPURIOUS;
}

/*
 * FXT_STR_VECTOR_* of an interrupt that a CPU of arm64 receives from another one. @first: the first
 * letter of the reason in ipi_entry and ipi_exit; Linux: arch/arm64/kernel/smp.c, ipi_types.
 * Return: 0 for the others, which stop or examine a CPU. These are rare, and may be NMIs, in which
 * nothing can be recorded.
 */
static __always_inline __u32 fxt_ipi_name(char first)
{
	switch (first) {
	case 'R':			/* Rescheduling interrupts */
		return FXT_STR_VECTOR_RESCHEDULE;
	case 'F':			/* Function call interrupts */
		return FXT_STR_VECTOR_CALL;
	case 'I':			/* IRQ work interrupts */
		return FXT_STR_VECTOR_IRQ_WORK;
	case 'T':			/* Timer broadcast interrupts */
		return FXT_STR_VECTOR_LOCAL_TIMER;
	}
	return 0;
}

#endif /* FXT_FXT_VECTORS_H */
