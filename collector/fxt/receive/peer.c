// SPDX-License-Identifier: GPL-2.0-or-later
/* peer.c - see peer.h. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/vm_sockets.h>

#include "peer.h"

/* Colons would read as "HOST:PATH" in rsync and scp. "::1" becomes "0--1". */
static void name_ipv6(const struct in6_addr *address, char name[PEER_NAME])
{
	char text[INET6_ADDRSTRLEN], *c;

	if (IN6_IS_ADDR_V4MAPPED(address)) {
		inet_ntop(AF_INET, &address->s6_addr[12], name, PEER_NAME);
		return;
	}
	inet_ntop(AF_INET6, address, text, sizeof(text));
	for (c = text; *c; c++)
		if (*c == ':')
			*c = '-';
	snprintf(name, PEER_NAME, "%s%s", *text == '-' ? "0" : "", text);
}

static void name_user(int fd, char name[PEER_NAME])
{
	struct ucred who;
	socklen_t length = sizeof(who);

	if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length))
		snprintf(name, PEER_NAME, "uid-%u", who.uid);
}

union peer {
	struct sockaddr any;
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;
	struct sockaddr_vm vm;
	struct sockaddr_storage room;
};

static void name_address(int fd, const union peer *from, char name[PEER_NAME])
{
	switch (from->any.sa_family) {
	case AF_INET:
		inet_ntop(AF_INET, &from->ipv4.sin_addr, name, PEER_NAME);
		break;
	case AF_INET6:
		name_ipv6(&from->ipv6.sin6_addr, name);
		break;
	case AF_UNIX:
		name_user(fd, name);
		break;
	case AF_VSOCK:
		snprintf(name, PEER_NAME, "cid-%u", from->vm.svm_cid);
		break;
	}
}

void peer_name(int fd, char name[PEER_NAME])
{
	union peer from;
	socklen_t length = sizeof(from);

	strcpy(name, "unknown");
	if (!getpeername(fd, &from.any, &length))
		name_address(fd, &from, name);
}

void peer_owner(int fd, char owner[PEER_NAME])
{
	union peer from;
	socklen_t length = sizeof(from);

	*owner = '\0';
	if (getpeername(fd, &from.any, &length) || from.any.sa_family == AF_UNIX)
		return;
	if (from.any.sa_family == AF_INET6 && !IN6_IS_ADDR_V4MAPPED(&from.ipv6.sin6_addr))
		memset(&from.ipv6.sin6_addr.s6_addr[8], 0, 8);
	name_address(fd, &from, owner);
}
