// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt open: show an archive in Perfetto.
 *
 * In: a command line.
 * Out: a link, a browser that follows it, and the file to that browser, once.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "terminal/message.h"
#include "walk/archive.h"
#include "command/command_line.h"
#include "open.h"

/* The only port that Perfetto's page may connect to. */
#define PORT		9001
#define NAME_ROOM	128

struct open_options {
	struct archive a;
	const char *path;
	uint64_t port;
	bool no_browser;
	bool any_user;
};

/* The name in the link, with replacements for characters that need escapes. */
static void name_of(const char *path, char name[NAME_ROOM])
{
	const char *base = strrchr(path, '/');
	size_t i;

	base = base ? base + 1 : path;
	for (i = 0; base[i] && i < NAME_ROOM - 1; i++)
		name[i] = strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				 "0123456789-._", base[i]) ? base[i] : '_';
	name[i] = '\0';
}

/* The program of the first browser in $BROWSER, or xdg-open; NULL if there is none. */
static const char *find_browser(char *room, size_t size)
{
	const char *browser = getenv("BROWSER");

	if (browser && *browser) {
		snprintf(room, size, "%.*s", (int)strcspn(browser, ":"), browser);
		return room;
	}
	if (!geteuid() || (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")))
		return NULL;
	return "xdg-open";
}

/*
 * Errors of the browser are ignored, because the link is printed anyway. Its arguments are not
 * secret, so it gets the path of a page that redirects to the link.
 */
static void start_browser(struct redirect *page, const char *url)
{
	char room[4096];
	const char *program = find_browser(room, sizeof(room));
	int null, ret;
	pid_t pid;

	if (!program)
		return;
	ret = redirect_make(page, url);
	if (ret) {
		message("fxt: cannot make a page for the browser: %s; open the link yourself\n",
			strerror(-ret));
		return;
	}
	/* Make it a child of init, so that nobody has to wait for it. */
	pid = fork();
	if (!pid) {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (fork() || null < 0)
			_exit(0);
		setsid();
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execlp(program, program, page->path, (char *)NULL);
		_exit(127);
	}
	if (pid > 0)
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
}

static int open_signals(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int cannot_serve(const struct open_options *o, int error)
{
	if (error == -EADDRINUSE)
		message("fxt: cannot serve %s on 127.0.0.1 port %" PRIu64 ": the port is in use; stop the program that listens there, perhaps another fxt open\n",
			o->path, o->port);
	else
		message("fxt: cannot serve %s on 127.0.0.1 port %" PRIu64 ": %s\n", o->path,
			o->port, strerror(-error));
	return VERB_UNWRITABLE;
}

static int serve_page(const struct open_options *o, int fd)
{
	char name[NAME_ROOM], url[SERVE_URL];
	int signals = open_signals(), ret;
	bool fetched = false;
	struct redirect page = { .dir = "" };
	struct serve *s;

	if (signals < 0)
		return cannot_serve(o, -errno);
	name_of(o->path, name);
	s = serve_open(fd, name, o->port, o->any_user, &ret);
	if (!s) {
		close(signals);
		return cannot_serve(o, ret);
	}
	serve_url(s, url);
	printf("%s\n", url);
	fflush(stdout);
	if (!o->no_browser)
		start_browser(&page, url);
	ret = serve_run(s, signals, &fetched);
	redirect_remove(&page);
	serve_close(s);
	close(signals);
	if (!ret && !fetched)
		message("fxt: %s was not fetched\n", o->path);
	return ret ? cannot_serve(o, ret) : VERB_DONE;
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
		status = serve_page(o, fd);
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
