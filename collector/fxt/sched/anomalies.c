// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * anomalies.c - events that no scheduler or producer can cause, and possible explanations.
 *
 * In: events that contradict the state of a thread or CPU; all threads, at the end.
 * Out: anomalies. A misfit is kept until the end of the archive, because only then it is known
 * whether a thread is hidden (never switched out), which process a thread belongs to (its name may
 * come later), whether events came late, and from which time all CPUs are covered. The number of
 * each kind is limited to what people read; one more anomaly has the count of the others.
 *
 * CPUs that go offline and come online: tracepoints fire only on CPUs that are marked online. A CPU
 * that goes offline runs on for a while after it is unmarked, and one that comes online runs before
 * it is marked. No tracer sees what it does meanwhile.
 *
 * A thread that becomes the leader of its process in execve(): it and the leader, which has to die
 * first, exchange their ids. The new leader runs meanwhile: its CPU switches out a thread that was
 * never switched in there. The old leader already counts as dead, but may not have left its CPU for
 * the last time: it runs on another CPU, or was preempted on its last steps, for example by the
 * thread that waits for its end. It takes these steps under the id of the other thread.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anomalies.h"

/* --- reports and counts ------------------------------------------------------------------ */

#define TEXT_BYTES	400

void sched_found(struct sched_model *m, enum sched_anomaly_kind kind, bool violation,
		 uint64_t count, uint64_t offset, uint64_t time, const char *format, ...)
{
	char text[TEXT_BYTES];
	struct sched_anomaly f = { kind, violation, count, offset, time, text };
	va_list args;
	int n;

	if (!m->ops->anomaly)
		return;
	n = snprintf(text, sizeof(text), "byte %" PRIu64 ": ", offset);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	m->ops->anomaly(m->arg, &f);
}

/* @offset: of the first of @count more anomalies */
static void add_to_sum(struct sched_sum *sum, uint64_t count, uint64_t offset, uint64_t time)
{
	if (!sum->count) {
		sum->offset = offset;
		sum->time = time;
	}
	sum->count += count;
}

static void add_misfit(struct sched_sum *sum, const struct sched_misfit *f)
{
	add_to_sum(sum, 1, f->offset, f->time);
}

/* Likewise, for anomalies that are out of the order of time. */
static void add_to_sum_unordered(struct sched_sum *sum, uint64_t count, uint64_t offset,
				 uint64_t time)
{
	if (sum->count && time < sum->time) {
		sum->offset = offset;
		sum->time = time;
	}
	add_to_sum(sum, count, offset, time);
}

void sched_late(struct sched_model *m, const struct sched_event *e)
{
	add_to_sum(&m->late, 1, e->offset, e->time);
	m->totals.late++;
}

void sched_idle_inside(struct sched_model *m, const struct sched_event *e)
{
	add_to_sum(&m->idle_inside, 1, e->offset, e->time);
}

void sched_filtered(struct sched_model *m, uint64_t count, uint64_t offset, uint64_t time)
{
	add_to_sum_unordered(&m->filtered, count, offset, time);
}

/* --- CPUs that go offline and come online ------------------------------------------------ */

#define CHANGING_NS	1000000000ULL	/* longer than a CPU takes to go offline or online */

bool sched_is_stopper(const struct sched_thread *t, uint16_t cpu)
{
	unsigned int number;
	int length = 0;

	if (sscanf(t->name, "migration/%u%n", &number, &length) != 1)
		return false;
	/* In a merged archive, CPUs have other numbers, and names end with the machine's. */
	return t->name[length] ? !strncmp(t->name + length, " [", 2) : number == cpu;
}

/*
 * A CPU that goes offline switches from its last thread, the stopper, to the idle thread after it
 * was marked offline.
 */
static bool is_offline(const struct sched_misfit *f)
{
	return f->before && !f->thread->koid && sched_is_stopper(f->before, f->cpu);
}

