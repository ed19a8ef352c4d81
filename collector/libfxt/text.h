/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - texts of an archive: the strings that are known, and UTF-8.
 */
#ifndef LIBFXT_TEXT_H
#define LIBFXT_TEXT_H

#include <stddef.h>
#include <stdint.h>

/** fxt_known_string() - index in FXT_SCHED_STRINGS, 0 if it is none of them */
uint16_t fxt_known_string(const char *bytes, size_t length);

/** fxt_utf8_valid() - how many bytes from the start are well-formed UTF-8 */
size_t fxt_utf8_valid(const char *bytes, size_t length);

#endif /* LIBFXT_TEXT_H */
