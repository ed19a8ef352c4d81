// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How often the trigger may make a snapshot: any number of events makes few snapshots, and none of
 * them is at another user's expense.
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

	uint32_t counted;

	limits_relax(l, now);
	return limits_accept(l, &trigger, &hit, now, &counted);
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
	uint32_t user;

	EXPECT_TRUE(take(&l, SOURCE_NO_USER, 150, 0));
	EXPECT_TRUE(limits_accept(&l, &trigger, &hit, 0, &user));
	EXPECT_FALSE(limits_accept(&l, &trigger, &hit, 0, &user));
}

static uint64_t limit_for(const struct limits *l, uint32_t user)
{
	struct raised_limit list[FXT_SCHED_LIMITS_MAX];
	unsigned int count = limits_list(l, &trigger, list);

	for (unsigned int i = 0; i < count; i++)
		if (list[i].cause == FXT_SCHED_CAUSE_LATENCY && list[i].users.first <= user &&
		    user <= list[i].users.last)
			return list[i].limit / MS;
	return trigger.limit[FXT_SCHED_CAUSE_LATENCY] / MS;
}

/* Users beyond the limit share one, in the kernel too, and one that is known keeps its own. */
TEST(too_many_users)
{
	struct limits l = { .count = 0 };
	unsigned int taken = 0;

	for (uint32_t user = 0; user < 100000; user++)
		taken += take(&l, user, 150, 0);
	EXPECT_EQ((unsigned int)LIMITS_OWN + 1, taken);
	EXPECT_FALSE(take(&l, 0, 150, 0));
	EXPECT_TRUE(take(&l, 0, 250, 0));
	EXPECT_EQ(400U, limit_for(&l, 0));
	EXPECT_EQ(200U, limit_for(&l, 1));
	EXPECT_EQ(200U, limit_for(&l, 123456));
	limits_relax(&l, HOUR);
	EXPECT_EQ(0U, l.count);
	EXPECT_EQ(100U, limit_for(&l, 0));
	EXPECT_EQ(100U, limit_for(&l, 123456));
}

/* A person who may use many ids is one user. */
TEST(ids_of_one_person)
{
	struct trigger_hit hit = { .cause = FXT_SCHED_CAUSE_LATENCY, .value = 150 * MS };
	const char *dir = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	struct limits l = { .count = 0 };
	uint32_t user, taken = 0;
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%.150s/subuid.XXXXXX", dir);
	f = fdopen(mkstemp(path), "w");
	ASSERT_NE(NULL, f);
	fputs("ann:100000:65536\n\nno range\n# 5\nbob:165536:65536\nbig:4294967290:10\nall:0:0\n", f);
	ASSERT_EQ(0, fclose(f));
	EXPECT_EQ(0, subids_read(&l.subids, path));
	unlink(path);
	EXPECT_EQ(2U, l.subids.count);
	for (hit.user = 100000; hit.user < 231072; hit.user++) {
		if (!limits_accept(&l, &trigger, &hit, 0, &user))
			continue;
		EXPECT_EQ(taken++ ? 165536U : 100000U, user);
	}
	EXPECT_EQ(2U, taken);
	EXPECT_EQ(200U, limit_for(&l, 165535));
	EXPECT_EQ(100U, limit_for(&l, 99999));
	EXPECT_EQ(100U, limit_for(&l, 231072));
	EXPECT_FALSE(take(&l, 231071, 150, 0));
	EXPECT_TRUE(take(&l, 231072, 150, 0));
	subids_free(&l.subids);
	EXPECT_EQ(0, subids_read(&l.subids, "/nonexistent"));
	EXPECT_EQ(0U, l.subids.count);
}
