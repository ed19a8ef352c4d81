/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What fxt prints, compared with golden/VERB.txt. A section is named after the program, its test,
 * the position of the comparison in the test, and the part of the output. "FXT_GOLDEN=write
 * selftests/run.sh report_print_test" writes it anew.
 */
#ifndef SELFTESTS_GOLDEN_H
#define SELFTESTS_GOLDEN_H

#include <stdbool.h>

/* Does the environment ask for that? */
bool golden_is_written(void);

/*
 * @title: a whole line, such as "Names: the first 1 of 2". Return: that line, and those under it up
 * to an empty line.
 */
char *golden_part(const char *output, const char *title);

/* The text of that section of golden/VERB.txt, which may be rewritten first. */
char *golden_section(const char *verb, const char *test, const char *title, const char *part);

#define EXPECT_GOLDEN(verb, output, title) do {						\
	const char *part_ = golden_part(output, title);					\
											\
	EXPECT_STREQ(golden_section(verb, _metadata->name, title, part_), part_);	\
} while (0)

#endif /* SELFTESTS_GOLDEN_H */
