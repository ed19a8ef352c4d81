/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * socket.h - a connection to a receiver of archives (fxt receive).
 *
 * A connection carries one archive, from its beginning to its end. The receiver sends
 * nothing, and closes the connection when it has all of the archive.
 */
#ifndef FXT_COLLECT_OUTPUT_SOCKET_H
#define FXT_COLLECT_OUTPUT_SOCKET_H

#include "liboutput/output_file.h"
#include "libtls/tls.h"
#include "process/error.h"

/* --- encryption ------------------------------------------------------------------------- */

/*
 * A process that encrypts what a recorder sends to a receiver. Invariant: the recorder, which is
 * confined, neither has the key nor speaks TLS; it gets a socket like any other.
 *
 * The relay ends when either side has. When the recorder has ended its side, the relay closes the
 * socket if the receiver has confirmed that it has all; otherwise it sends one byte before.
 */

/* The files of all relays; call it before the broker starts. */
void relay_use(const struct tls_files *files);

/**
 * relay_start() - agree on keys with the receiver, and start the process; called in the broker, as
 *	the invoking user
 * @fd: connected to the receiver; becomes non-blocking; the caller closes it
 * @host: the name that the receiver's certificate must have
 * @end: ends the attempt when it becomes readable or is closed
 * @why: set to the reason of an error
 *
 * Return: the socket, non-blocking; a negative errno, -EINVAL if the files cannot be read.
 */
int relay_start(int fd, const char *host, int end, char why[TLS_WHY]);

/* --- connections ------------------------------------------------------------------------ */

#define SOCKET_STALL_MS		30000	/* give up a receiver that accepts no data for so long */

/**
 * socket_connect() - connect to a receiver, by any address of its host; called in the broker, as
 * the
 *	invoking user
 * @f: set to the connection, non-blocking; on error needs no cleanup
 * @text: the address, as fxt_address_parse() takes it
 * @end: ends the attempt when it becomes readable or is closed
 *
 * Return: 0 or a negative errno.
 */
int socket_connect(struct direct *f, const char *text, int end, struct error *e);

/**
 * socket_finish() - end the archive, and wait until the receiver has all of it
 * @fd: the caller closes it
 * @relayed: a relay encrypts it (relay_start())
 * @end, @limit: as of wait_ready_for()
 *
 * Return: 0, or a negative errno if the receiver may lack a part of it.
 */
int socket_finish(int fd, bool relayed, int end, int limit);

#endif /* FXT_COLLECT_OUTPUT_SOCKET_H */