/* When the CPU comes back, its stopper is woken before its first switch. */
static bool is_back_online(const struct sched_misfit *f)
{
	return f->kind == SCHED_WOKEN_RUNNING && sched_is_stopper(f->thread, f->state_cpu);
}

/*
 * Until it is gone, the CPU can wake any sleeping thread without a record. Its last record switches
 * its stopper in.
 */
static void find_leaving(const struct sched_model *m, struct sched_misfit *f)
{
	const struct sched_cpu *cpu = m->cpu_list;
	unsigned int n;

	for (n = 0; cpu && n < SCHED_LOOK_CPUS; n++, cpu = cpu->next) {
		if (cpu->gone && f->last_event <= cpu->gone + CHANGING_NS)
			f->going = true;
		else if (cpu->current && sched_is_stopper(cpu->current, cpu->number) &&
			 f->last_event <= cpu->since + CHANGING_NS)
			f->leaving = cpu->offset;
	}
}

void sched_find_going(struct sched_model *m, struct sched_cpu *cpu)
{
	struct sched_misfit *f = m->misfits[SCHED_NOT_WOKEN];
	struct sched_misfit *end = f + m->misfit_count[SCHED_NOT_WOKEN];

	cpu->gone = cpu->since;
	for (; f < end; f++)
		f->going |= f->leaving && f->leaving == cpu->offset;
}

/* Was the switch at this byte the last one of a CPU before it went offline? */
static bool has_left(const struct sched_model *m, uint64_t offset)
{
	const struct sched_cpu *cpu;
	size_t i;

	if (!offset)
		return false;
	for (i = 0; i < m->misfit_count[SCHED_CHAIN]; i++)
		if (m->misfits[SCHED_CHAIN][i].last_offset == offset &&
		    is_offline(&m->misfits[SCHED_CHAIN][i]))
			return true;
	for (cpu = m->cpu_list; cpu; cpu = cpu->next)
		if (cpu->current && cpu->offset == offset)
			return true;
	return false;
}

/* At the end: did a CPU going offline wake the thread? */
static bool woken_by_leaving(const struct sched_model *m, const struct sched_misfit *f)
{
	return f->going || has_left(m, f->leaving);
}

/*
 * A CPU that comes online wakes the stoppers of all others, which wait while it sets up its memory
 * types to match theirs. Only then is it marked online, and its first record marks its idle thread
 * or switches it out. With many CPUs there are many of these misfits, so they are only counted.
 */
void sched_find_coming(struct sched_model *m, const struct sched_event *e)
{
	struct sched_misfit *list = m->misfits[SCHED_NOT_WOKEN];
	size_t count = m->misfit_count[SCHED_NOT_WOKEN], first = count, i;

	/* If threads are filtered out, chains break wherever they ran. */
	if (e->a || m->filter.threads)
		return;
	while (first && list[first - 1].time + CHANGING_NS >= e->time)
		first--;
	m->misfit_count[SCHED_NOT_WOKEN] = first;
	for (i = first; i < count; i++)
		if (sched_is_stopper(list[i].thread, list[i].cpu))
			add_misfit(&m->coming, &list[i]);
		else
			list[m->misfit_count[SCHED_NOT_WOKEN]++] = list[i];
}

/* --- execve() of a thread that is not the leader ----------------------------------------- */

/* A leader that was preempted may have been switched in again without a record. */
static bool has_exec(const struct sched_model *m, const struct sched_misfit *f,
		     const struct sched_thread *leader)
{
	return leader->exec_time >= f->since || m->lost_names;
}

/* A thread whose name was lost may belong to any process. */
static bool may_be_of(const struct sched_model *m, const struct sched_thread *t, uint64_t process)
{
	return t->process == process || (m->lost_names && !t->named);
}

