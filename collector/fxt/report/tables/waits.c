// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * waits.c - columns of latencies, and the table of the longest waits.
 *
 * Waits that were not over at the end count with their length so far: with open or max_is_open,
 * numbers are lower bounds, as they are of the kind "early", which began before the recording. If
 * many threads share a CPU, all occupants of one name are one. A weight is that of the archive:
 * 1024 of nice 0, 1000000 and the priority of a real-time thread.
 */
#include "account/classes.h"
#include "tables.h"

#define PERCENTILE(name, per_mille)						\
	COLUMN_VALUE(name, struct report_waits, w,				\
		     value_of(report_hist_percentile(&w->hist, per_mille)))
PERCENTILE(p50, 500)
PERCENTILE(p90, 900)
PERCENTILE(p99, 990)
PERCENTILE(p99_9, 999)

/* The length of a wait that was not over is a lower bound. */
static struct value longest_of(const struct report_waits *w)
{
	return (struct value){ .number = w->hist.max, .mark = w->max_is_open ? '>' : 0 };
}

COLUMN_VALUE(longest, struct report_waits, w, longest_of(w))

#define PARTS	(PART_WOKEN | PART_PREEMPTED | PART_HELD)

const struct column columns_waits[] = {
	{ "count", &column_count, COLUMN_FIELD(struct report_waits, hist.count),
	  .text = { PARTS, 1, 6, 0, NULL }, .page = "waits" },
	{ "sum_ns", &column_time, COLUMN_FIELD(struct report_waits, hist.sum), .page = "sum" },
	{ "p50_ns", &column_time, .get = p50, SHOWN_IN(PARTS, 2, 6, 0, "p50") },
	{ "p90_ns", &column_time, .get = p90, .text = { PARTS, 3, 6, 0, "p90" } },
	{ "p99_ns", &column_time, .get = p99, SHOWN_IN(PARTS, 4, 6, 0, "p99") },
	{ "p99_9_ns", &column_time, .get = p99_9, .text = { PARTS, 5, 6, 0, "p99.9" } },
	{ "max_ns", &column_time, .get = longest, SHOWN_IN(PARTS, 6, 6, 0, "max") },
	{ "max_time_ns", &column_seconds, COLUMN_FIELD(struct report_waits, max_time),
	  .about = "when the longest ended" },
	{ "max_cpu", &column_count, COLUMN_FIELD(struct report_waits, max_cpu),
	  .about = "where it ended" },
	{ "max_is_open", &column_flag, COLUMN_FIELD(struct report_waits, max_is_open),
	  .about = "the longest was not over by then" },
	{ "open", &column_count, COLUMN_FIELD(struct report_waits, open),
	  .about = "were not over at the end: with these, all numbers here are lower bounds" },
	{ "histogram", &column_report_histogram, COLUMN_FIELD(struct report_waits, hist),
	  .text = { PARTS, 7, 11, 0, "histogram" } },
	COLUMNS_END
};

COLUMN_VALUE(kind, struct report_wait, w, value_text(report_wait_name(w->kind)))
COLUMN_VALUE(irq, struct report_wait, w, value_text(w->irq ? report_irq_name(w->irq) : NULL))
COLUMN_VALUE(irq_cpu, struct report_wait, w,
	     w->irq && w->irq_cpu != REPORT_NO_CPU ? value_of(w->irq_cpu) : value_unknown())
COLUMN_VALUE(idle_cpu, struct report_wait, w, w->idle_ns ? value_of(w->idle_cpu) : value_unknown())
COLUMN_VALUE(limit, struct report_wait, w,
	     value_text(w->limited ? account_limit_name(w->limit) : NULL))
COLUMN_VALUE(thief, struct report_wait, w, value_text(w->thief ? w->thief->of->name : NULL))

static const void *next_occupant(const void *all, const void *row, size_t *at)
{
	const struct report_wait *w = row;

	(void)all;
	return *at < w->occupant_count ? &w->occupants[(*at)++] : NULL;
}

static struct value weight_value(int32_t weight)
{
	return weight ? (struct value){ .signed_number = weight } : value_unknown();
}

COLUMN_VALUE(weight, struct report_wait, w, weight_value(w->weight))
COLUMN_VALUE(weight_of, struct report_occupant, o, weight_value(o->weight))

/* Who ended a sleep or began a wait, and who had the CPU meanwhile; only in the page. */
static const struct column_type type_woken_by = { .page = "waker" };
static const struct column_type type_occupants = { .page = "occupants" };

