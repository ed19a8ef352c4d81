/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trigger.h - the recording, and what ends it: a wakeup latency, a sleep, a wait for a lock or an
 * interrupt that is too long.
 *
 * In:  switches and wakeups, waits and sleeps that go on (watch.c), ends of waits for locks and of
 *      interrupts.
 * Out: the end of the recording, and which thread waited. Also the longest wait that counts, by
 *      which users can choose a better limit for a trigger that never fires.
 *
 * The page after that of a thread's slot (task_table.h) keeps when the thread began to wait or
 * sleep. It is stored at the switch to a sleep and at the wakeup, and taken at the next switch-in,
 * under the lock of a run queue that the thread is on. So two CPUs never race for it, and each sees
 * the other's store; with FXT_SCHED_WAKING, fxt_waking.h has the order. watch.c only looks at it.
 * It is also taken while nothing is recorded, so that no wakeup is matched with a later switch-in.
 *
 * If several CPUs fire, the first that sets the end of the recording wins.
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
 * covered by this word, so the trace begins and ends at the same time on all CPUs, and has no
 * wakeup of a thread without its switch-out.
 *
 * Probes load the word without a barrier. They use nothing else that changes with it, and what they
 * then store into their stream cannot become visible before the load, because the stores depend on
 * it through a branch (control dependency). Code that looks back to the beginning of the recording
 * (trigger, slices) needs more: fxt_recording_is_on() and fxt_recording_covers_slice().
 */

#define FXT_RECORDING_ON	((s64)U64_MAX)

struct fxt_recording {
	/*
	 * ticks up to which events are recorded: FXT_RECORDING_ON until an end is set, then that
	 * time; 0 while nothing is recorded. A trigger may set the end from a probe; other changes
	 * are serialized (device.c)
	 */
	atomic64_t until;
	/*
	 * ticks of the beginning, published by @until. What probes noted earlier does not count,
	 * because the recording does not show it
	 */
	u64 since;
};

static __always_inline bool fxt_recording_covers(const struct fxt_recording *r, u64 now)
{
	return likely(now <= (u64)atomic64_read(&r->until));
}

/*
 * Must a slice be recorded? @begin: 0 if the probes have not seen it. A slice that began before
 * this recording is not.
 */
static __always_inline bool fxt_recording_covers_slice(const struct fxt_recording *r,
						       u64 begin, u64 end)
{
	/* Pairs with the release in fxt_recording_begin(): @since is of this recording. */
	u64 until = atomic64_read_acquire(&r->until);

	return likely(end <= until) && likely(begin >= r->since);
}

/* Context: nothing is recorded; may sleep; serialized (device.c). */
static inline void fxt_recording_begin(struct fxt_recording *r, u64 now)
{
	r->since = now;
	/*
	 * @since and the armed trigger come before the word. Pairs with fxt_recording_is_on() and
	 * fxt_recording_covers_slice().
	 */
	atomic64_set_release(&r->until, FXT_RECORDING_ON);
}

/*
 * Is the recording on, with no end set? If so, the caller sees all stores before
 * fxt_recording_begin().
 */
static inline bool fxt_recording_is_on(const struct fxt_recording *r)
{
	/* Pairs with the release in fxt_recording_begin(). */
	return atomic64_read_acquire(&r->until) == FXT_RECORDING_ON;
}

/*
 * Set the end of the recording. Return: false if it was set before. The word only falls during a
 * recording, so no CPU begins to record again once an end is set.
 */
static inline bool fxt_recording_set_end(struct fxt_recording *r, u64 time)
{
	return atomic64_cmpxchg(&r->until, FXT_RECORDING_ON, time) == FXT_RECORDING_ON;
}

/*
 * End the recording now, unless it has ended. Only a trigger can run at the same time; it may have
 * set an end in the future. The caller then calls fxt_probes_fence(): stores of probes that saw an
 * older value come before what the caller does next.
 *
 * Context: may sleep; serialized (device.c).
 */
static inline void fxt_recording_cut(struct fxt_recording *r, u64 now)
{
	if (!fxt_recording_set_end(r, now) && (u64)atomic64_read(&r->until) > now)
		atomic64_set(&r->until, now);
}

/*
 * Record nothing, whatever the time: the clocks may step back by some ns, to before the cut.
 *
 * Context: may sleep; serialized (device.c); probes that began before the cut have returned.
 */
static inline void fxt_recording_close(struct fxt_recording *r)
{
	atomic64_set(&r->until, 0);
}

/* --- the trigger --- */

