/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the tests of fxt-sched's records. */
#ifndef SELFTESTS_SCHED_WORDS_H
#define SELFTESTS_SCHED_WORDS_H

#include <fxt/fxt_sched.h>

#include "words.h"

/* States of outgoing threads; the numbers of the format. */
#define NEW		0
#define SUSPENDED	2
#define BLOCKED		3
#define DYING		4
#define DEAD		5

static const struct {
	uint32_t index;
	const char *text;
} strings[] = {
#define STRING(index, text) { index, text },
	FXT_SCHED_STRINGS(STRING)
};

/* The index of a text in the archives of fxt-sched. */
static inline uint64_t string(const char *text)
{
	for (size_t i = 0; i < ARRAY_LENGTH(strings); i++)
		if (!strcmp(strings[i].text, text))
			return strings[i].index;
	abort();
}

#define POISON			0xa5a5a5a5a5a5a5a5ULL

/* Room for more than a record, so that a test sees words written after it. */
#define ROOM 16

static inline void poison(__u64 *rec, uint64_t *expected)
{
	for (int i = 0; i < ROOM; i++) {
		rec[i] = POISON;
		expected[i] = POISON;
	}
}

static inline void expect_words(struct __test_metadata *_metadata,
				const uint64_t *expected, const __u64 *rec)
{
	for (int i = 0; i < ROOM; i++)
		EXPECT_WORD(expected[i], rec[i], "word", i);
}

#endif /* SELFTESTS_SCHED_WORDS_H */
