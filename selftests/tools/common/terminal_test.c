// SPDX-License-Identifier: GPL-2.0-or-later
/* Pages, widths and progress follow the terminal; without one the output is plain. */
#include "harness.h"
#include "fxt/terminal/progress.h"
#include "generate.h"
#include "collector.h"
#include "sched_story.h"
#include "terminal.h"

FIXTURE(terminal)
{
	char dir[RECORD_PATH];
	char path[RECORD_PATH + 16];
	struct tool t;
};

FIXTURE_SETUP(terminal)
{
	struct story s = { 0 };
	int fd;

	self->t = (struct tool){ 0 };
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	snprintf(self->path, sizeof(self->path), "%s/x.fxt", self->dir);
	fd = open(self->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ASSERT_LE(0, fd);
	story_begin(&s);
	STORY(&s, "names@1; name 11 a-long-name-of-eleven-which-needs-room; name 12/11 twelve; "
		  "0@1000 0>11; 2000 wake 12 by 11; 3000 11>12; 5000 12>11 S; end 6000");
	ASSERT_EQ((ssize_t)built_bytes(&s.b), write(fd, s.b.words, built_bytes(&s.b)));
	close(fd);
}

FIXTURE_TEARDOWN(terminal)
{
	dir_remove(self->dir);
}

#define ON_TERMINAL(with, wide, ...)						\
	terminal_run(&self->t, &(struct terminal){					\
		.args = ARGS(__VA_ARGS__), .columns = wide, .settings = with })
#define WITH(...)	(ARGS(__VA_ARGS__))
#define SHOWS(text)	EXPECT_NE(NULL, strstr(self->t.out, text)) TH_LOG("%s", self->t.out)
#define SHOWS_NOT(text)	EXPECT_EQ(NULL, strstr(self->t.out, text)) TH_LOG("%s", self->t.out)

#define PAGER	"PAGER=sed 's/^/paged: /'"

TEST_F(terminal, pager)
{
	EXPECT_EQ(0, ON_TERMINAL(WITH(PAGER), 80, "report", "--tables", self->path));
	SHOWS("paged: 0.000 s on 1 CPU, 3 switches");
	/* Output into a pager still has the colours of the terminal. */
	SHOWS("paged: \033[1mThreads\033[0m\r\n");
	EXPECT_EQ(0, ON_TERMINAL(WITH(PAGER), 80, "dump", self->path));
	SHOWS("paged: 0 magic -");
	EXPECT_EQ(0, ON_TERMINAL(WITH(PAGER), 80, "report", "--no-pager", self->path));
	SHOWS_NOT("paged");
	EXPECT_EQ(0, ON_TERMINAL(WITH(PAGER), 80, "--no-pager", "dump", self->path));
	SHOWS_NOT("paged");
	EXPECT_EQ(0, ON_TERMINAL(WITH("PAGER="), 80, "report", "--tables", self->path));
	SHOWS("3 switches");
	EXPECT_EQ(0, ON_TERMINAL(WITH("PAGER=cat"), 80, "report", "--tables", self->path));
	SHOWS("3 switches");
	/* Errors appear in the pager's output, and the exit status is unchanged. */
	EXPECT_EQ(3, ON_TERMINAL(WITH(PAGER), 80, "report", "/does/not/exist"));
	SHOWS("No such file");
}

/* If a pager ends early, nothing else is lost but the text that it would have shown. */
TEST_F(terminal, pager_that_ends)
{
	int status = ON_TERMINAL(WITH("PAGER=head -n 1"), 80, "dump", self->path);

	EXPECT_TRUE(!status || status == 128 + SIGPIPE) TH_LOG("%d", status);
	SHOWS("0 magic -\r\n");
	SHOWS_NOT("cannot write");
	/* While the pager runs, it alone has the terminal. */
	EXPECT_EQ(128 + SIGINT,
		  terminal_run(&self->t, &(struct terminal){
			.args = WITH("report", self->path), .until = "begun", .signal = SIGINT,
			.settings = WITH("PAGER=echo begun; cat >/dev/null; sleep 1; "
					 "grep State: /proc/$PPID/status") }));
	SHOWS("State:\tS");
}

/* A user who may run fxt as root must not be able to run other programs as root. */
TEST_F(terminal, pager_under_sudo)
{
#define WHO	"PAGER=echo \"paged by $(id -u):$(id -g):$(id -G), secure $LESSSECURE.\"; cat"
	if (geteuid())
		SKIP(return, "not root");
	EXPECT_EQ(0, ON_TERMINAL(WITH(WHO, "SUDO_UID=54321", "SUDO_GID=54322", "LESSSECURE=0"), 80,
				 "report", self->path));
	SHOWS("paged by 54321:54322:54322, secure 1.");
	SHOWS("3 switches");
	EXPECT_EQ(0, ON_TERMINAL(WITH(WHO, "SUDO_UID"), 80, "report", "--tables", self->path));
	SHOWS("paged by 0:");
	SHOWS(", secure .");
#undef WHO
}

TEST_F(terminal, usual_pager)
{
	char path[RECORD_PATH + 16], where[RECORD_PATH + 64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/less", self->dir);
	f = fopen(path, "w");
	ASSERT_NE(NULL, f);
	fputs("#!/bin/sh\necho \"less $LESS\"\nexec cat\n", f);
	fclose(f);
	ASSERT_EQ(0, chmod(path, 0755));
	snprintf(where, sizeof(where), "PATH=%s:/usr/bin:/bin", self->dir);
	EXPECT_EQ(0, ON_TERMINAL(WITH(where), 80, "report", "--tables", self->path));
	SHOWS("less FRX\r\n");
	EXPECT_EQ(0, ON_TERMINAL(WITH(where, "LESS=-S"), 80, "report", "--tables", self->path));
	SHOWS("less -S\r\n");
	EXPECT_EQ(0, ON_TERMINAL(WITH("PATH=/nowhere"), 80, "report", "--tables", self->path));
	SHOWS("3 switches");
}

TEST_F(terminal, no_terminal)
{
	setenv("PAGER", "echo paged", 1);
	EXPECT_EQ(0, tool_run(&self->t, WITH("report", self->path)));
	SHOWS_NOT("paged");
	SHOWS("3 switches");
}

TEST_F(terminal, width)
{
	EXPECT_EQ(0, ON_TERMINAL(WITH("PAGER="), 80, "report", "--tables", self->path));
	SHOWS("  a-long-name-of~\r\n");
	EXPECT_EQ(0, ON_TERMINAL(WITH("PAGER="), 120, "report", "--tables", self->path));
	SHOWS("  a-long-name-of-eleven-which-needs-room\r\n");
	EXPECT_EQ(0, ON_TERMINAL(WITH("PAGER=cat -"), 120, "report", "--tables", self->path));
	SHOWS("  a-long-name-of-eleven-which-needs-room\r\n");
	EXPECT_EQ(0, ON_TERMINAL(WITH("PAGER="), 40, "report", "--tables", self->path));
	SHOWS("  a-long-name-of~\r\n");
	EXPECT_EQ(0, ON_TERMINAL(WITH("PAGER="), 0, "report", "--tables", self->path));
	SHOWS("  a-long-name-of~\r\n");
	EXPECT_EQ(0, ON_TERMINAL(WITH("PAGER=", "COLUMNS=100"), 80, "report", "--tables", self->path));
	SHOWS("  a-long-name-of-eleven-which-needs-~\r\n");
	EXPECT_EQ(0, ON_TERMINAL(WITH("PAGER=", "COLUMNS=x"), 120, "report", "--tables", self->path));
	SHOWS("  a-long-name-of-eleven-which-needs-room\r\n");
}

#define SECOND	1000000000ULL

TEST(progress_lines)
{
	char text[128];

	progress_line(text, sizeof(text), "x.fxt", 1200000000, 2700000000, 4 * SECOND);
	EXPECT_STREQ("fxt: x.fxt: 44%, 1.20 GB of 2.70 GB, 300 MB/s, 5 s left", text);
	progress_line(text, sizeof(text), "x.fxt", 1000, 1000000, SECOND);
	EXPECT_STREQ("fxt: x.fxt: 0%, 1.00 kB of 1.00 MB, 1.00 kB/s, 17 min left", text);
	/* The amount of data in a pipe is unknown. */
	progress_line(text, sizeof(text), "standard input", 999, 0, SECOND);
	EXPECT_STREQ("fxt: standard input: 999 B, 999 B/s", text);
	progress_line(text, sizeof(text), "x", 2, 1, 0);
	EXPECT_STREQ("fxt: x: 2 B, 0 B/s", text);
	progress_line(text, 20, "a-long-name", 1, 2, SECOND);
	EXPECT_STREQ("fxt: a-long-name: 5", text);
}

TEST(expected_sizes)
{
	EXPECT_EQ(0U, progress_expect(1000000, 1000000, 557000000));
	EXPECT_EQ(4700000000U, progress_expect(470000000, 55700000, 557000000));
	EXPECT_EQ(0U, progress_expect(470000000, 55700000, 0));
}

/* An archive that comes in two parts, more than a second apart. */
static pid_t begin_writer(const char *from, const char *to)
{
	pid_t pid = fork();

	if (!pid) {
		execl("/bin/sh", "sh", "-c", "exec >\"$1\"; head -c 64 \"$0\"; sleep 1.2; "
		      "tail -c +65 \"$0\"", from, to, (char *)NULL);
		_exit(99);
	}
	return pid;
}

#define SLOWLY(file, ...)								\
	({										\
		pid_t writer = begin_writer(self->path, fifo);				\
											\
		terminal_run(&self->t, &(struct terminal){				\
			.args = WITH(__VA_ARGS__, fifo), .columns = 80,			\
			.settings = WITH("PAGER="), .output = file });			\
		kill(writer, SIGKILL);							\
		waitpid(writer, NULL, 0);						\
		self->t.status;								\
	})

TEST_F(terminal, progress)
{
	char fifo[RECORD_PATH + 16], out[RECORD_PATH + 16];

	snprintf(fifo, sizeof(fifo), "%s/fifo", self->dir);
	snprintf(out, sizeof(out), "%s/out", self->dir);
	ASSERT_EQ(0, mkfifo(fifo, 0600));
	EXPECT_EQ(0, SLOWLY(NULL, "report"));
	SHOWS("\rfxt: ");
	SHOWS("/s\033[K");
	/* The line is cleared before other output. */
	SHOWS("\r\033[K\033[1m");
	EXPECT_EQ(0, SLOWLY(NULL, "info"));
	SHOWS("\rfxt: ");
	EXPECT_EQ(0, SLOWLY(NULL, "check"));
	SHOWS("\rfxt: ");
	EXPECT_EQ(0, SLOWLY(NULL, "convert", "--force", "--to", "json", "-o", out));
	SHOWS("\rfxt: ");
	EXPECT_EQ(0, SLOWLY(NULL, "dump", "--force", "-o", out));
	SHOWS("\rfxt: ");
	EXPECT_EQ(0, SLOWLY(NULL, "report", "--quiet"));
	SHOWS_NOT("/s\033[K");
	SHOWS("3 switches");
	/* Only standard error has to be a terminal for the progress line. */
	EXPECT_EQ(0, SLOWLY(out, "report"));
	SHOWS("\rfxt: ");
	EXPECT_EQ(0, tool_run(&self->t, WITH("report", self->path)));
	EXPECT_STREQ("", self->t.err);
}

/* This also works without a terminal; the rest of the conversion does not matter. */
TEST_F(terminal, large_results)
{
	char path[RECORD_PATH + 16];
	int fd;

	snprintf(path, sizeof(path), "%s/large.fxt", self->dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, generate_sched(fd, 4500000, 4));
	close(fd);
	terminal_run(&self->t, &(struct terminal){
		.args = WITH("convert", "--to", "json", "-o", "/dev/null", path),
		.until = " GB\r\n", .signal = SIGKILL });
	SHOWS("fxt: /dev/null will take about ");
	SHOWS(" GB\r\n");
	EXPECT_EQ(0, tool_run(&self->t, WITH("convert", "--to", "ftrace", "-o", "/dev/null",
					     self->path)));
	EXPECT_STREQ("", self->t.err);
}
