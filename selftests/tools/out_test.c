// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * out_test.c - text, numbers and JSON as fxt writes them.
 *
 * What flows in: every byte, every edge of UTF-8, every length of a number, at
 * every place of the buffer. What it is held against: json-c's parser, printf,
 * strtod, the vectors of RFC 4648, and a decoder of UTF-8 written out here. What
 * must hold: what is read back is what was written, and errors are told.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The harness itself has parameters that it does not use. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "harness.h"
#include "fxt/write/out.h"

#define ARRAY_LENGTH(a)		(sizeof(a) / sizeof((a)[0]))
#define REPLACEMENT		"\xef\xbf\xbd"

/* An output that can be read back. */
struct taken {
	struct out o;
	int fd;
	char *text;
	size_t length;
};

static void take(struct taken *t)
{
	char path[64];
	int fd;

	t->text = NULL;
	t->fd = memfd_create("out_test", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", t->fd);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		abort();
	out_open(&t->o, fd);
}

/* What was written, terminated. */
static const char *taken(struct taken *t)
{
	struct stat st;

	if (out_close(&t->o) || fstat(t->fd, &st))
		abort();
	t->length = st.st_size;
	t->text = malloc(t->length + 1);
	if (!t->text || pread(t->fd, t->text, t->length, 0) != (ssize_t)t->length)
		abort();
	t->text[t->length] = 0;
	close(t->fd);
	return t->text;
}

static void drop(struct taken *t)
{
	free(t->text);
}

/* All of the text as one JSON value, NULL if it is none. */
static json_object *parse(const char *text, size_t length)
{
	json_tokener *tok = json_tokener_new();
	json_object *value;

	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	/* Numbers end where something else begins. */
	value = json_tokener_parse_ex(tok, text, length + 1);
	if (json_tokener_get_error(tok) != json_tokener_success ||
	    json_tokener_get_parse_end(tok) != length) {
		json_object_put(value);
		value = NULL;
	}
	json_tokener_free(tok);
	return value;
}

/* Does out_json() of these bytes read back as those? */
static bool json_is(const char *bytes, size_t length, const char *expected,
		    size_t expected_length)
{
	struct taken t;
	json_object *value;
	bool same;

	take(&t);
	out_json(&t.o, bytes, length);
	taken(&t);
	value = parse(t.text, t.length);
	same = value && json_object_is_type(value, json_type_string) &&
	       (size_t)json_object_get_string_len(value) == expected_length &&
	       !memcmp(json_object_get_string(value), expected, expected_length);
	json_object_put(value);
	drop(&t);
	return same;
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* --- strings ------------------------------------------------------------------ */

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

/* What lies behind the end would complete the character. */
TEST(json_nothing_behind_the_end)
{
	EXPECT_TRUE(json_is("\xc3\xa4", 1, REPLACEMENT, 3));
	EXPECT_TRUE(json_is("\xe2\x82\xac", 2, REPLACEMENT REPLACEMENT, 6));
	EXPECT_TRUE(json_is("\xf0\x9f\x98\x80", 3, REPLACEMENT REPLACEMENT REPLACEMENT, 9));
}

/* As people would write it, no longer than it must be. */
TEST(json_short_forms)
{
	struct taken t;

	take(&t);
	out_json(&t.o, "\"\\/\b\f\n\r\t\x01\x1f\x7f", 11);
	EXPECT_STREQ("\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"", taken(&t));
	drop(&t);
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
		{ "\xc3", REPLACEMENT },		/* cut */
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

/* Bytes of the character at the head, by what it would decode to; 0 if none. */
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

/* Each first byte with those that the borders of the ranges lie between. */
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
	free(expected);
	free(in);
}

/* What must be escaped lies just where the buffer ends. */
TEST(json_beyond_the_buffer)
{
	const size_t length = 3 * OUT_BYTES + 17;
	unsigned char *in = malloc(length);
	char *expected = malloc(3 * length);

	ASSERT_TRUE(in && expected);
	for (size_t shift = 0; shift < 8; shift++) {
		for (size_t i = 0; i < length; i++)
			in[i] = "ab\x01\xc3\xa4\"\xff z"[(i + shift) % 9];
		EXPECT_TRUE(json_is((char *)in, length, expected,
				    replaced(in, length, expected)));
	}
	memset(in, 'x', length);
	EXPECT_TRUE(json_is((char *)in, length, (char *)in, length));
	memset(in, 7, length);
	EXPECT_TRUE(json_is((char *)in, length, (char *)in, length));
	free(expected);
	free(in);
}

/* What out_safe() or out_quoted() wrote, read back by its own rules. */
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
		drop(&t);
	}
}

/* What is cut ends with a mark, within the columns, and within no character. */
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
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(cases); i++) {
		take(&t);
		EXPECT_EQ(cases[i].columns, out_safe_fit(&t.o, cases[i].text,
							 strlen(cases[i].text), cases[i].width))
			TH_LOG("case %zu", i);
		EXPECT_STREQ(cases[i].out, taken(&t)) TH_LOG("case %zu", i);
		drop(&t);
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
	drop(&t);
}

