// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge.c - see judge.h.
 *
 * In: the events that misfit.c has kept.
 * Out: findings. Most can be judged only at the end of the archive, because only then it is
 * known whether a thread is hidden (it is never switched out), which process a thread
 * belongs to (its name may come later), whether events came late, and from which time all
 * CPUs are covered. One more finding has the number of events that were not kept.
 */
#include <inttypes.h>
#include <stdio.h>

#include "exec.h"
#include "findings.h"
#include "judge.h"
#include "misfit.h"
#include "online.h"
#include "unnamed.h"

static const char *state_text(char state)
{
	switch (state) {
	case SCHED_RUNNING:
		return "running";
	case 'R':
	case '+':
		return "waiting for a CPU";
	case 'T':
	case 't':
	case 'P':
		return "stopped";
	case 'Z':
	case 'X':
		return "dead";
	default:
		return "asleep";
	}
}

struct label {
	char text[96];
};

static struct label label(const struct sched_thread *t)
{
	struct label l;

	if (t->name[0])
		snprintf(l.text, sizeof(l.text), "thread %" PRIu64 " (%s)", t->koid, t->name);
	else
		snprintf(l.text, sizeof(l.text), "thread %" PRIu64, t->koid);
	return l;
}

static void tell_misfit(struct sched_model *m, const struct sched_misfit *f)
{
	struct label t = label(f->thread);
	const char *what;

	if (f->before) {
		struct label before = label(f->before);

		sched_tell(m, f->kind, true, 1, f->offset, f->time,
			   "cpu %u: %s is switched out, but %s was switched in (byte %" PRIu64 ")",
			   f->cpu, t.text, before.text, f->last_offset);
		return;
	}
	what = f->kind == SCHED_CHAIN ? "is switched out" :
	       f->kind == SCHED_TWO_CPUS || f->kind == SCHED_NOT_WOKEN ? "is switched in" :
									 "is woken";
	if (f->state == SCHED_RUNNING)
		sched_tell(m, f->kind, true, 1, f->offset, f->time,
			   "cpu %u: %s %s, but has been running on cpu %u since byte %" PRIu64,
			   f->cpu, t.text, what, f->state_cpu, f->last_offset);
	else
		sched_tell(m, f->kind, true, 1, f->offset, f->time,
			   "cpu %u: %s %s, but has been %s since byte %" PRIu64,
			   f->cpu, t.text, what, state_text(f->state), f->last_offset);
}

/* Misfits that hidden threads explain, beside the breaks after them. */
struct excuses {
	uint64_t hidden;
	uint64_t hidden_offset;
	uint64_t hidden_time;
	uint64_t late;
	struct sched_sum going;
	struct sched_sum reused;
};

static bool is_hidden(const struct sched_thread *t)
{
	return t->breaks && !t->switches;
}

/*
 * Is there a hidden thread, or is no thread of process 1 ever switched out? In a short
 * recording, process 1 may have been on a CPU only at its beginning or end, so that nothing
 * shows that it is hidden. A last switch proves nothing: a dead thread belongs to no process
 * any more.
 */
static bool any_hidden(const struct sched_model *m)
{
	bool init_named = false, init_seen = false;
	size_t i;

	for (i = 0; i < m->threads.count; i++) {
		const struct sched_thread *t = m->threads.list[i];

		if (is_hidden(t))
			return true;
		if (t->process != 1)
			continue;
		init_named = true;
		init_seen |= t->switches > sched_is_dead(t->state);
	}
	return init_named && !init_seen;
}

/*
 * The activity of hidden threads is not in the archive, so a thread may run without a visible
 * wakeup. If a thread that is never switched out was on some CPU since the thread was last
 * seen, it may have been the waker. It does not matter which one. A hidden thread's own sleep
 * is not visible either.
 */
static bool explained(const struct sched_misfit *f, bool hidden)
{
	if (f->self && !(f->before ? f->before : f->thread)->switches)
		return true;
	return hidden && f->others;
}

