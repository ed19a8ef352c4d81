/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formats.h - all formats of traces that fxt reads or writes.
 */
#ifndef FXT_FORMATS_FORMATS_H
#define FXT_FORMATS_FORMATS_H

#include "walk/format.h"

/* In the order of the help of fxt convert; a row without a name ends it. */
extern const struct format formats[];

/** format_to_write() - the format that --to names; NULL if there is none of this name */
const struct format *format_to_write(const char *name);

/** format_of_ending() - the format that the file extension of @path selects, or NULL */
const struct format *format_of_ending(const char *path);

#endif /* FXT_FORMATS_FORMATS_H */
