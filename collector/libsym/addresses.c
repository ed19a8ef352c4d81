// SPDX-License-Identifier: GPL-2.0-or-later
/* addresses.c - see addresses.h. */
#include <errno.h>
#include <stdlib.h>

#include <fxt/fxt_sched.h>

#include "addresses.h"
#include "libfxt/map.h"

#define FIRST_ROOM	4096
#define MOST		(1 << 18)

static size_t slot_of(const struct addresses *a, uint64_t process, uint64_t at)
{
	size_t i = map_hash(process, at) & (a->room - 1);

	while (a->slots[i].at && (a->slots[i].at != at || a->slots[i].process != process))
		i = (i + 1) & (a->room - 1);
	return i;
}

static int grow(struct addresses *a)
{
	struct addresses more = { .room = a->room ? 2 * a->room : FIRST_ROOM };
	size_t i;

	more.slots = calloc(more.room, sizeof(*more.slots));
	if (!more.slots)
		return -ENOMEM;
	for (i = 0; i < a->room; i++)
		if (a->slots[i].at)
			more.slots[slot_of(&more, a->slots[i].process, a->slots[i].at)] =
				a->slots[i];
	more.count = a->count;
	free(a->slots);
	*a = more;
	return 0;
}

int addresses_add(struct addresses *a, uint64_t process, uint64_t frame, uint64_t time)
{
	uint64_t at = fxt_sched_frame_address(frame);
	struct address *slot;

	if (!at)
		return 0;
	if (fxt_sched_is_kernel(frame))
		process = 0;
	if (2 * a->count >= a->room && a->count < MOST && grow(a))
		return -ENOMEM;
	slot = &a->slots[slot_of(a, process, at)];
	if (!slot->at && a->count >= MOST)
		return 0;
	if (!slot->at) {
		*slot = (struct address){ at, process, time, time };
		a->count++;
	}
	if (time < slot->first)
		slot->first = time;
	if (time > slot->last)
		slot->last = time;
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct address *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

void addresses_sort(struct addresses *a)
{
	size_t i, count = 0;

	for (i = 0; i < a->room; i++)
		if (a->slots[i].at)
			a->slots[count++] = a->slots[i];
	if (count)
		qsort(a->slots, count, sizeof(*a->slots), by_place);
}

void addresses_free(struct addresses *a)
{
	free(a->slots);
	*a = (struct addresses){ 0 };
}
