// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * socket.c - see socket.h.
 *
 * Invariant: no call waits forever for a receiver, a network or a machine that is gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libfxt/address.h"
#include "socket.h"

/* --- encryption ------------------------------------------------------------------------- */

#define HANDSHAKE_MS	10000
#define BYTES		(64U << 10)

static struct tls_files files;

void relay_use(const struct tls_files *f)
{
	files = *f;
}

static int handshake(struct tls_session *s, int fd, int end)
{
	struct pollfd fds[] = { { .fd = fd }, { .fd = end, .events = POLLIN } };
	int ret, n;

	while ((ret = tls_handshake(s)) == -EAGAIN) {
		fds[0].events = tls_wants_write(s) ? POLLOUT : POLLIN;
		n = poll(fds, 2, HANDSHAKE_MS);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -ETIMEDOUT;
		if (fds[1].revents)
			return -ECANCELED;
	}
	return ret;
}

/* --- the process --------------------------------------------------------------------- */

/* The kernel ends a connection that takes nothing (socket.c). */
static void await(int fd, short events)
{
	poll(&(struct pollfd){ .fd = fd, .events = events }, 1, -1);
}

static int write_all(struct tls_session *s, int fd, const unsigned char *at, size_t bytes)
{
	ssize_t n;

	while (bytes) {
		n = tls_write(s, at, bytes);
		if (n == -EAGAIN) {
			await(fd, POLLOUT);
		} else if (n < 0) {
			return n;
		} else {
			at += n;
			bytes -= n;
		}
	}
	return 0;
}

/*
 * The receiver sends nothing, so only the end of the connection can be read. Return: 0 if the
 * recorder has ended its side; else -1
 */
static int pass_all(struct tls_session *s, int fd, int from)
{
	struct pollfd fds[] = {
		{ .fd = from, .events = POLLIN }, { .fd = fd, .events = POLLIN },
	};
	static unsigned char buffer[BYTES];
	ssize_t n;

	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return -1;
		if (fds[0].revents) {
			n = read(from, buffer, sizeof(buffer));
			if (n < 0 && (errno == EAGAIN || errno == EINTR))
				continue;
			if (n <= 0)
				return n ? -1 : 0;
			if (write_all(s, fd, buffer, n))
				return -1;
		} else if (fds[1].revents) {
			n = tls_read(s, buffer, sizeof(buffer));
			if (n <= 0 && n != -EAGAIN)
				return -1;
		}
	}
}

/* Wait for the receiver's end, in order or not. */
static bool has_all(struct tls_session *s, int fd)
{
	static unsigned char buffer[BYTES];
	ssize_t n;

	tls_bye(s);
	while ((n = tls_read(s, buffer, sizeof(buffer))) > 0 || n == -EAGAIN)
		await(fd, POLLIN);
	return !n;
}

static void run_relay(struct tls_session *s, int fd, int from)
{
	static const char failed = 'x';

	prctl(PR_SET_NAME, "fxt-tls");
	if (pass_all(s, fd, from) || !has_all(s, fd))
		send(from, &failed, 1, MSG_NOSIGNAL);
	_exit(0);
}

/*
 * Keep only the two sockets: the recorder notices the broker's end by the broker's socket, and
 * readers of the recorder's messages must not wait for this process.
 */
static void close_others(int fd, int from)
{
	int low = fd < from ? fd : from, high = fd < from ? from : fd;

	if (low > 0)
		close_range(0, low - 1, 0);
	if (high > low + 1)
		close_range(low + 1, high - 1, 0);
	close_range(high + 1, ~0U, 0);
}

/* Make it a child of init, so that no process has to wait for it. */
static int start_relay(struct tls_session *s, int fd, int from)
{
	pid_t pid = fork();

	if (!pid) {
		if (fork())
			_exit(0);
		close_others(fd, from);
		run_relay(s, fd, from);
	}
	if (pid < 0)
		return -errno;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}

static int start_pair(struct tls_session *s, int fd)
{
	int ends[2], ret;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends))
		return -errno;
	ret = start_relay(s, fd, ends[1]);
	close(ends[1]);
	if (!ret)
		return ends[0];
	close(ends[0]);
	return ret;
}

int relay_start(int fd, const char *host, int end, char why[TLS_WHY])
{
	struct tls_session *s = NULL;
	struct tls *t;
	int ret = tls_open(&t, &files, why);

	if (ret)
		return -EINVAL;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	ret = tls_session_open(&s, t, fd, host);
	ret = ret ? ret : handshake(s, fd, end);
	ret = ret ? ret : start_pair(s, fd);
	if (ret == -EPROTO)
		snprintf(why, TLS_WHY, "TLS: %s", tls_why(s));
	else if (ret < 0)
		snprintf(why, TLS_WHY, "TLS: %s", strerror(-ret));
	tls_session_close(s);
	tls_close(t);
	return ret;
}

