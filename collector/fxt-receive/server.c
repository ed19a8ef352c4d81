// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * server.c - see receive.h: receives from many senders at once, in one thread.
 *
 * Memory: one buffer for all connections, and for each its state and a window of decompression. A
 * sender that is too fast waits for its socket.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fxt/terminal/exit_status.h"
#include "fxt/terminal/message.h"
#include "receive.h"

#define BUFFER_BYTES	(64U << 10)
/* After a lack of descriptors or memory, wait for connections to end. */
#define PAUSE_MS	100
/* Connections over the rate that a socket gives in a turn, because refusing them takes little time. */
#define TURN_CONNECTIONS	64
/* Only a sender that waits for its start (--start-at) sends no first bytes for so long. */
#define FIRST_NS	10000000000ULL
#define OTHER_FILES	32	/* descriptors other than those of connections */
#define FILES_EACH	2	/* a connection and its file */

#define SOCKETS		(SERVE_LISTENERS * FXT_ADDRESS_TRIES)

/* --- connections that each sender makes in a minute -------------------------------------- */

#define RATES		1024
#define MINUTE_NS	60000000000ULL

struct rate {
	char owner[PEER_NAME];		/* from peer_owner() */
	uint64_t since;			/* ns of CLOCK_MONOTONIC, when its current minute began */
	uint64_t count;			/* connections since then */
};

/* The senders of the last minute; initialize with zeros. */
struct rates {
	struct rate list[RATES];	/* a new one replaces that of the oldest minute */
	size_t count;
};

static void report_rate(const struct rate *r, uint64_t most)
{
	if (r->count > most)
		message("fxt: receive: %s: refused %" PRIu64 " connections in a minute\n", r->owner,
			r->count - most);
}

/* Return: the sender's entry; that of the oldest minute takes the place of a new sender. */
static struct rate *find_rate(struct rates *r, const char *owner)
{
	struct rate *oldest = r->list;
	size_t i;

	for (i = 0; i < r->count; i++) {
		if (!strcmp(r->list[i].owner, owner))
			return &r->list[i];
		if (r->list[i].since < oldest->since)
			oldest = &r->list[i];
	}
	return r->count < RATES ? &r->list[r->count++] : oldest;
}

/*
 * Count a connection of @owner; "" is one without a limit. Report the first connection that is too
 * many, and, when the minute is over and the sender is seen again or forgotten, how many others
 * there were. Return: false if it is too many.
 */
static bool rates_allow(struct rates *r, const char *owner, uint64_t most)
{
	uint64_t now = connection_now();
	struct rate *of;

	if (!*owner)
		return true;
	of = find_rate(r, owner);
	if (strcmp(of->owner, owner) || now - of->since >= MINUTE_NS) {
		report_rate(of, most);
		of->since = now;
		of->count = 0;
		snprintf(of->owner, sizeof(of->owner), "%s", owner);
	}
	if (++of->count == most + 1)
		message("fxt: receive: %s: refused: it made %" PRIu64 " connections in a minute; "
			"see --connections-minute\n",
			owner, most);
	return of->count <= most;
}

/* Report what is not reported yet. */
static void rates_end(struct rates *r, uint64_t most)
{
	size_t i;

	for (i = 0; i < r->count; i++)
		report_rate(&r->list[i], most);
}

/* --- all connections ---------------------------------------------------------------------- */

struct serve {
	struct serve_options *o;
	struct connection *list[SERVE_CONNECTIONS_MAX];
	size_t count;
	/* Signals, listening sockets, connections, in this order. */
	struct pollfd fds[1 + SOCKETS + SERVE_CONNECTIONS_MAX];
	struct rates rates;
	uint64_t refused;		/* connections */
	bool pauses;			/* no connection is accepted in the next round */
	uint64_t complete;		/* archives */
	uint64_t partial;		/* archives */
	int status;			/* the worst exit status so far */
	unsigned char buffer[BUFFER_BYTES];
};

static void note_end(struct serve *s, enum connection_end end)
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

/* A sender without events may be silent, but not when another one needs its place. */
static uint64_t patience(const struct serve *s, const struct connection *c)
{
	return connection_began(c) || s->o->idle < FIRST_NS ? s->o->idle : FIRST_NS;
}

/* An immediate reset is an error for the sender. */
static void turn_away(struct serve *s, int fd)
{
	const struct linger at_once = { .l_onoff = 1 };

	s->refused++;
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(fd);
}

static void report_full(int fd, uint64_t count, bool is_owners)
{
	char peer[PEER_NAME];

	peer_name(fd, peer);
	message("fxt: receive: %s: refused: there are %" PRIu64 " connections%s already; see "
		"--connections%s\n",
		peer, count, is_owners ? " from there" : "", is_owners ? "-each" : "");
}

