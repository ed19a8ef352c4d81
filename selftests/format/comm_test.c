// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The names of tasks, as in task_struct, become UTF-8; compared with Unicode's table of well-formed
 * UTF-8.
 */
#include "words.h"
#include "fxt/fxt_sched.h"

/* Unicode, table "Well-Formed UTF-8 Byte Sequences": its corner cases, and invalid ones. */
TEST(utf8_corners)
{
	static const struct {
		const char *s;
		uint32_t bytes, length;
	} table[] = {
		{ "\x00", 1, 1 }, { "\x7f", 1, 1 }, { "ab", 2, 1 }, { "\xc2\x80", 2, 2 },
		{ "\xdf\xbf", 2, 2 }, { "\xdf\xbf\xbf", 3, 2 }, { "\xe0\xa0\x80", 3, 3 },
		{ "\xe0\xbf\xbf", 3, 3 }, { "\xe1\x80\x80", 3, 3 }, { "\xec\xbf\xbf", 3, 3 },
		{ "\xed\x80\x80", 3, 3 }, { "\xed\x9f\xbf", 3, 3 }, { "\xee\x80\x80", 3, 3 },
		{ "\xef\xbf\xbf", 3, 3 }, { "\xf0\x90\x80\x80", 4, 4 },
		{ "\xf0\xbf\xbf\xbf", 4, 4 }, { "\xf1\x80\x80\x80", 4, 4 },
		{ "\xf3\xbf\xbf\xbf", 4, 4 }, { "\xf4\x80\x80\x80", 4, 4 },
		{ "\xf4\x8f\xbf\xbf", 4, 4 },
		/* not the first byte of a sequence */
		{ "\x80", 1, 0 }, { "\xbf\x80", 2, 0 }, { "\xf5\x80\x80\x80", 4, 0 },
		{ "\xf8\x88\x80\x80", 4, 0 }, { "\xfe", 1, 0 }, { "\xff\xff\xff\xff", 4, 0 },
		/* overlong */
		{ "\xc0\x80", 2, 0 }, { "\xc1\xbf", 2, 0 }, { "\xe0\x80\x80", 3, 0 },
		{ "\xe0\x9f\xbf", 3, 0 }, { "\xf0\x80\x80\x80", 4, 0 },
		{ "\xf0\x8f\xbf\xbf", 4, 0 },
		/* surrogates, and beyond U+10FFFF */
		{ "\xed\xa0\x80", 3, 0 }, { "\xed\xbf\xbf", 3, 0 },
		{ "\xf4\x90\x80\x80", 4, 0 }, { "\xf4\xbf\xbf\xbf", 4, 0 },
		/* not a continuation byte */
		{ "\xc2\x7f", 2, 0 }, { "\xc2\xc0", 2, 0 }, { "\xe1\x80\x7f", 3, 0 },
		{ "\xe1\x80\xc0", 3, 0 }, { "\xe1\x7f\x80", 3, 0 },
		{ "\xf1\x80\x80\x7f", 4, 0 }, { "\xf1\x80\xc0\x80", 4, 0 },
		/* truncated, although the following bytes would complete it */
		{ "\xc2\x80", 1, 0 }, { "\xe1\x80\x80", 2, 0 }, { "\xe1\x80\x80", 1, 0 },
		{ "\xf1\x80\x80\x80", 3, 0 }, { "\xf1\x80\x80\x80", 1, 0 },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
		/* Exactly of that size, for memory checkers. */
		unsigned char *s = malloc(table[i].bytes);

		ASSERT_NE(NULL, s);
		memcpy(s, table[i].s, table[i].bytes);
		EXPECT_WORD(table[i].length, fxt_utf8_length(s, table[i].bytes), "row", i);
	}
}

