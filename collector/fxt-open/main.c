// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - fxt-open, which "fxt open" runs: serves a file to Perfetto. It is a program of its own, so
 * that the other commands do not load a library for HTTP.
 *
 * In: the file, on standard input; see open_program.h.
 * Out: a link, a browser that follows it, and the file to that browser, once.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fxt/open/open_program.h"
#include "fxt/terminal/exit_status.h"
#include "fxt/terminal/message.h"
#include "open.h"

#define NAME_ROOM	128

struct line {
	const char *path;	/* of the file, for messages and for the name in the link */
	uint16_t port;
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

static int cannot_serve(const struct line *l, int error)
{
	if (error == -EADDRINUSE)
		message("fxt: cannot serve %s on 127.0.0.1 port %u: the port is in use; stop the program that listens there, perhaps another fxt open\n",
			l->path, l->port);
	else
		message("fxt: cannot serve %s on 127.0.0.1 port %u: %s\n", l->path,
			l->port, strerror(-error));
	return VERB_UNWRITABLE;
}

static int serve_page(const struct line *l)
{
	char name[NAME_ROOM], url[SERVE_URL];
	int signals = open_signals(), ret;
	bool fetched = false, is_said;
	struct redirect page = { .dir = "" };
	struct serve *s;

	if (signals < 0)
		return cannot_serve(l, -errno);
	name_of(l->path, name);
	s = serve_open(STDIN_FILENO, name, l->port, l->any_user, &ret);
	if (!s) {
		close(signals);
		return cannot_serve(l, ret);
	}
	serve_url(s, url);
	is_said = printf("%s\n", url) > 0 && !fflush(stdout);
	if (!is_said)
		message("fxt: cannot write standard output: %s\n", strerror(errno));
	if (!l->no_browser)
		start_browser(&page, url);
	ret = serve_run(s, signals, &fetched);
	redirect_remove(&page);
	serve_close(s);
	close(signals);
	if (!ret && !fetched)
		message("fxt: %s was not fetched\n", l->path);
	if (ret)
		return cannot_serve(l, ret);
	return is_said ? VERB_DONE : VERB_UNWRITABLE;
}

int main(int argc, char **argv)
{
	struct line l = { 0 };
	char *arg;

	if (argc != 1 + OPEN_ARGUMENTS) {
		message("fxt-open: fxt open runs this program; see fxt open --help\n");
		return VERB_USAGE;
	}
	l.path = argv[1 + OPEN_PATH];
	l.port = strtoul(argv[1 + OPEN_PORT], NULL, 10);
	for (arg = argv[1 + OPEN_FLAGS]; *arg; arg++) {
		l.no_browser |= *arg == OPEN_NO_BROWSER;
		l.any_user |= *arg == OPEN_ANY_USER;
	}
	return serve_page(&l);
}
