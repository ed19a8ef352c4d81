// SPDX-License-Identifier: GPL-2.0
/*
 * trigger.c - the rare half of trigger.h: what comes once in a recording.
 */
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#include "clock.h"
#include "session.h"
#include "trigger.h"

/**
 * fxt_trigger_init() - make a session's trigger as its parameters say
 * @ss: the session, its clock set
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_trigger_init(struct fxt_session *ss)
{
	const struct fxt_params *params = &ss->params;
	struct fxt_trigger *t = &ss->trigger;

	if (!params->trigger_latency)
		return 0;
	t->longest = alloc_percpu(struct fxt_wait);
	if (!t->longest)
		return -ENOMEM;
	/* Less than a tick is still a trigger. */
	t->latency = max_t(u64, 1, fxt_ns_to_ticks(params->trigger_latency,
						   ss->ticks_per_second));
	t->after = fxt_ns_to_ticks(params->trigger_after, ss->ticks_per_second);
	t->pid = params->trigger_pid;
	t->by_comm = params->trigger_comm[0];
	fxt_glob_compile(&t->comm, params->trigger_comm);
	return 0;
}

/**
 * fxt_trigger_free() - free what a trigger has
 * @t: the trigger; may be one that fxt_trigger_init() failed on
 *
 * Context: no probe runs any more.
 */
void fxt_trigger_free(struct fxt_trigger *t)
{
	free_percpu(t->longest);
}

/**
 * fxt_trigger_arm() - forget who made the trigger fire
 * @ss: the session; nothing is recorded
 *
 * Context: under fxt_session_lock. What is stored here is seen by those who see
 * the recording begin.
 */
void fxt_trigger_arm(struct fxt_session *ss)
{
	ss->trigger.since = fxt_clock_now(ss);
	WRITE_ONCE(ss->trigger.fired, false);
}

/* The CPU's own: nobody else writes it. */
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
 * fxt_trigger_judge() - a thread has waited for long: is it one that counts?
 * @ss: the session
 * @s: the CPU's stream
 * @p: the thread
 * @woken: ticks of its wakeup
 * @now: ticks of its switch-in
 *
 * Context: the probe's.
 */
void fxt_trigger_judge(struct fxt_session *ss, const struct fxt_stream *s,
		       const struct task_struct *p, u64 woken, u64 now)
{
	struct fxt_trigger *t = &ss->trigger;
	u64 latency = now - woken;

	/*
	 * Pairs with the release in fxt_recording_begin(). That this was seen before,
	 * and the record written, orders no load: @since could be that of the
	 * recording before, and the trigger fire for a wakeup which this one lacks.
	 */
	if (atomic64_read_acquire(&ss->until) != FXT_RECORDING)
		return;
	if (woken < t->since || (t->pid && p->tgid != t->pid))
		return;
	if (t->by_comm && !fxt_glob_match(&t->comm, p->comm))
		return;
	fxt_trigger_keep(this_cpu_ptr(t->longest), p, latency, now);
	if (latency <= t->latency)
		return;
	if (atomic64_cmpxchg(&ss->until, FXT_RECORDING, now + t->after) !=
	    FXT_RECORDING)
		return;
	t->time = now;
	t->waited = latency;
	t->thread = p->pid;
	t->cpu = s->id;
	/* Who it was, before that it was. Pairs with the acquire in fxt_trigger_show(). */
	smp_store_release(&t->fired, true);
}

/* Exact once nothing is recorded. */
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
 * fxt_trigger_show() - print the trigger's lines, as the uapi header says
 * @m: where to
 * @t: the trigger
 *
 * Context: under fxt_session_lock, so that it is not armed meanwhile.
 */
void fxt_trigger_show(struct seq_file *m, const struct fxt_trigger *t)
{
	/* Pairs with the release in fxt_trigger_judge(). */
	if (smp_load_acquire(&t->fired))
		seq_printf(m, "trigger time %llu latency %llu thread %u cpu %u\n",
			   t->time, t->waited, t->thread, t->cpu);
	else
		seq_puts(m, "trigger time 0 latency 0 thread 0 cpu 0\n");
	fxt_trigger_show_longest(m, t);
}
