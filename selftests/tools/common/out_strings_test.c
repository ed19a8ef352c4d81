// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strings as fxt writes them: json-c's parser, or a decoder of UTF-8 written out here, reads back
 * exactly the string that was written; invalid bytes are replaced or escaped.
 */
#include "out_fixture.h"

#define REPLACEMENT		"\xef\xbf\xbd"

static bool json_is(const char *bytes, size_t length, const char *expected, size_t expected_length)
{
	struct taken t;
	json_object *value;

	take(&t);
	out_json(&t.o, bytes, length);
	taken(&t);
	value = parse(t.text, t.length);
	return value && json_object_is_type(value, json_type_string) &&
	       (size_t)json_object_get_string_len(value) == expected_length &&
	       !memcmp(json_object_get_string(value), expected, expected_length);
}

TEST(json_every_byte)
{
	char in[3] = { 'a', 0, 'b' }, expected[8];

	for (int byte = 0; byte < 256; byte++) {
		size_t n = byte < 0x80 ? 1 : 3;

		in[1] = byte;
		expected[0] = 'a';
		memcpy(expected + 1, byte < 0x80 ? in + 1 : REPLACEMENT, n);
		expected[1 + n] = 'b';
		EXPECT_TRUE(json_is(in, 3, expected, 2 + n)) TH_LOG("byte 0x%02x", byte);
		EXPECT_TRUE(json_is(in + 1, 1, expected + 1, n)) TH_LOG("only 0x%02x", byte);
	}
	EXPECT_TRUE(json_is("", 0, "", 0));
}

/* The bytes behind the end would complete the character. */
TEST(json_nothing_behind_the_end)
{
	EXPECT_TRUE(json_is("\xc3\xa4", 1, REPLACEMENT, 3));
	EXPECT_TRUE(json_is("\xe2\x82\xac", 2, REPLACEMENT REPLACEMENT, 6));
	EXPECT_TRUE(json_is("\xf0\x9f\x98\x80", 3, REPLACEMENT REPLACEMENT REPLACEMENT, 9));
}

