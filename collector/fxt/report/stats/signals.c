// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * signals.c - counts the signals that threads and interrupts send to threads. Memory grows with
 * pairs of threads and signals between them, not with events.
 */
#include <stdlib.h>

#include "internal.h"

struct signal_entry {
	struct map_node node;
	struct report_signal of;
};

void engine_count_signal(struct report_engine *e, const struct sched_moment *m)
{
	const struct report_signal key = {
		.sender = m->args.signal.is_by_irq ? NULL : engine_thread(e, m->thread),
		.target = engine_thread(e, m->target),
		.number = m->args.signal.number,
		.result = m->args.signal.result,
	};
	uint64_t from = key.sender ? key.sender->sched->id + 1ULL : 0;
	uint64_t hash = map_hash(map_hash(from, key.target->sched->id),
				 (uint64_t)key.number << 8 | key.result);
	struct signal_entry *s;

	if (map_get(&e->signals, hash, s, s->of.sender == key.sender && s->of.target == key.target &&
		    s->of.number == key.number && s->of.result == key.result))
		s->of = key;
	s->of.count++;
}

static int signal_by_count(const void *a, const void *b)
{
	const struct report_signal *x = a, *y = b;
	uint64_t from_x = x->sender ? x->sender->sched->id + 1ULL : 0;
	uint64_t from_y = y->sender ? y->sender->sched->id + 1ULL : 0;

	return array_order(y->count, x->count) ?: array_order(x->number, y->number) ?:
	       array_order(x->result, y->result) ?: array_order(from_x, from_y) ?:
	       array_order(x->target->sched->id, y->target->sched->id);
}

void engine_signals_finish(struct report_engine *e)
{
	struct report_kernel *k = &e->report.kernel;
	struct signal_entry *s;

	k->signals = arena_array(&e->arena, struct report_signal, e->signals.count);
	map_each(&e->signals, s)
		if (engine_selects(e, s->of.target) ||
		    (s->of.sender && engine_selects(e, s->of.sender)))
			k->signals[k->signal_count++] = s->of;
	array_sort(k->signals, k->signal_count, signal_by_count);
}

void engine_signals_free(struct report_engine *e)
{
	map_free_all(&e->signals, struct signal_entry);
}
