/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - texts of an archive: known strings, and UTF-8.
 */
#ifndef LIBFXT_TEXT_H
#define LIBFXT_TEXT_H

#include <stddef.h>
#include <stdint.h>

/** fxt_known_string() - index of a text in FXT_SCHED_STRINGS, 0 if it is none of them */
uint16_t fxt_known_string(const char *bytes, size_t length);

/** fxt_utf8_valid() - length of the part from the start that is well-formed UTF-8 */
size_t fxt_utf8_valid(const char *bytes, size_t length);

#endif /* LIBFXT_TEXT_H */