/*
 * Is there room for one more connection, of @owner or (NULL) of anyone? If one has been silent, end
 * it to make room. Return: 0, or the number of connections that take all of the room
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
	message("fxt: receive: %s: ended, because it was silent and another sender needs its "
		"place\n",
		s->list[quietest]->peer);
	note_end(s, connection_stop(s->list[quietest], "its sender was silent for too long"));
	drop(s, quietest);
	return 0;
}

static bool has_room(struct serve *s, int fd, const char *owner)
{
	uint64_t count = 0;

	if (*owner)
		count = find_room(s, owner, s->o->each);
	if (count) {
		report_full(fd, count, true);
		return false;
	}
	count = find_room(s, NULL, s->o->connections);
	if (count)
		report_full(fd, count, false);
	return !count;
}

/* Return: true if it was over the rate, and the socket may give another one */
static bool accept_connection(struct serve *s, const struct listener *l, size_t i)
{
	int fd = listener_accept(l, i);
	struct connection *c = NULL;
	char owner[PEER_NAME];

	if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM || fd == -ENOBUFS) {
		message("fxt: receive: cannot accept a connection: %s\n", strerror(-fd));
		s->pauses = true;
	}
	if (fd < 0)
		return false;
	peer_owner(fd, owner);
	if (!rates_allow(&s->rates, owner, s->o->minute)) {
		turn_away(s, fd);
		return true;
	}
	if (!has_room(s, fd, owner)) {
		turn_away(s, fd);
		return false;
	}
	if (!listener_watch(l, fd))
		c = connection_open(&s->o->store, &s->o->limits, fd, l->tls);
	if (c)
		s->list[s->count++] = c;
	else
		close(fd);
	return false;
}

/* Return: number of entries in @s->fds */
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

/* Backwards, because the last connection replaces one that ends, and must have had its turn. */
static void read_all(struct serve *s, const struct pollfd *fds)
{
	enum connection_end end;
	size_t i;

	for (i = s->count; i--; ) {
		if ((!fds[i].revents && !connection_has_more(s->list[i])) ||
		    !connection_read(s->list[i], s->buffer, sizeof(s->buffer), &end))
			continue;
		note_end(s, end);
		drop(s, i);
	}
}

static void accept_all(struct serve *s, const struct pollfd *fds)
{
	const struct listener *l = s->o->listeners;
	size_t i, k, n;

	for (i = 0; i < s->o->listener_count; i++, l++)
		for (k = 0; k < l->count; k++, fds++)
			for (n = 0; fds->revents && n < TURN_CONNECTIONS; n++)
				if (!accept_connection(s, l, k))
					break;
}

static bool is_done(const struct serve *s)
{
	return s->o->count && s->complete + s->partial >= s->o->count;
}

/* ms to wait for events; -1 without limit. */
static int patience_ms(const struct serve *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (connection_has_more(s->list[i]))
			return 0;
	return s->pauses ? PAUSE_MS : -1;
}

static int loop(struct serve *s, int signals)
{
	size_t n, sockets;
	int ret;

	while (!is_done(s)) {
		n = watch(s, signals);
		sockets = n - 1 - s->count;
		ret = poll(s->fds, n, patience_ms(s));
		if (ret < 0 && errno != EINTR)
			return -errno;
		s->pauses = false;
		if (ret < 0)
			continue;
		if (s->fds[0].revents)
			return 0;
		/* Serve connections first, because accepting adds to the list. */
		read_all(s, s->fds + 1 + sockets);
		accept_all(s, s->fds + 1);
	}
	return 0;
}

/* If the limit cannot be raised, accepting fails later. */
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

int serve(struct serve_options *o, int signals)
{
	static struct serve state;
	struct serve *s = &state;
	int ret;

	s->o = o;
	raise_limit(o->connections);
	if (!o->quiet)
		print_sockets(o);
	ret = loop(s, signals);
	if (ret)
		message("fxt: receive: cannot wait for connections: %s\n", strerror(-ret));
	while (s->count) {
		note_end(s, connection_stop(s->list[s->count - 1], "the receiver was stopped"));
		drop(s, s->count - 1);
	}
	rates_end(&s->rates, o->minute);
	if (!o->quiet)
		message("fxt: receive: %" PRIu64 " archive%s complete, %" PRIu64 " not; %" PRIu64
			" connection%s refused\n",
			s->complete, s->complete == 1 ? "" : "s", s->partial, s->refused,
			s->refused == 1 ? "" : "s");
	return ret ? VERB_UNWRITABLE : s->status;
}
