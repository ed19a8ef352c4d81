// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json.c - struct report, for programs: one object, on one line.
 *
 * Stable. Times and durations are ns and end in _ns; integers beyond 2^53 are strings
 * of digits; names are null where the archive has none.
 *
 *  file, first_ns, last_ns, switches, wakeups: of the whole archive
 *  from_ns, to_ns, cpus_counted, threads_counted, processes_counted, busy_ns, idle_ns,
 *  offline_ns, unknown_ns, switches_counted: of the selected time and CPUs; the members below, too
 *  sort, relative_error: of the percentiles, which are never too small
 *  woken, preempted, held_off: latencies of all threads shown, or null: count, sum_ns, p50_ns,
 *    p90_ns, p99_ns, p99_9_ns, max_ns, max_time_ns and max_cpu (when and where that
 *    one ended), max_is_open (it was not over by then), open (how many were not over at the end:
 *    they count as what they were by then, so all of these are lower bounds), histogram (list of [first, last, count], in ns, both included)
 *  findings: what is wrong, in words and numbers (findings.c)
 *  cpus: list of cpu, busy_ns, idle_ns, offline_ns, unknown_ns, switches, longest_ns,
 *    longest_from_ns, longest_tid and longest_name (null if nothing ran)
 *  names: list of name, processes and threads (how many have it), then the same as of
 *    processes; their wakers are names and have no tid
 *  cgroups: likewise, name is the path (null if the archive does not know that of the process);
 *    an empty list if the archive has no cgroups
 *  processes: list of pid (null if unknown), nth, name, parent_pid, parent_nth and parent_name
 *    (the process that forked it, or that was its parent when the recording began), threads, then
 *    run_ns, share (of all CPUs' time, 0 to 1), switches, preempted, migrations,
 *    wakeups, unknown_waits, woken, preempted_waits, held_off, sleeps, and wakers: list of tid, name,
 *    irq ("hard", "soft" or "nmi": an interrupt, and tid and name are null; else null),
 *    count, over (the count may be too large by so many; 0: it is exact)
 *  threads: list of tid, nth, pid, name, cpus (a list as "0-3,8" of those that it may run on;
 *    null if these are all or unknown), born_ns (its fork) and died_ns (its last switch; both
 *    null if not known, and this also if later), and the same
 *  worst: list of time_ns, latency_ns, kind ("woken", "preempted" or "held off"),
 *    from_cpu, cpu (where it began and ended), tid, nth, name, waker_tid, waker_name
 *    (null if that is not known, or an interrupt or an idle CPU woke it), waker_idle
 *    (whether an idle CPU did), waker_irq (as irq above),
 *    waker_irq_cpu (that was interrupted; null if that is not known), occupants (threads that had
 *    the CPU meanwhile: list of tid, nth, name, ns, at most three), occupants_are_part
 *    (only the last part of the wait is known), open (it was not over at time_ns, so latency_ns
 *    is a lower bound)
 *  sleeps, longest_sleeps, longest_uninterruptible: see sleeps.c
 *  only if the archive has such events (kernel.c): stolen_ns and moves of names, processes
 *    and threads; hard_irq_ns, soft_irq_ns, idle_state_ns and frequency of cpus; interrupts_ns,
 *    interrupt and interrupt_ns of worst; interrupts, idle_states and work_items; and (acts.c)
 *    calls, failed_calls, in_calls_ns, system_calls, forks and ipis of names, processes and
 *    threads; run_queue and utilization of cpus; system_calls, throttled_cgroups, cgroup_quotas,
 *    ipis, exits; inherited_priorities (priorities.c)
 *  nth: how many had the tid or pid before, because Linux reuses them
 *  losses: told, truncated (it has no end), skipped_records, skipped_bytes, lost, written,
 *    lost_names, buffer_full, streams (list of cpu, lost, gap_ns), unknown_waits,
 *    violations, filtered (text or null)
 *  scheduling: false if the archive has no switch, no wakeup and no ledger; then slices
 *    (slices.c): what it has instead
 */
#include <linux/fxt_sched.h>

#include "acts.h"
#include "findings.h"
#include "json.h"
#include "kernel.h"
#include "stacks.h"
#include "members.h"
#include "priorities.h"
#include "sleeps.h"
#include "slices.h"

static void print_hist(struct json *j, const struct report_hist *h)
{
	struct report_bucket b;
	unsigned int at = 0;

	json_key(j, "histogram");
	json_begin(j, '[');
	while (report_hist_next(h, &at, &b)) {
		json_item(j);
		json_begin(j, '[');
		json_item(j);
		out_json_u64(j->o, b.low);
		json_item(j);
		out_json_u64(j->o, b.high);
		json_item(j);
		out_json_u64(j->o, b.count);
		json_end(j, ']');
	}
	json_end(j, ']');
}

static void print_waits(struct json *j, const char *name, const struct report_waits *w)
{
	if (!w) {
		json_null(j, name);
		return;
	}
	json_key(j, name);
	json_begin(j, '{');
	json_number(j, "count", w->hist.count);
	json_number(j, "sum_ns", w->hist.sum);
	json_number(j, "p50_ns", report_hist_percentile(&w->hist, 500));
	json_number(j, "p90_ns", report_hist_percentile(&w->hist, 900));
	json_number(j, "p99_ns", report_hist_percentile(&w->hist, 990));
	json_number(j, "p99_9_ns", report_hist_percentile(&w->hist, 999));
	json_number(j, "max_ns", w->hist.max);
	json_number(j, "max_time_ns", w->max_time);
	json_number(j, "max_cpu", w->max_cpu);
	json_boolean(j, "max_is_open", w->max_is_open);
	json_number(j, "open", w->open);
	print_hist(j, &w->hist);
	json_end(j, '}');
}

/* Print the interrupt that woke a thread, null if none did. */
static void print_irq(struct json *j, const char *name, uint8_t irq)
{
	if (irq)
		json_text(j, name, report_irq_name(irq));
	else
		json_null(j, name);
}

static void print_wakers(struct json *j, const struct report_waker *w, unsigned int count,
			 bool are_names)
{
	unsigned int i;

	json_key(j, "wakers");
	json_begin(j, '[');
	for (i = 0; i < count; i++) {
		json_item(j);
		json_begin(j, '{');
		if (!are_names && w[i].thread)
			json_number(j, "tid", w[i].thread->sched->koid);
		else if (!are_names)
			json_null(j, "tid");
		if (w[i].thread)
			json_thread_name(j, "name", w[i].thread);
		else
			json_null(j, "name");
		print_irq(j, "irq", w[i].irq);
		json_number(j, "count", w[i].count);
		json_number(j, "over", w[i].over);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void print_counts(struct json *j, const struct report *r, const struct report_counts *n,
			 struct report_waits *const *waits, struct report_sleeps *const *sleeps,
			 const struct report_calls *calls)
{
	json_number(j, "run_ns", n->run);
	json_key(j, "share");
	out_json_double(j->o, report_share(r, n->run));
	json_number(j, "switches", n->switches);
	json_number(j, "preempted", n->preempted);
	json_number(j, "migrations", n->migrations);
	json_number(j, "wakeups", n->wakeups);
	json_number(j, "unknown_waits", n->unknown);
	report_json_counts(j, r, n);
	report_json_acts(j, r, n, calls);
	print_waits(j, "woken", waits[REPORT_WOKEN]);
	print_waits(j, "preempted_waits", waits[REPORT_PREEMPTED]);
	print_waits(j, "held_off", waits[REPORT_HELD]);
	report_json_sleeps(j, sleeps, n);
}

static void print_pid(struct json *j, const struct report_process *p)
{
	if (p->is_known)
		json_number(j, "pid", p->koid);
	else
		json_null(j, "pid");
}

static void print_cpu(struct json *j, const struct report *r, const struct report_cpu *cpu)
{
	uint64_t window = report_window(r), known = cpu->busy + cpu->idle + cpu->offline;

	json_number(j, "cpu", cpu->number);
	json_number(j, "busy_ns", cpu->busy);
	json_number(j, "idle_ns", cpu->idle);
	json_number(j, "offline_ns", cpu->offline);
	json_number(j, "unknown_ns", window > known ? window - known : 0);
	json_number(j, "switches", cpu->switches);
	json_number(j, "longest_ns", cpu->longest);
	if (cpu->longest_thread) {
		json_number(j, "longest_from_ns", cpu->longest_from);
		json_number(j, "longest_tid", cpu->longest_thread->sched->koid);
		json_thread_name(j, "longest_name", cpu->longest_thread);
	} else {
		json_null(j, "longest_from_ns");
		json_null(j, "longest_tid");
		json_null(j, "longest_name");
	}
	report_json_cpu(j, r, cpu);
	report_json_levels(j, r, &cpu->levels);
}

static void print_occupants(struct json *j, const struct report_wait *w)
{
	unsigned int i;

	json_key(j, "occupants");
	json_begin(j, '[');
	for (i = 0; i < w->occupant_count; i++) {
		json_item(j);
		json_begin(j, '{');
		json_number(j, "tid", w->occupants[i].thread->sched->koid);
		json_number(j, "nth", w->occupants[i].thread->sched->nth);
		json_thread_name(j, "name", w->occupants[i].thread);
		json_number(j, "ns", w->occupants[i].ns);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void print_wait(struct json *j, const struct report *r, const struct report_wait *w)
{
	json_number(j, "time_ns", w->time);
	json_number(j, "latency_ns", w->latency);
	json_text(j, "kind", report_wait_name(w->kind));
	json_number(j, "from_cpu", w->from_cpu);
	json_number(j, "cpu", w->cpu);
	json_number(j, "tid", w->thread->sched->koid);
	json_number(j, "nth", w->thread->sched->nth);
	json_thread_name(j, "name", w->thread);
	if (w->waker) {
		json_number(j, "waker_tid", w->waker->sched->koid);
		json_thread_name(j, "waker_name", w->waker);
	} else {
		json_null(j, "waker_tid");
		json_null(j, "waker_name");
	}
	json_boolean(j, "waker_idle", w->by_idle);
	print_irq(j, "waker_irq", w->irq);
	if (w->irq && w->irq_cpu != REPORT_NO_CPU)
		json_number(j, "waker_irq_cpu", w->irq_cpu);
	else
		json_null(j, "waker_irq_cpu");
	print_occupants(j, w);
	json_boolean(j, "occupants_are_part", w->is_part);
	json_boolean(j, "open", w->is_open);
	report_json_wait(j, r, w);
}

static void print_trigger(struct json *j, const struct report *r)
{
	static const char * const causes[] = {
		[FXT_SCHED_CAUSE_LATENCY] = "latency",
		[FXT_SCHED_CAUSE_IRQ] = "irq",
		[FXT_SCHED_CAUSE_SOFTIRQ] = "softirq",
		[FXT_SCHED_CAUSE_RUNNABLE] = "runnable",
	};
	const struct report_wait *w = &r->trigger;

	if (!r->has_trigger) {
		json_null(j, "trigger");
		return;
	}
	json_key(j, "trigger");
	json_begin(j, '{');
	if (r->cause == FXT_SCHED_CAUSE_LATENCY) {
		print_wait(j, r, w);
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
			json_thread_name(j, "name", w->thread);
		} else {
			json_null(j, "tid");
			json_null(j, "name");
		}
	}
	json_text(j, "cause", causes[r->cause]);
	json_end(j, '}');
}

static void print_totals(struct json *j, const struct report *r,
			 const struct report_options *options)
{
	const struct report_totals *n = &r->totals;

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
	print_waits(j, "woken", n->waits[REPORT_WOKEN]);
	print_waits(j, "preempted", n->waits[REPORT_PREEMPTED]);
	print_waits(j, "held_off", n->waits[REPORT_HELD]);
	report_json_sleeps(j, n->sleeps, &n->n);
}

static void print_losses(struct json *j, const struct report *r)
{
	const struct report_totals *n = &r->totals;
	size_t i;

	json_key(j, "losses");
	json_begin(j, '{');
	json_boolean(j, "told", n->archive->ledgers);
	json_boolean(j, "truncated", n->archive->unclosed);
	json_number(j, "skipped_records", n->reader->skipped);
	json_number(j, "skipped_bytes", n->reader->skipped_bytes);
	json_number(j, "lost", n->archive->lost);
	json_number(j, "written", n->archive->written);
	json_number(j, "lost_names", n->lost_names);
	json_number(j, "buffer_full", n->buffer_full);
	json_key(j, "streams");
	json_begin(j, '[');
	for (i = 0; i < r->cpu_count; i++) {
		if (!r->cpus[i]->lost)
			continue;
		json_item(j);
		json_begin(j, '{');
		json_number(j, "cpu", r->cpus[i]->number);
		json_number(j, "lost", r->cpus[i]->lost);
		json_number(j, "gap_ns", r->cpus[i]->gap);
		json_end(j, '}');
	}
	json_end(j, ']');
	json_number(j, "unknown_waits", n->n.unknown);
	json_number(j, "violations", n->violations);
	json_text(j, "filtered", n->filtered);
	json_end(j, '}');
}

static void print_comms(struct json *j, const char *name, const struct report *r,
			struct report_comm *const *comms, size_t count, size_t top)
{
	size_t i;

	json_key(j, name);
	json_begin(j, '[');
	for (i = 0; i < count && i < top; i++) {
		const struct report_comm *c = comms[i];

		json_item(j);
		json_begin(j, '{');
		json_text(j, "name", c->name);
		json_number(j, "processes", c->processes);
		json_number(j, "threads", c->sum.threads);
		print_counts(j, r, &c->sum.n, c->sum.waits, c->sum.sleeps, &c->sum.calls);
		print_wakers(j, c->sum.wakers, c->sum.waker_count, true);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void print_parent(struct json *j, const struct report_process *p)
{
	const struct sched_process *parent = p->sched ? p->sched->parent : NULL;

	if (p->sched && p->sched->parent_koid)
		json_number(j, "parent_pid", p->sched->parent_koid);
	else
		json_null(j, "parent_pid");
	if (parent)
		json_number(j, "parent_nth", parent->nth);
	else
		json_null(j, "parent_nth");
	json_text(j, "parent_name", p->parent_name);
}

static void print_processes(struct json *j, const struct report *r, size_t top)
{
	size_t i;

	json_key(j, "processes");
	json_begin(j, '[');
	for (i = 0; i < r->process_count && i < top; i++) {
		const struct report_process *p = r->processes[i];

		json_item(j);
		json_begin(j, '{');
		print_pid(j, p);
		json_number(j, "nth", p->nth);
		json_text(j, "name", p->name);
		print_parent(j, p);
		json_number(j, "threads", p->sum.threads);
		print_counts(j, r, &p->sum.n, p->sum.waits, p->sum.sleeps, &p->sum.calls);
		print_wakers(j, p->sum.wakers, p->sum.waker_count, false);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void print_life(struct json *j, const struct report *r, const struct sched_thread *t)
{
	bool is_dead = t->state == 'X' || t->state == 'Z';

	if (t->is_forked)
		json_number(j, "born_ns", t->begin);
	else
		json_null(j, "born_ns");
	if (is_dead && t->last_event <= r->totals.to)
		json_number(j, "died_ns", t->last_event);
	else
		json_null(j, "died_ns");
}

static void print_threads(struct json *j, const struct report *r, size_t top)
{
	size_t i;

	json_key(j, "threads");
	json_begin(j, '[');
	for (i = 0; i < r->thread_count && i < top; i++) {
		const struct report_thread *t = r->threads[i];

		json_item(j);
		json_begin(j, '{');
		json_number(j, "tid", t->sched->koid);
		json_number(j, "nth", t->sched->nth);
		print_pid(j, t->process);
		json_thread_name(j, "name", t);
		json_text(j, "cpus", t->sched->cpus);
		print_life(j, r, t->sched);
		print_counts(j, r, &t->n, t->waits, t->sleeps, &t->calls);
		print_wakers(j, t->wakers, t->waker_count, false);
		json_end(j, '}');
	}
	json_end(j, ']');
}

void report_print_json(struct out *o, const char *path, const struct report *r,
		       const struct report_options *options, size_t top)
{
	struct json j = { .o = o };
	size_t i;

	json_begin(&j, '{');
	json_text(&j, "file", path);
	print_totals(&j, r, options);
	report_json_findings(&j, r);
	json_key(&j, "cpus");
	json_begin(&j, '[');
	for (i = 0; i < r->cpu_count && i < top; i++) {
		json_item(&j);
		json_begin(&j, '{');
		print_cpu(&j, r, r->cpus[i]);
		json_end(&j, '}');
	}
	json_end(&j, ']');
	print_comms(&j, "names", r, r->comms, r->comm_count, top);
	print_comms(&j, "cgroups", r, r->cgroups, r->cgroup_count, top);
	print_processes(&j, r, top);
	print_threads(&j, r, top);
	print_trigger(&j, r);
	json_key(&j, "worst");
	json_begin(&j, '[');
	for (i = 0; i < r->worst_count; i++) {
		json_item(&j);
		json_begin(&j, '{');
		print_wait(&j, r, &r->worst[i]);
		json_end(&j, '}');
	}
	json_end(&j, ']');
	report_json_longest_sleeps(&j, r);
	report_json_kernel(&j, r, top);
	report_json_all_acts(&j, r, top);
	report_json_priorities(&j, r, top);
	report_json_stacks(&j, r, top);
	print_losses(&j, r);
	report_json_slices(&j, r->slices, top);
	json_end(&j, '}');
	out_char(o, '\n');
}
