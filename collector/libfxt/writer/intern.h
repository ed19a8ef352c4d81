/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intern.h - the string and thread tables of a writer that chooses refs.
 *
 * In:  strings and threads that records need.
 * Out: their indices, and a string or thread record before the first use of each.
 *
 * At every point of the archive, these tables must be the same as those of every reader.
 * Therefore an index is returned only after its record was written, and where readers
 * may have empty tables, these are emptied as well.
 */
#ifndef LIBFXT_WRITER_INTERN_H
#define LIBFXT_WRITER_INTERN_H

#include "buffer.h"

/*
 * Longer strings stay inline. They are messages rather than names: they seldom occur
 * twice, and each would replace a name that does. The limit also bounds the memory of the
 * tables.
 */
#define WRITER_INTERN_MAX_STRING	256

int writer_intern_open(struct writer_intern **in);
void writer_intern_close(struct writer_intern *in);

/**
 * writer_intern_provider() - switch to the tables of a provider
 * @in: the tables
 * @id: provider id
 * @anew: empty them, as readers do at a provider info
 */
void writer_intern_provider(struct writer_intern *in, uint32_t id, bool anew);

/**
 * writer_intern_string() - find or register a string
 * @w: the writer; takes a string record if the string is new
 * @text: 1 to WRITER_INTERN_MAX_STRING bytes
 * @ref: set to the index
 *
 * An index stays valid until FXT_MAX_STRING_INDEX other strings have been used, which
 * is more than any record needs.
 *
 * Return: 0; -ENOMEM; the writer's error.
 */
int writer_intern_string(struct fxt_writer *w, const struct fxt_text *text,
			 uint16_t *ref);

/** writer_intern_thread() - the same for a thread, of which FXT_MAX_THREAD_INDEX fit */
int writer_intern_thread(struct fxt_writer *w, const struct fxt_thread_id *thread,
			 uint8_t *ref);

#endif /* LIBFXT_WRITER_INTERN_H */
