// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * writer.c - open and close a writer, set its modes, write records in bulk and payloads.
 */
#include <errno.h>
#include <stdlib.h>

#include "buffer.h"
#include "intern.h"

int fxt_writer_open(struct fxt_writer **w, int fd)
{
	*w = calloc(1, sizeof(**w));
	if (!*w)
		return -ENOMEM;
	(*w)->fd = fd;
	return 0;
}

int fxt_writer_open_sink(struct fxt_writer **w, fxt_writer_sink sink, void *arg)
{
	int ret = fxt_writer_open(w, -1);

	if (ret)
		return ret;
	(*w)->sink = sink;
	(*w)->sink_arg = arg;
	return 0;
}

int fxt_writer_swap(struct fxt_writer *w)
{
	if (w->bytes)
		return -EINVAL;
	w->swapped = true;
	return 0;
}

int fxt_writer_intern(struct fxt_writer *w)
{
	if (w->bytes || w->intern)
		return -EINVAL;
	return writer_intern_open(&w->intern);
}

int fxt_writer_cut(struct fxt_writer *w, uint64_t bytes)
{
	if (w->intern || bytes > w->bytes)
		return -EINVAL;
	w->bytes = bytes;
	w->used = 0;
	w->missing = 0;
	w->padding = 0;
	w->error = 0;
	return 0;
}

int fxt_writer_close(struct fxt_writer *w)
{
	int ret;

	if (!w)
		return 0;
	ret = fxt_writer_flush(w);
	if (!ret && w->missing)
		ret = -EINVAL;
	writer_intern_close(w->intern);
	free(w);
	return ret;
}

uint64_t fxt_writer_bytes(const struct fxt_writer *w)
{
	return w->bytes;
}

int fxt_writer_put(struct fxt_writer *w, const void *records, size_t bytes)
{
	int ret = writer_ready(w);

	if (ret)
		return ret;
	if (w->swapped || w->intern)
		return -EINVAL;
	return writer_bytes(w, records, bytes);
}

int fxt_writer_payload(struct fxt_writer *w, const void *data, uint64_t bytes)
{
	if (w->error)
		return w->error;
	if (bytes > w->missing)
		return -EINVAL;
	w->missing -= bytes;
	writer_bytes(w, data, bytes);
	if (w->missing)
		return w->error;
	bytes = w->padding;
	w->padding = 0;
	return writer_zeros(w, bytes);
}