/* Did an execve() by a thread other than the leader break this chain? */
static bool is_exec(const struct sched_model *m, const struct sched_misfit *f)
{
	const struct sched_thread *out = f->thread, *in = f->before;

	if (!in || in == out || !out->koid || !in->koid)
		return false;
	/* The new leader is switched out where a thread of its process was switched in. */
	if (may_be_of(m, in, out->koid))
		return sched_is_dead(f->state) ||
		       (sched_is_runnable(f->state) && has_exec(m, f, out)) ||
		       (f->state == SCHED_RUNNING && f->state_cpu != f->cpu) ||
		       (f->state == SCHED_UNKNOWN &&
			(in->last_offset == f->last_offset || has_exec(m, f, out)));
	/* The old leader is switched out under the id of that thread, dead or preempted. */
	return may_be_of(m, out, in->koid) &&
	       (sched_is_dead(f->out_state) ||
		(sched_is_runnable(f->out_state) && has_exec(m, f, in)));
}

/* Does an old leader run under the id of such a thread? */
static bool is_exec_leader(const struct sched_model *m, const struct sched_misfit *f)
{
	const struct sched_misfit *chain = m->misfits[SCHED_CHAIN];
	size_t i;

	if (f->kind != SCHED_TWO_CPUS || f->exec)
		return f->exec;
	for (i = 0; i < m->misfit_count[SCHED_CHAIN]; i++)
		if (chain[i].before == f->thread && chain[i].last_offset == f->last_offset &&
		    is_exec(m, &chain[i]))
			return true;
	return false;
}

static void fold_execs(struct sched_model *m)
{
	struct sched_misfit *chain = m->misfits[SCHED_CHAIN];
	size_t i, n = 0;

	for (i = 0; i < m->misfit_count[SCHED_TWO_CPUS]; i++)
		m->misfits[SCHED_TWO_CPUS][i].exec =
			is_exec_leader(m, &m->misfits[SCHED_TWO_CPUS][i]);
	for (i = 0; i < m->misfit_count[SCHED_CHAIN]; i++) {
		if (!is_exec(m, &chain[i])) {
			chain[n++] = chain[i];
			continue;
		}
		add_misfit(&m->execs, &chain[i]);
		if (chain[i].self)
			chain[i].before->breaks--;
	}
	m->misfit_count[SCHED_CHAIN] = n;
}

/* --- events that do not fit -------------------------------------------------------------- */

static bool in_gap(const struct sched_model *m, const struct sched_thread *t)
{
	return m->gap_to && (t->last_event <= m->gap_to ||
			     t->last_event - m->gap_to <= SCHED_CLOCK_STEP);
}

bool sched_is_early(const struct sched_model *m, uint64_t last)
{
	uint64_t complete = sched_complete(m);

	return complete && (last <= complete || last - complete <= SCHED_CLOCK_STEP);
}

/* Was the thread only switched in so far, never out? */
static bool may_hide(const struct sched_thread *t)
{
	return t->koid && !t->switches;
}

/*
 * Has a thread that may be hidden run since this one was last seen? A thread that was on a CPU when
 * the recording began may be hidden, too: no record shows when it was switched in.
 */
static bool hidden_ran(const struct sched_model *m, const struct sched_thread *t)
{
	const struct sched_cpu *cpu = m->cpu_list;
	unsigned int n;

	if (t->is_missed || (m->hidden_until && m->hidden_until >= t->last_event))
		return true;
	for (n = 0; cpu && n < SCHED_LOOK_CPUS; n++, cpu = cpu->next)
		if (!cpu->current || may_hide(cpu->current))
			return true;
	return false;
}

bool sched_is_unseen(const struct sched_model *m, const struct sched_thread *t)
{
	return in_gap(m, t) || hidden_ran(m, t);
}

static bool is_full(const struct sched_model *m, enum sched_anomaly_kind kind)
{
	return m->misfit_count[kind] == SCHED_MISFITS_PER_KIND && m->misfit_more[kind];
}

/* The order of events on one CPU is complete from the beginning. */
static void count_more(struct sched_model *m, const struct sched_misfit *f)
{
	uint64_t *last = &m->last_more[f->kind];
	uint64_t this = f->before ? UINT64_MAX : f->last_event;

	*last = this > *last ? this : *last;
	m->misfit_more[f->kind]++;
}

