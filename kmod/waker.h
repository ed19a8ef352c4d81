/* SPDX-License-Identifier: GPL-2.0 */
/*
 * waker.h - the waker: the current thread, or the interrupt that it is in.
 */
#ifndef FXT_KMOD_WAKER_H
#define FXT_KMOD_WAKER_H

#include <linux/build_bug.h>
#include <linux/kconfig.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <fxt/fxt_sched.h>

/* include/linux/preempt.h: the parts of the preempt count */
static_assert(FXT_LINUX_SERVING_SOFTIRQ == SOFTIRQ_OFFSET);
static_assert(FXT_LINUX_HARDIRQ == HARDIRQ_MASK);
static_assert(FXT_LINUX_NMI == NMI_MASK);

/* The kind of interrupt that this CPU is in, enum fxt_sched_irq. */
static __always_inline u32 fxt_irq(void)
{
	u32 irq = fxt_sched_irq(preempt_count());

	if (IS_ENABLED(CONFIG_PREEMPT_RT) && !irq && in_serving_softirq())
		irq = FXT_SCHED_IRQ_SOFT;
	return irq;
}

/* Is it the work of the current thread to serve soft interrupts? */
static inline bool fxt_serves_softirqs(void)
{
	return current->flags & PF_KTHREAD &&
	       (strstarts(current->comm, FXT_SCHED_KSOFTIRQD) ||
		strstarts(current->comm, FXT_SCHED_KTIMERS) ||
		strstarts(current->comm, FXT_SCHED_IRQ_THREAD));
}

/**
 * fxt_waker() - where the wakeup that begins now comes from
 *
 * A soft interrupt counts as the thread that serves it, if that is what the thread is for. On
 * PREEMPT_RT such threads serve all interrupts but a few; but there, too, any thread that enables
 * soft interrupts again may have to run one.
 *
 * Context: that of sched_waking or sched_wakeup_new.
 *
 * Return: fxt_sched_waker().
 */
static inline u32 fxt_waker(void)
{
	u32 irq = fxt_irq();

	if (irq == FXT_SCHED_IRQ_SOFT && fxt_serves_softirqs())
		irq = FXT_SCHED_IRQ_NONE;
	return fxt_sched_waker(current->pid, irq);
}

#endif /* FXT_KMOD_WAKER_H */
