/* SPDX-License-Identifier: GPL-2.0 */
/*
 * notify.h - waking those who poll a session's device, from a probe.
 *
 * A probe must not wake a thread, because it holds a lock of the scheduler. It queues work
 * that runs once this CPU enables irqs.
 */
#ifndef FXT_KMOD_NOTIFY_H
#define FXT_KMOD_NOTIFY_H

#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/poll.h>
#include <linux/wait.h>

/*
 * This CPU is about to interrupt itself, because the module queues work. ipi.c does not
 * record that: it is in the middle of another record, and not of the machine's doing.
 */
DECLARE_PER_CPU(bool, fxt_notifies);

/**
 * fxt_notify_queue() - queue work from a probe
 * @work: the work
 *
 * Context: any, with irqs off. Locks of the scheduler may be held.
 */
static inline void fxt_notify_queue(struct irq_work *work)
{
	__this_cpu_write(fxt_notifies, true);
	irq_work_queue(work);
	__this_cpu_write(fxt_notifies, false);
}

/**
 * struct fxt_notify - what a session has to say
 * @wait: those who poll the device
 * @work: wakes them
 */
struct fxt_notify {
	wait_queue_head_t wait;
	struct irq_work work;
};

static inline void fxt_notify_work(struct irq_work *work)
{
	wake_up_interruptible_poll(&container_of(work, struct fxt_notify, work)->wait,
				   EPOLLIN | EPOLLRDNORM | EPOLLPRI);
}

/**
 * fxt_notify_init() - set up
 * @n: zeroed
 *
 * Context: any.
 */
static inline void fxt_notify_init(struct fxt_notify *n)
{
	init_waitqueue_head(&n->wait);
	init_irq_work(&n->work, fxt_notify_work);
}

/**
 * fxt_notify() - wake those who poll
 * @n: the session's
 *
 * If the work is queued already, on whatever CPU, it has not looked for sleepers yet, and
 * they will find what the caller has stored: queueing has a full barrier.
 *
 * Context: any, with irqs off. Locks of the scheduler may be held.
 */
static inline void fxt_notify(struct fxt_notify *n)
{
	/* Pairs with the full barrier in fxt_device_poll(). */
	if (wq_has_sleeper(&n->wait))
		fxt_notify_queue(&n->work);
}

#endif /* FXT_KMOD_NOTIFY_H */
