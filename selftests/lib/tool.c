// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "tool.h"

#define PATH_BYTES	512
#define MAX_ARGS	32

const char *built_path(char *path, size_t room, const char *name)
{
	ssize_t n = readlink("/proc/self/exe", path, room - 1);

	if (n < 0)
		return name;
	path[n] = '\0';
	n = strrchr(path, '/') - path;
	/* The programs are beside the tests if the tests are installed; their data always is. */
	snprintf(path + n, room - n, "/%s", name);
	if (access(path, F_OK))
		snprintf(path + n, room - n, "/../collector/%s/%s", name, name);
	return path;
}

const char *tool_path(void)
{
	static char path[PATH_BYTES];
	const char *told = getenv("FXT_TOOL");

	return told ? told : built_path(path, sizeof(path), "fxt");
}

static char *read_all(int fd, size_t *bytes)
{
	struct stat st;
	char *text;

	if (fstat(fd, &st))
		abort();
	text = malloc(st.st_size + 1);
	if (!text || pread(fd, text, st.st_size, 0) != st.st_size)
		abort();
	text[st.st_size] = '\0';
	*bytes = st.st_size;
	return text;
}

static void become(const char *program, const char * const *args, int in, int out, int err)
{
	const char *argv[MAX_ARGS + 2] = { strrchr(program, '/') + 1 };

	for (int i = 0; args[i] && i < MAX_ARGS; i++)
		argv[1 + i] = args[i];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if ((in >= 0 && dup2(in, STDIN_FILENO) < 0) || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(err, STDERR_FILENO) < 0)
		_exit(99);
	execv(program, (char **)argv);
	_exit(99);
}

/* Append JSON that a command has printed to a file of its name, for tools/common/schema.sh. */
static void keep_json(const struct tool *t, const char *const *args)
{
	const char *folder = getenv("FXT_KEEP_JSON");
	char path[PATH_BYTES];
	int i, fd;

	for (i = 0; folder && args[i] && strcmp(args[i], "--json"); i++)
		;
	if (!folder || !args[i])
		return;
	snprintf(path, sizeof(path), "%s/%s", folder, args[0]);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, t->out, t->out_bytes) != (ssize_t)t->out_bytes || close(fd))
		abort();
}

static int run(struct tool *t, const char *program, const char * const *args, int input)
{
	int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
	struct rusage used = { 0 };
	int status = 0;
	pid_t pid;

	*t = (struct tool){ .status = -1 };
	pid = out < 0 || err < 0 ? -1 : fork();
	if (!pid)
		become(program, args, input, out, err);
	if (pid > 0) {
		while (wait4(pid, &status, 0, &used) < 0 && errno == EINTR)
			;
		t->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		t->peak_kib = used.ru_maxrss;
		t->out = read_all(out, &t->out_bytes);
		t->err = read_all(err, &t->err_bytes);
		keep_json(t, args);
	}
	close(out);
	close(err);
	return t->status;
}

int tool_run_from(struct tool *t, const char * const *args, int input)
{
	return run(t, tool_path(), args, input);
}

int tool_run(struct tool *t, const char * const *args)
{
	return run(t, tool_path(), args, -1);
}

int program_run(struct tool *t, const char *program, const char * const *args)
{
	return run(t, program, args, -1);
}

void save_file(const char *path, const void *data, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes || close(fd))
		abort();
}

unsigned int times_in_text(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

void tool_free(struct tool *t)
{
	free(t->out);
	free(t->err);
	*t = (struct tool){ .status = -1 };
}
