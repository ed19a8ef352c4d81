/* SPDX-License-Identifier: GPL-2.0 */
/*
 * waker.h - the waker: the current thread, or the interrupt that it is in.
 */
#ifndef FXT_KMOD_WAKER_H
#define FXT_KMOD_WAKER_H

#include <linux/build_bug.h>
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
	return fxt_sched_irq(preempt_count());
}

/**
 * fxt_waker() - where the wakeup that begins now comes from
 *
 * A soft interrupt that ksoftirqd serves counts as that thread. On PREEMPT_RT threads serve
 * all soft interrupts and those of devices, too, and the preempt count shows none of them.
 *
 * Context: that of sched_waking or sched_wakeup_new.
 *
 * Return: fxt_sched_waker().
 */
static inline u32 fxt_waker(void)
{
	u32 irq = fxt_irq();

	if (irq == FXT_SCHED_IRQ_SOFT && current->flags & PF_KTHREAD &&
	    strstarts(current->comm, FXT_SCHED_KSOFTIRQD))
		irq = FXT_SCHED_IRQ_NONE;
	return fxt_sched_waker(current->pid, irq);
}

#endif /* FXT_KMOD_WAKER_H */
