// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch.c - fires the trigger for waits and sleeps that are not over.
 *
 * In:  when threads began to wait or sleep, and for which locks, in the task table, and which of
 *      its groups have such threads (fxt_trigger.h).
 * Out: a trigger that fires although the thread gets no CPU or no lock or is not woken, with the
 *      stack of such a sleep, and that of a holder that sleeps; and the longest wait for a CPU that
 *      is not over.
 *
 * A timer's interrupt looks, because a kernel thread would have to wait for a CPU as well. It runs
 * only while a session with a trigger of latencies, sleeps or locks records. One interrupt looks at
 * a few threads, and the next one continues, however many threads wait.
 */
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include <fxt/fxt_trigger.h>

#include "compat.h"
#include "session.h"

/*
 * Groups, waits for locks, and threads with long waits that one interrupt looks at. The last group
 * may exceed that by two for each of its threads.
 */
#define FXT_WATCH_STEPS		64
/* ns until the next interrupt continues. */
#define FXT_WATCH_PAUSE_NS	100000

/* How long has a thread with this element waited for a lock? 0: not for too long. */
static u64 fxt_watch_lock_waited(const struct fxt_session *ss, u32 tid, u64 element, u64 now)
{
	const u64 *limit = ss->trigger.limit;
	const struct fxt_lock_wait *wait = limit[FXT_SCHED_CAUSE_LOCK] ?
					   fxt_task_wait(&ss->tasks, tid) : NULL;

	return wait ? fxt_lock_waited(limit, element, wait, ss->recording.since, now) : 0;
}

/* The stack of a holder that does not sleep is unknown. */
static void fxt_watch_holder(struct fxt_session *ss, struct task_struct *holder)
{
	const u64 *at = fxt_task_since(&ss->tasks, holder->pid);
	u64 element = at ? READ_ONCE(*at) : 0;

	if (element & FXT_WAIT_ASLEEP)
		fxt_stack_asleep(ss, holder, at, element);
}

/* Check a long wait for a lock, in a sleep. Arguments and context: fxt_watch_check(). */
static void fxt_watch_lock(struct fxt_session *ss, struct task_struct *p, const u64 *at,
			   u64 element, u64 now)
{
	struct task_struct *holder;
	struct fxt_trigger_lock lock;
	u64 waited;

	/* The wait is not older than the element. Pairs with the full barrier in __schedule(). */
	smp_rmb();
	waited = fxt_watch_lock_waited(ss, p->pid, element, now);
	if (!waited)
		return;
	holder = fxt_lock_look(ss, p, fxt_task_wait(&ss->tasks, p->pid), &lock);
	/* The thread clears the element before its wait ends. */
	smp_rmb();
	if (READ_ONCE(*at) != element ||
	    !fxt_trigger_check_thread(&ss->trigger, &ss->recording, FXT_SCHED_CAUSE_LOCK, true,
				      task_cpu(p), p, now - waited, now, &lock))
		return;
	fxt_stack_asleep(ss, p, at, element);
	if (holder)
		fxt_watch_holder(ss, holder);
}

/*
 * Check a long sleep. A user's limit of sleeps does not hide that the thread waits for a lock.
 * Arguments and context: fxt_watch_check().
 */
static void fxt_watch_sleep(struct fxt_session *ss, struct task_struct *p, const u64 *at,
			    u64 element, u64 now)
{
	u64 since = FXT_WAIT_SINCE(element);
	u32 cause = fxt_wait_cause(ss->trigger.limit, element, now - since);

	if (cause != FXT_SCHED_CAUSES &&
	    fxt_trigger_check_thread(&ss->trigger, &ss->recording, cause, true, task_cpu(p), p,
				     since, now, NULL))
		fxt_stack_asleep(ss, p, at, element);
	else
		fxt_watch_lock(ss, p, at, element, now);
}

/*
 * Check a long wait of a thread that the filter keeps. @at: where the thread's element is. Context:
 * interrupts disabled, in an RCU read-side critical section.
 */
static void fxt_watch_check(struct fxt_session *ss, struct task_struct *p, const u64 *at,
			    u64 element, u64 now)
{
	u64 since = FXT_WAIT_SINCE(element);

	if (element & FXT_WAIT_ASLEEP) {
		fxt_watch_sleep(ss, p, at, element, now);
	} else {
		fxt_trigger_check(&ss->trigger, &ss->recording, &ss->trigger.open, task_cpu(p), p,
				  since, now);
	}
}

/*
 * A thread that waits is in a run queue; one that sleeps is in none, or about to leave it. Neither
 * can end. So if the element is still the same, the thread with this id is the one that waits. Its
 * memory is freed only after the grace period.
 */
