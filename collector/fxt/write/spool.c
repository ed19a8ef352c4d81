// SPDX-License-Identifier: GPL-2.0-or-later
/* spool.c - see spool.h. */
#include <errno.h>

#include "spool.h"

/* The default saves 1 % more and takes three times as long. */
#define LEVEL	4

int spool_open(struct spool *s)
{
	s->file = tmpfile();
	if (!s->file)
		return s->error = -errno;
	return s->error = deflateInit(&s->z, LEVEL) == Z_OK ? 0 : -ENOMEM;
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

int spool_end(struct spool *s)
{
	compress_all(s, Z_FINISH);
	errno = 0;
	if (!s->error && fflush(s->file))
		s->error = errno ? -errno : -EIO;
	return s->error;
}

int spool_print(struct spool *s, struct out *o)
{
	struct out_base64 b = { 0 };
	unsigned char bytes[SPOOL_BYTES];
	size_t n;

	rewind(s->file);
	while ((n = fread(bytes, 1, sizeof(bytes), s->file)))
		out_base64_add(o, &b, bytes, n);
	out_base64_end(o, &b);
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
