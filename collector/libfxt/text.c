// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - names of kinds and deviations (fxt_reader.h), and texts of an archive (text.h).
 */
#include <string.h>

#include <fxt/fxt_sched.h>

#include "fxt_reader.h"
#include "fxt_strings.h"
#include "text.h"

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
