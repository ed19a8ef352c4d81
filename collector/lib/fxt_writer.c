// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt_writer.c - see fxt_writer.h.
 *
 * Small records gather in a buffer; bulk that would fill it goes straight to
 * write(2), so that a sub-buffer is copied once only, by the kernel.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt.h>

#include "fxt_writer.h"

#define BUFFER_BYTES	(64U << 10)

struct fxt_writer {
	int fd;
	int error;
	uint64_t bytes;
	size_t used;
	unsigned char buffer[BUFFER_BYTES];
};

int fxt_writer_open(struct fxt_writer **w, int fd)
{
	*w = calloc(1, sizeof(**w));
	if (!*w)
		return -ENOMEM;
	(*w)->fd = fd;
	return 0;
}

static int write_all(struct fxt_writer *w, const void *data, size_t bytes)
{
	const unsigned char *p = data;

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

int fxt_writer_close(struct fxt_writer *w)
{
	int ret;

	if (!w)
		return 0;
	ret = fxt_writer_flush(w);
	free(w);
	return ret;
}

uint64_t fxt_writer_bytes(const struct fxt_writer *w)
{
	return w->bytes;
}

int fxt_writer_put(struct fxt_writer *w, const void *records, size_t bytes)
{
	if (w->error)
		return w->error;
	w->bytes += bytes;
	if (bytes > sizeof(w->buffer) - w->used && fxt_writer_flush(w))
		return w->error;
	if (bytes >= sizeof(w->buffer))
		return write_all(w, records, bytes);
	memcpy(w->buffer + w->used, records, bytes);
	w->used += bytes;
	return 0;
}

static int put_word(struct fxt_writer *w, uint64_t word)
{
	return fxt_writer_put(w, &word, sizeof(word));
}

/* Bytes, padded with zeros to whole words. */
static int put_stream(struct fxt_writer *w, const void *data, size_t bytes)
{
	static const unsigned char zeros[FXT_WORD];

	fxt_writer_put(w, data, bytes);
	return fxt_writer_put(w, zeros, fxt_stream_words(bytes) * FXT_WORD - bytes);
}

int fxt_writer_magic(struct fxt_writer *w)
{
	return put_word(w, fxt_magic());
}

int fxt_writer_provider(struct fxt_writer *w, uint32_t id, const char *name)
{
	size_t bytes = strlen(name);

	if (bytes > FXT_MAX_PROVIDER_NAME)
		return -EINVAL;
	put_word(w, fxt_provider_info(id, bytes));
	return put_stream(w, name, bytes);
}

int fxt_writer_provider_event(struct fxt_writer *w, uint32_t id)
{
	return put_word(w, fxt_provider_event(id, FXT_PROVIDER_EVENT_BUFFER_FULL));
}

int fxt_writer_initialization(struct fxt_writer *w, uint64_t ticks_per_second)
{
	put_word(w, fxt_initialization());
	return put_word(w, ticks_per_second);
}

int fxt_writer_string(struct fxt_writer *w, uint16_t index, const char *text)
{
	size_t bytes = strlen(text);

	if (!index || index > FXT_MAX_STRING_INDEX || bytes > FXT_MAX_STRING)
		return -EINVAL;
	put_word(w, fxt_string(index, bytes));
	return put_stream(w, text, bytes);
}

int fxt_writer_blob(struct fxt_writer *w, uint16_t name, const void *data,
		    size_t bytes)
{
	if (name > FXT_MAX_STRING_INDEX || bytes > FXT_MAX_STRING)
		return -EINVAL;
	put_word(w, fxt_blob(1 + fxt_stream_words(bytes), name, bytes,
			     FXT_BLOB_DATA));
	return put_stream(w, data, bytes);
}

/* Length of a name that may be cut, but not within a character. */
static size_t name_bytes(const char *name)
{
	size_t bytes = strlen(name);

	if (bytes <= FXT_MAX_STRING)
		return bytes;
	for (bytes = FXT_MAX_STRING; bytes && (name[bytes] & 0xc0) == 0x80; bytes--)
		;
	return bytes;
}

static int put_object(struct fxt_writer *w, enum fxt_object_type type,
		      uint64_t koid, const char *name, unsigned int args,
		      unsigned int arg_words)
{
	size_t bytes = name_bytes(name);
	uint64_t ref = bytes ? fxt_string_ref_inline(bytes) : FXT_STRING_REF_EMPTY;

	put_word(w, fxt_kernel_object(2 + fxt_stream_words(bytes) + arg_words,
				      type, ref, args));
	put_word(w, koid);
	return put_stream(w, name, bytes);
}

int fxt_writer_process(struct fxt_writer *w, uint64_t koid, const char *name)
{
	return put_object(w, FXT_OBJECT_PROCESS, koid, name, 0, 0);
}

int fxt_writer_thread(struct fxt_writer *w, uint64_t koid, uint64_t process,
		      uint16_t process_ref, const char *name)
{
	put_object(w, FXT_OBJECT_THREAD, koid, name, 1, 2);
	put_word(w, fxt_arg_koid(2, process_ref));
	return put_word(w, process);
}

int fxt_writer_slice(struct fxt_writer *w, const struct fxt_slice *s)
{
	uint64_t words[] = {
		fxt_event(6, FXT_EVENT_DURATION_COMPLETE, 1,
			  FXT_THREAD_REF_INLINE, s->category, s->name),
		s->start,
		s->process,
		s->thread,
		fxt_arg_uint32(1, s->arg_name, s->arg),
		s->end,
	};

	return fxt_writer_put(w, words, sizeof(words));
}
