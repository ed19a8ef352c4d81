// SPDX-License-Identifier: GPL-2.0
/*
 * trigger.c - the rare half of trigger.h: what comes once in a recording.
 */
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#include "clock.h"
#include "session.h"
#include "trigger.h"

/**
 * fxt_trigger_init() - make a session's trigger as its parameters say
 * @ss: the session, its clock set
 */
void fxt_trigger_init(struct fxt_session *ss)
{
	const struct fxt_params *params = &ss->params;
	struct fxt_trigger *t = &ss->trigger;

	if (!params->trigger_latency)
		return;
	/* Less than a tick is still a trigger. */
	t->latency = max_t(u64, 1, fxt_ns_to_ticks(params->trigger_latency,
						   ss->ticks_per_second));
	t->after = fxt_ns_to_ticks(params->trigger_after, ss->ticks_per_second);
	t->pid = params->trigger_pid;
	t->by_comm = params->trigger_comm[0];
	fxt_glob_compile(&t->comm, params->trigger_comm);
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

/**
 * fxt_trigger_judge() - a thread has come in too late: is it one that counts?
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
	if (atomic64_cmpxchg(&ss->until, FXT_RECORDING, now + t->after) !=
	    FXT_RECORDING)
		return;
	t->time = now;
	t->waited = now - woken;
	t->thread = p->pid;
	t->cpu = s->id;
	/* Who it was, before that it was. Pairs with the acquire in fxt_trigger_show(). */
	smp_store_release(&t->fired, true);
}

/**
 * fxt_trigger_show() - print the trigger's line, as the uapi header says
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
}
