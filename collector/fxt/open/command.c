// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt open: show an archive in Perfetto.
 *
 * In: a command line.
 * Out: a link, a browser that follows it, and the file to that browser, once.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "terminal/message.h"
#include "walk/archive.h"
#include "command.h"
#include "redirect.h"
#include "serve.h"

/* The only port that Perfetto's page may connect to. */
#define PORT		9001
#define NAME_ROOM	128
#define URL_ROOM	(NAME_ROOM + 128)

struct open_options {
	struct archive a;
	const char *path;
	unsigned long port;
	bool no_browser;
	bool any_user;
};

/* The name in the link; characters that would need escaping are not worth keeping. */
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
 * Errors of the browser are ignored: the link is printed in any case. The browser gets the path
 * of a page that leads to the link, because its arguments are no secret.
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
	/* A child of init, so that nothing has to wait for it. */
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
		message("fxt: cannot serve %s on 127.0.0.1 port %lu: the port is in use; stop the program that listens there, perhaps another fxt open\n",
			o->path, o->port);
	else
		message("fxt: cannot serve %s on 127.0.0.1 port %lu: %s\n", o->path,
			o->port, strerror(-error));
	return VERB_UNWRITABLE;
}

static int serve(const struct open_options *o, int fd)
{
	char name[NAME_ROOM], url[URL_ROOM];
	int signals = open_signals(), ret;
	bool fetched = false;
	struct redirect page = { .dir = "" };
	struct serve *s;

	if (signals < 0)
		return cannot_serve(o, -errno);
	name_of(o->path, name);
	ret = serve_open(&s, fd, name, o->port, o->any_user);
	if (ret) {
		close(signals);
		return cannot_serve(o, ret);
	}
	snprintf(url, sizeof(url), SERVE_UI "/#!/?url=http://127.0.0.1:%u%s",
		 serve_port(s), serve_path(s));
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
		/* Another trace became an archive. */
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

static bool take_port(struct open_options *o, const char *value)
{
	char *end;

	o->port = strtoul(value, &end, 10);
	return *value >= '0' && *value <= '9' && !*end && o->port <= UINT16_MAX;
}

enum { OPT_PORT = OPTION_LONG, OPT_NO_BROWSER, OPT_ANY_USER };

static const struct option_row rows[] = {
	OPTION_TITLE("Options"),
	OPTION(OPT_PORT, "port", "N", "listen on port N; 0 selects any free port (default: 9001, the only "
	       "one that Perfetto's page may connect to)"),
	OPTION(OPT_NO_BROWSER, "no-browser", NULL, "print the link, do not start a browser"),
	OPTION(OPT_ANY_USER, "any-user", NULL, "serve other users of this machine, too, if they know the "
	       "link"),
	OPTION_HELP,
	{ 0 },
};

static const char *take_own(void *arg, int option, const char *value)
{
	struct open_options *o = arg;

	if (option == OPT_PORT)
		return take_port(o, value) ? NULL : "invalid port; use 0 to 65535";
	if (option == OPT_ANY_USER)
		o->any_user = true;
	else
		o->no_browser = true;
	return NULL;
}

static int run_open(int argc, char **argv)
{
	struct open_options o = { .port = PORT };
	struct operands operands;
	int status = command_line_parse(&verb_open, &o, &o.a, NULL, argc, argv, &operands);

	if (status >= 0)
		return status;
	o.path = operands.paths[0];
	return open_file(&o);
}

const struct verb verb_open = {
	.name = "open",
	.what = "show it in Perfetto, in a browser",
	.about =
		"Shows an archive at https://ui.perfetto.dev. Serves FILE unchanged, and nothing else,\n"
		"at 127.0.0.1 until that page has fetched it, or until Ctrl-C. Prints the link by which\n"
		"the page fetches it, and opens that link in a browser if there is a display. FILE stays\n"
		"on this machine; only this user, who also has to know the link, can fetch it.\n",
	.more =
		"FILE is " FXT_SCHED_ARCHIVE " by default. The browser is $BROWSER, else what xdg-open starts (not\n"
		"for root).\n"
		"exit status: 0 done; 2 wrong usage; 3 the archive cannot be read; 4 it cannot be\n"
		"served.\n",
	.rows = rows,
	.run = run_open,
	.take = take_own,
	.usual = true,
};
