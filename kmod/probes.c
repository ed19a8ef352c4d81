// SPDX-License-Identifier: GPL-2.0
/*
 * probes.c - the scheduler's tracepoints, and what each becomes.
 *
 * What flows in: tracepoints. What flows out: finished records, into the
 * stream of the CPU that the probe runs on; what names tasks goes to names.c.
 *
 * sched_switch, sched_waking, sched_wakeup and sched_wakeup_new fire with irqs
 * off and a lock of the scheduler held: no sleeping, no wakeups, no locks of
 * our own. The events that name tasks fire in process context.
 */
#include <linux/lockdep.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include <fxt/fxt_unknown.h>

#include "clock.h"
#include "compat.h"
#include "names.h"
#include "session.h"
#include "waker.h"

static __always_inline unsigned long fxt_load_weight(const struct task_struct *p)
{
	unsigned long load = p->se.load.weight;

	/* 64-bit kernels keep it with a higher resolution. */
	return IS_ENABLED(CONFIG_64BIT) ? load >> SCHED_FIXEDPOINT_SHIFT : load;
}

static __always_inline s32 fxt_weight_of(const struct fxt_session *ss,
					 const struct task_struct *p)
{
	if (ss->weight == FXT_WEIGHT_PRIO)
		return fxt_sched_prio(p->pid, p->prio);
	return fxt_sched_weight(p->pid, p->prio, fxt_load_weight(p));
}

static __always_inline bool fxt_is_recorded(const struct fxt_session *ss, u64 now)
{
	return likely(now <= (u64)atomic64_read(&ss->until));
}

static enum fxt_sched_kept fxt_keeps_switch(struct fxt_session *ss,
					    const struct fxt_stream *s,
					    struct task_struct *prev,
					    struct task_struct *next)
{
	const struct fxt_filter *f = &ss->filter;

	if (!s->kept)
		return FXT_SCHED_KEPT_NOT;
	if (!f->by_thread || fxt_filter_matches(f, &ss->sleepers, prev))
		return FXT_SCHED_KEPT_ALL;
	if (fxt_filter_matches(f, &ss->sleepers, next))
		return FXT_SCHED_KEPT_IN;
	return s->shown ? FXT_SCHED_KEPT_OUT : FXT_SCHED_KEPT_NOT;
}

/* --- the probes that do everything -------------------------------------- */

/*
 * For sessions with a filter, a trigger or weights that are priorities, and for all
 * that the probes further below leave.
 */

/*
 * Noted before anything decides whether there is a record of it. Whether it left
 * its run queue is what counts: with a signal pending, the state that is reported
 * says sleep and yet the thread goes on.
 */
static __always_inline void fxt_note_blocked(struct fxt_session *ss,
					     const struct task_struct *prev)
{
	WRITE_ONCE(fxt_sleeper_at(&ss->sleepers, prev->pid)->blocked, 1);
}

/*
 * The scheduler's classes are exported to nobody. Under the lock of its run queue a
 * thread's class and priority agree.
 */
static __always_inline void fxt_learn_class(struct fxt_session *ss,
					    const struct task_struct *p)
{
	if (!READ_ONCE(ss->load_class) && fxt_sched_weight_is_load(p->pid, p->prio))
		WRITE_ONCE(ss->load_class, p->sched_class);
}

