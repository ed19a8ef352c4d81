// SPDX-License-Identifier: GPL-2.0
/*
 * trigger.c - the rarely used half of trigger.h: setup, the check of a long wait, firing; and the watch,
 * which lets waits that are not over fire the trigger.
 */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include <fxt/fxt_trigger.h>

#include "clock.h"
#include "compat.h"
#include "config.h"
#include "session.h"
#include "util.h"

/* A limit below one tick is still a limit. */
static u64 fxt_trigger_limit(const struct fxt_clock *clock, u64 ns)
{
	return ns ? max_t(u64, 1, fxt_clock_ticks(clock, ns)) : 0;
}

/* Make a trigger. Context: may sleep. Return: 0 or -ENOMEM. */
int fxt_trigger_init(struct fxt_trigger *t, const struct fxt_config *config,
		     const struct fxt_clock *clock, struct fxt_notify *notify)
{
	int i;

	t->notify = notify;
	for (i = 0; i < FXT_SCHED_CAUSES; i++)
		t->limit[i] = fxt_trigger_limit(clock, config->trigger_limit[i]);
	if (t->limit[FXT_SCHED_CAUSE_LATENCY]) {
		t->longest = alloc_percpu(struct fxt_wait);
		t->groups = kvzalloc(FXT_TRIGGER_GROUPS, GFP_KERNEL);
		if (!t->longest || !t->groups)
			return -ENOMEM;
	}
	t->after = fxt_clock_ticks(clock, config->trigger_after);
	t->pid = config->trigger_pid;
	t->by_comm = config->trigger_comm[0];
	fxt_glob_compile(&t->comm, config->trigger_comm);
	return 0;
}

/*
 * Free a trigger's memory; fxt_trigger_init() may have failed. Context: may sleep; no probe
 * runs.
 */
void fxt_trigger_free(struct fxt_trigger *t)
{
	free_percpu(t->longest);
	kvfree(t->groups);
}

/*
 * Arm the trigger, which fires once. Nothing is recorded; fxt_recording_begin() publishes the
 * stores.
 */
void fxt_trigger_arm(struct fxt_trigger *t)
{
	WRITE_ONCE(t->fired, false);
}

/**
 * fxt_trigger_set_limits() - replace the limits of users
 * @t: the trigger
 * @clock: the session's clock
 * @limits: the request; @ignored is set
 *
 * Context: may sleep; serialized (device.c).
 *
 * Return: 0, or -EINVAL if the request is not valid; then nothing has changed.
 */
int fxt_trigger_set_limits(struct fxt_trigger *t, const struct fxt_clock *clock,
			   struct fxt_sched_limits *limits)
{
	const struct fxt_sched_limit *from = limits->limits;
	unsigned int i;

	if (limits->count > FXT_SCHED_LIMITS_MAX || limits->reserved)
		return -EINVAL;
	for (i = 0; i < limits->count; i++)
		if (from[i].cause >= FXT_SCHED_CAUSES || !from[i].limit || from[i].reserved ||
		    from[i].last_user < from[i].user)
			return -EINVAL;
	for (i = 0; i < FXT_SCHED_LIMITS_MAX; i++) {
		WRITE_ONCE(t->users[i].cause, from[i].cause);
		WRITE_ONCE(t->users[i].user, from[i].user);
		WRITE_ONCE(t->users[i].last_user, from[i].last_user);
		WRITE_ONCE(t->users[i].ticks,
			   i < limits->count ? fxt_trigger_limit(clock, from[i].limit) : 0);
	}
	limits->ignored = atomic64_read(&t->ignored);
	return 0;
}

/* Must a user's wait be longer than this one to fire the trigger? */
static bool fxt_trigger_is_limited(const struct fxt_trigger *t, enum fxt_sched_cause cause,
				   u32 user, u64 waited)
{
	const struct fxt_trigger_limit *l = t->users;

	for (; l < t->users + FXT_SCHED_LIMITS_MAX && READ_ONCE(l->ticks); l++)
		if (READ_ONCE(l->cause) == cause && READ_ONCE(l->user) <= user &&
		    user <= READ_ONCE(l->last_user))
			return waited <= READ_ONCE(l->ticks);
	return false;
}

/* Only one CPU writes @longest at a time; readers on others may see a mix of two waits. */
static void fxt_trigger_keep(struct fxt_wait *longest, const struct task_struct *p, u32 cpu,
			     u64 latency, u64 now)
{
	if (latency <= longest->latency)
		return;
	WRITE_ONCE(longest->latency, latency);
	WRITE_ONCE(longest->time, now);
	WRITE_ONCE(longest->thread, p->pid);
	WRITE_ONCE(longest->cpu, cpu);
}

