/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - decode the parts of a record one after the other.
 *
 * In:  the words of one record.
 * Out: words, streams, strings, threads and arguments, checked against the end of the
 *      record.
 *
 * Implements "Encoding primitives", "String references", "Thread references" and
 * "Argument types".
 */
#ifndef LIBFXT_READER_CURSOR_H
#define LIBFXT_READER_CURSOR_H

#include "state.h"

/**
 * struct cursor - position in a record
 * @r: the reader
 * @words: the record, in the byte order of the archive
 * @offset: of words[0], in bytes of the archive
 * @head: of the header that the refs come from, likewise
 * @at: next word to decode
 * @end: after the last word
 * @any_bytes: invalid UTF-8 is not a deviation but a note
 * @keeps: a string that was never registered does not make the record useless
 */
struct cursor {
	struct fxt_reader *r;
	const uint64_t *words;
	uint64_t offset;
	uint64_t head;
	uint32_t at;
	uint32_t end;
	bool any_bytes;
	bool keeps;
};

/* The cursor's position in bytes of the archive. */
static inline uint64_t cursor_offset(const struct cursor *c)
{
	return c->offset + (uint64_t)c->at * FXT_WORD;
}

/* Each returns 0, or -EBADMSG after it has reported a deviation, as fxt_deviate(). */
int fxt_take_word(struct cursor *c, const char *field, uint64_t *word);
int fxt_take_stream(struct cursor *c, const char *field, uint64_t bytes,
		    const void **data);
int fxt_take_text(struct cursor *c, const char *field, uint64_t bytes,
		  struct fxt_text *text);
int fxt_take_string(struct cursor *c, const char *field, uint64_t ref,
		    struct fxt_text *text);
int fxt_take_thread(struct cursor *c, const char *field, uint64_t ref,
		    struct fxt_thread_id *id);
int fxt_take_args(struct cursor *c, unsigned int count, struct fxt_content *to);
/* The reserved bits of a header must be zero. */
int fxt_check_reserved(const struct cursor *c, uint64_t word, uint64_t mask);
/* The remaining words are undefined. */
int fxt_take_extra(struct cursor *c, const char *field, struct fxt_bytes *extra);
/* The bytes between a stream's end and the next word must be zero. */
int fxt_check_padding(struct fxt_reader *r, uint64_t offset, const char *field,
		      const void *data, uint64_t bytes);

#endif /* LIBFXT_READER_CURSOR_H */
