// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * serve.c - see serve.h.
 *
 * Memory: one buffer for all, and for each connection its place in an archive and a window
 * of decompression. A sender that is too fast waits for its socket.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "terminal/exit_status.h"
#include "terminal/message.h"
#include "connection.h"
#include "serve.h"

#define BUFFER_BYTES	(256U << 10)
/* After a lack of descriptors or memory, time for connections to end. */
#define PAUSE_MS	100
/* Only a sender that waits for its start (--start-at) has no first bytes for so long. */
#define FIRST_NS	10000000000ULL
#define OTHER_FILES	32	/* descriptors besides those of connections */
#define FILES_EACH	2	/* a connection and its file */

#define SOCKETS		(SERVE_LISTENERS * FXT_ADDRESS_TRIES)

/**
 * struct serve - the state
 * @list: the connections, @count of them
 * @fds: signals, listening sockets, connections, in this order
 * @pauses: no connection is accepted in the next round
 * @complete: archives that are
 * @partial: those that are not
 * @status: the worst so far
 */
struct serve {
	const struct serve_options *o;
	struct connection *list[SERVE_CONNECTIONS_MAX];
	size_t count;
	struct pollfd fds[1 + SOCKETS + SERVE_CONNECTIONS_MAX];
	bool pauses;
	uint64_t complete;
	uint64_t partial;
	int status;
	unsigned char buffer[BUFFER_BYTES];
};

static void note(struct serve *s, enum connection_end end)
{
	int status = end == CONNECTION_UNWRITABLE ? VERB_UNWRITABLE :
		     end == CONNECTION_PARTIAL ? VERB_DEVIATES : VERB_DONE;

	s->complete += end == CONNECTION_COMPLETE;
	s->partial += status != VERB_DONE;
	if (status > s->status)
		s->status = status;
}

static void drop(struct serve *s, size_t i)
{
	connection_close(s->list[i]);
	s->list[i] = s->list[--s->count];
}

/*
 * A sender may be silent for as long as nothing happens there, but not while another one needs
 * its place.
 */
static uint64_t patience(const struct serve *s, const struct connection *c)
{
	return connection_began(c) || s->o->idle < FIRST_NS ? s->o->idle : FIRST_NS;
}

/* A connection that is reset at once is an error for the sender. */
static void turn_away(int fd, uint64_t count, bool is_owners)
{
	const struct linger at_once = { .l_onoff = 1 };
	char peer[PEER_NAME];

	peer_name(fd, peer);
	message("fxt: receive: %s: refused: there are %" PRIu64 " connections%s already; see --connections%s\n",
		peer, count, is_owners ? " from there" : "", is_owners ? "-each" : "");
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(fd);
}

/*
 * Find out whether there is room for one more, of @owner or (NULL) of anyone, and make some if
 * a connection has been silent.
 *
 * Return: 0, or the number of connections that have all of the room.
 */
static uint64_t find_room(struct serve *s, const char *owner, uint64_t most)
{
	size_t i, count = 0, quietest = SIZE_MAX;

	for (i = 0; i < s->count; i++) {
		if (owner && strcmp(owner, s->list[i]->owner))
			continue;
		count++;
		if (quietest == SIZE_MAX || s->list[i]->last < s->list[quietest]->last)
			quietest = i;
	}
	if (count < most)
		return 0;
	if (connection_now() - s->list[quietest]->last < patience(s, s->list[quietest]))
		return count;
	message("fxt: receive: %s: was silent, and another sender needs its place\n",
		s->list[quietest]->peer);
	note(s, connection_stop(s->list[quietest], "its sender was silent for too long"));
	drop(s, quietest);
	return 0;
}

static bool has_room(struct serve *s, int fd)
{
	char owner[PEER_NAME];
	uint64_t count = 0;

	peer_owner(fd, owner);
	if (*owner)
		count = find_room(s, owner, s->o->each);
	if (count) {
		turn_away(fd, count, true);
		return false;
	}
	count = find_room(s, NULL, s->o->connections);
	if (count)
		turn_away(fd, count, false);
	return !count;
}