static noinline void fxt_write_switch(struct fxt_session *ss, struct task_struct *prev,
				      struct task_struct *next, unsigned int prev_state)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 now = fxt_now(ss, s), woken;
	bool blocked = fxt_task_blocked(prev);
	struct fxt_sched_state state;
	enum fxt_sched_kept kept;
	unsigned int words;
	u64 *rec;

	lockdep_assert_irqs_disabled();
	if (blocked)
		fxt_note_blocked(ss, prev);
	fxt_learn_class(ss, prev);
	fxt_learn_class(ss, next);
	woken = fxt_trigger_take(&ss->trigger, &ss->sleepers, next->pid);

	if (!fxt_is_recorded(ss, now))
		return;
	kept = fxt_keeps_switch(ss, s, prev, next);
	if (kept == FXT_SCHED_KEPT_NOT)
		return;
	rec = fxt_stream_reserve(s, now, FXT_SCHED_SWITCH_WORDS);
	s->switches++;
	s->shown = rec && kept != FXT_SCHED_KEPT_OUT;
	if (unlikely(!rec)) {
		s->lost++;
		return;
	}
	/* Its parent may be reaping it, for all that it still runs. */
	state = fxt_sched_state(blocked, prev_state, READ_ONCE(prev->exit_state));
	words = fxt_sched_put_kept_switch(rec, now, s->id, prev->pid, next->pid,
					  fxt_weight_of(ss, prev),
					  fxt_weight_of(ss, next), state, kept);
	fxt_stream_commit(s, rec, now, words);
	if (unlikely(fxt_trigger_is_long(&ss->trigger, woken, now)) &&
	    kept != FXT_SCHED_KEPT_OUT)
		fxt_trigger_judge(ss, s, next, woken, now);
}

static void FXT_PROBE_SWITCH(fxt_any_switch)
{
	fxt_write_switch(data, prev, next, FXT_PREV_STATE(prev));
}

static __always_inline void fxt_note_waking(struct fxt_sleeper *sleeper,
					    struct task_struct *p, u32 waker)
{
	WRITE_ONCE(sleeper->waker, waker);
	if (fxt_task_blocked(p))
		WRITE_ONCE(sleeper->blocked, 1);
}

static void fxt_any_waking(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;
	u32 waker = fxt_waker();

	/* Later only its tid is known, which does not tell its cgroup. */
	if (ss->filter.by_thread && fxt_sched_waker_is_thread(waker) &&
	    fxt_filter_matches(&ss->filter, &ss->sleepers, current))
		waker |= FXT_WAKER_MATCHES;
	fxt_note_waking(fxt_sleeper_at(&ss->sleepers, p->pid), p, waker);
}

/*
 * @by_waker: whoever wakes it matches the filter
 * @matches: set to whether the thread itself does
 */
static bool fxt_keeps_wakeup(struct fxt_session *ss, struct task_struct *p,
			     bool by_waker, bool *matches)
{
	const struct fxt_filter *f = &ss->filter;

	if (!per_cpu_ptr(ss->cpus, task_cpu(p))->kept)
		return false;
	*matches = !f->by_thread || fxt_filter_matches(f, &ss->sleepers, p);
	return *matches || by_waker;
}

static void fxt_write_wakeup(struct fxt_session *ss, struct task_struct *p, u32 waker,
			     bool by_waker)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 now = fxt_now(ss, s);
	unsigned int words;
	bool matches;
	u64 *rec;

	lockdep_assert_irqs_disabled();
	fxt_trigger_note(&ss->trigger, &ss->sleepers, p->pid, now);
	if (!fxt_is_recorded(ss, now) || !fxt_keeps_wakeup(ss, p, by_waker, &matches))
		return;
	rec = fxt_stream_reserve(s, now, FXT_SCHED_WAKEUP_WORDS);
	s->wakeups++;
	if (unlikely(!rec)) {
		s->lost++;
		return;
	}
	if (likely(matches))
		words = fxt_sched_put_wakeup(rec, now, task_cpu(p), (u32)p->pid,
					     fxt_weight_of(ss, p), waker);
	else
		words = fxt_sched_put_unknown_wakeup(rec, now, task_cpu(p), (u32)p->pid,
						     waker);
	fxt_stream_commit(s, rec, now, words);
}

/* Nothing could be remembered of the thread: was it a wakeup? It counts as one. */
static void fxt_lose_wakeup(struct fxt_session *ss, struct task_struct *p)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	bool matches;

	lockdep_assert_irqs_disabled();
	if (!fxt_is_recorded(ss, fxt_now(ss, s)) ||
	    !fxt_keeps_wakeup(ss, p, false, &matches))
		return;
	s->wakeups++;
	s->lost++;
}

/* Is it on a CPU? On kernels for one CPU only current is. */
static __always_inline bool fxt_task_running(const struct task_struct *p)
{
#ifdef CONFIG_SMP
	/* One load: there is nothing that it could be torn into, or be repeated for. */
	return data_race(p->on_cpu);
#else
	return p == current;
#endif
}

