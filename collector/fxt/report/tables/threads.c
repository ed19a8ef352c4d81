// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads.c - the tables of names, cgroups, processes and threads: what they did.
 *
 * Linux reuses ids: nth is how many had the tid or pid before. Wakers of names are names. The count
 * of a waker may be too large by over, because there are few counters.
 */
#include <string.h>

#include "table/text.h"
#include "tables.h"

TABLE_HAS(moves, MIGRATE)
TABLE_HAS(forks, FORK)

#define CALLS	8	/* columns of a waker */

static const struct activity *activity(const void *row)
{
	return row;
}

/* --- counts ------------------------------------------------------------------------------- */

#define PERCENT		5	/* columns */
#define NOTABLE_CALL	0.01	/* of the time in calls; a row names calls above */

static unsigned int print_calls(const struct text *t, const struct value *v, unsigned int room)
{
	const struct activity *a = v->pointer;
	const struct report_calls *calls = a->calls;
	unsigned int taken = 0, i;

	for (i = 0; i < calls->count; i++) {
		const struct report_call *call = &calls->list[i];
		size_t length = strlen(call->of->name);

		if (i && (taken + 2 + length + PERCENT > room ||
			  call->total < NOTABLE_CALL * a->n->in_calls))
			break;
		out_str(t->o, i ? ", " : "");
		taken += 2 + PERCENT + text_name(t, call->of->name, room - PERCENT);
		out_printf(t->o, " %.0f%%",
			   percent_of(call->total, a->n->in_calls));
	}
	return room;
}

static unsigned int print_waker(const struct text *t, const struct activity *a,
				const struct report_waker *w, unsigned int width)
{
	if (!w->thread)
		return text_name(t, table_irq_name(w->irq), width);
	/* Wakers of a name are names, too. */
	return a->process || a->thread ? text_thread(t, w->thread->sched, width) :
					 text_name(t, report_name(w->thread), width);
}

static unsigned int print_wakers(const struct text *t, const struct value *v, unsigned int width)
{
	const struct activity *a = v->pointer;
	unsigned int i, taken = 0;

	for (i = 0; i < a->waker_count && i < 2; i++) {
		const struct report_waker *w = &a->wakers[i];

		/* Omit wakers that mainly took over the counters of others. */
		if (i && (w->count - w->over) * 100 < a->n->wakeups)
			break;
		if (i)
			text_pad(t, taken, width);
		out_printf(t->o, " %c%3.0f%% ", w->over ? '>' : ' ',
			   (w->count - w->over) * 100.0 / a->n->wakeups);
		taken = print_waker(t, a, w, width);
	}
	return width;
}

static const struct column_type type_calls = { .print = print_calls };
static const struct column_type type_wakers = {
	.page = "wakers", .print = print_wakers, .has_blanks = true,
};
/* The process that created a process; only in the page. */
static const struct column_type type_parent = { .page = "parent" };

COLUMN_VALUE(counts, struct activity, a, value_pointer(a->n))
REPORT_VALUE(share, struct report_counts, n, value_fraction(report_share(r, n->run)))

/* Run time without interrupts. */
COLUMN_VALUE(own, struct report_counts, n, value_of(n->run > n->stolen ? n->run - n->stolen : 0))
COLUMN_VALUE(stolen_share, struct report_counts, n,
	     value_fraction(n->run ? (double)n->stolen / n->run : 0))

COLUMN_VALUE(waited, struct activity, a, value_of(report_waited_ns(a->waits)))

static const void *next_call(const void *all, const void *row, size_t *at)
{
	const struct report_calls *calls = activity(row)->calls;

	(void)all;
	return *at < calls->count && *at < CALLS ? &calls->list[(*at)++] : NULL;
}

COLUMN_VALUE(call_name, struct report_call, call, value_text(call->of->name))

static const struct column columns_calls[] = {
	{ "name", &column_name, .get = call_name },
	{ "count", &column_count, COLUMN_FIELD(struct report_call, count) },
	{ "errors", &column_count, COLUMN_FIELD(struct report_call, errors) },
	{ "total_ns", &column_time, COLUMN_FIELD(struct report_call, total) },
	{ "longest_ns", &column_time, COLUMN_FIELD(struct report_call, longest) },
	COLUMNS_END
};

#define FIELD(field)	COLUMN_FIELD(struct report_counts, field)

