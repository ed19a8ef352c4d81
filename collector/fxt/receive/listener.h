/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listener.h - the sockets that senders of archives connect to.
 *
 * In: an address. Out: sockets that listen, and connections.
 */
#ifndef FXT_RECEIVE_LISTENER_H
#define FXT_RECEIVE_LISTENER_H

#include <stddef.h>
#include <stdint.h>

#include "libfxt/address.h"

#define LISTENER_TEXT	160

struct tls;

/**
 * struct listener - an address
 * @fds: a socket for each address of the host
 * @count: number of sockets
 * @path: of a UNIX socket, else NULL
 * @tls: for its connections; NULL: they are not encrypted
 * @timeout: seconds of silence after which a connection is dead
 */
struct listener {
	int fds[FXT_ADDRESS_TRIES];
	size_t count;
	const char *path;
	struct tls *tls;
	int timeout;
};

/**
 * listener_open() - listen
 * @l: set to the listener; on error needs no cleanup
 * @text: the address
 * @timeout: see struct listener
 * @tls: for an address that is encrypted; the caller keeps it
 * @why: set to the reason of an error, of at most LISTENER_TEXT bytes
 *
 * A UNIX socket can be used by its owner only. One that nobody listens to any more is
 * replaced.
 *
 * Return: 0 or a negative errno.
 */
int listener_open(struct listener *l, const char *text, int timeout, struct tls *tls,
		  char why[LISTENER_TEXT]);
void listener_close(struct listener *l);

/** listener_print() - the address of one of its sockets, with the port that it has got */
void listener_print(const struct listener *l, size_t i, char text[LISTENER_TEXT]);

/**
 * listener_accept() - take a connection
 * @l: the listener
 * @i: number of the socket
 *
 * Return: the connection, non-blocking, or a negative errno.
 */
int listener_accept(const struct listener *l, size_t i);

#endif /* FXT_RECEIVE_LISTENER_H */
