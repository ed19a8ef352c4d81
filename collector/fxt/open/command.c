// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt open: show an archive in Perfetto.
 *
 * In: a command line.
 * Out: a link, a browser that follows it, and the file to that browser, once.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "libfxt/invoker.h"
#include "terminal/message.h"
#include "walk/archive.h"
#include "command/command_line.h"

/* --------------------------------------------------------------------
 * Find out which user's program has connected to a port of this machine.
 *
 * In: a connection on the loopback device.
 * Out: the user at its other end, from the kernel, so that a link is useless to other users who see
 * it.
 */

#define HEX		33	/* digits of an IPv6 address, terminated */
#define ESTABLISHED	1	/* in later states, a socket may appear as root's */

/* Format an address as in /proc/net/tcp, or as an IPv4 address in /proc/net/tcp6. */
static bool is_address(const char *text, in_addr_t address)
{
	static const char mapped[] = "0000000000000000FFFF0000";
	char expected[HEX];

	snprintf(expected, sizeof(expected), "%s%08X", strlen(text) == HEX - 1 ? mapped : "",
		 address);
	return !strcmp(text, expected);
}

/* Return: 0, -ENOENT if it is not there, or -ENOSYS if there is no such list. */
static int find_owner(const char *list, const struct sockaddr_in *from, uint16_t port, uid_t *uid)
{
	unsigned int local_port, far_port, state;
	char line[512], local[HEX], far[HEX];
	FILE *f = fopen(list, "re");
	int ret = -ENOENT;

	if (!f)
		return -ENOSYS;
	while (ret && fgets(line, sizeof(line), f))
		if (sscanf(line, " %*u: %32[0-9A-F]:%x %32[0-9A-F]:%x %x %*x:%*x %*x:%*x %*x %u",
			   local, &local_port, far, &far_port, &state, uid) == 6 &&
		    state == ESTABLISHED && local_port == ntohs(from->sin_port) &&
		    far_port == port && is_address(local, from->sin_addr.s_addr) &&
		    is_address(far, htonl(INADDR_LOOPBACK)))
			ret = 0;
	fclose(f);
	return ret;
}

/**
 * user_of() - find the user who has connected
 * @from: the address of the other end
 * @port: of ours, at 127.0.0.1
 * @uid: set to the user
 *
 * Return: 0; -ENOENT if the connection is not there or is being closed; -ENOSYS if this system has
 * no such information.
 */
static int user_of(const struct sockaddr_in *from, uint16_t port, uid_t *uid)
{
	int ret = find_owner("/proc/net/tcp", from, port, uid);

	/* An IPv6 socket can connect to an IPv4 address. The kernel may lack IPv6. */
	if (ret == -ENOENT && !find_owner("/proc/net/tcp6", from, port, uid))
		ret = 0;
	return ret;
}

/* Return: the user who has logged in; 4294967295 if none has. */
static bool is_login(uid_t uid)
{
	FILE *f = fopen("/proc/self/loginuid", "re");
	unsigned int login = -1;

	if (!f)
		return false;
	if (fscanf(f, "%u", &login) != 1)
		login = -1;
	fclose(f);
	return login != (unsigned int)-1 && login == uid;
}

/**
 * user_is_ours() - may this user have what this process may have?
 *
 * True for the user of this process, for root, and, if this process is root's, for the user who
 * became root: by sudo, pkexec or doas, or after logging in.
 */
static bool user_is_ours(uid_t uid)
{
	struct invoker who;

	if (!uid || uid == geteuid())
		return true;
	invoker_find(&who);
	return (who.known && who.uid == uid) || (!geteuid() && is_login(uid));
}

/* --------------------------------------------------------------------
 * Pass a link to a browser in a file, because all users can see its arguments.
 *
 * In: a link.
 * Out: a page, in a private directory of the user, that redirects to the link.
 */

/** struct redirect - a page in a directory; initialize with zeros */
struct redirect {
	char dir[PATH_MAX - 16];
	char path[PATH_MAX];
};

