/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve.h - receive from many senders at once, in one thread.
 *
 * In: listening sockets. Out: files, by way of connection.h.
 */
#ifndef FXT_RECEIVE_SERVE_H
#define FXT_RECEIVE_SERVE_H

#include "connection.h"
#include "listener.h"
#include "store.h"

#define SERVE_LISTENERS		8	/* addresses given */
#define SERVE_CONNECTIONS_MAX	1024

/**
 * struct serve_options - what to do
 * @listeners: the addresses, @listener_count of them
 * @store: where files are made
 * @connections: maximum number of connections, up to SERVE_CONNECTIONS_MAX
 * @each: maximum number of connections of one sender
 * @idle: ns of silence after which a connection makes room for another one
 * @limits: of each archive
 * @count: end after so many archives, 0 for never
 * @quiet: report errors only
 */
struct serve_options {
	struct listener listeners[SERVE_LISTENERS];
	size_t listener_count;
	struct store store;
	uint64_t connections;
	uint64_t each;
	uint64_t idle;
	struct connection_limits limits;
	uint64_t count;
	bool quiet;
};

/**
 * serve() - receive until a signal
 * @o: the options
 * @signals: becomes readable when it has to end
 *
 * Return: VERB_DONE, VERB_DEVIATES if an archive is not complete, or VERB_UNWRITABLE if
 * one could not be written.
 */
int serve_archives(const struct serve_options *o, int signals);

#endif /* FXT_RECEIVE_SERVE_H */