/* --- connections ------------------------------------------------------------------------ */

/* Maximum time to connect to each address of a host. */
#define SOCKET_CONNECT_MS	10000

/* While there is nothing to send, the kernel probes whether the receiver's machine is alive. */
#define KEEPALIVE_IDLE		10	/* seconds */
#define KEEPALIVE_INTERVAL	5	/* seconds */
#define KEEPALIVE_COUNT		4

static bool set_socket_option(int fd, int level, int name, int value)
{
	return !setsockopt(fd, level, name, &value, sizeof(value));
}

/* The user timeout also covers data that is not acknowledged or accepted, unlike keepalive. */
static bool limit_silence(int fd)
{
	return set_socket_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1) &&
	       set_socket_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE) &&
	       set_socket_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL) &&
	       set_socket_option(fd, IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_COUNT) &&
	       set_socket_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, SOCKET_STALL_MS);
}

static int await_connection(int fd, int end)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLOUT },
		{ .fd = end, .events = POLLIN },
	};
	socklen_t length = sizeof(int);
	int n, err = 0;

	do
		n = poll(fds, 2, SOCKET_CONNECT_MS);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return n ? -errno : -ETIMEDOUT;
	if (!fds[0].revents)
		return -ECANCELED;
	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &length) ? -errno : -err;
}

static int try_one(const struct fxt_sockaddr *address, int end)
{
	int family = address->to.ss_family, ret = 0;
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	if ((family == AF_INET || family == AF_INET6) && !limit_silence(fd))
		ret = -errno;
	if (!ret && connect(fd, (const struct sockaddr *)&address->to, address->length))
		ret = errno == EINPROGRESS ? await_connection(fd, end) : -errno;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static const char *advice(int err)
{
	switch (err) {
	case -ECONNREFUSED:
	case -ENOENT:
		return "start fxt receive there first";
	case -EAFNOSUPPORT:
		return "this kernel has no such sockets";
	}
	return "check the address, and that fxt receive runs there";
}

/* The relay takes the place of the receiver. */
static int encrypt(struct direct *f, const char *text, const char *host, int end,
		   struct error *e)
{
	char why[TLS_WHY];
	int ret = relay_start(f->fd, host, end, why);

	close(f->fd);
	f->fd = ret;
	if (ret >= 0)
		return 0;
	return fail(e, ret == -EINVAL ? EXIT_USAGE : EXIT_FAILED, ret, "cannot connect to %s: %s",
		    text, why);
}

int socket_connect(struct direct *f, const char *text, int end, struct error *e)
{
	struct fxt_sockaddr list[FXT_ADDRESS_TRIES];
	struct fxt_address address;
	const char *wrong = fxt_address_parse(&address, text, false);
	size_t count = 0, i;
	int ret = -EHOSTUNREACH;

	*f = (struct direct){ .fd = -1, .dir = -1 };
	if (!wrong)
		wrong = fxt_address_resolve(&address, false, list, &count);
	if (wrong)
		return fail(e, EXIT_FAILED, -EINVAL, "cannot connect to %s: %s", text, wrong);
	for (i = 0; i < count && f->fd < 0 && ret != -ECANCELED; i++) {
		ret = try_one(&list[i], end);
		if (ret >= 0)
			f->fd = ret;
	}
	if (f->fd >= 0 && address.is_tls)
		return encrypt(f, text, address.host, end, e);
	if (f->fd >= 0)
		return 0;
	/* Pipes without a reader are tried again, receivers are not. */
	if (ret == -EAGAIN)
		ret = -EBUSY;
	return fail(e, EXIT_FAILED, ret, "cannot connect to %s: %s; %s", text, strerror(-ret),
		    advice(ret));
}

int socket_finish(int fd, bool relayed, int end, int limit)
{
	char discarded[256];
	ssize_t n;
	int ret;

	if (shutdown(fd, SHUT_WR))
		return -errno;
	for (;;) {
		ret = wait_ready_for(fd, POLLIN, end, limit);
		if (ret)
			return ret;
		n = read(fd, discarded, sizeof(discarded));
		if (!n)
			return 0;
		/* A relay sends nothing but this, because it cannot reset the connection. */
		if (n > 0 && relayed)
			return -ECONNRESET;
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
	}
}
