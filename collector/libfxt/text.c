// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - names of kinds and deviations (fxt_reader.h), and texts of an archive (text.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "fxt_reader.h"
#include "text.h"

#define ESCAPE	4	/* bytes of \xNN */

const char *fxt_kind_name(enum fxt_kind kind)
{
	static const char *const names[] = {
#define NAME(kind, name) [kind] = name,
		FXT_KINDS(NAME)
#undef NAME
	};

	return kind < FXT_KIND_COUNT ? names[kind] : names[FXT_KIND_UNKNOWN];
}

const char *fxt_deviation_name(enum fxt_deviation_kind kind)
{
	static const char *const names[] = {
#define NAME(kind, name) [kind] = name,
		FXT_DEVIATIONS(NAME)
#undef NAME
	};

	return kind < FXT_DEV_COUNT ? names[kind] : "?";
}

bool fxt_kind_has_time(enum fxt_kind kind)
{
	switch (kind) {
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
	case FXT_KIND_LEGACY_SWITCH ... FXT_KIND_BACKTRACE:
		return true;
	default:
		return false;
	}
}

bool fxt_text_is(const struct fxt_text *text, const char *other)
{
	return text->length == strlen(other) &&
	       !memcmp(text->bytes, other, text->length);
}

struct fxt_text fxt_known_text(uint16_t index)
{
#define TEXT(index, text) [index] = { text, sizeof(text) - 1, .known = index },
	static const struct fxt_text texts[] = { FXT_SCHED_STRINGS(TEXT) };
#undef TEXT

	return texts[index];
}

uint16_t fxt_known_string(const char *bytes, size_t length)
{
#define COMPARE(index, text)						\
	if (length == sizeof(text) - 1 && !memcmp(bytes, text, sizeof(text) - 1)) \
		return index;
	FXT_SCHED_STRINGS(COMPARE)
#undef COMPARE
	return 0;
}

size_t fxt_utf8_valid(const char *bytes, size_t length)
{
	size_t i = 0;
	uint64_t eight;
	uint32_t n;

	while (i < length) {
		if (length - i >= sizeof(eight)) {
			memcpy(&eight, bytes + i, sizeof(eight));
			if (!(eight & 0x8080808080808080ULL)) {
				i += sizeof(eight);
				continue;
			}
		}
		n = fxt_utf8_length((const unsigned char *)bytes + i, length - i);
		if (!n)
			break;
		i += n;
	}
	return i;
}

/* Characters above U+007F that are not shown as they are, ascending. */
static const struct {
	uint32_t first, last;
} not_shown[] = {
	{ 0x80, 0x9f }, { 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c }, { 0x115f, 0x1160 },
	{ 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
	{ 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff },
	{ 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
	{ 0xe0000, 0xe0fff },
};

uint32_t fxt_text_shown_beyond_ascii(const unsigned char *s, size_t length)
{
	uint32_t n = fxt_utf8_length(s, length), c;
	size_t i;

	if (!n)
		return 0;
	c = fxt_utf8_character(s, n);
	for (i = 0; i < sizeof(not_shown) / sizeof(not_shown[0]) && c >= not_shown[i].first; i++)
		if (c <= not_shown[i].last)
			return 0;
	return n;
}

char *fxt_text_escape(const char *bytes, size_t length)
{
	const unsigned char *s = (const unsigned char *)bytes;
	char *text = malloc(ESCAPE * length + 2), *to = text;	/* room for a line end, too */
	size_t i;
	uint32_t n;

	if (!text)
		return NULL;
	for (i = 0; i < length; i += n ? n : 1) {
		n = fxt_text_shown(s + i, length - i);
		if (!n)
			to += sprintf(to, "\\x%02x", s[i]);
		else if (s[i] == '\\')
			to = stpcpy(to, "\\\\");
		else
			to = mempcpy(to, s + i, n);
	}
	*to = '\0';
	return text;
}

char *fxt_text_format(const char *format, va_list args)
{
	size_t length = strlen(format);
	bool is_line = length && format[length - 1] == '\n';
	char *plain, *text;
	int n = vasprintf(&plain, format, args);

	if (n < 0)
		return NULL;
	text = fxt_text_escape(plain, n - is_line);
	free(plain);
	if (text && is_line)
		strcat(text, "\n");
	return text;
}
