/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_thread.h - the weight of a thread, and the state in which it is switched out, as in
 * records.
 *
 * In:  fields of task_struct.
 * Out: numbers of the format.
 */
#ifndef FXT_FXT_SCHED_THREAD_H
#define FXT_FXT_SCHED_THREAD_H

#include "fxt_scheduling.h"
#include "fxt_sched_ids.h"

/* --- "relative weight": larger numbers mean more weight ------------------ */

#define FXT_SCHED_WEIGHT_IDLE	((__s32)0x80000000)	/* INT32_MIN: the idle task */
#define FXT_SCHED_WEIGHT_NONE	((__s32)0x80000001)	/* builders omit the weight */
#define FXT_SCHED_WEIGHT_DL	0x7fffffff		/* INT32_MAX: deadline class */
#define FXT_SCHED_WEIGHT_RT	1000000			/* + real-time priority, 1..99 */
#define FXT_SCHED_MAX_RT_PRIO	100			/* the kernel's MAX_RT_PRIO */

/*
 * The weight of a thread in records; larger numbers mean more weight. @tid: 0 is an idle task.
 * @prio: effective priority (task_struct.prio), including boosts. @load_weight: of the fair class,
 * 1024 for nice 0
 *
 * The kernel's stop class counts as real time with priority 99, because its task_struct has that.
 */
static __always_inline __s32 fxt_sched_weight(__u32 tid, __s32 prio, __u64 load_weight)
{
	if (!tid)
		return FXT_SCHED_WEIGHT_IDLE;
	if (__builtin_expect(prio >= FXT_SCHED_MAX_RT_PRIO, 1))
		return (__s32)load_weight;
	if (prio < 0)
		return FXT_SCHED_WEIGHT_DL;
	return FXT_SCHED_WEIGHT_RT + FXT_SCHED_MAX_RT_PRIO - 1 - prio;
}

/* Is a thread's weight the fair class's load weight? Arguments as for fxt_sched_weight(). */
static __always_inline int fxt_sched_weight_is_load(__u32 tid, __s32 prio)
{
	return tid && prio >= FXT_SCHED_MAX_RT_PRIO;
}

/* The number that replaces the weight under --weight=prio. Arguments as for fxt_sched_weight(). */
static __always_inline __s32 fxt_sched_prio(__u32 tid, __s32 prio)
{
	return tid ? prio : FXT_SCHED_WEIGHT_IDLE;
}

/*
 * The weight under --weight=none: FXT_SCHED_WEIGHT_NONE. Idle tasks, with @tid 0, keep theirs,
 * because Perfetto recognizes idle threads only by their weight.
 */
static __always_inline __s32 fxt_sched_no_weight(__u32 tid)
{
	return tid ? FXT_SCHED_WEIGHT_NONE : FXT_SCHED_WEIGHT_IDLE;
}

/* --- state of the outgoing thread -------------------------------------- */

/* Of task_struct.__state and .exit_state; the same since Linux 4.14. */
enum fxt_linux_state {
	FXT_LINUX_INTERRUPTIBLE		= 0x0001,
	FXT_LINUX_UNINTERRUPTIBLE	= 0x0002,
	FXT_LINUX_STOPPED		= 0x0004,
	FXT_LINUX_TRACED		= 0x0008,
	FXT_LINUX_EXIT_DEAD		= 0x0010,
	FXT_LINUX_EXIT_ZOMBIE		= 0x0020,
	FXT_LINUX_PARKED		= 0x0040,
	FXT_LINUX_DEAD			= 0x0080,
	FXT_LINUX_WAKING		= 0x0200,
	FXT_LINUX_NOLOAD		= 0x0400,
	FXT_LINUX_NEW			= 0x0800,
	FXT_LINUX_RTLOCK_WAIT		= 0x1000,	/* since 5.15 */
	FXT_LINUX_FROZEN		= 0x8000,	/* since 6.1 */
};

/* A number of "Thread States", and the string index of a letter; 0: no letter. */
struct fxt_sched_state {
	__u32 state;
	__u32 letter;
};

