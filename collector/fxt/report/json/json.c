// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json.c - struct report for programs: one object on one line.
 *
 * Keys never change. Times and durations are ns and end in _ns; integers beyond 2^53 are strings
 * of digits; names are null where the archive has none.
 *
 *  file, first_ns, last_ns, switches, wakeups: of the whole archive
 *  from_ns, to_ns, cpus_counted, threads_counted, processes_counted, busy_ns, idle_ns,
 *  offline_ns, unknown_ns, switches_counted: of the selected time and CPUs; the members below, too
 *  command: pid, name, threads, if only the threads of the command are shown that was recorded,
 *    and those that it has started; else null. The totals cover all
 *  sort, relative_error: of the percentiles, which are never too small
 *  woken, preempted, held_off, sleeps: sums over all threads shown
 *  findings: where threads lost time, what matters most first: list of kind, text (a sentence) and
 *    the numbers in it; those that a kind has not are null, or 0:
 *    name, threads, tid, nth: the victims, by name; tid and nth of a single one. pid: of a convoy
 *    cgroup: whose quota, or that of held threads. source: the interrupt
 *    cpu: where it happened. idle_cpu, idle_ns: the CPU that was idle meanwhile
 *    ns, of_ns: what they lost, of the time in which they existed; of a spike or trigger, of the
 *    wait; of serial, who ran alone, of the time in which one CPU was busy. at_least: not all was
 *    looked at
 *    direct_ns: of ns, while they did not sleep. count: waits or sleeps. longest_ns,
 *    longest_from_ns: the longest of them; of slow, on average. usual_ns, open: of a spike
 *    culprits, through, others, sleepers: lists of name, threads, tid (of one of them), ns and
 *    perhaps of_ns: who had the CPU; until whom the victims slept meanwhile; who else lost time in
 *    this way; who slept until the victims
 *  unlooked: number of threads that waited and were not looked at for findings
 *  cpus, names, cgroups, processes, threads, worst, and more if the archive has such events: tables,
 *    whose keys are those of the columns in report/tables/
 *  losses: told, damaged, deviations (from the format), contradictions, truncated (it has no end),
 *    skipped_records, skipped_bytes, lost, written,
 *    lost_names, buffer_full, streams, unknown_waits,
 *    violations, wakings (wakeups are those of sched_waking), filtered (text or null)
 *  stacks: of an archive that has stacks, an object of tables
 *  scheduling: false if the archive has no switch, no wakeup and no ledger; then slices, what it
 *    has instead: first_ns, last_ns, slices, async_slices, instants, flows (number of records),
 *    unended (slices without an end), unbegun (ends without a begin), unkept (slices whose self
 *    time is not known), and tables
 */
#include <fxt/fxt_catalogue.h>
#include <linux/fxt_sched.h>

#include "json.h"
#include "report/text/findings.h"
#include "report/tables/tables.h"
#include "table/json.h"

/* --- findings ---------------------------------------------------------------------------- */

static void print_victim(struct json *j, const struct report_finding *f)
{
	const struct report_party *p = &f->victim;

	json_thread_name(j, "name", p->thread->sched);
	json_number(j, "threads", p->threads);
	if (p->threads == 1) {
		json_number(j, "tid", p->thread->sched->koid);
		json_number(j, "nth", p->thread->sched->nth);
	} else {
		json_null(j, "tid");
		json_null(j, "nth");
	}
	if (f->kind == REPORT_FINDING_CONVOY)
		json_number(j, "pid", p->thread->process->koid);
	else
		json_null(j, "pid");
	json_text(j, "cgroup", f->cgroup);
	json_text(j, "source", f->origin ? f->origin->name : NULL);
}

