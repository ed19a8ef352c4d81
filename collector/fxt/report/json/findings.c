// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * findings.c - what is wrong, in the JSON report.
 *
 *  findings: what is wrong, the most important first: list of kind, text (a sentence) and
 *    the numbers in it; those that a kind has not are null:
 *    name, threads, tid, nth: the threads concerned, by name; tid and nth of a single one
 *    pid: of a convoy. cgroup: the throttled one, or that of held threads. source: the interrupt of a flood
 *    cpu: where it happened. idle_cpu, idle_ns: the CPU that was idle meanwhile
 *    ns, of_ns: how much, of how much; of a spike, of_ns is the usual wait, 0 if unknown,
 *    and open says that the wait was not over at the end
 *    count: periods, waits, interrupts, or wakeups by each other. part_ns: what the named
 *    threads had, or waited while their cgroup was throttled
 *    culprit_tid, culprit_name, culprit_ns: who had the CPU during a spike
 */
#include "report/text/sentence.h"
#include "sections.h"

static void print_threads(struct json *j, const struct report_finding *f)
{
	if (f->thread)
		json_thread_name(j, "name", f->thread);
	else
		json_null(j, "name");
	json_number(j, "threads", f->threads);
	if (f->thread && f->threads == 1) {
		json_number(j, "tid", f->thread->sched->koid);
		json_number(j, "nth", f->thread->sched->nth);
	} else {
		json_null(j, "tid");
		json_null(j, "nth");
	}
	if (f->process)
		json_number(j, "pid", f->process->koid);
	else
		json_null(j, "pid");
	json_text(j, "cgroup", f->cgroup);
}

static void print_culprit(struct json *j, const struct report_wait *w)
{
	if (w && w->occupant_count) {
		json_number(j, "culprit_tid", w->occupants[0].thread->sched->koid);
		json_thread_name(j, "culprit_name", w->occupants[0].thread);
		json_number(j, "culprit_ns", w->occupants[0].ns);
	} else {
		json_null(j, "culprit_tid");
		json_null(j, "culprit_name");
		json_null(j, "culprit_ns");
	}
}

static void print_cpus(struct json *j, const struct report_finding *f)
{
	if (f->cpu != REPORT_NO_CPU)
		json_number(j, "cpu", f->cpu);
	else
		json_null(j, "cpu");
	if (f->kind == REPORT_FINDING_CROWD) {
		json_number(j, "idle_cpu", f->idle_cpu);
		json_number(j, "idle_ns", f->idle_ns);
	} else {
		json_null(j, "idle_cpu");
		json_null(j, "idle_ns");
	}
}

static void print_finding(struct json *j, const struct report *r, const struct report_finding *f)
{
	json_begin(j, '{');
	json_text(j, "kind", report_finding_name(f->kind));
	json_text(j, "text", report_sentence(r, f).text);
	print_threads(j, f);
	json_text(j, "source", f->share ? f->share->source->of->name : NULL);
	print_cpus(j, f);
	json_number(j, "ns", f->ns);
	json_number(j, "of_ns", f->of);
	json_number(j, "count", f->count);
	json_number(j, "part_ns", f->part_ns);
	print_culprit(j, f->wait);
	json_boolean(j, "open", f->wait && f->wait->is_open);
	json_end(j, '}');
}

void report_json_findings(struct json *j, const struct report *r)
{
	size_t i;

	json_key(j, "findings");
	json_begin(j, '[');
	for (i = 0; i < r->finding_count; i++) {
		json_item(j);
		print_finding(j, r, &r->findings[i]);
	}
	json_end(j, ']');
}
