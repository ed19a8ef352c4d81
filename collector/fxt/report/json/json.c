// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json.c - struct report, for programs: one object, on one line.
 *
 * Stable. Times and durations are ns and end in _ns; integers beyond 2^53 are strings
 * of digits; names are null where the archive has none.
 *
 *  file, first_ns, last_ns, switches, wakeups: of the whole archive
 *  from_ns, to_ns, cpus_counted, threads_counted, processes_counted, busy_ns, idle_ns,
 *  unknown_ns, switches_counted: of the selected time and CPUs; the members below, too
 *  sort, relative_error: of the percentiles, which are never too small
 *  woken, preempted, held_off: latencies of all threads shown, or null: count, sum_ns, p50_ns,
 *    p90_ns, p99_ns, p99_9_ns, max_ns, max_time_ns and max_cpu (when and where that
 *    one ended), histogram (list of [first, last, count], in ns, both included)
 *  cpus: list of cpu, busy_ns, idle_ns, unknown_ns, switches, longest_ns,
 *    longest_from_ns, longest_tid and longest_name (null if nothing ran)
 *  names: list of name, processes and threads (how many have it), then the same as of
 *    processes; their wakers are names and have no tid
 *  processes: list of pid (null if unknown), nth, name, threads, then
 *    run_ns, share (of all CPUs' time, 0 to 1), switches, preempted, migrations,
 *    wakeups, unknown_waits, woken, preempted_waits, held_off, and wakers: list of tid, name,
 *    irq ("hard", "soft" or "nmi": an interrupt, and tid and name are null; else null),
 *    count, over (the count may be too large by so many; 0: it is exact)
 *  threads: list of tid, nth, pid, name, born_ns (its fork) and died_ns (its last switch;
 *    both null if not known), and the same
 *  worst: list of time_ns, latency_ns, kind ("woken", "preempted" or "held off"),
 *    from_cpu, cpu (where it began and ended), tid, nth, name, waker_tid, waker_name
 *    (null if that is not known, or an interrupt woke it), waker_irq (as irq above),
 *    waker_irq_cpu (that was interrupted; null if that is not known), occupants (threads that had
 *    the CPU meanwhile: list of tid, nth, name, ns, at most three), occupants_are_part
 *    (only the last part of the wait is known)
 *  nth: how many had the tid or pid before, because Linux reuses them
 *  losses: told, truncated (it has no end), skipped_records, skipped_bytes, lost, written,
 *    lost_names, buffer_full, streams (list of cpu, lost, gap_ns), unknown_waits,
 *    violations, filtered (text or null)
 */
#include <string.h>

#include "json.h"

/* Tracks where commas are due: between the members within one pair of brackets. */
struct json {
	struct out *o;
	bool is_more;
};

static void begin(struct json *j, char bracket)
{
	out_char(j->o, bracket);
	j->is_more = false;
}

static void end(struct json *j, char bracket)
{
	out_char(j->o, bracket);
	j->is_more = true;
}

static void item(struct json *j)
{
	if (j->is_more)
		out_char(j->o, ',');
	j->is_more = true;
}

static void key(struct json *j, const char *name)
{
	item(j);
	out_char(j->o, '"');
	out_str(j->o, name);
	out_str(j->o, "\":");
}

static void number(struct json *j, const char *name, uint64_t value)
{
	key(j, name);
	out_json_u64(j->o, value);
}

static void null(struct json *j, const char *name)
{
	key(j, name);
	out_str(j->o, "null");
}

static void boolean(struct json *j, const char *name, bool value)
{
	key(j, name);
	out_str(j->o, value ? "true" : "false");
}

/* A name in the archive, or null if it has none. */
static void text(struct json *j, const char *name, const char *value)
{
	if (!value || !*value) {
		null(j, name);
		return;
	}
	key(j, name);
	out_json(j->o, value, strlen(value));
}

static void thread_name(struct json *j, const char *name, const struct report_thread *t)
{
	text(j, name, t->sched->koid ? t->sched->name : report_name(t));
}

static void print_hist(struct json *j, const struct report_hist *h)
{
	struct report_bucket b;
	unsigned int at = 0;

	key(j, "histogram");
	begin(j, '[');
	while (report_hist_next(h, &at, &b)) {
		item(j);
		begin(j, '[');
		item(j);
		out_json_u64(j->o, b.low);
		item(j);
		out_json_u64(j->o, b.high);
		item(j);
		out_json_u64(j->o, b.count);
		end(j, ']');
	}
	end(j, ']');
}

static void print_waits(struct json *j, const char *name, const struct report_waits *w)
{
	if (!w) {
		null(j, name);
		return;
	}
	key(j, name);
	begin(j, '{');
	number(j, "count", w->hist.count);
	number(j, "sum_ns", w->hist.sum);
	number(j, "p50_ns", report_hist_percentile(&w->hist, 500));
	number(j, "p90_ns", report_hist_percentile(&w->hist, 900));
	number(j, "p99_ns", report_hist_percentile(&w->hist, 990));
	number(j, "p99_9_ns", report_hist_percentile(&w->hist, 999));
	number(j, "max_ns", w->hist.max);
	number(j, "max_time_ns", w->max_time);
	number(j, "max_cpu", w->max_cpu);
	print_hist(j, &w->hist);
	end(j, '}');
}

/* Print the interrupt that woke a thread, null if none did. */
static void print_irq(struct json *j, const char *name, uint8_t irq)
{
	if (irq)
		text(j, name, report_irq_name(irq));
	else
		null(j, name);
}

static void print_wakers(struct json *j, const struct report_waker *w, unsigned int count,
			 bool are_names)
{
	unsigned int i;

	key(j, "wakers");
	begin(j, '[');
	for (i = 0; i < count; i++) {
		item(j);
		begin(j, '{');
		if (!are_names && w[i].thread)
			number(j, "tid", w[i].thread->sched->koid);
		else if (!are_names)
			null(j, "tid");
		if (w[i].thread)
			thread_name(j, "name", w[i].thread);
		else
			null(j, "name");
		print_irq(j, "irq", w[i].irq);
		number(j, "count", w[i].count);
		number(j, "over", w[i].over);
		end(j, '}');
	}
	end(j, ']');
}

static void print_counts(struct json *j, const struct report *r, const struct report_counts *n,
			 struct report_waits *const *waits)
{
	number(j, "run_ns", n->run);
	key(j, "share");
	out_json_double(j->o, report_share(r, n->run));
	number(j, "switches", n->switches);
	number(j, "preempted", n->preempted);
	number(j, "migrations", n->migrations);
	number(j, "wakeups", n->wakeups);
	number(j, "unknown_waits", n->unknown);
	print_waits(j, "woken", waits[REPORT_WOKEN]);
	print_waits(j, "preempted_waits", waits[REPORT_PREEMPTED]);
	print_waits(j, "held_off", waits[REPORT_HELD]);
}

static void print_pid(struct json *j, const struct report_process *p)
{
	if (p->is_known)
		number(j, "pid", p->koid);
	else
		null(j, "pid");
}

static void print_cpu(struct json *j, const struct report *r, const struct report_cpu *cpu)
{
	uint64_t window = report_window(r), known = cpu->busy + cpu->idle;

	number(j, "cpu", cpu->number);
	number(j, "busy_ns", cpu->busy);
	number(j, "idle_ns", cpu->idle);
	number(j, "unknown_ns", window > known ? window - known : 0);
	number(j, "switches", cpu->switches);
	number(j, "longest_ns", cpu->longest);
	if (cpu->longest_thread) {
		number(j, "longest_from_ns", cpu->longest_from);
		number(j, "longest_tid", cpu->longest_thread->sched->koid);
		thread_name(j, "longest_name", cpu->longest_thread);
	} else {
		null(j, "longest_from_ns");
		null(j, "longest_tid");
		null(j, "longest_name");
	}
}

static void print_occupants(struct json *j, const struct report_wait *w)
{
	unsigned int i;

	key(j, "occupants");
	begin(j, '[');
	for (i = 0; i < w->occupant_count; i++) {
		item(j);
		begin(j, '{');
		number(j, "tid", w->occupants[i].thread->sched->koid);
		number(j, "nth", w->occupants[i].thread->sched->nth);
		thread_name(j, "name", w->occupants[i].thread);
		number(j, "ns", w->occupants[i].ns);
		end(j, '}');
	}
	end(j, ']');
}

static void print_wait(struct json *j, const struct report_wait *w)
{
	number(j, "time_ns", w->time);
	number(j, "latency_ns", w->latency);
	text(j, "kind", report_wait_name(w->kind));
	number(j, "from_cpu", w->from_cpu);
	number(j, "cpu", w->cpu);
	number(j, "tid", w->thread->sched->koid);
	number(j, "nth", w->thread->sched->nth);
	thread_name(j, "name", w->thread);
	if (w->waker) {
		number(j, "waker_tid", w->waker->sched->koid);
		thread_name(j, "waker_name", w->waker);
	} else {
		null(j, "waker_tid");
		null(j, "waker_name");
	}
	print_irq(j, "waker_irq", w->irq);
	if (w->irq && w->irq_cpu != REPORT_NO_CPU)
		number(j, "waker_irq_cpu", w->irq_cpu);
	else
		null(j, "waker_irq_cpu");
	print_occupants(j, w);
	boolean(j, "occupants_are_part", w->is_part);
}

static void print_totals(struct json *j, const struct report *r,
			 const struct report_options *options)
{
	const struct report_totals *n = &r->totals;

	number(j, "first_ns", n->archive->first);
	number(j, "last_ns", n->archive->last);
	number(j, "switches", n->archive->switches);
	number(j, "wakeups", n->archive->wakeups);
	number(j, "from_ns", n->from);
	number(j, "to_ns", n->to);
	number(j, "cpus_counted", n->cpus);
	number(j, "threads_counted", n->threads);
	number(j, "processes_counted", n->processes);
	number(j, "busy_ns", n->busy);
	number(j, "idle_ns", n->idle);
	number(j, "unknown_ns", report_unknown(r));
	number(j, "switches_counted", n->switches);
	text(j, "sort", report_sort_name(options->sort));
	key(j, "relative_error");
	out_json_double(j->o, 1.0 / HIST_SUB);
	print_waits(j, "woken", n->waits[REPORT_WOKEN]);
	print_waits(j, "preempted", n->waits[REPORT_PREEMPTED]);
	print_waits(j, "held_off", n->waits[REPORT_HELD]);
}

static void print_losses(struct json *j, const struct report *r)
{
	const struct report_totals *n = &r->totals;
	size_t i;

	key(j, "losses");
	begin(j, '{');
	boolean(j, "told", n->archive->ledgers);
	boolean(j, "truncated", n->archive->unclosed);
	number(j, "skipped_records", n->reader->skipped);
	number(j, "skipped_bytes", n->reader->skipped_bytes);
	number(j, "lost", n->archive->lost);
	number(j, "written", n->archive->written);
	number(j, "lost_names", n->lost_names);
	number(j, "buffer_full", n->buffer_full);
	key(j, "streams");
	begin(j, '[');
	for (i = 0; i < r->cpu_count; i++) {
		if (!r->cpus[i]->lost)
			continue;
		item(j);
		begin(j, '{');
		number(j, "cpu", r->cpus[i]->number);
		number(j, "lost", r->cpus[i]->lost);
		number(j, "gap_ns", r->cpus[i]->gap);
		end(j, '}');
	}
	end(j, ']');
	number(j, "unknown_waits", n->n.unknown);
	number(j, "violations", n->violations);
	text(j, "filtered", n->filtered);
	end(j, '}');
}

static void print_names(struct json *j, const struct report *r, size_t top)
{
	size_t i;

	key(j, "names");
	begin(j, '[');
	for (i = 0; i < r->comm_count && i < top; i++) {
		const struct report_comm *c = r->comms[i];

		item(j);
		begin(j, '{');
		text(j, "name", c->name);
		number(j, "processes", c->processes);
		number(j, "threads", c->sum.threads);
		print_counts(j, r, &c->sum.n, c->sum.waits);
		print_wakers(j, c->sum.wakers, c->sum.waker_count, true);
		end(j, '}');
	}
	end(j, ']');
}

static void print_processes(struct json *j, const struct report *r, size_t top)
{
	size_t i;

	key(j, "processes");
	begin(j, '[');
	for (i = 0; i < r->process_count && i < top; i++) {
		const struct report_process *p = r->processes[i];

		item(j);
		begin(j, '{');
		print_pid(j, p);
		number(j, "nth", p->nth);
		text(j, "name", p->name);
		number(j, "threads", p->sum.threads);
		print_counts(j, r, &p->sum.n, p->sum.waits);
		print_wakers(j, p->sum.wakers, p->sum.waker_count, false);
		end(j, '}');
	}
	end(j, ']');
}

static void print_life(struct json *j, const struct sched_thread *t)
{
	if (t->is_forked)
		number(j, "born_ns", t->begin);
	else
		null(j, "born_ns");
	if (t->state == 'X' || t->state == 'Z')
		number(j, "died_ns", t->last_event);
	else
		null(j, "died_ns");
}

static void print_threads(struct json *j, const struct report *r, size_t top)
{
	size_t i;

	key(j, "threads");
	begin(j, '[');
	for (i = 0; i < r->thread_count && i < top; i++) {
		const struct report_thread *t = r->threads[i];

		item(j);
		begin(j, '{');
		number(j, "tid", t->sched->koid);
		number(j, "nth", t->sched->nth);
		print_pid(j, t->process);
		thread_name(j, "name", t);
		print_life(j, t->sched);
		print_counts(j, r, &t->n, t->waits);
		print_wakers(j, t->wakers, t->waker_count, false);
		end(j, '}');
	}
	end(j, ']');
}

void report_print_json(struct out *o, const char *path, const struct report *r,
		       const struct report_options *options, size_t top)
{
	struct json j = { .o = o };
	size_t i;

	begin(&j, '{');
	text(&j, "file", path);
	print_totals(&j, r, options);
	key(&j, "cpus");
	begin(&j, '[');
	for (i = 0; i < r->cpu_count && i < top; i++) {
		item(&j);
		begin(&j, '{');
		print_cpu(&j, r, r->cpus[i]);
		end(&j, '}');
	}
	end(&j, ']');
	print_names(&j, r, top);
	print_processes(&j, r, top);
	print_threads(&j, r, top);
	if (r->has_trigger) {
		key(&j, "trigger");
		begin(&j, '{');
		print_wait(&j, &r->trigger);
		end(&j, '}');
	} else {
		null(&j, "trigger");
	}
	key(&j, "worst");
	begin(&j, '[');
	for (i = 0; i < r->worst_count; i++) {
		item(&j);
		begin(&j, '{');
		print_wait(&j, &r->worst[i]);
		end(&j, '}');
	}
	end(&j, ']');
	print_losses(&j, r);
	end(&j, '}');
	out_char(o, '\n');
}
