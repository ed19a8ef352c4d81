// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Both sources decide with fxt_futex_is_of() whether a waker ends a sleep through its futex. If
 * the two threads have different memory, only operations count that wake nobody else.
 */
#include <linux/futex.h>

#include "harness.h"
#include "fxt/fxt_lock.h"

#define FUTEX_AT	0x7f0000001040ULL
#define ELSEWHERE	0x560000003040ULL	/* at the same place in a page */

struct operation {
	const char *name;
	__u32 number;
	bool wakes;	/* who sleeps for its first futex */
	bool only;	/* and nobody else */
};

#define OPERATION(name, wakes, only)	{ #name, FUTEX_##name, wakes, only }

static const struct operation operations[] = {
	OPERATION(WAIT, false, false), OPERATION(WAKE, true, true),
	OPERATION(FD, false, false), OPERATION(REQUEUE, true, false),
	OPERATION(CMP_REQUEUE, true, false), OPERATION(WAKE_OP, true, false),
	OPERATION(LOCK_PI, false, false), OPERATION(UNLOCK_PI, true, true),
	OPERATION(TRYLOCK_PI, false, false), OPERATION(WAIT_BITSET, false, false),
	OPERATION(WAKE_BITSET, true, true), OPERATION(WAIT_REQUEUE_PI, false, false),
	OPERATION(CMP_REQUEUE_PI, false, false),
};

#define OPERATIONS	(sizeof(operations) / sizeof(operations[0]))

static const struct fxt_lock_wait own = { .lock = FUTEX_AT, .kind = FXT_LOCK_FUTEX };
static const struct fxt_lock_wait shared = {
	.lock = FUTEX_AT, .kind = FXT_LOCK_FUTEX, .is_shared = 1,
};

TEST(waker_with_the_same_memory)
{
	for (const struct operation *o = operations; o < operations + OPERATIONS; o++) {
		EXPECT_EQ(o->wakes, fxt_futex_is_of(&own, FUTEX_AT, o->number, 1)) TH_LOG("%s", o->name);
		EXPECT_EQ(o->wakes, fxt_futex_is_of(&own, FUTEX_AT, o->number | FUTEX_PRIVATE_FLAG, 1))
			TH_LOG("%s", o->name);
		EXPECT_FALSE(fxt_futex_is_of(&own, ELSEWHERE, o->number, 1)) TH_LOG("%s", o->name);
	}
}

TEST(waker_with_other_memory)
{
	for (const struct operation *o = operations; o < operations + OPERATIONS; o++) {
		EXPECT_EQ(o->only, fxt_futex_is_of(&shared, ELSEWHERE, o->number, 0))
			TH_LOG("%s", o->name);
		EXPECT_EQ(o->only, fxt_futex_is_of(&shared, ELSEWHERE,
						   o->number | FUTEX_CLOCK_REALTIME, 0))
			TH_LOG("%s", o->name);
		EXPECT_FALSE(fxt_futex_is_of(&shared, ELSEWHERE, o->number | FUTEX_PRIVATE_FLAG, 0))
			TH_LOG("%s", o->name);
		EXPECT_FALSE(fxt_futex_is_of(&shared, ELSEWHERE + 4, o->number, 0))
			TH_LOG("%s", o->name);
		EXPECT_FALSE(fxt_futex_is_of(&own, ELSEWHERE, o->number, 0)) TH_LOG("%s", o->name);
	}
}
