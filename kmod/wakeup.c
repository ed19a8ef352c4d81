// SPDX-License-Identifier: GPL-2.0-only
/*
 * wakeup.c - wakeup records.
 *
 * In:  sched_waking, sched_wakeup, sched_wakeup_new.
 * Out: records in the stream of the CPU that they fire on. The task table carries the waker from
 *      sched_waking to sched_wakeup. With FXT_SCHED_WAKING there is no sched_wakeup, and the task
 *      table decides whether sched_waking or sched_switch writes the record: see fxt_waking.h.
 *
 * Context of all functions: the thread's pi_lock or its run queue lock is held, which the scheduler
 * takes with interrupts disabled. A thread that wakes itself holds none, and may have interrupts
 * enabled; it is running, so all functions return before they touch the stream. They must not
 * sleep, wake a thread or take a lock.
 */
#include <linux/kernel.h>
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

static __always_inline void fxt_note_waking(struct fxt_task *task, struct task_struct *p,
					    u32 waker)
{
	WRITE_ONCE(task->waker, waker);
	if (fxt_task_blocked(p))
		WRITE_ONCE(task->blocked, 1);
}

/* As in fxt_task.waker. Context: sched_waking; at sched_wakeup only the waker's tid is known. */
static u32 fxt_matched_waker(struct fxt_session *ss)
{
	u32 waker = fxt_waker();

	if (ss->filter.by_thread && fxt_sched_waker_is_thread(waker) && fxt_keeps(ss, current))
		waker |= FXT_WAKER_MATCHES;
	return waker;
}

static void fxt_probe_notes_slow(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;
	u32 waker = fxt_matched_waker(ss);

	fxt_note_waking(fxt_task_slot(&ss->tasks, p->pid), p, waker);
	if (ss->config.stacks & FXT_SCHED_STACKS_WAKE && fxt_task_blocked(p))
		fxt_stack_waking(ss, p, waker, _RET_IP_);
}

/* @by_waker: the waker matches the filter. @matches: set to whether @p itself matches. */
static bool fxt_keeps_wakeup(struct fxt_session *ss, struct task_struct *p,
			     bool by_waker, bool *matches)
{
	if (!per_cpu_ptr(ss->cpus, task_cpu(p))->cpu_traced)
		return false;
	*matches = fxt_keeps(ss, p);
	return *matches || by_waker;
}

