// SPDX-License-Identifier: GPL-2.0-or-later
/* relay.c - see relay.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "relay.h"

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
 * The receiver sends nothing, so what can be read from it is its end.
 *
 * Return: 0 if the recorder has ended its side; else -1.
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

static void run(struct tls_session *s, int fd, int from)
{
	static const char failed = 'x';

	prctl(PR_SET_NAME, "fxt-tls");
	if (pass_all(s, fd, from) || !has_all(s, fd))
		send(from, &failed, 1, MSG_NOSIGNAL);
	_exit(0);
}

/*
 * Only the two sockets: the broker's own shows the recorder whether the broker lives, and
 * whoever reads the recorder's messages does not wait for this process.
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

/* A child of init, so that nobody has to wait for it. */
static int start(struct tls_session *s, int fd, int from)
{
	pid_t pid = fork();

	if (!pid) {
		if (fork())
			_exit(0);
		close_others(fd, from);
		run(s, fd, from);
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
	ret = start(s, fd, ends[1]);
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
	if (!ret)
		ret = handshake(s, fd, end);
	if (!ret)
		ret = start_pair(s, fd);
	if (ret == -EPROTO)
		snprintf(why, TLS_WHY, "TLS: %s", tls_why(s));
	else if (ret < 0)
		snprintf(why, TLS_WHY, "TLS: %s", strerror(-ret));
	tls_session_close(s);
	tls_close(t);
	return ret;
}