static void keep_misfit(struct sched_model *m, const struct sched_misfit *f)
{
	struct sched_misfit **list = &m->misfits[f->kind];

	if (!*list)
		*list = must(calloc(SCHED_MISFITS_PER_KIND, sizeof(**list)));
	if (m->misfit_count[f->kind] < SCHED_MISFITS_PER_KIND) {
		(*list)[m->misfit_count[f->kind]++] = *f;
		return;
	}
	if (!m->misfit_more[f->kind])
		m->first_more[f->kind] = *f;
	count_more(m, f);
}

void sched_misfit(struct sched_model *m, enum sched_anomaly_kind kind,
		  const struct sched_event *e, struct sched_thread *t,
		  struct sched_thread *before)
{
	struct sched_misfit f = {
		.kind = kind,
		.cpu = e->cpu,
		.state = t->state,
		.state_cpu = t->cpu,
		.out_state = e->state,
		.offset = e->offset,
		.time = e->time,
		.last_offset = before ? m->cpus[e->cpu]->offset : t->last_offset,
		.last_event = t->last_event,
		.since = before ? m->cpus[e->cpu]->since : 0,
		.thread = t,
		.before = before,
		.self = may_hide(before ? before : t),
	};

	if (!before && in_gap(m, t)) {
		add_misfit(&m->after_loss, &f);
		return;
	}
	if (!before && sched_is_early(m, t->last_event)) {
		add_misfit(&m->early, &f);
		return;
	}
	if (before && f.self) {
		m->hidden_until = e->time;
		if (!before->breaks++) {
			before->break_offset = e->offset;
			before->break_time = e->time;
		}
		if (before->breaks > SCHED_BREAKS_KEPT)
			return;
	}
	if (kind == SCHED_CHAIN && m->misfit_count[kind] == SCHED_MISFITS_PER_KIND &&
	    !m->misfit_more[kind])
		fold_execs(m);
	if (is_full(m, kind)) {
		count_more(m, &f);
		return;
	}
	/* A thread switched out after an unknown one may have followed a hidden one. */
	f.others = !before && (kind == SCHED_CHAIN || hidden_ran(m, t));
	if (kind == SCHED_NOT_WOKEN)
		find_leaving(m, &f);
	if (before && is_offline(&f))
		m->cpus[e->cpu]->gone = m->cpus[e->cpu]->since;
	keep_misfit(m, &f);
}

bool sched_reused(struct sched_model *m, const struct sched_thread *t, uint16_t cpu)
{
	static const enum sched_anomaly_kind kinds[] = { SCHED_TWO_CPUS, SCHED_WOKEN_RUNNING };
	struct sched_misfit *f;
	bool found = false;
	size_t i, k;

	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		for (i = 0; i < m->misfit_count[kinds[k]]; i++) {
			f = &m->misfits[kinds[k]][i];
			if (f->thread != t || f->state_cpu != cpu)
				continue;
			f->reused = true;
			found = true;
		}
	return found;
}

/* --- threads without a name -------------------------------------------------------------- */

#define UNNAMED_TOLD	100

/* @u: threads without a name for the same reason */
static void found_unnamed(struct sched_model *m, const struct sched_sum *u, bool violation,
			  const char *more, const char *why)
{
	if (u->count)
		sched_found(m, SCHED_UNNAMED, violation, u->count, u->offset, 0,
			    "%sthreads have no kernel object record (%" PRIu64 ")%s",
			    more, u->count, why);
}

/*
 * May the thread be about to end? The kernel removes a thread from its lists before its end: a
 * thread that is preempted on its last steps cannot be queried any more, and may not reach its last
 * switch while the recording runs. At that point a thread hardly sleeps, so one that sleeps or was
 * woken is not excused; nor is one whose last switch came when wakeups were recorded but switches
 * were not. A filter hides whether a thread is preempted.
 */
