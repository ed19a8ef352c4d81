// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * holds.c - who gave locks to those that waited for them, after what time, and in which functions:
 * of each lock and futex, the thread that woke others after most of the time, the functions in
 * which threads waited and from which others woke them, and the longest sleep until the holder.
 *
 * Must hold: only who was seen to have a lock, or woke a thread through another futex, counts.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "why/words.h"

enum part_of { WAITED_IN, WOKEN_FROM, WOKEN_BY };

/* The waits for one lock that have one function or waker. */
struct part {
	struct map_node node;
	struct report_lock *lock;
	enum part_of what;
	const char *function;
	const struct report_thread *waker;
	uint64_t ns;
};

static void add_part(struct map *parts, struct report_lock *lock, enum part_of what,
		     const char *function, const struct report_thread *waker, uint64_t ns)
{
	uint64_t hash = map_hash(map_hash((uintptr_t)lock, what),
				 function ? fxt_hash_bytes(function, strlen(function)) :
					    (uintptr_t)waker);
	struct part *p;

	if (!function && !waker)
		return;
	if (map_get(parts, hash, p, p->lock == lock && p->what == what && p->waker == waker &&
		    (!function || !strcmp(p->function, function)))) {
		p->lock = lock;
		p->what = what;
		p->function = function;
		p->waker = waker;
	}
	p->ns += ns;
}

/* Is @p more than what the report has so far? Names decide between equals. */
static bool is_more(const struct part *p, uint64_t ns, const char *function)
{
	return p->ns > ns || (p->ns == ns && (!function || strcmp(p->function, function) < 0));
}

static void take_part(const struct part *p)
{
	struct report_lock *l = p->lock;

	if (p->what == WAITED_IN && is_more(p, l->waited_in_ns, l->waited_in)) {
		l->waited_in = p->function;
		l->waited_in_ns = p->ns;
	} else if (p->what == WOKEN_FROM && is_more(p, l->woken_from_ns, l->woken_from)) {
		l->woken_from = p->function;
		l->woken_from_ns = p->ns;
	} else if (p->what == WOKEN_BY &&
		   (p->ns > l->waker_ns ||
		    (p->ns == l->waker_ns && p->waker->sched->id < l->waker->sched->id))) {
		l->waker = p->waker;
		l->waker_ns = p->ns;
	}
}

static int by_origin(const void *key, const void *element)
{
	const struct report_lock *l = element;

	return array_order(*(const uint32_t *)key, l->of->id);
}

static const struct report_thread *waker_of(struct report_engine *e, const struct history_turn *turn)
{
	return engine_thread(e, e->history->threads[turn->waker - 1]->sched);
}

/* Before this sleep, the thread has seen who had the lock; the same one woke it. */
static void add_sleep(struct report_engine *e, struct report_lock *lock,
		      const struct history_turn *turn)
{
	uint64_t slept = history_turn_end(e->history, history_turn(e->history, turn->before));

	if (turn->ready <= slept || turn->ready - slept <= lock->longest_hold)
		return;
	lock->longest_hold = turn->ready - slept;
	lock->longest_hold_time = turn->ready;
	lock->longest_hold_of = waker_of(e, turn);
}

static void add_wait(struct report_engine *e, struct map *parts, uint32_t number,
		     const struct history_lock *wait)
{
	const struct history_turn *turn = history_turn(e->history, number);
	struct report_kernel *k = &e->report.kernel;
	struct report_lock *lock = bsearch(&history_origin(e->history, wait->origin)->id, k->locks,
					   k->lock_count, sizeof(*k->locks), by_origin);
	bool is_by_thread = turn->waker && !turn->irq;
	bool was_seen = is_by_thread && wait->holder == turn->waker;
	bool is_through = is_by_thread && wait->waker == turn->waker;
	uint64_t ns = wait->to - wait->from;
	bool is_given;

	if (!lock || !engine_counts(e, wait->to, turn->cpu))
		return;
	add_part(parts, lock, WAITED_IN, why_caller(e->history, number, false), NULL, ns);
	/* Others that woke it had only taken the lock before it. */
	is_given = sched_origin_is_lock(lock->of) ? was_seen : is_through;
	if (is_given) {
		add_part(parts, lock, WOKEN_FROM, why_caller(e->history, number, true), NULL, ns);
		add_part(parts, lock, WOKEN_BY, NULL, waker_of(e, turn), ns);
	}
	if (was_seen)
		add_sleep(e, lock, turn);
}

/* Of a wait with several sleeps, only the last one counts, which ended it. */
static void add_waits(struct report_engine *e, struct map *parts, const struct history_thread *t)
{
	const struct history_lock *wait, *later = NULL;
	uint32_t number;

	for (number = t->last; number; number = history_back(e->history, number)) {
		wait = history_lock_before(e->history, number);
		if (wait && wait != later)
			add_wait(e, parts, number, wait);
		later = wait ? wait : later;
	}
}

void engine_holds_finish(struct report_engine *e)
{
	const struct report_thread *t;
	struct map parts = { 0 };
	struct part *p;
	size_t i = 0;

	if (!e->history || !e->report.kernel.lock_count)
		return;
	while ((t = engine_next_thread(e, &i)))
		if (t->account.lock_count && engine_selects(e, t))
			add_waits(e, &parts, &t->account);
	map_each(&parts, p)
		take_part(p);
	map_free_all(&parts, struct part);
}
