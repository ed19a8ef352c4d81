// SPDX-License-Identifier: GPL-2.0-or-later
/* Which renames are recorded: fxt_rename.h, with times that the test chooses. */
#include "harness.h"

#include <fxt/fxt_rename.h>

#define THREAD_NS	(1ULL << FXT_RENAME_THREAD_SHIFT)
#define USER_NS		(1ULL << FXT_RENAME_USER_SHIFT)
#define BOOT_NS		123456789012345ULL

FIXTURE(rate)
{
	__u16 thread;
	__u32 user;
};

FIXTURE_SETUP(rate)
{
	self->thread = 0;
	self->user = 0;
}

FIXTURE_TEARDOWN(rate) { }

/* Return: how many of @count renames at the time @ns become records. */
static unsigned int pass(__u16 *thread, __u32 *user, __u64 ns, unsigned int count)
{
	unsigned int passed = 0;

	while (count--)
		passed += fxt_rename_fits(thread, user, ns, 1);
	return passed;
}

static bool is_marked(__u16 thread)
{
	return thread & FXT_RENAME_FOLDED;
}

/* A burst at once, then as many as the time allows. */
TEST_F(rate, of_a_thread)
{
	__u64 ns = BOOT_NS;

	EXPECT_EQ(FXT_RENAME_THREAD_BURST, pass(&self->thread, &self->user, ns, 1000));
	for (unsigned int i = 0; i < 50; i++) {
		ns += THREAD_NS;
		EXPECT_EQ(1U, pass(&self->thread, &self->user, ns, 1000));
	}
	ns += 10 * THREAD_NS;
	EXPECT_EQ(10U, pass(&self->thread, &self->user, ns, 1000));
	ns += 10000 * THREAD_NS;
	EXPECT_EQ(FXT_RENAME_THREAD_BURST, pass(&self->thread, &self->user, ns, 1000));
}

/* The limit of a user counts for all threads; a rename that it refuses costs a thread nothing. */
TEST_F(rate, of_a_user)
{
	unsigned int passed = 0, i;
	__u16 threads[20] = { 0 };
	__u64 ns = BOOT_NS;

	for (i = 0; i < 20; i++)
		passed += pass(&threads[i], &self->user, ns, 90);
	EXPECT_EQ(FXT_RENAME_USER_BURST, passed);
	ns += 5 * USER_NS;
	EXPECT_EQ(5U, pass(&threads[19], &self->user, ns, 50));
	self->user = 0;
	EXPECT_EQ(FXT_RENAME_THREAD_BURST - 5, pass(&threads[19], &self->user, ns, 1000));
}

/* The mark stays from a rename without a record to one with a record. */
TEST_F(rate, mark)
{
	__u64 ns = BOOT_NS;

	EXPECT_TRUE(fxt_rename_fits(&self->thread, &self->user, ns, 1));
	EXPECT_FALSE(is_marked(self->thread));
	EXPECT_FALSE(fxt_rename_fits(&self->thread, &self->user, ns, 0));
	EXPECT_TRUE(is_marked(self->thread));
	EXPECT_TRUE(fxt_rename_fits(&self->thread, &self->user, ns, 1));
	EXPECT_FALSE(is_marked(self->thread));
	pass(&self->thread, &self->user, ns, 1000);
	EXPECT_TRUE(is_marked(self->thread));
	EXPECT_TRUE(fxt_rename_fits(&self->thread, &self->user, ns + THREAD_NS, 1));
	EXPECT_FALSE(is_marked(self->thread));
}

/* The limits hold at any time. A burst may have one rename less where times wrap around. */
TEST_F(rate, at_any_time)
{
	unsigned int at, passed;
	__u64 ns;

	for (at = 0; at <= FXT_RENAME_THREAD_MASK + 1; at++) {
		ns = at * THREAD_NS;
		self->thread = 0;
		self->user = 0;
		passed = pass(&self->thread, &self->user, ns, 101);
		EXPECT_LE(FXT_RENAME_THREAD_BURST - 1, passed) TH_LOG("at %u", at);
		EXPECT_GE(FXT_RENAME_THREAD_BURST, passed) TH_LOG("at %u", at);
		self->user = 0;
		passed = pass(&self->thread, &self->user, ns + 2 * THREAD_NS, 10);
		EXPECT_LE(1U, passed) TH_LOG("at %u", at);
		EXPECT_GE(2U, passed) TH_LOG("at %u", at);
	}
}

/* A CPU whose clock is behind must not allow a new burst. */
TEST_F(rate, clocks_differ)
{
	pass(&self->thread, &self->user, BOOT_NS, 1000);
	EXPECT_EQ(0U, pass(&self->thread, &self->user, BOOT_NS - 2 * THREAD_NS, 1000));
}

TEST(users_are_spread)
{
	unsigned int uid, other, same = 0;

	for (uid = 1000; uid < 1064; uid++) {
		ASSERT_GT(FXT_RENAME_USERS, fxt_rename_user(uid));
		for (other = 1000; other < uid; other++)
			same += fxt_rename_user(uid) == fxt_rename_user(other);
	}
	EXPECT_GT(64U, same);
}
