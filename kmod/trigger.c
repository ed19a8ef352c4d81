// SPDX-License-Identifier: GPL-2.0-only
/* trigger.c - setup of a trigger, the check of a long wait, firing. */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "clock.h"
#include "config.h"
#include "trigger.h"
#include "util.h"

#define FXT_TRIGGER_NS_MOST	BIT_ULL(56)	/* two years; its ticks fit into 64 bits */

/* A limit below one tick is still a limit. */
static u64 fxt_trigger_limit(const struct fxt_clock *clock, u64 ns)
{
	ns = min_t(u64, ns, FXT_TRIGGER_NS_MOST);
	return ns ? max_t(u64, 1, fxt_clock_ticks(clock, ns)) : 0;
}

/* Context: may sleep. Return: 0 or -ENOMEM. */
int fxt_trigger_init(struct fxt_trigger *t, const struct fxt_config *config,
		     const struct fxt_clock *clock, struct fxt_notify *notify)
{
	int i;

	t->notify = notify;
	for (i = 0; i < FXT_SCHED_CAUSES; i++)
		t->limit[i] = fxt_trigger_limit(clock, config->trigger_limit[i]);
	t->waits = fxt_limits_waits(t->limit);
	t->sleeps = fxt_limits_sleeps(t->limit);
	if (t->waits) {
		t->groups = kvzalloc(FXT_TRIGGER_GROUPS, GFP_KERNEL);
		if (!t->groups)
			return -ENOMEM;
	}
	if (t->limit[FXT_SCHED_CAUSE_LATENCY]) {
		t->longest = alloc_percpu(struct fxt_wait);
		if (!t->longest)
			return -ENOMEM;
	}
	t->after = fxt_clock_ticks(clock, config->trigger_after);
	t->pid = config->trigger_pid;
	t->by_comm = config->trigger_comm[0];
	fxt_glob_compile(&t->comm, config->trigger_comm);
	return 0;
}

/* fxt_trigger_init() may have failed. Context: may sleep; no probe runs. */
void fxt_trigger_free(struct fxt_trigger *t)
{
	free_percpu(t->longest);
	kvfree(t->groups);
}

/*
 * Let the trigger fire once more. Context: nothing is recorded; fxt_recording_begin() publishes the
 * stores.
 */
void fxt_trigger_arm(struct fxt_trigger *t)
{
	WRITE_ONCE(t->fired, false);
}

/*
 * Replace the limits of users, and set @ignored of the request. Context: may sleep; serialized
 * (device.c). Return: 0, or -EINVAL if the request is invalid; then nothing has changed.
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

/* Does a user's limit keep this wait from firing? */
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

/* Only one CPU writes @longest at a time. Readers on others may see a mix of two waits. */
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
 * End the recording because of a wait that ends now, or goes on and is too long. @lock: of a wait
 * for a lock, or NULL. Return: false if a user's limit or another CPU that was first prevented
 * that.
 */
static bool fxt_trigger_fire(struct fxt_trigger *t, struct fxt_recording *r,
			     enum fxt_sched_cause cause, bool goes_on, u32 cpu,
			     const struct task_struct *p, u64 begin, u64 end,
			     const struct fxt_trigger_lock *lock)
{
	u32 user = fxt_cause_has_thread(cause) ? __kuid_val(task_uid(p)) : FXT_SCHED_NO_USER;

	if (fxt_trigger_is_limited(t, cause, user, end - begin)) {
		/* A wait that goes on is looked at again, and ends. */
		if (!goes_on)
			atomic64_inc(&t->ignored);
		return false;
	}
	if (!fxt_recording_set_end(r, end + t->after))
		return false;
	t->cause = cause;
	t->goes_on = goes_on;
	t->time = end;
	t->waited = end - begin;
	t->thread = p->pid;
	t->cpu = cpu;
	t->user = user;
	t->lock = lock ? *lock : (struct fxt_trigger_lock){ 0 };
	/* Publish the fields above. Pairs with the acquire in fxt_trigger_fired(). */
	smp_store_release(&t->fired, true);
	fxt_notify(t->notify);
	return true;
}

static bool fxt_trigger_has_thread(const struct fxt_trigger *t, const struct task_struct *p)
{
	return (!t->pid || p->tgid == t->pid) &&
	       (!t->by_comm || fxt_glob_match(&t->comm, p->comm));
}

/*
 * Does the wait of a thread since @begin count?
 *
 * The acquire in here orders the load of @r->since. The caller saw the recording without a barrier:
 * @since could still be of the previous one, and the trigger would fire for a wakeup that this one
 * lacks.
 */
static bool fxt_trigger_counts(const struct fxt_trigger *t, const struct fxt_recording *r,
			       const struct task_struct *p, u64 begin)
{
	return fxt_recording_is_on(r) && begin >= r->since && fxt_trigger_has_thread(t, p);
}