/*
 * End the recording because of a wait that ends now, or is too long already, unless another CPU
 * was first.
 */
static void fxt_trigger_fire(struct fxt_trigger *t, struct fxt_recording *r,
			     enum fxt_sched_cause cause, bool goes_on, u32 cpu,
			     const struct task_struct *p, u64 begin, u64 end)
{
	u32 user = cause == FXT_SCHED_CAUSE_LATENCY ? __kuid_val(task_uid(p)) : FXT_SCHED_NO_USER;

	if (fxt_trigger_is_limited(t, cause, user, end - begin)) {
		/* Those that go on are looked at again, and end. */
		if (!goes_on)
			atomic64_inc(&t->ignored);
		return;
	}
	if (!fxt_recording_set_end(r, end + t->after))
		return;
	t->cause = cause;
	t->goes_on = goes_on;
	t->time = end;
	t->waited = end - begin;
	t->thread = p->pid;
	t->cpu = cpu;
	t->user = user;
	/* Publish the fields above. Pairs with the acquire in fxt_trigger_fired(). */
	smp_store_release(&t->fired, true);
	fxt_notify(t->notify);
}

/*
 * Does the wait of a thread since @woken count?
 *
 * The acquire in here orders the load of @r->since. The caller has seen the recording before,
 * but without a barrier: @since could still be that of the previous recording, and the trigger
 * would fire for a wakeup that this one lacks.
 */
static bool fxt_trigger_counts(const struct fxt_trigger *t, const struct fxt_recording *r,
			       const struct task_struct *p, u64 woken)
{
	if (!fxt_recording_is_on(r))
		return false;
	if (woken < r->since || (t->pid && p->tgid != t->pid))
		return false;
	return !t->by_comm || fxt_glob_match(&t->comm, p->comm);
}

/* The same, of a wait for the CPU @cpu; and keep it in @longest if it is longer. */
static void fxt_trigger_check_wait(struct fxt_trigger *t, struct fxt_recording *r,
				   struct fxt_wait *longest, bool goes_on, u32 cpu,
				   const struct task_struct *p, u64 woken, u64 now)
{
	u64 latency = now - woken;

	if (!fxt_trigger_counts(t, r, p, woken))
		return;
	fxt_trigger_keep(longest, p, cpu, latency, now);
	if (latency > t->limit[FXT_SCHED_CAUSE_LATENCY])
		fxt_trigger_fire(t, r, FXT_SCHED_CAUSE_LATENCY, goes_on, cpu, p, woken, now);
}

/**
 * fxt_trigger_check() - does a long wait count, and does it make the trigger fire?
 * @t: the trigger
 * @r: the recording that it ends
 * @cpu: this CPU
 * @p: the thread that waited
 * @woken: ticks of its wakeup
 * @now: ticks of its switch-in
 *
 * Context: the probe's: interrupts disabled, run queue lock held.
 */
void fxt_trigger_check(struct fxt_trigger *t, struct fxt_recording *r, u32 cpu,
		       const struct task_struct *p, u64 woken, u64 now)
{
	fxt_trigger_check_wait(t, r, this_cpu_ptr(t->longest), false, cpu, p, woken, now);
}

/*
 * Does an interrupt from @begin to @end, now, make the trigger fire? @cause is that of its kind.
 * Context: interrupts disabled.
 */
void fxt_trigger_check_interrupt(struct fxt_trigger *t, struct fxt_recording *r,
				 enum fxt_sched_cause cause, u32 cpu, u64 begin, u64 end)
{
	/* As in fxt_trigger_check(). */
	if (fxt_recording_is_on(r) && begin >= r->since)
		fxt_trigger_fire(t, r, cause, false, cpu, current, begin, end);
}

/* Has the trigger fired since it was armed? */
bool fxt_trigger_fired(const struct fxt_trigger *t)
{
	/* Pairs with the release in fxt_trigger_fire(). */
	return smp_load_acquire(&t->fired);
}

/*
 * Which wait made the trigger fire? @wait is zeroed, and filled in if it has fired since it was
 * armed. Context: the trigger is not armed meanwhile.
 */
void fxt_trigger_get(const struct fxt_trigger *t, struct fxt_sched_wait *wait)
{
	if (!fxt_trigger_fired(t))
		return;
	wait->time = t->time;
	wait->latency = t->waited;
	wait->thread = t->thread;
	wait->cpu = t->cpu;
	wait->cause = t->cause;
	wait->flags = t->goes_on ? FXT_SCHED_WAIT_GOES_ON : 0;
}

