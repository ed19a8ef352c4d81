/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spool.h - stores a column of numbers or a text until the data before it is written.
 *
 * In: numbers of 64 bits; bytes.
 * Out: numbers as variable-length integers (LEB128: 7 bits per byte, the lowest first), all
 * compressed (RFC 1950), as text. It is stored in a temporary file, so that memory does not grow.
 *
 * The text is printable ASCII without blanks, and without <, > and &: 91 characters, two of which
 * hold 13 bits (the first one times 91, plus the second), the lowest bits of the data first. If at
 * most 6 bits remain at the end, one character holds them. So a byte takes 1.23 characters; with
 * base64 it would take 1.33.
 */
#ifndef FXT_WRITE_SPOOL_H
#define FXT_WRITE_SPOOL_H

#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

#include "liboutput/out.h"

#define SPOOL_BYTES	(16U << 10)
#define SPOOL_NUMBER	10		/* maximum bytes of any number */
#define SPOOL_SPLIT	3		/* columns of a split number */

/**
 * struct spool - one column; initialize with zeros; fields are private
 * @error: the first negative errno, after which numbers are ignored
 */
struct spool {
	FILE *file;
	z_stream z;
	int error;
	size_t used;
	unsigned char bytes[SPOOL_BYTES];
};

/**
 * enum spool_content - what a column has, on which the compression depends
 * @SPOOL_NUMBERS: numbers; a higher level would save 1 % and take three times as long
 * @SPOOL_RUNS: numbers of which no sequence but runs of one byte occurs again unless by chance: the
 *	code of a short repetition takes more bits than the bytes do. Runs alone save up to a seventh,
 *	in a third of the time
 * @SPOOL_TEXT: a text; the highest level saves a fifth
 */
enum spool_content { SPOOL_NUMBERS, SPOOL_RUNS, SPOOL_TEXT };

/**
 * spool_open() - begin a column. Return: 0 or a negative errno; call spool_close() in either case
 */
int spool_open(struct spool *s, enum spool_content content);

/** spool_flush() - compress the numbers so far. Return: 0 or the first error */
int spool_flush(struct spool *s);

static inline void spool_byte(struct spool *s, unsigned char byte)
{
	if (__builtin_expect(s->used == SPOOL_BYTES, 0))
		spool_flush(s);
	s->bytes[s->used++] = byte;
}

/** spool_u64() - add a number; spool_end() reports errors */
static inline void spool_u64(struct spool *s, uint64_t value)
{
	if (__builtin_expect(s->used > SPOOL_BYTES - SPOOL_NUMBER, 0))
		spool_flush(s);
	for (; value > 0x7f; value >>= 7)
		s->bytes[s->used++] = value | 0x80;
	s->bytes[s->used++] = value;
}

/** spool_i64() - add a signed number; 0, -1, 1, -2 are stored as 0, 1, 2, 3 */
static inline void spool_i64(struct spool *s, int64_t value)
{
	spool_u64(s, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

/**
 * spool_split() - split a number: one byte to each column, the rest to the last one
 * @s: SPOOL_SPLIT columns
 * @value: the number
 *
 * The low byte of a time is noise, the others are not: in separate columns they take a fifth less.
 */
static inline void spool_split(struct spool *s, uint64_t value)
{
	struct spool *last = s + SPOOL_SPLIT - 1;

	for (; value > 0x7f && s < last; s++, value >>= 7)
		spool_byte(s, value | 0x80);
	spool_u64(s, value);
}

/** spool_bytes() - add bytes of a text */
void spool_bytes(struct spool *s, const void *bytes, size_t count);

/** spool_end() - end the column. Return: 0 or the first error (negative errno) */
int spool_end(struct spool *s);

/** spool_print() - print the column, after spool_end(). Return: 0 or a negative errno */
int spool_print(struct spool *s, struct out *o);

void spool_close(struct spool *s);

#endif /* FXT_WRITE_SPOOL_H */
