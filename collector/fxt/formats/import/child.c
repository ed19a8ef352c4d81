// SPDX-License-Identifier: GPL-2.0-or-later
/* child.c - see child.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libfxt/stream.h"
#include "libsym/confine.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "child.h"

#define COPY_BYTES	(64U << 10)

static int cannot_read(const char *path, const char *why)
{
	message("fxt: cannot read %s: %s\n", path, why);
	return VERB_UNREADABLE;
}

/* The library reads only files that are not compressed. */
static int cannot_copy(const char *path, int err)
{
	message("fxt: cannot copy %s to a temporary file: %s; check the free space in "
		P_tmpdir "\n", path, strerror(err));
	return VERB_UNREADABLE;
}

static bool is_plain(int fd)
{
	unsigned char head[FXT_COMPRESSION_HEAD];

	return lseek(fd, 0, SEEK_CUR) == 0 && pread(fd, head, sizeof(head), 0) == sizeof(head) &&
	       fxt_compression_of(head, sizeof(head)) == FXT_PLAIN;
}

static int copy(const char *path, int from, FILE *to)
{
	struct fxt_stream *s;
	char *buffer = malloc(COPY_BYTES);
	int ret = buffer ? fxt_stream_open(&s, from, NULL, 0) : -ENOMEM;
	ssize_t n = 0;

	if (ret) {
		free(buffer);
		return cannot_read(path, strerror(-ret));
	}
	do {
		n = fxt_stream_read(s, buffer, COPY_BYTES);
	} while (n > 0 && fwrite(buffer, 1, n, to) == (size_t)n);
	if (n < 0)
		ret = cannot_read(path, n == -EBADMSG ? fxt_stream_error(s) : strerror(-n));
	else if (n > 0 || fflush(to))
		ret = cannot_copy(path, errno);
	fxt_stream_close(s);
	free(buffer);
	return ret;
}

static int wait_for(pid_t pid, const char *path)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return cannot_read(path, strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) <= VERB_UNWRITABLE)
		return WEXITSTATUS(status);
	return cannot_read(path, "the process that reads it has crashed; the file may be damaged");
}

static int run_import(child_import import, const char *path, int from, bool strict, int fd)
{
	pid_t pid;
	int ret;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return cannot_read(path, strerror(errno));
	if (pid)
		return wait_for(pid, path);
	memory_is_of_child();
	ret = confine_converter();
	ret = ret ? cannot_read(path, strerror(-ret)) : import(path, from, strict, fd);
	fflush(stderr);
	_exit(ret);
}

int child_run(child_import import, const char *path, int from, bool strict, int fd)
{
	FILE *plain = NULL;
	int ret;

	if (is_plain(from))
		return run_import(import, path, from, strict, fd);
	plain = tmpfile();
	if (!plain)
		return cannot_copy(path, errno);
	ret = copy(path, from, plain);
	if (!ret)
		ret = lseek(fileno(plain), 0, SEEK_SET) ? cannot_read(path, strerror(errno)) :
		      run_import(import, path, fileno(plain), strict, fd);
	fclose(plain);
	return ret;
}
