// SPDX-License-Identifier: GPL-2.0-or-later
/* waits.c - see waits.h. */
#include <stdlib.h>

#include "libfxt/array.h"
#include "classes.h"
#include "waits.h"

#define THROTTLED_SEARCH	256	/* limit of times of other cgroups to skip */

static bool has_one_cpu(const struct history *h)
{
	unsigned int i, count = 0;

	for (i = 0; i < HISTORY_CPUS; i++)
		count += sched_model_has_cpu(h->model, i);
	return count == 1;
}

void account_open(struct account *a, const struct history *h, uint64_t windows, bool sorts)
{
	const struct sched_totals *totals = sched_model_totals(h->model);

	*a = (struct account){
		.h = h, .has_wakings = totals->has_wakings,
		.has_moves = totals->has_moves, .lacks_cpus = totals->lacks_cpus,
	};
	a->has_one_cpu = !a->lacks_cpus && has_one_cpu(h);
	steps_open(&a->steps, h, windows);
	occupants_open(&a->occupants, h, &a->steps, sorts);
}

void account_close(struct account *a)
{
	occupants_close(&a->occupants);
}

void account_rewind(struct account *a, uint64_t time)
{
	occupants_rewind(&a->occupants, time == UINT64_MAX ? time : time + 1);
	a->steps.left += a->steps.window;
}

/* --- parts of one cause ------------------------------------------------------------------ */

/* @about: the part, except for its times */
static void emit(struct account *a, struct account_part about, uint64_t from, uint64_t to,
		 const struct why_by *by, size_t count)
{
	about.from = from;
	about.to = to;
	if (from < to)
		a->part(a->arg, &about, by, count);
}

static void emit_behind(struct account *a, struct account_part about, uint64_t from, uint64_t to)
{
	if (to <= from)
		return;
	about.cause = WHY_RUNNABLE;
	if (!a->is_bare)
		occupants_find(&a->occupants, about.cpu, from, to);
	emit(a, about, from, to, a->occupants.by, a->is_bare ? 0 : a->occupants.count);
}

static bool is_interrupts(const struct occupants *o, uint64_t ns)
{
	uint64_t taken = 0;
	size_t i;

	for (i = 0; i < o->count; i++)
		taken += o->by[i].who == WHY_ORIGIN ? o->by[i].ns : 0;
	return taken > ns / 2;
}

static void emit_limited(struct account *a, struct account_part about,
			 const struct account_limit *l)
{
	const struct why_by by = { .who = WHY_LIMIT, .id = l->why, .ns = l->to - l->from };
	bool is_hit;

	occupants_find(&a->occupants, about.cpu, l->from, l->to);
	is_hit = is_interrupts(&a->occupants, l->to - l->from);
	about.cause = is_hit ? WHY_RUNNABLE : WHY_LIMITED;
	emit(a, about, l->from, l->to, is_hit ? a->occupants.by : &by,
	     is_hit ? a->occupants.count : 1);
}

static void emit_wait(struct account *a, struct account_part about, uint64_t from, uint64_t to)
{
	const struct why_by unknown = { .who = WHY_NOBODY, .ns = to - from };
	struct account_limit l;

	if (to <= from)
		return;
	about.cause = WHY_RUNNABLE;
	if (about.cpu == HISTORY_NO_CPU) {
		emit(a, about, from, to, &unknown, 1);
		return;
	}
	while (account_limited(&a->occupants, about.turn, about.cpu, from, to, &l)) {
		emit_behind(a, about, l.to, to);
		emit_limited(a, about, &l);
		to = l.from;
	}
	emit_behind(a, about, from, to);
}

/* This time of a wait is beyond the limit. */
static void emit_others(struct account *a, struct account_part about, uint64_t from, uint64_t to)
{
	const struct why_by by = { .who = WHY_OTHERS, .ns = to - from };

	about.cause = WHY_RUNNABLE;
	emit(a, about, from, to, &by, 1);
}

/* --- throttled cgroups ------------------------------------------------------------------ */

static bool is_in(const struct sched_thread *t, const char *path, uint64_t time)
{
	const char *cgroup = sched_cgroup_at(t, time);

	return cgroup && path && sched_is_in_cgroup(cgroup, path);
}

/* Is it about a cgroup that the thread is in, or enters, in this part of the time? */
static bool holds(const struct history *h, const struct history_time *t, uint32_t thread,
		  uint64_t from, uint64_t to)
{
	const struct sched_thread *s = h->threads[thread]->sched;
	const char *path = history_origin(h, t->origin)->path;

	return is_in(s, path, later(t->from, from)) || is_in(s, path, earlier(t->to, to));
}

/* Find the first throttled time of a CPU that ends at @time or later; these are sorted by end. */
static size_t throttled_from(const struct history_cpu *cpu, uint64_t time)
{
	return array_front(cpu->throttled_count, i, cpu->throttled[i].to < time);
}

/*
 * The last time before @to in which the thread was throttled on a CPU. Skips overlapping times of
 * other cgroups, on both sides of @to in the list.
 */
