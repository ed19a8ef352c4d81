// SPDX-License-Identifier: GPL-2.0-or-later
/* spool.c - see spool.h. */
#include <errno.h>
#include <string.h>

#include "spool.h"

#define MEMORY	8	/* zlib's default */

int spool_open(struct spool *s, enum spool_content content)
{
	static const int levels[] = {
		[SPOOL_NUMBERS] = 4, [SPOOL_RUNS] = 4, [SPOOL_TEXT] = Z_BEST_COMPRESSION,
	};
	int strategy = content == SPOOL_RUNS ? Z_RLE : Z_DEFAULT_STRATEGY;

	s->file = tmpfile();
	if (!s->file)
		return s->error = -errno;
	return s->error = deflateInit2(&s->z, levels[content], Z_DEFLATED, MAX_WBITS, MEMORY,
				       strategy) == Z_OK ? 0 : -ENOMEM;
}

/* @flush: Z_NO_FLUSH, or Z_FINISH for the last call. */
static int compress_all(struct spool *s, int flush)
{
	unsigned char to[SPOOL_BYTES];
	size_t bytes;

	s->z.next_in = s->bytes;
	s->z.avail_in = s->used;
	s->used = 0;
	do {
		if (s->error)
			return s->error;
		s->z.next_out = to;
		s->z.avail_out = sizeof(to);
		deflate(&s->z, flush);
		bytes = sizeof(to) - s->z.avail_out;
		errno = 0;
		if (fwrite(to, 1, bytes, s->file) != bytes)
			s->error = errno ? -errno : -EIO;
	} while (!s->z.avail_out);
	return s->error;
}

int spool_flush(struct spool *s)
{
	return compress_all(s, Z_NO_FLUSH);
}

void spool_bytes(struct spool *s, const void *bytes, size_t count)
{
	const unsigned char *from = bytes;
	size_t n;

	for (; count; from += n, count -= n) {
		if (s->used == SPOOL_BYTES)
			spool_flush(s);
		n = SPOOL_BYTES - s->used;
		n = n < count ? n : count;
		memcpy(s->bytes + s->used, from, n);
		s->used += n;
	}
}

int spool_end(struct spool *s)
{
	compress_all(s, Z_FINISH);
	errno = 0;
	if (!s->error && fflush(s->file))
		s->error = errno ? -errno : -EIO;
	return s->error;
}

/* --- text -------------------------------------------------------------------------------- */

static const char digits[] =
	"!\"#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";

#define DIGITS		(sizeof(digits) - 1)
#define PAIR_BITS	13
#define DIGIT_BITS	6

_Static_assert(DIGITS * DIGITS >= 1 << PAIR_BITS && DIGITS >= 1 << DIGIT_BITS,
	       "bits that fit into one and two digits");

int spool_print(struct spool *s, struct out *o)
{
	unsigned char bytes[SPOOL_BYTES];
	uint32_t bits = 0, count = 0, pair;
	size_t n, i;

	rewind(s->file);
	while ((n = fread(bytes, 1, sizeof(bytes), s->file))) {
		for (i = 0; i < n; i++) {
			bits |= (uint32_t)bytes[i] << count;
			count += 8;
			if (count < PAIR_BITS)
				continue;
			pair = bits & ((1 << PAIR_BITS) - 1);
			out_char(o, digits[pair / DIGITS]);
			out_char(o, digits[pair % DIGITS]);
			bits >>= PAIR_BITS;
			count -= PAIR_BITS;
		}
	}
	if (count > DIGIT_BITS)
		out_char(o, digits[bits / DIGITS]);
	if (count)
		out_char(o, digits[bits % DIGITS]);
	return ferror(s->file) ? -EIO : 0;
}

void spool_close(struct spool *s)
{
	if (!s->file)
		return;
	deflateEnd(&s->z);
	fclose(s->file);
	s->file = NULL;
}