static void print_finding_cpus(struct json *j, const struct report_finding *f)
{
	if (f->cpu != REPORT_NO_CPU)
		json_number(j, "cpu", f->cpu);
	else
		json_null(j, "cpu");
	if (f->idle_ns) {
		json_number(j, "idle_cpu", f->idle_cpu);
		json_number(j, "idle_ns", f->idle_ns);
	} else {
		json_null(j, "idle_cpu");
		json_null(j, "idle_ns");
	}
}

static void print_parties(struct json *j, const char *key, const struct report_party *p)
{
	unsigned int i;

	json_key(j, key);
	json_begin(j, '[');
	for (i = 0; i < REPORT_PARTIES && p[i].thread; i++) {
		json_item(j);
		json_begin(j, '{');
		json_thread_name(j, "name", p[i].thread->sched);
		json_number(j, "threads", p[i].threads);
		json_number(j, "tid", p[i].thread->sched->koid);
		json_number(j, "ns", p[i].ns);
		if (p[i].of)
			json_number(j, "of_ns", p[i].of);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void print_finding(struct json *j, const struct report *r, const struct report_finding *f)
{
	json_begin(j, '{');
	json_text(j, "kind", report_finding_name(f->kind));
	json_text(j, "text", report_sentence(r, f).text);
	print_victim(j, f);
	print_finding_cpus(j, f);
	json_number(j, "ns", f->victim.ns);
	json_number(j, "of_ns", f->victim.of);
	json_boolean(j, "at_least", f->is_part);
	json_number(j, "direct_ns", f->direct);
	json_number(j, "count", f->count);
	json_number(j, "longest_ns", f->longest);
	json_number(j, "longest_from_ns", f->longest_from);
	json_number(j, "usual_ns", f->usual);
	json_boolean(j, "open", f->is_open);
	print_parties(j, "culprits", f->culprits);
	print_parties(j, "through", f->through);
	print_parties(j, "others", f->others);
	print_parties(j, "sleepers", f->sleepers);
	json_end(j, '}');
}

static void print_findings(struct json *j, const struct report *r)
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

/* --- the report -------------------------------------------------------------------------- */

static void print_trigger(struct json *j, const struct report *r)
{
	const struct report_wait *w = &r->trigger;

	if (!r->has_trigger) {
		json_null(j, "trigger");
		return;
	}
	json_key(j, "trigger");
	json_begin(j, '{');
	if (r->cause == FXT_SCHED_CAUSE_LATENCY) {
		json_columns(j, r, columns_wait, w);
		json_boolean(j, "open", w->is_open);
	} else {
		json_number(j, "time_ns", w->time);
		if (r->cause == FXT_SCHED_CAUSE_RUNNABLE)
			json_number(j, "runnable", r->runnable);
		else
			json_number(j, "latency_ns", w->latency);
		json_number(j, "cpu", w->cpu);
		if (w->thread) {
			json_number(j, "tid", w->thread->sched->koid);
			json_thread_name(j, "name", w->thread->sched);
		} else {
			json_null(j, "tid");
			json_null(j, "name");
		}
	}
	json_text(j, "cause", sched_cause_word(r->cause));
	json_end(j, '}');
}

static void print_totals(struct json *j, const struct report *r,
			 const struct report_options *options)
{
	const struct report_totals *n = &r->totals;
	const struct activity all = { .n = &n->n, .waits = n->waits, .sleeps = n->sleeps };

	json_number(j, "first_ns", n->archive->first);
	json_number(j, "last_ns", n->archive->last);
	json_number(j, "switches", n->archive->switches);
	json_number(j, "wakeups", n->archive->wakeups);
	json_number(j, "from_ns", n->from);
	json_number(j, "to_ns", n->to);
	json_number(j, "cpus_counted", n->cpus);
	json_number(j, "threads_counted", n->threads);
	json_number(j, "processes_counted", n->processes);
	json_number(j, "busy_ns", n->busy);
	json_number(j, "idle_ns", n->idle);
	json_number(j, "offline_ns", n->offline);
	json_number(j, "unknown_ns", report_unknown(r));
	json_number(j, "switches_counted", n->switches);
	json_text(j, "sort", report_sort_name(options->sort));
	json_key(j, "relative_error");
	out_json_double(j->o, 1.0 / HIST_SUB);
	json_columns(j, r, columns_total_waits, &all);
	json_columns(j, r, columns_sleeps, &all);
}

static void print_losses(struct json *j, const struct report *r)
{
	const struct report_totals *n = &r->totals;

	json_key(j, "losses");
	json_begin(j, '{');
	json_boolean(j, "told", n->archive->ledgers);
	json_boolean(j, "truncated", n->archive->unclosed);
	json_boolean(j, "damaged", report_is_damaged(r));
	json_number(j, "deviations", n->reader->deviations);
	json_number(j, "contradictions", report_contradictions(r));
	json_number(j, "skipped_records", n->reader->skipped);
	json_number(j, "skipped_bytes", n->reader->skipped_bytes);
	json_number(j, "lost", n->archive->lost);
	json_number(j, "written", n->archive->written);
	json_number(j, "lost_names", n->lost_names);
	json_number(j, "buffer_full", n->buffer_full);
	json_table(j, r, &table_losses, SIZE_MAX);
	json_number(j, "unknown_waits", n->n.unknown);
	json_number(j, "violations", n->violations);
	json_boolean(j, "wakings", n->archive->has_wakings);
	json_text(j, "filtered", n->filtered);
	json_end(j, '}');
}

static void print_stacks(struct json *j, const struct report *r, size_t top)
{
	unsigned int kind;

	if (!r->stacks.has)
		return;
	json_key(j, "stacks");
	json_begin(j, '{');
	for (kind = 0; kind < REPORT_STACK_KINDS; kind++) {
		json_table(j, r, &table_stacks[kind], top);
		json_table(j, r, &table_functions[kind], top);
	}
	json_end(j, '}');
}

static void print_slices(struct json *j, const struct report *r, size_t top)
{
	const struct slices *s = r->slices;
	const struct table *const *table;

	json_boolean(j, "scheduling", !s);
	if (!s)
		return;
	json_key(j, "slices");
	json_begin(j, '{');
	json_number(j, "first_ns", s->first);
	json_number(j, "last_ns", s->last);
	json_number(j, "slices", s->slices);
	json_number(j, "async_slices", s->async);
	json_number(j, "instants", s->instants);
	json_number(j, "flows", s->flows);
	json_number(j, "unended", s->unended);
	json_number(j, "unbegun", s->unbegun);
	json_number(j, "unkept", s->unkept);
	for (table = tables_of_slices_in_json; *table; table++)
		json_table(j, r, *table, top);
	json_end(j, '}');
}

void report_print_json(struct out *o, const char *path, const struct report *r,
		       const struct report_options *options, size_t top)
{
	struct json j = { .o = o };
	const struct table *const *table;

	json_begin(&j, '{');
	json_text(&j, "file", path);
	print_totals(&j, r, options);
	scope_print_json(&j, &r->scope, r->thread_count);
	print_findings(&j, r);
	json_number(&j, "unlooked", r->unlooked);
	/*
	 * Rows have no histograms: they would be half of a page, which draws only those of the
	 * totals.
	 */
	j.is_brief = o->in_html;
	json_table(&j, r, &table_cpus, top);
	json_table(&j, r, &table_names, top);
	json_table(&j, r, &table_cgroups, top);
	json_table(&j, r, &table_processes, top);
	json_table(&j, r, &table_threads, top);
	print_trigger(&j, r);
	json_table(&j, r, &table_worst, SIZE_MAX);
	for (table = tables_in_json; *table; table++)
		json_table(&j, r, *table, top);
	print_stacks(&j, r, top);
	print_losses(&j, r);
	print_slices(&j, r, top);
	json_end(&j, '}');
	out_char(o, '\n');
}
