// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * limits_test.c - how often the trigger may make a snapshot.
 * In:  events of several users, over hours.
 * Must hold: any number of events makes few snapshots, and none of them is at another user's
 *	expense.
 */
#include "harness.h"
#include "session/limits.h"

#define MS	1000000ULL
#define SECOND	(1000 * MS)
#define HOUR	(3600 * SECOND)

static const struct source_trigger trigger = {
	.limit = { [FXT_SCHED_CAUSE_LATENCY] = 100 * MS, [FXT_SCHED_CAUSE_RUNNABLE] = 8 },
};

static bool take(struct limits *l, uint32_t user, uint64_t ms, uint64_t now)
{
	const struct trigger_hit hit = {
		.cause = FXT_SCHED_CAUSE_LATENCY, .user = user, .value = ms * MS,
	};

	limits_relax(l, now);
	return limits_take(l, &trigger, &hit, now);
}

TEST(equal_waits)
{
	struct limits l = { .count = 0 };
	unsigned int taken = 0;
	uint64_t at;

	/* Ten a second, for a day. */
	for (at = 0; at < 24 * HOUR; at += 100 * MS)
		taken += take(&l, 65534, 150, at);
	EXPECT_LE(1U, taken);
	EXPECT_GE(24U * 6 + 2, taken);
	EXPECT_TRUE(take(&l, 0, 101, at));
}

/* The longest wait is always worth a snapshot. */
TEST(growing_waits)
{
	struct limits l = { .count = 0 };
	unsigned int taken = 0;
	uint64_t ms;

	for (ms = 101; ms < 100000; ms++)
		taken += take(&l, 65534, ms, ms * MS);
	EXPECT_LE(8U, taken);
	EXPECT_GE(11U, taken);
	EXPECT_TRUE(take(&l, 65534, 1000000, ms * MS));
	EXPECT_FALSE(take(&l, 65534, 1000, ms * MS));
	EXPECT_TRUE(take(&l, 65534, 1000, 3 * HOUR));
}

TEST(other_causes)
{
	const struct trigger_hit hit = {
		.cause = FXT_SCHED_CAUSE_RUNNABLE, .user = SOURCE_NO_USER, .value = 9,
	};
	struct limits l = { .count = 0 };

	EXPECT_TRUE(take(&l, SOURCE_NO_USER, 150, 0));
	EXPECT_TRUE(limits_take(&l, &trigger, &hit, 0));
	EXPECT_FALSE(limits_take(&l, &trigger, &hit, 0));
}

/* Users beyond the limit share one, and one that is known keeps its own. */
TEST(too_many_users)
{
	struct raised_limit list[LIMITS_MOST];
	struct limits l = { .count = 0 };
	unsigned int taken = 0;

	for (uint32_t user = 0; user < 100000; user++)
		taken += take(&l, user, 150, 0);
	EXPECT_GE(LIMITS_MOST + 2, taken);
	ASSERT_GE(LIMITS_MOST, l.count);
	EXPECT_FALSE(take(&l, 0, 150, 0));
	EXPECT_TRUE(take(&l, 0, 250, 0));
	limits_list(&l, &trigger, list);
	EXPECT_EQ(400 * MS, list[0].limit);
	limits_relax(&l, HOUR);
	EXPECT_EQ(0U, l.count);
}
