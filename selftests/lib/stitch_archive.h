/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An archive in memory, which a stitch writes. The tests pass generated chunks, counts and marks of
 * one CPU to @st.
 */
#ifndef SELFTESTS_STITCH_ARCHIVE_H
#define SELFTESTS_STITCH_ARCHIVE_H

#include <errno.h>
#include <string.h>

#include "fxt-collect/archive/stitch.h"
#include "libfxt/fxt_writer.h"

#define CPU		3
#define MOST_BYTES	65536
#define MOST_WORDS	1024

struct archive {
	unsigned char bytes[MOST_BYTES];
	size_t length;
};

struct stitched {
	struct stitch *st;
	struct fxt_writer *w;
	struct archive a;
	__u64 words[MOST_WORDS];	/* room for a chunk */
};

static inline int archive_take(void *arg, const void *data, size_t bytes)
{
	struct archive *a = arg;

	if (bytes > MOST_BYTES - a->length)
		return -ENOSPC;
	memcpy(a->bytes + a->length, data, bytes);
	a->length += bytes;
	return 0;
}

/* The next archive begins at @start; @s->st is open. */
static inline int stitched_begin(struct stitched *s, uint64_t start, bool is_part)
{
	fxt_writer_close(s->w);
	s->w = NULL;
	s->a.length = 0;
	return fxt_writer_open_sink(&s->w, archive_take, &s->a) ? -ENOMEM :
	       stitch_begin(s->st, s->w, 1000000000, "a test\n", start, is_part);
}

#endif /* SELFTESTS_STITCH_ARCHIVE_H */
