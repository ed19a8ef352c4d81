/* SPDX-License-Identifier: GPL-2.0-or-later */
/* receive.h - receives archives over sockets into files; shared by the files of fxt-receive. */
#ifndef FXT_RECEIVE_H
#define FXT_RECEIVE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <zlib.h>
#include <zstd.h>

#include <fxt/fxt_sched.h>

#include "libfxt/address.h"
#include "libfxt/stream.h"
#include "libtls/tls.h"

/* --- who sends an archive --------------------------------------------------------------
 *
 * As the kernel knows it: claims of a sender about itself, such as the host in its archive, are
 * never used.
 */

#define PEER_NAME	64

/**
 * peer_name() - get a name for the other side, which is safe in messages and file names
 * @name: set to its address with TCP, "192.0.2.7" or "2001-db8--7"; to "uid-1000" of the user with
 *	a UNIX socket; to "cid-3" of the machine with vsock; to "unknown" if the connection has
 *	ended already
 *
 * Has letters, digits, "." and "-" only, and begins with none of the two.
 */
void peer_name(int fd, char name[PEER_NAME]);

/**
 * peer_owner() - identify the sender for limits per sender
 * @owner: set to a text that is equal for all connections of a sender: its address (of IPv6, the
 *	/64 network, because a machine has all addresses of it); "" for a UNIX socket, which only
 *	its owner can use
 */
void peer_owner(int fd, char owner[PEER_NAME]);

/* --- decompression, piece by piece ------------------------------------------------------- */

#define UNPACK_MAGIC	8	/* bytes by which the kind of an archive is detected */
#define UNPACK_TURN	(256U << 10)	/* plain bytes that a call makes, and at most a piece more */

/* Initialize with zeros. */
struct unpack {
	enum fxt_compression kind;
	ZSTD_DStream *zstd;		/* or NULL */
	z_stream gzip;
	bool within;			/* a frame or member is incomplete */
	bool has_more;			/* can make more plain bytes without a next piece */
};

typedef int unpack_sink(void *arg, const void *data, size_t bytes);

/**
 * unpack_open() - choose the decompressor by the first UNPACK_MAGIC bytes
 *
 * Return: 0; -EBADMSG if this is no archive; -ENOMEM.
 */
int unpack_open(struct unpack *u, const unsigned char *magic);

/* @u may be all zeros. */
void unpack_close(struct unpack *u);

/* The extension for a file of such an archive: ".fxt.zst". */
const char *unpack_extension(const struct unpack *u);

/**
 * unpack_add() - take the next piece, or its beginning
 * @bytes: its length; set to the number of bytes at its end that are left for the next call
 * @sink: receives the plain bytes; ends the call by returning nonzero
 *
 * Few bytes may decompress to many, so a call ends after UNPACK_TURN plain bytes.
 *
 * Return: 0, the result of @sink, -EBADMSG for damaged data, or -ENOMEM.
 */
int unpack_add(struct unpack *u, const void *data, size_t *bytes, unpack_sink *sink, void *arg);

/* --- records, piece by piece --------------------------------------------------------------
 *
 * Where does the last whole record end, and is the archive complete? The library's reader waits for
 * bytes, which a receiver of many archives cannot do. This code needs only the sizes of records and
 * the ledgers, and constant memory.
 */

#define RECORDS_STREAMS	(FXT_LEDGER_STREAM_NAMES + 1)

/* The archive so far; initialize with zeros. */
struct records {
	uint64_t offset;		/* bytes so far */
	uint64_t valid;			/* bytes up to the end of the last whole record */
	uint64_t left;			/* missing bytes of the current record, after its header */
	__u64 head[FXT_LEDGER_WORDS];	/* the first words of the current record */
	size_t head_bytes;		/* in @head */
	bool swapped;			/* the archive has the other byte order */
	bool is_own;			/* fxt-collect wrote it, so it ends with closing ledgers */
	bool has_closed;		/* at least one stream has ended */
	uint64_t open[RECORDS_STREAMS / 64];	/* bits of the streams that have not ended */
	unsigned int open_count;	/* bits in @open */
};

/* Take the next piece. Return: 0, or -EBADMSG if there is no valid record at @r->valid */
int records_add(struct records *r, const void *data, size_t bytes);

/**
 * records_complete() - may the archive end here? Return: NULL, or what is missing: the rest of a
 * record, or the closing ledger of a stream
 *
 * An archive without ledgers, of another program, may end after each record.
 */
const char *records_complete(const struct records *r);

/* --- the directory of received archives ---------------------------------------------------
 *
 * Only their owner can read them: NAME.part while they grow and if they stay incomplete, NAME when
 * they are complete. No existing file is changed.
 */

struct store {
	const char *path;		/* as given */
	int fd;
	time_t second;			/* of CLOCK_REALTIME, when the newest file was created */
	unsigned int number;		/* of names tried in this second */
};

struct store_file {
	int fd;				/* -1 if there is none */
	uint64_t bytes;
	char name[NAME_MAX + 1];	/* its name when complete */
	char part[NAME_MAX + 1];	/* its current name */
};

