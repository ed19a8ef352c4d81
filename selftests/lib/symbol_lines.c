// SPDX-License-Identifier: GPL-2.0-or-later
/* symbol_lines.c - see symbol_lines.h. */
#include <stdio.h>
#include <string.h>

#include "symbol_lines.h"

/* "k START END NAME", "u PROCESS START END NAME" */
static bool is_line(const char *line, uint64_t process, uint64_t frame, const char *part)
{
	unsigned long long owner = process, start, end;
	char name[128];

	return (sscanf(line, "k %llx %llx %127[^\n]", &start, &end, name) == 3 ||
		sscanf(line, "u %llu %llx %llx %127[^\n]", &owner, &start, &end, name) == 4) &&
	       owner == process && frame > start && frame <= end && strstr(name, part);
}

bool symbol_lines_have(const char *lines, uint64_t process, uint64_t frame, const char *part)
{
	const char *line = lines;

	for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (is_line(line, process, frame, part))
			return true;
	return false;
}
