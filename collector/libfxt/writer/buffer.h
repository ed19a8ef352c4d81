/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * buffer.h - a writer, and the words and streams that gather in its buffer.
 *
 * In:  words and streams of single records, finished records in bulk, payloads.
 * Out: write(2), or calls of a sink.
 *
 * Small pieces gather in the buffer. Bulk that would fill it goes straight to the
 * descriptor, so that a sub-buffer is copied only once, by the kernel.
 */
#ifndef LIBFXT_WRITER_BUFFER_H
#define LIBFXT_WRITER_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"

#define WRITER_BUFFER_BYTES	(64U << 10)

struct writer_intern;

/**
 * struct fxt_writer - a writer
 * @fd: the archive, unless there is a sink
 * @sink: takes the bytes instead, or NULL
 * @sink_arg: for @sink
 * @error: the first of write(2) or of @sink, negative
 * @swapped: words have the other byte order
 * @intern: its tables; NULL unless it chooses the refs itself
 * @bytes: written so far, buffered ones included
 * @missing: bytes of the last large blob's payload that are still to come
 * @padding: zeros to be written after those
 * @is_section: records of a provider follow whose strings are not known here
 * @strings: indices that the last provider info's records registered, a bit each
 * @used: of @buffer
 */
struct fxt_writer {
	int fd;
	fxt_writer_sink sink;
	void *sink_arg;
	int error;
	bool swapped;
	struct writer_intern *intern;
	uint64_t bytes;
	uint64_t missing;
	uint8_t padding;
	bool is_section;
	uint64_t strings[(FXT_MAX_STRING_INDEX + 1) / 64];
	size_t used;
	unsigned char buffer[WRITER_BUFFER_BYTES];
};

/** writer_ready() - may a record begin here? 0, @error, or -EINVAL */
int writer_ready(const struct fxt_writer *w);

/** writer_word() - one word, in the archive's byte order; returns @error */
int writer_word(struct fxt_writer *w, uint64_t word);

/** writer_bytes() - bytes as they are; returns @error */
int writer_bytes(struct fxt_writer *w, const void *data, size_t bytes);

/** writer_stream() - bytes, padded with zeros to whole words; returns @error */
int writer_stream(struct fxt_writer *w, const void *data, size_t bytes);

/** writer_zeros() - at most FXT_WORD bytes of padding; returns @error */
int writer_zeros(struct fxt_writer *w, unsigned int bytes);

#endif /* LIBFXT_WRITER_BUFFER_H */
