// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A heap returns its elements in order, even while more are added; an array that grows keeps its
 * elements; a map has one entry of each key, in the order of their addition.
 */
#include "harness.h"
#include "libfxt/array.h"
#include "libfxt/heap.h"
#include "libfxt/map.h"

#define ITEMS	3000U

struct item {
	uint32_t key;
	uint32_t number;
};

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525U + 1013904223U;
	return *state >> 16;
}

static bool is_before(const void *unused, struct item a, struct item b)
{
	(void)unused;
	return a.key != b.key ? a.key < b.key : a.number < b.number;
}

TEST(a_heap_gives_its_items_in_order)
{
	static struct item heap[ITEMS];
	struct item last = { 0, 0 }, i;
	uint32_t seed = 1, n;
	size_t count = 0;

	for (n = 0; n < ITEMS; n++)
		heap_push(heap, count, ((struct item){ next_random(&seed) % 500, n }), is_before, NULL);
	ASSERT_EQ(ITEMS, count);
	for (n = 0; count; n++) {
		i = heap_pop(heap, count, is_before, NULL);
		ASSERT_TRUE(!n || is_before(NULL, last, i));
		last = i;
	}
	EXPECT_EQ(ITEMS, n);
}

/* As in a merge of sorted streams, the next item takes the place of the first one. */
TEST(the_first_item_of_a_heap_is_replaced)
{
	struct item heap[64], first, last = { 0, 0 };
	uint32_t seed = 2, n, taken = 0;
	uint8_t seen[64 + ITEMS] = { 0 };
	size_t count = 0;

	for (n = 0; n < 64; n++)
		heap_push(heap, count, ((struct item){ next_random(&seed) % 100, n }), is_before, NULL);
	for (; n < 64 + ITEMS; n++) {
		first = heap[0];
		ASSERT_TRUE(!taken++ || is_before(NULL, last, first));
		last = first;
		seen[first.number]++;
		heap_set_top(heap, count,
			     ((struct item){ first.key + next_random(&seed) % 100, n }),
			     is_before, NULL);
	}
	while (count)
		seen[heap_pop(heap, count, is_before, NULL).number]++;
	for (n = 0; n < 64 + ITEMS; n++)
		ASSERT_EQ(1, seen[n]);
}

TEST(arrays_keep_their_elements)
{
	uint32_t *grown = NULL, *reserved = NULL, n, round, room = 0;
	volatile size_t too_many = SIZE_MAX;	/* the compiler would warn */
	size_t count = 0;

	for (n = 0; n < ITEMS; n++) {
		ASSERT_EQ(0, array_grow(grown, count));
		grown[count++] = n;
	}
	for (round = 0; round < 3; round++)
		for (n = 0; n < ITEMS; n++) {
			ASSERT_EQ(0, array_reserve(reserved, room, n + 1));
			ASSERT_GT(room, n);
			reserved[n] = n;
		}
	for (n = 0; n < ITEMS; n++) {
		ASSERT_EQ(n, grown[n]);
		ASSERT_EQ(n, reserved[n]);
	}
	EXPECT_EQ(-ENOMEM, array_reserve(reserved, room, too_many));
	EXPECT_EQ(ITEMS - 1, reserved[ITEMS - 1]);
}

TEST(the_front_of_an_array_is_found)
{
	static const uint32_t sorted[] = { 1, 3, 3, 7 };

	EXPECT_EQ(0U, array_front(0, i, sorted[i] < 9));
	EXPECT_EQ(0U, array_front(4, i, sorted[i] < 1));
	EXPECT_EQ(1U, array_front(4, i, sorted[i] < 3));
	EXPECT_EQ(3U, array_front(4, i, sorted[i] <= 3));
	EXPECT_EQ(4U, array_front(4, i, sorted[i] < 9));
}

struct entry {
	uint32_t number;
	struct map_node node;
};

/* Hashes of many keys are equal. */
TEST(entries_are_found_by_their_keys)
{
	struct map map = { 0 };
	struct entry *e;
	uint32_t n;

	for (n = 0; n < ITEMS; n++) {
		ASSERT_EQ(NULL, map_find(&map, n % 7, e, e->number == n));
		ASSERT_NE(NULL, map_new(&map, n % 7, e));
		e->number = n;
	}
	for (n = 0; n < ITEMS; n++)
		ASSERT_EQ(n, map_find(&map, n % 7, e, e->number == n)->number);
	n = 0;
	map_each(&map, e)
		ASSERT_EQ(n++, e->number);
	EXPECT_EQ(ITEMS, n);
	map_drain(&map, e) {
		n -= e->number == ITEMS - n;
	}
	EXPECT_EQ(0U, n);
	EXPECT_EQ(0U, map.count);
	EXPECT_EQ(NULL, map_find(&map, 1, e, true));
	map_free_all(&map, struct entry);
}