static void fxt_any_wakeup(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;
	struct fxt_sleeper *sleeper = fxt_sleeper(&ss->sleepers, p->pid);
	u32 waker;

	if (unlikely(!sleeper)) {
		/* One that wakes itself does so with irqs on, and was not asleep. */
		if (!fxt_task_running(p))
			fxt_lose_wakeup(ss, p);
		return;
	}
	if (!READ_ONCE(sleeper->blocked))
		return;
	WRITE_ONCE(sleeper->blocked, 0);
	/*
	 * A CPU that is going offline wakes threads, and no tracepoint fires. One
	 * that has come in since is not asleep, whatever is remembered of it.
	 */
	if (unlikely(fxt_task_running(p)))
		return;
	waker = READ_ONCE(sleeper->waker);
	fxt_write_wakeup(ss, p, waker & ~FXT_WAKER_MATCHES, waker & FXT_WAKER_MATCHES);
}

static void fxt_any_wakeup_new(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;
	struct fxt_sleeper *sleeper = fxt_sleeper(&ss->sleepers, p->pid);
	bool by_waker = ss->filter.by_thread &&
			fxt_filter_matches(&ss->filter, &ss->sleepers, current);

	/* What is left of a dead thread with the same tid. */
	if (sleeper)
		WRITE_ONCE(sleeper->blocked, 0);
	fxt_filter_new(ss, p);
	fxt_write_wakeup(ss, p, fxt_waker(), by_waker);
}

/* --- the probes of most sessions, for most events ----------------------- */

/*
 * No filter, no trigger, load weights; one kind of clock each, read in line. What
 * is rare (a state to be spelled out, a wakeup by an interrupt, a sub-buffer that
 * ends, a clock that stepped back) they leave to those above, before they have stored
 * anything that these would not store again. So there is no call on their way, and no
 * register to be saved.
 *
 * How things are put here is measured by scripts/bench-instructions.sh. Flags are
 * loaded once, by data_race() where READ_ONCE() would keep the compiler from
 * comparing them where they lie.
 */

/* Is there room for a record of that many words, which may say that it is @now? */
static __always_inline bool fxt_has_room(const struct fxt_stream *s, u64 now,
					 unsigned int words)
{
	return likely(now >= s->last &&
		      (unsigned long)(s->pos + words) <= (unsigned long)s->end);
}

/* @tid: of @p; as wide as in the record, so that it need not be widened again */
static __always_inline s32 fxt_quick_weight(const struct sched_class *load_class,
					    const struct task_struct *p, u64 tid)
{
	/* Then it is neither idle nor real time: one comparison instead of two. */
	if (likely(p->sched_class == load_class))
		return fxt_load_weight(p);
	return fxt_sched_weight(tid, p->prio, fxt_load_weight(p));
}

static __always_inline void fxt_quick_switch(struct fxt_session *ss,
					     struct task_struct *prev,
					     struct task_struct *next,
					     unsigned int prev_state, const bool tsc)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	const struct sched_class *load_class;
	unsigned long sleeps = 0;
	u64 now, tid, *rec;

	lockdep_assert_irqs_disabled();
	if (fxt_task_blocked(prev)) {
		if (unlikely(!fxt_sched_is_sleep(prev_state,
						 /* Looked at again by what it leads to. */
						 data_race(prev->exit_state)))) {
			fxt_write_switch(ss, prev, next, prev_state);
			return;
		}
		fxt_note_blocked(ss, prev);
		sleeps = 1;
	}
	/* A plain sleep is told without the state, which so needs not be kept. */
	if (!fxt_clock_read(ss, tsc, &now) ||
	    !fxt_has_room(s, now, FXT_SCHED_USUAL_SWITCH_WORDS)) {
		fxt_write_switch(ss, prev, next, 0);
		return;
	}
	if (!fxt_is_recorded(ss, now))
		return;
	s->switches++;
	rec = s->pos;
	fxt_sched_put_switch_head(rec, s->switch_headers[sleeps], now);
	/* It becomes one class once; an older value only takes the longer way. */
	load_class = data_race(ss->load_class);
	tid = (u32)prev->pid;
	fxt_sched_put_switch_out(rec, tid, fxt_quick_weight(load_class, prev, tid));
	tid = (u32)next->pid;
	fxt_sched_put_switch_in(rec, tid, fxt_quick_weight(load_class, next, tid));
	/* Not @rec, though it is the same: one value less to keep. */
	fxt_stream_commit(s, s->pos, now, FXT_SCHED_USUAL_SWITCH_WORDS);
}

