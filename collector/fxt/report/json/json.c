// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json.c - struct report for programs: one object on one line. Its members never change; schema.c
 * lists them.
 */
#include <inttypes.h>
#include <stdio.h>

#include <fxt/fxt_catalogue.h>
#include <linux/fxt_sched.h>

#include "json.h"
#include "report/text/sections.h"
#include "report/tables/tables.h"
#include "sched/functions.h"
#include "table/json.h"

static void print_victim(struct json *j, const struct report_finding *f)
{
	const struct report_party *p = &f->victim;

	json_thread_name(j, "name", p->thread->sched);
	json_number(j, "threads", p->threads);
	json_number_if(j, "tid", p->threads == 1, p->thread->sched->koid);
	json_number_if(j, "nth", p->threads == 1, p->thread->sched->nth);
	json_number_if(j, "pid", f->kind == REPORT_FINDING_CONVOY, p->thread->process->koid);
	json_text(j, "cgroup", f->cgroup);
	json_text(j, "source", f->origin ? f->origin->name : f->lock ? f->lock->of->name : NULL);
	if (f->lock)
		json_text(j, "lock", f->lock->address);
}

static void print_finding_cpus(struct json *j, const struct report_finding *f)
{
	json_number_if(j, "cpu", f->cpu != REPORT_NO_CPU, f->cpu);
	json_number_if(j, "idle_cpu", f->idle_ns, f->idle_cpu);
	json_number_if(j, "idle_ns", f->idle_ns, f->idle_ns);
}

static void print_parties(struct json *j, const char *key, const struct report_party *p)
{
	unsigned int i;

	json_array(j, key);
	for (i = 0; i < REPORT_PARTIES && p[i].thread; i++) {
		json_object(j, NULL);
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

	json_array(j, "findings");
	for (i = 0; i < r->finding_count; i++) {
		json_item(j);
		print_finding(j, r, &r->findings[i]);
	}
	json_end(j, ']');
}

static void print_trigger_lock(struct json *j, const struct report *r)
{
	const struct report_trigger_lock *lock = &r->trigger_lock;
	const struct report_thread *holder = lock->holder;
	char address[SCHED_ADDRESS_BYTES];

	if (lock->of)
		snprintf(address, sizeof(address), "0x%" PRIx64, lock->of->number);
	json_text(j, "lock", lock->of ? lock->of->name : NULL);
	json_text(j, "lock_address", lock->of ? address : NULL);
	json_number_if(j, "holder", holder, holder->sched->koid);
	json_text(j, "holder_name", holder ? table_thread_key(holder->sched) : NULL);
}

static void print_trigger(struct json *j, const struct report *r)
{
	const struct report_wait *w = &r->trigger;

	if (!r->has_trigger) {
		json_null(j, "trigger");
		return;
	}
	json_object(j, "trigger");
	if (r->cause == FXT_SCHED_CAUSE_LATENCY) {
		json_columns(j, r, columns_wait, w);
	} else {
		json_number(j, "time_ns", w->time);
		if (r->cause == FXT_SCHED_CAUSE_RUNNABLE)
			json_number(j, "runnable", r->runnable);
		else
			json_number(j, "latency_ns", w->latency);
		json_number(j, "cpu", w->cpu);
		json_number_if(j, "tid", w->thread, w->thread->sched->koid);
		json_text(j, "name", w->thread ? table_thread_key(w->thread->sched) : NULL);
		if (fxt_cause_has_thread(r->cause))
			json_boolean(j, "open", w->is_open);
		if (r->cause == FXT_SCHED_CAUSE_LOCK)
			print_trigger_lock(j, r);
		json_columns(j, r, columns_trigger_stacks, &r->trigger_stacks);
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
	json_double(j, "relative_error", 1.0 / HIST_SUB);
	json_columns(j, r, columns_total_waits, &all);
	json_columns(j, r, columns_sleeps, &all);
}

static void print_losses(struct json *j, const struct report *r)
{
	const struct report_totals *n = &r->totals;

	json_object(j, "losses");
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
	json_object(j, "stacks");
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
	json_object(j, "slices");
	json_number(j, "first_ns", s->first);
	json_number(j, "last_ns", s->last);
	json_number(j, "slices", s->slices);
	json_number(j, "async_slices", s->async);
	json_number(j, "instants", s->instants);
	json_number(j, "flows", s->flows);
	json_number(j, "unended", s->unended);
	json_number(j, "unbegun", s->unbegun);
	json_number(j, "refused", s->refused);
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
	/* No histograms of rows: half of a page would be these, and it draws only the totals'. */
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
