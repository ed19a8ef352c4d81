// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sleeps.c - columns of sleeps, and the tables of sleeps by state and of the longest ones.
 *
 * count and sum_ns are of sleeps inside the selected time, cut_count and cut_ns of the parts inside
 * of those that begin before it or are not over at its end. Sleeps of unknown length, and those
 * that began before the archive (early), are in neither.
 */
#include "tables.h"

#define FIELD(field)	COLUMN_FIELD(struct report_wait, field)

static const struct column columns_sleep[] = {
	{ "time_ns", &column_seconds, FIELD(time), .page = "ended at",
	  .about = "when it ended; if open, the end of the selected time" },
	{ "sleep_ns", &column_time, FIELD(latency), .page = "slept" },
	{ "open", &column_flag, FIELD(is_open), .page = "not over", .about = "it was not over" },
	{ "from_cpu", &column_count, FIELD(from_cpu), .about = "where it began" },
	{ "cpu", &column_cpu, FIELD(cpu), .about = "onto which the thread was woken" },
	{ "", &column_report_cpus, .page = "CPU" },
	{ "", &column_report_thread_nth, FIELD(thread), .page = "thread" },
	{ "waker_", &column_report_thread_nth, FIELD(waker) },
	{ .type = &column_same, .of = columns_woken_by },
	COLUMNS_END
};

TABLE_ROWS(longest_rows, ROWS(r->longest_sleeps[REPORT_SLEEP].list,
			      r->longest_sleeps[REPORT_SLEEP].count))
TABLE_ROWS(uninterruptible_rows, ROWS(r->longest_sleeps[REPORT_UNINTERRUPTIBLE].list,
				      r->longest_sleeps[REPORT_UNINTERRUPTIBLE].count))

const struct table table_longest_sleeps = {
	.key = "longest_sleeps", .page = "Longest sleeps",
	.hint = "Click a row to show the sleep in the timeline.",
	.link = TABLE_TO_WAIT,
	.rows = longest_rows, .columns = columns_sleep,
};

const struct table table_longest_uninterruptible = {
	.key = "longest_uninterruptible", .page = "Longest uninterruptible sleeps",
	.hint = "Click a row to show the sleep in the timeline.",
	.link = TABLE_TO_WAIT,
	.rows = uninterruptible_rows, .columns = columns_sleep,
};

static const struct report_sleeps none;

COLUMN_VALUE(longest, struct report_sleeps, s,
	     s->count ? value_pointer(&s->longest) : value_unknown())

static struct value state(const void *all, const void *row)
{
	static const char *const texts[] = {
		[REPORT_SLEEP] = "sleeping (S)",
		[REPORT_UNINTERRUPTIBLE] = "uninterruptible (D)",
		[REPORT_IDLE] = "idle kernel threads (I)",
		[REPORT_STOPPED] = "stopped by a signal (T)",
		[REPORT_TRACED] = "stopped by a debugger (t)",
		[REPORT_PARKED] = "parked kernel threads (P)",
	};
	const struct report *r = all;
	unsigned int kind;

	for (kind = 0; kind < REPORT_SLEEPS && r->totals.sleeps[kind] != row; kind++)
		;
	return value_text(texts[kind]);
}

#undef FIELD
#define FIELD(field)	COLUMN_FIELD(struct report_sleeps, field)

/* Columns of one state; the rows of threads in text have only some of them. */
static const struct column columns_of_state[] = {
	{ "count", &column_count, FIELD(count), .text = { PART_SLEEPS, 1, 6, 0, NULL },
	  .page = "sleeps", .about = "of sleeps inside the selected time" },
	{ "sum_ns", &column_time, FIELD(ns), SHOWN_IN(PART_SLEEPS, 2, 6, 0, "time") },
	{ NULL, &column_time, FIELD(longest.latency), .text = { PART_SLEEPS, 3, 6, 0, "max." } },
	{ "cut_count", &column_count, FIELD(cut_count),
	  .about = "of those that begin before it, or are not over at its end" },
	{ "cut_ns", &column_time, FIELD(cut_ns), .about = "the parts of these inside" },
	{ "longest", &column_object, .get = longest, .of = columns_sleep,
	  .about = "of those inside" },
	COLUMNS_END
};

/* Text shows 0 for a state without sleeps, JSON null. */
static struct value sleeps_of(const struct activity *a, enum report_sleep_kind kind)
{
	const struct report_sleeps *s = a->sleeps[kind];