/* --- numbers -------------------------------------------------------------------- */

/* Each function of one value, against printf. */
static void expect_number(struct __test_metadata *_metadata, uint64_t v)
{
	bool small = (int64_t)v <= 1LL << 53 && (int64_t)v >= -(1LL << 53);
	char expected[256];
	struct taken t;

	snprintf(expected, sizeof(expected),
		 "%" PRIu64 " %" PRId64 " 0x%" PRIx64 " %" PRIu64 ".%03u %" PRIu64 ".%09u "
		 "%s%" PRIu64 "%s %s%" PRId64 "%s", v, (int64_t)v, v, v / 1000,
		 (unsigned int)(v % 1000), v / 1000000000, (unsigned int)(v % 1000000000),
		 v > 1ULL << 53 ? "\"" : "", v, v > 1ULL << 53 ? "\"" : "",
		 small ? "" : "\"", (int64_t)v, small ? "" : "\"");
	take(&t);
	out_u64(&t.o, v);
	out_char(&t.o, ' ');
	out_i64(&t.o, v);
	out_char(&t.o, ' ');
	out_hex(&t.o, v);
	out_char(&t.o, ' ');
	out_micros(&t.o, v);
	out_char(&t.o, ' ');
	out_seconds(&t.o, v);
	out_char(&t.o, ' ');
	out_json_u64(&t.o, v);
	out_char(&t.o, ' ');
	out_json_i64(&t.o, v);
	EXPECT_STREQ(expected, taken(&t));
	drop(&t);
}

TEST(integers)
{
	uint64_t state = 1, ten = 1;

	expect_number(_metadata, 0);
	for (int bit = 0; bit < 64; bit++)
		for (int more = -2; more <= 2; more++)
			expect_number(_metadata, (1ULL << bit) + more);
	for (int digit = 0; digit < 20; digit++, ten *= 10)
		for (int more = -1; more <= 1; more++) {
			expect_number(_metadata, ten + more);
			expect_number(_metadata, -ten + more);
		}
	for (int i = 0; i < 10000; i++)
		expect_number(_metadata, next_random(&state) >> i % 64);
}

/* As it is written, and nothing rounded: 2^53 + 1 is no double. */
TEST(json_integers)
{
	static const struct {
		uint64_t value;
		const char *u, *i;
	} limits[] = {
		{ 0, "0", "0" },
		{ 1ULL << 53, "9007199254740992", "9007199254740992" },
		{ (1ULL << 53) + 1, "\"9007199254740993\"", "\"9007199254740993\"" },
		{ -(1ULL << 53), "\"18437736874454810624\"", "-9007199254740992" },
		{ -(1ULL << 53) - 1, "\"18437736874454810623\"", "\"-9007199254740993\"" },
		{ INT64_MAX, "\"9223372036854775807\"", "\"9223372036854775807\"" },
		{ INT64_MIN, "\"9223372036854775808\"", "\"-9223372036854775808\"" },
		{ UINT64_MAX, "\"18446744073709551615\"", "-1" },
	};
	struct taken t;

	for (size_t i = 0; i < ARRAY_LENGTH(limits); i++) {
		take(&t);
		out_json_u64(&t.o, limits[i].value);
		EXPECT_STREQ(limits[i].u, taken(&t));
		drop(&t);
		take(&t);
		out_json_i64(&t.o, limits[i].value);
		EXPECT_STREQ(limits[i].i, taken(&t));
		drop(&t);
	}
}

static void expect_double(struct __test_metadata *_metadata, double value)
{
	json_object *parsed;
	struct taken t;
	double back;

	take(&t);
	out_json_double(&t.o, value);
	taken(&t);
	parsed = parse(t.text, t.length);
	ASSERT_NE(NULL, parsed) TH_LOG("%a: %s", value, t.text);
	EXPECT_TRUE(json_object_is_type(parsed, json_type_double)) TH_LOG("%s", t.text);
	back = json_object_get_double(parsed);
	EXPECT_EQ(0, memcmp(&value, &back, sizeof(back))) TH_LOG("%a: %s", value, t.text);
	back = strtod(t.text, NULL);
	EXPECT_EQ(0, memcmp(&value, &back, sizeof(back))) TH_LOG("%a: %s", value, t.text);
	EXPECT_LE(t.length, (size_t)OUT_NUMBER);
	json_object_put(parsed);
	drop(&t);
}

