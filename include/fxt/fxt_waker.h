/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_waker.h - who wakes a thread: another one, an interrupt, or the idle thread.
 *
 * What flows in: the thread that is current as a wakeup begins, and the kernel's
 * preempt count. What flows out: both in 32 bits, which last until the record of the
 * wakeup is due.
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

/* The interrupt that a wakeup begins in. */
enum fxt_sched_irq {
	FXT_SCHED_IRQ_NONE,		/* none: a thread wakes another */
	FXT_SCHED_IRQ_HARD,
	FXT_SCHED_IRQ_SOFT,
	FXT_SCHED_IRQ_NMI,
};

/*
 * Where a wakeup begins, in 32 bits, for those who have to keep it until the record
 * is due: the thread that is current, and enum fxt_sched_irq. A thread wakes another
 * if there is no interrupt and the thread is not idle.
 */
#define FXT_SCHED_WAKER_TID	FXT_BITS(0, 21)
#define FXT_SCHED_WAKER_IRQ	FXT_BITS(22, 23)

/* What the thread is called that serves soft interrupts, before the CPU's number. */
#define FXT_SCHED_KSOFTIRQD	"ksoftirqd/"

/**
 * fxt_sched_irq() - the interrupt that a CPU is in
 * @preempt_count: the kernel's, of this CPU
 *
 * On PREEMPT_RT soft interrupts are served by threads and do not count here, which
 * is what they are: threads.
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

/**
 * fxt_sched_waker() - where a wakeup begins
 * @tid: thread id of the thread that is current
 * @irq: fxt_sched_irq(); FXT_SCHED_IRQ_NONE if that is a soft interrupt and the
 *	thread is the one that serves them
 */
static __always_inline __u32 fxt_sched_waker(__u32 tid, __u32 irq)
{
	return fxt_put(FXT_SCHED_WAKER_TID, tid) | fxt_put(FXT_SCHED_WAKER_IRQ, irq);
}

/**
 * fxt_sched_waker_is_thread() - does a thread wake another?
 * @waker: fxt_sched_waker()
 */
static __always_inline int fxt_sched_waker_is_thread(__u32 waker)
{
	/* Neither 0, the idle thread, nor more than its id. */
	return waker - 1 < FXT_SCHED_WAKER_TID;
}

#endif /* FXT_FXT_WAKER_H */
