/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness.h"

/* Compares words of an archive with words that were computed by hand. */
#ifndef SELFTESTS_WORDS_H
#define SELFTESTS_WORDS_H

#define ARRAY_LENGTH(a)		(sizeof(a) / sizeof((a)[0]))
#define AT(value, lo)		((uint64_t)(value) << (lo))

/* EXPECT_EQ() that also prints the words in hexadecimal and their name. */
#define EXPECT_WORD(expected, seen, what, at) \
	expect_word(_metadata, expected, seen, what, at)

static inline void expect_word(struct __test_metadata *_metadata, uint64_t expected,
			       uint64_t seen, const char *what, int at)
{
	EXPECT_EQ(expected, seen) {
		TH_LOG("%s %d: expected 0x%016jx, seen 0x%016jx", what, at,
		       (uintmax_t)expected, (uintmax_t)seen);
	}
}

/* The bits lo to hi, computed one by one. */
static inline uint64_t ones(int lo, int hi)
{
	uint64_t word = 0;

	for (; lo <= hi; lo++)
		word |= AT(1, lo);
	return word;
}

#endif /* SELFTESTS_WORDS_H */
