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

/* The text with an index of FXT_SCHED_STRINGS. */
struct fxt_text fxt_known_text(uint16_t index);

/* Index of a text in FXT_SCHED_STRINGS; 0 if that does not have it. */
uint16_t fxt_known_string(const char *bytes, size_t length);

/* Bytes from the start that are well-formed UTF-8. */
size_t fxt_utf8_valid(const char *bytes, size_t length);

/* The character of a valid sequence of 2 to 4 bytes. */
static inline uint32_t fxt_utf8_character(const unsigned char *s, uint32_t bytes)
{
	uint32_t c = *s & (0x7f >> bytes), i;

	for (i = 1; i < bytes; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

/* The part of fxt_text_shown() for characters that are not ASCII. */
uint32_t fxt_text_shown_beyond_ascii(const unsigned char *bytes, size_t length);

/*
 * Can the first character of a text, which is not empty, be shown as it is?
 *
 * This is the only place that decides which characters are safe to print. These are not: control
 * characters of ASCII and U+0080 to U+009F, which a terminal executes; line and paragraph
 * separators; and all invisible characters that hide, reorder or join the text around them
 * (Unicode's Default_Ignorable_Code_Point, for instance U+202E and U+200B, and interlinear
 * annotations).
 *
 * Return: its length in bytes; 0 if it must be escaped or is invalid UTF-8.
 */
static inline uint32_t fxt_text_shown(const unsigned char *bytes, size_t length)
{
	if (*bytes < 0x80)
		return *bytes >= ' ' && *bytes != 0x7f;
	return fxt_text_shown_beyond_ascii(bytes, length);
}

/*
 * A text that a terminal can show on one line: bytes of characters that fxt_text_shown() rejects
 * become \xNN, a backslash \\. Return: the text, which the caller frees; NULL without memory.
 */
char *fxt_text_escape(const char *bytes, size_t length);

/* A message, escaped as by fxt_text_escape(). A line end at the end of @format stays. */
char *fxt_text_format(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

#endif /* LIBFXT_TEXT_H */
