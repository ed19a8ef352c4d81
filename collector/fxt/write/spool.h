/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spool.h - stores a column of numbers until the data before it is written.
 *
 * In: numbers of 64 bits.
 * Out: all of them as variable-length integers (LEB128: 7 bits per byte, the lowest first),
 * compressed (RFC 1950), in base64. Until then they are in a temporary file, so that memory
 * does not grow.
 */
#ifndef FXT_WRITE_SPOOL_H
#define FXT_WRITE_SPOOL_H

#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

#include "liboutput/out.h"

#define SPOOL_BYTES	(16U << 10)
#define SPOOL_NUMBER	10		/* maximum bytes of any number */

/**
 * struct spool - one column; begins as zero, only the functions below touch its fields
 * @error: the first negative errno, after which all further numbers are ignored
 */
struct spool {
	FILE *file;
	z_stream z;
	int error;
	size_t used;
	unsigned char bytes[SPOOL_BYTES];
};

/** spool_open() - begin. Return: 0 or a negative errno; call spool_close() in either case */
int spool_open(struct spool *s);

/** spool_flush() - compress the numbers so far. Return: 0 or the first error */
int spool_flush(struct spool *s);

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

/** spool_end() - end the column. Return: 0 or the first error (negative errno) */
int spool_end(struct spool *s);

/** spool_print() - print the column, after spool_end(). Return: 0 or a negative errno */
int spool_print(struct spool *s, struct out *o);

void spool_close(struct spool *s);

#endif /* FXT_WRITE_SPOOL_H */
