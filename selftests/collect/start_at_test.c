// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * start_at_test.c - the values of --start-at, and of --metadata.
 * In: values, and a time of the wall clock. Expected: the next multiple; errors for invalid values.
 */
#include "harness.h"
#include "options/options.h"

#define S	1000000000ULL

TEST(next_multiple)
{
	static const struct {
		const char *value;
		uint64_t now, at;
	} cases[] = {
		{ "/10s", 1000 * S, 1010 * S },
		{ "/10s", 1000 * S - 1, 1000 * S },
		{ "/10", 1009 * S + 999999999, 1010 * S },
		{ "/1m", 61 * S, 120 * S },
		{ "/7s", 6 * S, 7 * S },
		{ "/250ms", S + 1, S + S / 4 },
		{ "@1700000000", S, 1700000000 * S },
		{ "@12.5", S, 12 * S + S / 2 },
	};
	struct start_at s;
	struct error e;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		EXPECT_EQ(0, start_at_parse(&s, cases[i].value, cases[i].now, &e));
		EXPECT_EQ(cases[i].at, s.at) TH_LOG("%s", cases[i].value);
	}
}

/* If a multiple was missed, the next one counts; a given second still counts. */
TEST(missed)
{
	struct start_at s;
	struct error e;

	ASSERT_EQ(0, start_at_parse(&s, "/10s", 995 * S, &e));
	start_at_missed(&s, 1000 * S + 5);
	EXPECT_EQ(1010 * S, s.at);
	ASSERT_EQ(0, start_at_parse(&s, "@1000", 995 * S, &e));
	start_at_missed(&s, 1000 * S + 5);
	EXPECT_EQ(1000 * S, s.at);
}

TEST(wrong_times)
{
	static const char * const wrong[] = {
		"", "10s", "/", "/x", "/0", "@", "@-5", "@0", "/10s/", "/99999999999h",
		"@18446744073", "12:00",
	};
	struct start_at s;
	struct error e;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		EXPECT_GT(0, start_at_parse(&s, wrong[i], S, &e)) TH_LOG("%s", wrong[i]);
		EXPECT_EQ(EXIT_USAGE, (int)e.code);
		EXPECT_IN(e.text, "use e.g. /10s");
	}
	EXPECT_GT(0, start_at_parse(&s, "@5", 5 * S, &e));
	EXPECT_IN(e.text, "in the past");
}

/* --- metadata --------------------------------------------------------------------- */

static int add(struct metadata *m, const char *key, size_t value)
{
	static char pair[512];
	struct error e;

	snprintf(pair, sizeof(pair), "%s=%.*s", key, (int)value,
		 "0123456789012345678901234567890123456789012345678901234567890123456789"
		 "0123456789012345678901234567890123456789012345678901234567890123456789"
		 "0123456789012345678901234567890123456789012345678901234567890123456789"
		 "0123456789012345678901234567890123456789012345678901234567890123456789");
	m->count = 0;
	return metadata_add(m, pair, &e);
}

TEST(pairs)
{
	static const char longest[] = "abcdefghijklmnopqrstuvwxyz.-_012";
	static const char * const wrong[] = {
		"", "x", "=x", "x y=1", "x\ny=1", "x=", "x=a\nb", "x=\t", "x=\x7f", "x=\xff",
		"\xc3\xa9=1",
	};
	struct metadata m = { 0 };
	char *text = NULL;
	struct error e;
	size_t i, size;
	FILE *f;

	EXPECT_EQ(0, metadata_add(&m, "role=db", &e));
	EXPECT_EQ(0, metadata_add(&m, "note=a b=c \xc3\xa9", &e));
	EXPECT_GT(0, metadata_add(&m, "role=web", &e));
	EXPECT_IN(e.text, "twice");
	/* A key may be the beginning of another key. */
	EXPECT_EQ(0, metadata_add(&m, "ro=1", &e));
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		EXPECT_GT(0, metadata_add(&m, wrong[i], &e)) TH_LOG("%s", wrong[i]);
		EXPECT_EQ(EXIT_USAGE, (int)e.code);
	}
	f = open_memstream(&text, &size);
	metadata_describe(&m, f);
	fclose(f);
	EXPECT_STREQ("meta.role db\nmeta.note a b=c \xc3\xa9\nmeta.ro 1\n", text);
	free(text);
	EXPECT_EQ(0, add(&m, longest, 256));
	EXPECT_GT(0, add(&m, longest, 257));
	EXPECT_GT(0, add(&m, "abcdefghijklmnopqrstuvwxyz.-_0123", 1));
}

TEST(most_pairs)
{
	static char pairs[METADATA_MAX + 1][8];
	struct metadata m = { 0 };
	struct error e;

	for (int i = 0; i <= METADATA_MAX; i++) {
		snprintf(pairs[i], sizeof(pairs[i]), "k%d=v", i);
		EXPECT_EQ(i < METADATA_MAX, !metadata_add(&m, pairs[i], &e));
	}
	EXPECT_IN(e.text, "more than 16");
}
