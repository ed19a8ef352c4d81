// SPDX-License-Identifier: GPL-2.0
/*
 * wakeup.c - wakeup records.
 *
 * In:  sched_waking, sched_wakeup, sched_wakeup_new.
 * Out: records in the stream of the CPU that they fire on. The task table carries the waker from
 * sched_waking to sched_wakeup.
 *
 * Context of all functions: irqs off, and a lock of the scheduler held; but a thread that
 * wakes itself has irqs on. They must not sleep, wake a thread or take a lock.
 */
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include <fxt/fxt_unknown.h>

#include "record.h"
#include "session.h"
#include "stacks.h"
#include "waker.h"
#include "probes.h"

/* --- the slow path, see record.h ------------------------------------------ */

static __always_inline void fxt_note_waking(struct fxt_task *task, struct task_struct *p,
					    u32 waker)
{
	WRITE_ONCE(task->waker, waker);
	if (fxt_task_blocked(p))
		WRITE_ONCE(task->blocked, 1);
}

static void fxt_probe_waking_slow(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;
	u32 waker = fxt_waker();

	/* Evaluate the filter here: at sched_wakeup only the waker's tid is known. */
	if (ss->filter.by_thread && fxt_sched_waker_is_thread(waker) &&
	    fxt_filter_matches(&ss->filter, &ss->tasks, current))
		waker |= FXT_WAKER_MATCHES;
	fxt_note_waking(fxt_task_slot(&ss->tasks, p->pid), p, waker);
	if (ss->config.stacks & FXT_SCHED_STACKS_WAKE && fxt_task_blocked(p))
		fxt_stack_waking(ss, p, waker, _RET_IP_);
}

/*
 * Does the filter keep the wakeup of @p?
 * @by_waker: the waker matches the filter
 * @matches: set to whether @p itself matches
 */
static bool fxt_keeps_wakeup(struct fxt_session *ss, struct task_struct *p,
			     bool by_waker, bool *matches)
{
	const struct fxt_filter *f = &ss->filter;

	if (!per_cpu_ptr(ss->cpus, task_cpu(p))->cpu_traced)
		return false;
	*matches = !f->by_thread || fxt_filter_matches(f, &ss->tasks, p);
	return *matches || by_waker;
}

static void fxt_write_wakeup(struct fxt_session *ss, struct task_struct *p, u32 waker,
			     bool by_waker)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 now = fxt_stream_now(s, &ss->clock);
	unsigned int words;
	bool matches;
	u64 *rec;

	lockdep_assert_irqs_disabled();
	fxt_trigger_note(&ss->trigger, &ss->tasks, p->pid, now);
	if (!fxt_recording_covers(&ss->recording, now) ||
	    !fxt_keeps_wakeup(ss, p, by_waker, &matches))
		return;
	rec = fxt_stream_reserve(s, now, FXT_SCHED_WAKEUP_WORDS);
	s->wakeups++;
	if (unlikely(!rec)) {
		s->lost++;
		return;
	}
	if (likely(matches))
		words = fxt_sched_put_wakeup(rec, now, task_cpu(p), (u32)p->pid,
					     fxt_slow_weight(ss, p), waker);
	else
		words = fxt_sched_put_unknown_wakeup(rec, now, task_cpu(p), (u32)p->pid,
						     waker);
	fxt_stream_commit(s, rec, now, words);
}

/* Without a slot it is unknown whether the thread was asleep: count a lost wakeup. */
static void fxt_lose_wakeup(struct fxt_session *ss, struct task_struct *p)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	bool matches;

	lockdep_assert_irqs_disabled();
	if (!fxt_recording_covers(&ss->recording, fxt_stream_now(s, &ss->clock)) ||
	    !fxt_keeps_wakeup(ss, p, false, &matches))
		return;
	s->wakeups++;
	s->lost++;
}

/* Is the thread on a CPU? On kernels for one CPU only current is. */
static __always_inline bool fxt_task_running(const struct task_struct *p)
{
#ifdef CONFIG_SMP
	return READ_ONCE(p->on_cpu);
#else
	return p == current;
#endif
}

static void fxt_probe_wakeup_slow(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;
	struct fxt_task *task = fxt_task_find(&ss->tasks, p->pid);
	u32 waker;

	if (unlikely(!task)) {
		/* A thread that wakes itself does so with irqs on, and was not asleep. */
		if (!fxt_task_running(p))
			fxt_lose_wakeup(ss, p);
		return;
	}
	if (!READ_ONCE(task->blocked))
		return;
	WRITE_ONCE(task->blocked, 0);
	/*
	 * A CPU that goes offline wakes threads without a tracepoint. Such a thread is not asleep
	 * any more, although its slot says so.
	 */
	if (unlikely(fxt_task_running(p)))
		return;
	waker = READ_ONCE(task->waker);
	fxt_write_wakeup(ss, p, waker & ~FXT_WAKER_MATCHES, waker & FXT_WAKER_MATCHES);
}

