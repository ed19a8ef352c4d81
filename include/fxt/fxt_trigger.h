/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_trigger.h - causes of a trigger, and when a wait or a sleep that is not over fires it.
 *
 * Waits for a CPU are checked at the switch that ends them, sleeps at the wakeup, waits for a lock
 * when the thread has it. A thread that gets no CPU or no lock, or that nobody wakes, has no such
 * event. So a timer of the module, or the collector with BPF, searches for waits and sleeps
 * periodically. It looks only at threads that the trigger watches, which have an element that is
 * neither 0 nor FXT_WAIT_OTHER. A thread that waits for a lock sleeps. So with a limit of such
 * waits, these are all threads that sleep and that comm= and pid= select.
 *
 * Most ids belong to no such thread. So thread ids form groups, and each group has a byte, which
 * the beginning of a wait sets, and which a search clears once it watches no thread of the group:
 *
 *  - A wakeup, or a switch to a sleep, first stores its time in the thread's element. Then it
 *    stores FXT_WAITS_WOKEN to the byte, unless the byte is that already. There is no barrier
 *    between the two.
 *  - A search changes FXT_WAITS_WOKEN to FXT_WAITS_SEEN, and checks the group's threads. If the
 *    byte was FXT_WAITS_SEEN before, and no thread is watched, it changes it to FXT_WAITS_NONE,
 *    unless a wakeup changes it at the same time. A wakeup that still saw FXT_WAITS_WOKEN has
 *    stored its time by the next search, milliseconds later.
 */
#ifndef FXT_FXT_TRIGGER_H
#define FXT_FXT_TRIGGER_H

#include <linux/types.h>

#include <linux/fxt_sched.h>

#include "fxt_lock.h"

/* A cause beyond enum fxt_sched_cause: a run queue was too long. */
#define FXT_SCHED_CAUSE_RUNNABLE	3

#define FXT_SCHED_CAUSES		7

/* Do the trigger's comm and pid, and the thread's user, matter for this cause? */
static inline int fxt_cause_has_thread(__u32 cause)
{
	return cause == FXT_SCHED_CAUSE_LATENCY || cause == FXT_SCHED_CAUSE_BLOCKED ||
	       cause == FXT_SCHED_CAUSE_SLEEP || cause == FXT_SCHED_CAUSE_LOCK;
}

/*
 * Does the trigger need elements of threads that sleep? @limit: by cause; 0: this cause does not
 * fire the trigger
 */
static inline int fxt_limits_sleeps(const volatile __u64 *limit)
{
	return limit[FXT_SCHED_CAUSE_BLOCKED] || limit[FXT_SCHED_CAUSE_SLEEP] ||
	       limit[FXT_SCHED_CAUSE_LOCK];
}

/* Does the trigger need elements of threads? */
static inline int fxt_limits_waits(const volatile __u64 *limit)
{
	return limit[FXT_SCHED_CAUSE_LATENCY] || fxt_limits_sleeps(limit);
}

/*
 * An element has the ticks of the thread's wakeup, until its switch-in; or those of its switch-out
 * and FXT_WAIT_ASLEEP, until its wakeup. Ticks stay below these bits for decades.
 */
#define FXT_WAIT_ASLEEP		(1ULL << 63)
#define FXT_WAIT_BLOCKED	(1ULL << 62)	/* in an uninterruptible sleep, D */
/* comm= or pid= do not select the thread, but it may hold the lock of one that they select */
#define FXT_WAIT_OTHER		(1ULL << 61)

#define FXT_WAIT_SINCE(element)	\
	((element) & ~(FXT_WAIT_ASLEEP | FXT_WAIT_BLOCKED | FXT_WAIT_OTHER))

/* Does a search look at a thread with this element? */
static inline int fxt_wait_is_watched(__u64 element)
{
	return element && !(element & FXT_WAIT_OTHER);
}

/*
 * The element of a thread that goes to sleep @now; 0 if the trigger does not watch that. @counts:
 * comm= and pid= select the thread.
 */
