// SPDX-License-Identifier: GPL-2.0-or-later
/* child.c - see child.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "priority.h"

/* Why the child did not execute the command. */
struct failure {
	int err;		/* errno */
	bool is_privilege;	/* it could not drop root; else it could not be executed */
};

static enum exit_code exit_code_of(const struct failure *f)
{
	if (f->is_privilege)
		return EXIT_PERMISSION;
	return f->err == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/* Called in the child. */
static void report_failure(int failed, const struct failure *f)
{
	/* If nobody reads it, the exit status has the same information. */
	if (write(failed, f, sizeof(*f)) < 0)
		_exit(EXIT_FAILED);
	_exit(exit_code_of(f));
}

/* The command must not inherit ignored signals. */
static void restore_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
}

/* Called in the child: wait, then execute the command, or report why not. */
static void run_command(int go, int failed, char **command, const struct invoker *who)
{
	int err = privilege_become(who);
	char byte;

	priority_restore();
	if (err)
		report_failure(failed, &(struct failure){ -err, true });
	if (read(go, &byte, 1) != 1)
		_exit(EXIT_FAILED);
	restore_signals();
	execvp(command[0], command);
	report_failure(failed, &(struct failure){ errno, false });
}

int child_fork(struct child *c, char **command, const struct invoker *who,
	       struct error *e)
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
		/* If the child kept the pipe open, it would not notice its parent's death. */
		close(go[1]);
		run_command(go[0], failed[1], command, who);
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

static const char *remedy(const struct failure *f, const char *command)
{
	struct stat st;

	if (f->is_privilege)
		return "";
	if (f->err == ENOENT && !strchr(command, '/') && !access(command, F_OK))
		return "; it is a file here: -o records into a file, ./ runs a program of this folder";
	if (f->err == EACCES && strchr(command, '/') && !stat(command, &st) &&
	    S_ISREG(st.st_mode) && !(st.st_mode & 0111))
		return "; make it executable";
	return "";
}

int child_go(struct child *c, char **command, struct error *e)
{
	struct failure f = { 0 };
	ssize_t n;

	if (write(c->go, "", 1) != 1)
		f.err = EPIPE;
	close(c->go);
	/* The read ends when the exec closes the other side, or returns what failed. */
	do {
		n = read(c->failed, &f, sizeof(f));
	} while (n < 0 && errno == EINTR);
	close(c->failed);
	c->go = -1;
	c->failed = -1;
	if (!f.err)
		return 0;
	child_wait(c, 0);
	return fail(e, exit_code_of(&f), -f.err, "cannot run %s%s: %s%s", command[0],
		    f.is_privilege ? " as the user behind sudo" : "", strerror(f.err),
		    remedy(&f, command[0]));
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