void fxt_probe_wakeup_new(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;
	struct fxt_task *task = fxt_task_find(&ss->tasks, p->pid);
	bool by_waker = ss->filter.by_thread &&
			fxt_filter_matches(&ss->filter, &ss->tasks, current);

	/* The slot's content is of a dead thread with the same tid. */
	if (task)
		WRITE_ONCE(task->blocked, 0);
	fxt_filter_new(&ss->filter, &ss->tasks, p);
	fxt_write_wakeup(ss, p, fxt_waker(), by_waker);
}

/* --- the fast path ------------------------------------------------------- */

/* Return: false if the slow path has to handle the wakeup. */
static __always_inline bool fxt_probe_wakeup_fast(struct fxt_session *ss,
						  struct task_struct *p,
						  const clockid_t clock)
{
	struct fxt_task *page = fxt_task_page(&ss->tasks, p->pid);
	struct fxt_task *task = page + FXT_TASK_INDEX(p->pid);
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	const struct sched_class *load_class;
	u64 now, tid, *rec;
	u32 waker;

	if (unlikely(page == ss->tasks.dummy_page))
		return false;
	/*
	 * A thread that wakes itself does so with irqs on, and returns here.
	 *
	 * data_race(), because READ_ONCE() costs an instruction: the compiler then does
	 * not compare the byte in memory. It is a single byte, and the locks that
	 * task_table.h lists order it.
	 */
	if (!data_race(task->blocked))
		return true;
	lockdep_assert_irqs_disabled();
	waker = READ_ONCE(task->waker);
	if (unlikely(!fxt_sched_waker_is_thread(waker)) ||
	    unlikely(fxt_task_running(p)) || !fxt_clock_read(&ss->clock, clock, &now) ||
	    !fxt_fast_has_room(s, now, FXT_SCHED_USUAL_WAKEUP_WORDS))
		return false;
	WRITE_ONCE(task->blocked, 0);
	if (!fxt_recording_covers(&ss->recording, now))
		return true;
	s->wakeups++;
	rec = s->pos;
	tid = (u32)p->pid;
	/* As in fxt_fast_switch(). */
	load_class = READ_ONCE(ss->load_class);
	/* A u16 cannot exceed the field, so the compiler emits no truncation. */
	fxt_sched_put_usual_wakeup(rec, now, (u16)task_cpu(p), tid,
				   fxt_fast_weight(load_class, p, tid), waker);
	fxt_stream_commit(s, rec, now, FXT_SCHED_USUAL_WAKEUP_WORDS);
	return true;
}

static void fxt_probe_waking_fast(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;

	if (unlikely(fxt_irq())) {
		fxt_probe_waking_slow(ss, p);
		return;
	}
	fxt_note_waking(fxt_task_slot(&ss->tasks, p->pid), p, current->pid);
}

DEFINE_FXT_PROBES(fxt_probe_wakeup, TP_PROTO(struct task_struct *p), TP_ARGS(p))

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_wakeup(void)
{
	check_trace_callback_type_sched_waking(fxt_probe_waking_slow);
	check_trace_callback_type_sched_waking(fxt_probe_waking_fast);
	check_trace_callback_type_sched_wakeup(fxt_probe_wakeup_slow);
	check_trace_callback_type_sched_wakeup(fxt_probe_wakeup_boot);
	check_trace_callback_type_sched_wakeup(fxt_probe_wakeup_mono);
	check_trace_callback_type_sched_wakeup(fxt_probe_wakeup_tsc);
	check_trace_callback_type_sched_wakeup(fxt_probe_wakeup_boot_called);
	check_trace_callback_type_sched_wakeup(fxt_probe_wakeup_mono_called);
}

/*
 * sched_wakeup comes before sched_waking: what the latter notes about a sleeping thread, the
 * wakeup clears. If the wakeup were missed, the thread would count as blocked until its next
 * one, which need not be from sleep: a thread can be preempted on its way to sleep, and woken on
 * its run queue.
 */
static struct fxt_probe fxt_wakeup_probes[] = {
	FXT_EVENT_PROBE("sched_wakeup", fxt_probe_wakeup),
	{ "sched_waking",
	  { fxt_probe_waking_slow, fxt_probe_waking_fast, fxt_probe_waking_fast,
	    fxt_probe_waking_fast, fxt_probe_waking_fast, fxt_probe_waking_fast } },
};

const struct fxt_group fxt_wakeup_group = FXT_GROUP(0, fxt_wakeup_probes);