/* Every character is accepted; the counts prove that nothing else is. */
TEST(utf8_characters)
{
	static const unsigned char heads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	uint32_t count[5] = { 0 };

	for (uint32_t c = 0; c <= 0x10ffff; c++) {
		uint32_t bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		uint32_t length = c >= 0xd800 && c <= 0xdfff ? 0 : bytes;
		unsigned char s[4] = { 0, 0x80 | (c >> 12 & 0x3f), 0x80 | (c >> 6 & 0x3f),
				       0x80 | (c & 0x3f) };

		s[4 - bytes] = heads[bytes] | c >> (6 * (bytes - 1));
		ASSERT_EQ(length, fxt_utf8_length(s + 4 - bytes, bytes));
	}
	for (uint32_t i = 0; i < 0x1000000; i++) {
		unsigned char s[4] = { i >> 16, i >> 8, i, 0x80 };

		count[fxt_utf8_length(s, 4)]++;
	}
	EXPECT_EQ(128U * 0x10000, count[1]);
	EXPECT_EQ(1920U * 0x100, count[2]);
	EXPECT_EQ(61440U, count[3]);
	EXPECT_EQ(1048576U / 64, count[4]);
}

static void expect_name(struct __test_metadata *_metadata, const char *comm,
			const char *name, int row)
{
	unsigned char padded[16] = { 0 };
	char *exact = malloc(16);	/* exactly that long, for memory checkers */
	struct fxt_sched_comm c;

	ASSERT_NE(NULL, exact);
	memcpy(exact, comm, 16);
	c = fxt_sched_comm(exact);
	memcpy(padded, name, strlen(name));
	EXPECT_WORD(strlen(name), c.bytes, "length of row", row);
	EXPECT_WORD(0, !!memcmp(padded, c.words, 16), "bytes of row", row);
}

TEST(comm)
{
	static const struct {
		const char comm[17];	/* as task_struct has it, 16 bytes */
		const char *name;
	} table[] = {
		{ "", "" },
		{ "a", "a" },
		{ "kthreadd", "kthreadd" },
		{ "migration/0", "migration/0" },
		{ "kworker/u16:3-e", "kworker/u16:3-e" },
		/* not terminated: the 16th byte never belongs to the name */
		{ "0123456789abcdef", "0123456789abcde" },
		/* remains of a longer name */
		{ "ab\0cdefghijklmn", "ab" },
		{ "\0bcdefghijklmno", "" },
		/* UTF-8, and UTF-8 to the last byte */
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
		{ "\xe2\x82\xac\xf0\x9f\x98\x80", "\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "0123456789abc\xc3\xa9", "0123456789abc\xc3\xa9" },
		{ "0123456789a\xf0\x9f\x98\x80", "0123456789a\xf0\x9f\x98\x80" },
		/* truncated within a character, with or without its next byte as the 16th */
		{ "0123456789abcd\xc3", "0123456789abcd?" },
		{ "0123456789abcd\xc3\xa9", "0123456789abcd?" },
		{ "0123456789abc\xe2\x82", "0123456789abc??" },
		{ "0123456789abc\xe2\x82\xac", "0123456789abc??" },
		{ "0123456789ab\xf0\x9f\x98", "0123456789ab???" },
		{ "ab\xe2\0\x82\xac", "ab?" },
		/* invalid UTF-8 */
		{ "\xff\xfe", "??" },
		{ "\x80" "a\xbf", "?a?" },
		{ "\xc0\x80", "??" },
		{ "\xed\xa0\x80", "???" },
		{ "\xc3(", "?(" },
		{ "\xe2(\xa1", "?(?" },
		{ "\xe2\x82(", "?" "?(" },
		{ "\x80\xc3\xa9", "?\xc3\xa9" },
		{ "\xe2\xc3\xa9", "?\xc3\xa9" },
		{ "\xf4\x90\x80\x80", "????" },
		{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		  "???????????????" },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++)
		expect_name(_metadata, table[i].comm, table[i].name, i);
}

TEST(comm_of_each_byte)
{
	for (int byte = 1; byte < 256; byte++) {
		const char comm[16] = { 'x', byte, 'y' };
		const char name[] = { 'x', byte < 0x80 ? byte : '?', 'y', 0 };

		expect_name(_metadata, comm, name, byte);
	}
}
