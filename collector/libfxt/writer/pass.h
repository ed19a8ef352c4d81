/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass.h - one pass over a record, which measures or writes it.
 *
 * Each record goes through the same code twice. The first pass measures it and finds
 * values that do not fit; the second pass writes it. So a refused record writes nothing.
 */
#ifndef LIBFXT_WRITER_PASS_H
#define LIBFXT_WRITER_PASS_H

#include "buffer.h"

/**
 * struct writer_pass - one pass over a record
 * @w: destination; NULL in the first pass
 * @words: so far
 * @size: words of the record; unknown in the first pass
 */
struct writer_pass {
	struct fxt_writer *w;
	uint64_t words;
	uint64_t size;
};

static inline void pass_word(struct writer_pass *p, uint64_t word)
{
	p->words++;
	if (p->w)
		writer_word(p->w, word);
}

static inline void pass_stream(struct writer_pass *p, const void *data, size_t bytes)
{
	p->words += fxt_stream_words(bytes);
	if (p->w)
		writer_stream(p->w, data, bytes);
}

/* A string, if its ref says that it is inline. */
static inline void pass_text(struct writer_pass *p, const struct fxt_text *text,
			     uint16_t ref)
{
	if (ref & FXT_STRING_REF_INLINE)
		pass_stream(p, text->bytes, text->length);
}

#endif /* LIBFXT_WRITER_PASS_H */
