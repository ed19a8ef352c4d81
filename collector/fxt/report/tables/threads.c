// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads.c - the tables of names, cgroups, processes and threads: what they did.
 *
 *  names: list of name, processes and threads (how many have it), then the same as of
 *    processes; their wakers are names and have no tid
 *  cgroups: likewise, name is the path (null if the archive does not know that of the process);
 *    an empty list if the archive has no cgroups
 *  processes: list of pid (null if unknown), nth, name, parent_pid, parent_nth and parent_name
 *    (the process that forked it, or that was its parent when the recording began), threads, then
 *    run_ns, share (of all CPUs' time, 0 to 1), switches, preempted, migrations, wakeups,
 *    unknown_waits; only if the archive has such events: stolen_ns (of run_ns, what interrupts
 *    took), moves (times that a thread was moved to another CPU's run queue), calls, failed_calls,
 *    in_calls_ns (system calls, waits included), system_calls: list of name, count, errors,
 *    total_ns and longest_ns, those with most time first, at most eight; forks (threads that they
 *    created), ipis (CPUs that they interrupted); then woken, preempted_waits, held_off, sleeps,
 *    and wakers: list of tid, name, irq ("hard", "soft" or "nmi": an interrupt, and tid and name
 *    are null; else null), count, over (the count may be too large by this number; 0: it is exact)
 *  threads: list of tid, nth, pid, name, cpus (a list as "0-3,8" of those that it may run on;
 *    null if these are all or unknown), born_ns (its fork) and died_ns (its last switch; both
 *    null if not known, and this also if later), and the same
 *
 * nth is how many had the tid or pid before, because Linux reuses them.
 */
#include "tables.h"

#define CALLS	8	/* columns of a waker */

static const struct activity *of(const void *row)
{
	return row;
}

/* --- counts ------------------------------------------------------------------------------- */

COLUMN_VALUE(counts, struct activity, a, value_pointer(a->n))
COLUMN_VALUE(share, struct report_counts, n, value_fraction(report_share(r, n->run)))

/* Run time without interrupts. */
COLUMN_VALUE(own, struct report_counts, n, value_of(n->run > n->stolen ? n->run - n->stolen : 0))
COLUMN_VALUE(stolen_share, struct report_counts, n,
	     value_fraction(n->run ? (double)n->stolen / n->run : 0))

static struct value waited(const struct report *r, const void *row)
{
	struct report_waits *const *waits = of(row)->waits;
	unsigned int kind;
	uint64_t ns = 0;

	(void)r;
	for (kind = 0; kind < REPORT_WAITS; kind++)
		ns += waits[kind] ? waits[kind]->hist.sum : 0;
	return value_of(ns);
}

static const void *next_call(const struct report *r, const void *row, size_t *at)
{
	const struct report_calls *calls = of(row)->calls;

	(void)r;
	return *at < calls->count && *at < CALLS ? &calls->list[(*at)++] : NULL;
}

COLUMN_VALUE(call_name, struct report_call, call, value_text(call->of->name))

static const struct column columns_calls[] = {
	{ "name", COLUMN_NAME, .get = call_name },
	{ "count", COLUMN_COUNT, COLUMN_FIELD(struct report_call, count) },
	{ "errors", COLUMN_COUNT, COLUMN_FIELD(struct report_call, errors) },
	{ "total_ns", COLUMN_TIME, COLUMN_FIELD(struct report_call, total) },
	{ "longest_ns", COLUMN_TIME, COLUMN_FIELD(struct report_call, longest) },
	COLUMNS_END
};

#define FIELD(field)	COLUMN_FIELD(struct report_counts, field)

static const struct column columns_run[] = {
	{ "run_ns", COLUMN_TIME, FIELD(run), .text = { PART_ACTIVITY, 3, 6, 0, "run" },
	  .page = "run" },
	{ "share", COLUMN_SHARE, .get = share, .text = { PART_ACTIVITY, 4, 6, 0, "share" },
	  .page = "share" },
	{ "switches", COLUMN_COUNT, FIELD(switches),
	  .text = { PART_ACTIVITY, 6, 8, 0, "switches" }, .page = "switches" },
	{ "preempted", COLUMN_COUNT, FIELD(preempted),
	  .text = { PART_ACTIVITY, 7, 7, 0, "preempt" }, .page = "preempted" },
	{ "migrations", COLUMN_COUNT, FIELD(migrations),
	  .text = { PART_ACTIVITY, 8, 6, 0, "migr." }, .page = "migrations" },
	{ "wakeups", COLUMN_COUNT, FIELD(wakeups), .page = "wakeups" },
	{ "unknown_waits", COLUMN_COUNT, FIELD(unknown), .page = "unknown waits" },
	{ NULL, COLUMN_TIME, FIELD(run), .is_in = has_interrupts,
	  .text = { PART_OWN, 3, 6, 0, "run" } },
	{ NULL, COLUMN_TIME, .get = own, .is_in = has_interrupts,
	  .text = { PART_OWN, 4, 6, 0, "own" } },
	{ "stolen_ns", COLUMN_TIME, FIELD(stolen), .is_in = has_interrupts,
	  .text = { PART_OWN, 5, 10, 0, "interrupts" }, .page = "interrupted" },
	{ NULL, COLUMN_SHARE, .get = stolen_share, .is_in = has_interrupts,
	  .text = { PART_OWN, 6, 6, 0, "share" } },
	{ "moves", COLUMN_COUNT, FIELD(moves), .is_in = has_moves,
	  .text = { PART_OWN, 7, 7, 0, "moved" }, .page = "moved" },
	{ "calls", COLUMN_COUNT, FIELD(calls), .is_in = has_system_calls,
	  .text = { PART_CALLS, 3, 7, 0, "calls" }, .page = "system calls" },
	{ "failed_calls", COLUMN_COUNT, FIELD(failed_calls), .is_in = has_system_calls,
	  .text = { PART_CALLS, 4, 6, 0, "errors" }, .page = "failed" },
	{ "in_calls_ns", COLUMN_TIME, FIELD(in_calls), .is_in = has_system_calls,
	  .text = { PART_CALLS, 5, 6, 0, "time" }, .page = "in these" },
	COLUMNS_END
};

static const struct column columns_created[] = {
	{ "forks", COLUMN_COUNT, FIELD(forks), .is_in = has_forks,
	  .text = { PART_OWN, 8, 6, 0, "forks" }, .page = "forks" },
	{ "ipis", COLUMN_COUNT, FIELD(ipis), .is_in = has_ipis,
	  .text = { PART_OWN, 9, 6, 0, "ipis" }, .page = "CPUs interrupted" },
	COLUMNS_END
};

/* --- waits ---------------------------------------------------------------------------------- */

#define WAITS_OF(name, kind)							\
	static struct value name(const struct report *r, const void *row)	\
	{									\
		(void)r;							\
		return value_pointer(of(row)->waits[kind]);			\
	}
WAITS_OF(woken, REPORT_WOKEN)
WAITS_OF(preempted, REPORT_PREEMPTED)
WAITS_OF(held, REPORT_HELD)

const struct column columns_total_waits[] = {
	{ "woken", COLUMN_OBJECT, .get = woken, .of = columns_waits, .page = "woken" },
	{ "preempted", COLUMN_OBJECT, .get = preempted, .of = columns_waits, .page = "preempted" },
	{ "held_off", COLUMN_OBJECT, .get = held, .of = columns_waits, .page = "held off" },
	COLUMNS_END
};

/* JSON has an object for each kind of wait, of which the page makes rows. */
static const struct column columns_latencies[] = {
	{ "key", COLUMN_TEXT, .page = "kind of wait" },
	{ "count", COLUMN_COUNT, .page = "count" },
	{ "p50_ns", COLUMN_TIME, .page = "p50" },
	{ "p90_ns", COLUMN_TIME, .page = "p90" },
	{ "p99_ns", COLUMN_TIME, .page = "p99" },
	{ "p99_9_ns", COLUMN_TIME, .page = "p99.9" },
	{ "max_ns", COLUMN_TIME, .page = "max" },
	{ "max_time_ns", COLUMN_SECONDS, .page = "at" },
	{ "max_cpu", COLUMN_COUNT, .page = "on CPU" },
	{ "sum_ns", COLUMN_TIME, .page = "sum" },
	COLUMNS_END
};

const struct table table_latencies = {
	.key = "latency", .page = "Latencies",
	.objects = columns_total_waits,
	.columns = columns_latencies,
};

static const struct column columns_row_waits[] = {
	{ "woken", COLUMN_OBJECT, .get = woken, .of = columns_waits,
	  .text = { PART_WOKEN, 3, 0, 0, "woken" }, .page = "woken" },
	{ "preempted_waits", COLUMN_OBJECT, .get = preempted, .of = columns_waits,
	  .text = { PART_PREEMPTED, 3, 0, 0, "preem." }, .page = "preempted" },
	{ "held_off", COLUMN_OBJECT, .get = held, .of = columns_waits,
	  .text = { PART_HELD, 3, 0, 0, "held" }, .page = "held off" },
	COLUMNS_END
};

/* --- wakers --------------------------------------------------------------------------------- */

static const void *next_waker(const struct report *r, const void *row, size_t *at)
{
	(void)r;
	return *at < of(row)->waker_count ? &of(row)->wakers[(*at)++] : NULL;
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
	{ "name", COLUMN_NAME, .get = waker_name },
	{ "irq", COLUMN_TEXT, .get = waker_irq },
	{ "count", COLUMN_COUNT, COLUMN_FIELD(struct report_waker, count) },
	{ "over", COLUMN_COUNT, COLUMN_FIELD(struct report_waker, over) },
	COLUMNS_END
};

static const struct column columns_waker[] = {
	{ "tid", COLUMN_ID, .get = waker_id },
	{ .type = COLUMN_SAME, .of = columns_waker_name },
	COLUMNS_END
};

/* --- what the four tables have in common ---------------------------------------------------- */

static bool has_own(const struct report *r)
{
	return has_interrupts(r) || has_moves(r) || has_forks(r) || has_ipis(r);
}

static bool has_gap(const struct report *r)
{
	return !has_interrupts(r);
}

#define COLUMNS_OF_ALL								\
	{ .type = COLUMN_SAME, .get = counts, .of = columns_run },		\
	{ "system_calls", COLUMN_LIST, .of = columns_calls, .next = next_call,	\
	  .is_in = has_system_calls },						\
	{ .type = COLUMN_SAME, .get = counts, .of = columns_created },		\
	{ .type = COLUMN_SAME, .of = columns_row_waits },			\
	{ .type = COLUMN_SAME, .of = columns_sleeps },				\
	{ .type = COLUMN_SAME, .of = columns_of_text }

#define NAME_OF_PARTS	(PART_OWN | PART_WOKEN | PART_PREEMPTED | PART_HELD)

/* Names come last in most parts of text, and JSON has more fields before these. */
static const struct column columns_of_text[] = {
	{ NULL, COLUMN_GAP, .is_in = has_gap, .text = { PART_OWN, 3, 0, 0, "" } },
	{ NULL, COLUMN_TIME, .get = waited, .text = { PART_ACTIVITY, 5, 6, 0, "waited" } },
	{ NULL, COLUMN_PATH, COLUMN_FIELD(struct activity, name),
	  .text = { PART_ACTIVITY, 10, 15, 1, "name" } },
	{ NULL, COLUMN_PATH, COLUMN_FIELD(struct activity, name),
	  .text = { PART_SLEEPS, 10, 14, 1, "name" } },
	{ NULL, COLUMN_NAME, COLUMN_FIELD(struct activity, name),
	  .text = { NAME_OF_PARTS, 10, 15, 1, "name" } },
	{ NULL, COLUMN_NAME, COLUMN_FIELD(struct activity, name),
	  .text = { PART_CALLS, 10, 15, 2, "name" } },
	{ NULL, COLUMN_CALLS, .is_in = has_system_calls,
	  .text = { PART_CALLS, 11, 31, 2, "most of that time in" } },
	{ NULL, COLUMN_NAME, COLUMN_FIELD(struct activity, name),
	  .text = { PART_WAKERS, 10, 15, 3, "name" } },
	{ "wakers", COLUMN_WAKERS, .text = { PART_WAKERS, 11, 20, 3, "woken most often by" },
	  .page = "woken most often by" },
	COLUMNS_END
};

static bool has_sleeps(const struct report *r, const void *row)
{
	unsigned int kind;

	(void)r;
	for (kind = 0; kind < REPORT_SLEEPS; kind++)
		if (of(row)->sleeps[kind])
			return true;
	return false;
}

static bool has_calls(const struct report *r, const void *row)
{
	(void)r;
	return of(row)->n->calls || of(row)->n->in_calls;
}

static bool was_woken(const struct report *r, const void *row)
{
	(void)r;
	return of(row)->waits[REPORT_WOKEN];
}

static bool was_preempted(const struct report *r, const void *row)
{
	(void)r;
	return of(row)->waits[REPORT_PREEMPTED];
}

static bool was_held(const struct report *r, const void *row)
{
	(void)r;
	return of(row)->waits[REPORT_HELD];
}

static bool has_wakers(const struct report *r, const void *row)
{
	(void)r;
	return of(row)->waker_count;
}

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

static void set_sum(struct activity *a, const struct report_sum *sum)
{
	*a = (struct activity){
		.n = &sum->n, .waits = sum->waits, .sleeps = sum->sleeps, .wakers = sum->wakers,
		.waker_count = sum->waker_count, .calls = &sum->calls, .threads = sum->threads,
	};
}

static const void *name_row(const struct report *r, const void *element, struct activity *a)
{
	const struct report_comm *c = element;

	(void)r;
	set_sum(a, &c->sum);
	a->name = c->name;
	a->processes = c->processes;
	return a;
}

static const struct column columns_name[] = {
	{ "name", COLUMN_PATH, FIELD(name), .page = "name" },
	{ "processes", COLUMN_COUNT, FIELD(processes), .text = { PART_ACTIVITY, 1, 8, 0, "procs" },
	  .page = "processes" },
	{ "threads", COLUMN_COUNT, FIELD(threads), .text = { PARTS_ALL, 2, 8, 0, "threads" },
	  .page = "threads" },
	COLUMNS_OF_ALL,
	{ "wakers", COLUMN_LIST, .of = columns_waker_name, .next = next_waker },
	COLUMNS_END
};

const struct table table_names = {
	.key = "names", .title = "Names", .page = "Names",
	.hint = "All threads of one name together, from all processes. Click a row to search "
		"for them.",
	.link = TABLE_TO_NAME,
	.is_always = true,
	.rows = name_rows,
	.row = name_row,
	.columns = columns_name,
	.parts = parts,
};

const struct table table_cgroups = {
	.key = "cgroups", .title = "Cgroups", .page = "Cgroups",
	.hint = "All threads of one cgroup together.",
	.rows = cgroup_rows,
	.row = name_row,
	.columns = columns_name,
	.parts = parts_of_cgroups,
};

/* --- processes and threads: what they did -------------------------------------------------- */

static const struct column columns_activity[] = {
	COLUMNS_OF_ALL,
	{ "wakers", COLUMN_LIST, .of = columns_waker, .next = next_waker },
	COLUMNS_END
};

/* --- processes -------------------------------------------------------------------------------- */

static struct value pid(const struct report *r, const void *row)
{
	const struct report_process *p = of(row)->process;

	(void)r;
	return p->is_known ? value_of(p->koid) : value_unknown();
}

COLUMN_VALUE(process_nth, struct activity, a, value_of(a->process->nth))

static struct value parent_pid(const struct report *r, const void *row)
{
	const struct sched_process *p = of(row)->process->sched;

	(void)r;
	return p && p->parent_koid ? value_of(p->parent_koid) : value_unknown();
}

static struct value parent_nth(const struct report *r, const void *row)
{
	const struct sched_process *p = of(row)->process->sched;

	(void)r;
	return p && p->parent ? value_of(p->parent->nth) : value_unknown();
}

COLUMN_VALUE(parent_name, struct activity, a, value_text(a->process->parent_name))

TABLE_ROWS(process_rows, ROWS_OF_POINTERS(r->processes, r->process_count))

static const void *process_row(const struct report *r, const void *element, struct activity *a)
{
	const struct report_process *p = element;

	(void)r;
	set_sum(a, &p->sum);
	a->name = p->name;
	a->process = p;
	return a;
}

/* Most processes have one thread, which did all that they did. */
static size_t only_thread(const void *row)
{
	const struct report_thread *t = of(row)->process->sum.only;

	return t && t->is_shown ? t->row : SIZE_MAX;
}

static const struct twins twins_process = {
	.of = &table_threads, .columns = columns_activity, .find = only_thread,
};

static const struct column columns_process[] = {
	{ "pid", COLUMN_ID, .get = pid, .text = { PARTS_ALL, 1, 8, 0, "pid" }, .page = "pid" },
	{ "nth", COLUMN_COUNT, .get = process_nth },
	{ "name", COLUMN_NAME, FIELD(name), .page = "name" },
	{ "parent_pid", COLUMN_ID, .get = parent_pid },
	{ "parent_nth", COLUMN_COUNT, .get = parent_nth },
	{ "parent_name", COLUMN_NAME, .get = parent_name },
	{ "parent_", COLUMN_PARENT, .page = "parent" },
	{ "threads", COLUMN_COUNT, FIELD(threads), .text = { PART_ACTIVITY, 2, 8, 0, "threads" },
	  .page = "threads" },
	{ .type = COLUMN_SAME, .of = columns_activity },
	COLUMNS_END
};

const struct table table_processes = {
	.key = "processes", .title = "Processes", .page = "Processes",
	.is_always = true,
	.rows = process_rows,
	.row = process_row,
	.columns = columns_process,
	.twins = &twins_process,
	.parts = parts,
};

/* --- threads ----------------------------------------------------------------------------------- */

COLUMN_VALUE(tid, struct activity, a, value_of(a->thread->sched->koid))
COLUMN_VALUE(thread_nth, struct activity, a, value_of(a->thread->sched->nth))
COLUMN_VALUE(allowed_cpus, struct activity, a, value_text(a->thread->sched->cpus))

static struct value born(const struct report *r, const void *row)
{
	const struct sched_thread *t = of(row)->thread->sched;

	(void)r;
	return t->is_forked ? value_of(t->begin) : value_unknown();
}

static struct value died(const struct report *r, const void *row)
{
	const struct sched_thread *t = of(row)->thread->sched;
	bool is_dead = t->state == 'X' || t->state == 'Z';

	return is_dead && t->last_event <= r->totals.to ? value_of(t->last_event) :
							  value_unknown();
}

TABLE_ROWS(thread_rows, ROWS_OF_POINTERS(r->threads, r->thread_count))

static const void *thread_row(const struct report *r, const void *element, struct activity *a)
{
	const struct report_thread *t = element;

	(void)r;
	*a = (struct activity){
		.n = &t->n, .waits = t->waits, .sleeps = t->sleeps, .wakers = t->wakers,
		.waker_count = t->waker_count, .calls = &t->calls, .name = thread_name(t),
		.process = t->process, .thread = t,
	};
	return a;
}

static const struct column columns_thread[] = {
	{ "tid", COLUMN_ID, .get = tid, .text = { PARTS_ALL, 2, 8, 0, "tid" }, .page = "tid" },
	{ "nth", COLUMN_COUNT, .get = thread_nth },
	{ "pid", COLUMN_ID, .get = pid, .text = { PART_ACTIVITY, 1, 8, 0, "pid" }, .page = "pid" },
	{ "name", COLUMN_NAME, FIELD(name), .page = "name" },
	{ "cpus", COLUMN_TEXT, .get = allowed_cpus, .page = "may run on" },
	{ "born_ns", COLUMN_SECONDS, .get = born, .page = "forked at" },
	{ "died_ns", COLUMN_SECONDS, .get = died, .page = "ended at" },
	{ .type = COLUMN_SAME, .of = columns_activity },
	COLUMNS_END
};

const struct table table_threads = {
	.key = "threads", .title = "Threads", .page = "Threads",
	.link = TABLE_TO_THREAD,
	.is_always = true,
	.rows = thread_rows,
	.row = thread_row,
	.columns = columns_thread,
	.parts = parts,
};
