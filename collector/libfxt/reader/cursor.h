/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - what is left of one record while parts are taken off.
 */
#ifndef LIBFXT_READER_CURSOR_H
#define LIBFXT_READER_CURSOR_H

#include "state.h"

struct cursor {
	struct fxt_reader *r;
	const uint64_t *words;
	uint64_t offset;	/* bytes in the archive, of words[0] */
	uint64_t head;		/* the same of the header whose fields are taken */
	uint32_t at;
	uint32_t end;
	bool any_bytes;		/* texts need not be UTF-8 */
	bool keeps;		/* a string that is not registered is no reason to give up */
};

/* Where the cursor stands, bytes in the archive. */
static inline uint64_t cursor_offset(const struct cursor *c)
{
	return c->offset + (uint64_t)c->at * FXT_WORD;
}

/* Each: 0, or -EBADMSG after telling. */
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
/* Reserved bits of the header must be zero. */
int fxt_check_reserved(const struct cursor *c, uint64_t word, uint64_t mask);
/* What is left is not defined. */
int fxt_take_extra(struct cursor *c, const char *field, struct fxt_bytes *extra);
/* Bytes behind the content of a stream must be zero. */
int fxt_check_padding(struct fxt_reader *r, uint64_t offset, const char *field,
		      const void *data, uint64_t bytes);

#endif /* LIBFXT_READER_CURSOR_H */
