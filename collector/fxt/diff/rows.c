// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rows.c - the numbers of one recording, added to the rows that all recordings share.
 *
 * In: a report, and the spells of threads on CPUs.
 * Out: rows by kind and name. A kernel worker counts by its pool (kworker/0, kworker/u8), because
 * its number and the work in its name change from run to run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/functions.h"
#include "terminal/memory.h"
#include "diff.h"

#define DIFF_PAIRS	(1U << 16)	/* pairs of threads kept at a time */
#define DIFF_NAMES	(1U << 12)	/* pairs of names over all recordings */
#define NAME_BYTES	1024
#define FRAMES		16	/* innermost frames in a stack's name */

const struct diff_metric_info diff_metrics[DIFF_METRIC_COUNT] = {
#define DIFF_METRIC_INFO(metric, ...) [DIFF_##metric] = { __VA_ARGS__ },
	DIFF_METRICS(DIFF_METRIC_INFO)
#undef DIFF_METRIC_INFO
};

const struct diff_kind_info diff_kinds[DIFF_KIND_COUNT] = {
#define DIFF_KIND_INFO(kind, name, title) { name, title },
	DIFF_KINDS(DIFF_KIND_INFO)
#undef DIFF_KIND_INFO
};

/* --- rows ---------------------------------------------------------------------------------- */

static uint64_t hash_of(enum diff_kind kind, const char *name)
{
	return map_hash(fxt_hash_bytes(name, strlen(name)), kind);
}

struct diff_row *diff_find(const struct diff *d, enum diff_kind kind, const char *name)
{
	struct diff_row *row;

	return map_find(&d->map, hash_of(kind, name), row,
			row->kind == kind && !strcmp(row->name, name));
}

static struct diff_row *row_of(struct diff *d, size_t run, enum diff_kind kind, const char *name)
{
	struct diff_row *row;

	if (map_get(&d->map, hash_of(kind, name), row,
		    row->kind == kind && !strcmp(row->name, name))) {
		row->kind = kind;
		row->name = must(strdup(name));
		row->values = must(calloc(diff_run_count(d) * DIFF_METRIC_COUNT,
					  sizeof(*row->values)));
	}
	row->is_in[d->runs[run].side] = true;
	return row;
}

static void add(struct diff_row *row, size_t run, enum diff_metric metric, double value)
{
	row->values[run * DIFF_METRIC_COUNT + metric] += value;
}

void diff_free(struct diff *d)
{
	struct diff_row *row;
	size_t i;

	map_drain(&d->map, row) {
		report_hist_free(&row->waits[0].hist);
		report_hist_free(&row->waits[1].hist);
		free(row->name);
		free(row->values);
		free(row);
	}
	for (i = 0; d->runs && i < diff_run_count(d); i++)
		free(d->runs[i].session);
	free(d->runs);
	free(d->rows);
}

/* --- threads ------------------------------------------------------------------------------- */

static void add_waits(struct diff_row *row, unsigned int side, size_t run,
		      struct report_waits *const *waits)
{
	struct diff_waits *to = &row->waits[side];
	unsigned int kind;

	for (kind = 0; kind < REPORT_WAITS; kind++) {
		const struct report_waits *w = waits[kind];

		if (!w)
			continue;
		add(row, run, DIFF_WAIT, w->hist.sum);
		if (w->hist.max >= to->hist.max)
			to->max_is_open = w->max_is_open;
		to->open += w->open;
		report_hist_merge(&to->hist, &w->hist);
	}
}

static void add_sum(struct diff *d, size_t run, enum diff_kind kind, const char *name,
		    const struct report_sum *sum)
{
	static const enum diff_metric sleeps[REPORT_SLEEPS] = {
		DIFF_SLEEP, DIFF_UNINTERRUPTIBLE, DIFF_IDLE_WORKER, DIFF_STOPPED, DIFF_TRACED,
		DIFF_PARKED,
	};
	struct diff_row *row = row_of(d, run, kind, *name ? name : "?");
	unsigned int i;

	add(row, run, DIFF_RUN, sum->n.run);
	add(row, run, DIFF_RUNS, sum->n.switches);
	add(row, run, DIFF_WOKEN, sum->n.wakeups);
	add(row, run, DIFF_PREEMPTED, sum->n.preempted);
	add(row, run, DIFF_MIGRATED, sum->n.migrations);
	for (i = 0; i < REPORT_SLEEPS; i++)
		if (sum->sleeps[i])
			add(row, run, sleeps[i], sum->sleeps[i]->ns + sum->sleeps[i]->cut_ns);
	row->waits[d->runs[run].side].unknown += sum->n.unknown;
	add_waits(row, d->runs[run].side, run, sum->waits);
}

