// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lives.c - threads that had the same id one after the other.
 *
 * In: kernel objects, in the first walk.
 * Out: the number of threads that had an id before a time. Each of them has tracks of its own, which
 * Perfetto gives to the thread that has the id when the first event is on them.
 */
#include <errno.h>
#include <stdlib.h>

#include <fxt/fxt_sched.h>

#include "libfxt/objects.h"
#include "perfetto.h"

#define FIRST_ROOM	64

static int add(struct perfetto_lives *l, uint64_t koid, uint64_t ns)
{
	size_t room = l->room ? 2 * l->room : FIRST_ROOM;
	struct perfetto_life *more;

	if (l->count == l->room) {
		more = reallocarray(l->forks, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		l->forks = more;
		l->room = room;
	}
	l->forks[l->count++] = (struct perfetto_life){ koid, ns };
	return 0;
}

int perfetto_lives_note(struct perfetto *p, uint64_t ticks_per_second)
{
	const struct fxt_content *c = &p->content;
	struct perfetto_lives *l = &p->lives;
	uint64_t ticks;

	if (c->object_type != FXT_OBJECT_THREAD)
		return 0;
	if (!koids_get(&l->threads, c->object, NULL))
		return koids_set(&l->threads, c->object, 0);
	if (fxt_object_time(c, &ticks) != FXT_STR_FORK)
		return 0;
	return add(l, c->object, fxt_ticks_to_ns(ticks, ticks_per_second));
}

static int compare(const void *a, const void *b)
{
	const struct perfetto_life *x = a, *y = b;

	if (x->koid != y->koid)
		return x->koid < y->koid ? -1 : 1;
	return x->ns < y->ns ? -1 : x->ns > y->ns;
}

void perfetto_lives_sort(struct perfetto *p)
{
	koids_free(&p->lives.threads);
	if (p->lives.count)
		qsort(p->lives.forks, p->lives.count, sizeof(*p->lives.forks), compare);
}

uint64_t perfetto_life(const struct perfetto *p, uint64_t koid, uint64_t ns)
{
	const struct perfetto_lives *l = &p->lives;
	size_t low = 0, high = l->count, i;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (l->forks[mid].koid < koid)
			low = mid + 1;
		else
			high = mid;
	}
	for (i = low; i < l->count && l->forks[i].koid == koid && l->forks[i].ns <= ns; i++)
		;
	return i - low;
}

void perfetto_lives_free(struct perfetto_lives *l)
{
	koids_free(&l->threads);
	free(l->forks);
}
