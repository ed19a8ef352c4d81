/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * buffer.h - the state of a writer, and its buffer.
 *
 * In:  words and streams of single records, finished records in bulk, payloads.
 * Out: write(2), or calls of a sink.
 *
 * The buffer collects small pieces. Bulk data as large as the buffer bypass it, so that only the
 * kernel copies a sub-buffer.
 *
 * From the bottom up: buffer.c; strings.c keeps the strings and threads that the archive has
 * registered, and finds a record's refs to them; writer.c writes records, opens, sets modes and
 * closes; losses.c writes ledgers, losses and marks.
 */
#ifndef LIBFXT_WRITER_BUFFER_H
#define LIBFXT_WRITER_BUFFER_H

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"

#define WRITER_BUFFER_BYTES	(64U << 10)
/* More than a large record has before its payload: a category, a name, arguments. */
#define WRITER_RECORD_WORDS	((3U + FXT_MAX_ARGS) * (FXT_MAX_RECORD_WORDS + 1))

struct writer_intern;

struct fxt_writer {
	int fd;				/* the archive; unused with a sink */
	fxt_writer_sink sink;		/* takes the bytes instead of @fd; or NULL */
	void *sink_arg;			/* of @sink */
	int error;			/* the first one of write(2) or @sink, negative */
	bool swapped;			/* write words in the other byte order */
	struct writer_intern *intern;	/* tables of a writer that chooses refs; else NULL */
	uint64_t bytes;			/* so far, including buffered ones */
	uint64_t missing;	/* of a large blob's payload, from the caller */
	uint8_t padding;		/* zeros to write after these */
	bool is_section;	/* a provider section has begun, so @strings is not complete */
	uint64_t strings[(FXT_MAX_STRING_INDEX + 1) / 64];	/* bits of registered indices */
	size_t used;			/* bytes in @buffer */
	unsigned char buffer[WRITER_BUFFER_BYTES];
	uint64_t record_words;		/* of the record being built; may be too many */
	uint64_t record[WRITER_RECORD_WORDS];	/* untouched pages take no memory */
};

/* May a record begin here? Return: 0; @error; -EINVAL within a payload. */
int writer_ready(const struct fxt_writer *w);

/* From the byte order of this machine to the archive's, or back. */
static inline uint64_t writer_swapped(const struct fxt_writer *w, uint64_t word)
{
	return w->swapped ? bswap_64(word) : word;
}

/* The following functions return @error. These two write in the archive's byte order. */
int writer_words(struct fxt_writer *w, const uint64_t *words, size_t count);

int writer_word(struct fxt_writer *w, uint64_t word);

int writer_bytes(struct fxt_writer *w, const void *data, size_t bytes);

/* Pads with zeros to whole words. */
int writer_stream(struct fxt_writer *w, const void *data, size_t bytes);

/* At most FXT_WORD bytes. */
int writer_zeros(struct fxt_writer *w, unsigned int bytes);

#endif /* LIBFXT_WRITER_BUFFER_H */