/**
 * fxt_trigger_check() - fire if a long wait for a CPU counts and exceeds the limit
 * @t: the trigger
 * @r: the recording that it ends
 * @longest: keeps the wait if it is longer; @t->open if the wait is not over
 * @cpu: for which @p waited
 * @p: the thread
 * @woken: ticks of its wakeup
 * @now: ticks of its switch-in, or the present
 *
 * Context: interrupts disabled; the run queue lock is held if the wait is over.
 */
void fxt_trigger_check(struct fxt_trigger *t, struct fxt_recording *r, struct fxt_wait *longest,
		       u32 cpu, const struct task_struct *p, u64 woken, u64 now)
{
	u64 latency = now - woken;

	if (!fxt_trigger_counts(t, r, p, woken))
		return;
	fxt_trigger_keep(longest, p, cpu, latency, now);
	if (latency > t->limit[FXT_SCHED_CAUSE_LATENCY])
		fxt_trigger_fire(t, r, FXT_SCHED_CAUSE_LATENCY, longest == &t->open, cpu, p, woken,
				 now, NULL);
}

/*
 * A sleep or a wait for a lock, from @begin to @end, now, exceeds the limit of @cause: fire if it
 * counts. @lock: of a wait for a lock, or NULL. Context: interrupts disabled. Return: did it fire?
 */
bool fxt_trigger_check_thread(struct fxt_trigger *t, struct fxt_recording *r,
			      enum fxt_sched_cause cause, bool goes_on, u32 cpu,
			      const struct task_struct *p, u64 begin, u64 end,
			      const struct fxt_trigger_lock *lock)
{
	return fxt_trigger_counts(t, r, p, begin) &&
	       fxt_trigger_fire(t, r, cause, goes_on, cpu, p, begin, end, lock);
}

/*
 * A thread goes to sleep: watch it if its sleeps count, or if it may hold a lock. @is_blocked: the
 * sleep is uninterruptible. @now: ticks of its switch-out. Context: its run queue lock is held.
 */
void fxt_trigger_sleep(struct fxt_trigger *t, const struct fxt_task_table *tasks,
		       const struct task_struct *p, bool is_blocked, u64 now)
{
	u64 element = fxt_wait_sleeps(t->limit, is_blocked, fxt_trigger_has_thread(t, p), now);
	u64 *since = element ? fxt_task_since(tasks, p->pid) : NULL;

	if (!since)
		return;
	WRITE_ONCE(*since, element);
	if (fxt_wait_is_watched(element))
		fxt_waits_wake(&t->groups[p->pid / FXT_WAITS_GROUP]);
}

/*
 * An interrupt, from @begin to @end, now, exceeds the limit of @cause: fire if it counts. Context:
 * interrupts disabled.
 */
void fxt_trigger_check_interrupt(struct fxt_trigger *t, struct fxt_recording *r,
				 enum fxt_sched_cause cause, u32 cpu, u64 begin, u64 end)
{
	/* As in fxt_trigger_check(). */
	if (fxt_recording_is_on(r) && begin >= r->since)
		fxt_trigger_fire(t, r, cause, false, cpu, current, begin, end, NULL);
}

bool fxt_trigger_fired(const struct fxt_trigger *t)
{
	/* Pairs with the release in fxt_trigger_fire(). */
	return smp_load_acquire(&t->fired);
}

/*
 * Which wait fired the trigger? @status: zeroed; its fields of the trigger are filled in if one has
 * since it was armed. Context: the trigger is not armed meanwhile.
 */
void fxt_trigger_get(const struct fxt_trigger *t, struct fxt_sched_status *status)
{
	struct fxt_sched_wait *wait = &status->trigger;

	if (!fxt_trigger_fired(t))
		return;
	wait->time = t->time;
	wait->latency = t->waited;
	wait->thread = t->thread;
	wait->cpu = t->cpu;
	wait->cause = t->cause;
	wait->flags = t->goes_on ? FXT_SCHED_WAIT_GOES_ON : 0;
	status->trigger_user = t->user;
	status->lock = t->lock.lock;
	status->lock_kind = t->lock.kind;
	status->lock_holder = t->lock.holder;
}

static void fxt_trigger_keep_longer(struct fxt_sched_wait *wait, const struct fxt_wait *w,
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
 * Which was the longest wait that counts? @wait: zeroed; filled in if there was one. Exact once
 * nothing is recorded.
 */
void fxt_trigger_get_longest(const struct fxt_trigger *t, struct fxt_sched_wait *wait)
{
	unsigned int cpu;

	if (!t->longest)
		return;
	for_each_possible_cpu(cpu)
		fxt_trigger_keep_longer(wait, per_cpu_ptr(t->longest, cpu), 0);
	fxt_trigger_keep_longer(wait, &t->open, FXT_SCHED_WAIT_GOES_ON);
}
