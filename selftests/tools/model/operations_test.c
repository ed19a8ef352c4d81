// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The limit of memory for tracks of operations: those in use keep their tracks, all others make
 * room.
 */
#include "harness.h"

#include "walk/operations.h"

#define MANY	1000000U	/* do not fit */

static struct operation_track *track_of(struct operations *s, enum fxt_kind kind, uint64_t id)
{
	return operations_track(s, kind, id, "name", 4);
}

TEST(idle_tracks_make_room)
{
	struct operations s = { 0 };
	uint64_t first, id = 0, open, refused = 0;

	first = track_of(&s, FXT_KIND_ASYNC_BEGIN, MANY)->number;
	while (id < MANY && track_of(&s, FXT_KIND_ASYNC_BEGIN, id))
		id++;
	for (open = id, id = 0; id < open; id++)
		track_of(&s, FXT_KIND_ASYNC_END, id);
	for (id = MANY + 1; id < 3 * MANY; id++) {
		refused += !track_of(&s, FXT_KIND_ASYNC_BEGIN, id);
		track_of(&s, FXT_KIND_ASYNC_END, id);
	}
	/* A search does not follow another one at once. */
	EXPECT_GE(open / 4, refused);
	EXPECT_GE(OPERATIONS_BYTES, s.bytes);
	EXPECT_EQ(first, track_of(&s, FXT_KIND_ASYNC_END, MANY)->number);
	operations_free(&s);
	EXPECT_EQ(0UL, s.bytes);
}

TEST(tracks_in_use_stay)
{
	struct operations s = { 0 };
	uint64_t id, kept = 0, refused = 0, again = 0;

	for (id = 0; id < MANY; id++)
		*(track_of(&s, FXT_KIND_ASYNC_BEGIN, id) ? &kept : &refused) += 1;
	EXPECT_LT(0UL, refused);
	EXPECT_GE(OPERATIONS_BYTES + 4096, s.bytes);
	for (id = 0; id < kept; id++)
		EXPECT_NE(NULL, track_of(&s, FXT_KIND_ASYNC_END, id));
	/* Now there is room again. */
	for (id = 0; id < kept; id++)
		again += !!track_of(&s, FXT_KIND_ASYNC_BEGIN, MANY + id);
	EXPECT_LE(kept / 2, again);
	operations_free(&s);
}
