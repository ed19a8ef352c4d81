/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of ftrace in memory, read by a command of fxt. */
#ifndef SELFTESTS_FTRACE_TEXT_H
#define SELFTESTS_FTRACE_TEXT_H

#include <string.h>
#include <unistd.h>

#include "convert_run.h"

static inline int run_on(struct tool *t, const char *verb, const char *option, const char *text)
{
	const char * const without[] = { verb, "-", NULL };
	struct memory m;

	if (hold(&m, text) || lseek(m.fd, 0, SEEK_SET) < 0)
		return -1;
	return tool_run_from(t, option ? ARGS(verb, option, "-") : without, m.fd);
}

#define EXPECT_DUMP(text, ...) do {					\
	static const char * const expected[] = { __VA_ARGS__, NULL };	\
	struct tool dump;						\
	EXPECT_EQ(0, run_on(&dump, "dump", "--strict", text)) TH_LOG("%s", dump.err); \
	EXPECT_STREQ("", missing(&dump, expected)) TH_LOG("%s", dump.out + 1900); \
} while (0)

#define HEADER "# tracer: nop\n#\n# entries-in-buffer/entries-written: 2/2   #P:2\n"

#endif /* SELFTESTS_FTRACE_TEXT_H */
