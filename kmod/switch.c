// SPDX-License-Identifier: GPL-2.0
/*
 * switch.c - context switch records.
 *
 * In:  sched_switch. Out: records in the stream of the CPU, and in the task table that the
 * outgoing thread is not runnable.
 *
 * Context of all functions: irqs off, run queue lock held. They must not sleep, wake a
 * thread or take a lock.
 */
#include <linux/lockdep.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include <fxt/fxt_unknown.h>

#include "record.h"
#include "session.h"
#include "probes.h"
#include "stacks.h"

/* --- the slow path, see record.h ------------------------------------------ */

/* Which parts of a switch does the filter keep? */
static enum fxt_sched_kept fxt_keeps_switch(struct fxt_session *ss,
					    const struct fxt_stream *s,
					    struct task_struct *prev,
					    struct task_struct *next)
{
	const struct fxt_filter *f = &ss->filter;

	if (!s->cpu_traced)
		return FXT_SCHED_KEPT_NOT;
	if (!f->by_thread || fxt_filter_matches(f, &ss->tasks, prev))
		return FXT_SCHED_KEPT_ALL;
	if (fxt_filter_matches(f, &ss->tasks, next))
		return FXT_SCHED_KEPT_IN;
	return s->shown ? FXT_SCHED_KEPT_OUT : FXT_SCHED_KEPT_NOT;
}

/*
 * Note that a thread is not runnable, whether or not a record is written. The caller
 * checks that it has left its run queue: with a signal pending, the reported state is a
 * sleep, and yet the thread stays runnable.
 */
static __always_inline void fxt_note_blocked(struct fxt_session *ss,
					     const struct task_struct *prev)
{
	WRITE_ONCE(fxt_task_slot(&ss->tasks, prev->pid)->blocked, 1);
}

/*
 * Learn the address of a class with load weights from its threads, because modules cannot
 * refer to scheduling classes. Under the run queue lock a thread's class and priority agree.
 */
static __always_inline void fxt_learn_class(struct fxt_session *ss,
					    const struct task_struct *p)
{
	if (!READ_ONCE(ss->load_class) && fxt_sched_weight_is_load(p->pid, p->prio))
		WRITE_ONCE(ss->load_class, p->sched_class);
}

static noinline void fxt_slow_switch(struct fxt_session *ss, struct task_struct *prev,
				     struct task_struct *next, unsigned int prev_state)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	/* Before the clock is read: watch.c takes the wait as going on until it is taken here. */
	u64 woken = fxt_trigger_take(&ss->trigger, &ss->tasks, next->pid);
	u64 now = fxt_stream_now(s, &ss->clock), off_since;
	bool blocked = fxt_task_blocked(prev);
	struct fxt_sched_state state;
	enum fxt_sched_kept verdict;
	unsigned int words;
	u64 *rec;

	lockdep_assert_irqs_disabled();
	/* The id of a dead thread may belong to a new one already. Nothing wakes the dead. */
	if (blocked && !(prev_state & FXT_LINUX_DEAD))
		fxt_note_blocked(ss, prev);
	fxt_learn_class(ss, prev);
	fxt_learn_class(ss, next);
	off_since = fxt_stack_take(ss, next->pid);

	if (!fxt_recording_covers(&ss->recording, now))
		return;
	/* The parent may be reaping @prev, although it still runs. */
	state = fxt_sched_state(blocked, prev_state, READ_ONCE(prev->exit_state));
	if (ss->config.stacks)
		fxt_stack_out(ss, prev, state.state, now);
	verdict = fxt_keeps_switch(ss, s, prev, next);
	if (verdict == FXT_SCHED_KEPT_NOT)
		return;
	rec = fxt_stream_reserve(s, now, FXT_SCHED_SWITCH_WORDS);
	s->switches++;
	s->shown = rec && verdict != FXT_SCHED_KEPT_OUT;
	if (unlikely(!rec)) {
		s->lost++;
		return;
	}
	words = fxt_sched_put_kept_switch(rec, now, s->id, prev->pid, next->pid,
					  fxt_slow_weight(ss, prev),
					  fxt_slow_weight(ss, next), state, verdict);
	fxt_stream_commit(s, rec, now, words);
	if (off_since)
		fxt_stack_in(ss, s, next, off_since, now, verdict);
	if (unlikely(fxt_trigger_is_long(&ss->trigger, woken, now)) &&
	    verdict != FXT_SCHED_KEPT_OUT)
		fxt_trigger_check(&ss->trigger, &ss->recording, s->id, next, woken, now);
}

