// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt receive: receives archives over the network.
 *
 * In: a command line.
 * Out: sockets, the directory, and a server of both.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libfxt/units.h"
#include "libtls/tls.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/archive.h"
#include "command/command_line.h"
#include "receive.h"

/* --------------------------------------------------------------------
 * The server.
 *
 * Memory: one buffer for all connections, and for each its state and a window of decompression. A
 * sender that is too fast waits for its socket.
 */

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

/** struct serve - the state */
struct serve {
	struct serve_options *o;
	struct connection *list[SERVE_CONNECTIONS_MAX];	/* the connections, @count of them */
	size_t count;
	/* Signals, listening sockets, connections, in this order. */
	struct pollfd fds[1 + SOCKETS + SERVE_CONNECTIONS_MAX];
	struct rates rates;		/* the connections that senders make */
	uint64_t refused;		/* number of connections that were refused */
	bool pauses;			/* no connection is accepted in the next round */
	uint64_t complete;		/* number of complete archives */
	uint64_t partial;		/* number of incomplete archives */
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

/* A sender may be silent while nothing happens there, but not when another one needs its place. */
static uint64_t patience(const struct serve *s, const struct connection *c)
{
	return connection_began(c) || s->o->idle < FIRST_NS ? s->o->idle : FIRST_NS;
}

/* Reset the connection at once, which is an error for the sender. */
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
 * it to make room.
 *
 * Return: 0, or the number of connections that take all of the room.
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

/* Return: true if it was over the rate, and the socket may give another one. */
static bool take_connection(struct serve *s, const struct listener *l, size_t i)
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
	if (!rates_take(&s->rates, owner, s->o->minute)) {
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

/*
 * Backwards, because the last connection takes the place of one that ends, and must have had its
 * turn.
 */
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
				if (!take_connection(s, l, k))
					break;
}

static bool is_done(const struct serve *s)
{
	return s->o->count && s->complete + s->partial >= s->o->count;
}

/* Return: ms to wait for events; -1 without limit. */
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

/* Each connection needs two descriptors. If the limit cannot be raised, accepting fails later. */
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

/**
 * serve() - receive until a signal
 * @signals: becomes readable when the server has to end
 *
 * Return: VERB_DONE, VERB_DEVIATES if an archive is not complete, or VERB_UNWRITABLE if
 * one could not be written.
 */
static int serve_archives(struct serve_options *o, int signals)
{
	struct serve *s = new_zero(struct serve);
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
	ret = ret ? VERB_UNWRITABLE : s->status;
	free(s);
	return ret;
}

/* --------------------------------------------------------------------
 * Fxt receive: archives that come over the network.
 */

#define CONNECTIONS	64
#define CONNECTIONS_EACH	16
#define CONNECTIONS_MINUTE	600
#define IDLE_NS		60000000000ULL
#define TIMEOUT_NS	60000000000ULL
#define NS_PER_SECOND	1000000000ULL
#define TIMEOUT_MAX	32767	/* seconds, the kernel's limit */

static bool address_word(unsigned int i, struct option_word *w)
{
	static const char *const begins[] = { "tcp://", "tls://", "unix:", "vsock:" };

	w->name = i < sizeof(begins) / sizeof(begins[0]) ? begins[i] : NULL;
	return w->name;
}

/* The command line. */
struct line {
	struct serve_options o;
	const char *addresses[SERVE_LISTENERS];	/* to listen at */
	const char *directory;			/* to write to */
	uint64_t timeout;			/* ns */
	struct tls_files files;
	struct tls *tls;			/* NULL: no address is encrypted */
};

static const char *add_address(void *line, const char *value)
{
	struct line *l = line;
	struct fxt_address a;
	const char *wrong = fxt_address_parse(&a, value, true);

	if (wrong)
		return wrong;
	if (l->o.listener_count == SERVE_LISTENERS)
		return "too many addresses";
	l->addresses[l->o.listener_count++] = value;
	return NULL;
}

#define CONNECTIONS_WRONG	"invalid number; use 1 to 1024"
#define SETS_TIME(member)							\
	.type = OPTION_TIME, OPTION_AT(uint64_t, struct line, member), .least = NS_PER_SECOND,	\
	.most = (TIMEOUT_MAX + 1) * NS_PER_SECOND - 1, .wrong = "invalid time; use 1s to 9h"
#define SETS_SIZE(member)							\
	.type = OPTION_SIZE, OPTION_AT(uint64_t, struct line, member), .least = 1,	\
	.wrong = "invalid size; use e.g. " FXT_SIZE_EXAMPLES

static const struct option_row rows[] = {
	OPTION_TITLE("Options"),
	OPTION('l', "listen", "ADDRESS", "listen at tcp://HOST:PORT, tcp://[IPV6]:PORT, unix:PATH "
	       "or vsock:CID:PORT; tcp://:PORT and vsock:any:PORT listen at all addresses of this "
	       "machine, port 0 selects a free one; tls:// instead of tcp:// encrypts, and accepts "
	       "only senders with a certificate",
	       .kind = OPTION_BEGIN, .words = address_word, .needed = true,
	       OPTION_SETS(add_address, struct line, o)),
	OPTION(0, "tls-cert", "FILE", "certificate of this receiver, for tls://",
	       .kind = OPTION_FILE, OPTION_SETS_STRING(struct line, files.cert)),
	OPTION(0, "tls-key", "FILE", "its key", .kind = OPTION_FILE,
	       OPTION_SETS_STRING(struct line, files.key)),
	OPTION(0, "tls-ca", "FILE", "certificates of the authorities that sign those of senders",
	       .kind = OPTION_FILE, OPTION_SETS_STRING(struct line, files.ca)),
	OPTION('o', "output", "DIR", "write to DIR, which is created if it does not exist",
	       .kind = OPTION_DIRECTORY, .needed = true,
	       OPTION_SETS_STRING(struct line, directory)),
	OPTION('n', "count", "N", "end after N archives",
	       OPTION_SETS_NUMBER(struct line, o.count, 1, 0, "not a number")),
	OPTION(0, "connections", "N", "refuse more than N senders at the same time, at most "
	       "1024 (default: 64)",
	       OPTION_SETS_NUMBER(struct line, o.connections, 1, SERVE_CONNECTIONS_MAX,
				  CONNECTIONS_WRONG)),
	OPTION(0, "connections-each", "N", "refuse more than N of them from one address "
	       "(default: 16)",
	       OPTION_SETS_NUMBER(struct line, o.each, 1, SERVE_CONNECTIONS_MAX,
				  CONNECTIONS_WRONG)),
	OPTION(0, "connections-minute", "N", "refuse more than N connections a "
	       "minute from one address (default: 600)",
	       OPTION_SETS_NUMBER(struct line, o.minute, 1, UINT64_MAX - 1, "not a number")),
	OPTION(0, "idle", "TIME", "end a connection that was silent for TIME if another "
	       "sender needs its place (default: 1m)", SETS_TIME(o.idle)),
	OPTION(0, "max-size", "SIZE", "end an archive that is larger than SIZE: 500M, 2G",
	       SETS_SIZE(o.limits.file)),
	OPTION(0, "max-plain", "SIZE", "end an archive that is larger than SIZE without "
	       "compression", SETS_SIZE(o.limits.plain)),
	OPTION(0, "timeout", "TIME", "with TCP, end a connection whose machine does not "
	       "answer for TIME (default: 1m)", SETS_TIME(timeout)),
	OPTION('q', "quiet", NULL, "report errors only", OPTION_SETS_BOOL(struct line, o.quiet)),
	OPTION_HELP,
	{ 0 },
};

static bool needs_tls(const struct line *l)
{
	struct fxt_address a;
	size_t i;

	for (i = 0; i < l->o.listener_count; i++)
		if (!fxt_address_parse(&a, l->addresses[i], true) && a.is_tls)
			return true;
	return false;
}

/* Signals arrive through a descriptor, and a closed pipe is an error of printf(). */
static int open_signals(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int listen_at(struct line *l)
{
	size_t wanted = l->o.listener_count, i;
	char why[LISTENER_TEXT], reason[TLS_WHY];

	if (needs_tls(l) && tls_open(&l->tls, &l->files, reason)) {
		l->o.listener_count = 0;
		message("fxt: receive: %s\n", reason);
		return VERB_UNREADABLE;
	}
	for (i = 0; i < wanted; i++) {
		l->o.listener_count = i;
		if (listener_open(&l->o.listeners[i], l->addresses[i],
				  l->timeout / NS_PER_SECOND, l->tls, why)) {
			message("fxt: receive: cannot listen at %s: %s\n", l->addresses[i], why);
			return VERB_UNREADABLE;
		}
	}
	l->o.listener_count = wanted;
	return VERB_DONE;
}

static int receive(struct line *l)
{
	int ret = store_open(&l->o.store, l->directory), status = VERB_UNWRITABLE;
	int signals = open_signals();

	if (ret)
		message("fxt: receive: cannot write to %s: %s; give -o a directory\n",
			l->directory, strerror(-ret));
	else if (signals < 0)
		message("fxt: receive: cannot set up signals: %s\n", strerror(errno));
	else
		status = listen_at(l);
	if (status == VERB_DONE)
		status = serve_archives(&l->o, signals);
	while (l->o.listener_count)
		listener_close(&l->o.listeners[--l->o.listener_count]);
	store_close(&l->o.store);
	tls_close(l->tls);
	if (signals >= 0)
		close(signals);
	return status;
}

static void set_defaults(void *line)
{
	*(struct line *)line = (struct line){
		.timeout = TIMEOUT_NS, .o.connections = CONNECTIONS, .o.each = CONNECTIONS_EACH,
		.o.minute = CONNECTIONS_MINUTE, .o.idle = IDLE_NS,
	};
}

static int run_receive(void *line, const struct operands *operands)
{
	struct line *l = line;

	(void)operands;
	if (needs_tls(l) && !(l->files.cert && l->files.key && l->files.ca))
		return archive_usage("receive", NULL,
				     "tls:// needs --tls-cert, --tls-key and --tls-ca");
	return receive(l);
}

const struct verb verb_receive = {
	.name = "receive",
	.what = "receive archives over the network from fxt-collect",
	.about =
		"Receives archives from fxt-collect -o ADDRESS, until Ctrl-C: each connection is "
		"one\n"
		"file in DIR, SENDER-DATE-TIME.fxt, or .fxt.zst or .fxt.gz as it was sent. A file's\n"
		"name ends in .part until its archive is complete, and stays so if it is truncated.\n"
		"Prints the path of each complete archive on a line of its own.\n",
	.more =
		"SENDER is the address of the sender, or uid-N with unix, cid-N with vsock. Without tls,\n"
		"anyone who can connect can send, and nothing is encrypted: see fxt-receive(1).\n"
		"exit status: 0 all archives are complete; 1 an archive is not; 2 wrong usage; 3 "
		"cannot\n"
		"listen at ADDRESS; 4 an archive cannot be written.\n",
	.rows = rows,
	.bytes = sizeof(struct line),
	.begin = set_defaults,
	.run = run_receive,
	.none = true,
};
