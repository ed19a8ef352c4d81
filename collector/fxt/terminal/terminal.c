// SPDX-License-Identifier: GPL-2.0-or-later
/* terminal.c - see terminal.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libfxt/invoker.h"
#include "liboutput/out.h"
#include "terminal.h"

#define MOST_COLUMNS	1000	/* wider values are mistakes */

static bool no_pager;
static pid_t pager;

unsigned int terminal_columns(void)
{
	const char *told = getenv("COLUMNS");
	struct winsize size = { 0 };
	long columns = told ? strtol(told, NULL, 10) : 0;

	if (columns <= 0 && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		columns = size.ws_col;
	return columns > TERMINAL_COLUMNS && columns <= MOST_COLUMNS ? columns :
								       TERMINAL_COLUMNS;
}

bool terminal_has_colours(void)
{
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) && terminal && strcmp(terminal, "dumb");
}

void terminal_no_pager(void)
{
	no_pager = true;
}

static bool is_there(const char *program)
{
	const char *at = getenv("PATH");
	char path[4096];
	size_t length;

	for (; at; at = at[length] ? at + length + 1 : NULL) {
		length = strcspn(at, ":");
		snprintf(path, sizeof(path), "%.*s/%s", (int)length, at, program);
		if (length && !access(path, X_OK))
			return true;
	}
	return false;
}

static const char *find_pager(void)
{
	const char *told = getenv("PAGER");

	if (!told)
		return is_there("less") ? "less" : NULL;
	return *told && strcmp(told, "cat") ? told : NULL;
}

/* The pager ends when it has read everything and the user leaves it. */
static void wait_for_pager(void)
{
	if (!pager)
		return;
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
}

static void flush_and_wait(void)
{
	fflush(stdout);
	wait_for_pager();
}

/* The pager owns the terminal while it shows the output. */
static void wait_and_end(int signal_number)
{
	wait_for_pager();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/*
 * A pager can start programs and write files for the user at the terminal. If that is not this
 * process's user, run the pager as that user, with these features of less(1) disabled.
 */
static int drop_privileges(void)
{
	struct invoker who;

	invoker_find(&who);
	if (!who.known)
		return 0;
	setenv("LESSSECURE", "1", 1);
	return invoker_become(&who);
}

static void become_pager(const char *command, const int *ends)
{
	setenv("LESS", "FRX", 0);
	if (drop_privileges())
		_exit(127);
	if (dup2(ends[0], STDIN_FILENO) < 0)
		_exit(127);
	close(ends[0]);
	close(ends[1]);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

void terminal_page(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	const char *command = find_pager();
	sigset_t wanted, before;
	size_t i;
	int ends[2];

	if (no_pager || !command || pager || !isatty(STDOUT_FILENO) || pipe(ends))
		return;
	fflush(stdout);
	/*
	 * Block signals until the handlers are set and the spare ends of the pipe are closed: an
	 * earlier handler would wait for a pager that never sees the end of its input.
	 */
	sigemptyset(&wanted);
	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		sigaddset(&wanted, ending[i]);
	sigprocmask(SIG_BLOCK, &wanted, &before);
	pager = fork();
	if (!pager) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		become_pager(command, ends);
	}
	if (pager > 0) {
		dup2(ends[1], STDOUT_FILENO);
		out_pages();
		if (isatty(STDERR_FILENO))
			dup2(ends[1], STDERR_FILENO);
		atexit(flush_and_wait);
		for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
			signal(ending[i], wait_and_end);
	} else {
		pager = 0;
	}
	close(ends[0]);
	close(ends[1]);
	sigprocmask(SIG_SETMASK, &before, NULL);
}
