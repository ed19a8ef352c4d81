// SPDX-License-Identifier: GPL-2.0-or-later
/* session_text.c - see session_text.h. */
#include <string.h>

#include "session_text.h"

const char *session_value(const char *text, size_t bytes, const char *key, size_t *length)
{
	const char *line = text, *end = text + bytes, *stop;
	size_t n = strlen(key);

	for (; line < end; line = stop + 1) {
		stop = memchr(line, '\n', end - line);
		stop = stop ? stop : end;
		if ((size_t)(stop - line) > n && !memcmp(line, key, n) && line[n] == ' ') {
			*length = stop - line - n - 1;
			return line + n + 1;
		}
	}
	return NULL;
}