static const struct column columns_run[] = {
	{ "run_ns", &column_time, FIELD(run), SHOWN_IN(PART_ACTIVITY, 3, 6, 0, "run") },
	{ "share", &column_share, .get = share, SHOWN_IN(PART_ACTIVITY, 4, 6, 0, "share"),
	  .about = "of all CPUs' time, 0 to 1" },
	{ "switches", &column_count, FIELD(switches),
	  SHOWN_IN(PART_ACTIVITY, 6, 8, 0, "switches") },
	{ "preempted", &column_count, FIELD(preempted),
	  .text = { PART_ACTIVITY, 7, 7, 0, "preempt" }, .page = "preempted" },
	{ "migrations", &column_count, FIELD(migrations),
	  .text = { PART_ACTIVITY, 8, 6, 0, "migr." }, .page = "migrations" },
	{ "wakeups", &column_count, FIELD(wakeups), .page = "wakeups" },
	{ "unknown_waits", &column_count, FIELD(unknown), .page = "unknown waits",
	  .about = "of unknown length" },
	{ NULL, &column_time, FIELD(run), .is_in = has_interrupts,
	  .text = { PART_OWN, 3, 6, 0, "run" } },
	{ NULL, &column_time, .get = own, .is_in = has_interrupts,
	  .text = { PART_OWN, 4, 6, 0, "own" } },
	{ "stolen_ns", &column_time, FIELD(stolen), .is_in = has_interrupts,
	  .text = { PART_OWN, 5, 10, 0, "interrupts" }, .page = "interrupted",
	  .about = "of run_ns, what interrupts took" },
	{ NULL, &column_share, .get = stolen_share, .is_in = has_interrupts,
	  .text = { PART_OWN, 6, 6, 0, "share" } },
	{ "moves", &column_count, FIELD(moves), .is_in = has_moves,
	  SHOWN_IN(PART_OWN, 7, 7, 0, "moved"),
	  .about = "times that it was moved to another CPU's run queue" },
	{ "calls", &column_count, FIELD(calls), .is_in = has_system_calls,
	  .text = { PART_CALLS, 3, 7, 0, "calls" }, .page = "system calls",
	  .about = "system calls" },
	{ "failed_calls", &column_count, FIELD(failed_calls), .is_in = has_system_calls,
	  .text = { PART_CALLS, 4, 6, 0, "errors" }, .page = "failed" },
	{ "in_calls_ns", &column_time, FIELD(in_calls), .is_in = has_system_calls,
	  .text = { PART_CALLS, 5, 6, 0, "time" }, .page = "in these", .about = "waits included" },
	COLUMNS_END
};

static const struct column columns_created[] = {
	{ "forks", &column_count, FIELD(forks), .is_in = has_forks,
	  SHOWN_IN(PART_OWN, 8, 6, 0, "forks"), .about = "threads that it created" },
	{ "ipis", &column_count, FIELD(ipis), .is_in = has_ipis,
	  .text = { PART_OWN, 9, 6, 0, "ipis" }, .page = "CPUs interrupted",
	  .about = "CPUs that it interrupted" },
	COLUMNS_END
};

/* --- waits ---------------------------------------------------------------------------------- */

COLUMN_VALUE(woken, struct activity, a, value_pointer(a->waits[REPORT_WOKEN]))
COLUMN_VALUE(preempted, struct activity, a, value_pointer(a->waits[REPORT_PREEMPTED]))
COLUMN_VALUE(held, struct activity, a, value_pointer(a->waits[REPORT_HELD]))

const struct column columns_total_waits[] = {
	{ "woken", &column_object, .get = woken, .of = columns_waits, .page = "woken" },
	{ "preempted", &column_object, .get = preempted, .of = columns_waits, .page = "preempted" },
	{ "held_off", &column_object, .get = held, .of = columns_waits, .page = "held off" },
	COLUMNS_END
};

/* JSON has an object for each kind of wait, of which the page makes rows. */
static const struct column columns_latencies[] = {
	{ "key", &column_text, .page = "kind of wait" },
	{ "count", &column_count, .page = "count" },
	{ "p50_ns", &column_time, .page = "p50" },
	{ "p90_ns", &column_time, .page = "p90" },
	{ "p99_ns", &column_time, .page = "p99" },
	{ "p99_9_ns", &column_time, .page = "p99.9" },
	{ "max_ns", &column_time, .page = "max" },
	{ "max_time_ns", &column_seconds, .page = "at" },
	{ "max_cpu", &column_count, .page = "on CPU" },
	{ "sum_ns", &column_time, .page = "sum" },
	COLUMNS_END
};

const struct table table_latencies = {
	.key = "latency", .page = "Latencies",
	.objects = columns_total_waits,
	.columns = columns_latencies,
};

