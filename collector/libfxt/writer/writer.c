// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * writer.c - the writer's buffer, and all that is no single record.
 *
 * What flows in: finished records in bulk, payloads, and the words and streams
 * of single records. What flows out: write(2), or calls of a sink. Small things
 * gather in a buffer; bulk that would fill it goes straight on, so that a
 * sub-buffer is copied once only, by the kernel.
 */
#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

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

static int write_all(struct fxt_writer *w, const void *data, size_t bytes)
{
	const unsigned char *p = data;

	if (w->sink && bytes && !w->error) {
		w->error = w->sink(w->sink_arg, data, bytes);
		return w->error;
	}
	while (bytes && !w->error) {
		ssize_t n = write(w->fd, p, bytes);

		if (n > 0) {
			p += n;
			bytes -= n;
		} else if (n < 0 && errno != EINTR) {
			w->error = -errno;
		}
	}
	return w->error;
}

int fxt_writer_flush(struct fxt_writer *w)
{
	size_t used = w->used;

	w->used = 0;
	return write_all(w, w->buffer, used);
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

int writer_ready(const struct fxt_writer *w)
{
	if (w->error)
		return w->error;
	return w->missing ? -EINVAL : 0;
}

int writer_bytes(struct fxt_writer *w, const void *data, size_t bytes)
{
	if (w->error || !bytes)
		return w->error;
	w->bytes += bytes;
	if (bytes > sizeof(w->buffer) - w->used && fxt_writer_flush(w))
		return w->error;
	if (bytes >= sizeof(w->buffer))
		return write_all(w, data, bytes);
	memcpy(w->buffer + w->used, data, bytes);
	w->used += bytes;
	return 0;
}

int writer_word(struct fxt_writer *w, uint64_t word)
{
	if (w->swapped)
		word = bswap_64(word);
	return writer_bytes(w, &word, sizeof(word));
}

/* Zeros up to the next word, after a stream of @bytes. */
static unsigned int padding_of(uint64_t bytes)
{
	return fxt_stream_words(bytes) * FXT_WORD - bytes;
}

static int put_zeros(struct fxt_writer *w, unsigned int bytes)
{
	static const unsigned char zeros[FXT_WORD];

	return writer_bytes(w, zeros, bytes);
}

int writer_stream(struct fxt_writer *w, const void *data, size_t bytes)
{
	writer_bytes(w, data, bytes);
	return put_zeros(w, padding_of(bytes));
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
	return put_zeros(w, bytes);
}
