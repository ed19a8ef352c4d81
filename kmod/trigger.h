/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trigger.h - the recording; and what ends it: a wakeup latency, a sleep, a wait for a lock or an
 * interrupt that is too long.
 *
 * In:  switches and wakeups, waits and sleeps that go on (watch.c), ends of waits for locks and of
 * interrupts.
 * Out: the end of the recording, and the thread that waited, for its owner. Also the longest wait
 * that counts, so that users can choose a better latency for a trigger that never fires.
 *
 * Since when a thread waits or sleeps is in the page after that of its slot (task_table.h). It
 * is stored at the switch to a sleep and at the wakeup, and taken at the next switch-in, all under
 * the lock of a run queue that the thread is on, so two CPUs never race for it and each sees the
 * other's store; with FXT_SCHED_WAKING as fxt_waking.h has it. watch.c only looks at it. It is also
 * taken while nothing is recorded, so that no wakeup is matched with a later switch-in.
 *
 * If several CPUs want to fire, the first to set the end of the recording does.
 */
#ifndef FXT_KMOD_TRIGGER_H
#define FXT_KMOD_TRIGGER_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <linux/fxt_sched.h>

#include <fxt/fxt_glob.h>
#include <fxt/fxt_trigger.h>

#include "task_table.h"

struct fxt_clock;
struct fxt_config;
struct fxt_notify;
struct task_struct;

/*
 * --- the one word that begins and ends the recording for all CPUs ---
 *
 * Probes are registered and unregistered one by one. They record an event only if its time is
 * covered by this word, so that the trace begins and ends at the same time on all CPUs: it has no
 * wakeup of a thread whose switch-out it lacks.
 *
 * Probes load the word without a barrier. They use nothing else that changes with it, and
 * what they then store into their stream cannot become visible before the load, because
 * the stores depend on it through a branch (control dependency). Code that looks back to the
 * beginning of the recording (trigger, slices) needs more: fxt_recording_is_on() and
 * fxt_recording_covers_slice().
 */

#define FXT_RECORDING_ON	((s64)U64_MAX)

/* When switches and wakeups become records. */
struct fxt_recording {
	/*
	 * ticks up to which they do: FXT_RECORDING_ON while no end is set, the time of the end once
	 * it is set, 0 when nothing is recorded. A trigger may set the end from a probe; all other
	 * changes are serialized (device.c)
	 */
	atomic64_t until;
	/*
	 * ticks of the beginning of the recording; published by @until. What the probes noted
	 * before it does not count, because the recording does not show it
	 */
	u64 since;
};

/* Is an event at that time to be recorded? */
static __always_inline bool fxt_recording_covers(const struct fxt_recording *r, u64 now)
{
	return likely(now <= (u64)atomic64_read(&r->until));
}

/*
 * Likewise a slice. @begin: 0 if the probes have not seen it begin. Return: false also if it began
 * before the recording, or during a previous one.
 */
static __always_inline bool fxt_recording_covers_slice(const struct fxt_recording *r,
						       u64 begin, u64 end)
{
	/* Pairs with the release in fxt_recording_begin(): @since is of this recording. */
	u64 until = atomic64_read_acquire(&r->until);

	return likely(end <= until) && likely(begin >= r->since);
}

/* Record from now on. Nothing is recorded yet. Context: may sleep; serialized (device.c). */
static inline void fxt_recording_begin(struct fxt_recording *r, u64 now)
{
	r->since = now;
	/*
	 * @since and the armed trigger before the word. Pairs with fxt_recording_is_on()
	 * and fxt_recording_covers_slice().
	 */
	atomic64_set_release(&r->until, FXT_RECORDING_ON);
}

/*
 * Is the recording on, with no end set? Return: if true, the caller sees all that was stored before
 * fxt_recording_begin().
 */
static inline bool fxt_recording_is_on(const struct fxt_recording *r)
{
	/* Pairs with the release in fxt_recording_begin(). */
	return atomic64_read_acquire(&r->until) == FXT_RECORDING_ON;
}

/*
 * Let the recording end at a time. Return: true if the caller set the end, false if it was set
 * before. The word only falls while there is recording, so no CPU can begin to record again once an
 * end is set.
 */
static inline bool fxt_recording_set_end(struct fxt_recording *r, u64 time)
{
	return atomic64_cmpxchg(&r->until, FXT_RECORDING_ON, time) == FXT_RECORDING_ON;
}

/*
 * End the recording now, unless it has already ended. Only a trigger can run at the same time; if
 * it is first, it may have set a time in the future. The caller then waits for the probes:
 * fxt_probes_fence() orders the stores of all probes that may have seen an older value before what
 * the caller does next.
 *
 * Context: may sleep; serialized (device.c).
 */
