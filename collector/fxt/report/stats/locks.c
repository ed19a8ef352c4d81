// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * locks.c - adds up waits for locks by lock: who waited, for how long, and who had it when they
 * last looked.
 *
 * Must hold: memory grows with the locks that each thread waited for, and with their holders, not
 * with waits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

/* Waits of one thread for one lock that another one, or somebody unknown, had. */
struct lock_entry {
	struct map_node node;
	struct sched_origin *of;
	const struct report_thread *waiter;
	const struct report_thread *holder;	/* NULL if unknown */
	uint64_t count;
	uint64_t ns;
	uint64_t longest;
	uint64_t longest_time;
};

void engine_count_lock(struct report_engine *e, const struct sched_slice *s)
{
	const struct report_thread *waiter = engine_thread(e, s->thread);
	const struct report_thread *holder = s->holder ? engine_thread(e, s->holder) : NULL;
	uint64_t from = s->from, to = s->to, other = holder ? holder->sched->id + 1ULL : 0;
	struct lock_entry *l;

	if (e->is_narrow && !engine_narrow(e, s->cpu, &from, &to))
		return;
	if (map_get(&e->locks, map_hash(map_hash(s->origin->id, waiter->sched->id), other), l,
		    l->of == s->origin && l->waiter == waiter && l->holder == holder)) {
		l->of = s->origin;
		l->waiter = waiter;
		l->holder = holder;
	}
	l->ns += to - from;
	if (!engine_counts(e, s->to, s->cpu))
		return;
	l->count++;
	if (s->to - s->from > l->longest) {
		l->longest = s->to - s->from;
		l->longest_time = s->to;
	}
}

static uint64_t holder_of(const struct lock_entry *l)
{
	return l->holder ? l->holder->sched->id + 1ULL : 0;
}

ARRAY_COMPARE_POINTERS(by_holder, struct lock_entry, x, y,
		       array_order(x->of->id, y->of->id) ?:
		       array_order(holder_of(x), holder_of(y)) ?:
		       array_order(x->waiter->sched->id, y->waiter->sched->id))

ARRAY_COMPARE_POINTERS(by_waiter, struct lock_entry, x, y,
		       array_order(x->of->id, y->of->id) ?:
		       array_order(x->waiter->sched->id, y->waiter->sched->id))

static void add_entry(struct report_lock *to, const struct lock_entry *l)
{
	to->count += l->count;
	to->total += l->ns;
	if (l->longest <= to->longest)
		return;
	to->longest = l->longest;
	to->longest_time = l->longest_time;
	to->longest_waiter = l->waiter;
	to->longest_holder = l->holder;
}

/*
 * Add up the entries of one lock, sorted by holder. A holder had the lock when the waiter last
 * looked, and gets the whole wait. If most of that is unknown, nobody had it for most of the time.
 * Return: the number of entries
 */
static size_t add_lock(struct report_lock *to, struct lock_entry *const *list, size_t count)
{
	uint64_t ns = 0;
	size_t i;

	to->of = list[0]->of;
	if (to->of->process && to->of->places > 1)
		snprintf(to->name, sizeof(to->name), "%s of %" PRIu64 " +%u", to->of->name,
			 to->of->process, to->of->places - 1);
	else if (to->of->process)
		snprintf(to->name, sizeof(to->name), "%s of %" PRIu64, to->of->name,
			 to->of->process);
	else
		snprintf(to->name, sizeof(to->name), "%s", to->of->name);
	if (to->of->is_others)
		snprintf(to->address, sizeof(to->address), "%s", to->of->name);
	else
		snprintf(to->address, sizeof(to->address), "0x%" PRIx64, to->of->number);
	for (i = 0; i < count && list[i]->of == to->of; i++) {
		add_entry(to, list[i]);
		ns = i && list[i]->holder == list[i - 1]->holder ? ns + list[i]->ns : list[i]->ns;
		if (!list[i]->holder)
			to->unknown = ns;
		else if (ns > to->most_ns || !to->most) {
			to->most = list[i]->holder;
			to->most_ns = ns;
		}
	}
	if (to->most_ns <= to->unknown) {
		to->most = NULL;
		to->most_ns = 0;
	}
	return i;
}

static void count_waiters(struct report_kernel *k, struct lock_entry *const *list, size_t count)
{
	struct report_lock *lock = k->locks;
	size_t i;

	for (i = 0; i < count; i++) {
		lock += i && list[i]->of != list[i - 1]->of;
		lock->waiters += !i || list[i]->of != list[i - 1]->of ||
				 list[i]->waiter != list[i - 1]->waiter;
	}
}

/*
 * Futexes that are not known to be locks have a list of their own, if threads woke others through
 * them; also the row of all that are not distinguished.
 */
static void part_futexes(struct report_engine *e)
{
	struct report_kernel *k = &e->report.kernel;
	size_t i, kept = 0;

	k->futexes = arena_array(&e->arena, struct report_lock, k->lock_count);
	for (i = 0; i < k->lock_count; i++)
		if (sched_origin_is_lock(k->locks[i].of))
			k->locks[kept++] = k->locks[i];
		else if (k->locks[i].of->was_woken || k->locks[i].of->is_others)
			k->futexes[k->futex_count++] = k->locks[i];
	k->lock_count = kept;
}

ARRAY_COMPARE(by_time, struct report_lock, x, y,
	      array_order(y->total, x->total) ?: array_order(y->count, x->count) ?:
	      array_order(x->of->id, y->of->id))

void engine_locks_finish(struct report_engine *e)
{
	struct lock_entry **list = must(calloc(e->locks.count + 1, sizeof(*list))), *l;
	struct report_kernel *k = &e->report.kernel;
	size_t count = 0, i;

	map_each(&e->locks, l) {
		l->of = sched_origin_first(l->of);
		if (engine_selects(e, l->waiter))
			list[count++] = l;
	}
	k->locks = arena_array(&e->arena, struct report_lock, count);
	array_sort(list, count, by_holder);
	for (i = 0; i < count; k->lock_count++)
		i += add_lock(&k->locks[k->lock_count], list + i, count - i);
	array_sort(list, count, by_waiter);
	count_waiters(k, list, count);
	engine_holds_finish(e);
	part_futexes(e);
	array_sort(k->locks, k->lock_count, by_time);
	array_sort(k->futexes, k->futex_count, by_time);
	free(list);
}

void engine_locks_free(struct report_engine *e)
{
	map_free_all(&e->locks, struct lock_entry);
}
