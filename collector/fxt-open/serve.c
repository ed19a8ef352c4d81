// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * serve.c - one file over HTTP, to a browser on this machine.
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
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fxt/terminal/message.h"
#include "open.h"

#define CONNECTIONS		16
#define REQUEST_BYTES		(32U << 10)	/* memory per connection */
#define ASK_SECONDS		5	/* from connecting to the end of the request */
#define IDLE_SECONDS		30	/* while the file is sent */
/* After all connections were in use, the library listens again only the next time it runs. */
#define RUN_MS			1000
#define TOKEN_BYTES		16

/* A connection without a complete request. */
struct ask {
	int fd;		/* its socket, or -1 */
	time_t since;	/* s of CLOCK_MONOTONIC, of the connection */
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

/* A connection is for one request, so that only its first one needs a time limit. */
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

/* Called before any byte is read, so that another user's connections use no slot. */
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

/* The library only ends silent connections, not those that send byte after byte. */
static void end_slow_ones(struct serve *s)
{
	size_t i;

	for (i = 0; i < CONNECTIONS; i++)
		if (s->asks[i].fd >= 0 && now() - s->asks[i].since > ASK_SECONDS)
			shutdown(s->asks[i].fd, SHUT_RDWR);
}

/* --- from beginning to end ----------------------------------------------------- */

/* The number of the port is known only once it is bound. */
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

struct serve *serve_open(int fd, const char *name, uint16_t port, bool any_user, int *error)
{
	struct serve *s = calloc(1, sizeof(*s));
	int listener = -1;
	struct stat st;
	size_t i;

	if (!s) {
		*error = -ENOMEM;
		return NULL;
	}
	for (i = 0; i < CONNECTIONS; i++)
		s->asks[i].fd = -1;
	s->fd = fd;
	s->any_user = any_user;
	*error = fstat(fd, &st) ? -errno : choose_path(s, name);
	if (!*error) {
		listener = listen_on(s, port);
		*error = listener < 0 ? listener : 0;
	}
	if (!*error) {
		s->bytes = st.st_size;
		snprintf(s->hosts[0], sizeof(s->hosts[0]), "127.0.0.1:%u", s->port);
		snprintf(s->hosts[1], sizeof(s->hosts[1]), "localhost:%u", s->port);
		*error = start(s, listener);
	}
	if (!*error)
		return s;
	free(s);
	return NULL;
}

void serve_url(const struct serve *s, char url[SERVE_URL])
{
	snprintf(url, SERVE_URL, SERVE_UI "/#!/?url=http://127.0.0.1:%u%s", s->port, s->path);
}

int serve_run(struct serve *s, int signals, bool *fetched)
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

void serve_close(struct serve *s)
{
	MHD_stop_daemon(s->daemon);
	free(s);
}
