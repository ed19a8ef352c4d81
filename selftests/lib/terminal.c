// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "terminal.h"

#define ROOM		(4U << 20)	/* bytes; the rest is read and dropped */
#define MAX_ARGS	32

static void set(const char *setting)
{
	const char *value = strchr(setting, '=');
	char key[64];

	if (!value) {
		unsetenv(setting);
		return;
	}
	key[0] = '\0';
	strncat(key, setting, value - setting);
	setenv(key, value + 1, 1);
}

static void become(const struct terminal *how)
{
	static const char * const usual[] = {
		"TERM=xterm", "NO_COLOR", "COLUMNS", "PAGER", "LESS", NULL
	};
	const char *program = how->program ? how->program : tool_path();
	const char *argv[MAX_ARGS + 2] = { strrchr(program, '/') + 1 };
	const char * const *s;
	int i, fd;

	for (i = 0; how->args[i] && i < MAX_ARGS; i++)
		argv[1 + i] = how->args[i];
	for (s = usual; *s; s++)
		set(*s);
	for (s = how->settings; s && *s; s++)
		set(*s);
	if (how->output) {
		fd = open(how->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
			_exit(99);
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execv(program, (char **)argv);
	_exit(99);
}

/* Read until no process has the terminal open any more. */
static void read_terminal(struct tool *t, int fd, const struct terminal *how, pid_t pid)
{
	bool is_sent = !how->until;
	char rest[4096];
	ssize_t n;

	while ((n = read(fd, rest, sizeof(rest))) > 0 || (n < 0 && errno == EINTR)) {
		if (n < 0 || t->out_bytes + n >= ROOM)
			continue;
		memcpy(t->out + t->out_bytes, rest, n);
		t->out_bytes += n;
		t->out[t->out_bytes] = '\0';
		if (!is_sent && strstr(t->out, how->until)) {
			kill(pid, how->signal);
			is_sent = true;
		}
	}
}

int terminal_run(struct tool *t, const struct terminal *how)
{
	struct winsize size = { .ws_row = 24, .ws_col = how->columns };
	int fd, status;
	pid_t pid;

	*t = (struct tool){ .status = -1, .out = malloc(ROOM) };
	if (!t->out)
		return -1;
	t->out[0] = '\0';
	pid = forkpty(&fd, NULL, NULL, &size);
	if (!pid)
		become(how);
	if (pid < 0)
		return -1;
	read_terminal(t, fd, how, pid);
	close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	t->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return t->status;
}
