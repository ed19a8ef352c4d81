// SPDX-License-Identifier: GPL-2.0-or-later
/* buffer.c - see buffer.h. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"

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

int writer_words(struct fxt_writer *w, const uint64_t *words, size_t count)
{
	const unsigned char *p = (const unsigned char *)words;
	size_t bytes = count * FXT_WORD, n;

	for (; bytes && !w->error; p += n, bytes -= n) {
		if (w->used == sizeof(w->buffer))
			fxt_writer_flush(w);
		n = sizeof(w->buffer) - w->used;
		n = bytes < n ? bytes : n;
		memcpy(w->buffer + w->used, p, n);
		w->used += n;
		w->bytes += n;
	}
	return w->error;
}

int writer_word(struct fxt_writer *w, uint64_t word)
{
	word = writer_swapped(w, word);
	return writer_words(w, &word, 1);
}

/* Bytes of padding between a stream of @bytes and the next word. */
static unsigned int padding_of(uint64_t bytes)
{
	return fxt_stream_words(bytes) * FXT_WORD - bytes;
}

int writer_zeros(struct fxt_writer *w, unsigned int bytes)
{
	static const unsigned char zeros[FXT_WORD];

	return writer_bytes(w, zeros, bytes);
}

int writer_stream(struct fxt_writer *w, const void *data, size_t bytes)
{
	writer_bytes(w, data, bytes);
	return writer_zeros(w, padding_of(bytes));
}
