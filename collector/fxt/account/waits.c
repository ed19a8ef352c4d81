// SPDX-License-Identifier: GPL-2.0-or-later
/* waits.c - see waits.h. */
#include <stdlib.h>

#include "waits.h"

#define THROTTLED_SEARCH	256	/* times of other cgroups to skip, at most */

int account_open(struct account *a, const struct history *h, uint64_t windows, bool sorts)
{
	const struct sched_totals *totals = sched_model_totals(h->model);

	*a = (struct account){
		.h = h, .has_wakings = totals->has_wakings,
		.has_moves = totals->has_moves,
	};
	steps_open(&a->steps, h, windows);
	return occupants_open(&a->occupants, h, &a->steps, sorts);
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

/* @about: the part, but for its times */
static int tell(struct account *a, struct account_part about, uint64_t from, uint64_t to,
		const struct why_by *by, size_t count)
{
	about.from = from;
	about.to = to;
	return from < to ? a->part(a->arg, &about, by, count) : 0;
}

static int tell_wait(struct account *a, struct account_part about, uint64_t from, uint64_t to)
{
	const struct why_by unknown = { .who = WHY_NOBODY, .ns = to - from };
	int ret;

	if (to <= from)
		return 0;
	about.cause = WHY_RUNNABLE;
	if (about.cpu == HISTORY_NO_CPU)
		return tell(a, about, from, to, &unknown, 1);
	ret = occupants_find(&a->occupants, about.cpu, from, to);
	return ret ? ret : tell(a, about, from, to, a->occupants.by, a->occupants.count);
}

/* Nothing is looked at in this time of a wait. */
static int tell_others(struct account *a, struct account_part about, uint64_t from, uint64_t to)
{
	const struct why_by by = { .who = WHY_OTHERS, .ns = to - from };

	about.cause = WHY_RUNNABLE;
	return tell(a, about, from, to, &by, 1);
}

/* --- throttled cgroups ------------------------------------------------------------------ */

/* Is it about a cgroup that the thread is in? */
static bool holds(const struct history *h, const struct history_time *t, uint32_t thread)
{
	const struct sched_process *owner = h->threads[thread]->sched->owner;
	const char *path = history_origin(h, t->origin)->path;

	return owner && owner->cgroup && path && sched_is_in_cgroup(owner->cgroup, path);
}

/* Find the first throttled time of a CPU that ends at @time or later; these are sorted by end. */
static size_t throttled_from(const struct history_cpu *cpu, uint64_t time)
{
	size_t low = 0, high = cpu->throttled_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (cpu->throttled[middle].to < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * The last time before @to in which the thread was throttled on a CPU. Those of other cgroups are in
 * between: a few before the one that goes on at @to, or that ended before it.
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
		steps_took(&a->steps, 1);
		t = &cpu->throttled[i];
		if (t->from < to && holds(h, t, thread))
			return t;
	}
	for (i = middle, tries = 0; i && tries < THROTTLED_SEARCH; tries++) {
		steps_took(&a->steps, 1);
		t = &cpu->throttled[--i];
		if (t->to <= from)
			return NULL;
		if (holds(h, t, thread))
			return t;
	}
	return NULL;
}

/* --- no record is missing --------------------------------------------------------------- */

/* Explain a wait during which no record is missing. */
static int tell_known_wait(struct account *a, struct account_part about, uint64_t from,
			   uint64_t to)
{
	uint32_t thread = history_turn(a->h, about.turn)->thread;
	struct account_part held = about;
	const struct history_time *t;
	uint64_t end = to;
	struct why_by by;
	int ret = 0;

	held.cause = WHY_THROTTLED;
	while (!ret && end > from && (t = throttled(a, about.cpu, thread, from, end))) {
		if (!steps_take(&a->steps))
			return tell_others(a, about, from, end);
		ret = tell_wait(a, about, earlier(t->to, end), end);
		by = (struct why_by){
			.who = WHY_ORIGIN, .id = t->origin,
			.ns = earlier(t->to, end) - later(t->from, from),
		};
		ret = ret ? ret : tell(a, held, later(t->from, from), earlier(t->to, end), &by, 1);
		end = later(t->from, from);
	}
	return ret ? ret : tell_wait(a, about, from, end);
}

/* --- where it waited --------------------------------------------------------------------- */

/* Is this the only CPU that the thread may run on? */
static bool is_bound(const struct sched_thread *t, uint16_t cpu)
{
	char *end;
	unsigned long only = t->cpus ? strtoul(t->cpus, &end, 10) : 0;

	return t->cpus && end != t->cpus && !*end && only == cpu;
}

/*
 * In which run queue was the thread? Where its turn began, unless that is uncertain: it ran on
 * another CPU, and no move is recorded that explains it; or its wakeup is one of sched_waking, which
 * names the CPU where it ran last. The kernel chooses a CPU after that, without a move that tells.
 */
static uint16_t place_of(const struct account *a, const struct history_turn *t)
{
	bool is_placed_later = a->has_wakings && t->begin == HISTORY_WOKEN;
	bool has_left = t->cpu != HISTORY_NO_CPU;

	if (has_left && (t->cpu == t->ready_cpu || (is_placed_later && a->has_moves)))
		return t->cpu;
	if (is_bound(a->h->threads[t->thread]->sched, t->ready_cpu))
		return t->ready_cpu;
	return has_left || is_placed_later ? HISTORY_NO_CPU : t->ready_cpu;
}

int account_turn(struct account *a, uint32_t turn, uint64_t from, uint64_t to,
		 account_part_fn *part, void *arg)
{
	const struct history_turn *t = history_turn(a->h, turn);
	struct account_part about = { .turn = turn, .cpu = place_of(a, t) }, lost = {
		.turn = turn, .cpu = HISTORY_NO_CPU, .cause = WHY_UNKNOWN, .detail = WHY_LOST,
	};
	const struct history_time *gap;
	uint64_t end = to;
	int ret = 0;

	a->part = part;
	a->arg = arg;
	/* Until it is uncertain that the thread is runnable. */
	while (!ret && end > from && (gap = history_gap_before(a->h, end)) && gap->to > from &&
	       steps_take(&a->steps)) {
		ret = tell_known_wait(a, about, earlier(gap->to, end), end);
		ret = ret ? ret : tell(a, lost, later(gap->from, from), earlier(gap->to, end), NULL,
				       0);
		end = later(gap->from, from);
	}
	if (ret || end <= from)
		return ret;
	return a->steps.left > 0 ? tell_known_wait(a, about, from, end) :
				   tell_others(a, about, from, end);
}

int account_wait(struct account *a, uint32_t turn, uint64_t from, uint64_t to,
		 account_part_fn *part, void *arg)
{
	const struct history_turn *t;
	int ret = 0;

	for (; !ret && turn && to > from; turn = t->before) {
		t = history_turn(a->h, turn);
		ret = account_turn(a, turn, later(t->ready, from), to, part, arg);
		to = earlier(t->ready, to);
		if (t->begin != HISTORY_MOVED)
			break;
	}
	return ret;
}