static void judge(struct sched_model *m, struct sched_misfit *f, bool hidden,
		  struct excuses *x)
{
	if (sched_is_exec(m, f) || sched_is_exec_leader(m, f) || sched_is_offline(f) ||
	    sched_is_back_online(f))
		return;
	if (sched_woken_by_leaving(m, f)) {
		sched_add(&x->going, 1, f->offset, f->time);
		return;
	}
	if (f->reused) {
		sched_add_unordered(&x->reused, 1, f->offset, f->time);
		return;
	}
	if (!f->before && sched_is_early(m, f->last_event)) {
		sched_add(&m->early, 1, f->offset, f->time);
		return;
	}
	if (explained(f, hidden)) {
		/* Breaks are reported with the thread that causes them. */
		if (!f->before && !x->hidden++) {
			x->hidden_offset = f->offset;
			x->hidden_time = f->time;
		}
		return;
	}
	if (f->self && f->before)
		f->before->breaks--;
	/* A CPU's own order does not depend on the others. */
	if (m->late.count && !f->before)
		x->late++;
	else
		tell_misfit(m, f);
}

/* First, because such a thread is never switched out and yet hides nothing. */
static void judge_known(struct sched_model *m)
{
	size_t i;

	for (i = 0; i < m->misfit_count[SCHED_CHAIN]; i++) {
		struct sched_misfit *f = &m->misfits[SCHED_CHAIN][i];
		bool offline = sched_is_offline(f);
		struct label t, before;

		if (!sched_is_exec(m, f) && !offline)
			continue;
		t = label(f->thread);
		before = label(f->before);
		if (f->self)
			f->before->breaks--;
		if (offline)
			sched_tell(m, SCHED_OFFLINE, false, 1, f->offset, f->time,
				   "cpu %u went offline after %s was switched in, and came back here",
				   f->cpu, before.text);
		else
			sched_tell(m, SCHED_EXEC, false, 1, f->offset, f->time,
				   "cpu %u: %s is switched out where %s was switched in: it was made leader of its process by execve()",
				   f->cpu, t.text, before.text);
	}
}

static void judge_rest(struct sched_model *m, enum sched_finding_kind kind, bool hidden)
{
	const struct sched_misfit *f = &m->first_more[kind];
	bool violation = !(m->late.count && !f->before) && !(hidden && f->others);

	if (m->misfit_more[kind] && sched_is_early(m, m->last_more[kind]))
		sched_add(&m->early, m->misfit_more[kind], f->offset, f->time);
	else if (m->misfit_more[kind])
		sched_tell(m, kind, violation, m->misfit_more[kind], f->offset, f->time,
			   "cpu %u: %" PRIu64 " more of this kind from here on",
			   f->cpu, m->misfit_more[kind]);
}

/* Breaks after threads that were never switched out, or only later. */
static void judge_breaks(struct sched_model *m)
{
	size_t i;

	for (i = 0; i < m->threads.count; i++) {
		const struct sched_thread *t = m->threads.list[i];
		struct label l;

		if (!t->breaks)
			continue;
		l = label(t);
		if (is_hidden(t))
			sched_tell(m, SCHED_HIDDEN, false, t->breaks, t->break_offset,
				   t->break_time,
				   "%s is switched in and never out (%" PRIu64 "): the kernel hides what happens while it runs",
				   l.text, t->breaks);
		else
			sched_tell(m, SCHED_CHAIN, true, t->breaks, t->break_offset,
				   t->break_time,
				   "more often (%" PRIu64 ") another thread is switched out where %s was switched in",
				   t->breaks, l.text);
	}
}

/*
 * If threads were filtered out, it is unknown what they did, and what was done to the
 * others. If CPUs were, it is unknown what a thread did there, but the other CPUs have
 * all their switches, so the thread that runs is known.
 */
static bool is_filtered(const struct sched_model *m, enum sched_finding_kind kind)
{
	return m->filter.threads ||
	       (m->filter.cpus && (kind == SCHED_NOT_WOKEN || kind == SCHED_WOKEN_RUNNABLE));
}

/* Traces of other programs may have no wakeups at all; our recordings always have them. */
static bool has_no_wakeups(const struct sched_model *m, enum sched_finding_kind kind)
{
	return kind == SCHED_NOT_WOKEN && !m->totals.wakeups &&
	       (!m->totals.ledgers || m->is_imported);
}

static void tell_no_wakeups(struct sched_model *m)
{
	const struct sched_misfit *first = m->misfits[SCHED_NOT_WOKEN];
	uint64_t count = m->misfit_count[SCHED_NOT_WOKEN] + m->misfit_more[SCHED_NOT_WOKEN];

	if (m->misfit_count[SCHED_NOT_WOKEN])
		sched_tell(m, SCHED_NOT_WOKEN, false, count, first->offset, first->time,
			   "no wakeups were recorded: waits are known after preemption only");
}

