/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * relay.h - a process that encrypts what a recorder sends to a receiver of archives.
 *
 * In: a connection to the receiver. Out: a socket that stands for it. Invariant: the recorder,
 * which is confined, neither has the key nor speaks TLS, and all that it does with the socket
 * it does with any other.
 *
 * The relay ends when either side has. When the recorder has ended its side, the relay closes
 * the socket if the receiver has confirmed that it has all; else it sends one byte before.
 */
#ifndef FXT_COLLECT_OUTPUT_RELAY_H
#define FXT_COLLECT_OUTPUT_RELAY_H

#include "libtls/tls.h"

/** relay_use() - the files of all relays; called before the broker starts */
void relay_use(const struct tls_files *files);

/**
 * relay_start() - agree on keys with the receiver, and start the process
 * @fd: connected to the receiver; becomes non-blocking; the caller closes it
 * @host: the name that the receiver's certificate must have
 * @end: ends the attempt when it becomes readable or is closed
 * @why: set to the reason of an error
 *
 * Called in the broker, as the invoking user.
 *
 * Return: the socket, non-blocking; a negative errno, -EINVAL if the files cannot be read.
 */
int relay_start(int fd, const char *host, int end, char why[TLS_WHY]);

#endif /* FXT_COLLECT_OUTPUT_RELAY_H */
