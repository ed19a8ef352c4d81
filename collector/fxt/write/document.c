// SPDX-License-Identifier: GPL-2.0-or-later
/* document.c - see document.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <fxt/fxt_sched.h>

#include "document.h"

static const char replacement[] = "\xef\xbf\xbd";	/* U+FFFD */

ssize_t document_utf8(char *to, size_t room, const char *bytes, size_t length)
{
	size_t i, used = 0;
	const char *from;
	uint32_t n, step;

	for (i = 0; i < length; i += step) {
		from = bytes + i;
		n = *from ? fxt_utf8_length((const unsigned char *)from, length - i) : 0;
		step = n ? n : 1;
		if (!n) {
			from = replacement;
			n = sizeof(replacement) - 1;
		}
		if (used + n >= room)
			return -1;
		memcpy(to + used, from, n);
		used += n;
	}
	to[used] = '\0';
	return used;
}

struct json_object *document_text(const char *bytes, size_t length)
{
	size_t room = length * (sizeof(replacement) - 1) + 1;
	char *text = malloc(room);
	struct json_object *j = NULL;
	ssize_t n;

	if (text) {
		n = document_utf8(text, room, bytes, length);
		j = json_object_new_string_len(text, n);
	}
	free(text);
	return j;
}

struct json_object *document_u64(uint64_t value)
{
	char text[24];

	if (value <= OUT_JSON_SAFE)
		return json_object_new_int64(value);
	snprintf(text, sizeof(text), "%" PRIu64, value);
	return json_object_new_string(text);
}

void document_print(struct out *o, struct json_object *j)
{
	out_json_value(o, json_object_to_json_string_ext(j, JSON_C_TO_STRING_PLAIN |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	out_char(o, '\n');
	json_object_put(j);
}
