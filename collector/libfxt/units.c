// SPDX-License-Identifier: GPL-2.0-or-later
/* units.c - see units.h. */
#include <errno.h>
#include <string.h>

#include "units.h"

/* Further decimals are ignored. No unit needs more. */
#define MAX_DECIMALS	18

struct unit {
	const char *name;
	uint64_t factor;
};

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read the decimals at @text as @fraction / @whole. Return: the text after them. */
static const char *parse_decimals(const char *text, uint64_t *fraction, uint64_t *whole)
{
	int decimals;

	for (decimals = 0; is_digit(*text); text++, decimals++) {
		if (decimals >= MAX_DECIMALS)
			continue;
		*fraction = *fraction * 10 + (*text - '0');
		*whole *= 10;
	}
	return text;
}

static int parse_number(const char *text, const struct unit *units, uint64_t *value)
{
	uint64_t number = 0, fraction = 0, whole = 1;
	unsigned __int128 sum;

	if (!is_digit(*text))
		return -EINVAL;
	for (; is_digit(*text); text++)
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, *text - '0', &number))
			return -ERANGE;
	if (*text == '.') {
		if (!is_digit(text[1]))
			return -EINVAL;
		text = parse_decimals(text + 1, &fraction, &whole);
	}
	for (; units->name && strcmp(units->name, text); units++)
		;
	if (!units->name)
		return -EINVAL;
	sum = (unsigned __int128)number * units->factor +
	      (unsigned __int128)fraction * units->factor / whole;
	*value = sum;
	return sum > UINT64_MAX ? -ERANGE : 0;
}

int fxt_parse_time(const char *text, uint64_t *ns)
{
	static const struct unit units[] = {
		{ "", 1000000000 }, { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 },
		{ "ns", 1 }, { "m", 60000000000 }, { "h", 3600000000000 }, { NULL, 0 },
	};

	return parse_number(text, units, ns);
}

int fxt_parse_size(const char *text, uint64_t *bytes)
{
	static const struct unit units[] = {
		{ "", 1 }, { "K", 1ULL << 10 }, { "k", 1ULL << 10 }, { "M", 1ULL << 20 },
		{ "G", 1ULL << 30 }, { "T", 1ULL << 40 }, { NULL, 0 },
	};

	return parse_number(text, units, bytes);
}
