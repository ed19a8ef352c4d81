/* SPDX-License-Identifier: GPL-2.0-only */
/* util.h - helpers that do not concern a session: reasons, limits, threads, waking. */
#ifndef FXT_KMOD_UTIL_H
#define FXT_KMOD_UTIL_H

#include <linux/compiler.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/wait.h>

/*
 * --- why a session is refused ---
 *
 * The text goes to the process that asked, which can correct the request, not into the kernel log.
 */

#define FXT_REASON_SIZE	256

/* Without a line end; empty if there is none. */
struct fxt_reason {
	char text[FXT_REASON_SIZE];
};

__printf(3, 4) int fxt_refuse(struct fxt_reason *reason, int error, const char *format, ...);

/* --- limits of all sessions together --- */

int fxt_limits_take_session(void);
void fxt_limits_return_session(void);
int fxt_limits_charge_session(u64 bytes, struct fxt_reason *reason);
bool fxt_limits_try_charge(u64 bytes);
void fxt_limits_uncharge(u64 bytes);

/* --- a walk over all existing threads --- */

struct task_struct;

/* Context: rcu_read_lock() is held. */
typedef void fxt_visit(struct task_struct *p, void *arg);

void fxt_walk(fxt_visit *visit, void *arg);

/* --- the parent of a process --- */

/*
 * The parent of a thread's process as getppid(2) names it, not a tracer. Return: thread group id; 0
 * if @p was released, or its parent is the idle thread.
 */
static inline u32 fxt_parent(const struct task_struct *p)
{
	u32 parent = 0;

	rcu_read_lock();
	/* A thread that has been released does not keep its parent's task_struct. */
	if (pid_alive(p))
		parent = rcu_dereference(p->real_parent)->tgid;
	rcu_read_unlock();
	return parent;
}

/*
 * --- waking those who poll a session's device, from a probe ---
 *
 * A probe must not wake a thread, because it holds a lock of the scheduler. It queues work
 * that runs once this CPU enables interrupts.
 */

/*
 * This CPU is about to interrupt itself for the module's own work. events.c does not record that:
 * it comes in the middle of another record, and the tracer causes it.
 */
DECLARE_PER_CPU(bool, fxt_self_ipi);

/* Context: any, with interrupts disabled. Locks of the scheduler may be held. */
static inline void fxt_notify_queue(struct irq_work *work)
{
	__this_cpu_write(fxt_self_ipi, true);
	irq_work_queue(work);
	__this_cpu_write(fxt_self_ipi, false);
}

struct fxt_notify {
	wait_queue_head_t wait;
	struct irq_work work;	/* wakes @wait */
};

static inline void fxt_notify_work(struct irq_work *work)
{
	wake_up_interruptible_poll(&container_of(work, struct fxt_notify, work)->wait,
				   EPOLLIN | EPOLLRDNORM | EPOLLPRI);
}

static inline void fxt_notify_init(struct fxt_notify *n)
{
	init_waitqueue_head(&n->wait);
	init_irq_work(&n->work, fxt_notify_work);
}

/*
 * Wake those who poll. If the work is queued already, on any CPU, it has not looked for sleepers
 * yet, and they will find what the caller has stored: queueing has a full barrier.
 *
 * Context: any, with interrupts disabled. Locks of the scheduler may be held.
 */
static inline void fxt_notify(struct fxt_notify *n)
{
	/* Pairs with the full barrier in fxt_device_poll(). */
	if (wq_has_sleeper(&n->wait))
		fxt_notify_queue(&n->work);
}

#endif /* FXT_KMOD_UTIL_H */