static bool may_be_ending(const struct sched_model *m, const struct sched_thread *t)
{
	if (t->state == SCHED_UNKNOWN)
		return (t->woke_early && !t->last_event) || (t->at_end && !t->is_woken) ||
		       (m->filter.threads && !t->is_woken);
	return (t->state == SCHED_RUNNING || t->state == '+') && !t->is_woken;
}

/*
 * The names of existing threads are read after the recording has begun, so a thread that ends just
 * then has none. A later thread always has a name. Other tracers may lack names.
 */
static void report_unnamed(struct sched_model *m)
{
	bool violation = m->totals.ledgers && !m->lost_names && !m->has_others && !m->lacks_names &&
			 !m->totals.is_imported;
	struct sched_sum ending = { 0 }, later = { 0 }, unseen = { 0 }, rest = { 0 }, *u;
	unsigned int told = 0;
	size_t i;

	for (i = 0; i < m->threads.count; i++) {
		const struct sched_thread *t = m->threads.list[i];

		if (t->named || !t->koid || !t->last_offset)
			continue;
		u = sched_is_dead(t->state) || (violation && may_be_ending(m, t)) ? &ending : &rest;
		/* The record of its end may be lost. */
		if (u == &rest && violation && in_gap(m, t))
			u = &unseen;
		if (t->before)
			u = &later;
		if (u == &rest && violation && told < UNNAMED_TOLD) {
			sched_fault(m, SCHED_UNNAMED, t->first_offset, 0,
				    "thread %" PRIu64 " has no kernel object record",
				    t->koid);
			told++;
			continue;
		}
		add_to_sum(u, 1, t->first_offset, 0);
	}
	found_unnamed(m, &ending, false, "",
		      ": they ended, or were about to, before they could be named");
	found_unnamed(m, &unseen, false, "",
		      ": they may have ended before they could be named, where records were lost");
	found_unnamed(m, &later, false, "", ": no fork record gave them their ids");
	found_unnamed(m, &rest, violation, violation ? "more " : "",
		      violation ? "" : m->lost_names ? ": names were lost" :
		      m->lacks_names ? ": they are outside the pid namespace of the recorder" :
		      ", so neither name nor process");
}

/* --- at the end: what explains them? ----------------------------------------------------- */

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

static void report_misfit(struct sched_model *m, const struct sched_misfit *f)
{
	struct label t = label(f->thread);
	const char *what;

	if (f->before) {
		sched_fault(m, f->kind, f->offset, f->time,
			    "cpu %u: %s is switched out, but %s was switched in (byte %" PRIu64 ")",
			    f->cpu, t.text, label(f->before).text, f->last_offset);
		return;
	}
	what = f->kind == SCHED_CHAIN ? "is switched out" :
	       f->kind == SCHED_TWO_CPUS || f->kind == SCHED_NOT_WOKEN ? "is switched in" :
									 "is woken";
	if (f->state == SCHED_RUNNING)
		sched_fault(m, f->kind, f->offset, f->time,
			    "cpu %u: %s %s, but has been running on cpu %u since byte %" PRIu64,
			    f->cpu, t.text, what, f->state_cpu, f->last_offset);
	else
		sched_fault(m, f->kind, f->offset, f->time,
			    "cpu %u: %s %s, but has been %s since byte %" PRIu64,
			    f->cpu, t.text, what, state_text(f->state), f->last_offset);
}

/* Misfits that hidden threads explain, besides the breaks after them. */
struct excuses {
	uint64_t late;
	struct sched_sum hidden;
	struct sched_sum going;
	struct sched_sum reused;
};

static bool is_hidden(const struct sched_thread *t)
{
	return t->breaks && !t->switches;
}