static inline void fxt_recording_cut(struct fxt_recording *r, u64 now)
{
	if (!fxt_recording_set_end(r, now) && (u64)atomic64_read(&r->until) > now)
		atomic64_set(&r->until, now);
}

/*
 * Record nothing, regardless of the time. The clocks may step back by some ns, to before the cut.
 *
 * Context: may sleep; serialized (device.c); no probe runs that began before the cut.
 */
static inline void fxt_recording_close(struct fxt_recording *r)
{
	atomic64_set(&r->until, 0);
}

/* --- the trigger --- */

/* Number of groups of thread ids, see fxt_trigger.h. */
#define FXT_TRIGGER_GROUPS	DIV_ROUND_UP(PID_MAX_LIMIT, FXT_WAITS_GROUP)

static_assert(FXT_TASKS_PER_PAGE % FXT_WAITS_GROUP == 0);
static_assert(FXT_TRIGGER_GROUPS % sizeof(u64) == 0);

/* The longest wait that ended on a CPU, or that is not over. */
struct fxt_wait {
	u64 time;	/* ticks of the switch-in, or of when the wait was seen to go on */
	u64 latency;	/* ticks from the wakeup to @time; 0 if there was no wait yet */
	u32 thread;
	u32 cpu;
};

/* What a user's threads must exceed; see struct fxt_sched_limit. */
struct fxt_trigger_limit {
	u32 cause;
	u32 user;	/* first user id, or FXT_SCHED_NO_USER */
	u32 last_user;	/* last user id */
	u64 ticks;	/* the limit; 0: there is none, also in the next entries */
};

/* When to end the recording, and which wait did. */
struct fxt_trigger {
	/*
	 * by FXT_SCHED_CAUSE_*: ticks that a wait or an interrupt must exceed to fire the trigger;
	 * 0 if this cause does not fire it
	 */
	u64 limit[FXT_SCHED_CAUSES];
	bool waits;			/* the table has elements of threads (fxt_trigger.h) */
	bool sleeps;			/* also of those that sleep */
	/* limits of users, stored while probes run */
	struct fxt_trigger_limit users[FXT_SCHED_LIMITS_MAX];
	atomic64_t ignored;		/* what these have kept from firing */
	u64 after;			/* ticks to record after that */
	pid_t pid;			/* process whose threads count, 0 for all */
	bool by_comm;			/* only threads whose names match @comm count */
	struct fxt_glob comm;		/* the pattern */
	struct fxt_notify *notify;	/* to whom it says that it has fired */
	/*
	 * the longest wait on each CPU since the session was made; the CPU writes it with
	 * interrupts disabled; NULL if no wait for a CPU fires the trigger
	 */
	struct fxt_wait __percpu *longest;
	u8 *groups;	/* which thread ids may wait, see fxt_trigger.h; NULL without @waits */
	unsigned int cursor;		/* the group to look at next; only watch.c uses it */
	struct fxt_wait open;	/* the longest wait that was seen to go on; watch.c writes it */

	bool fired;	/* the trigger has fired; published after all fields below */
	enum fxt_sched_cause cause;	/* of which kind the wait is */
	bool goes_on;			/* the wait was not over at @time */
	u64 time;			/* ticks of its end */
	u64 waited;			/* its ticks */
	u32 thread;			/* thread id */
	u32 cpu;			/* this CPU */
	u32 user;			/* of @thread, or FXT_SCHED_NO_USER */
};

int fxt_trigger_init(struct fxt_trigger *t, const struct fxt_config *config,
		     const struct fxt_clock *clock, struct fxt_notify *notify);
void fxt_trigger_free(struct fxt_trigger *t);
void fxt_trigger_arm(struct fxt_trigger *t);
int fxt_trigger_set_limits(struct fxt_trigger *t, const struct fxt_clock *clock,
			   struct fxt_sched_limits *limits);
void fxt_trigger_check(struct fxt_trigger *t, struct fxt_recording *r, struct fxt_wait *longest,
		       u32 cpu, const struct task_struct *p, u64 woken, u64 now);
bool fxt_trigger_check_thread(struct fxt_trigger *t, struct fxt_recording *r,
			      enum fxt_sched_cause cause, bool goes_on, u32 cpu,
			      const struct task_struct *p, u64 begin, u64 end);
void fxt_trigger_sleep(struct fxt_trigger *t, const struct fxt_task_table *tasks,
		       const struct task_struct *p, bool is_blocked, u64 now);
