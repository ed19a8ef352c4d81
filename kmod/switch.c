// SPDX-License-Identifier: GPL-2.0-only
/*
 * switch.c - context switch records.
 *
 * In:  sched_switch.
 * Out: records in the stream of the CPU; in the task table, that the outgoing thread is not
 *      runnable.
 *
 * Context of all functions: the run queue lock is held, which the scheduler takes with interrupts
 * disabled. They must not sleep, wake a thread or take a lock.
 */
#include <linux/lockdep.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include <fxt/fxt_unknown.h>
#include <fxt/fxt_waking.h>

#include "record.h"
#include "session.h"
#include "probes.h"

/* --- the slow path, see record.h ------------------------------------------ */

static enum fxt_sched_kept fxt_keeps_switch(struct fxt_session *ss,
					    const struct fxt_stream *s,
					    struct task_struct *prev,
					    struct task_struct *next)
{
	if (!s->cpu_traced)
		return FXT_SCHED_KEPT_NOT;
	if (fxt_keeps(ss, prev))
		return FXT_SCHED_KEPT_ALL;
	if (fxt_keeps(ss, next))
		return FXT_SCHED_KEPT_IN;
	return s->current_known ? FXT_SCHED_KEPT_OUT : FXT_SCHED_KEPT_NOT;
}

/*
 * Note that a thread is not runnable, whether or not the switch is recorded. The caller has checked
 * that it has left its run queue: with a signal pending, the reported state is a sleep, but the
 * thread stays runnable.
 */
static __always_inline void fxt_note_blocked(struct fxt_session *ss,
					     const struct task_struct *prev)
{
	WRITE_ONCE(fxt_task_slot(&ss->tasks, prev->pid)->blocked, 1);
}

/*
 * The same with FXT_SCHED_WAKING (fxt_waking.h), after the clock was read and the record was
 * written. The dummy slot is never early.
 */
static __always_inline void fxt_note_sleep(struct fxt_session *ss, struct task_struct *prev)
{
	u32 word = xchg(&fxt_task_slot(&ss->tasks, prev->pid)->waker, FXT_WAKING_ASLEEP);

	if (unlikely(fxt_waking_is_early(word)))
		fxt_early_wakeup(ss, prev, word);
}

/*
 * Modules cannot refer to scheduling classes, so learn the address of a class with load weights
 * from its threads. Under the run queue lock a thread's class and priority agree.
 */
static __always_inline void fxt_learn_class(struct fxt_session *ss,
					    const struct task_struct *p)
{
	if (!READ_ONCE(ss->load_class) && fxt_sched_weight_is_load(p->pid, p->prio))
		WRITE_ONCE(ss->load_class, p->sched_class);
}

/*
 * Take the time when the thread that is switched in was switched out; 0 if its stack is not needed.
 * This is also done while nothing is recorded, so that no stack belongs to an earlier switch.
 * Context: the run queue lock is held.
 */
static __always_inline u64 fxt_stack_consume(const struct fxt_session *ss, pid_t tid)
{
	u64 *off = ss->config.stacks & FXT_STACKS_EVENTS ? fxt_task_off(&ss->tasks, tid) : NULL;
	u64 since;

	if (!off || !*off)
		return 0;
	since = *off;
	WRITE_ONCE(*off, 0);
	return since;
}

