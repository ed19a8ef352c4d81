/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_waker.h - the waker of a thread: another thread, an interrupt, or the idle thread.
 *
 * In:  the current thread at the beginning of a wakeup, and the kernel's preempt count.
 * Out: both in 32 bits, which producers store until they write the wakeup record.
 */
#ifndef FXT_FXT_WAKER_H
#define FXT_FXT_WAKER_H

#include "fxt_word.h"

/* Bits of the kernel's preempt count; the same since Linux 5.8. */
enum fxt_linux_preempt {
	FXT_LINUX_SERVING_SOFTIRQ	= 0x000100,
	FXT_LINUX_HARDIRQ		= 0x0f0000,
	FXT_LINUX_NMI			= 0xf00000,
};

/* The kind of interrupt in which a wakeup begins. */
enum fxt_sched_irq {
	FXT_SCHED_IRQ_NONE,		/* none: a thread is the waker */
	FXT_SCHED_IRQ_HARD,
	FXT_SCHED_IRQ_SOFT,
	FXT_SCHED_IRQ_NMI,
};

/*
 * The context in which a wakeup begins: the current thread, and enum fxt_sched_irq. The thread is
 * the waker if there is no interrupt and the thread is not idle.
 */
#define FXT_SCHED_WAKER_TID	FXT_BITS(0, 21)
#define FXT_SCHED_WAKER_IRQ	FXT_BITS(22, 23)

/*
 * Names, up to the number, of threads that serve soft interrupts, timers and interrupts of devices.
 * All three run soft interrupts, which then count as work of the thread.
 */
#define FXT_SCHED_KSOFTIRQD	"ksoftirqd/"
#define FXT_SCHED_KTIMERS	"ktimers/"
#define FXT_SCHED_IRQ_THREAD	"irq/"

/*
 * The kind of interrupt that a CPU serves, enum fxt_sched_irq. On PREEMPT_RT, soft interrupts are
 * not in the CPU's preempt count, but in a count of the thread that serves them.
 */
static __always_inline __u32 fxt_sched_irq(__u32 preempt_count)
{
	if (__builtin_expect(!(preempt_count & (FXT_LINUX_SERVING_SOFTIRQ |
						FXT_LINUX_HARDIRQ | FXT_LINUX_NMI)), 1))
		return FXT_SCHED_IRQ_NONE;
	if (preempt_count & FXT_LINUX_NMI)
		return FXT_SCHED_IRQ_NMI;
	return preempt_count & FXT_LINUX_HARDIRQ ? FXT_SCHED_IRQ_HARD :
						   FXT_SCHED_IRQ_SOFT;
}

/*
 * The context in which a wakeup begins, in one word. @tid: current thread. @irq: of
 * fxt_sched_irq(); but FXT_SCHED_IRQ_NONE for a soft interrupt that @tid exists to serve
 */
static __always_inline __u32 fxt_sched_waker(__u32 tid, __u32 irq)
{
	return fxt_put(FXT_SCHED_WAKER_TID, tid) | fxt_put(FXT_SCHED_WAKER_IRQ, irq);
}

/* Is the waker a thread, whose id is then @waker? @waker: of fxt_sched_waker() */
static __always_inline int fxt_sched_waker_is_thread(__u32 waker)
{
	/* Neither 0, the idle thread, nor with bits beyond the thread id. */
	return waker - 1 < FXT_SCHED_WAKER_TID;
}

#endif /* FXT_FXT_WAKER_H */
