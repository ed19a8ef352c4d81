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
 * struct connection - a sender
 * @fd: the socket
 * @peer: who it is
 * @store: where its file is
 * @max_size: bytes of its file at most, 0 for no limit
 * @received: bytes so far
 * @magic: the first of them
 * @file: its file; none before it is known to be an archive
 * @unpack: decompresses them
 * @records: follows the archive
 */
struct connection {
	int fd;
	char peer[PEER_NAME];
	const struct store *store;
	uint64_t max_size;
	uint64_t received;
	unsigned char magic[UNPACK_MAGIC];
	struct store_file file;
	struct unpack unpack;
	struct records records;
};

/**
 * connection_open() - begin
 * @store: outlives the connection
 * @fd: the socket, non-blocking; connection_end() closes it
 * @max_size: see struct connection
 *
 * Return: the connection, or NULL without memory.
 */
struct connection *connection_open(const struct store *store, int fd, uint64_t max_size);

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

/** connection_stop() - end it early, because the receiver ends; as connection_read() */
enum connection_end connection_stop(struct connection *c);

/** connection_close() - close and free it */
void connection_close(struct connection *c);

#endif /* FXT_RECEIVE_CONNECTION_H */
