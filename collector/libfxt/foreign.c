// SPDX-License-Identifier: GPL-2.0-or-later
/* foreign.c - see foreign.h. */
#include <stdbool.h>
#include <string.h>

#include "foreign.h"

/* A trace of Perfetto is a message of packets with their lengths, all in field 1. */
static bool is_perfetto(const unsigned char *s, size_t bytes)
{
	static const unsigned char packet = 1 << 3 | 2;
	size_t at = 1, length = 0;
	unsigned int shift;

	if (!bytes || *s != packet)
		return false;
	for (shift = 0; at < bytes && shift < 28; shift += 7) {
		length |= (size_t)(s[at] & 0x7f) << shift;
		if (!(s[at++] & 0x80))
			break;
	}
	if (!length || at + length > bytes)
		return false;
	return at + length == bytes || s[at + length] == packet;
}

static size_t skip_space(const unsigned char *s, size_t at, size_t bytes)
{
	while (at < bytes && s[at] && strchr(" \t\r\n", s[at]))
		at++;
	return at;
}

/*
 * An object, or an array whose first element is an object, an array or a string. Some writers put a
 * byte order mark before it, or a comma before the first element.
 */
static bool is_json(const unsigned char *s, size_t bytes)
{
	bool has_mark = bytes >= 3 && !memcmp(s, "\xef\xbb\xbf", 3);
	size_t at = skip_space(s, has_mark ? 3 : 0, bytes), next = skip_space(s, at + 1, bytes);

	if (next < bytes && s[at] == '[' && s[next] == ',')
		next = skip_space(s, next + 1, bytes);
	if (next >= bytes || !s[next])
		return false;
	return (s[at] == '{' && strchr("\"}", s[next])) ||
	       (s[at] == '[' && strchr("{[\"]", s[next]));
}

const char *fxt_foreign(const void *head, size_t bytes)
{
	static const struct {
		const char *magic;
		size_t length;
		const char *what;
	} known[] = {
		{ "PERFILE2", 8, "a perf.data file" },
		{ "2ELIFREP", 8, "a perf.data file" },
		{ "\x17\x08\x44tracing", 10, "a trace.dat file of trace-cmd" },
		{ "# tracer: ", 10, "the text of ftrace" },
		{ "SQLite format 3", 16, "an SQLite database" },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (bytes >= known[i].length && !memcmp(head, known[i].magic, known[i].length))
			return known[i].what;
	if (is_perfetto(head, bytes))
		return "a trace of Perfetto (protobuf)";
	return is_json(head, bytes) ? "JSON" : NULL;
}