static int make_in(struct redirect *r, const char *parent)
{
	int n = snprintf(r->dir, sizeof(r->dir), "%s/fxt-open.XXXXXX", parent);

	if (n >= (int)sizeof(r->dir) || !mkdtemp(r->dir)) {
		*r->dir = '\0';
		return -1;
	}
	snprintf(r->path, sizeof(r->path), "%s/open.html", r->dir);
	return 0;
}

static int write_page(const struct redirect *r, const char *url)
{
	int fd = open(r->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f)
		return -errno;
	fprintf(f, "<!DOCTYPE html><meta charset=\"utf-8\"><title>fxt open</title>\n"
		"<meta http-equiv=\"refresh\" content=\"0;url=%s\">\n"
		"<a href=\"%s\">Open in Perfetto</a>\n", url, url);
	return fclose(f) ? -errno : 0;
}

/** redirect_remove() - remove page and directory, if they exist */
static void redirect_remove(struct redirect *r)
{
	if (!*r->dir)
		return;
	unlink(r->path);
	rmdir(r->dir);
	*r->dir = '\0';
}

/**
 * redirect_make() - write the page
 * @r: set to it
 * @url: the link, without characters that need escapes in HTML
 *
 * The directory is new, in $XDG_RUNTIME_DIR or else in /tmp. Only its owner can read the page.
 *
 * Return: 0 or a negative errno.
 */
static int redirect_make(struct redirect *r, const char *url)
{
	const char *own = getenv("XDG_RUNTIME_DIR");
	int ret;

	if (!(own && *own == '/' && !make_in(r, own)) && make_in(r, P_tmpdir))
		return -errno;
	ret = write_page(r, url);
	if (ret)
		redirect_remove(r);
	return ret;
}

/* --------------------------------------------------------------------
 * One file over HTTP, to a browser on this machine.
 *
 * In: a file.
 * Out: its bytes, to a client that requests the file from 127.0.0.1 (or localhost), by a path that
 * cannot be guessed, for ui.perfetto.dev or for no page at all. Connections of other users are
 * closed at once. All other requests are refused: other hosts, because a foreign page may let its
 * own name point here, and other origins (403), methods (405) and paths (404).
 *
 * Must hold: a page of another origin, another user, or a client without the token, can neither
 * read the file nor learn its name. No client can use much memory, or keep a connection without
 * sending or reading.
 */

#define SERVE_UI	"https://ui.perfetto.dev"

#define CONNECTIONS		16
#define REQUEST_BYTES		(32U << 10)	/* memory per connection */
#define ASK_SECONDS		5	/* from connecting to the end of the request */
#define IDLE_SECONDS		30	/* while the file is sent */
/* When all connections were in use, the library listens again only the next time it runs. */
#define RUN_MS			1000
#define TOKEN_BYTES		16

/**
 * struct ask - a connection without a complete request
 * @fd: its socket, or -1
 * @since: s of CLOCK_MONOTONIC, when it was made
 */
struct ask {
	int fd;
	time_t since;
};

struct serve {
	struct MHD_Daemon *daemon;
	struct ask asks[CONNECTIONS];
	int fd;
	uint64_t bytes;
	uint16_t port;
	bool any_user;
	bool has_refused;
	char path[256];
	char hosts[2][32];
	bool fetched;
};

/* @con_cls of a request points to this if the answer is the complete file. */
static char whole_file;

/* --- answers ------------------------------------------------------------------- */

static void add_headers(struct MHD_Response *r)
{
	MHD_add_response_header(r, "Access-Control-Allow-Origin", SERVE_UI);
	MHD_add_response_header(r, "Vary", "Origin");
	MHD_add_response_header(r, "Cache-Control", "no-cache");
	MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
}

/* A connection is for one request, so that only its first one needs a limit of time. */
static enum MHD_Result queue(struct MHD_Connection *connection, unsigned int status,
			     struct MHD_Response *r)
{
	struct ask *ask;
	enum MHD_Result ret;

