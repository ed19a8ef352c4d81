// SPDX-License-Identifier: GPL-2.0-or-later
/* addresses.c - see addresses.h. */
#include <errno.h>
#include <stdlib.h>

#include <fxt/fxt_sched.h>

#include "addresses.h"

#define FIRST_ROOM	4096
#define SCATTER		2654435761U	/* odd: i * SCATTER has all slots for all i */

struct owner {
	struct map_node node;
	uint64_t process;
	uint32_t user;
	size_t count;
};

/* --- processes ---------------------------------------------------------------------------- */

static struct owner *find_owner(const struct addresses *a, uint64_t process)
{
	struct owner *o;

	return map_find(&a->processes, map_hash(process, 0), o, o->process == process);
}

static struct owner *owner_of(struct addresses *a, uint64_t process)
{
	struct owner *o = find_owner(a, process);

	if (o || !map_new(&a->processes, map_hash(process, 0), o))
		return o;
	o->process = process;
	if (a->user_of && process)
		o->user = a->user_of(process);
	return o;
}

uint32_t addresses_user(const struct addresses *a, uint64_t process)
{
	const struct owner *o = find_owner(a, process);

	return o ? o->user : 0;
}

static size_t limit_of(const struct addresses *a, const struct owner *o)
{
	return o->process ? a->each : ADDRESSES_KERNEL;
}

/* --- the table ----------------------------------------------------------------------------- */

static size_t slot_of(const struct addresses *a, uint64_t process, uint64_t at)
{
	size_t i = map_hash(process, at) & (a->room - 1);

	while (a->slots[i].at && (a->slots[i].at != at || a->slots[i].process != process))
		i = (i + 1) & (a->room - 1);
	return i;
}

/*
 * Copy the addresses within the limits of their processes into a table with this room. Slots are
 * visited in a scattered order, so that the addresses that a process keeps come from all parts of
 * the table.
 */
static int copy(struct addresses *a, size_t room)
{
	struct addresses more = *a;
	const struct address *old;
	struct owner *o;
	size_t i;

	more.room = room;
	more.count = 0;
	more.slots = calloc(room, sizeof(*more.slots));
	if (!more.slots)
		return -ENOMEM;
	map_each(&a->processes, o)
		o->count = 0;
	for (i = 0; i < a->room; i++) {
		old = &a->slots[i * SCATTER & (a->room - 1)];
		if (!old->at)
			continue;
		/* The owner exists, so this cannot fail. */
		o = owner_of(a, old->process);
		if (o->count < limit_of(a, o)) {
			more.slots[slot_of(&more, old->process, old->at)] = *old;
			o->count++;
			more.count++;
			continue;
		}
		more.frames_left_out++;
		if (a->left_out)
			a->left_out(a->arg, old);
	}
	free(a->slots);
	*a = more;
	return 0;
}

/* Make room for one more address; at least half of the slots stay free. */
static int make_room(struct addresses *a)
{
	if (!a->each)
		a->each = ADDRESSES_EACH;
	if (a->count >= ADDRESSES_MOST && a->each > ADDRESSES_LEAST) {
		a->each /= 2;
		return copy(a, a->room);
	}
	if (2 * a->count >= a->room && a->count < ADDRESSES_MOST)
		return copy(a, a->room ? 2 * a->room : FIRST_ROOM);
	return 0;
}

static int add_address(struct addresses *a, struct address *slot, const struct address *new)
{
	struct owner *o = owner_of(a, new->process);

	if (!o)
		return -ENOMEM;
	if (a->count >= ADDRESSES_MOST || o->count >= limit_of(a, o)) {
		a->frames_left_out++;
		if (a->left_out)
			a->left_out(a->arg, new);
		return 0;
	}
	*slot = *new;
	o->count++;
	a->count++;
	return 0;
}

int addresses_add(struct addresses *a, uint64_t process, uint64_t frame, uint64_t time)
{
	struct address new = {
		.at = fxt_sched_frame_address(frame), .first = time, .last = time,
		.process = fxt_sched_is_kernel(frame) ? 0 : process,
	};
	struct address *slot;

	if (!new.at)
		return 0;
	if (make_room(a))
		return -ENOMEM;
	slot = &a->slots[slot_of(a, new.process, new.at)];
	if (!slot->at)
		return add_address(a, slot, &new);
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

const struct address *addresses_find(const struct addresses *a, uint64_t process, uint64_t at)
{
	const struct address wanted = { .process = process, .at = at };

	return a->count ? bsearch(&wanted, a->slots, a->count, sizeof(wanted), by_place) : NULL;
}

void addresses_free(struct addresses *a)
{
	map_free_all(&a->processes, struct owner);
	free(a->slots);
	*a = (struct addresses){
		.left_out = a->left_out, .arg = a->arg, .user_of = a->user_of,
	};
}