/* Groups of thread ids, see fxt_trigger.h. */
#define FXT_TRIGGER_GROUPS	DIV_ROUND_UP(PID_MAX_LIMIT, FXT_WAITS_GROUP)

static_assert(FXT_TASKS_PER_PAGE % FXT_WAITS_GROUP == 0);
static_assert(FXT_TRIGGER_GROUPS % sizeof(u64) == 0);

/* The longest wait that ended on a CPU, or that is not over. */
struct fxt_wait {
	u64 time;	/* ticks of the switch-in, or of the last look if it goes on */
	u64 latency;	/* ticks from the wakeup to @time; 0: no wait yet */
	u32 thread;
	u32 cpu;
};

/* What waits of a user's threads must exceed; see struct fxt_sched_limit. */
struct fxt_trigger_limit {
	u32 cause;
	u32 user;	/* first user id, or FXT_SCHED_NO_USER */
	u32 last_user;
	u64 ticks;	/* 0: no limit, here and in the next entries */
};

/* The lock of a wait. */
struct fxt_trigger_lock {
	u64 lock;	/* address; 0: none */
	u32 kind;	/* enum fxt_lock_kind */
	u32 holder;	/* thread id; 0: unknown */
};

struct fxt_trigger {
	/*
	 * ticks that a wait or an interrupt must exceed, by FXT_SCHED_CAUSE_*; 0: this cause does
	 * not fire it
	 */
	u64 limit[FXT_SCHED_CAUSES];
	bool waits;			/* watch threads that wait (fxt_trigger.h) */
	bool sleeps;			/* also those that sleep, for a lock or anything */
	/* of users; stored while probes run */
	struct fxt_trigger_limit users[FXT_SCHED_LIMITS_MAX];
	atomic64_t ignored;		/* waits that these limits kept from firing */
	u64 after;			/* ticks to record after firing */
	pid_t pid;			/* process whose threads count; 0 for all */
	bool by_comm;			/* only threads with names like @comm count */
	struct fxt_glob comm;
	struct fxt_notify *notify;	/* told when it fires */
	/*
	 * The longest wait on each CPU since the session was made. The CPU writes it with
	 * interrupts disabled. NULL if no wait for a CPU fires the trigger.
	 */
	struct fxt_wait __percpu *longest;
	u8 *groups;	/* thread ids that may wait, see fxt_trigger.h; NULL without @waits */
	unsigned int cursor;		/* the next group to look at; only watch.c uses it */
	struct fxt_wait open;	/* the longest wait that is not over; watch.c writes it */

	bool fired;	/* published after all fields below */
	enum fxt_sched_cause cause;
	bool goes_on;			/* the wait was not over at @time */
	u64 time;			/* ticks of its end */
	u64 waited;			/* its ticks */
	u32 thread;
	u32 cpu;
	u32 user;			/* of @thread, or FXT_SCHED_NO_USER */
	struct fxt_trigger_lock lock;
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
			      const struct task_struct *p, u64 begin, u64 end,
			      const struct fxt_trigger_lock *lock);
void fxt_trigger_sleep(struct fxt_trigger *t, const struct fxt_task_table *tasks,
		       const struct task_struct *p, bool is_blocked, u64 now);
void fxt_trigger_check_interrupt(struct fxt_trigger *t, struct fxt_recording *r,
				 enum fxt_sched_cause cause, u32 cpu, u64 begin, u64 end);
bool fxt_trigger_fired(const struct fxt_trigger *t);
void fxt_trigger_get(const struct fxt_trigger *t, struct fxt_sched_status *status);
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
 * Does a recorded interrupt fire the trigger? Arguments and context: fxt_trigger_check_interrupt().
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

/*
 * Keep the time of a wakeup. Context: the thread's run queue lock is held. Return: the element of
 * the sleep that it ends, for fxt_trigger_woken(); 0 if the trigger does not watch it.
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
 * Does a recorded end of a sleep fire the trigger? @slept: of fxt_trigger_note(). @now: ticks of
 * the wakeup of @p on @cpu.
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
		fxt_trigger_check_thread(t, r, cause, false, cpu, p, since, now, NULL);
}

/*
 * Take the time of the wakeup of a thread that is switched in. Context: its run queue lock is held.
 * Return: ticks; 0 if the thread has run since, is not watched, or its wakeup was missed.
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
 * Was a wait too long, or the longest on this CPU? @woken: of fxt_trigger_consume(); @now may be
 * before it, because the clocks of CPUs differ by some ns. Context: interrupts disabled.
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
