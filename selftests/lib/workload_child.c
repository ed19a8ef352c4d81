// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test program itself as a child with another name. 'c' on standard input is answered on
 * standard output by a struct counts; the end of the input, or any other byte, ends the child.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

/* Runs before main(), which belongs to the harness. */
static void __attribute__((constructor)) act_as_child(void)
{
	struct counts counts;
	char byte;

	if (strncmp(program_invocation_short_name, CHILD_PREFIX, strlen(CHILD_PREFIX)))
		return;
	while (read(STDIN_FILENO, &byte, 1) == 1 && byte == 'c') {
		if (counts_read(&counts) ||
		    write(STDOUT_FILENO, &counts, sizeof(counts)) != sizeof(counts))
			_exit(1);
	}
	_exit(0);
}

static void become_child(const char *path, int in, int out)
{
	int i = fcntl(in, F_DUPFD, 3), o = fcntl(out, F_DUPFD, 3);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(i, STDIN_FILENO) == STDIN_FILENO && dup2(o, STDOUT_FILENO) == STDOUT_FILENO)
		execl(path, path, (char *)NULL);
	_exit(99);
}

int child_start(struct child *c, const char *dir, const char *name)
{
	char self[512], path[640];
	int in[2], out[2];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0)
		return -1;
	self[n] = '\0';
	snprintf(c->name, sizeof(c->name), "%s", name);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	unlink(path);
	if (symlink(self, path) || pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return -1;
	c->pid = fork();
	if (!c->pid)
		become_child(path, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	c->in = in[1];
	c->out = out[0];
	return c->pid < 0 ? -1 : 0;
}

int child_counts(struct child *c)
{
	if (write(c->in, "c", 1) != 1 ||
	    read(c->out, &c->counts, sizeof(c->counts)) != sizeof(c->counts))
		return -1;
	return 0;
}

int child_end(struct child *c)
{
	int status;

	close(c->in);
	close(c->out);
	if (waitpid(c->pid, &status, 0) != c->pid)
		return -1;
	return status ? -1 : 0;
}