static const struct column columns_row_waits[] = {
	{ "woken", &column_object, .get = woken, .of = columns_waits,
	  SHOWN_IN(PART_WOKEN, 3, 0, 0, "woken") },
	{ "preempted_waits", &column_object, .get = preempted, .of = columns_waits,
	  .text = { PART_PREEMPTED, 3, 0, 0, "preem." }, .page = "preempted" },
	{ "held_off", &column_object, .get = held, .of = columns_waits,
	  .text = { PART_HELD, 3, 0, 0, "held" }, .page = "held off" },
	COLUMNS_END
};

/* --- wakers --------------------------------------------------------------------------------- */

static const void *next_waker(const void *all, const void *row, size_t *at)
{
	(void)all;
	return *at < activity(row)->waker_count ? &activity(row)->wakers[(*at)++] : NULL;
}

COLUMN_VALUE(waker_id, struct report_waker, w,
	     w->thread ? value_of(w->thread->sched->koid) : value_unknown())

static const char *thread_name(const struct report_thread *t)
{
	return t->sched->koid ? t->sched->name : report_name(t);
}

COLUMN_VALUE(waker_name, struct report_waker, w,
	     value_text(w->thread ? thread_name(w->thread) : NULL))
COLUMN_VALUE(waker_irq, struct report_waker, w, value_text(w->irq ? report_irq_name(w->irq) : NULL))

static const struct column columns_waker_name[] = {
	{ "name", &column_name, .get = waker_name, .about = "null of an interrupt, and of a thread without a name" },
	{ "irq", &column_text, .get = waker_irq, .about = "hard, soft or nmi: an interrupt" },
	{ "count", &column_count, COLUMN_FIELD(struct report_waker, count) },
	{ "over", &column_count, COLUMN_FIELD(struct report_waker, over),
	  .about = "the count may be too large by this; 0: it is exact" },
	COLUMNS_END
};

static const struct column columns_waker[] = {
	{ "tid", &column_id, .get = waker_id },
	{ .type = &column_same, .of = columns_waker_name },
	COLUMNS_END
};

/* --- what the four tables have in common ---------------------------------------------------- */

OF_REPORT(bool, has_own, has_interrupts(r) || has_moves(r) || has_forks(r) || has_ipis(r))

OF_REPORT(bool, has_gap, !has_interrupts(r))

#define COLUMNS_OF_ALL								\
	{ .type = &column_same, .get = counts, .of = columns_run },		\
	{ "system_calls", &column_list, .of = columns_calls, .next = next_call,	\
	  .is_in = has_system_calls },						\
	{ .type = &column_same, .get = counts, .of = columns_created },		\
	{ .type = &column_same, .of = columns_row_waits },			\
	{ .type = &column_same, .of = columns_sleeps },				\
	{ .type = &column_same, .of = columns_of_text }

#define NAME_OF_PARTS	(PART_OWN | PART_WOKEN | PART_PREEMPTED | PART_HELD)

/* Names come last in most parts of text, and JSON has more fields before these. */
static const struct column columns_of_text[] = {
	{ NULL, &column_gap, .is_in = has_gap, .text = { PART_OWN, 3, 0, 0, "" } },
	{ "waited_ns", &column_time, .get = waited, .text = { PART_ACTIVITY, 5, 6, 0, "waited" },
	  .about = "for a CPU; at least, if a wait began before the archive" },
	{ NULL, &column_path, COLUMN_FIELD(struct activity, name),
	  .text = { PART_ACTIVITY, 10, 15, 1, "name" } },
	{ NULL, &column_path, COLUMN_FIELD(struct activity, name),
	  .text = { PART_SLEEPS, 10, 14, 1, "name" } },
	{ NULL, &column_name, COLUMN_FIELD(struct activity, name),
	  .text = { NAME_OF_PARTS, 10, 15, 1, "name" } },
	{ NULL, &column_name, COLUMN_FIELD(struct activity, name),
	  .text = { PART_CALLS, 10, 15, 2, "name" } },
	{ NULL, &type_calls, .is_in = has_system_calls,
	  .text = { PART_CALLS, 11, 31, 2, "most of that time in" } },
	{ NULL, &column_name, COLUMN_FIELD(struct activity, name),
	  .text = { PART_WAKERS, 10, 15, 3, "name" } },
	{ "wakers", &type_wakers,
	  SHOWN_IN(PART_WAKERS, 11, 20, 3, "woken most often by") },
	COLUMNS_END
};

