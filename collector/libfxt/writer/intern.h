/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intern.h - the string and thread tables of a writer that fills them.
 */
#ifndef LIBFXT_WRITER_INTERN_H
#define LIBFXT_WRITER_INTERN_H

#include "buffer.h"

/*
 * Strings that are longer stay inline. Texts of that size are messages rather
 * than names: hardly any comes twice, and each would push out a name that does.
 * It also bounds what the tables can hold.
 */
#define WRITER_INTERN_MAX_STRING	256

int writer_intern_open(struct writer_intern **in);
void writer_intern_close(struct writer_intern *in);

/**
 * writer_intern_provider() - other records follow
 * @in: the tables
 * @id: provider id
 * @anew: readers forget its tables here, as they do at a provider info
 */
void writer_intern_provider(struct writer_intern *in, uint32_t id, bool anew);

/**
 * writer_intern_string() - the index of a string
 * @w: the writer; a string record is written if need be
 * @text: 1 to WRITER_INTERN_MAX_STRING bytes
 * @ref: set to the index
 *
 * An index stays valid for as long as fewer than FXT_MAX_STRING_INDEX other
 * strings are asked for, which is more than any record needs.
 *
 * Return: 0 or -ENOMEM.
 */
int writer_intern_string(struct fxt_writer *w, const struct fxt_text *text,
			 uint16_t *ref);

/** writer_intern_thread() - the same for a thread, out of FXT_MAX_THREAD_INDEX */
int writer_intern_thread(struct fxt_writer *w, const struct fxt_thread_id *thread,
			 uint8_t *ref);

#endif /* LIBFXT_WRITER_INTERN_H */
