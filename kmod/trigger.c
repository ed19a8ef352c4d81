// SPDX-License-Identifier: GPL-2.0
/*
 * trigger.c - the rare half of trigger.h: setting up, checking a long wait, firing.
 */
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#include "clock.h"
#include "params.h"
#include "recording.h"
#include "trigger.h"

/**
 * fxt_trigger_init() - make a trigger from a session's parameters
 * @t: the trigger, zeroed
 * @params: the parameters
 * @clock: the session's clock
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_trigger_init(struct fxt_trigger *t, const struct fxt_params *params,
		     const struct fxt_clock *clock)
{
	if (!params->trigger_latency)
		return 0;
	t->longest = alloc_percpu(struct fxt_wait);
	if (!t->longest)
		return -ENOMEM;
	/* Less than a tick is still a trigger. */
	t->latency = max_t(u64, 1, fxt_clock_ticks(clock, params->trigger_latency));
	t->after = fxt_clock_ticks(clock, params->trigger_after);
	t->pid = params->trigger_pid;
	t->by_comm = params->trigger_comm[0];
	fxt_glob_compile(&t->comm, params->trigger_comm);
	return 0;
}

/**
 * fxt_trigger_free() - free a trigger's memory
 * @t: the trigger; fxt_trigger_init() may have failed
 *
 * Context: may sleep; no probe runs.
 */
void fxt_trigger_free(struct fxt_trigger *t)
{
	free_percpu(t->longest);
}

/**
 * fxt_trigger_arm() - let the trigger fire, once
 * @t: the trigger; nothing is recorded
 * @now: ticks
 *
 * Context: under fxt_session_lock. fxt_recording_begin() publishes the stores.
 */
void fxt_trigger_arm(struct fxt_trigger *t, u64 now)
{
	t->since = now;
	WRITE_ONCE(t->fired, false);
}

/* Only this CPU writes @longest; readers on other CPUs may see a mix of two waits. */
static void fxt_trigger_keep(struct fxt_wait *longest, const struct task_struct *p,
			     u64 latency, u64 now)
{
	if (latency <= longest->latency)
		return;
	WRITE_ONCE(longest->latency, latency);
	WRITE_ONCE(longest->time, now);
	WRITE_ONCE(longest->thread, p->pid);
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
 * Context: the probe's: irqs off, run queue lock held.
 */
void fxt_trigger_check(struct fxt_trigger *t, struct fxt_recording *r, u32 cpu,
		       const struct task_struct *p, u64 woken, u64 now)
{
	u64 latency = now - woken;

	/*
	 * The acquire in here orders the load of @since. The probe has seen the recording
	 * before, but without a barrier: @since could still be that of the previous
	 * recording, and the trigger would fire for a wakeup that this one lacks.
	 */
	if (!fxt_recording_is_on(r))
		return;
	if (woken < t->since || (t->pid && p->tgid != t->pid))
		return;
	if (t->by_comm && !fxt_glob_match(&t->comm, p->comm))
		return;
	fxt_trigger_keep(this_cpu_ptr(t->longest), p, latency, now);
	if (latency <= t->latency || !fxt_recording_set_end(r, now + t->after))
		return;
	t->time = now;
	t->waited = latency;
	t->thread = p->pid;
	t->cpu = cpu;
	/* Publish the fields above. Pairs with the acquire in fxt_trigger_show(). */
	smp_store_release(&t->fired, true);
}

/* The line is exact once nothing is recorded. */
static void fxt_trigger_show_longest(struct seq_file *m, const struct fxt_trigger *t)
{
	u64 latency = 0, time = 0;
	unsigned int cpu, on = 0;
	u32 thread = 0;

	for_each_possible_cpu(cpu) {
		const struct fxt_wait *w = t->longest ? per_cpu_ptr(t->longest, cpu) : NULL;

		if (!w || READ_ONCE(w->latency) <= latency)
			continue;
		latency = READ_ONCE(w->latency);
		time = READ_ONCE(w->time);
		thread = READ_ONCE(w->thread);
		on = cpu;
	}
	seq_printf(m, "longest time %llu latency %llu thread %u cpu %u\n", time, latency,
		   thread, on);
}

/**
 * fxt_trigger_show() - print the trigger's lines, in the form of the uapi header
 * @m: the file "session"
 * @t: the trigger
 *
 * Context: under fxt_session_lock, so that the trigger is not armed meanwhile.
 */
void fxt_trigger_show(struct seq_file *m, const struct fxt_trigger *t)
{
	/* Pairs with the release in fxt_trigger_check(). */
	if (smp_load_acquire(&t->fired))
		seq_printf(m, "trigger time %llu latency %llu thread %u cpu %u\n",
			   t->time, t->waited, t->thread, t->cpu);
	else
		seq_puts(m, "trigger time 0 latency 0 thread 0 cpu 0\n");
	fxt_trigger_show_longest(m, t);
}