/* "kworker/u8:3-events" is "kworker/u8". */
static const char *plain_name(const char *name, char text[SCHED_NAME_BYTES])
{
	if (strncmp(name, "kworker/", 8))
		return name;
	snprintf(text, SCHED_NAME_BYTES, "%.*s", (int)strcspn(name, ":"), name);
	return text;
}

static void add_sums(struct diff *d, size_t run, const struct report *r)
{
	char text[SCHED_NAME_BYTES];
	size_t i;

	for (i = 0; i < r->comm_count; i++)
		add_sum(d, run, DIFF_NAME, plain_name(r->comms[i]->name, text),
			&r->comms[i]->sum);
	for (i = 0; i < r->process_count; i++)
		add_sum(d, run, DIFF_PROCESS, plain_name(r->processes[i]->name, text),
			&r->processes[i]->sum);
	for (i = 0; i < r->cgroup_count; i++)
		add_sum(d, run, DIFF_CGROUP, r->cgroups[i]->name, &r->cgroups[i]->sum);
}

/* --- CPUs, and what the kernel did --------------------------------------------------------- */

static void add_cpus(struct diff *d, size_t run, const struct report *r)
{
	struct diff_row *row;
	char name[24];
	size_t i;

	for (i = 0; i < r->cpu_count; i++) {
		const struct report_cpu *cpu = r->cpus[i];

		snprintf(name, sizeof(name), "cpu %u", cpu->number);
		row = row_of(d, run, DIFF_CPU, name);
		add(row, run, DIFF_RUN, cpu->busy);
		add(row, run, DIFF_RUNS, cpu->switches);
		add(row, run, DIFF_IDLE, cpu->idle);
		add(row, run, DIFF_INTERRUPTS, cpu->kernel.hard + cpu->kernel.soft);
	}
}

/* Returns DIFF_KIND_COUNT if the origin has no rows. */
static enum diff_kind kind_of(const struct report_origin *s)
{
	switch (s->of->what) {
	case KERNEL_IRQ:
	case KERNEL_VECTOR:
	case KERNEL_SOFTIRQ:
		return DIFF_INTERRUPT;
	case KERNEL_WORK:
		return DIFF_WORK;
	case KERNEL_SYSCALL:
		return DIFF_SYSCALL;
	default:
		return DIFF_KIND_COUNT;
	}
}

static void add_origins(struct diff *d, size_t run, const struct report *r)
{
	struct diff_row *row;
	size_t i;

	for (i = 0; i < r->kernel.origin_count; i++) {
		const struct report_origin *s = r->kernel.origins[i];
		enum diff_kind kind = kind_of(s);

		if (kind == DIFF_KIND_COUNT)
			continue;
		row = row_of(d, run, kind, *s->of->name ? s->of->name : "?");
		add(row, run, DIFF_TIME, s->total);
		add(row, run, DIFF_COUNT, s->count);
		add(row, run, DIFF_FAILED, s->errors);
	}
}

/* --- stacks -------------------------------------------------------------------------------- */

static const char between_frames[DIFF_FRAME_BYTES + 1] = " < ";

const char *diff_next_frame(const char *frames)
{
	const char *at = strstr(frames, between_frames);

	return at ? at + DIFF_FRAME_BYTES : NULL;
}

/* "slept in futex_wait < do_futex < main" */
static void stack_name(char name[NAME_BYTES], const struct report_stacks *s,
		       const struct fxt_call_stack *stack, enum report_stack_kind kind)
{
	static const char *const kinds[] = {
		[REPORT_STACK_SLEPT] = "slept in", [REPORT_STACK_IDLE] = "without work in",
		[REPORT_STACK_PREEMPTED] = "preempted in",
	};
	uint32_t begin, end, i;
	size_t used;
	char text[SCHED_ADDRESS_BYTES];

	used = snprintf(name, NAME_BYTES, "%s", kinds[kind]);
	report_stack_range(s, stack, false, &begin, &end);
	for (i = begin; i < end && i < begin + FRAMES && used < NAME_BYTES; i++)
		used += snprintf(name + used, NAME_BYTES - used, "%s%s",
				 i > begin ? between_frames : " ",
				 sched_function_name(s->symbols, stack, i, text));
}

static void add_stacks(struct diff *d, size_t run, const struct report *r)
{
	const struct report_stacks *s = &r->stacks;
	char name[NAME_BYTES];
	struct diff_row *row;
	unsigned int kind;
	size_t i;

	for (kind = 0; kind < REPORT_STACK_WAKER; kind++) {
		for (i = 0; i < s->together[kind].count; i++) {
			const struct report_stack *stack = &s->together[kind].all[i];

			stack_name(name, s, stack->stack, kind);
			row = row_of(d, run, DIFF_STACK, name);
			add(row, run, DIFF_TIME, stack->sum.ns);
			add(row, run, DIFF_COUNT, stack->sum.count);
		}
	}
}

