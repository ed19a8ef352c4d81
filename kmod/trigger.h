/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trigger.h - a wakeup latency that is too long ends the recording.
 *
 * In:  wakeups and switch-ins. Out: the end of the recording, and the thread that waited,
 * for its owner. Also the longest wait that counts, so that users can choose a
 * better latency for a trigger that never fires.
 *
 * The time of a thread's wakeup is in the page after that of its slot (task_table.h). It
 * is stored at the wakeup and taken at the next switch-in, both under the lock of a run
 * queue that the thread is on, so two CPUs never race for it and each sees the other's
 * store. It is also taken while nothing is recorded, so that no wakeup is matched with a
 * later switch-in.
 *
 * If several CPUs want to fire, the first to set the end of the recording does.
 */
#ifndef FXT_KMOD_TRIGGER_H
#define FXT_KMOD_TRIGGER_H

#include <linux/percpu.h>
#include <linux/types.h>

#include <fxt/fxt_glob.h>

#include "task_table.h"

struct fxt_clock;
struct fxt_config;
struct fxt_notify;
struct fxt_recording;
struct fxt_sched_wait;
struct task_struct;

/**
 * struct fxt_wait - the longest wait that ended on a CPU
 * @time: ticks of the switch-in
 * @latency: ticks since the wakeup; 0 if there was no wait yet
 * @thread: thread id
 */
struct fxt_wait {
	u64 time;
	u64 latency;
	u32 thread;
};

/**
 * struct fxt_trigger - when to end the recording, and which wait did
 * @latency: the trigger fires if a wait exceeds that many ticks; 0 if there is no trigger
 * @after: ticks to record after that
 * @pid: process whose threads count, 0 for all
 * @by_comm: only threads whose names match @comm count
 * @comm: the pattern
 * @notify: to whom it says that it has fired
 * @longest: the longest wait on each CPU since the session was made; the CPU writes it
 *	with irqs off; NULL if there is no trigger
 * @fired: the trigger has fired; published after all fields below
 * @time: ticks of the switch-in
 * @waited: ticks from the wakeup to the switch-in
 * @thread: thread id
 * @cpu: the CPU of the switch-in
 */
struct fxt_trigger {
	u64 latency;
	u64 after;
	pid_t pid;
	bool by_comm;
	struct fxt_glob comm;
	struct fxt_notify *notify;
	struct fxt_wait __percpu *longest;

	bool fired;
	u64 time;
	u64 waited;
	u32 thread;
	u32 cpu;
};

int fxt_trigger_init(struct fxt_trigger *t, const struct fxt_config *config,
		     const struct fxt_clock *clock, struct fxt_notify *notify);
void fxt_trigger_free(struct fxt_trigger *t);
void fxt_trigger_arm(struct fxt_trigger *t);
void fxt_trigger_check(struct fxt_trigger *t, struct fxt_recording *r, u32 cpu,
		       const struct task_struct *p, u64 woken, u64 now);
bool fxt_trigger_fired(const struct fxt_trigger *t);
void fxt_trigger_get(const struct fxt_trigger *t, struct fxt_sched_wait *wait);
void fxt_trigger_get_longest(const struct fxt_trigger *t, struct fxt_sched_wait *wait);

/**
 * fxt_trigger_note() - keep the time of a thread's wakeup
 * @t: the trigger
 * @tasks: the session's tasks
 * @tid: thread id
 * @now: ticks
 *
 * Context: its run queue's lock is held.
 */
static __always_inline void fxt_trigger_note(const struct fxt_trigger *t,
					     const struct fxt_task_table *tasks,
					     pid_t tid, u64 now)
{
	u64 *woken = t->latency ? fxt_task_woken(tasks, tid) : NULL;

	if (woken)
		*woken = now;
}

/**
 * fxt_trigger_take() - take the time of the wakeup of a thread that is switched in
 * @t: the trigger
 * @tasks: the session's tasks
 * @tid: thread id
 *
 * Context: its run queue's lock is held.
 *
 * Return: ticks; 0 if the thread has run since, or there is no trigger.
 */
static __always_inline u64 fxt_trigger_take(const struct fxt_trigger *t,
					    const struct fxt_task_table *tasks, pid_t tid)
{
	u64 *woken = t->latency ? fxt_task_woken(tasks, tid) : NULL;
	u64 time;

	if (!woken || !*woken)
		return 0;
	time = *woken;
	*woken = 0;
	return time;
}

/**
 * fxt_trigger_is_long() - was a wait too long, or longer than all before it on this CPU?
 * @t: the trigger
 * @woken: the result of fxt_trigger_take()
 * @now: ticks; may be before @woken, because the CPUs' clocks differ by some ns
 *
 * Context: irqs are off.
 */
static __always_inline bool fxt_trigger_is_long(const struct fxt_trigger *t,
						u64 woken, u64 now)
{
	/* Without a trigger @woken is 0, and @longest is NULL. */
	return woken && now > woken &&
	       (now - woken > t->latency ||
		now - woken > this_cpu_ptr(t->longest)->latency);
}

#endif /* FXT_KMOD_TRIGGER_H */
