// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol_lines.h"

#define LINE_ROOM	512
#define ANY_PROCESS	UINT64_MAX	/* of the kernel's functions */

/* "k START END NAME", "u PROCESS START END NAME" */
static bool parse(struct symbol_line *s, const char *line)
{
	unsigned long long process = ANY_PROCESS, start, end;

	if (sscanf(line, "k %llx %llx %127[^\n]", &start, &end, s->name) != 3 &&
	    sscanf(line, "u %llu %llx %llx %127[^\n]", &process, &start, &end, s->name) != 4)
		return false;
	s->process = process;
	s->start = start;
	s->end = end;
	return true;
}

int symbol_lines_add(struct symbol_lines *lines, const char *text, size_t bytes)
{
	const char *at, *end;
	char line[LINE_ROOM];

	/* sscanf() reads to the end of a text, so each line is copied. */
	for (at = text; (end = memchr(at, '\n', bytes - (at - text))); at = end + 1) {
		struct symbol_line *more = reallocarray(lines->all, lines->count + 1, sizeof(*more));

		if (!more)
			return -1;
		lines->all = more;
		snprintf(line, sizeof(line), "%.*s", (int)(end - at), at);
		lines->count += parse(&more[lines->count], line);
	}
	return 0;
}

bool symbol_lines_have(const struct symbol_lines *lines, uint64_t process, uint64_t frame,
		       const char *part)
{
	for (const struct symbol_line *s = lines->all; s < lines->all + lines->count; s++)
		if (frame > s->start && frame <= s->end &&
		    (s->process == ANY_PROCESS || s->process == process) && strstr(s->name, part))
			return true;
	return false;
}

void symbol_lines_free(struct symbol_lines *lines)
{
	free(lines->all);
	*lines = (struct symbol_lines){ 0 };
}
