// SPDX-License-Identifier: GPL-2.0-or-later
/* program.c - becomes another program of the project. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "terminal/exit_status.h"
#include "terminal/message.h"
#include "program.h"

int program_become(const char *verb, const char *program, char **argv)
{
	char path[PATH_MAX + NAME_MAX];
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);

	while (n > 0 && path[n - 1] != '/')
		n--;
	argv[0] = path;
	fflush(stdout);
	errno = ENOENT;
	/* Without /proc, the folder is unknown, and that of the caller must not take its place. */
	snprintf(path + (n > 0 ? n : 0), NAME_MAX, "%s", program);
	if (n > 0)
		execv(path, argv);
	if (errno == ENOENT)
		execvp(program, argv);
	message("fxt: %s: cannot run %s: %s%s\n", verb, program, strerror(errno),
		errno == ENOENT ? "; install it in the folder of fxt, or in one of $PATH" : "");
	return VERB_UNREADABLE;
}
