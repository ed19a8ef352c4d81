// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers as fxt writes them: printf(), strtod() and json-c's parser agree with each, and nothing
 * is rounded.
 */
#include <math.h>

#include "out_fixture.h"

static void expect_number(struct __test_metadata *_metadata, uint64_t v)
{
	bool small = (int64_t)v <= 1LL << 53 && (int64_t)v >= -(1LL << 53);
	char expected[256];
	struct taken t;

	snprintf(expected, sizeof(expected),
		 "%" PRIu64 " %" PRId64 " 0x%" PRIx64 " %" PRIu64 ".%03u %" PRIu64 ".%09u "
		 "%s%" PRIu64 "%s %s%" PRId64 "%s %03" PRIu64, v, (int64_t)v, v, v / 1000,
		 (unsigned int)(v % 1000), v / 1000000000, (unsigned int)(v % 1000000000),
		 v > 1ULL << 53 ? "\"" : "", v, v > 1ULL << 53 ? "\"" : "",
		 small ? "" : "\"", (int64_t)v, small ? "" : "\"", v);
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
	out_char(&t.o, ' ');
	out_put(&t.o, out_u64_wide_at(out_room(&t.o, OUT_NUMBER), v, 3));
	EXPECT_STREQ(expected, taken(&t));
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

/*
 * Texts that are kept from the number before, each of numbers that grow in steps of another size.
 */
TEST(numbers_that_grow)
{
	static const uint64_t steps[] = { 0, 1, 9, 48, 9999, 10000, 99999999, 100000000, 1ULL << 40 };
	char expected[OUT_NUMBER], text[3][2 * OUT_NUMBER];
	struct out_growing growing = { 0 }, creeping = { 0 };
	struct out_last last = { 0 };
	uint64_t v, i;

	for (size_t step = 0; step < ARRAY_LENGTH(steps); step++) {
		/* From 0 again, and once over the end of the numbers. */
		for (v = step % 2 ? 0 : -5000 * steps[step], i = 0; i < 12000; v += steps[step], i++) {
			snprintf(expected, sizeof(expected), "%" PRIu64, v);
			*out_growing_at(text[0], &growing, v) = '\0';
			*out_creeping_at(text[1], &creeping, v) = '\0';
			*out_last_at(text[2], &last, v) = '\0';
			ASSERT_STREQ(expected, text[0]);
			ASSERT_STREQ(expected, text[1]);
			ASSERT_STREQ(expected, text[2]);
		}
	}
}

/* Integers are written exactly, nothing is rounded: 2^53 + 1 is not a double. */
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
		take(&t);
		out_json_i64(&t.o, limits[i].value);
		EXPECT_STREQ(limits[i].i, taken(&t));
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
		take(&t);
		out_json_double(&t.o, some[i].value);
		EXPECT_STREQ(some[i].json, taken(&t));
	}
}
