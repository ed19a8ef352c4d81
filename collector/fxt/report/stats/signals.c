// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * signals.c - counts the signals that threads and interrupts send to threads.
 *
 * In: moments, as the model reports them.
 * Must hold: memory grows with pairs of threads and signals between them, not with events.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

struct signal_entry {
	struct map_node node;
	struct report_signal of;
};

static struct signal_entry *signal_entry_of(struct report_engine *e,
					    const struct report_signal *key)
{
	uint64_t from = key->sender ? key->sender->sched->id + 1ULL : 0;
	uint64_t hash = map_hash(map_hash(from, key->target->sched->id),
				 (uint64_t)key->number << 8 | key->result);
	struct signal_entry *entry;
	struct map_node *n;

	for (n = map_first(&e->signals, hash); n; n = map_next(n, hash)) {
		entry = map_entry(n, struct signal_entry, node);
		if (entry->of.sender == key->sender && entry->of.target == key->target &&
		    entry->of.number == key->number && entry->of.result == key->result)
			return entry;
	}
	entry = map_reserve(&e->signals) ? NULL : calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->of = *key;
	map_add(&e->signals, &entry->node, hash);
	return entry;
}

int engine_take_signal(struct report_engine *e, const struct sched_moment *m)
{
	bool is_by_thread = !m->args.signal.is_by_irq;
	struct report_signal key = {
		.sender = is_by_thread ? engine_thread(e, m->thread) : NULL,
		.target = engine_thread(e, m->target),
		.number = m->args.signal.number,
		.result = m->args.signal.result,
	};
	struct signal_entry *entry;

	if (!key.target || (is_by_thread && !key.sender))
		return -ENOMEM;
	entry = signal_entry_of(e, &key);
	if (!entry)
		return -ENOMEM;
	entry->of.count++;
	return 0;
}

static int signal_by_count(const void *a, const void *b)
{
	const struct report_signal *x = a, *y = b;
	uint64_t from_x = x->sender ? x->sender->sched->id + 1ULL : 0;
	uint64_t from_y = y->sender ? y->sender->sched->id + 1ULL : 0;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->result != y->result)
		return x->result < y->result ? -1 : 1;
	if (from_x != from_y)
		return from_x < from_y ? -1 : 1;
	return x->target->sched->id < y->target->sched->id ? -1 : 1;
}

int engine_signals_finish(struct report_engine *e)
{
	struct report_kernel *k = &e->report.kernel;
	const struct report_signal *s;
	const struct map_node *n;

	k->signals = calloc(e->signals.count + 1, sizeof(*k->signals));
	if (!k->signals)
		return -ENOMEM;
	for (n = e->signals.oldest; n; n = n->newer) {
		s = &map_entry(n, const struct signal_entry, node)->of;
		if (engine_selects(e, s->target) || (s->sender && engine_selects(e, s->sender)))
			k->signals[k->signal_count++] = *s;
	}
	qsort(k->signals, k->signal_count, sizeof(*k->signals), signal_by_count);
	return 0;
}

void engine_signals_free(struct report_engine *e)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&e->signals, &from)))
		free(map_entry(n, struct signal_entry, node));
	map_free(&e->signals);
	free(e->report.kernel.signals);
}
