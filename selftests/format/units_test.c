// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Times and sizes on command lines: every option of both programs accepts the same values with the
 * same meaning, and refuses invalid and too large ones. Digits that are read eight at a time give
 * the same number as one at a time.
 */
#include "harness.h"
#include "libfxt/digits.h"
#include "libfxt/units.h"

struct meaning {
	const char *text;
	uint64_t value;
};

#define ARRAY_LENGTH(a)	(sizeof(a) / sizeof((a)[0]))

TEST(times)
{
	static const struct meaning all[] = {
		{ "0", 0 }, { "10", 10000000000 }, { "10s", 10000000000 },
		{ "0.1", 100000000 }, { "1.5s", 1500000000 }, { "150ms", 150000000 },
		{ "0.5ms", 500000 }, { "20us", 20000 }, { "7ns", 7 }, { "2m", 120000000000 },
		{ "0.5h", 1800000000000 },
		{ "12.345678901", 12345678901 }, { "3314.219791368", 3314219791368 },
		/* Rounded down to nanoseconds. */
		{ "0.0000000019", 1 }, { "1.9ns", 1 },
		{ "0.99999999999999999999999", 999999999 },
		{ "18446744073.709551615", UINT64_MAX }, { "18446744073709551615ns", UINT64_MAX },
	};
	uint64_t ns;

	for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
		EXPECT_EQ(0, fxt_parse_time(all[i].text, &ns)) TH_LOG("%s", all[i].text);
		EXPECT_EQ(all[i].value, ns) TH_LOG("%s", all[i].text);
	}
}

TEST(sizes)
{
	static const struct meaning all[] = {
		{ "0", 0 }, { "4096", 4096 }, { "512K", 512 << 10 }, { "512k", 512 << 10 },
		{ "4M", 4 << 20 }, { "1.5G", 3ULL << 29 }, { "2T", 2ULL << 40 },
		{ "0.3K", 307 }, { "16777215T", 16777215ULL << 40 },
	};
	uint64_t bytes;

	for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
		EXPECT_EQ(0, fxt_parse_size(all[i].text, &bytes)) TH_LOG("%s", all[i].text);
		EXPECT_EQ(all[i].value, bytes) TH_LOG("%s", all[i].text);
	}
}

TEST(neither)
{
	static const char * const none[] = {
		"", "x", "+1", "-1", " 1", "1 ", "1.", ".5", "1..5", "1e3", "0x10", "1.5.5",
		"inf", "nan", "1ms5", "1 s", "1M5", "1,5",
	};
	uint64_t value;

	for (size_t i = 0; i < ARRAY_LENGTH(none); i++) {
		EXPECT_EQ(-EINVAL, fxt_parse_time(none[i], &value)) TH_LOG("%s", none[i]);
		EXPECT_EQ(-EINVAL, fxt_parse_size(none[i], &value)) TH_LOG("%s", none[i]);
	}
	EXPECT_EQ(-EINVAL, fxt_parse_time("1M", &value));
	EXPECT_EQ(-EINVAL, fxt_parse_time("1sec", &value));
	EXPECT_EQ(-EINVAL, fxt_parse_size("1s", &value));
	EXPECT_EQ(-EINVAL, fxt_parse_size("1KB", &value));
}

TEST(too_large)
{
	static const char * const times[] = {
		"18446744074", "18446744073.709551616", "18446744073709551616ns",
		"99999999999999999999999999", "6000000h",
	};
	uint64_t value;

	for (size_t i = 0; i < ARRAY_LENGTH(times); i++) {
		EXPECT_EQ(-ERANGE, fxt_parse_time(times[i], &value)) TH_LOG("number %zu", i);
	}
	EXPECT_EQ(-ERANGE, fxt_parse_size("16777216T", &value));
	EXPECT_EQ(-ERANGE, fxt_parse_size("18446744073709551616", &value));
}

static void check_digits(struct __test_metadata *_metadata, const char *text, unsigned int most)
{
	const char *end = text + strlen(text);
	unsigned int expected = 0, digits;
	uint64_t sum = 0, n;

	while (expected < most && text[expected] >= '0' && text[expected] <= '9')
		sum = sum * 10 + text[expected++] - '0';
	digits = digits_read(text, end, most, &n);
	EXPECT_EQ(expected, digits) TH_LOG("%s", text);
	EXPECT_EQ(sum, n) TH_LOG("%s", text);
	digits = digits_read_many(text, end, most, &n);
	EXPECT_EQ(expected, digits) TH_LOG("%s", text);
	EXPECT_EQ(sum, n) TH_LOG("%s", text);
}

TEST(digits)
{
	/* The last characters are those beside the digits, also in the other half of a byte. */
	static const char * const all[] = {
		"", "x", "7", "1234567", "12345678", "123456789", "98765432109876543210",
		"18446744073709551615", "00000000000000000001", "1234567/", "1234567:", "/2345678",
		"1234:678", "12345678/", "1234567\xb7", "1234567w", "1234567\x17", "123 5678",
	};

	for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
		check_digits(_metadata, all[i], DIGITS_SAFE);
		check_digits(_metadata, all[i], 9);
	}
}