static bool has_sleeps(const void *all, const void *row)
{
	unsigned int kind;

	(void)all;
	for (kind = 0; kind < REPORT_SLEEPS; kind++)
		if (activity(row)->sleeps[kind])
			return true;
	return false;
}

#define HAS(name, condition)							\
	static bool name(const void *all, const void *row)			\
	{									\
		const struct activity *a = row;					\
										\
		(void)all;							\
		return condition;						\
	}
HAS(has_calls, a->n->calls || a->n->in_calls)
HAS(was_woken, a->waits[REPORT_WOKEN])
HAS(was_preempted, a->waits[REPORT_PREEMPTED])
HAS(was_held, a->waits[REPORT_HELD])
HAS(has_wakers, a->waker_count)

static const struct part parts[] = {
	{ .bit = PART_ACTIVITY },
	{ .bit = PART_SLEEPS, .has_row = has_sleeps },
	{ .bit = PART_OWN, .is_in = has_own },
	{ .bit = PART_CALLS, .has_row = has_calls },
	{ .bit = PART_WOKEN, .has_row = was_woken },
	{ .bit = PART_PREEMPTED, .has_row = was_preempted },
	{ .bit = PART_HELD, .has_row = was_held },
	{ .bit = PART_WAKERS, .has_row = has_wakers },
	{ .bit = 0 }
};

/* Text shows only totals of cgroups; names and threads have the details. */
static const struct part parts_of_cgroups[] = {
	{ .bit = PART_ACTIVITY }, { .bit = PART_SLEEPS, .has_row = has_sleeps }, { .bit = 0 }
};

/* --- names and cgroups ------------------------------------------------------------------------ */

#undef FIELD
#define FIELD(field)	COLUMN_FIELD(struct activity, field)

TABLE_ROWS(name_rows, ROWS_OF_POINTERS(r->comms, r->comm_count))

TABLE_ROWS(cgroup_rows, ROWS_OF_POINTERS(r->cgroups, r->cgroup_count))

static struct activity *activity_in(union row_room *room)
{
	_Static_assert(sizeof(struct activity) <= sizeof(*room), "room for a row");
	return (struct activity *)room;
}

static void set_sum(struct activity *a, const struct report_sum *sum)
{
	*a = (struct activity){
		.n = &sum->n, .waits = sum->waits, .sleeps = sum->sleeps, .wakers = sum->wakers,
		.waker_count = sum->waker_count, .calls = &sum->calls, .threads = sum->threads,
	};
}

static const void *name_row(const void *all, const void *element, union row_room *room)
{
	const struct report_comm *c = element;
	struct activity *a = activity_in(room);

	(void)all;
	set_sum(a, &c->sum);
	a->name = c->name;
	a->processes = c->processes;
	return a;
}

static const struct column columns_name[] = {
	{ "name", &column_path, FIELD(name), .page = "name", .about = "of a cgroup its path" },
	{ "processes", &column_count, FIELD(processes), .text = { PART_ACTIVITY, 1, 8, 0, "procs" },
	  .page = "processes", .about = "how many have it" },
	{ "threads", &column_count, FIELD(threads), SHOWN_IN(PARTS_ALL, 2, 8, 0, "threads"),
	  .about = "how many have it" },
	COLUMNS_OF_ALL,
	{ "wakers", &column_list, .of = columns_waker_name, .next = next_waker },
	COLUMNS_END
};

const struct table table_names = {
	.key = "names", .title = "Names",
	.hint = "All threads of one name together, from all processes. Click a row to search "
		"for them.",
	.link = TABLE_TO_NAME,
	.is_always = true,
	.about = "all threads of one name together",
	.rows = name_rows, .row = name_row, .columns = columns_name, .parts = parts,
};

const struct table table_cgroups = {
	.key = "cgroups", .title = "Cgroups",
	.hint = "All threads of one cgroup together.",
	.about = "likewise; empty if the archive has no cgroups",
	.rows = cgroup_rows, .row = name_row, .columns = columns_name, .parts = parts_of_cgroups,
};

/* --- processes and threads: what they did -------------------------------------------------- */

static const struct column columns_activity[] = {
	COLUMNS_OF_ALL,
	{ "wakers", &column_list, .of = columns_waker, .next = next_waker },
	COLUMNS_END
};

/* --- processes -------------------------------------------------------------------------------- */

COLUMN_VALUE(pid, struct activity, a,
	     a->process->is_known ? value_of(a->process->koid) : value_unknown())

COLUMN_VALUE(process_nth, struct activity, a, value_of(a->process->nth))

static struct value parent_number(const struct sched_process *p)
{
	return p && p->parent_koid ? value_of(p->parent_koid) : value_unknown();
}