static const struct column occupants[] = {
	{ "", &column_report_thread_nth, COLUMN_FIELD(struct report_occupant, thread) },
	{ "threads", &column_count, COLUMN_FIELD(struct report_occupant, threads),
	  .about = "if sharers are many, all threads of one name are one" },
	{ "weight", &column_priority, .get = weight_of },
	{ "ns", &column_time, COLUMN_FIELD(struct report_occupant, ns) },
	COLUMNS_END
};

#define FIELD(field)	COLUMN_FIELD(struct report_wait, field)

/* Columns of who ended a sleep or began a wait, after those of the thread. */
const struct column columns_woken_by[] = {
	{ "waker_idle", &column_flag, FIELD(by_idle), .about = "a CPU that was idle woke it" },
	{ "waker_irq", &column_text, .get = irq,
	  .about = "hard, soft or nmi: an interrupt woke it" },
	{ "waker_irq_cpu", &column_cpu, .get = irq_cpu, .about = "the CPU that was interrupted" },
	{ "waker", &type_woken_by, .page = "woken by" },
	COLUMNS_END
};

const struct column columns_wait[] = {
	{ "time_ns", &column_seconds, FIELD(time), .page = "ended at", .about = "when it ended" },
	{ "latency_ns", &column_time, FIELD(latency), .page = "latency",
	  .about = "if early or open, at least this" },
	{ "kind", &column_kind, .get = kind, .page = "kind",
	  .about = "woken, preempted, held off; early: since before the recording" },
	{ "from_cpu", &column_count, FIELD(from_cpu), .about = "where it began" },
	{ "cpu", &column_count, FIELD(cpu), .about = "where it ended" },
	{ "", &column_report_cpus, .page = "CPU" },
	{ "", &column_report_thread_nth, FIELD(thread), .page = "thread" },
	{ "waker_", &column_report_thread, FIELD(waker) },
	{ .type = &column_same, .of = columns_woken_by },
	{ "weight", &column_priority, .get = weight,
	  .about = "of the thread: 1024 of nice 0, 1000000 and the priority if real-time; or the "
		   "kernel's priority, if the recording has that instead" },
	{ "sharers", &column_count, FIELD(sharers),
	  .about = "how many threads had the CPU meanwhile" },
	{ "most_", &column_report_thread, FIELD(most), .about = "who had it longest" },
	{ "most_ns", &column_time, FIELD(most_ns) },
	{ "occupants", &column_list, .of = occupants, .next = next_occupant,
	  .about = "at most three, who had it longest" },
	{ "others_ns", &column_time, FIELD(others), .about = "of threads that are not distinguished" },
	{ "unplaced_ns", &column_time, FIELD(unplaced),
	  .about = "in which it is not known for which CPU it waited" },
	{ "unknown_ns", &column_time, FIELD(unknown),
	  .about = "in which it is not known who had that CPU" },
	{ "throttled_ns", &column_time, FIELD(throttled), .is_in = has_throttling,
	  .about = "in which its cgroup was throttled" },
	{ "limited_ns", &column_time, FIELD(limited),
	  .about = "in which its scheduling class might not run" },
	{ "limit", &column_text, .get = limit, .about = "what kept it from running" },
	{ "idle_cpu", &column_cpu, .get = idle_cpu,
	  .about = "another CPU that it may use, idle for half of the wait or more" },
	{ "idle_ns", &column_time, FIELD(idle_ns) },
	{ "open", &column_flag, FIELD(is_open), .about = "it was not over at time_ns" },
	{ "", &type_occupants, .page = "on the CPU meanwhile" },
	{ "interrupts_ns", &column_time, FIELD(stolen), .is_in = has_interrupts,
	  .about = "of the wait, taken by interrupts" },
	{ "interrupt", &column_name, .get = thief, .is_in = has_interrupts,
	  .about = "that took most of it" },
	{ "interrupt_ns", &column_time, FIELD(thief_ns), .is_in = has_interrupts },
	COLUMNS_END
};

TABLE_ROWS(worst_rows, ROWS(r->worst, r->worst_count))

const struct table table_worst = {
	.key = "worst", .page = "Longest waits",
	.hint = "Click a row to show it in the timeline.",
	.link = TABLE_TO_WAIT,
	.about = "the longest waits",
	.rows = worst_rows, .columns = columns_wait,
};
