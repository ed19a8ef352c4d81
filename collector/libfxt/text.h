/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - texts of an archive: known strings, UTF-8, and text that terminals and pages can show.
 */
#ifndef LIBFXT_TEXT_H
#define LIBFXT_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "fxt_reader.h"

/** fxt_known_text() - the text with an index of FXT_SCHED_STRINGS */
struct fxt_text fxt_known_text(uint16_t index);

/** fxt_known_string() - index of a text in FXT_SCHED_STRINGS, 0 if that does not have it */
uint16_t fxt_known_string(const char *bytes, size_t length);

/** fxt_utf8_valid() - length of the part from the start that is well-formed UTF-8 */
size_t fxt_utf8_valid(const char *bytes, size_t length);

/** fxt_utf8_character() - the character of a valid sequence of @bytes bytes, 2 to 4 */
static inline uint32_t fxt_utf8_character(const unsigned char *s, uint32_t bytes)
{
	uint32_t c = *s & (0x7f >> bytes), i;

	for (i = 1; i < bytes; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

/* The part of fxt_text_shown() for characters that are not ASCII. */
uint32_t fxt_text_shown_beyond_ascii(const unsigned char *bytes, size_t length);

/**
 * fxt_text_shown() - can the first character of a text, which is not empty, be shown as it is?
 *
 * This is the only place that decides which characters are safe to print. These are not: control
 * characters of ASCII and U+0080 to U+009F, which a terminal executes; line and paragraph
 * separators; and all invisible characters that hide, reorder or join the text around them
 * (Unicode's Default_Ignorable_Code_Point, for instance U+202E and U+200B, and interlinear
 * annotations).
 *
 * Return: its length in bytes; 0 if it has to be escaped, or if it is invalid UTF-8.
 */
static inline uint32_t fxt_text_shown(const unsigned char *bytes, size_t length)
{
	if (*bytes < 0x80)
		return *bytes >= ' ' && *bytes != 0x7f;
	return fxt_text_shown_beyond_ascii(bytes, length);
}

/**
 * fxt_text_escape() - make a text that a terminal can show on one line
 *
 * Bytes of characters that fxt_text_shown() rejects become \xNN, a backslash \\.
 *
 * Return: the text, terminated, which the caller frees, or NULL without memory.
 */
char *fxt_text_escape(const char *bytes, size_t length);

/** fxt_text_format() - a message, escaped as by fxt_text_escape(); a line end at the end of @format stays */
char *fxt_text_format(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

#endif /* LIBFXT_TEXT_H */