/* Open or create the directory. Return: 0 or a negative errno */
int store_open(struct store *s, const char *path);
void store_close(struct store *s);

/* --- one archive that comes over one connection ------------------------------------------- */

enum connection_end {
	CONNECTION_COMPLETE,	/* the archive is complete, and the file has its final name */
	CONNECTION_EMPTY,	/* the sender sent nothing */
	CONNECTION_PARTIAL,	/* the archive is truncated, or is not an archive */
	CONNECTION_UNWRITABLE,	/* the file cannot be written */
};

/*
 * Maximum bytes of one archive; 0: no limit. In addition, data beyond 64 MiB may expand at most 256
 * times; that of fxt-collect expands about 10 times.
 */
struct connection_limits {
	uint64_t file;			/* of its file */
	uint64_t plain;			/* of the archive without compression */
};

struct connection {
	int fd;				/* the socket */
	struct tls_session *tls;	/* or NULL */
	char peer[PEER_NAME];
	char owner[PEER_NAME];		/* for limits per sender, from peer_owner() */
	struct store *store;
	const struct connection_limits *limits;
	/* ns of CLOCK_MONOTONIC: of the last bytes; before connection_began(), of its begin. */
	uint64_t last;
	uint64_t received;		/* bytes so far */
	uint64_t plain;			/* bytes of the archive, without compression */
	unsigned char magic[UNPACK_MAGIC];	/* the first of them */
	struct store_file file;		/* once the data is known to be an archive */
	uint64_t packed;	/* bytes at the end of the file that are not decompressed yet */
	struct unpack unpack;
	struct records records;
};

/**
 * connection_open() - begin a connection, which @store, @limits and @tls outlive
 * @fd: the socket, non-blocking; connection_close() closes it
 * @tls: its encryption, or NULL
 *
 * Return: NULL without memory.
 */
struct connection *connection_open(struct store *store, const struct connection_limits *limits,
				   int fd, struct tls *tls);

/**
 * connection_read() - take the bytes that have come
 * @buffer: shared by all connections
 * @end: set if the connection has ended
 *
 * Reads and decompresses a bounded number of bytes, so that no sender keeps the others waiting.
 *
 * Return: true if the connection has ended. Then the file is closed, and a message printed.
 */
bool connection_read(struct connection *c, void *buffer, size_t bytes, enum connection_end *end);

/* End a connection early, and report why; as connection_read(). */
enum connection_end connection_stop(struct connection *c, const char *why);

/* ns on the clock of struct connection's @last. */
uint64_t connection_now(void);

/* The events of poll(2) that it waits for. */
short connection_events(const struct connection *c);

/* Call connection_read() again even if poll(2) reports no event? */
bool connection_has_more(const struct connection *c);

/* Has the sender sent enough bytes to detect what it sends? */
bool connection_began(const struct connection *c);

void connection_close(struct connection *c);

/* --- the sockets that senders connect to -------------------------------------------------- */

#define LISTENER_TEXT	160

struct tls;

/* An address. */
struct listener {
	int fds[FXT_ADDRESS_TRIES];	/* a socket for each address of the host */
	size_t count;
	const char *path;		/* of a UNIX socket, else NULL */
	struct tls *tls;		/* encryption of its connections, or NULL */
	int timeout;			/* seconds of silence after which a connection is dead */
};

/**
 * listener_open() - listen; a UNIX socket is its owner's only, and replaces one without a listener
 * @l: needs no cleanup after an error
 * @timeout: see struct listener
 * @tls: for encrypted addresses; the caller keeps it
 * @why: set to the reason of an error
 *
 * Return: 0 or a negative errno.
 */
int listener_open(struct listener *l, const char *text, int timeout, struct tls *tls,
		  char why[LISTENER_TEXT]);
void listener_close(struct listener *l);

/* Print the address of one of its sockets, with the actual port. */
void listener_print(const struct listener *l, size_t i, char text[LISTENER_TEXT]);

/* Return: a connection, non-blocking, or a negative errno */
int listener_accept(const struct listener *l, size_t i);

/* Let a connection of TCP end after @timeout of silence. Return: 0 or a negative errno */
int listener_watch(const struct listener *l, int fd);

/* --- many senders at once, in one thread -------------------------------------------------- */

#define SERVE_LISTENERS		8	/* addresses, at most */
#define SERVE_CONNECTIONS_MAX	1024

struct serve_options {
	struct listener listeners[SERVE_LISTENERS];
	size_t listener_count;
	struct store store;
	uint64_t connections;	/* at most, up to SERVE_CONNECTIONS_MAX */
	uint64_t each;		/* at most, of one sender */
	uint64_t minute;	/* at most, that one sender makes in a minute */
	uint64_t idle;	/* ns of silence after which a connection makes room for another one */
	struct connection_limits limits;
	uint64_t count;		/* end after this number of archives, 0 for never */
	bool quiet;		/* report errors only */
};

/**
 * serve() - receive until a signal makes @signals readable
 *
 * Return: VERB_DONE, VERB_DEVIATES if an archive is not complete, or VERB_UNWRITABLE if one could
 * not be written.
 */
int serve(struct serve_options *o, int signals);

#endif /* FXT_RECEIVE_H */