void fxt_trigger_check_interrupt(struct fxt_trigger *t, struct fxt_recording *r,
				 enum fxt_sched_cause cause, u32 cpu, u64 begin, u64 end);
bool fxt_trigger_fired(const struct fxt_trigger *t);
void fxt_trigger_get(const struct fxt_trigger *t, struct fxt_sched_wait *wait);
void fxt_trigger_get_longest(const struct fxt_trigger *t, struct fxt_sched_wait *wait);

static __always_inline bool fxt_trigger_is_on(const struct fxt_trigger *t)
{
	u64 any = 0;
	int i;

	for (i = 0; i < FXT_SCHED_CAUSES; i++)
		any |= t->limit[i];
	return any;
}

/*
 * Does an interrupt that was recorded make the trigger fire? Arguments and context as of
 * fxt_trigger_check_interrupt().
 */
static __always_inline void fxt_trigger_interrupt(struct fxt_trigger *t,
						  struct fxt_recording *r,
						  enum fxt_sched_cause cause, u32 cpu,
						  u64 begin, u64 end)
{
	u64 limit = t->limit[cause];

	if (limit && end - begin > limit)
		fxt_trigger_check_interrupt(t, r, cause, cpu, begin, end);
}

/* Likewise a wait for a lock that was recorded. @p: the thread that waited */
static __always_inline void fxt_trigger_lock(struct fxt_trigger *t, struct fxt_recording *r,
					     u32 cpu, const struct task_struct *p, u64 begin,
					     u64 end)
{
	u64 limit = t->limit[FXT_SCHED_CAUSE_LOCK];

	if (limit && end - begin > limit)
		fxt_trigger_check_thread(t, r, FXT_SCHED_CAUSE_LOCK, false, cpu, p, begin, end);
}

/*
 * Keep the time of a thread's wakeup. Context: its run queue's lock is held. Return: the element of
 * the sleep that it ends, for fxt_trigger_woken(); 0: the trigger does not watch it.
 */
static __always_inline u64 fxt_trigger_note(const struct fxt_trigger *t,
					    const struct fxt_task_table *tasks,
					    pid_t tid, u64 now)
{
	u64 *since = t->waits ? fxt_task_since(tasks, tid) : NULL, before;

	if (!since)
		return 0;
	before = *since;
	if (t->limit[FXT_SCHED_CAUSE_LATENCY]) {
		WRITE_ONCE(*since, now);
		fxt_waits_wake(&t->groups[tid / FXT_WAITS_GROUP]);
	} else if (before) {
		WRITE_ONCE(*since, 0);
	}
	return before & FXT_WAIT_ASLEEP ? before : 0;
}

/*
 * Does a sleep whose end was recorded make the trigger fire? @slept: the result of
 * fxt_trigger_note(); @now: ticks of the wakeup of @p on @cpu
 */
static __always_inline void fxt_trigger_woken(struct fxt_trigger *t, struct fxt_recording *r,
					      u32 cpu, const struct task_struct *p, u64 slept,
					      u64 now)
{
	u64 since = FXT_WAIT_SINCE(slept);
	u32 cause;

	if (likely(!slept || now <= since))
		return;
	cause = fxt_wait_cause(t->limit, slept, now - since);
	if (cause != FXT_SCHED_CAUSES)
		fxt_trigger_check_thread(t, r, cause, false, cpu, p, since, now);
}

/*
 * Take the time of the wakeup of a thread that is switched in. Context: its run queue's lock is
 * held. Return: ticks; 0 if the thread has run since, or the trigger does not watch that.
 */
static __always_inline u64 fxt_trigger_consume(const struct fxt_trigger *t,
					       const struct fxt_task_table *tasks, pid_t tid)
{
	u64 *since = t->waits ? fxt_task_since(tasks, tid) : NULL, time;

	if (!since || !*since)
		return 0;
	time = *since;
	WRITE_ONCE(*since, 0);
	/* A CPU that goes offline wakes threads without a tracepoint. */
	return time & FXT_WAIT_ASLEEP ? 0 : time;
}

/*
 * Was a wait too long, or longer than all before it on this CPU? @woken: of fxt_trigger_consume().
 * @now may be before it, because the CPUs' clocks differ by some ns. Context: interrupts are
 * disabled.
 */
static __always_inline bool fxt_trigger_is_long(const struct fxt_trigger *t,
						u64 woken, u64 now)
{
	/* Without a trigger @woken is 0, and @longest is NULL. */
	return woken && now > woken &&
	       (now - woken > t->limit[FXT_SCHED_CAUSE_LATENCY] ||
		now - woken > this_cpu_ptr(t->longest)->latency);
}

#endif /* FXT_KMOD_TRIGGER_H */
