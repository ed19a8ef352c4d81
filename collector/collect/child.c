// SPDX-License-Identifier: GPL-2.0-or-later
/* child.c - see child.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

/* In the child: wait, become the command, or say why not. */
static void run(int go, int failed, char **command)
{
	sigset_t none;
	char byte;
	int err;

	if (read(go, &byte, 1) != 1)
		_exit(EXIT_FAILED);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	execvp(command[0], command);
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		err = ENOEXEC;
	_exit(err == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

int child_fork(struct child *c, char **command, struct error *e)
{
	int go[2], failed[2], err;

	*c = (struct child){ .go = -1, .failed = -1 };
	if (pipe2(go, O_CLOEXEC))
		goto failed;
	if (pipe2(failed, O_CLOEXEC)) {
		err = errno;
		close(go[0]);
		close(go[1]);
		errno = err;
		goto failed;
	}
	c->pid = fork();
	if (!c->pid) {
		/* Or it would keep waiting for itself if its parent died. */
		close(go[1]);
		run(go[0], failed[1], command);
	}
	err = errno;
	close(go[0]);
	close(failed[1]);
	c->go = go[1];
	c->failed = failed[0];
	if (c->pid > 0)
		return 0;
	c->pid = 0;
	close(c->go);
	close(c->failed);
	errno = err;
failed:
	return fail(e, EXIT_FAILED, -errno, "cannot start a process for %s: %s",
		    command[0], strerror(errno));
}

int child_go(struct child *c, char **command, struct error *e)
{
	int err = 0;
	ssize_t n;

	if (write(c->go, "", 1) != 1)
		err = EPIPE;
	close(c->go);
	/* Ends with the exec, which closes the other side, or with its errno. */
	do {
		n = read(c->failed, &err, sizeof(err));
	} while (n < 0 && errno == EINTR);
	close(c->failed);
	c->go = -1;
	c->failed = -1;
	if (!err)
		return 0;
	child_wait(c, 0);
	return fail(e, err == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE, -err,
		    "cannot run %s: %s", command[0], strerror(err));
}

bool child_ended(struct child *c)
{
	if (c->pid && waitpid(c->pid, &c->status, WNOHANG) == c->pid) {
		c->pid = 0;
		return true;
	}
	return false;
}

void child_wait(struct child *c, int sig)
{
	if (c->go >= 0)
		close(c->go);
	if (c->failed >= 0)
		close(c->failed);
	c->go = -1;
	c->failed = -1;
	if (!c->pid)
		return;
	if (sig)
		kill(c->pid, sig);
	while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
}

int child_exit_code(const struct child *c)
{
	return WIFEXITED(c->status) ? WEXITSTATUS(c->status) :
				      128 + WTERMSIG(c->status);
}
