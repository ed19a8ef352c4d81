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

/** struct fxt_address - a parsed address */
struct fxt_address {
	int family;			/* AF_INET (IPv6 as well), AF_UNIX or AF_VSOCK */
	bool is_tls;			/* the TCP connection is encrypted */
	char host[FXT_ADDRESS_HOST];	/* of TCP; "" for all addresses of this machine */
	char port[8];			/* of TCP, as a number in text */
	const char *path;		/* of a UNIX socket; part of the text that was parsed */
	unsigned int cid;		/* of vsock */
	unsigned int vsock_port;	/* of vsock */
};

/** struct fxt_sockaddr - an address for connect(2) and bind(2) */
struct fxt_sockaddr {
	struct sockaddr_storage to;
	socklen_t length;
};

/** fxt_address_is() - does @text name a socket rather than a file? ./unix:x is a file */
bool fxt_address_is(const char *text);

/**
 * fxt_address_parse() - parse an address
 * @a: filled in; refers to @text
 * @listens: an empty host, the CID "any" and port 0 are allowed
 *
 * Return: NULL, or what is wrong.
 */
const char *fxt_address_parse(struct fxt_address *a, const char *text, bool listens);

/**
 * fxt_address_resolve() - find the socket addresses of an address
 * @listens: find addresses to listen on, not to connect to
 * @count: set to their number, at most FXT_ADDRESS_TRIES
 *
 * May ask name servers, and wait for them as long as resolv.conf(5) says.
 *
 * Return: NULL, or why there are none.
 */
const char *fxt_address_resolve(const struct fxt_address *a, bool listens,
				struct fxt_sockaddr *list, size_t *count);

#endif /* LIBFXT_ADDRESS_H */