static void judge_filtered(struct sched_model *m, enum sched_finding_kind kind)
{
	size_t i;

	for (i = 0; i < m->misfit_count[kind]; i++)
		sched_filtered(m, 1, m->misfits[kind][i].offset, m->misfits[kind][i].time);
	if (m->misfit_more[kind])
		sched_filtered(m, m->misfit_more[kind], m->first_more[kind].offset,
			       m->first_more[kind].time);
	/* Breaks after threads that might be hidden. */
	for (i = 0; kind == SCHED_CHAIN && i < m->threads.count; i++) {
		const struct sched_thread *t = m->threads.list[i];

		if (t->breaks > SCHED_BREAKS_KEPT)
			sched_filtered(m, t->breaks - SCHED_BREAKS_KEPT, t->break_offset,
				       t->break_time);
	}
}

static void tell_filtered(struct sched_model *m)
{
	if (m->filtered.count)
		sched_tell(m, SCHED_FILTERED, false, m->filtered.count, m->filtered.offset,
			   m->filtered.time,
			   "threads have left their last recorded state unseen (%" PRIu64 "): the recording was filtered (%s)",
			   m->filtered.count, m->filter.text);
	else if (m->filter.cpus || m->filter.threads)
		sched_tell(m, SCHED_FILTERED, false, 1, m->filter.offset, 0,
			   "the recording was filtered (%s)", m->filter.text);
}

static void tell_excuses(struct sched_model *m, const struct excuses *x)
{
	if (x->hidden)
		sched_tell(m, SCHED_HIDDEN, false, x->hidden, x->hidden_offset, x->hidden_time,
			   "threads are switched in, switched out or woken against their last state (%" PRIu64 "): hidden threads explain it",
			   x->hidden);
	if (x->going.count)
		sched_tell(m, SCHED_OFFLINE, false, x->going.count, x->going.offset,
			   x->going.time,
			   "threads are switched in without a recorded wakeup (%" PRIu64 "): a CPU that was going offline woke them, which the kernel does not show",
			   x->going.count);
	if (m->execs.count)
		sched_tell(m, SCHED_EXEC, false, m->execs.count, m->execs.offset,
			   m->execs.time,
			   "more threads were made leaders of their processes by execve() (%" PRIu64 ")",
			   m->execs.count);
	if (m->coming.count)
		sched_tell(m, SCHED_OFFLINE, false, m->coming.count, m->coming.offset,
			   m->coming.time,
			   "threads that stop CPUs are switched in without a recorded wakeup (%" PRIu64 "): a CPU that was coming online woke them, which the kernel does not show",
			   m->coming.count);
	if (x->reused.count)
		sched_tell(m, SCHED_PID_REUSE, false, x->reused.count, x->reused.offset,
			   x->reused.time,
			   "threads are woken or switched in while others with their ids leave their CPUs for the last time (%" PRIu64 "): the kernel had reused the ids",
			   x->reused.count);
	if (m->late.count)
		sched_tell(m, SCHED_LATE, false, m->late.count, m->late.offset, m->late.time,
			   "events come too late in the file to be merged by time (%" PRIu64 "), which may be why others do not fit (%" PRIu64 ")",
			   m->late.count, x->late);
	if (m->after_loss.count)
		sched_tell(m, SCHED_AFTER_LOSS, false, m->after_loss.count,
			   m->after_loss.offset, m->after_loss.time,
			   "threads have left their last recorded state unseen (%" PRIu64 "): records were lost meanwhile",
			   m->after_loss.count);
	if (m->early.count)
		sched_tell(m, SCHED_PART, false, m->early.count, m->early.offset, m->early.time,
			   "threads have left their last recorded state unseen (%" PRIu64 "): not all CPUs are covered before %" PRIu64 " ns",
			   m->early.count, sched_complete(m));
	tell_filtered(m);
}

void sched_judge_finish(struct sched_model *m)
{
	struct excuses x = { 0 };
	size_t kind, i;
	bool hidden;

	if (!m->filter.threads)
		judge_known(m);
	hidden = any_hidden(m);
	for (kind = 0; kind < SCHED_MISFIT_KINDS; kind++) {
		if (is_filtered(m, kind)) {
			judge_filtered(m, kind);
			continue;
		}
		if (has_no_wakeups(m, kind)) {
			tell_no_wakeups(m);
			continue;
		}
		for (i = 0; i < m->misfit_count[kind]; i++)
			judge(m, &m->misfits[kind][i], hidden, &x);
		judge_rest(m, kind, hidden);
	}
	if (!m->filter.threads)
		judge_breaks(m);
	tell_excuses(m, &x);
	sched_tell_unnamed(m);
}
