// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sockets.c - adds up the sleeps that data of sockets ended, by service and thread. Memory grows
 * with pairs of services and threads, not with sleeps.
 */
#include "internal.h"

struct entry {
	struct map_node node;
	struct report_data of;
};

static void add_sleep(struct report_engine *e, struct map *entries, const struct report_thread *t,
		      const struct history_turn *turn, const struct history_data *data)
{
	const struct history_turn *before = turn->before ? history_turn(e->history, turn->before) : NULL;
	uint64_t from = later(before ? history_turn_end(e->history, before) : e->history->first, e->from);
	const struct sched_origin *origin = history_origin(e->history, data->origin);
	uint64_t ns = turn->ready > from ? turn->ready - from : 0;
	struct entry *entry;

	if (map_get(entries, map_hash(origin->id, t->sched->id), entry,
		    entry->of.origin == origin && entry->of.thread == t))
		entry->of = (struct report_data){ .origin = origin, .thread = t };
	entry->of.count++;
	entry->of.slept += ns;
	if (ns > entry->of.longest)
		entry->of.longest = ns;
}

static void add_thread(struct report_engine *e, struct map *entries, const struct report_thread *t)
{
	const struct history_turn *turn;
	struct history_ended ended;
	uint32_t i;

	for (i = t->account.last; i; i = history_back(e->history, i)) {
		turn = history_turn(e->history, i);
		if (turn->begin != HISTORY_WOKEN || !engine_counts(e, turn->ready, turn->ready_cpu))
			continue;
		ended = history_ended_by(e->history, turn);
		if (ended.data)
			add_sleep(e, entries, t, turn, ended.data);
	}
}

ARRAY_COMPARE(by_count, struct report_data, x, y,
	      array_order(y->count, x->count) ?: array_order(y->slept, x->slept) ?:
	      array_order(x->origin->id, y->origin->id) ?:
	      array_order(x->thread->sched->id, y->thread->sched->id))

void engine_sockets_finish(struct report_engine *e)
{
	struct report_kernel *k = &e->report.kernel;
	struct map entries = { 0 };
	struct entry *entry;
	size_t i;

	if (!e->history || !e->history->has[KERNEL_DATA])
		return;
	for (i = 0; i < e->report.thread_count; i++)
		if (engine_selects(e, e->report.threads[i]))
			add_thread(e, &entries, e->report.threads[i]);
	k->data = arena_array(&e->arena, struct report_data, entries.count);
	map_each(&entries, entry)
		k->data[k->data_count++] = entry->of;
	array_sort(k->data, k->data_count, by_count);
	map_free_all(&entries, struct entry);
}
