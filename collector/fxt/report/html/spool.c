// SPDX-License-Identifier: GPL-2.0-or-later
/* spool.c - see spool.h. */
#include <errno.h>
#include <unistd.h>

#include "spool.h"

static void keep_error(struct spool *s)
{
	if (!s->error)
		s->error = errno ? -errno : -EIO;
}

void spool_open(struct spool *s, const char *mode)
{
	*s = (struct spool){ .file = tmpfile() };
	if (s->file)
		s->packed = gzdopen(dup(fileno(s->file)), mode);
	if (!s->packed)
		keep_error(s);
}

int spool_text(void *arg, const void *bytes, size_t count)
{
	struct spool *s = arg;

	errno = 0;
	if (!s->error && count && gzwrite(s->packed, bytes, count) <= 0)
		keep_error(s);
	return s->error;
}

void spool_flush(struct spool *s)
{
	unsigned char bytes[SPOOL_NUMBERS] = { s->used, s->used >> 8 };
	size_t i, n, longer;
	uint64_t value;

	if (s->used)
		spool_text(s, bytes, 2);
	for (n = s->used; n && !s->error; n = longer) {
		for (i = 0, longer = 0; i < n; i++) {
			value = s->numbers[i];
			bytes[i] = value > 0x7f ? value | 0x80 : value;
			if (value > 0x7f)
				s->numbers[longer++] = value >> 7;
		}
		spool_text(s, bytes, n);
		/* The next bytes get a code of their own. */
		errno = 0;
		if (!s->error && gzflush(s->packed, Z_PARTIAL_FLUSH) != Z_OK)
			keep_error(s);
	}
	s->used = 0;
}

int spool_end(struct spool *s)
{
	spool_flush(s);
	errno = 0;
	if (s->packed && gzclose(s->packed) != Z_OK)
		keep_error(s);
	s->packed = NULL;
	return s->error;
}

int spool_print(struct spool *s, struct out *o)
{
	unsigned char bytes[SPOOL_NUMBERS];
	struct out_base64 text = { 0 };
	size_t n;

	rewind(s->file);
	while ((n = fread(bytes, 1, sizeof(bytes), s->file)))
		out_base64_add(o, &text, bytes, n);
	out_base64_end(o, &text);
	return ferror(s->file) ? -EIO : 0;
}

void spool_close(struct spool *s)
{
	if (s->packed)
		gzclose(s->packed);
	if (s->file)
		fclose(s->file);
	s->packed = NULL;
	s->file = NULL;
}