static inline __u64 fxt_wait_sleeps(const volatile __u64 *limit, int is_blocked, int counts,
				    __u64 now)
{
	if (!counts)
		return limit[FXT_SCHED_CAUSE_LOCK] ? now | FXT_WAIT_ASLEEP | FXT_WAIT_OTHER : 0;
	if (is_blocked && fxt_limits_sleeps(limit))
		return now | FXT_WAIT_ASLEEP | FXT_WAIT_BLOCKED;
	return limit[FXT_SCHED_CAUSE_SLEEP] || limit[FXT_SCHED_CAUSE_LOCK] ?
	       now | FXT_WAIT_ASLEEP : 0;
}

/* The cause whose limit a wait of @waited ticks exceeds; FXT_SCHED_CAUSES if none. */
static inline __u32 fxt_wait_cause(const volatile __u64 *limit, __u64 element, __u64 waited)
{
	__u32 cause = FXT_SCHED_CAUSE_LATENCY;

	if (element & FXT_WAIT_OTHER)
		return FXT_SCHED_CAUSES;
	if (element & FXT_WAIT_ASLEEP) {
		cause = FXT_SCHED_CAUSE_BLOCKED;
		if (!(element & FXT_WAIT_BLOCKED) || !limit[cause] || waited <= limit[cause])
			cause = FXT_SCHED_CAUSE_SLEEP;
	}
	return limit[cause] && waited > limit[cause] ? cause : FXT_SCHED_CAUSES;
}

/* May a thread with this element wait for a lock, so that the wait fires the trigger? */
static inline int fxt_wait_may_lock(const volatile __u64 *limit, __u64 element)
{
	return limit[FXT_SCHED_CAUSE_LOCK] && element & FXT_WAIT_ASLEEP &&
	       !(element & FXT_WAIT_OTHER);
}

/*
 * The ticks for which a thread with this element has waited for a lock; 0 unless that exceeds the
 * limit. @w: what it waits for. Only waits since the beginning of the recording, @first, count. The
 * loads of @w and of the element are not one: the caller compares the element again.
 */
static inline __u64 fxt_lock_waited(const volatile __u64 *limit, __u64 element,
				    const struct fxt_lock_wait *w, __u64 first, __u64 now)
{
	__u64 begin;

	/* @w is in another cache line, so it comes last. */
	if (!fxt_wait_may_lock(limit, element))
		return 0;
	begin = *(const volatile __u64 *)&w->begin;
	if (!begin || begin < first || now <= begin || !w->is_lock)
		return 0;
	return now - begin > limit[FXT_SCHED_CAUSE_LOCK] ? now - begin : 0;
}

#define FXT_WAITS_NONE		0
#define FXT_WAITS_WOKEN		1
#define FXT_WAITS_SEEN		2

/* Thread ids in a group. */
#define FXT_WAITS_GROUP		64U

/* A wait that goes on fires the trigger late by at most this, in ns, or a quarter of the limit. */
#define FXT_TRIGGER_LATE_NS	10000000ULL

/*
 * The time between two searches, in ns: half of the time by which a trigger may be late. @limit: by
 * cause, ns
 */
static inline __u64 fxt_trigger_period(const volatile __u64 *limit)
{
	static const __u8 causes[] = {
		FXT_SCHED_CAUSE_LATENCY, FXT_SCHED_CAUSE_BLOCKED, FXT_SCHED_CAUSE_SLEEP,
		FXT_SCHED_CAUSE_LOCK,
	};
	__u64 late = ~0ULL;
	unsigned int i;

	for (i = 0; i < sizeof(causes); i++)
		if (limit[causes[i]] && limit[causes[i]] / 4 < late)
			late = limit[causes[i]] / 4;
	return (late < FXT_TRIGGER_LATE_NS ? FXT_TRIGGER_LATE_NS : late) / 2;
}

/* A thread of the group, which is watched, is woken or goes to sleep. @group: the group's byte */
static inline void fxt_waits_wake(__u8 *group)
{
	if (*(volatile __u8 *)group != FXT_WAITS_WOKEN)
		*(volatile __u8 *)group = FXT_WAITS_WOKEN;
}

#endif /* FXT_FXT_TRIGGER_H */
