// SPDX-License-Identifier: GPL-2.0-or-later
/* suggest.c - see suggest.h. */
#include <string.h>

#include "suggest.h"

#define LONGEST_WORD	32	/* of all commands and options */

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Edits between two words (optimal string alignment distance). */
static unsigned int distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned int rows[3][LONGEST_WORD + 1], *before = rows[0], *last = rows[1];
	unsigned int *row = rows[2], *spare;
	size_t i, j;

	for (j = 0; j <= nb; j++)
		last[j] = j;
	for (i = 1; i <= na; i++) {
		row[0] = i;
		for (j = 1; j <= nb; j++) {
			row[j] = least(least(last[j], row[j - 1]) + 1,
				       last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		spare = before;
		before = last;
		last = row;
		row = spare;
	}
	return last[nb];
}

void fxt_suggest(struct fxt_suggestion *s, const char *candidate)
{
	size_t length = strlen(s->word), n = strlen(candidate);
	unsigned int d;

	if (length > LONGEST_WORD || n > LONGEST_WORD)
		return;
	d = distance(s->word, length, candidate, n);
	if (d > (length + 2) / 3 || d >= length || (s->best && d >= s->distance))
		return;
	s->best = candidate;
	s->distance = d;
}