/* @matched: fxt_matched_waker() */
static void fxt_write_wakeup(struct fxt_session *ss, struct task_struct *p, u32 matched)
{
	const u32 waker = matched & ~FXT_WAKER_MATCHES;
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 now = fxt_stream_now(s, &ss->clock);
	unsigned int words;
	u64 *rec, slept;
	bool matches;

	lockdep_assert_irqs_disabled();
	slept = fxt_trigger_note(&ss->trigger, &ss->tasks, p->pid, now);
	if (!fxt_recording_covers(&ss->recording, now) ||
	    !fxt_keeps_wakeup(ss, p, matched & FXT_WAKER_MATCHES, &matches))
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
	if (likely(matches))
		fxt_trigger_woken(&ss->trigger, &ss->recording, task_cpu(p), p, slept, now);
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

static noinline void fxt_slow_wakeup(struct fxt_session *ss, struct task_struct *p)
{
	struct fxt_task *task = fxt_task_find(&ss->tasks, p->pid);

	if (unlikely(!task)) {
		/* A thread that wakes itself was not asleep. */
		if (!fxt_task_running(p))
			fxt_lose_wakeup(ss, p);
		return;
	}
	if (!READ_ONCE(task->blocked))
		return;
	WRITE_ONCE(task->blocked, 0);
	/*
	 * A CPU that goes offline wakes threads without a tracepoint. Such a thread is awake,
	 * although its slot says otherwise.
	 */
	if (unlikely(fxt_task_running(p)))
		return;
	fxt_write_wakeup(ss, p, READ_ONCE(task->waker));
}

void fxt_probe_wakeup_new(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;
	struct fxt_task *task = fxt_task_find(&ss->tasks, p->pid);
	u32 waker = fxt_waker();

	/* Its creator is current, in whatever context. */
	if (ss->filter.by_thread && fxt_keeps(ss, current))
		waker |= FXT_WAKER_MATCHES;
	/* The slot has the content of a dead thread with the same tid. */
	if (task)
		fxt_task_wakes(task);
	fxt_filter_new(&ss->filter, &ss->tasks, p);
	fxt_write_wakeup(ss, p, waker);
}

/* --- the slow path with FXT_SCHED_WAKING, see fxt_waking.h ------------------ */

/*
 * Must sched_waking record this wakeup? If not, the thread does not get to sleep, or its CPU is
 * about to switch it out, or has already recorded the wakeup.
 *
 * The word is wrong in two cases. A thread that fell asleep before the session began does not have
 * FXT_WAKING_ASLEEP. A thread that a CPU woke while it went offline, which has no tracepoint, may
 * run with FXT_WAKING_ASLEEP. In all other cases the word is right and the thread's state is not:
 * during a delayed dequeue a sleeping thread looks runnable.
 */
static bool fxt_records_waking(struct fxt_task *task, struct task_struct *p, u32 waker)
{
	/* A thread with FXT_WAKING_ASLEEP has left its run queue before. */
	u32 word = smp_load_acquire(&task->waker), old;
	bool blocked = fxt_task_blocked(p), running = fxt_task_running(p);

	if (word == FXT_WAKING_ASLEEP ? blocked || !running : blocked && !running)
		return xchg(&task->waker, FXT_WAKING_AWAKE) != FXT_WAKING_WOKEN;
	old = cmpxchg(&task->waker, word, FXT_WAKING_EARLY | waker);
	/* If it has changed, then only to FXT_WAKING_ASLEEP, and from there. */
	return old != word && xchg(&task->waker, FXT_WAKING_AWAKE) == FXT_WAKING_ASLEEP;
}

/* @caller: the return address of the probe */
static noinline void fxt_slow_waking(struct fxt_session *ss, struct task_struct *p,
				     unsigned long caller)
{
	struct fxt_task *task;
	u32 waker;

	/* It does not sleep, and may have interrupts enabled. */
	if (p == current)
		return;
	task = fxt_task_find(&ss->tasks, p->pid);
	if (unlikely(!task)) {
		if (fxt_task_blocked(p))
			fxt_lose_wakeup(ss, p);
		return;
	}
	waker = fxt_matched_waker(ss);
	if (!fxt_records_waking(task, p, waker))
		return;
	if (ss->config.stacks & FXT_SCHED_STACKS_WAKE)
		fxt_stack_waking(ss, p, waker, caller);
	fxt_write_wakeup(ss, p, waker);
}

static bool fxt_is_being_woken(struct task_struct *p)
{
	bool locked = raw_spin_is_locked(&p->pi_lock);

	/* Who released the lock has set the state before. */
	smp_rmb();
	return locked || FXT_TASK_STATE(p) == FXT_LINUX_WAKING;
}

/*
 * Record the wakeup of a thread that was on its way to sleep, if it is due. Its word is
 * FXT_WAKING_ASLEEP now, and was @word, early. Context: sched_switch; the record of the switch is
 * written.
 */
noinline void fxt_early_wakeup(struct fxt_session *ss, struct task_struct *prev, u32 word)
{
	struct fxt_task *task = fxt_task_find(&ss->tasks, prev->pid);

	if (task && fxt_is_being_woken(prev) &&
	    cmpxchg(&task->waker, FXT_WAKING_ASLEEP, FXT_WAKING_WOKEN) == FXT_WAKING_ASLEEP)
		fxt_write_wakeup(ss, prev, fxt_waking_waker(word));
}

/* --- the fast path ------------------------------------------------------- */

static __always_inline unsigned int fxt_fast_wakeup_words(const u32 form)
{
	return form & FXT_SCHED_NO_WEIGHTS ? FXT_SCHED_BARE_WAKEUP_WORDS :
					     FXT_SCHED_USUAL_WAKEUP_WORDS;
}

/* Tell the compiler that the number of a CPU fits its field. */
static __always_inline u32 fxt_fast_task_cpu(const struct task_struct *p)
{
	u32 cpu = task_cpu(p);

	static_assert(NR_CPUS <= U16_MAX + 1);
	if (cpu >= NR_CPUS)
		__builtin_unreachable();
	return cpu;
}

/* @form: as of fxt_config; a constant in each caller. */
static __always_inline void fxt_fast_put_wakeup(struct fxt_session *ss, struct fxt_stream *s,
						u64 *rec, struct task_struct *p, u32 waker,
						u64 now, const u32 form)
{
	const struct sched_class *load_class;
	u64 tid;

	s->wakeups++;
	tid = (u32)p->pid;
	if (form & FXT_SCHED_NO_WEIGHTS) {
		rec[1] = now;
		fxt_sched_put_bare_wakeup(rec, fxt_fast_task_cpu(p), tid, waker);
	} else {
		/* As in fxt_fast_put_switch(). */
		load_class = READ_ONCE(ss->load_class);
		fxt_sched_put_usual_wakeup(rec, now, fxt_fast_task_cpu(p), tid,
					   fxt_fast_weight(load_class, p, tid), waker);
	}
	fxt_stream_commit(s, rec, now, fxt_fast_wakeup_words(form));
}

/* Return: false if the slow path has to handle the wakeup. */
static __always_inline bool fxt_fast_wakeup(struct fxt_session *ss, struct task_struct *p,
					    const clockid_t clock, const u32 form)
{
	struct fxt_task *page = fxt_task_page(&ss->tasks, p->pid);
	struct fxt_task *task = page + FXT_TASK_INDEX(p->pid);
	struct fxt_stream *s;
	u64 now, *rec;
	u32 waker;

	if (unlikely(page == ss->tasks.dummy_page))
		return false;
	/*
	 * A thread that wakes itself returns here, or below because it is running.
	 *
	 * data_race(), because READ_ONCE() costs an instruction: the compiler then does
	 * not compare the byte in memory. It is a single byte, and the locks that
	 * task_table.h lists order it.
	 */
	if (!data_race(task->blocked))
		return true;
	waker = READ_ONCE(task->waker);
	if (unlikely(!fxt_sched_waker_is_thread(waker)) || unlikely(fxt_task_running(p)))
		return false;
	lockdep_assert_irqs_disabled();
	if (!fxt_clock_read(&ss->clock, clock, &now))
		return false;
	/* After the clock, as in fxt_fast_switch(). */
	s = this_cpu_ptr(ss->cpus);
	if (!fxt_fast_has_room(s, now, fxt_fast_wakeup_words(form)))
		return false;
	rec = s->pos;
	WRITE_ONCE(task->blocked, 0);
	if (fxt_recording_covers(&ss->recording, now))
		fxt_fast_put_wakeup(ss, s, rec, p, waker, now, form);
	return true;
}

static void fxt_probe_notes_fast(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;

	if (unlikely(fxt_irq())) {
		fxt_probe_notes_slow(ss, p);
		return;
	}
	fxt_note_waking(fxt_task_slot(&ss->tasks, p->pid), p, current->pid);
}

/* The same with FXT_SCHED_WAKING. Sleeping threads share the dummy slot. */
static __always_inline bool fxt_fast_waking(struct fxt_session *ss, struct task_struct *p,
					    const clockid_t clock, const u32 form)
{
	struct fxt_task *page = fxt_task_page(&ss->tasks, p->pid);
	struct fxt_task *task = page + FXT_TASK_INDEX(p->pid);
	struct fxt_stream *s;
	u64 now, *rec;
	u32 waker;

	if (unlikely(page == ss->tasks.dummy_page))
		return false;
	/* As in fxt_records_waking(). */
	if (unlikely(smp_load_acquire(&task->waker) != FXT_WAKING_ASLEEP) ||
	    unlikely(fxt_task_running(p)) || unlikely(fxt_irq()))
		return false;
	lockdep_assert_irqs_disabled();
	if (!fxt_clock_read(&ss->clock, clock, &now))
		return false;
	/* After the clock, as in fxt_fast_switch(). */
	s = this_cpu_ptr(ss->cpus);
	waker = current->pid;
	if (unlikely(!waker) || !fxt_fast_has_room(s, now, fxt_fast_wakeup_words(form)))
		return false;
	rec = s->pos;
	/* sched_switch may have recorded this wakeup. */
	if (unlikely(xchg(&task->waker, FXT_WAKING_AWAKE) != FXT_WAKING_ASLEEP))
		return true;
	if (fxt_recording_covers(&ss->recording, now))
		fxt_fast_put_wakeup(ss, s, rec, p, waker, now, form);
	return true;
}

static void fxt_probe_wakeup_slow(void *data, struct task_struct *p)
{
	fxt_slow_wakeup(data, p);
}

static void fxt_probe_waking_slow(void *data, struct task_struct *p)
{
	fxt_slow_waking(data, p, _RET_IP_);
}

/* The fast probes of a form: as in switch.c. */
#define DEFINE_FXT_WAKEUP_PROBE(kind, clock, name, form)			\
static void fxt_##name##_##kind(void *data, struct task_struct *p)		\
{										\
	if (!fxt_fast_wakeup(data, p, clock, form))				\
		fxt_slow_wakeup(data, p);					\
}

#define DEFINE_FXT_WAKING_PROBE(kind, clock, name, form)			\
static void fxt_##name##_##kind(void *data, struct task_struct *p)		\
{										\
	if (!fxt_fast_waking(data, p, clock, form))				\
		fxt_slow_waking(data, p, _RET_IP_);				\
}

#define FXT_NOTES_PROBE								\
	{ "sched_waking",							\
	  { [FXT_CHECK_PROBE(sched_waking, fxt_probe_notes_slow)] = fxt_probe_notes_slow,\
	    [FXT_CHECK_PROBE(sched_waking, fxt_probe_notes_fast) + 1 ...		\
	     FXT_PROBES_COUNT - 1] = fxt_probe_notes_fast } }

/*
 * sched_wakeup comes before sched_waking, because the wakeup clears what sched_waking notes about a
 * sleeping thread. If the wakeup were missed, the thread would count as blocked until its next one,
 * which need not be from sleep: a thread can be preempted on its way to sleep, and woken on its run
 * queue.
 */
#define DEFINE_FXT_WAKEUP_GROUP(name, form)					\
FXT_CLOCKS(DEFINE_FXT_WAKEUP_PROBE, name, form)					\
										\
static struct fxt_probe fxt_##name##_probes[] = {				\
	FXT_FAST_PROBE(sched_wakeup, fxt_probe_wakeup_slow, fxt_##name),	\
	FXT_NOTES_PROBE,							\
};										\
										\
const struct fxt_group fxt_##name##_group =					\
	FXT_FORM_GROUP(form, fxt_##name##_probes)

#define DEFINE_FXT_WAKING_GROUP(name, form)					\
FXT_CLOCKS(DEFINE_FXT_WAKING_PROBE, name, form)					\
										\
static struct fxt_probe fxt_##name##_probes[] = {				\
	FXT_FAST_PROBE(sched_waking, fxt_probe_waking_slow, fxt_##name),	\
};										\
										\
const struct fxt_group fxt_##name##_group =					\
	FXT_FORM_GROUP(form, fxt_##name##_probes)

DEFINE_FXT_WAKEUP_GROUP(wakeup, 0);
DEFINE_FXT_WAKEUP_GROUP(bare_wakeup, FXT_SCHED_NO_WEIGHTS);
DEFINE_FXT_WAKING_GROUP(waking, FXT_SCHED_WAKING);
DEFINE_FXT_WAKING_GROUP(bare_waking, FXT_FORMS);
