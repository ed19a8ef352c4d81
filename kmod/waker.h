/* SPDX-License-Identifier: GPL-2.0 */
/*
 * waker.h - who begins a wakeup: the thread that is current, or what interrupted it.
 */
#ifndef FXT_KMOD_WAKER_H
#define FXT_KMOD_WAKER_H

#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <fxt/fxt_sched.h>

/* The interrupt that this CPU is in, enum fxt_sched_irq. */
static __always_inline u32 fxt_irq(void)
{
	return fxt_sched_irq(preempt_count());
}

/**
 * fxt_waker() - who begins a wakeup
 *
 * Soft interrupts that ksoftirqd serves are the work of a thread. On PREEMPT_RT
 * all of them are, and those of devices, too: the preempt count has none of them.
 *
 * Context: any, in the wakeup's own.
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