/* Return: false if it has to be handed on. */
static __always_inline bool fxt_quick_wakeup(struct fxt_session *ss,
					     struct task_struct *p, const bool tsc)
{
	struct fxt_sleeper *page = fxt_sleepers_page(&ss->sleepers, p->pid);
	struct fxt_sleeper *sleeper = page + FXT_SLEEPER_INDEX(p->pid);
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	const struct sched_class *load_class;
	u64 now, tid, *rec;
	u32 waker;

	if (unlikely(page == ss->sleepers.nowhere))
		return false;
	/*
	 * A thread that wakes itself does so with irqs on, and gets no further. Who
	 * stores it and when: see sleepers.h.
	 */
	if (!data_race(sleeper->blocked))
		return true;
	lockdep_assert_irqs_disabled();
	waker = READ_ONCE(sleeper->waker);
	if (unlikely(!fxt_sched_waker_is_thread(waker)) ||
	    unlikely(fxt_task_running(p)) || !fxt_clock_read(ss, tsc, &now) ||
	    !fxt_has_room(s, now, FXT_SCHED_USUAL_WAKEUP_WORDS))
		return false;
	WRITE_ONCE(sleeper->blocked, 0);
	if (!fxt_is_recorded(ss, now))
		return true;
	s->wakeups++;
	rec = s->pos;
	tid = (u32)p->pid;
	/* As in fxt_quick_switch(). */
	load_class = data_race(ss->load_class);
	/* What cannot exceed the field need not be cut. */
	fxt_sched_put_usual_wakeup(rec, now, (u16)task_cpu(p), tid,
				   fxt_quick_weight(load_class, p, tid), waker);
	fxt_stream_commit(s, rec, now, FXT_SCHED_USUAL_WAKEUP_WORDS);
	return true;
}

static void fxt_quick_waking(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;

	if (unlikely(fxt_irq())) {
		fxt_any_waking(ss, p);
		return;
	}
	fxt_note_waking(fxt_sleeper_at(&ss->sleepers, p->pid), p, current->pid);
}

static void FXT_PROBE_SWITCH(fxt_ns_switch)
{
	fxt_quick_switch(data, prev, next, FXT_PREV_STATE(prev), false);
}

static void FXT_PROBE_SWITCH(fxt_tsc_switch)
{
	fxt_quick_switch(data, prev, next, FXT_PREV_STATE(prev), true);
}

static void fxt_ns_wakeup(void *data, struct task_struct *p)
{
	if (!fxt_quick_wakeup(data, p, false))
		fxt_any_wakeup(data, p);
}

static void fxt_tsc_wakeup(void *data, struct task_struct *p)
{
	if (!fxt_quick_wakeup(data, p, true))
		fxt_any_wakeup(data, p);
}

/* --- names ---------------------------------------------------------------- */

static void fxt_probe_fork(void *data, struct task_struct *parent,
			   struct task_struct *child)
{
	struct fxt_session *ss = data;

	fxt_sleepers_add(&ss->sleepers, child->pid);
	fxt_names_fork(ss, child);
}

/*
 * A thread that was not the leader has exchanged ids with that one, which is dead: what
 * the table says of the id is that the leader went to sleep or died. The thread runs.
 */
static void fxt_probe_exec(void *data, struct task_struct *p, pid_t old_pid,
			   struct linux_binprm *bprm)
{
	struct fxt_session *ss = data;

	WRITE_ONCE(fxt_sleeper_at(&ss->sleepers, p->pid)->blocked, 0);
	fxt_names_exec(ss, p);
}

