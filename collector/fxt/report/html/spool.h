/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spool.h - stores a column of numbers or a text of the page until the data before it is written.
 *
 * All is compressed by gzip, as base64. It waits in a temporary file, so that memory does not grow.
 * Numbers of 64 bits are in chunks: how many (2 bytes, the lowest first), then of each number its
 * lowest 7 bits, plus 128 if others follow, then of each of those that have some the next 7 bits,
 * and so on: bytes of one weight are alike.
 */
#ifndef FXT_REPORT_HTML_SPOOL_H
#define FXT_REPORT_HTML_SPOOL_H

#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

#include "liboutput/out.h"

#define SPOOL_NUMBERS	(16U << 10)	/* of a chunk */

/* One column; initialize with zeros. */
struct spool {
	FILE *file;
	gzFile packed;		/* into the file */
	int error;		/* the first negative errno, after which numbers are ignored */
	uint64_t last;		/* of spool_delta() */
	size_t used;
	uint64_t numbers[SPOOL_NUMBERS];
};

/*
 * Begin a column; call spool_close() in any case. @mode: "w" and a level of zlib: 4 for numbers
 * (higher ones save 1 % in three times the time).
 */
void spool_open(struct spool *s, const char *mode);

/* Compress the numbers so far, as a chunk. */
void spool_flush(struct spool *s);

/* spool_end() reports errors. */
static inline void spool_u64(struct spool *s, uint64_t value)
{
	if (__builtin_expect(s->used == SPOOL_NUMBERS, 0))
		spool_flush(s);
	s->numbers[s->used++] = value;
}

/* 0, -1, 1, -2 are stored as 0, 1, 2, 3. */
static inline void spool_i64(struct spool *s, int64_t value)
{
	spool_u64(s, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

/* Add the difference to the number of the previous call, signed. */
static inline void spool_delta(struct spool *s, uint64_t value)
{
	spool_i64(s, value - s->last);
	s->last = value;
}

/* Add bytes of a text; an out_sink with the struct spool as @s. */
int spool_text(void *s, const void *bytes, size_t count);

/* Return: 0 or the first error (negative errno) */
int spool_end(struct spool *s);

/* Print the column, after spool_end(). Return: 0 or a negative errno */
int spool_print(struct spool *s, struct out *o);

void spool_close(struct spool *s);

#endif /* FXT_REPORT_HTML_SPOOL_H */