static void fxt_write_switch(struct fxt_session *ss, struct task_struct *prev,
			     struct task_struct *next, unsigned int prev_state)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	/* Before the clock is read: watch.c treats the wait as not over until this. */
	u64 woken = fxt_trigger_consume(&ss->trigger, &ss->tasks, next->pid);
	u64 now = fxt_stream_now(s, &ss->clock), off_since;
	bool blocked = fxt_task_blocked(prev);
	struct fxt_sched_state state;
	enum fxt_sched_kept verdict;
	unsigned int words;
	u64 *rec;

	lockdep_assert_irqs_disabled();
	fxt_learn_class(ss, prev);
	fxt_learn_class(ss, next);
	off_since = fxt_stack_consume(ss, next->pid);

	if (!fxt_recording_covers(&ss->recording, now))
		return;
	/* The parent may be reaping @prev, although it still runs. */
	state = fxt_sched_state(blocked, prev_state, READ_ONCE(prev->exit_state));
	if (ss->config.stacks & FXT_STACKS_EVENTS)
		fxt_stack_out(ss, prev, state.state, now);
	verdict = fxt_keeps_switch(ss, s, prev, next);
	if (verdict == FXT_SCHED_KEPT_NOT)
		return;
	rec = fxt_stream_reserve(s, now, FXT_SCHED_SWITCH_WORDS);
	s->switches++;
	s->current_known = rec && verdict != FXT_SCHED_KEPT_OUT;
	if (unlikely(!rec)) {
		s->lost++;
		return;
	}
	words = fxt_sched_put_kept_switch(rec, now, s->id, prev->pid, next->pid,
					  fxt_slow_weight(ss, prev),
					  fxt_slow_weight(ss, next), state, verdict);
	fxt_stream_commit(s, rec, now, words);
	if (unlikely(ss->trigger.sleeps) && state.state == FXT_THREAD_BLOCKED &&
	    verdict == FXT_SCHED_KEPT_ALL)
		fxt_trigger_sleep(&ss->trigger, &ss->tasks, prev,
				  state.letter == FXT_STR_STATE_D, now);
	if (off_since)
		fxt_stack_in(ss, s, next, off_since, now);
	if (unlikely(fxt_trigger_is_long(&ss->trigger, woken, now)) &&
	    verdict != FXT_SCHED_KEPT_OUT)
		fxt_trigger_check(&ss->trigger, &ss->recording,
				  this_cpu_ptr(ss->trigger.longest), s->id, next, woken, now);
}

static noinline void fxt_slow_switch(struct fxt_session *ss, struct task_struct *prev,
				     struct task_struct *next, unsigned int prev_state)
{
	/* The id of a dead thread may belong to a new one already. Nothing wakes the dead. */
	const bool sleeps = fxt_task_blocked(prev) && !(prev_state & FXT_LINUX_DEAD);
	const bool waking = ss->config.form & FXT_SCHED_WAKING;

	if (sleeps && !waking)
		fxt_note_blocked(ss, prev);
	fxt_write_switch(ss, prev, next, prev_state);
	if (sleeps && waking)
		fxt_note_sleep(ss, prev);
}

static void FXT_PROBE_SWITCH(fxt_probe_switch_slow)
{
	fxt_slow_switch(data, prev, next, FXT_PREV_STATE(prev));
}

/* --- the fast path ------------------------------------------------------- */

static __always_inline void fxt_fast_put_switch(const struct fxt_session *ss,
						struct fxt_stream *s, u64 header, u64 now,
						const struct task_struct *prev,
						const struct task_struct *next)
{
	const struct sched_class *load_class;
	u64 tid, *rec = s->pos;

	fxt_sched_put_switch_head(rec, header, now);
	/* An older value, NULL, only makes the weights slower to compute. */
	load_class = READ_ONCE(ss->load_class);
	tid = (u32)prev->pid;
	fxt_sched_put_switch_out(rec, tid, fxt_fast_weight(load_class, prev, tid));
	tid = (u32)next->pid;
	fxt_sched_put_switch_in(rec, tid, fxt_fast_weight(load_class, next, tid));
	/* @s->pos equals @rec, whose register is free earlier this way. */
	fxt_stream_commit(s, s->pos, now, FXT_SCHED_USUAL_SWITCH_WORDS);
}

static __always_inline void fxt_fast_put_bare_switch(struct fxt_stream *s, u64 header, u64 now,
						     const struct task_struct *prev,
						     const struct task_struct *next)
{
	u64 *rec = s->pos;

	rec[1] = now;
	fxt_stream_commit(s, rec, now, fxt_sched_put_bare_switch(rec, header, (u32)prev->pid,
								 (u32)next->pid));
}