TEST(doubles_read_back)
{
	static const double some[] = {
		0.0, -0.0, 1.0, -1.0, 0.1, 0.3, 1e15, 1e16, 1e17, 1e22, 123456789012345678.0,
		5e-324, -5e-324, 2.2250738585072009e-308, 2.2250738585072014e-308,
		-2.2250738585072014e-308, 1.7976931348623157e308, -1.7976931348623157e308,
		9007199254740991.0, 9007199254740993.0, 4503599627370497.5,
	};
	uint64_t state = 42, bits;
	double value;

	for (size_t i = 0; i < ARRAY_LENGTH(some); i++)
		expect_double(_metadata, some[i]);
	for (int i = 0; i < 20000; i++) {
		bits = next_random(&state);
		/* Every eighth one is subnormal. */
		if (i % 8 == 0)
			bits &= 0x800fffffffffffff;
		memcpy(&value, &bits, sizeof(value));
		if (isfinite(value))
			expect_double(_metadata, value);
	}
}

TEST(doubles_as_text)
{
	static const struct {
		double value;
		const char *text, *json;
	} some[] = {
		{ 0.0, "0.0", "0.0" },
		{ -0.0, "-0.0", "-0.0" },
		{ 3.0, "3.0", "3.0" },
		{ 0.1, "0.1", "0.1" },
		{ 1e300, "1e+300", "1e+300" },
		{ (double)INFINITY, "inf", "\"Infinity\"" },
		{ -(double)INFINITY, "-inf", "\"-Infinity\"" },
		{ (double)NAN, "nan", "\"NaN\"" },
		{ -(double)NAN, "nan", "\"NaN\"" },
	};
	struct taken t;

	for (size_t i = 0; i < ARRAY_LENGTH(some); i++) {
		take(&t);
		out_double(&t.o, some[i].value);
		EXPECT_STREQ(some[i].text, taken(&t));
		drop(&t);
		take(&t);
		out_json_double(&t.o, some[i].value);
		EXPECT_STREQ(some[i].json, taken(&t));
		drop(&t);
	}
}

/* --- base64 ---------------------------------------------------------------------- */

TEST(base64_vectors)
{
	static const char * const vectors[] = {	/* RFC 4648, 10 */
		"\"\"", "\"Zg==\"", "\"Zm8=\"", "\"Zm9v\"", "\"Zm9vYg==\"", "\"Zm9vYmE=\"",
		"\"Zm9vYmFy\"",
	};
	struct taken t;

	for (size_t i = 0; i < ARRAY_LENGTH(vectors); i++) {
		take(&t);
		out_json_base64(&t.o, "foobar", i);
		EXPECT_STREQ(vectors[i], taken(&t));
		drop(&t);
	}
	take(&t);
	out_json_base64(&t.o, "\x14\xfb\x9c\x03\xd9\x7e\xfb\xef\xbe\xff\xff\xff", 12);
	EXPECT_STREQ("\"FPucA9l+++++////\"", taken(&t));
	drop(&t);
}

