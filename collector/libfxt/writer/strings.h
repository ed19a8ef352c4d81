/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strings.h - which string indices the current provider has registered.
 */
#ifndef LIBFXT_WRITER_STRINGS_H
#define LIBFXT_WRITER_STRINGS_H

#include "buffer.h"

/** writer_note_string() - a record registers a string */
void writer_note_string(struct fxt_writer *w, uint16_t index);

/** writer_note_provider() - the provider changes; @anew: by a provider info */
void writer_note_provider(struct fxt_writer *w, bool anew);

/** writer_has_string() - may a record refer to this string? */
bool writer_has_string(const struct fxt_writer *w, uint16_t index);

#endif /* LIBFXT_WRITER_STRINGS_H */
