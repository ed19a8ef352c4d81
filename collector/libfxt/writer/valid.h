/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * valid.h - what the format has room for, but does not allow.
 */
#ifndef LIBFXT_WRITER_VALID_H
#define LIBFXT_WRITER_VALID_H

#include "refs.h"

/** writer_text_is_valid() - UTF-8 throughout? */
bool writer_text_is_valid(const char *bytes, size_t length);

/** writer_is_valid() - does the format allow what a record says, as it would be written? */
bool writer_is_valid(const struct fxt_writer *w, const struct fxt_content *c,
		     const struct writer_refs *refs);

#endif /* LIBFXT_WRITER_VALID_H */