static const struct history_time *throttled(struct account *a, uint16_t number,
					    uint32_t thread, uint64_t from, uint64_t to)
{
	const struct history *h = a->h;
	const struct history_cpu *cpu = number != HISTORY_NO_CPU ? h->cpus[number] : NULL;
	const struct history_time *t;
	size_t middle, i, tries;

	if (!cpu || !cpu->throttled_count)
		return NULL;
	middle = throttled_from(cpu, to);
	for (i = middle, tries = 0; i < cpu->throttled_count && tries < THROTTLED_SEARCH; i++, tries++) {
		steps_charge(&a->steps, 1);
		t = &cpu->throttled[i];
		if (t->from < to && holds(h, t, thread, from, to))
			return t;
	}
	for (i = middle, tries = 0; i && tries < THROTTLED_SEARCH; tries++) {
		steps_charge(&a->steps, 1);
		t = &cpu->throttled[--i];
		if (t->to <= from)
			return NULL;
		if (holds(h, t, thread, from, to))
			return t;
	}
	return NULL;
}

/* --- no record is missing --------------------------------------------------------------- */

static void emit_known_wait(struct account *a, struct account_part about, uint64_t from,
			    uint64_t to)
{
	uint32_t thread = history_turn(a->h, about.turn)->thread;
	struct account_part held = about;
	const struct history_time *t;
	uint64_t end = to;
	struct why_by by;

	held.cause = WHY_THROTTLED;
	while (end > from && (t = throttled(a, about.cpu, thread, from, end))) {
		if (!steps_spend(&a->steps)) {
			emit_others(a, about, from, end);
			return;
		}
		emit_wait(a, about, earlier(t->to, end), end);
		by = (struct why_by){
			.who = WHY_ORIGIN, .id = t->origin,
			.ns = earlier(t->to, end) - later(t->from, from),
		};
		emit(a, held, later(t->from, from), earlier(t->to, end), &by, 1);
		end = later(t->from, from);
	}
	emit_wait(a, about, from, end);
}

/* --- where it waited --------------------------------------------------------------------- */

static bool is_bound(const struct sched_thread *t, uint16_t cpu)
{
	char *end;
	unsigned long only = t->cpus ? strtoul(t->cpus, &end, 10) : 0;

	return t->cpus && end != t->cpus && !*end && only == cpu;
}

/* Are the records of a time complete: before the first loss of a turn, after its last one? */
struct place {
	bool before;
	bool after;
};

/*
 * In which run queue was the thread? If each move is recorded, at first where the turn began, at
 * last where it ended; with records missing in between, it may have moved then. If moves were not
 * recorded, it is assumed to have stayed only if it also ended there. A wakeup of sched_waking
 * names the CPU where the thread ran last; the kernel chooses one after that.
 */
static uint16_t place_of(const struct account *a, const struct history_turn *t, struct place in)
{
	uint16_t begin = t->ready_cpu, end = t->cpu;
	bool is_whole = in.before && in.after;

	if ((begin == end && is_whole) || a->has_one_cpu ||
	    is_bound(a->h->threads[t->thread]->sched, begin))
		return begin;
	if (!a->has_moves)
		return HISTORY_NO_CPU;
	if (a->has_wakings && t->begin == HISTORY_WOKEN)
		begin = HISTORY_NO_CPU;
	if (!is_whole)
		return in.before ? begin : in.after ? end : HISTORY_NO_CPU;
	return begin == HISTORY_NO_CPU ? end : end == HISTORY_NO_CPU ? begin : HISTORY_NO_CPU;
}

/* Explain a time between losses. */
static void emit_between(struct account *a, uint32_t turn, struct place in, uint64_t from,
			 uint64_t to)
{
	const struct history_turn *t = history_turn(a->h, turn);
	struct account_part about = { .turn = turn };
	const struct history_time *gap = history_gap_before(a->h, to);

	if (from >= to)
		return;
	in.before = !gap || gap->to <= t->ready;
	about.cpu = place_of(a, t, in);
	if (a->steps.left > 0)
		emit_known_wait(a, about, from, to);
	else
		emit_others(a, about, from, to);
}

void account_turn(struct account *a, uint32_t turn, uint64_t from, uint64_t to,
		  account_part_fn *part, void *arg)
{
	const struct history_turn *t = history_turn(a->h, turn);
	struct account_part lost = {
		.turn = turn, .cpu = HISTORY_NO_CPU, .cause = WHY_UNKNOWN, .detail = WHY_LOST,
	};
	uint64_t end = to, last = t->has_run ? t->from : history_turn_end(a->h, t);
	const struct history_time *gap = history_gap_before(a->h, last);
	struct place in = { .after = !gap || gap->to <= later(t->ready, to) };

	a->part = part;
	a->arg = arg;
	if (t->has_run)
		occupants_start(&a->occupants, t);
	/* It may have run and slept since the last loss. */
	if (!t->is_over && !t->has_run && gap && gap->to > t->ready)
		end = earlier(later(gap->to, from), to);
	emit(a, lost, end, to, NULL, 0);
	/* Stop where it is uncertain that the thread is runnable. */
	while (end > from && (gap = history_gap_before(a->h, end)) && gap->to > from &&
	       steps_spend(&a->steps)) {
		emit_between(a, turn, in, earlier(gap->to, end), end);
		emit(a, lost, later(gap->from, from), earlier(gap->to, end), NULL, 0);
		end = later(gap->from, from);
		in.after = false;
	}
	emit_between(a, turn, in, from, end);
}

void account_wait(struct account *a, uint32_t turn, uint64_t from, uint64_t to,
		  account_part_fn *part, void *arg)
{
	const struct history_turn *t;

	for (; turn && to > from; turn = t->before) {
		t = history_turn(a->h, turn);
		account_turn(a, turn, later(t->ready, from), to, part, arg);
		to = earlier(t->ready, to);
		if (t->begin != HISTORY_MOVED)
			break;
	}
}