	return s ? value_pointer(s) : (struct value){ .is = VALUE_UNKNOWN, .pointer = &none };
}

COLUMN_VALUE(asleep, struct activity, a, sleeps_of(a, REPORT_SLEEP))
COLUMN_VALUE(uninterruptible, struct activity, a, sleeps_of(a, REPORT_UNINTERRUPTIBLE))
COLUMN_VALUE(idle, struct activity, a, sleeps_of(a, REPORT_IDLE))
COLUMN_VALUE(stopped, struct activity, a, sleeps_of(a, REPORT_STOPPED))
COLUMN_VALUE(traced, struct activity, a, sleeps_of(a, REPORT_TRACED))
COLUMN_VALUE(parked, struct activity, a, sleeps_of(a, REPORT_PARKED))

/* ns of all kinds from @first on: complete sleeps, or the parts of cut ones. */
static uint64_t sum_from(const struct activity *a, unsigned int first, bool is_cut)
{
	uint64_t ns = 0;

	for (; first < REPORT_SLEEPS; first++)
		if (a->sleeps[first])
			ns += is_cut ? a->sleeps[first]->cut_ns : a->sleeps[first]->ns;
	return ns;
}

COLUMN_VALUE(other, struct activity, a, value_of(sum_from(a, REPORT_LISTED_SLEEPS, false)))
COLUMN_VALUE(cut, struct activity, a, value_of(sum_from(a, 0, true)))
COLUMN_VALUE(unknown, struct activity, a, value_of(a->n->unknown_sleeps))
COLUMN_VALUE(early, struct activity, a, value_of(a->n->early_sleeps))

static const struct column columns_by_state[] = {
	{ "sleep", &column_object, .get = asleep, .of = columns_of_state,
	  .text = { PART_SLEEPS, 1, 0, 0, "sleeps" }, .page = "asleep",
	  .about = "state S; null if there is none, like the next five" },
	{ "uninterruptible", &column_object, .get = uninterruptible, .of = columns_of_state,
	  .text = { PART_SLEEPS, 2, 0, 0, "unint." }, .page = "uninterruptible",
	  .about = "state D" },
	{ "idle", &column_object, .get = idle, .of = columns_of_state,
	  .about = "state I: a kernel thread without work" },
	{ "stopped", &column_object, .get = stopped, .of = columns_of_state, .about = "state T" },
	{ "traced", &column_object, .get = traced, .of = columns_of_state, .about = "state t" },
	{ "parked", &column_object, .get = parked, .of = columns_of_state, .about = "state P" },
	{ NULL, &column_time, .get = other, .text = { PART_SLEEPS, 3, 6, 0, "other" } },
	{ NULL, &column_time, .get = cut, .text = { PART_SLEEPS, 4, 6, 0, "cut" } },
	{ "unknown", &column_count, .get = unknown,
	  .about = "sleeps of unknown length, in none of these" },
	{ "early", &column_count, .get = early,
	  .about = "threads whose sleep began before the archive, in none of these" },
	COLUMNS_END
};

const struct column columns_sleeps[] = {
	{ "sleeps", &column_object, .of = columns_by_state, .text = { PART_SLEEPS, 3, 0, 0, NULL },
	  .page = "" },
	COLUMNS_END
};

/* JSON has an object, of which the page makes rows. */
static const struct column columns_states[] = {
	{ "count", &column_count, FIELD(count), SHOWN(1, 8, "count") },
	{ "sum_ns", &column_time, FIELD(ns), SHOWN(2, 6, "time") },
	{ "longest.sleep_ns", &column_time, FIELD(longest.latency), SHOWN(3, 7, "longest") },
	{ "cut_count", &column_count, FIELD(cut_count), SHOWN(4, 6, "cut") },
	{ "cut_ns", &column_time, FIELD(cut_ns), SHOWN(5, 6, "time") },
	{ "key", &column_name, .get = state, SHOWN(6, 40, "state") },
	COLUMNS_END
};

TABLE_ROWS(state_rows, ROWS_OF_POINTERS(r->totals.sleeps, REPORT_SLEEPS))

const struct table table_sleeps = {
	.key = "sleeps", .title = "Sleeps by state",
	.is_whole = true,
	.rows = state_rows, .columns = columns_states,
};
