// SPDX-License-Identifier: GPL-2.0-or-later
/* The values of --start-at, and of --metadata. */
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
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		EXPECT_EQ(NULL, start_at_parse(&s, cases[i].value, cases[i].now));
		EXPECT_EQ(cases[i].at, s.at) TH_LOG("%s", cases[i].value);
	}
}

/* If a multiple was missed, the next one counts; a given second still counts. */
TEST(missed)
{
	struct start_at s;

	ASSERT_EQ(NULL, start_at_parse(&s, "/10s", 995 * S));
	start_at_missed(&s, 1000 * S + 5);
	EXPECT_EQ(1010 * S, s.at);
	ASSERT_EQ(NULL, start_at_parse(&s, "@1000", 995 * S));
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
	const char *why;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		why = start_at_parse(&s, wrong[i], S);
		EXPECT_TRUE(why && strstr(why, "use e.g. /10s")) TH_LOG("%s", wrong[i]);
	}
	why = start_at_parse(&s, "@5", 5 * S);
	EXPECT_TRUE(why && strstr(why, "in the past"));
}

static const char *add(struct metadata *m, const char *key, size_t value)
{
	static char pair[512];

	snprintf(pair, sizeof(pair), "%s=%.*s", key, (int)value,
		 "0123456789012345678901234567890123456789012345678901234567890123456789"
		 "0123456789012345678901234567890123456789012345678901234567890123456789"
		 "0123456789012345678901234567890123456789012345678901234567890123456789"
		 "0123456789012345678901234567890123456789012345678901234567890123456789");
	m->count = 0;
	return metadata_add(m, pair);
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
	const char *why;
	size_t i, size;
	FILE *f;

	EXPECT_EQ(NULL, metadata_add(&m, "role=db"));
	EXPECT_EQ(NULL, metadata_add(&m, "note=a b=c \xc3\xa9"));
	why = metadata_add(&m, "role=web");
	EXPECT_TRUE(why && strstr(why, "twice"));
	/* A key may be the beginning of another key. */
	EXPECT_EQ(NULL, metadata_add(&m, "ro=1"));
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		EXPECT_NE(NULL, metadata_add(&m, wrong[i])) TH_LOG("%s", wrong[i]);
	}
	f = open_memstream(&text, &size);
	metadata_describe(&m, f);
	fclose(f);
	EXPECT_STREQ("meta.role db\nmeta.note a b=c \xc3\xa9\nmeta.ro 1\n", text);
	EXPECT_EQ(NULL, add(&m, longest, 256));
	EXPECT_NE(NULL, add(&m, longest, 257));
	EXPECT_NE(NULL, add(&m, "abcdefghijklmnopqrstuvwxyz.-_0123", 1));
}

TEST(most_pairs)
{
	static char pairs[METADATA_MAX + 1][8];
	struct metadata m = { 0 };
	const char *why = NULL;

	for (int i = 0; i <= METADATA_MAX; i++) {
		snprintf(pairs[i], sizeof(pairs[i]), "k%d=v", i);
		why = metadata_add(&m, pairs[i]);
		EXPECT_EQ(i < METADATA_MAX, !why);
	}
	EXPECT_TRUE(why && strstr(why, "more than 16"));
}