COLUMN_VALUE(parent_pid, struct activity, a, parent_number(a->process->sched))
COLUMN_VALUE(parent_nth, struct activity, a,
	     a->process->sched && a->process->sched->parent ?
	     value_of(a->process->sched->parent->nth) : value_unknown())
COLUMN_VALUE(parent_name, struct activity, a, value_text(a->process->parent_name))

TABLE_ROWS(process_rows, ROWS_OF_POINTERS(r->processes, r->process_count))

static const void *process_row(const void *all, const void *element, union row_room *room)
{
	const struct report_process *p = element;
	struct activity *a = activity_in(room);

	(void)all;
	set_sum(a, &p->sum);
	a->name = p->name;
	a->process = p;
	return a;
}

/* Most processes have one thread, which did all that they did. */
static uint64_t only_thread(const void *row)
{
	return activity(row)->process->twin;
}

static const struct column columns_process[] = {
	{ "pid", &column_id, .get = pid, SHOWN_IN(PARTS_ALL, 1, 8, 0, "pid") },
	{ "nth", &column_count, .get = process_nth,
	  .about = "how many processes had the id before" },
	{ "name", &column_name, FIELD(name), .page = "name" },
	{ "parent_pid", &column_id, .get = parent_pid,
	  .about = "which forked it, or was its parent when the recording began" },
	{ "parent_nth", &column_count, .get = parent_nth },
	{ "parent_name", &column_name, .get = parent_name },
	{ "parent_", &type_parent, .page = "parent" },
	{ "threads", &column_count, FIELD(threads), SHOWN_IN(PART_ACTIVITY, 2, 8, 0, "threads") },
	{ .type = &column_same, .of = columns_activity, .twin = only_thread },
	COLUMNS_END
};

const struct table table_processes = {
	.key = "processes", .title = "Processes",
	.is_always = true,
	.rows = process_rows, .row = process_row, .columns = columns_process, .parts = parts,
};

/* --- threads ----------------------------------------------------------------------------------- */

COLUMN_VALUE(tid, struct activity, a, value_of(a->thread->sched->koid))
COLUMN_VALUE(thread_nth, struct activity, a, value_of(a->thread->sched->nth))
COLUMN_VALUE(allowed_cpus, struct activity, a, value_text(a->thread->sched->cpus))

COLUMN_VALUE(born, struct activity, a, a->thread->sched->is_forked ?
	     value_of(a->thread->sched->begin) : value_unknown())

static struct value died(const void *all, const void *row)
{
	const struct sched_thread *t = activity(row)->thread->sched;
	const struct report *r = all;
	bool is_dead = t->state == 'X' || t->state == 'Z';

	return is_dead && t->last_event <= r->totals.to ? value_of(t->last_event) :
							  value_unknown();
}

TABLE_ROWS(thread_rows, ROWS_OF_POINTERS(r->threads, r->thread_count))

static const void *thread_row(const void *all, const void *element, union row_room *room)
{
	const struct report_thread *t = element;
	struct activity *a = activity_in(room);

	(void)all;
	*a = (struct activity){
		.n = &t->n, .waits = t->waits, .sleeps = t->sleeps, .wakers = t->wakers,
		.waker_count = t->waker_count, .calls = &t->calls, .name = thread_name(t),
		.process = t->process, .thread = t,
	};
	return a;
}

static const struct column columns_thread[] = {
	{ "tid", &column_id, .get = tid, SHOWN_IN(PARTS_ALL, 2, 8, 0, "tid") },
	{ "nth", &column_count, .get = thread_nth, .about = "how many threads had the id before" },
	{ "pid", &column_id, .get = pid, SHOWN_IN(PART_ACTIVITY, 1, 8, 0, "pid") },
	{ "name", &column_name, FIELD(name), .page = "name" },
	{ "cpus", &column_text, .get = allowed_cpus, .page = "may run on",
	  .about = "on which it may run, as 0-3,8; null if these are all, or not known" },
	{ "born_ns", &column_seconds, .get = born, .page = "forked at", .about = "its fork" },
	{ "died_ns", &column_seconds, .get = died, .page = "ended at",
	  .about = "its last switch, if not later than the selected time" },
	{ .type = &column_same, .of = columns_activity },
	COLUMNS_END
};

const struct table table_threads = {
	.key = "threads", .title = "Threads",
	.link = TABLE_TO_THREAD,
	.is_always = true,
	.rows = thread_rows, .row = thread_row, .columns = columns_thread, .parts = parts,
};
