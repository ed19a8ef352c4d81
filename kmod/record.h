/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.h - how the probes of switches and wakeups write records.
 *
 * The slow path handles everything. Sessions with a filter, a trigger, stacks or priorities as
 * weights register it for all events.
 *
 * The fast path handles most events of all other sessions. There is one per kind of clock, which it
 * reads inline, and per form of the records (fxt_config.form). It leaves rare cases to the slow
 * path: a state with a letter, a wakeup by an interrupt, a full sub-buffer, a clock that stepped
 * back. It does so before it has stored anything that the slow path would not store again. So it
 * contains only tail calls, and saves no registers. The last two kinds of clocks are read by a
 * call; they serve sessions that start where the clock cannot be read inline.
 *
 * scripts/bench/instructions.sh measures the fast path.
 */
#ifndef FXT_KMOD_RECORD_H
#define FXT_KMOD_RECORD_H

#include <linux/build_bug.h>
#include <linux/kconfig.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include <linux/string.h>

#include <fxt/fxt_sched.h>

#include "compat.h"
#include "session.h"

/* include/linux/sched.h: the bits of task_struct's states */
static_assert(FXT_LINUX_UNINTERRUPTIBLE == TASK_UNINTERRUPTIBLE);
static_assert(FXT_LINUX_STOPPED == __TASK_STOPPED);
static_assert(FXT_LINUX_TRACED == __TASK_TRACED);
static_assert(FXT_LINUX_EXIT_DEAD == EXIT_DEAD);
static_assert(FXT_LINUX_EXIT_ZOMBIE == EXIT_ZOMBIE);
static_assert(FXT_LINUX_PARKED == TASK_PARKED);
static_assert(FXT_LINUX_DEAD == TASK_DEAD);
static_assert(FXT_LINUX_WAKING == TASK_WAKING);
static_assert(FXT_LINUX_NOLOAD == TASK_NOLOAD);
static_assert(FXT_LINUX_NEW == TASK_NEW);
static_assert(FXT_LINUX_RTLOCK_WAIT == TASK_RTLOCK_WAIT);
static_assert(FXT_LINUX_FROZEN == TASK_FROZEN);
/* include/linux/preempt.h: the parts of the preempt count */
static_assert(FXT_LINUX_SERVING_SOFTIRQ == SOFTIRQ_OFFSET);
static_assert(FXT_LINUX_HARDIRQ == HARDIRQ_MASK);
static_assert(FXT_LINUX_NMI == NMI_MASK);
/* include/linux/sched/prio.h: MAX_RT_PRIO */
static_assert(FXT_SCHED_MAX_RT_PRIO == MAX_RT_PRIO);

/*
 * Is a task not runnable that is being switched out or about to be woken? Its state does not tell:
 * with a signal pending, a task that is about to sleep stays runnable.
 *
 * Context: @p's run queue lock or its pi_lock is held.
 */
static __always_inline bool fxt_task_blocked(struct task_struct *p)
{
	return !FXT_TASK_QUEUED(p);
}

/* Kernels for one CPU do not have on_cpu. */
static __always_inline bool fxt_task_running(const struct task_struct *p)
{
#ifdef CONFIG_SMP
	return READ_ONCE(p->on_cpu);
#else
	return p == current;
#endif
}

/* Context: as of fxt_filter_matches(). */
static __always_inline bool fxt_keeps(const struct fxt_session *ss, struct task_struct *p)
{
	return fxt_filter_matches(&ss->filter, &ss->tasks, p);
}

/* The load weight of the fair class: 1024 for nice 0. */
static __always_inline unsigned long fxt_load_weight(const struct task_struct *p)
{
	unsigned long load = p->se.load.weight;

	/* 64-bit kernels keep it with a higher resolution. */
	return IS_ENABLED(CONFIG_64BIT) ? load >> SCHED_FIXEDPOINT_SHIFT : load;
}

/* The weight in records. Context: the run queue lock is held. */
static __always_inline s32 fxt_slow_weight(const struct fxt_session *ss,
					   const struct task_struct *p)
{
	if (ss->config.form & FXT_SCHED_NO_WEIGHTS)
		return fxt_sched_no_weight(p->pid);
	if (ss->config.priorities)
		return fxt_sched_prio(p->pid, p->prio);
	return fxt_sched_weight(p->pid, p->prio, fxt_load_weight(p));
}

static __always_inline bool fxt_fast_fits(const struct fxt_stream *s, unsigned int words)
{
	return likely((unsigned long)(s->pos + words) <= (unsigned long)s->end);
}

/*
 * Can a record be stored without the slow path? Not if the open sub-buffer is full or the clock
 * stepped back. Context: the producer's, see struct fxt_stream.
 */
static __always_inline bool fxt_fast_has_room(const struct fxt_stream *s, u64 now,
					      unsigned int words)
{
	return likely(now >= s->last) && fxt_fast_fits(s, words);
}

/*
 * The weight in records, for sessions that record load weights. @tid: as wide as in the record, so
 * that it is extended only once. Context: the run queue lock of @p is held.
 */
static __always_inline s32 fxt_fast_weight(const struct sched_class *load_class,
					   const struct task_struct *p, u64 tid)
{
	/* A match means neither idle nor real time: one comparison instead of two. */
	if (likely(p->sched_class == load_class))
		return fxt_load_weight(p);
	return fxt_sched_weight(tid, p->prio, fxt_load_weight(p));
}

/* --- the waker: the current thread, or the interrupt that it is in --- */

/* enum fxt_sched_irq */
static __always_inline u32 fxt_irq(void)
{
	u32 irq = fxt_sched_irq(preempt_count());

	if (IS_ENABLED(CONFIG_PREEMPT_RT) && !irq && in_serving_softirq())
		irq = FXT_SCHED_IRQ_SOFT;
	return irq;
}

static inline bool fxt_serves_softirqs(void)
{
	return current->flags & PF_KTHREAD &&
	       (strstarts(current->comm, FXT_SCHED_KSOFTIRQD) ||
		strstarts(current->comm, FXT_SCHED_KTIMERS) ||
		strstarts(current->comm, FXT_SCHED_IRQ_THREAD));
}

/*
 * Where the wakeup that begins now comes from, fxt_sched_waker(). A soft interrupt counts as the
 * thread that serves it if the thread exists for that. On PREEMPT_RT such threads serve most
 * interrupts, but there, too, a thread that enables soft interrupts again may have to run one.
 *
 * Context: that of sched_waking or sched_wakeup_new.
 */
static inline u32 fxt_waker(void)
{
	u32 irq = fxt_irq();

	if (irq == FXT_SCHED_IRQ_SOFT && fxt_serves_softirqs())
		irq = FXT_SCHED_IRQ_NONE;
	return fxt_sched_waker(current->pid, irq);
}

#endif /* FXT_KMOD_RECORD_H */