/* The forms that people would write, no longer than necessary. */
TEST(json_short_forms)
{
	struct taken t;

	take(&t);
	out_json(&t.o, "\"\\/\b\f\n\r\t\x01\x1f\x7f", 11);
	EXPECT_STREQ("\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"", taken(&t));
}

TEST(json_utf8_edges)
{
	static const struct {
		const char *in, *expected;
	} edges[] = {
		{ "\xc2\x80", "\xc2\x80" },		/* the first of two bytes */
		{ "\xdf\xbf", "\xdf\xbf" },
		{ "\xe0\xa0\x80", "\xe0\xa0\x80" },	/* of three */
		{ "\xed\x9f\xbf", "\xed\x9f\xbf" },
		{ "\xee\x80\x80", "\xee\x80\x80" },
		{ "\xef\xbf\xbf", "\xef\xbf\xbf" },
		{ "\xf0\x90\x80\x80", "\xf0\x90\x80\x80" },	/* of four */
		{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },
		{ "\xe2\x80\xa8", "\xe2\x80\xa8" },	/* U+2028 */
		{ "\xc0\x80", REPLACEMENT REPLACEMENT },	/* overlong */
		{ "\xc1\xbf", REPLACEMENT REPLACEMENT },
		{ "\xe0\x9f\xbf", REPLACEMENT REPLACEMENT REPLACEMENT },
		{ "\xf0\x8f\xbf\xbf", REPLACEMENT REPLACEMENT REPLACEMENT REPLACEMENT },
		{ "\xed\xa0\x80", REPLACEMENT REPLACEMENT REPLACEMENT },	/* surrogates */
		{ "\xed\xbf\xbf", REPLACEMENT REPLACEMENT REPLACEMENT },
		{ "\xf4\x90\x80\x80", REPLACEMENT REPLACEMENT REPLACEMENT REPLACEMENT },
		{ "\xf5\x80\x80\x80", REPLACEMENT REPLACEMENT REPLACEMENT REPLACEMENT },
		{ "\xc3", REPLACEMENT },		/* truncated */
		{ "\xe2\x82", REPLACEMENT REPLACEMENT },
		{ "\xf0\x9f\x98", REPLACEMENT REPLACEMENT REPLACEMENT },
		{ "\xe2\x82" "a", REPLACEMENT REPLACEMENT "a" },
		{ "\xf0\x9f\x98\xc3\xa4", REPLACEMENT REPLACEMENT REPLACEMENT "\xc3\xa4" },
		{ "\xe2\"", REPLACEMENT "\"" },
		{ "\xff\xfe\x80", REPLACEMENT REPLACEMENT REPLACEMENT },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(edges); i++) {
		EXPECT_TRUE(json_is(edges[i].in, strlen(edges[i].in), edges[i].expected,
				    strlen(edges[i].expected))) TH_LOG("edge %zu", i);
	}
}

/* The length of the character at the head, from the value it would decode to; 0 if none. */
static size_t character(const unsigned char *s, size_t length)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t code, n = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 :
			   s[0] >> 3 == 30 ? 4 : 0;

	if (n < 2 || n > length)
		return n == 1;
	code = s[0] & (0x7f >> n);
	for (uint32_t i = 1; i < n; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	return n;
}

static size_t replaced(const unsigned char *s, size_t length, char *to)
{
	char *p = to;
	size_t n;

	for (size_t i = 0; i < length; i += n ? n : 1) {
		n = character(s + i, length - i);
		p = mempcpy(p, n ? (const char *)s + i : REPLACEMENT, n ? n : 3);
	}
	return p - to;
}

/* Combine each first byte with the bytes at the borders of the ranges. */
TEST(json_utf8_all)
{
	static const unsigned char borders[] = {
		0x00, '"', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xf4, 0xff,
	};
	const size_t count = 13 * 13 * 13, length = 5 * count;
	unsigned char *in = malloc(length), *s;
	char *expected = malloc(3 * length);

	ASSERT_TRUE(in && expected);
	for (int first = 0x80; first < 256; first++) {
		for (size_t i = 0; i < count; i++) {
			s = in + 5 * i;
			s[0] = first;
			s[1] = borders[i % 13];
			s[2] = borders[i / 13 % 13];
			s[3] = borders[i / 169];
			s[4] = '.';
		}
		EXPECT_TRUE(json_is((char *)in, length, expected, replaced(in, length, expected))) {
			TH_LOG("first byte 0x%02x", first);
		}
	}
}

/* Bytes that must be escaped lie exactly at the end of the buffer. */
TEST(json_beyond_the_buffer)
{
	const size_t length = 3 * OUT_BYTES + 17;
	unsigned char *in = malloc(length);
	char *expected = malloc(3 * length);

	ASSERT_TRUE(in && expected);
	for (size_t shift = 0; shift < 8; shift++) {
		for (size_t i = 0; i < length; i++)
			in[i] = "ab\x01\xc3\xa4\"\xff z"[(i + shift) % 9];
		EXPECT_TRUE(json_is((char *)in, length, expected, replaced(in, length, expected)));
	}
	memset(in, 'x', length);
	EXPECT_TRUE(json_is((char *)in, length, (char *)in, length));
	memset(in, 7, length);
	EXPECT_TRUE(json_is((char *)in, length, (char *)in, length));
}

static size_t unescape(const char *text, char *to)
{
	char *p = to;
	unsigned int byte;

	for (; *text; text++) {
		if (*text != '\\') {
			*p++ = *text;
		} else if (*++text != 'x') {
			*p++ = *text;
		} else {
			sscanf(text + 1, "%2x", &byte);
			*p++ = byte;
			text += 2;
		}
	}
	return p - to;
}

TEST(safe_reads_back)
{
	uint64_t state = 88172645463325252;
	char in[64], back[64];
	struct taken t;

	for (int i = 0; i < 5000; i++) {
		size_t length = i % sizeof(in), n;

		for (size_t j = 0; j < length; j++)
			in[j] = "\\x\"a\xc2\xa0\xc3\xa4\xe2\x80\xa8"[next_random(&state) % 12] ^
				(i & 1 ? next_random(&state) & 0xff : 0);
		take(&t);
		out_quoted(&t.o, in, length);
		taken(&t);
		EXPECT_EQ(t.length, strlen(t.text));
		EXPECT_EQ('"', t.text[0]);
		EXPECT_EQ('"', t.text[t.length - 1]);
		for (size_t j = 0; j < t.length; j += n) {
			n = character((unsigned char *)t.text + j, t.length - j);
			ASSERT_NE(0U, n);
			EXPECT_TRUE((unsigned char)t.text[j] >= ' ' && t.text[j] != 0x7f);
			EXPECT_FALSE(n == 2 && !memcmp(t.text + j, "\xc2", 1) &&
				     !(t.text[j + 1] & 0x20));
		}
		t.text[t.length - 1] = 0;
		EXPECT_EQ(length, unescape(t.text + 1, back));
		EXPECT_EQ(0, memcmp(in, back, length));
	}
}

/* A truncated text ends with a mark, fits the columns, and is never cut within a character. */
TEST(safe_fits)
{
	static const struct {
		const char *text;
		unsigned int width;
		const char *out;
		unsigned int columns;
	} cases[] = {
		{ "", 3, "", 0 },
		{ "abc", 3, "abc", 3 },
		{ "abcd", 3, "ab~", 3 },
		{ "abcd", 1, "~", 1 },
		{ "a\\b", 4, "a\\\\b", 4 },
		{ "a\\b", 3, "a~", 2 },
		{ "\n\n", 8, "\\x0a\\x0a", 8 },
		{ "\n\n", 7, "\\x0a~", 5 },
		{ "\xff" "abc", 7, "\\xffabc", 7 },
		{ "\u00e4\u00f6\u00fc", 3, "\u00e4\u00f6\u00fc", 3 },
		{ "\u00e4\u00f6\u00fc", 2, "\u00e4~", 2 },
		{ "\u65e5\u672c", 4, "\u65e5\u672c", 4 },
		{ "\u65e5\u672c", 3, "\u65e5~", 3 },
		{ "\U0001f600", 1, "~", 1 },
		{ "\u0e01\u0e02", 2, "\u0e01\u0e02", 2 },
	};
	struct taken t;

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		take(&t);
		EXPECT_EQ(cases[i].columns, out_safe_fit(&t.o, cases[i].text,
							 strlen(cases[i].text), cases[i].width))
			TH_LOG("case %zu", i);
		EXPECT_STREQ(cases[i].out, taken(&t)) TH_LOG("case %zu", i);
	}
}

TEST(safe_text)
{
	struct taken t;

	take(&t);
	out_safe(&t.o, "a\0\n\x1b[31m\\\x7f\xc3\xa4\xc2\x85\xc2\xa0\xe2\x80\xa9\xff\"", 21);
	out_quoted(&t.o, "\"", 1);
	EXPECT_STREQ("a\\x00\\x0a\\x1b[31m\\\\\\x7f\xc3\xa4\\xc2\\x85\xc2\xa0\\xe2\\x80\\xa9\\xff\""
		     "\"\\\"\"", taken(&t));
}