	if (!r)
		return MHD_NO;
	ask = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
	if (ask)
		ask->fd = -1;
	MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
	ret = MHD_queue_response(connection, status, r);
	MHD_destroy_response(r);
	return ret;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned int status,
			      const char *why)
{
	struct MHD_Response *r;

	r = MHD_create_response_from_buffer(strlen(why), (void *)why, MHD_RESPMEM_PERSISTENT);
	if (r)
		MHD_add_response_header(r, "Content-Type", "text/plain");
	if (r && status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(r, "Allow", "GET, HEAD, OPTIONS");
	return queue(connection, status, r);
}

/* Browsers ask for this before a page of the Internet may read from this machine. */
static enum MHD_Result allow(struct MHD_Connection *connection)
{
	struct MHD_Response *r;

	r = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
	if (r) {
		add_headers(r);
		MHD_add_response_header(r, "Access-Control-Allow-Methods", "GET, HEAD, OPTIONS");
		MHD_add_response_header(r, "Access-Control-Allow-Private-Network", "true");
	}
	return queue(connection, MHD_HTTP_NO_CONTENT, r);
}

static enum MHD_Result send_file(struct serve *s, struct MHD_Connection *connection)
{
	int fd = dup(s->fd);	/* the answer closes the descriptor */
	struct MHD_Response *r = fd < 0 ? NULL : MHD_create_response_from_fd64(s->bytes, fd);

	if (r) {
		add_headers(r);
		MHD_add_response_header(r, "Content-Type", "application/octet-stream");
	} else if (fd >= 0) {
		close(fd);
	}
	return queue(connection, MHD_HTTP_OK, r);
}

/* --- requests ------------------------------------------------------------------ */

static const char *header(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Otherwise a foreign name that resolves to 127.0.0.1 would be accepted, too. */
static bool is_host(const struct serve *s, struct MHD_Connection *connection)
{
	const char *host = header(connection, "Host");

	return host && (!strcasecmp(host, s->hosts[0]) || !strcasecmp(host, s->hosts[1]));
}

static bool is_origin(struct MHD_Connection *connection)
{
	const char *origin = header(connection, "Origin");

	return !origin || !strcmp(origin, SERVE_UI);
}

/* Compare in constant time, so that a token cannot be guessed letter by letter. */
static bool is_path(const struct serve *s, const char *url)
{
	size_t length = strlen(s->path), i;
	unsigned char differs = 0;

	if (strlen(url) != length)
		return false;
	for (i = 0; i < length; i++)
		differs |= url[i] ^ s->path[i];
	return !differs;
}

/* Check before any byte is read, so that another user's connections use no slot. */
static enum MHD_Result is_admitted(void *arg, const struct sockaddr *from, socklen_t length)
{
	struct sockaddr_in address;
	struct serve *s = arg;
	uid_t uid = 0;
	int ret;

	if (s->any_user)
		return MHD_YES;
	if (length < sizeof(address))
		return MHD_NO;
	memcpy(&address, from, sizeof(address));
	ret = user_of(&address, s->port, &uid);
	if (ret == -ENOSYS || (!ret && user_is_ours(uid)))
		return MHD_YES;
	if (!ret && !s->has_refused)
		message("fxt: refused a connection of user %u, perhaps more; if it is yours, use "
			"--any-user\n",
			uid);
	s->has_refused |= !ret;
	return MHD_NO;
}

static enum MHD_Result answer(void *arg, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *data,
			      size_t *bytes, void **request)
{
	bool is_get = !strcmp(method, MHD_HTTP_METHOD_GET);
	bool is_options = !strcmp(method, MHD_HTTP_METHOD_OPTIONS);
	struct serve *s = arg;

	(void)version;
	(void)data;
	(void)bytes;
	if (!is_host(s, connection))
		return refuse(connection, MHD_HTTP_FORBIDDEN, "this host is not served\n");
	if (!is_origin(connection))
		return refuse(connection, MHD_HTTP_FORBIDDEN, "this origin is not served\n");
	if (!is_get && !is_options && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "no such method\n");
	if (!is_path(s, url))
		return refuse(connection, MHD_HTTP_NOT_FOUND, "no such file\n");
	if (is_options)
		return allow(connection);
	if (is_get)
		*request = &whole_file;
	MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
				  (unsigned int)IDLE_SECONDS);
	return send_file(s, connection);
}

static void completed(void *arg, struct MHD_Connection *connection, void **request,
		      enum MHD_RequestTerminationCode why)
{
	struct serve *s = arg;

	(void)connection;
	if (*request == &whole_file && why == MHD_REQUEST_TERMINATED_COMPLETED_OK)
		s->fetched = true;
}

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

static void note_connection(void *arg, struct MHD_Connection *connection, void **context,
			    enum MHD_ConnectionNotificationCode what)
{
	struct ask *ask = *context;
	struct serve *s = arg;
	size_t i;

	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (ask)
			ask->fd = -1;
		return;
	}
	for (i = 0; i < CONNECTIONS && s->asks[i].fd >= 0; i++)
		;
	if (i == CONNECTIONS)
		return;
	s->asks[i].fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
				->connect_fd;
	s->asks[i].since = now();
	*context = &s->asks[i];
}

