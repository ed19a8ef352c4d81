/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * address.h - addresses of sockets on command lines, which name a receiver of archives.
 *
 * In:  tcp://HOST:PORT, tls://HOST:PORT, unix:PATH or vsock:CID:PORT.
 * Out: the parts, and socket addresses to connect to or to listen on.
 */
#ifndef LIBFXT_ADDRESS_H
#define LIBFXT_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/* For messages about invalid addresses. */
#define FXT_ADDRESS_EXAMPLES	\
	"tcp://HOST:PORT, tcp://[IPV6]:PORT, tls://HOST:PORT, unix:PATH or vsock:CID:PORT"

#define FXT_ADDRESS_HOST	256	/* bytes; names of DNS are shorter */
#define FXT_ADDRESS_TRIES	8	/* addresses of a host that are tried */

struct fxt_address {
	int family;			/* AF_INET (also for IPv6), AF_UNIX or AF_VSOCK */
	bool is_tls;			/* encrypt the TCP connection */
	char host[FXT_ADDRESS_HOST];	/* of TCP; "": all addresses of this machine */
	char port[8];			/* of TCP, decimal */
	const char *path;		/* of a UNIX socket; part of the parsed text */
	unsigned int cid;		/* of vsock */
	unsigned int vsock_port;	/* of vsock */
};

struct fxt_sockaddr {
	struct sockaddr_storage to;
	socklen_t length;
};

/* Does @text name a socket rather than a file? ./unix:x is a file. */
bool fxt_address_is(const char *text);

/*
 * Parse an address. @a: refers to @text. @listens: allow an empty host, the CID "any" and port 0.
 * Return: NULL, or what is wrong.
 */
const char *fxt_address_parse(struct fxt_address *a, const char *text, bool listens);

/*
 * Find the socket addresses to connect to or, with @listens, to listen on. @count: set to their
 * number, at most FXT_ADDRESS_TRIES. May ask name servers, and wait as long as resolv.conf(5) says.
 * Return: NULL, or why there are none.
 */
const char *fxt_address_resolve(const struct fxt_address *a, bool listens,
				struct fxt_sockaddr *list, size_t *count);

#endif /* LIBFXT_ADDRESS_H */