static void FXT_PROBE_SWITCH(fxt_probe_switch_slow)
{
	fxt_slow_switch(data, prev, next, FXT_PREV_STATE(prev));
}

/* --- the fast path ------------------------------------------------------- */

static __always_inline void fxt_fast_switch(struct fxt_session *ss,
					    struct task_struct *prev,
					    struct task_struct *next,
					    unsigned int prev_state,
					    const clockid_t clock)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	const struct sched_class *load_class;
	unsigned long sleeps = 0;
	u64 now, tid, *rec;

	lockdep_assert_irqs_disabled();
	if (fxt_task_blocked(prev)) {
		if (unlikely(!fxt_sched_is_sleep(prev_state, READ_ONCE(prev->exit_state)))) {
			fxt_slow_switch(ss, prev, next, prev_state);
			return;
		}
		fxt_note_blocked(ss, prev);
		sleeps = 1;
	}
	/* A plain sleep is recorded without its state, so 0 will do from here on. */
	if (!fxt_clock_read(&ss->clock, clock, &now) ||
	    !fxt_fast_has_room(s, now, FXT_SCHED_USUAL_SWITCH_WORDS)) {
		fxt_slow_switch(ss, prev, next, 0);
		return;
	}
	if (!fxt_recording_covers(&ss->recording, now))
		return;
	s->switches++;
	rec = s->pos;
	fxt_sched_put_switch_head(rec, s->switch_headers[sleeps], now);
	/* An older value, NULL, only makes the weights slower to compute. */
	load_class = READ_ONCE(ss->load_class);
	tid = (u32)prev->pid;
	fxt_sched_put_switch_out(rec, tid, fxt_fast_weight(load_class, prev, tid));
	tid = (u32)next->pid;
	fxt_sched_put_switch_in(rec, tid, fxt_fast_weight(load_class, next, tid));
	/* @s->pos equals @rec, whose register is free earlier this way. */
	fxt_stream_commit(s, s->pos, now, FXT_SCHED_USUAL_SWITCH_WORDS);
}

static void FXT_PROBE_SWITCH(fxt_probe_switch_boot)
{
	fxt_fast_switch(data, prev, next, FXT_PREV_STATE(prev), CLOCK_BOOTTIME);
}

static void FXT_PROBE_SWITCH(fxt_probe_switch_mono)
{
	fxt_fast_switch(data, prev, next, FXT_PREV_STATE(prev), CLOCK_MONOTONIC);
}

static void FXT_PROBE_SWITCH(fxt_probe_switch_tsc)
{
	fxt_fast_switch(data, prev, next, FXT_PREV_STATE(prev), FXT_SCHED_CLOCK_TSC);
}

static void FXT_PROBE_SWITCH(fxt_probe_switch_boot_called)
{
	fxt_fast_switch(data, prev, next, FXT_PREV_STATE(prev), FXT_CLOCK_BOOT_CALLED);
}

static void FXT_PROBE_SWITCH(fxt_probe_switch_mono_called)
{
	fxt_fast_switch(data, prev, next, FXT_PREV_STATE(prev), FXT_CLOCK_MONO_CALLED);
}

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_switch(void)
{
	check_trace_callback_type_sched_switch(fxt_probe_switch_slow);
	check_trace_callback_type_sched_switch(fxt_probe_switch_boot);
	check_trace_callback_type_sched_switch(fxt_probe_switch_mono);
	check_trace_callback_type_sched_switch(fxt_probe_switch_tsc);
	check_trace_callback_type_sched_switch(fxt_probe_switch_boot_called);
	check_trace_callback_type_sched_switch(fxt_probe_switch_mono_called);
}

static struct fxt_probe fxt_switch_probes[] = {
	FXT_EVENT_PROBE("sched_switch", fxt_probe_switch),
};

const struct fxt_group fxt_switch_group = FXT_GROUP(0, fxt_switch_probes);
