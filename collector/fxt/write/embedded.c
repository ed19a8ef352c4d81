// SPDX-License-Identifier: GPL-2.0-or-later
/* embedded.c - see embedded.h. */
#include <string.h>

#include "embedded.h"

static bool begins_with(const char *at, const char *end, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(end - at) >= length && !memcmp(at, text, length);
}

/* The end of a line's code, before a comment that ends the line. */
static const char *code_end(const char *at, const char *end)
{
	const char *c;

	if (end - at < 2 || memcmp(end - 2, "*/", 2))
		return end;
	for (c = end - 2; c > at && !begins_with(c, end, "/*"); c--)
		;
	while (c > at && (c[-1] == ' ' || c[-1] == '\t'))
		c--;
	return c;
}

/* Return: the line after a comment that begins a line, or @at if there is none. */
static const char *after_comment(const char *at, const char *end)
{
	const char *last = begins_with(at, end, "/*") ? memmem(at, end - at, "*/", 2) :
			   begins_with(at, end, "//") ? at : NULL;
	const char *line = last ? memchr(last, '\n', end - last) : NULL;

	return !last ? at : line ? line + 1 : end;
}

void out_code(struct out *o, const struct embedded_file *file)
{
	const char *at = file->begin, *line, *end;

	while (at < file->end) {
		while (at < file->end && (*at == ' ' || *at == '\t' || *at == '\n'))
			at++;
		line = after_comment(at, file->end);
		if (line == at && at < file->end) {
			end = memchr(at, '\n', file->end - at);
			end = end ? end : file->end;
			line = code_end(at, end);
			out_bytes(o, at, line - at);
			out_str(o, "\n");
			line = end;
		}
		at = line;
	}
}
