// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt open: show an archive in Perfetto.
 *
 * In: a command line.
 * Out: the file and the options to fxt-open, which serves the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "terminal/message.h"
#include "walk/archive.h"
#include "command/command_line.h"
#include "command/program.h"
#include "open_program.h"

/* The only port that Perfetto's page may connect to. */
#define PORT		9001

struct open_options {
	struct archive a;
	const char *path;
	uint64_t port;
	bool no_browser;
	bool any_user;
};

/* Returns only if the program cannot be run. */
static int serve(const struct open_options *o, int fd)
{
	char port[24], flags[3] = "", *end = flags;
	char *argv[] = { NULL, [1 + OPEN_PATH] = (char *)o->path, [1 + OPEN_PORT] = port,
			 [1 + OPEN_FLAGS] = flags, [1 + OPEN_ARGUMENTS] = NULL };

	snprintf(port, sizeof(port), "%" PRIu64, o->port);
	if (o->no_browser)
		*end++ = OPEN_NO_BROWSER;
	if (o->any_user)
		*end++ = OPEN_ANY_USER;
	/* If standard input was closed, it may be @fd itself, which would be closed. */
	if (dup2(fd, STDIN_FILENO) < 0 || fcntl(STDIN_FILENO, F_SETFD, 0))
		return archive_unreadable(o->path, -errno);
	program_become("open", "fxt-open", argv);
	return VERB_UNWRITABLE;
}

/* Check first that it is an archive; Perfetto's own messages would be unclear. */
static int open_file(struct open_options *o)
{
	int fd = open(o->path, O_RDONLY | O_CLOEXEC), status;
	struct stat st;
	int made;

	if (fd < 0 || fstat(fd, &st)) {
		status = archive_unreadable(o->path, -errno);
	} else if (!S_ISREG(st.st_mode)) {
		message("fxt: cannot serve %s: it is not a regular file\n", o->path);
		status = VERB_UNREADABLE;
	} else {
		status = archive_open(&o->a, o->path);
		archive_drop(&o->a);
		/* A trace of another format was converted to an archive. */
		made = status == VERB_DONE ? open(o->a.file, O_RDONLY | O_CLOEXEC) : -1;
		if (made >= 0) {
			close(fd);
			fd = made;
		}
	}
	if (status == VERB_DONE)
		status = serve(o, fd);
	if (fd >= 0)
		close(fd);
	return status;
}

static const struct option_row rows[] = {
	OPTION_TITLE("Options"),
	OPTION(0, "port", "N", "listen on port N; 0: any free port (default: 9001, the only "
	       "port that Perfetto's page may connect to)",
	       OPTION_SETS_NUMBER(struct open_options, port, 0, UINT16_MAX,
				  "invalid port; use 0 to 65535")),
	OPTION(0, "no-browser", NULL, "print the link, do not start a browser",
	       OPTION_SETS_BOOL(struct open_options, no_browser)),
	OPTION(0, "any-user", NULL, "serve other users of this machine, too, if they know the link",
	       OPTION_SETS_BOOL(struct open_options, any_user)),
	OPTION_HELP,
	{ 0 },
};

static void set_defaults(void *options)
{
	((struct open_options *)options)->port = PORT;
}

static int run_open(void *options, const struct operands *operands)
{
	struct open_options *o = options;

	o->path = operands->paths[0];
	return open_file(o);
}

const struct verb verb_open = {
	.name = "open",
	.what = "show an archive in Perfetto, in a browser",
	.about =
		"Shows an archive at https://ui.perfetto.dev. Serves FILE unchanged, and nothing else, at\n"
		"127.0.0.1 until that page has fetched it, or until Ctrl-C. Prints the link by which the\n"
		"page fetches it, and opens that link in a browser if there is a display. FILE stays on\n"
		"this machine; only this user can fetch it, and only with the link.\n",
	.more =
		"FILE is " FXT_SCHED_ARCHIVE " by default. The browser is $BROWSER, else what xdg-open starts (not\n"
		"for root).\n"
		"exit status: 0 done; 2 wrong usage; 3 the archive cannot be read; 4 it cannot be\n"
		"served.\n",
	.rows = rows,
	.bytes = sizeof(struct open_options),
	.begin = set_defaults,
	.run = run_open,
	.has_default_archive = true,
};
