/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that an archive names (fxt_sched_stack.h). */
#ifndef SELFTESTS_SYMBOL_LINES_H
#define SELFTESTS_SYMBOL_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_line {
	uint64_t process;
	uint64_t start;
	uint64_t end;
	char name[128];
};

struct symbol_lines {
	struct symbol_line *all;
	size_t count;
};

/* Parse a blob's lines. Return: 0, or -1 without memory. */
int symbol_lines_add(struct symbol_lines *lines, const char *text, size_t bytes);

/* Is a frame in a function whose name and file have @part, for example "main [program"? */
bool symbol_lines_have(const struct symbol_lines *lines, uint64_t process, uint64_t frame,
		       const char *part);

void symbol_lines_free(struct symbol_lines *lines);

#endif /* SELFTESTS_SYMBOL_LINES_H */