static void fxt_trigger_take_longer(struct fxt_sched_wait *wait, const struct fxt_wait *w,
				    u32 flags)
{
	if (READ_ONCE(w->latency) <= wait->latency)
		return;
	wait->latency = READ_ONCE(w->latency);
	wait->time = READ_ONCE(w->time);
	wait->thread = READ_ONCE(w->thread);
	wait->cpu = READ_ONCE(w->cpu);
	wait->flags = flags;
}

/*
 * Which was the longest wait that counts? @wait is zeroed, and filled in if there was one. It is
 * exact once nothing is recorded.
 */
void fxt_trigger_get_longest(const struct fxt_trigger *t, struct fxt_sched_wait *wait)
{
	unsigned int cpu;

	if (!t->longest)
		return;
	for_each_possible_cpu(cpu)
		fxt_trigger_take_longer(wait, per_cpu_ptr(t->longest, cpu), 0);
	fxt_trigger_take_longer(wait, &t->open, FXT_SCHED_WAIT_GOES_ON);
}

/*
 * --- the watch: waits that are not over ---
 *
 * In:  the times of wakeups in the task table, and which of its groups have some (fxt_trigger.h).
 *
 * A timer looks from an interrupt, because threads of the kernel would have to wait for a CPU
 * as well. It runs only while a session with a trigger of latencies records. However many threads
 * wait, one interrupt looks at a few of them, and the next one at the following.
 */

/* An interrupt ends when it has looked at this many groups and threads: some ten microseconds. */
#define FXT_WATCH_STEPS		64
/* Until the next one continues. */
#define FXT_WATCH_PAUSE_NS	100000

/*
 * A thread that waits is in a run queue. It cannot end, so the thread that has the id is the
 * woken one if the wakeup is still the same; its memory is freed only after the grace period.
 */
static void fxt_watch_thread(struct fxt_session *ss, u32 tid, const u64 *woken, u64 since,
			     u64 now)
{
	struct task_struct *p;
	unsigned int cpu;

	rcu_read_lock();
	p = pid_task(find_pid_ns(tid, &init_pid_ns), PIDTYPE_PID);
	if (p && FXT_TASK_QUEUED(p) && READ_ONCE(*woken) == since) {
		cpu = task_cpu(p);
		if (per_cpu_ptr(ss->cpus, cpu)->cpu_traced &&
		    (!ss->filter.by_thread || fxt_filter_matches(&ss->filter, &ss->tasks, p)))
			fxt_trigger_check_wait(&ss->trigger, &ss->recording, &ss->trigger.open,
					       true, cpu, p, since, now);
	}
	rcu_read_unlock();
}

/* Is a wait that is not over too long, or longer than all other such waits? */
static bool fxt_watch_is_long(const struct fxt_trigger *t, u64 woken, u64 now)
{
	return now > woken && (now - woken > t->limit[FXT_SCHED_CAUSE_LATENCY] ||
			       now - woken > t->open.latency);
}

/* Return: does a thread of the group wait? @steps: grows by the threads that were looked at */
static bool fxt_watch_group(struct fxt_session *ss, u32 first, u64 now, unsigned int *steps)
{
	const u64 *woken = fxt_task_woken(&ss->tasks, first);
	bool waits = false;
	unsigned int i;
	u64 since;

	for (i = 0; woken && i < FXT_WAITS_GROUP; i++) {
		since = READ_ONCE(woken[i]);
		if (!since)
			continue;
		waits = true;
		if (!fxt_watch_is_long(&ss->trigger, since, now))
			continue;
		fxt_watch_thread(ss, first + i, &woken[i], since, now);
		++*steps;
	}
	return waits;
}

/*
 * Look at the next groups of thread ids. Context: interrupts disabled; one caller at a time.
 *
 * Return: is there more to look at?
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
	u64 limit = ss->config.trigger_limit[FXT_SCHED_CAUSE_LATENCY];

	return ns_to_ktime(fxt_trigger_period(limit));
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

/*
 * Look for waits from now on, if the session has a trigger on latencies; it is recording.
 * Context: may sleep; serialized (device.c).
 */
void fxt_watch_start(struct fxt_session *ss)
{
	struct hrtimer *timer = &ss->watch;

	if (!ss->trigger.limit[FXT_SCHED_CAUSE_LATENCY])
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

	if (!ss->trigger.limit[FXT_SCHED_CAUSE_LATENCY])
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