static void take_connection(struct serve *s, const struct listener *l, size_t i)
{
	int fd = listener_accept(l, i);
	struct connection *c;

	if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM || fd == -ENOBUFS) {
		message("fxt: receive: cannot accept a connection: %s\n", strerror(-fd));
		s->pauses = true;
	}
	if (fd < 0)
		return;
	if (!has_room(s, fd))
		return;
	c = connection_open(&s->o->store, &s->o->limits, fd, l->tls);
	if (c)
		s->list[s->count++] = c;
	else
		close(fd);
}

/* Return: number of entries in @s->fds. */
static size_t watch(struct serve *s, int signals)
{
	size_t n = 0, i, k;

	s->fds[n++] = (struct pollfd){ .fd = signals, .events = POLLIN };
	for (i = 0; i < s->o->listener_count; i++)
		for (k = 0; k < s->o->listeners[i].count; k++)
			s->fds[n++] = (struct pollfd){
				.fd = s->pauses ? -1 : s->o->listeners[i].fds[k],
				.events = POLLIN,
			};
	for (i = 0; i < s->count; i++)
		s->fds[n++] = (struct pollfd){
			.fd = s->list[i]->fd, .events = connection_events(s->list[i]),
		};
	return n;
}

/* From the last one, so that one that takes the place of another has had its turn. */
static void read_all(struct serve *s, const struct pollfd *fds)
{
	enum connection_end end;
	size_t i;

	for (i = s->count; i--; ) {
		if (!fds[i].revents ||
		    !connection_read(s->list[i], s->buffer, sizeof(s->buffer), &end))
			continue;
		note(s, end);
		drop(s, i);
	}
}

static void accept_all(struct serve *s, const struct pollfd *fds)
{
	size_t i, k;

	for (i = 0; i < s->o->listener_count; i++)
		for (k = 0; k < s->o->listeners[i].count; k++)
			if (fds++->revents)
				take_connection(s, &s->o->listeners[i], k);
}

static bool is_done(const struct serve *s)
{
	return s->o->count && s->complete + s->partial >= s->o->count;
}

static int loop(struct serve *s, int signals)
{
	size_t n, sockets;
	int ret;

	while (!is_done(s)) {
		n = watch(s, signals);
		sockets = n - 1 - s->count;
		ret = poll(s->fds, n, s->pauses ? PAUSE_MS : -1);
		if (ret < 0 && errno != EINTR)
			return -errno;
		s->pauses = false;
		if (ret <= 0)
			continue;
		if (s->fds[0].revents)
			return 0;
		/* Connections first: accepting adds to the list. */
		read_all(s, s->fds + 1 + sockets);
		accept_all(s, s->fds + 1);
	}
	return 0;
}

/* Each connection needs two descriptors. If that is not permitted, accepting says so. */
static void raise_limit(uint64_t connections)
{
	rlim_t need = connections * FILES_EACH + OTHER_FILES;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= need)
		return;
	limit.rlim_cur = need < limit.rlim_max ? need : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void print_sockets(const struct serve_options *o)
{
	char text[LISTENER_TEXT];
	size_t i, k;

	for (i = 0; i < o->listener_count; i++) {
		for (k = 0; k < o->listeners[i].count; k++) {
			listener_print(&o->listeners[i], k, text);
			message("fxt: receive: listening at %s\n", text);
		}
	}
}

int serve_archives(const struct serve_options *o, int signals)
{
	struct serve *s = calloc(1, sizeof(*s));
	int ret;

	if (!s) {
		message("fxt: receive: %s\n", strerror(ENOMEM));
		return VERB_UNWRITABLE;
	}
	s->o = o;
	raise_limit(o->connections);
	if (!o->quiet)
		print_sockets(o);
	ret = loop(s, signals);
	if (ret)
		message("fxt: receive: cannot wait for connections: %s\n", strerror(-ret));
	while (s->count) {
		note(s, connection_stop(s->list[s->count - 1], "the receiver was stopped"));
		drop(s, s->count - 1);
	}
	if (!o->quiet)
		message("fxt: receive: %" PRIu64 " archive%s complete, %" PRIu64 " not\n",
			s->complete, s->complete == 1 ? "" : "s", s->partial);
	ret = ret ? VERB_UNWRITABLE : s->status;
	free(s);
	return ret;
}