/*
 * The state in which a thread is switched out. @blocked: the thread left its run queue, it was not
 * preempted and did not yield. @task_state: task_struct.__state as sched_switch reports it.
 * @exit_state: of task_struct
 *
 * The letter is set where the number alone cannot distinguish Linux's states: D and I from the
 * plain sleep S, t and P from the stop T. As in the kernel, the exit state takes precedence over
 * the sleep state, except over the wait for a spinlock of PREEMPT_RT, which a thread may take while
 * it ends.
 */
static __always_inline struct fxt_sched_state
fxt_sched_state(int blocked, __u32 task_state, __u32 exit_state)
{
	struct fxt_sched_state s = { FXT_THREAD_NEW, 0 };

	if (!blocked)
		return s;
	s.state = FXT_THREAD_BLOCKED;
	if (task_state & FXT_LINUX_RTLOCK_WAIT) {
		s.letter = FXT_STR_STATE_D;
	} else if (exit_state & FXT_LINUX_EXIT_ZOMBIE) {
		s.state = FXT_THREAD_DYING;
	} else if (exit_state & FXT_LINUX_EXIT_DEAD ||
		   task_state & FXT_LINUX_DEAD) {
		s.state = FXT_THREAD_DEAD;
	} else if (task_state & (FXT_LINUX_UNINTERRUPTIBLE | FXT_LINUX_FROZEN)) {
		s.letter = task_state & FXT_LINUX_NOLOAD ? FXT_STR_STATE_I :
							   FXT_STR_STATE_D;
	} else if (task_state & (FXT_LINUX_STOPPED | FXT_LINUX_TRACED |
				 FXT_LINUX_PARKED)) {
		s.state = FXT_THREAD_SUSPENDED;
		if (task_state & FXT_LINUX_TRACED)
			s.letter = FXT_STR_STATE_T;
		else if (task_state & FXT_LINUX_PARKED)
			s.letter = FXT_STR_STATE_P;
	}
	return s;
}

/*
 * Is fxt_sched_state() of a thread that left its run queue certainly a plain sleep? A thread that
 * ends never sleeps interruptibly again, so the exit state need not be read. Return: 0 if that
 * depends on the exit state.
 */
static __always_inline int fxt_sched_is_plain_sleep(__u32 task_state)
{
	return !(task_state & (FXT_LINUX_DEAD | FXT_LINUX_UNINTERRUPTIBLE |
			       FXT_LINUX_RTLOCK_WAIT | FXT_LINUX_FROZEN |
			       FXT_LINUX_STOPPED | FXT_LINUX_TRACED |
			       FXT_LINUX_PARKED));
}

/*
 * Is fxt_sched_state() of a thread that left its run queue a plain sleep? Nearly all sleeps are.
 * This test takes the fewest instructions.
 */
static __always_inline int fxt_sched_is_sleep(__u32 task_state, __u32 exit_state)
{
	return !(exit_state & (FXT_LINUX_EXIT_ZOMBIE | FXT_LINUX_EXIT_DEAD)) &&
	       fxt_sched_is_plain_sleep(task_state);
}

#define FXT_LINUX_ON_RQ_QUEUED	1	/* task_struct.on_rq: not migrating */

/*
 * What is a thread doing that does not have a CPU? @on_rq: task_struct.on_rq; 0 also for a delayed
 * dequeue. Return: 'R' in a run queue; 'S', 'D', 'I', 'T', 't' or 'P' asleep; 0: on its way between
 * these states, or it has ended.
 */
static __always_inline char fxt_sched_seen(__u32 on_rq, __u32 task_state, __u32 exit_state)
{
	struct fxt_sched_state s = fxt_sched_state(1, task_state, exit_state);

	if (on_rq)
		return on_rq == FXT_LINUX_ON_RQ_QUEUED ? 'R' : 0;
	if (!task_state || task_state & (FXT_LINUX_WAKING | FXT_LINUX_NEW) ||
	    s.state == FXT_THREAD_DYING || s.state == FXT_THREAD_DEAD)
		return 0;
	switch (s.letter) {
	case FXT_STR_STATE_D:
		return 'D';
	case FXT_STR_STATE_I:
		return 'I';
	case FXT_STR_STATE_T:
		return 't';
	case FXT_STR_STATE_P:
		return 'P';
	default:
		return s.state == FXT_THREAD_SUSPENDED ? 'T' : 'S';
	}
}

#endif /* FXT_FXT_SCHED_THREAD_H */
