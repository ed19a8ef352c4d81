/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass.h - a record on its way, measured or written.
 *
 * A record goes through the same code twice. The first pass measures it and finds
 * what does not fit; the second pass writes it. A refused record leaves no trace.
 */
#ifndef LIBFXT_WRITER_PASS_H
#define LIBFXT_WRITER_PASS_H

#include "buffer.h"

/**
 * struct writer_pass - a record on its way, for the first or the second time
 * @w: where it goes; NULL when it is measured
 * @words: so far
 * @size: words of the whole record; not known yet when it is measured
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

/* A string where it stands in the record, if its ref says that it does. */
static inline void pass_text(struct writer_pass *p, const struct fxt_text *text,
			     uint16_t ref)
{
	if (ref & FXT_STRING_REF_INLINE)
		pass_stream(p, text->bytes, text->length);
}

#endif /* LIBFXT_WRITER_PASS_H */
