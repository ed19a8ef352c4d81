// SPDX-License-Identifier: GPL-2.0-or-later
/* In the file, an empty line and "== NAME" are above each section. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

#define MOST_BYTES	(4 << 20)	/* of a file */
#define NO_PART		"(no such part)\n"

char *golden_part(const char *output, const char *title)
{
	size_t bytes = strlen(title);
	const char *end;

	while (strncmp(output, title, bytes) || output[bytes] != '\n') {
		output = strstr(output, "\n\n");
		if (!output)
			return strdup(NO_PART);
		output += 2;
	}
	end = strstr(output, "\n\n");
	return strndup(output, end ? (size_t)(end + 1 - output) : strlen(output));
}

static char *read_text(const char *path)
{
	char *text = calloc(1, MOST_BYTES);
	FILE *f = fopen(path, "r");

	if (f && fread(text, 1, MOST_BYTES, f) == MOST_BYTES)
		abort();
	return text;
}

/* Return: the place of the section's head in the text, or where a new section goes: at the end */
static char *find_head(char *text, const char *head)
{
	char *at = strstr(text, head);

	return at ? at : text + strlen(text);
}

/* Return: the place behind a section */
static char *find_end(char *at)
{
	char *end = *at ? strstr(at + 1, "\n== ") : NULL;

	return end ? end : at + strlen(at);
}

bool golden_is_written(void)
{
	const char *wish = getenv("FXT_GOLDEN");

	return wish && !strcmp(wish, "write");
}

char *golden_section(const char *verb, const char *test, const char *title, const char *part)
{
	static unsigned int number;
	char path[64], head[256], *text, *at, *end;
	FILE *f;

	snprintf(path, sizeof(path), "golden/%s.txt", verb);
	snprintf(head, sizeof(head), "\n== %s %s %u: %s\n", program_invocation_short_name, test,
		 ++number, title);
	text = read_text(path);
	at = find_head(text, head);
	end = find_end(at);
	if (golden_is_written()) {
		if (!strcmp(part, NO_PART)) {
			fprintf(stderr, "%s: the output has no part \"%s\" to write to %s\n",
				test, title, path);
			abort();
		}
		f = fopen(path, "w");
		if (!f)
			abort();
		fprintf(f, "%.*s%s%s%s", (int)(at - text), text, head, part, end);
		if (fclose(f))
			abort();
		return strdup(part);
	}
	return *at ? strndup(at + strlen(head), end - at - strlen(head)) : strdup("(no section)");
}