/* The library only ends connections that are silent, not those that send byte after byte. */
static void end_slow_ones(struct serve *s)
{
	size_t i;

	for (i = 0; i < CONNECTIONS; i++)
		if (s->asks[i].fd >= 0 && now() - s->asks[i].since > ASK_SECONDS)
			shutdown(s->asks[i].fd, SHUT_RDWR);
}

/* --- from beginning to end ----------------------------------------------------- */

/* Get the number of the port, which is known only once it is bound. */
static int listen_on(struct serve *s, uint16_t port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t size = sizeof(address);
	int on = 1, ret, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	/* So that a server that has just ended does not block the port. */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(fd, (struct sockaddr *)&address, size) && !listen(fd, CONNECTIONS) &&
	    !getsockname(fd, (struct sockaddr *)&address, &size)) {
		s->port = ntohs(address.sin_port);
		return fd;
	}
	ret = -errno;
	close(fd);
	return ret;
}

static int start(struct serve *s, int listener)
{
	s->daemon = MHD_start_daemon(MHD_USE_EPOLL, 0, is_admitted, s, answer, s,
				     MHD_OPTION_LISTEN_SOCKET, listener,
				     MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS,
				     MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES,
				     MHD_OPTION_CONNECTION_TIMEOUT, ASK_SECONDS,
				     MHD_OPTION_NOTIFY_COMPLETED, completed, s,
				     MHD_OPTION_NOTIFY_CONNECTION, note_connection, s,
				     MHD_OPTION_END);
	if (s->daemon)
		return 0;
	close(listener);
	return -ENOMEM;
}

/* Make a token, because other pages and users on this machine could guess a name. */
static int choose_path(struct serve *s, const char *name)
{
	unsigned char token[TOKEN_BYTES];
	ssize_t got = getrandom(token, sizeof(token), 0);
	size_t n = 0, i;

	if (got != sizeof(token))
		return got < 0 ? -errno : -EIO;
	s->path[n++] = '/';
	for (i = 0; i < sizeof(token); i++)
		n += sprintf(s->path + n, "%02x", token[i]);
	if (strlen(name) + 1 >= sizeof(s->path) - n)
		return -ENAMETOOLONG;
	sprintf(s->path + n, "/%s", name);
	return 0;
}

/**
 * serve_open() - start listening for requests
 * @s: set to it
 * @fd: a regular file; the caller keeps and closes it
 * @name: the end of the path in the link, without characters that need escapes
 * @port: port to listen on; 0: any free one
 * @any_user: serve all users of this machine, not only those of user_is_ours()
 *
 * Return: 0 or a negative errno.
 */
