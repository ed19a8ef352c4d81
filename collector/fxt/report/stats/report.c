// SPDX-License-Identifier: GPL-2.0-or-later
/* report.c - see report.h: names and sums for all output formats. */
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "report.h"

const char *report_irq_name(uint8_t irq)
{
	static const char * const names[] = {
		[FXT_SCHED_IRQ_HARD] = "hard",
		[FXT_SCHED_IRQ_SOFT] = "soft",
		[FXT_SCHED_IRQ_NMI] = "nmi",
	};

	return irq <= FXT_SCHED_IRQ_NMI ? names[irq] : NULL;
}

const char *report_signal_result(uint8_t result)
{
	static const char *const names[REPORT_SIGNAL_RESULTS] = {
		"sent", "ignored", "already pending", "queue full", "info lost",
	};

	return result < REPORT_SIGNAL_RESULTS ? names[result] : NULL;
}

const char *report_wait_name(enum report_wait_kind kind)
{
	static const char *const names[] = {
		[REPORT_WOKEN] = "woken",
		[REPORT_PREEMPTED] = "preempted",
		[REPORT_HELD] = "held off",
		[REPORT_EARLY] = "early",
	};

	return names[kind];
}

const char *report_finding_name(enum report_finding_kind kind)
{
	static const char *const names[] = {
#define FINDING_NAME(kind, name) [REPORT_FINDING_##kind] = name,
		REPORT_FINDING_KINDS(FINDING_NAME)
#undef FINDING_NAME
	};

	return names[kind];
}

const char *report_sort_name(enum report_sort sort)
{
	static const char *const names[] = {
#define SORT_NAME(sort, name) [REPORT_SORT_##sort] = name,
		REPORT_SORTS(SORT_NAME)
#undef SORT_NAME
	};

	return sort < REPORT_SORT_COUNT ? names[sort] : "?";
}

const char *report_name(const struct report_thread *t)
{
	if (!t->sched->koid)
		return "(idle)";
	return *t->sched->name ? t->sched->name : "?";
}

const char *report_process_name(const struct report_process *p)
{
	return *p->name ? p->name : "?";
}

const char *report_comm_name(const struct report_comm *c)
{
	return *c->name ? c->name : "?";
}

const char *report_origin_name(const struct report_origin *s)
{
	return s->of->path ? s->of->path : s->of->name;
}

const struct report_quota *report_quota_of(const struct report *r, const struct report_thread *t)
{
	const char *cgroup = scope_cgroup(t->sched);
	const struct report_quota *q, *most = NULL;
	size_t i;

	for (i = 0; *cgroup && i < r->kernel.quota_count; i++) {
		q = &r->kernel.quotas[i];
		if (q->counts[1] && sched_is_in_cgroup(cgroup, q->path) &&
		    (!most || q->counts[1] > most->counts[1]))
			most = q;
	}
	return most;
}

#define WEIGHT_IDLE_POLICY	3	/* weight of SCHED_IDLE, below that of nice 19 */

struct report_class report_class(int32_t weight)
{
	struct report_class c = { "" };
	int nice;

	if (weight == FXT_SCHED_WEIGHT_DL) {
		strcpy(c.text, "deadline");
	} else if (report_is_real_time(weight)) {
		snprintf(c.text, sizeof(c.text), "real-time %d", (weight - FXT_SCHED_WEIGHT_RT) % 100);
	} else if (weight == WEIGHT_IDLE_POLICY) {
		strcpy(c.text, "SCHED_IDLE");
	} else {
		for (nice = SCHED_FAIR_MIN_PRIO; nice < SCHED_MAX_PRIO; nice++)
			if (sched_nice_weights[nice - SCHED_FAIR_MIN_PRIO] == weight &&
			    nice != SCHED_NICE_0_PRIO)
				snprintf(c.text, sizeof(c.text), "nice %d", nice - SCHED_NICE_0_PRIO);
	}
	return c;
}

bool report_is_real_time(int32_t weight)
{
	return weight >= FXT_SCHED_WEIGHT_RT;
}

bool report_is_starved(const struct report_wait *w)
{
	const struct report_occupant *o = w->occupants;

	return w->weight && !report_is_real_time(w->weight) && w->occupant_count &&
	       report_is_real_time(o->weight) && o->ns > w->latency / 2;
}

bool report_lacks_irqs(const struct report *r, const struct report_wait *w)
{
	const struct report_occupant *o = w->occupants;

	return !report_has_irqs(&r->kernel) && report_is_real_time(w->weight) &&
	       w->occupant_count && !o->thread->is_idle && o->weight &&
	       !report_is_real_time(o->weight);
}

uint64_t report_window(const struct report *r)
{
	return r->totals.to > r->totals.from ? r->totals.to - r->totals.from : 0;
}

uint64_t report_contradictions(const struct report *r)
{
	return r->totals.contradictions - r->totals.archive->unclosed;
}

bool report_is_damaged(const struct report *r)
{
	return r->totals.reader->deviations || report_contradictions(r);
}

uint64_t report_unknown(const struct report *r)
{
	const struct report_totals *n = &r->totals;
	uint64_t all = report_window(r) * n->cpus, known = n->busy + n->idle + n->offline;

	return all > known ? all - known : 0;
}

uint64_t report_waited_ns(struct report_waits *const *waits)
{
	unsigned int kind;
	uint64_t ns = 0;

	for (kind = 0; kind < REPORT_KINDS; kind++)
		ns += waits[kind] ? waits[kind]->hist.sum : 0;
	return ns;
}

uint64_t report_slept_ns(struct report_sleeps *const *sleeps)
{
	unsigned int kind;
	uint64_t ns = 0;

	for (kind = 0; kind < REPORT_SLEEPS; kind++)
		ns += sleeps[kind] ? sleeps[kind]->ns + sleeps[kind]->cut_ns : 0;
	return ns;
}

double report_share(const struct report *r, uint64_t run)
{
	double all = (double)report_window(r) * r->totals.cpus;

	return all > 0 ? run / all : 0;
}
