// SPDX-License-Identifier: GPL-2.0-or-later
/* session_text.c - see session_text.h. */
#include <string.h>

#include "session_text.h"

bool session_next(const char **at, const char *end, struct session_line *l)
{
	const char *stop, *blank;

	if (*at >= end)
		return false;
	stop = memchr(*at, '\n', end - *at);
	stop = stop ? stop : end;
	blank = memchr(*at, ' ', stop - *at);
	*l = (struct session_line){
		.key = *at, .key_length = (blank ? blank : stop) - *at, .bytes = stop - *at,
	};
	if (blank) {
		l->value = blank + 1;
		l->length = stop - l->value;
	}
	*at = stop + 1;
	return true;
}

bool session_has_key(const struct session_line *l, const char *key)
{
	return strlen(key) == l->key_length && !memcmp(key, l->key, l->key_length);
}

const char *session_value(const char *text, size_t bytes, const char *key, size_t *length)
{
	const char *end = text + bytes;
	size_t n = strlen(key);
	struct session_line l;

	while (session_next(&text, end, &l)) {
		/* Keys of merged archives contain blanks. */
		if (l.bytes > n && !memcmp(l.key, key, n) && l.key[n] == ' ') {
			*length = l.bytes - n - 1;
			return l.key + n + 1;
		}
	}
	return NULL;
}