/* @clock, @form: constants in each caller; @form as of fxt_config. */
static __always_inline void fxt_fast_switch(struct fxt_session *ss,
					    struct task_struct *prev,
					    struct task_struct *next,
					    unsigned int prev_state,
					    const clockid_t clock, const u32 form)
{
	unsigned long sleeps = 0;
	struct fxt_stream *s;
	u64 now;

	lockdep_assert_irqs_disabled();
	if (fxt_task_blocked(prev)) {
		if (unlikely(!fxt_sched_is_sleep(prev_state, READ_ONCE(prev->exit_state)))) {
			fxt_slow_switch(ss, prev, next, prev_state);
			return;
		}
		if (!(form & FXT_SCHED_WAKING))
			fxt_note_blocked(ss, prev);
		sleeps = 1;
	}
	/* A plain sleep is recorded without its state, so 0 will do from here on. */
	if (!fxt_clock_read(&ss->clock, clock, &now)) {
		fxt_slow_switch(ss, prev, next, 0);
		return;
	}
	/* After the clock: reading it may be a call, across which this would have to be kept. */
	s = this_cpu_ptr(ss->cpus);
	if (!fxt_fast_has_room(s, now, form & FXT_SCHED_NO_WEIGHTS ?
				       FXT_SCHED_BARE_SWITCH_WORDS :
				       FXT_SCHED_USUAL_SWITCH_WORDS)) {
		fxt_slow_switch(ss, prev, next, 0);
		return;
	}
	if (fxt_recording_covers(&ss->recording, now)) {
		s->switches++;
		if (form & FXT_SCHED_NO_WEIGHTS)
			fxt_fast_put_bare_switch(s, s->switch_headers[sleeps], now, prev, next);
		else
			fxt_fast_put_switch(ss, s, s->switch_headers[sleeps], now, prev, next);
	}
	if (form & FXT_SCHED_WAKING && sleeps)
		fxt_note_sleep(ss, prev);
}

/*
 * A session has one probe of sched_switch. If it does not need the slow path, the probe depends on
 * the form of its records (fxt_config.form) and on how its clock is read (FXT_CLOCKS):
 *
 *   form                     boot                    ...  mono_called
 *   0                        fxt_switch_boot              fxt_switch_mono_called
 *   FXT_SCHED_NO_WEIGHTS     fxt_bare_switch_boot         fxt_bare_switch_mono_called
 *   FXT_SCHED_WAKING         fxt_waking_switch_boot       fxt_waking_switch_mono_called
 *   FXT_FORMS                fxt_bare_waking_switch_boot  fxt_bare_waking_switch_mono_called
 */
#define DEFINE_FXT_SWITCH_PROBE(kind, clock, name, form)			\
static void FXT_PROBE_SWITCH(fxt_##name##_##kind)				\
{										\
	fxt_fast_switch(data, prev, next, FXT_PREV_STATE(prev), clock, form);	\
}

#define DEFINE_FXT_SWITCH_GROUP(name, form)					\
FXT_CLOCKS(DEFINE_FXT_SWITCH_PROBE, name, form)					\
										\
static struct fxt_probe fxt_##name##_probes[] = {				\
	FXT_FAST_PROBE(sched_switch, fxt_probe_switch_slow, fxt_##name),	\
};										\
										\
const struct fxt_group fxt_##name##_group =					\
	FXT_FORM_GROUP(form, fxt_##name##_probes)

DEFINE_FXT_SWITCH_GROUP(switch, 0);
DEFINE_FXT_SWITCH_GROUP(bare_switch, FXT_SCHED_NO_WEIGHTS);
DEFINE_FXT_SWITCH_GROUP(waking_switch, FXT_SCHED_WAKING);
DEFINE_FXT_SWITCH_GROUP(bare_waking_switch, FXT_FORMS);
