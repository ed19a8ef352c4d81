// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The collector has the lowest nice value while it records, unless it was started with a higher one
 * than usual; COMMAND has the nice value with which the collector was started.
 */
#include <sys/resource.h>

#include "source_fixture.h"

#define CHOSEN	5

SOURCE_FIXTURE(priority);

/* Return: the nice value that COMMAND has noted, or INT32_MIN. */
static int noted(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), value = INT32_MIN;
	char text[16] = "";

	if (fd >= 0 && read(fd, text, sizeof(text) - 1) > 0)
		value = atoi(text);
	if (fd >= 0)
		close(fd);
	return value;
}

/* COMMAND notes its own nice value, and that of its parent, the collector. */
static void record_both(struct __test_metadata *_metadata, FIXTURE_DATA(priority) *self,
			int *command, int *collector)
{
	char script[2 * RECORD_PATH + 128], of_command[RECORD_PATH + 16], of_parent[RECORD_PATH + 16];
	const char * const args[] = { "-q", "-s", self->source, "--", "/bin/sh", "-c", script, NULL };

	snprintf(of_command, sizeof(of_command), "%s/command", self->dir);
	snprintf(of_parent, sizeof(of_parent), "%s/parent", self->dir);
	snprintf(script, sizeof(script),
		 "cut -d ' ' -f 19 /proc/self/stat >%s; cut -d ' ' -f 19 /proc/$PPID/stat >%s",
		 of_command, of_parent);
	ASSERT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	*command = noted(of_command);
	*collector = noted(of_parent);
}

SOURCE_TEST(priority, is_the_collector_s)
{
	int own = getpriority(PRIO_PROCESS, 0), command, collector;

	record_both(_metadata, self, &command, &collector);
	EXPECT_EQ(own, command);
	EXPECT_EQ(own > 0 ? own : -20, collector);
}

SOURCE_TEST(priority, is_as_the_user_chose)
{
	int command, collector;

	ASSERT_EQ(0, setpriority(PRIO_PROCESS, 0, CHOSEN));
	record_both(_metadata, self, &command, &collector);
	EXPECT_EQ(CHOSEN, command);
	EXPECT_EQ(CHOSEN, collector);
}
