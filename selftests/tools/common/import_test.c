// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The process in which traces of other tools are read has only the files that it needs, and ends
 * when the command is killed; what the command inherits does not matter.
 */
#include "harness.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "terminal/exit_status.h"
#include "tool.h"
#include "walk/import.h"

static int other, needed;

static bool is_null(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
}

static int get_needed(void)
{
	return needed;
}

static int look(const char *path, int from, bool strict, int to)
{
	struct stat st;
	FILE *f = import_file();

	if (fstat(from, &st) || fstat(to, &st) || fstat(STDERR_FILENO, &st) || fstat(needed, &st))
		return VERB_UNREADABLE;
	if (!f || fputc('x', f) == EOF || fflush(f))
		return VERB_UNWRITABLE;
	import_file_close(f);
	return fstat(other, &st) && is_null(STDOUT_FILENO) && is_null(STDIN_FILENO) ?
	       VERB_DONE : VERB_DEVIATES;
}

TEST(only_needed_files)
{
	static const struct import_reader reader = { .read = look, .link = get_needed };
	int from = open("/etc/passwd", O_RDONLY), to;

	other = open("/etc/passwd", O_RDONLY);
	needed = open("/etc/passwd", O_RDONLY);
	to = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	ASSERT_LE(0, to);
	EXPECT_EQ(VERB_DONE, import_run(&reader, "test", from, false, false, to));
	EXPECT_EQ(0, fcntl(other, F_GETFD));
}

static int wait_for_ever(const char *path, int from, bool strict, int to)
{
	char byte;

	return write(to, "x", 1) == 1 && read(from, &byte, 1) ? VERB_DONE : VERB_UNWRITABLE;
}

/* If the process lives on, the last read() does not return. */
TEST(ends_with_command)
{
	static const struct import_reader reader = { .read = wait_for_ever };
	int in[2], out[2];
	char byte;
	pid_t pid;

	ASSERT_EQ(0, pipe(in));
	ASSERT_EQ(0, pipe(out));
	pid = fork();
	if (!pid)
		_exit(import_run(&reader, "test", in[0], false, false, out[1]));
	close(out[1]);
	ASSERT_EQ(1, read(out[0], &byte, 1));
	kill(pid, SIGKILL);
	EXPECT_EQ(0, read(out[0], &byte, 1));
}

TEST(ignored_ends_of_children)
{
	static const char script[] =
		"trap '' CHLD; echo '  a-1 [000] d... 1.000000: sched_waking: comm=b pid=2 prio=120 target_cpu=0' |"
		" \"$1\" dump -";
	struct tool t;

	EXPECT_EQ(0, program_run(&t, "/bin/sh", ARGS("-c", script, "sh", tool_path())))
		TH_LOG("%s", t.err);
	tool_free(&t);
}
