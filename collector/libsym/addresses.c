// SPDX-License-Identifier: GPL-2.0-or-later
/* addresses.c - see addresses.h. */
#include <errno.h>
#include <stdlib.h>

#include <fxt/fxt_sched.h>

#include "addresses.h"
#include "source/source.h"

#define FIRST_ROOM	4096
#define MOST		(1 << 20)

static size_t slot_of(const struct addresses *a, uint64_t address)
{
	size_t i = (address * 0x9e3779b97f4a7c15ULL) >> 32 & (a->room - 1);

	while (a->slots[i] && a->slots[i] != address)
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
		if (a->slots[i])
			more.slots[slot_of(&more, a->slots[i])] = a->slots[i];
	more.count = a->count;
	free(a->slots);
	*a = more;
	return 0;
}

static int add(struct addresses *a, uint64_t address)
{
	size_t i;

	if (2 * a->count >= a->room && a->count < MOST && grow(a))
		return -ENOMEM;
	i = slot_of(a, address);
	if (!address || a->slots[i] || a->count >= MOST)
		return 0;
	a->slots[i] = address;
	a->count++;
	return 0;
}

static int add_stack(struct addresses *a, const uint64_t *rec, uint64_t words)
{
	uint64_t frames = fxt_get(FXT_BACKTRACE_FRAMES, rec[0]), i;
	int ret = 0;

	if (frames > words - FXT_SCHED_STACK_HEAD)
		return 0;
	for (i = 0; i < frames && !ret; i++)
		ret = add(a, fxt_sched_frame_address(rec[FXT_SCHED_STACK_HEAD + i]));
	return ret;
}

int addresses_chunk(struct addresses *a, const struct chunk *c)
{
	const uint64_t *rec = c->data, *end = rec + c->bytes / FXT_WORD;
	uint64_t words;
	int ret = 0;

	for (; rec < end && !ret; rec += words) {
		words = fxt_get(FXT_SIZE, rec[0]);
		if (!words || words > (uint64_t)(end - rec))
			break;
		if (fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_PROFILER &&
		    words >= FXT_SCHED_STACK_HEAD)
			ret = add_stack(a, rec, words);
	}
	return ret;
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void addresses_sort(struct addresses *a)
{
	size_t i, count = 0;

	for (i = 0; i < a->room; i++)
		if (a->slots[i])
			a->slots[count++] = a->slots[i];
	qsort(a->slots, count, sizeof(*a->slots), by_address);
}

void addresses_free(struct addresses *a)
{
	free(a->slots);
	*a = (struct addresses){ 0 };
}
