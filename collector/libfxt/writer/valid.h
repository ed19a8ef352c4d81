/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * valid.h - find values that fit the format but are not allowed.
 *
 * In:  a record's content and its refs.
 * Out: whether a strict reader accepts the record.
 *
 * Names of kernel objects may be any bytes. Numbers that the format does not define are
 * allowed, unless it restricts them.
 */
#ifndef LIBFXT_WRITER_VALID_H
#define LIBFXT_WRITER_VALID_H

#include "refs.h"

/** writer_text_is_valid() - is it valid UTF-8? */
bool writer_text_is_valid(const char *bytes, size_t length);

/** writer_is_valid() - does the format allow the record with these refs? */
bool writer_is_valid(const struct fxt_writer *w, const struct fxt_content *c,
		     const struct writer_refs *refs);

#endif /* LIBFXT_WRITER_VALID_H */
