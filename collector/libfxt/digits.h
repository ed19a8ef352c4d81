/* SPDX-License-Identifier: GPL-2.0-or-later */
/* digits.h - reads decimal numbers in texts, which need no terminator. */
#ifndef LIBFXT_DIGITS_H
#define LIBFXT_DIGITS_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DIGITS_SAFE	19	/* numbers of so many digits always fit 64 bits */

/*
 * Read up to @most digits, at most DIGITS_SAFE. @n: set to the number; 0 without a digit. Return:
 * number of digits.
 */
static inline unsigned int digits_read(const char *at, const char *end, unsigned int most,
				       uint64_t *n)
{
	const char *begin = at;
	unsigned int digit;
	uint64_t sum = 0;

	end = end - at > most ? at + most : end;
	for (; at < end && (digit = (unsigned char)*at - '0') <= 9; at++)
		sum = sum * 10 + digit;
	*n = sum;
	return at - begin;
}

/*
 * Read eight digits at once; the low byte of the word has the first. Digits become numbers of two
 * digits, these of four, and these of eight. Return: are all of them digits?
 */
static inline bool digits_eight(const char *at, uint64_t *n)
{
	const uint64_t high = 0xf0f0f0f0f0f0f0f0ULL;
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	word = le64toh(word);
	if (((word & high) | ((word + 0x0606060606060606ULL) & high) >> 4) != 0x3333333333333333ULL)
		return false;
	word = (word & 0x0f0f0f0f0f0f0f0fULL) * (1 + (10ULL << 8)) >> 8;
	word = (word & 0x00ff00ff00ff00ffULL) * (1 + (100ULL << 16)) >> 16;
	*n = (word & 0x0000ffff0000ffffULL) * (1 + (10000ULL << 32)) >> 32;
	return true;
}

/* Like digits_read(), faster for eight digits or more. */
static inline unsigned int digits_read_many(const char *at, const char *end, unsigned int most,
					    uint64_t *n)
{
	static const uint64_t powers[] = {
		1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
		10000000000, 100000000000,
	};
	unsigned int digits;
	uint64_t first;

	if (end - at < 8 || !digits_eight(at, &first))
		return digits_read(at, end, most, n);
	digits = digits_read(at + 8, end, most - 8, n);
	*n += first * powers[digits];
	return 8 + digits;
}

#endif /* LIBFXT_DIGITS_H */
