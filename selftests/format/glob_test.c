// SPDX-License-Identifier: GPL-2.0-or-later
/* A name matches a pattern if and only if fnmatch(3) says so, and invalid patterns are refused. */
#include "harness.h"

#include <fnmatch.h>
#include <linux/types.h>

#include "fxt/fxt_glob.h"

static int match(const char *pattern, const char *name)
{
	char comm[FXT_SCHED_COMM_SIZE] = "";
	struct fxt_glob g;

	if (fxt_glob_compile(&g, pattern))
		return -1;
	memcpy(comm, name, strnlen(name, sizeof(comm)));
	return fxt_glob_match(&g, comm);
}

TEST(chosen)
{
	EXPECT_EQ(1, match("*", ""));
	EXPECT_EQ(1, match("*", "kworker/0:1"));
	EXPECT_EQ(1, match("nginx*", "nginx"));
	EXPECT_EQ(0, match("nginx*", "ngin"));
	EXPECT_EQ(0, match("nginx", "nginx2"));
	EXPECT_EQ(1, match("?", "x"));
	EXPECT_EQ(0, match("?", ""));
	EXPECT_EQ(0, match("", "x"));
	EXPECT_EQ(1, match("", ""));
	EXPECT_EQ(1, match("k*[0-3]:*", "kworker/0:1"));
	EXPECT_EQ(0, match("k*[0-3]:*", "kworker/7:1"));
	EXPECT_EQ(1, match("[!a-z]*", "Xorg"));
	EXPECT_EQ(0, match("[!a-z]*", "xorg"));
	EXPECT_EQ(1, match("[]]", "]"));
	EXPECT_EQ(1, match("[a-]", "-"));
	EXPECT_EQ(1, match("\\*", "*"));
	EXPECT_EQ(0, match("\\*", "x"));
	EXPECT_EQ(1, match("[\\]]", "]"));
	EXPECT_EQ(1, match("\xc3\xa4*", "\xc3\xa4pfel"));
	EXPECT_EQ(1, match("**a**", "bab"));
	EXPECT_EQ(1, match("???????????????", "123456789012345"));
}

/* The bytes after a name's end belong to another name. */
TEST(behind_the_end)
{
	char comm[FXT_SCHED_COMM_SIZE] = "ab\0cd";
	struct fxt_glob g;

	ASSERT_EQ(0, fxt_glob_compile(&g, "ab"));
	EXPECT_EQ(1, fxt_glob_match(&g, comm));
	ASSERT_EQ(0, fxt_glob_compile(&g, "*d"));
	EXPECT_EQ(0, fxt_glob_match(&g, comm));
}

TEST(refused)
{
	EXPECT_EQ(-1, match("[", "a"));
	EXPECT_EQ(-1, match("[a", "a"));
	EXPECT_EQ(-1, match("[]", "a"));
	EXPECT_EQ(-1, match("[!]", "a"));
	/* Names have at most 15 bytes, so 16 can never match. */
	EXPECT_EQ(0, match("???????????????", "a"));
	EXPECT_EQ(-1, match("????????????????", "a"));
	EXPECT_EQ(-1, match("nginx: worker process*", "nginx"));
	EXPECT_EQ(0, match("[a-z][a-z][a-z]*", "a"));
	EXPECT_EQ(0, match("?*?*?*?*?*?*?*?*?*?*?*?*?*?*?*", "a"));
	EXPECT_EQ(-1, match("?*?*?*?*?*?*?*?*?*?*?*?*?*?*?*?*", "a"));
}

TEST(as_fnmatch)
{
	static const char letters[] = "ab*?c";
	unsigned int seed = 1, i, j, n;
	char pattern[16], name[8];

	for (i = 0; i < 300000; i++) {
		memset(pattern, 0, sizeof(pattern));
		memset(name, 0, sizeof(name));
		n = rand_r(&seed) % 8;
		for (j = 0; j < n; j++)
			pattern[j] = letters[rand_r(&seed) % 5];
		if (rand_r(&seed) % 3 == 0)
			strcat(pattern, rand_r(&seed) % 2 ? "[ab]" : "[!a]");
		n = rand_r(&seed) % 6;
		for (j = 0; j < n; j++)
			name[j] = "abc"[rand_r(&seed) % 3];
		ASSERT_EQ(!fnmatch(pattern, name, 0), match(pattern, name))
			TH_LOG("'%s' and '%s'", pattern, name);
	}
}
