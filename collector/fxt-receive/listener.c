// SPDX-License-Identifier: GPL-2.0-or-later
/* listener.c - the sockets of fxt receive. See receive.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <linux/vm_sockets.h>

#include "receive.h"

#define PROBES		3	/* keepalive probes in the second half of the timeout */

static int set_socket_option(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value)) ? -errno : 0;
}

/* Is the path a socket without a listener? */
static bool is_stale(const struct fxt_sockaddr *a, const char *path)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct stat st;
	bool stale;

	if (fd < 0)
		return false;
	stale = !lstat(path, &st) && S_ISSOCK(st.st_mode) &&
		connect(fd, (const struct sockaddr *)&a->to, a->length) &&
		errno == ECONNREFUSED;
	close(fd);
	return stale;
}

/* The umask makes the socket accessible only to its owner from the beginning. */
static int bind_path(int fd, const struct fxt_sockaddr *a, const char *path)
{
	mode_t before = umask(0177);
	int ret = bind(fd, (const struct sockaddr *)&a->to, a->length) ? -errno : 0;

	if (ret == -EADDRINUSE && is_stale(a, path) && !unlink(path))
		ret = bind(fd, (const struct sockaddr *)&a->to, a->length) ? -errno : 0;
	umask(before);
	return ret;
}

static int bind_to(int fd, const struct fxt_sockaddr *a, const char *path)
{
	int family = a->to.ss_family, ret = 0;

	if (family == AF_UNIX)
		return bind_path(fd, a, path);
	if (family == AF_INET || family == AF_INET6)
		ret = set_socket_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	/* IPv4 gets a socket of its own. */
	if (!ret && family == AF_INET6)
		ret = set_socket_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
	if (!ret && bind(fd, (const struct sockaddr *)&a->to, a->length))
		ret = -errno;
	return ret;
}

static int open_one(struct listener *l, const struct fxt_sockaddr *a, const char *path)
{
	int fd = socket(a->to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), ret;

	if (fd < 0)
		return -errno;
	ret = bind_to(fd, a, path);
	if (!ret) {
		l->fds[l->count++] = fd;
		l->path = path;
		return listen(fd, SOMAXCONN) ? -errno : 0;
	}
	close(fd);
	return ret;
}

static const char *remedy(int ret, const char *path)
{
	struct stat st;

	if (ret != -EADDRINUSE)
		return "";
	if (path && !lstat(path, &st) && !S_ISSOCK(st.st_mode))
		return "; a file that is no socket has this name: remove it, or use another path";
	return "; end the program that does, or use another address";
}

int listener_open(struct listener *l, const char *text, int timeout, struct tls *tls,
		  char why[LISTENER_TEXT])
{
	struct fxt_sockaddr list[FXT_ADDRESS_TRIES];
	struct fxt_address address;
	const char *wrong = fxt_address_parse(&address, text, true);
	size_t count = 0, i;
	int ret = 0;

	*l = (struct listener){ .timeout = timeout };
	if (!wrong)
		wrong = fxt_address_resolve(&address, true, list, &count);
	for (i = 0; !wrong && !ret && i < count; i++) {
		ret = open_one(l, &list[i], address.path);
		/* The machine may lack IPv4 or IPv6. */
		if (ret == -EAFNOSUPPORT && count > 1 && (l->count || i + 1 < count))
			ret = 0;
	}
	l->tls = address.is_tls ? tls : NULL;
	if (!wrong && !ret)
		return 0;
	snprintf(why, LISTENER_TEXT, "%s%s", wrong ? wrong : strerror(-ret),
		 remedy(ret, address.path));
	listener_close(l);
	return wrong ? -EINVAL : ret;
}

void listener_close(struct listener *l)
{
	while (l->count)
		close(l->fds[--l->count]);
	if (l->path)
		unlink(l->path);
	l->path = NULL;
}

void listener_print(const struct listener *l, size_t i, char text[LISTENER_TEXT])
{
	union {
		struct sockaddr any;
		struct sockaddr_in ipv4;
		struct sockaddr_in6 ipv6;
		struct sockaddr_vm vm;
		struct sockaddr_storage room;
	} at;
	socklen_t length = sizeof(at);
	char host[INET6_ADDRSTRLEN];

	*text = '\0';
	if (l->path)
		snprintf(text, LISTENER_TEXT, "unix:%s", l->path);
	else if (getsockname(l->fds[i], &at.any, &length))
		return;
	else if (at.any.sa_family == AF_INET)
		snprintf(text, LISTENER_TEXT, "%s://%s:%u", l->tls ? "tls" : "tcp",
			 inet_ntop(AF_INET, &at.ipv4.sin_addr, host, sizeof(host)),
			 ntohs(at.ipv4.sin_port));
	else if (at.any.sa_family == AF_INET6)
		snprintf(text, LISTENER_TEXT, "%s://[%s]:%u", l->tls ? "tls" : "tcp",
			 inet_ntop(AF_INET6, &at.ipv6.sin6_addr, host, sizeof(host)),
			 ntohs(at.ipv6.sin6_port));
	else if (at.vm.svm_cid == VMADDR_CID_ANY)
		snprintf(text, LISTENER_TEXT, "vsock:any:%u", at.vm.svm_port);
	else
		snprintf(text, LISTENER_TEXT, "vsock:%u:%u", at.vm.svm_cid, at.vm.svm_port);
}

/* Nothing is sent to senders, so only keepalive shows that a sender's machine is gone. */
int listener_watch(const struct listener *l, int fd)
{
	int interval = l->timeout / 2 / PROBES, ret;
	struct sockaddr_storage at;
	socklen_t length = sizeof(at);

	if (getsockname(fd, (struct sockaddr *)&at, &length))
		return -errno;
	if (at.ss_family != AF_INET && at.ss_family != AF_INET6)
		return 0;
	ret = set_socket_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	if (!ret)
		ret = set_socket_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, l->timeout > 1 ? l->timeout / 2 : 1);
	if (!ret)
		ret = set_socket_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval ? interval : 1);
	return ret ? ret : set_socket_option(fd, IPPROTO_TCP, TCP_KEEPCNT, PROBES);
}

int listener_accept(const struct listener *l, size_t i)
{
	int fd = accept4(l->fds[i], NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	return fd < 0 ? -errno : fd;
}