static int digit_of(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 :
	       c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool decodes_to(const char *text, size_t length, const unsigned char *s, size_t bytes)
{
	uint32_t bits = 0;
	size_t i, at = 0;

	if (length != (bytes + 2) / 3 * 4)
		return false;
	for (i = 0; i < length && text[i] != '='; i++) {
		if (digit_of(text[i]) < 0)
			return false;
		bits = bits << 6 | digit_of(text[i]);
		if (i % 4 && (at >= bytes || (bits >> (6 - 2 * (i % 4)) & 0xff) != s[at++]))
			return false;
	}
	for (size_t pad = i; pad < length; pad++)
		if (text[pad] != '=')
			return false;
	return at == bytes && length - i < 3;
}

TEST(base64_in_pieces)
{
	static unsigned char in[2 * OUT_BYTES + 1];
	uint64_t state = 7;
	struct taken t;

	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = next_random(&state);
	for (size_t most = 1; most < 100000; most = most * 2 + 1) {
		struct out_base64 b = { .bytes = 0 };
		size_t bytes = sizeof(in) - most % 3, n;

		take(&t);
		for (size_t at = 0; at < bytes; at += n) {
			n = next_random(&state) % (most + 1);
			n = n < bytes - at ? n : bytes - at;
			out_base64_add(&t.o, &b, in + at, n);
		}
		out_base64_end(&t.o, &b);
		taken(&t);
		EXPECT_TRUE(decodes_to(t.text, t.length, in, bytes)) TH_LOG("%zu", most);
		drop(&t);
	}
}

/* --- the buffer and errors --------------------------------------------------------- */

/* Everything at each distance from the buffer's end. */
TEST(every_place_of_the_buffer)
{
	static const char all[] = "18446744073709551615-9223372036854775808"
		"0xffffffffffffffff-2.2250738585072014e-30818446744073709551.615"
		"18446744073.709551615{42}\"a\\u0000\xe2\x82\xac\"Zm9vYmFy\"\\x00\"";
	static char filler[OUT_BYTES];
	struct taken t;

	memset(filler, '.', sizeof(filler));
	for (size_t left = 0; left < sizeof(all) + 8; left++) {
		struct out_base64 b = { .bytes = 0 };

		take(&t);
		out_bytes(&t.o, filler, OUT_BYTES - left);
		out_u64(&t.o, UINT64_MAX);
		out_i64(&t.o, INT64_MIN);
		out_hex(&t.o, UINT64_MAX);
		out_double(&t.o, -2.2250738585072014e-308);
		out_micros(&t.o, UINT64_MAX);
		out_seconds(&t.o, UINT64_MAX);
		out_printf(&t.o, "{%d}", 42);
		out_json(&t.o, "a\0\xe2\x82\xac", 5);
		out_base64_add(&t.o, &b, "foobar", 6);
		out_base64_end(&t.o, &b);
		out_quoted(&t.o, "", 1);
		taken(&t);
		ASSERT_EQ(OUT_BYTES - left + strlen(all), t.length);
		ASSERT_STREQ(all, t.text + OUT_BYTES - left);
		EXPECT_EQ(0, memcmp(t.text, filler, OUT_BYTES - left));
		drop(&t);
	}
}

TEST(printf_is_cut)
{
	struct taken t;
	char *text = malloc(2001);

	ASSERT_NE(NULL, text);
	memset(text, 'y', 2000);
	text[2000] = 0;
	take(&t);
	out_printf(&t.o, "%s", text);
	taken(&t);
	EXPECT_EQ(512U, t.length);
	EXPECT_EQ(512U, strspn(t.text, "y"));
	drop(&t);
	free(text);
}

TEST(large_pieces)
{
	/* Volatile, for the compiler warns of the branch that is not taken. */
	volatile size_t wanted = 5 * OUT_BYTES;
	size_t length = wanted;
	char *in = malloc(length);
	struct taken t;

	ASSERT_NE(NULL, in);
	memset(in, 'z', length);
	take(&t);
	out_str(&t.o, "<");
	out_bytes(&t.o, in, length);
	out_bytes(&t.o, in, OUT_BYTES);
	out_bytes(&t.o, in, OUT_BYTES + wanted / 10);
	out_str(&t.o, ">");
	taken(&t);
	length += 2 * OUT_BYTES + wanted / 10;
	EXPECT_EQ(length + 2, t.length);
	EXPECT_EQ(length, strspn(t.text + 1, "z"));
	EXPECT_EQ('>', t.text[t.length - 1]);
	drop(&t);
	free(in);
}

TEST(full_disk)
{
	struct out o;

	out_open(&o, open("/dev/full", O_WRONLY | O_CLOEXEC));
	out_str(&o, "a few bytes");
	EXPECT_EQ(0, o.error);
	EXPECT_EQ(-ENOSPC, out_close(&o));

	out_open(&o, open("/dev/full", O_WRONLY | O_CLOEXEC));
	for (int i = 0; i < 100000; i++)
		out_u64(&o, UINT64_MAX);
	EXPECT_EQ(-ENOSPC, o.error);
	EXPECT_EQ(-ENOSPC, out_close(&o));
}

/* The first error stays, whatever comes after it. */
TEST(nobody_reads)
{
	struct out o;
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	ASSERT_EQ(0, pipe(fds));
	out_open(&o, fds[1]);
	close(fds[0]);
	out_str(&o, "to nobody");
	out_flush(&o);
	EXPECT_EQ(-EPIPE, o.error);
	out_flush(&o);
	out_str(&o, "again");
	EXPECT_EQ(-EPIPE, out_close(&o));
}

TEST_HARNESS_MAIN