/* --- who preempted whom -------------------------------------------------------------------- */

struct diff_last {
	const struct sched_thread *thread;
	uint64_t to;		/* ns */
	bool is_preempted;	/* the thread was still runnable then */
};

struct pair {
	struct map_node node;
	const struct sched_thread *victim;
	const struct sched_thread *by;
	uint64_t count;
};

/* Names beyond DIFF_NAMES rows share one row. */
static void add_names(struct diff_preemptions *p, const struct pair *pair)
{
	char name[2 * SCHED_NAME_BYTES + 8], victim[SCHED_NAME_BYTES], by[SCHED_NAME_BYTES];
	const char *of = plain_name(pair->victim->name, victim);
	const char *from = plain_name(pair->by->name, by);
	struct diff_row *row;

	snprintf(name, sizeof(name), "%s by %s", *of ? of : "?", *from ? from : "?");
	if (p->names >= DIFF_NAMES && !diff_find(p->diff, DIFF_PREEMPTION, name))
		snprintf(name, sizeof(name), "others by others");
	else
		p->names += !diff_find(p->diff, DIFF_PREEMPTION, name);
	row = row_of(p->diff, p->run, DIFF_PREEMPTION, name);
	add(row, p->run, DIFF_COUNT, pair->count);
}

/* Convert pairs of threads to pairs of their current names. */
static void fold(struct diff_preemptions *p)
{
	struct pair *pair;

	map_drain(&p->by_thread, pair) {
		add_names(p, pair);
		free(pair);
	}
}

static void add_pair(struct diff_preemptions *p, const struct sched_thread *victim,
		     const struct sched_thread *by)
{
	uint64_t hash = map_hash(victim->id, by->id);
	struct pair *pair;

	if (!map_find(&p->by_thread, hash, pair, pair->victim == victim && pair->by == by)) {
		if (p->by_thread.count >= DIFF_PAIRS)
			fold(p);
		pair = new_zero(struct pair);
		*pair = (struct pair){ .victim = victim, .by = by };
		map_put(&p->by_thread, &pair->node, hash);
	}
	pair->count++;
}

/* Spells on one CPU come in the order of time. */
static int note_span(void *arg, const struct sched_span *span)
{
	struct diff_preemptions *p = arg;
	struct diff_last *last;

	if (span->state != SCHED_RUNNING || span->cpu == REPORT_NO_CPU)
		return 0;
	last = p->last[span->cpu];
	if (!last)
		last = p->last[span->cpu] = new_zero(struct diff_last);
	if (last->is_preempted && last->to == span->from && span->thread->koid &&
	    span->thread != last->thread)
		add_pair(p, last->thread, span->thread);
	*last = (struct diff_last){
		.thread = span->thread, .to = span->to,
		.is_preempted = span->end_state == '+' && span->thread->koid,
	};
	return 0;
}

void diff_preemptions_open(struct diff_preemptions *p, struct diff *d, size_t run)
{
	*p = (struct diff_preemptions){
		.diff = d, .run = run, .names = p->names,
		.watch = { .span = note_span, .arg = p },
	};
}

void diff_preemptions_free(struct diff_preemptions *p)
{
	size_t i;

	map_free_all(&p->by_thread, struct pair);
	for (i = 0; i < FILTER_CPUS; i++)
		free(p->last[i]);
}

/* --- a report ------------------------------------------------------------------------------ */

void diff_add_report(struct diff *d, size_t run, const struct report *r,
		     struct diff_preemptions *p)
{
	add_sums(d, run, r);
	add_cpus(d, run, r);
	fold(p);
	add_stacks(d, run, r);
	add_origins(d, run, r);
}

double diff_units(const struct diff *d, const struct report *r)
{
	double units = 0;
	size_t i;

	if (!d->unit)
		return report_window(r) / 1e9;
	for (i = 0; d->is_call && i < r->kernel.origin_count; i++) {
		const struct report_origin *s = r->kernel.origins[i];

		if (s->of->what == KERNEL_SYSCALL && !strcmp(s->of->name, d->unit))
			units += s->count;
	}
	for (i = 0; !d->is_call && i < r->comm_count; i++) {
		char name[SCHED_NAME_BYTES] = "";

		strncpy(name, r->comms[i]->name, sizeof(name) - 1);
		if (fxt_glob_match(&d->glob, name))
			units += r->comms[i]->sum.n.switches;
	}
	return units;
}