/*
 * Is there a hidden thread, or is no thread of process 1 ever switched out? In a short recording,
 * process 1 may have had a CPU only at the beginning or end, which does not show that it is hidden.
 * A last switch proves nothing: a dead thread belongs to no process any more.
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
 * A hidden thread may have woken the thread, if it was on a CPU since the thread was last seen. A
 * hidden thread's own sleep is not visible either.
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
	if (is_exec(m, f) || is_exec_leader(m, f) || is_offline(f) ||
	    is_back_online(f))
		return;
	if (woken_by_leaving(m, f)) {
		add_misfit(&x->going, f);
		return;
	}
	if (f->reused) {
		add_to_sum_unordered(&x->reused, 1, f->offset, f->time);
		return;
	}
	if (!f->before && sched_is_early(m, f->last_event)) {
		add_misfit(&m->early, f);
		return;
	}
	if (explained(f, hidden)) {
		/* Breaks of a chain are reported with the thread that causes them. */
		if (!f->before)
			add_misfit(&x->hidden, f);
		return;
	}
	if (f->self && f->before)
		f->before->breaks--;
	/* A CPU's own order does not depend on the others. */
	if (m->late.count && !f->before)
		x->late++;
	else
		report_misfit(m, f);
}

/* Check this first, because such a thread is never switched out and yet hides nothing. */
static void judge_known(struct sched_model *m)
{
	size_t i;

	for (i = 0; i < m->misfit_count[SCHED_CHAIN]; i++) {
		struct sched_misfit *f = &m->misfits[SCHED_CHAIN][i];
		bool offline = is_offline(f);

		if (!is_exec(m, f) && !offline)
			continue;
		if (f->self)
			f->before->breaks--;
		if (offline)
			sched_found(m, SCHED_OFFLINE, false, 1, f->offset, f->time,
				    "cpu %u went offline after %s was switched in, and came back here",
				    f->cpu, label(f->before).text);
		else
			sched_found(m, SCHED_EXEC, false, 1, f->offset, f->time,
				    "cpu %u: %s is switched out where %s was switched in: it was made leader of its process by execve()",
				    f->cpu, label(f->thread).text, label(f->before).text);
	}
}

static void judge_rest(struct sched_model *m, enum sched_anomaly_kind kind, bool hidden)
{
	const struct sched_misfit *f = &m->first_more[kind];
	bool violation = !(m->late.count && !f->before) && !(hidden && f->others);

	if (m->misfit_more[kind] && sched_is_early(m, m->last_more[kind]))
		add_to_sum(&m->early, m->misfit_more[kind], f->offset, f->time);
	else if (m->misfit_more[kind])
		sched_found(m, kind, violation, m->misfit_more[kind], f->offset, f->time,
			    "cpu %u: %" PRIu64 " more of this kind from here on",
			    f->cpu, m->misfit_more[kind]);
}

/* Breaks after threads that were never switched out, or only later. */
static void judge_breaks(struct sched_model *m)
{
	size_t i;

	for (i = 0; i < m->threads.count; i++) {
		const struct sched_thread *t = m->threads.list[i];

		if (!t->breaks)
			continue;
		if (is_hidden(t))
			sched_found(m, SCHED_HIDDEN, false, t->breaks, t->break_offset,
				    t->break_time,
				    "%s is switched in but never out (%" PRIu64 "): the kernel "
				    "hides what happens while it runs",
				    label(t).text, t->breaks);
		else
			sched_found(m, SCHED_CHAIN, true, t->breaks, t->break_offset,
				    t->break_time,
				    "more often (%" PRIu64 ") another thread is switched out where %s was switched in",
				    t->breaks, label(t).text);
	}
}

/*
 * If threads were filtered out, what they did is unknown, also to other threads. If CPUs were, what
 * a thread did there is unknown, but the other CPUs have all switches, so their running threads are
 * known.
 */
static bool is_filtered(const struct sched_model *m, enum sched_anomaly_kind kind)
{
	return m->filter.threads ||
	       (m->filter.cpus && (kind == SCHED_NOT_WOKEN || kind == SCHED_WOKEN_RUNNABLE));
}

/* Traces of other programs may have no wakeups at all; our recordings always have them. */
static bool has_no_wakeups(const struct sched_model *m, enum sched_anomaly_kind kind)
{
	return kind == SCHED_NOT_WOKEN && !m->totals.wakeups &&
	       (!m->totals.ledgers || m->totals.is_imported);
}

