// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * In which order files are read: users have the same time, as long as they have files; then the
 * processes of a user do; the most used file of a process comes first.
 */
#include "harness.h"
#include "libsym/shares.h"

TEST(most_used_first)
{
	struct share all[] = { { 0, 1, 3, 30 }, { 0, 1, 9, 90 }, { 0, 1, 5, 50 } };
	static const size_t expected[] = { 90, 50, 30 };
	struct shares s;
	uint64_t spent;
	size_t file, i;

	ASSERT_EQ(0, shares_open(&s, all, 3));
	for (i = 0; i < 3; i++) {
		ASSERT_TRUE(shares_next(&s, &file, &spent));
		EXPECT_EQ(expected[i], file);
		EXPECT_EQ(7 * i, spent);
		shares_spend(&s, 7);
	}
	EXPECT_FALSE(shares_next(&s, &file, &spent));
	shares_close(&s);
}

#define MANY	1000U

/* One user has many slow files in many processes, two others have some that are fast. */
TEST(users_and_processes_take_turns)
{
	struct share *all = calloc(MANY + 20, sizeof(*all));
	unsigned int slow = 0, in_first = 0, i;
	struct shares s;
	uint64_t spent;
	size_t file;

	ASSERT_NE(NULL, all);
	for (i = 0; i < MANY; i++)
		all[i] = (struct share){ 65534, i < MANY / 2 ? 7 : i, 100, i };
	for (i = 0; i < 20; i++)
		all[MANY + i] = (struct share){ i % 2, 8 + i, 1, MANY + i };
	ASSERT_EQ(0, shares_open(&s, all, MANY + 20));
	for (i = 0; i < 23; i++) {
		ASSERT_TRUE(shares_next(&s, &file, &spent));
		slow += file < MANY;
		in_first += file < MANY / 2;
		shares_spend(&s, file < MANY ? 100 : 10);
	}
	/* The fast ones had all turns that they needed. */
	EXPECT_EQ(3U, slow);
	EXPECT_GE(1U, in_first);
	while (shares_next(&s, &file, &spent)) {
		EXPECT_GT(MANY, file);
		shares_spend(&s, 100);
		slow++;
	}
	EXPECT_EQ(MANY, slow);
	shares_close(&s);
}

TEST(none)
{
	struct shares s;
	uint64_t spent;
	size_t file;

	ASSERT_EQ(0, shares_open(&s, NULL, 0));
	EXPECT_FALSE(shares_next(&s, &file, &spent));
	shares_close(&s);
}