static int serve_open(struct serve **out, int fd, const char *name, uint16_t port, bool any_user)
{
	struct serve *s = calloc(1, sizeof(*s));
	struct stat st;
	int ret = s ? 0 : -ENOMEM;
	size_t i;

	*out = NULL;
	for (i = 0; s && i < CONNECTIONS; i++)
		s->asks[i].fd = -1;
	if (!ret && fstat(fd, &st))
		ret = -errno;
	if (!ret)
		ret = choose_path(s, name);
	if (!ret)
		ret = listen_on(s, port);
	if (ret < 0) {
		free(s);
		return ret;
	}
	s->fd = fd;
	s->any_user = any_user;
	s->bytes = st.st_size;
	snprintf(s->hosts[0], sizeof(s->hosts[0]), "127.0.0.1:%u", s->port);
	snprintf(s->hosts[1], sizeof(s->hosts[1]), "localhost:%u", s->port);
	ret = start(s, ret);
	if (ret) {
		free(s);
		return ret;
	}
	*out = s;
	return 0;
}

/** serve_port() - the port that it listens on */
static uint16_t serve_port(const struct serve *s)
{
	return s->port;
}

/**
 * serve_path() - the path that it serves: "/TOKEN/NAME"
 *
 * TOKEN is 128 random bits in hexadecimal digits, different each time.
 */
static const char *serve_path(const struct serve *s)
{
	return s->path;
}

/**
 * serve_run() - answer requests until the file was fetched completely, or a signal arrives
 * @s: from serve_open()
 * @signals: a descriptor of signalfd(2)
 * @fetched: set to true if the file was fetched
 *
 * Return: 0 or a negative errno.
 */
static int serve_run(struct serve *s, int signals, bool *fetched)
{
	const union MHD_DaemonInfo *info;
	MHD_UNSIGNED_LONG_LONG wait;
	struct pollfd fds[2] = { { .fd = signals, .events = POLLIN } };
	int timeout;

	info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	if (!info)
		return -EINVAL;
	fds[1] = (struct pollfd){ .fd = info->epoll_fd, .events = POLLIN };
	while (!s->fetched) {
		timeout = MHD_get_timeout(s->daemon, &wait) == MHD_YES && wait < RUN_MS ?
			  (int)wait : RUN_MS;
		if (poll(fds, 2, timeout) < 0 && errno != EINTR)
			return -errno;
		if (fds[0].revents)
			break;
		end_slow_ones(s);
		if (MHD_run(s->daemon) != MHD_YES)
			return -EIO;
	}
	*fetched = s->fetched;
	return 0;
}

/** serve_close() - stop listening; NULL is ignored */
static void serve_close(struct serve *s)
{
	if (!s)
		return;
	MHD_stop_daemon(s->daemon);
	free(s);
}

/* --------------------------------------------------------------------
 * Fxt open: show an archive in Perfetto.
 */

/* The only port that Perfetto's page may connect to. */
#define PORT		9001
#define NAME_ROOM	128
#define URL_ROOM	(256 + 64)	/* Perfetto's address and the path */

struct open_options {
	struct archive a;
	const char *path;
	unsigned long port;
	bool no_browser;
	bool any_user;
};

/* Make the name in the link; characters that need escapes are replaced. */
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

/* Return: the program of the first browser in $BROWSER, or xdg-open; NULL if there is none. */
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
 * Errors of the browser are ignored, because the link is printed anyway. The browser gets the path
 * of a page that redirects to the link, because its arguments are not secret.
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
		message("fxt: cannot serve %s on 127.0.0.1 port %lu: the port is in use; stop the program that listens there, perhaps another fxt open\n",
			o->path, o->port);
	else
		message("fxt: cannot serve %s on 127.0.0.1 port %lu: %s\n", o->path,
			o->port, strerror(-error));
	return VERB_UNWRITABLE;
}

static int serve_page(const struct open_options *o, int fd)
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

static bool take_port(struct open_options *o, const char *value)
{
	char *end;

	o->port = strtoul(value, &end, 10);
	return *value >= '0' && *value <= '9' && !*end && o->port <= UINT16_MAX;
}

enum { OPT_PORT = OPTION_LONG, OPT_NO_BROWSER, OPT_ANY_USER };

static const struct option_row rows[] = {
	OPTION_TITLE("Options"),
	OPTION(OPT_PORT, "port", "N", "listen on port N; 0: any free port (default: 9001, the only "
	       "port that Perfetto's page may connect to)"),
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
	.run = run_open,
	.take = take_own,
	.has_default_archive = true,
};
