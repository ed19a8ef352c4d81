/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * connection.h - one archive that comes over one connection.
 *
 * In: the bytes of a sender. Out: a file, complete or as far as it came, and a message.
 */
#ifndef FXT_RECEIVE_CONNECTION_H
#define FXT_RECEIVE_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libtls/tls.h"
#include "peer.h"
#include "records.h"
#include "store.h"
#include "unpack.h"

/** enum connection_end - how a connection ended */
enum connection_end {
	CONNECTION_COMPLETE,	/* the file has its name */
	CONNECTION_EMPTY,	/* nothing came */
	CONNECTION_PARTIAL,	/* the archive is truncated, or is none */
	CONNECTION_UNWRITABLE,	/* the file cannot be written */
};

/**
 * struct connection_limits - bytes of one archive at most, 0 for no limit
 * @file: of its file
 * @plain: of the archive without compression
 *
 * Besides, compressed data may be 256 times as long without compression, after the first 64
 * MiB: fxt-collect's are about 10 times as long.
 */
struct connection_limits {
	uint64_t file;
	uint64_t plain;
};

/**
 * struct connection - a sender
 * @fd: the socket
 * @tls: what encrypts it, or NULL
 * @peer: who it is
 * @store: where its file is
 * @owner: whom a limit for each sender is for, as of peer_owner()
 * @limits: of its archive
 * @last: when the last bytes came, or until connection_began() the connection; ns of
 *	CLOCK_MONOTONIC
 * @received: bytes so far
 * @plain: bytes of the archive, without compression
 * @magic: the first of them
 * @file: its file; none before it is known to be an archive
 * @unpack: decompresses them
 * @records: follows the archive
 */
struct connection {
	int fd;
	struct tls_session *tls;
	char peer[PEER_NAME];
	char owner[PEER_NAME];
	const struct store *store;
	const struct connection_limits *limits;
	uint64_t last;
	uint64_t received;
	uint64_t plain;
	unsigned char magic[UNPACK_MAGIC];
	struct store_file file;
	struct unpack unpack;
	struct records records;
};

/**
 * connection_open() - begin
 * @store: outlives the connection
 * @limits: outlive the connection
 * @fd: the socket, non-blocking; connection_end() closes it
 * @tls: encrypts it, and outlives it; or NULL
 *
 * Return: the connection, or NULL without memory.
 */
struct connection *connection_open(const struct store *store,
				   const struct connection_limits *limits, int fd,
				   struct tls *tls);

/**
 * connection_read() - take what has come
 * @c: the connection
 * @buffer: room for it, shared by all connections
 * @bytes: its length
 * @end: set if the connection has ended
 *
 * Reads once, so that no sender keeps the others waiting.
 *
 * Return: true if the connection has ended. Then the file is closed, and a message
 * printed.
 */
bool connection_read(struct connection *c, void *buffer, size_t bytes,
		     enum connection_end *end);

/** connection_stop() - end it early, and report why; as connection_read() */
enum connection_end connection_stop(struct connection *c, const char *why);

/** connection_now() - the time of which struct connection has @last; ns */
uint64_t connection_now(void);

/** connection_events() - for which events of poll(2) it waits */
short connection_events(const struct connection *c);

/** connection_began() - has the sender sent enough to tell what it sends? */
bool connection_began(const struct connection *c);

/** connection_close() - close and free it */
void connection_close(struct connection *c);

#endif /* FXT_RECEIVE_CONNECTION_H */