static void fxt_probe_rename(void *data, struct task_struct *p, const char *comm)
{
	struct fxt_session *ss = data;

	/* A worker of io_uring is not forked; it has no place before it names itself. */
	fxt_sleepers_add(&ss->sleepers, p->pid);
	fxt_filter_rename(ss, p, comm);
	fxt_names_rename(ss, p, comm);
}

static void FXT_PROBE_EXIT(fxt_probe_exit)
{
	fxt_names_exit(data, p);
}

/* Which probes a session has. */
enum fxt_probes {
	FXT_PROBES_ANY,
	FXT_PROBES_NS,
	FXT_PROBES_TSC,
	FXT_PROBES_COUNT
};

/**
 * struct fxt_probe - a tracepoint and its probes
 * @name: the tracepoint's
 * @func: by enum fxt_probes
 * @tp: the tracepoint, once found
 */
struct fxt_probe {
	const char *name;
	void *func[FXT_PROBES_COUNT];
	struct tracepoint *tp;
};

/* Those that make threads known, and judge them for the filter. */
static struct fxt_probe fxt_name_probes[] = {
	{ "sched_process_fork", { fxt_probe_fork, fxt_probe_fork, fxt_probe_fork } },
	{ "sched_process_exec", { fxt_probe_exec, fxt_probe_exec, fxt_probe_exec } },
	{ "task_rename", { fxt_probe_rename, fxt_probe_rename, fxt_probe_rename } },
	{ "sched_process_exit", { fxt_probe_exit, fxt_probe_exit, fxt_probe_exit } },
	{ "sched_wakeup_new",
	  { fxt_any_wakeup_new, fxt_any_wakeup_new, fxt_any_wakeup_new } },
};

/*
 * Wakeups before switches, and undone in reverse: as long as threads are seen
 * to go to sleep, their wakeups are seen. And sched_wakeup before sched_waking: what
 * that notes of a thread that is asleep, the wakeup then takes back. If it were not
 * seen, the thread would count as blocked until its next one, which need not be one
 * from sleep: a thread can be preempted on its way there, and woken on its run queue.
 */
static struct fxt_probe fxt_sched_probes[] = {
	{ "sched_wakeup", { fxt_any_wakeup, fxt_ns_wakeup, fxt_tsc_wakeup } },
	{ "sched_waking", { fxt_any_waking, fxt_quick_waking, fxt_quick_waking } },
	{ "sched_switch", { fxt_any_switch, fxt_ns_switch, fxt_tsc_switch } },
};

/* The signatures are held against this kernel's, at compile time. */
static void __maybe_unused fxt_check_probes(void)
{
	check_trace_callback_type_sched_process_fork(fxt_probe_fork);
	check_trace_callback_type_sched_process_exec(fxt_probe_exec);
	check_trace_callback_type_task_rename(fxt_probe_rename);
	check_trace_callback_type_sched_process_exit(fxt_probe_exit);
	check_trace_callback_type_sched_waking(fxt_any_waking);
	check_trace_callback_type_sched_waking(fxt_quick_waking);
	check_trace_callback_type_sched_wakeup(fxt_any_wakeup);
	check_trace_callback_type_sched_wakeup(fxt_ns_wakeup);
	check_trace_callback_type_sched_wakeup(fxt_tsc_wakeup);
	check_trace_callback_type_sched_wakeup_new(fxt_any_wakeup_new);
	check_trace_callback_type_sched_switch(fxt_any_switch);
	check_trace_callback_type_sched_switch(fxt_ns_switch);
	check_trace_callback_type_sched_switch(fxt_tsc_switch);
}

static void fxt_match_probe(struct tracepoint *tp, struct fxt_probe *probes,
			    unsigned int count)
{
	while (count--)
		if (!strcmp(tp->name, probes[count].name))
			probes[count].tp = tp;
}

static void fxt_match_tracepoint(struct tracepoint *tp, void *priv)
{
	fxt_match_probe(tp, fxt_name_probes, ARRAY_SIZE(fxt_name_probes));
	fxt_match_probe(tp, fxt_sched_probes, ARRAY_SIZE(fxt_sched_probes));
}

