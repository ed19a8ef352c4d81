// SPDX-License-Identifier: GPL-2.0-or-later
/* window.c - see window.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "deviation.h"
#include "window.h"

/* Move the words from @keep on, and the incomplete word after them, to the front. */
static void keep_from(struct fxt_reader *r, size_t keep)
{
	size_t bytes = (r->end - keep) * FXT_WORD + r->tail;

	if (!keep)
		return;
	memmove(r->window, r->window + keep, bytes);
	r->base += (uint64_t)keep * FXT_WORD;
	r->end -= keep;
	r->at -= keep;
	r->last -= r->last < keep ? r->last : keep;
}

static void report_progress(struct fxt_reader *r)
{
	uint64_t size, bytes = fxt_stream_source(r->stream, &size);

	r->o.progress(r->o.progress_arg, bytes, size);
}

void fxt_window_fill(struct fxt_reader *r, size_t keep, size_t words)
{
	size_t room, bytes;
	ssize_t n;

	if (words > WINDOW_WORDS)
		words = WINDOW_WORDS;
	if (r->end - keep >= words || r->ended)
		return;
	keep_from(r, keep);
	while (r->end < words && !r->ended) {
		room = (WINDOW_WORDS - r->end) * FXT_WORD - r->tail;
		bytes = words * FXT_WORD > READ_BYTES ? room : READ_BYTES;
		bytes = bytes < room ? bytes : room;
		n = fxt_stream_read(r->stream,
				    (char *)(r->window + r->end) + r->tail, bytes);
		if (n < 0)
			r->stream_error = n;
		r->ended = n <= 0;
		r->tail += n > 0 ? n : 0;
		r->end += r->tail / FXT_WORD;
		r->tail %= FXT_WORD;
		if (r->o.progress)
			report_progress(r);
	}
}

void fxt_window_realign(struct fxt_reader *r, size_t from)
{
	size_t bytes = r->end * FXT_WORD + r->tail - from;

	memmove(r->window, (const char *)r->window + from, bytes);
	r->base += from;
	r->end = bytes / FXT_WORD;
	r->tail = bytes % FXT_WORD;
	r->at = 0;
	r->last = 0;
}

/*
 * fxt_window_fill() has noticed the error when it read ahead. It is reported only after
 * the records before it.
 */
int fxt_window_failure(struct fxt_reader *r)
{
	int error = r->stream_error;

	r->stream_error = 0;
	if (!error)
		return 0;
	if (error == -EBADMSG)
		return fxt_deviate(r, r->base + r->end * FXT_WORD + r->tail,
				   FXT_DEV_COMPRESSION, false, "compression", "%s",
				   fxt_stream_error(r->stream));
	snprintf(r->error, sizeof(r->error), "cannot read after byte %" PRIu64 ": %s",
		 r->base + r->end * FXT_WORD + r->tail, strerror(-error));
	return error;
}

uint64_t fxt_window_left(const struct fxt_reader *r, size_t from)
{
	uint64_t size = fxt_stream_size(r->stream), here = r->base + from * FXT_WORD;

	if (r->ended || size == FXT_SIZE_UNKNOWN)
		return r->ended ? r->end - from : UINT64_MAX;
	return size > here ? (size - here) / FXT_WORD : 0;
}