static void report_no_wakeups(struct sched_model *m)
{
	const struct sched_misfit *first = m->misfits[SCHED_NOT_WOKEN];
	uint64_t count = m->misfit_count[SCHED_NOT_WOKEN] + m->misfit_more[SCHED_NOT_WOKEN];

	if (m->misfit_count[SCHED_NOT_WOKEN])
		sched_found(m, SCHED_NOT_WOKEN, false, count, first->offset, first->time,
			    "no wakeups were recorded: only waits after a preemption are known");
}

static void judge_filtered(struct sched_model *m, enum sched_anomaly_kind kind)
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

/* Report a sum as a note; @format has "%" PRIu64 for the count. */
#define FOUND_SUM(m, kind, sum, format, ...)						\
	do {										\
		if ((sum)->count)							\
			sched_found(m, kind, false, (sum)->count, (sum)->offset,	\
				    (sum)->time, format, (sum)->count, ##__VA_ARGS__);	\
	} while (0)

static void report_filtered(struct sched_model *m)
{
	FOUND_SUM(m, SCHED_FILTERED, &m->filtered,
		  "threads left their last recorded state without a record (%" PRIu64 "): the recording was filtered (%s)",
		  m->filter.text);
	if (!m->filtered.count && (m->filter.cpus || m->filter.threads))
		sched_found(m, SCHED_FILTERED, false, 1, m->filter.offset, 0,
			    "the recording was filtered (%s)", m->filter.text);
}

static void report_excuses(struct sched_model *m, const struct excuses *x)
{
	FOUND_SUM(m, SCHED_HIDDEN, &x->hidden,
		  "threads are switched in, switched out or woken although their last state contradicts that (%" PRIu64 "): hidden threads explain it");
	FOUND_SUM(m, SCHED_OFFLINE, &x->going,
		  "threads are switched in without a recorded wakeup (%" PRIu64 "): a CPU that was going offline woke them, which the kernel does not show");
	FOUND_SUM(m, SCHED_EXEC, &m->execs,
		  "more threads were made leaders of their processes by execve() (%" PRIu64 ")");
	FOUND_SUM(m, SCHED_OFFLINE, &m->coming,
		  "stopper threads are switched in without a recorded wakeup (%" PRIu64 "): a CPU that was coming online woke them, which the kernel does not show");
	FOUND_SUM(m, SCHED_PID_REUSE, &x->reused,
		  "threads are woken or switched in while others with their ids leave their CPUs for the last time (%" PRIu64 "): the kernel had reused the ids");
	FOUND_SUM(m, SCHED_LATE, &m->late,
		  "events came too late in the file to be merged by time (%" PRIu64 "), which may explain other contradictions (%" PRIu64 ")",
		  x->late);
	FOUND_SUM(m, SCHED_AFTER_LOSS, &m->after_loss,
		  "threads left their last recorded state without a record (%" PRIu64 "): records were lost meanwhile");
	FOUND_SUM(m, SCHED_PART, &m->early,
		  "threads left their last recorded state without a record (%" PRIu64 "): not all CPUs are covered before %" PRIu64 " ns",
		  sched_complete(m));
	report_filtered(m);
}

static void report_idle_inside(struct sched_model *m)
{
	const struct sched_sum *sum = &m->idle_inside;

	if (sum->count && !m->threads.is_rt)
		sched_found(m, SCHED_NESTING, true, sum->count, sum->offset, sum->time,
			    "soft interrupts have idle states inside them (%" PRIu64 ")", sum->count);
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
			report_no_wakeups(m);
			continue;
		}
		for (i = 0; i < m->misfit_count[kind]; i++)
			judge(m, &m->misfits[kind][i], hidden, &x);
		judge_rest(m, kind, hidden);
	}
	if (!m->filter.threads)
		judge_breaks(m);
	report_excuses(m, &x);
	report_idle_inside(m);
	report_unnamed(m);
}
