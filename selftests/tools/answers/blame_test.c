// SPDX-License-Identifier: GPL-2.0-or-later
/* Each nanosecond of a wait has one culprit; --by selects what the parties are. */
#include "harness.h"
#include "cases.h"

/* A time of 2^64 - 1 is not one that is still to come. */
TEST(latest_time)
{
	static const char *const commands[][3] = {
		{ "blame", "--by", "thread" }, { "why", "--worst", "9" }, { "why", "--program", "*" },
		{ "why", "--thread", "12" },
	};
	char path[4096];
	struct tool t;

	built_path(path, sizeof(path), "vectors/latest_time.fxt");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		EXPECT_GT(3, tool_run(&t, ARGS(commands[i][0], commands[i][1], commands[i][2],
					       path))) TH_LOG("%s: %s", commands[i][0], t.err);
	}
}

CASES("blame", NULL)
