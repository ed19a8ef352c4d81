// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * socket.c - see socket.h.
 *
 * In: an address. Out: a connection. Invariant: nothing waits forever for a receiver, a
 * network or a machine that has gone.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "libfxt/address.h"
#include "process/wait.h"
#include "relay.h"
#include "socket.h"

/* While there is nothing to send, the kernel asks the receiver's machine whether it lives. */
#define KEEPALIVE_IDLE		10	/* seconds */
#define KEEPALIVE_INTERVAL	5	/* seconds */
#define KEEPALIVE_COUNT		4

static bool set(int fd, int level, int name, int value)
{
	return !setsockopt(fd, level, name, &value, sizeof(value));
}

/*
 * The user timeout covers data that are not acknowledged, which keepalive does not, and
 * a receiver that takes none.
 */
static bool limit_silence(int fd)
{
	return set(fd, SOL_SOCKET, SO_KEEPALIVE, 1) &&
	       set(fd, IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE) &&
	       set(fd, IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL) &&
	       set(fd, IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_COUNT) &&
	       set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, SOCKET_STALL_MS);
}

/* Wait for the connection. Return: 0 or a negative errno. */
static int await(int fd, int end)
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

/* Return: the connected socket or a negative errno. */
static int try_one(const struct fxt_sockaddr *address, int end)
{
	int family = address->to.ss_family, ret = 0;
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	if ((family == AF_INET || family == AF_INET6) && !limit_silence(fd))
		ret = -errno;
	if (!ret && connect(fd, (const struct sockaddr *)&address->to, address->length))
		ret = errno == EINPROGRESS ? await(fd, end) : -errno;
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
	/* Pipes without a reader are tried again; a receiver is not. */
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