static int fxt_probes_missing(const struct fxt_probe *probes, unsigned int count)
{
	while (count--) {
		if (probes[count].tp)
			continue;
		pr_err("this kernel has no tracepoint %s: it cannot be traced\n",
		       probes[count].name);
		return -ENOENT;
	}
	return 0;
}

/**
 * fxt_probes_find() - find the tracepoints; they are exported to no module
 *
 * Context: may sleep; once, when the module is loaded.
 *
 * Return: 0, or -ENOENT with a line in the kernel log.
 */
int fxt_probes_find(void)
{
	int ret;

	for_each_kernel_tracepoint(fxt_match_tracepoint, NULL);
	ret = fxt_probes_missing(fxt_name_probes, ARRAY_SIZE(fxt_name_probes));
	if (!ret)
		ret = fxt_probes_missing(fxt_sched_probes,
					 ARRAY_SIZE(fxt_sched_probes));
	return ret;
}

static void *fxt_probe_func(const struct fxt_probe *probe,
			    const struct fxt_session *ss)
{
	enum fxt_probes which = FXT_PROBES_NS;

	if (ss->filter.active || ss->trigger.latency || ss->weight != FXT_WEIGHT_WEIGHT)
		which = FXT_PROBES_ANY;
	else if (ss->clock == FXT_CLOCK_TSC)
		which = FXT_PROBES_TSC;
	return probe->func[which];
}

static void fxt_probes_unregister(struct fxt_probe *probes, unsigned int count,
				  struct fxt_session *ss)
{
	while (count--)
		tracepoint_probe_unregister(probes[count].tp,
					    fxt_probe_func(&probes[count], ss), ss);
}

static int fxt_probes_register(struct fxt_probe *probes, unsigned int count,
			       struct fxt_session *ss)
{
	unsigned int i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = tracepoint_probe_register(probes[i].tp,
						fxt_probe_func(&probes[i], ss), ss);
		if (!ret)
			continue;
		pr_err("cannot register the probe of %s: error %d\n",
		       probes[i].name, ret);
		fxt_probes_unregister(probes, i, ss);
		return ret;
	}
	return 0;
}

/**
 * fxt_probes_start() - let events come in, which are not yet recorded
 * @ss: the session
 *
 * Context: may sleep.
 *
 * Return: 0 or a negative errno.
 */
int fxt_probes_start(struct fxt_session *ss)
{
	int ret;

	/* Of a trace before this one: nobody has seen what came after it. */
	fxt_sleepers_clear(&ss->sleepers);
	ret = fxt_clock_start(ss);
	if (ret)
		return ret;
	ret = fxt_probes_register(fxt_name_probes, ARRAY_SIZE(fxt_name_probes), ss);
	if (ret)
		goto out;
	/* Between the two: no thread is born or judged unseen, none sleeps without a place. */
	ret = fxt_sleepers_populate(&ss->sleepers);
	if (!ret) {
		fxt_filter_populate(ss);
		ret = fxt_probes_register(fxt_sched_probes,
					  ARRAY_SIZE(fxt_sched_probes), ss);
	}
	if (!ret)
		return 0;
	fxt_probes_unregister(fxt_name_probes, ARRAY_SIZE(fxt_name_probes), ss);
out:
	tracepoint_synchronize_unregister();
	fxt_clock_stop(ss);
	return ret;
}

/**
 * fxt_probes_wait() - wait for those that run: they may have seen an older
 * fxt_session.until
 *
 * Context: may sleep.
 */
void fxt_probes_wait(void)
{
	tracepoint_synchronize_unregister();
}

/**
 * fxt_probes_stop() - no event comes in any more; on return no probe runs
 * @ss: the session
 *
 * Context: may sleep.
 */
void fxt_probes_stop(struct fxt_session *ss)
{
	fxt_probes_unregister(fxt_sched_probes, ARRAY_SIZE(fxt_sched_probes), ss);
	fxt_probes_unregister(fxt_name_probes, ARRAY_SIZE(fxt_name_probes), ss);
	fxt_probes_wait();
	fxt_clock_stop(ss);
}