static void fxt_watch_thread(struct fxt_session *ss, u32 tid, const u64 *at, u64 element,
			     u64 now)
{
	struct task_struct *p;

	rcu_read_lock();
	p = pid_task(find_pid_ns(tid, &init_pid_ns), PIDTYPE_PID);
	if (p && (element & FXT_WAIT_ASLEEP || FXT_TASK_QUEUED(p)) && READ_ONCE(*at) == element &&
	    per_cpu_ptr(ss->cpus, task_cpu(p))->cpu_traced &&
	    (!ss->filter.by_thread || fxt_filter_matches(&ss->filter, &ss->tasks, p)))
		fxt_watch_check(ss, p, at, element, now);
	rcu_read_unlock();
}

/*
 * Is a wait that is not over too long, or the longest such wait for a CPU? @steps: grows if that
 * takes a look at the wait for a lock
 */
static bool fxt_watch_is_long(const struct fxt_session *ss, u32 tid, u64 element, u64 now,
			      unsigned int *steps)
{
	const struct fxt_trigger *t = &ss->trigger;
	u64 since = FXT_WAIT_SINCE(element);

	/* Many threads may have slept since before the recording. */
	if (now <= since || since < ss->recording.since)
		return false;
	if (fxt_wait_cause(t->limit, element, now - since) != FXT_SCHED_CAUSES)
		return true;
	if (!(element & FXT_WAIT_ASLEEP))
		return now - since > t->open.latency;
	if (!fxt_wait_may_lock(t->limit, element))
		return false;
	++*steps;
	return fxt_watch_lock_waited(ss, tid, element, now);
}

/* @steps: grows by what was looked at. Return: is a thread of the group watched? */
static bool fxt_watch_group(struct fxt_session *ss, u32 first, u64 now, unsigned int *steps)
{
	const u64 *elements = fxt_task_since(&ss->tasks, first);
	bool is_watched = false;
	unsigned int i;
	u64 element;

	for (i = 0; elements && i < FXT_WAITS_GROUP; i++) {
		element = READ_ONCE(elements[i]);
		if (!fxt_wait_is_watched(element))
			continue;
		is_watched = true;
		if (!fxt_watch_is_long(ss, first + i, element, now, steps))
			continue;
		fxt_watch_thread(ss, first + i, &elements[i], element, now);
		++*steps;
	}
	return is_watched;
}

/*
 * Look at the next groups of thread ids. Context: interrupts disabled; one caller at a time.
 * Return: true if there are more.
 */
static bool fxt_watch_look(struct fxt_session *ss)
{
	u64 now = fxt_clock_now(&ss->clock);
	u8 *groups = ss->trigger.groups, state;
	unsigned int i, steps = 0;

	for (i = ss->trigger.cursor; i < FXT_TRIGGER_GROUPS && steps < FXT_WATCH_STEPS; i++) {
		/* Most groups are empty. */
		if (!(i % sizeof(u64)) && !READ_ONCE(*(u64 *)&groups[i])) {
			i += sizeof(u64) - 1;
			continue;
		}
		state = READ_ONCE(groups[i]);
		if (state == FXT_WAITS_NONE)
			continue;
		steps++;
		if (state == FXT_WAITS_WOKEN)
			WRITE_ONCE(groups[i], FXT_WAITS_SEEN);
		if (!fxt_watch_group(ss, i * FXT_WAITS_GROUP, now, &steps) &&
		    state == FXT_WAITS_SEEN)
			cmpxchg(&groups[i], FXT_WAITS_SEEN, FXT_WAITS_NONE);
	}
	ss->trigger.cursor = i < FXT_TRIGGER_GROUPS ? i : 0;
	return ss->trigger.cursor;
}

static ktime_t fxt_watch_period(const struct fxt_session *ss)
{
	return ns_to_ktime(fxt_trigger_period(ss->config.trigger_limit));
}

static enum hrtimer_restart fxt_watch_tick(struct hrtimer *timer)
{
	struct fxt_session *ss = container_of(timer, struct fxt_session, watch);

	if (!fxt_recording_is_on(&ss->recording))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, fxt_watch_look(ss) ? ns_to_ktime(FXT_WATCH_PAUSE_NS) :
							fxt_watch_period(ss));
	return HRTIMER_RESTART;
}

/* Context: may sleep; serialized (device.c); the session is recording. */
void fxt_watch_start(struct fxt_session *ss)
{
	struct hrtimer *timer = &ss->watch;

	if (!ss->trigger.waits)
		return;
	/* In a hard interrupt, with PREEMPT_RT too. */
	hrtimer_setup(timer, fxt_watch_tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	hrtimer_start(timer, fxt_watch_period(ss), HRTIMER_MODE_REL_HARD);
}

/*
 * Look for the last time, just before the recording ends. Context: may sleep; serialized
 * (device.c).
 */
void fxt_watch_stop(struct fxt_session *ss)
{
	bool more;

	if (!ss->trigger.waits)
		return;
	hrtimer_cancel(&ss->watch);
	ss->trigger.cursor = 0;
	do {
		local_irq_disable();
		more = fxt_watch_look(ss);
		local_irq_enable();
		cond_resched();
	} while (more);
}
