// SPDX-License-Identifier: GPL-2.0-or-later
/* connection.c - see receive.h: one connection: its sender, the file of its archive, its state. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libfxt/clock.h"
#include "libfxt/text.h"
#include "fxt/terminal/message.h"
#include "receive.h"

/* --- who sends an archive ----------------------------------------------------------- */

/* Replace colons, which rsync and scp would take for "HOST:PATH": "::1" becomes "0--1". */
static void name_ipv6(const struct in6_addr *address, char name[PEER_NAME])
{
	char text[INET6_ADDRSTRLEN], *c;

	if (IN6_IS_ADDR_V4MAPPED(address)) {
		inet_ntop(AF_INET, &address->s6_addr[12], name, PEER_NAME);
		return;
	}
	inet_ntop(AF_INET6, address, text, sizeof(text));
	for (c = text; *c; c++)
		if (*c == ':')
			*c = '-';
	snprintf(name, PEER_NAME, "%s%s", *text == '-' ? "0" : "", text);
}

static void name_user(int fd, char name[PEER_NAME])
{
	struct ucred who;
	socklen_t length = sizeof(who);

	if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length))
		snprintf(name, PEER_NAME, "uid-%u", who.uid);
}

union peer {
	struct sockaddr any;
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;
	struct sockaddr_vm vm;
	struct sockaddr_storage room;
};

static void name_address(int fd, const union peer *from, char name[PEER_NAME])
{
	switch (from->any.sa_family) {
	case AF_INET:
		inet_ntop(AF_INET, &from->ipv4.sin_addr, name, PEER_NAME);
		break;
	case AF_INET6:
		name_ipv6(&from->ipv6.sin6_addr, name);
		break;
	case AF_UNIX:
		name_user(fd, name);
		break;
	case AF_VSOCK:
		snprintf(name, PEER_NAME, "cid-%u", from->vm.svm_cid);
		break;
	}
}

void peer_name(int fd, char name[PEER_NAME])
{
	union peer from;
	socklen_t length = sizeof(from);

	strcpy(name, "unknown");
	if (!getpeername(fd, &from.any, &length))
		name_address(fd, &from, name);
}

void peer_owner(int fd, char owner[PEER_NAME])
{
	union peer from;
	socklen_t length = sizeof(from);

	*owner = '\0';
	if (getpeername(fd, &from.any, &length) || from.any.sa_family == AF_UNIX)
		return;
	if (from.any.sa_family == AF_INET6 && !IN6_IS_ADDR_V4MAPPED(&from.ipv6.sin6_addr))
		memset(&from.ipv6.sin6_addr.s6_addr[8], 0, 8);
	name_address(fd, &from, owner);
}

/* --- the file of an archive --------------------------------------------------------- */

#define PART		".part"
#define TRIES		10000	/* files in one second, at most */

int store_open(struct store *s, const char *path)
{
	*s = (struct store){ .path = path, .fd = -1 };
	if (mkdir(path, 0700) && errno != EEXIST)
		return -errno;
	s->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->fd < 0)
		return -errno;
	if (!faccessat(s->fd, ".", W_OK | X_OK, AT_EACCESS))
		return 0;
	store_close(s);
	return -EACCES;
}

void store_close(struct store *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* Reserve the name of the complete file together with that of its part. */
static int try_name(const struct store *s, struct store_file *f)
{
	struct stat st;

	if (!fstatat(s->fd, f->name, &st, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	f->fd = openat(s->fd, f->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	return f->fd < 0 ? -errno : 0;
}

/*
 * Create PEER-DATE-TIME[-N]EXTENSION.part, with the current local time, as in segments of
 * fxt-collect. N counts the files of this second.
 */
static int store_create(struct store *s, struct store_file *f, const char *peer,
			const char *extension)
{
	char when[32], number[16] = "";
	time_t now = time(NULL);
	struct tm tm;
	int ret = -EEXIST;

	*f = (struct store_file){ .fd = -1 };
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
	if (now != s->second)
		s->number = 0;
	s->second = now;
	while (ret == -EEXIST && s->number < TRIES) {
		if (++s->number > 1)
			snprintf(number, sizeof(number), "-%u", s->number);
		snprintf(f->name, sizeof(f->name) - sizeof(PART), "%s-%s%s%s", peer, when,
			 number, extension);
		strcpy(stpcpy(f->part, f->name), PART);
		ret = try_name(s, f);
	}
	return ret;
}

/* Append bytes, as many as fit. */
static int store_write(struct store_file *f, const void *data, size_t bytes)
{
	const unsigned char *p = data;
	ssize_t n;

	while (bytes) {
		n = write(f->fd, p, bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		p += n;
		bytes -= n;
		f->bytes += n;
	}
	return 0;
}

/* Close a file and remove .part from its name, which stays unchanged on error. */
static int store_complete(const struct store *s, struct store_file *f)
{
	int ret = close(f->fd) && errno != EINTR ? -errno : 0;

	f->fd = -1;
	if (ret)
		return ret;
	if (!renameat2(s->fd, f->part, s->fd, f->name, RENAME_NOREPLACE))
		return 0;
	/* Some file systems cannot do that. The name was free when the part was created. */
	if (errno != EINVAL)
		return -errno;
	return renameat(s->fd, f->part, s->fd, f->name) ? -errno : 0;
}

/* Close an incomplete file, truncated to @keep bytes; 0 removes it. */
static void store_abandon(const struct store *s, struct store_file *f, uint64_t keep)
{
	if (f->fd < 0)
		return;
	if (!keep)
		unlinkat(s->fd, f->part, 0);
	else if (keep < f->bytes && !ftruncate(f->fd, keep))
		f->bytes = keep;
	close(f->fd);
	f->fd = -1;
}

/* --- the connection ----------------------------------------------------------------- */

/* Limit what a sender can make this process decompress; no recording has such a ratio. */
#define PLAIN_FREE	(64ULL << 20)
#define PLAIN_RATIO	256

uint64_t connection_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

struct connection *connection_open(struct store *store, const struct connection_limits *limits,
				   int fd, struct tls *tls)
{
	struct connection *c = calloc(1, sizeof(*c));

	if (!c || (tls && tls_session_open(&c->tls, tls, fd, NULL))) {
		free(c);
		return NULL;
	}
	c->fd = fd;
	c->store = store;
	c->limits = limits;
	c->last = connection_now();
	c->file.fd = -1;
	peer_name(fd, c->peer);
	peer_owner(fd, c->owner);
	return c;
}

void connection_close(struct connection *c)
{
	store_abandon(c->store, &c->file, c->file.bytes);
	unpack_close(&c->unpack);
	tls_session_close(c->tls);
	close(c->fd);
	free(c);
}

/* --- the end ---------------------------------------------------------------------- */

/* The sender waits for the end of the connection: make it an error, if the protocol can. */
static void refuse(const struct connection *c)
{
	const struct linger at_once = { .l_onoff = 1 };

	setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
}

/* A compressed file stays as it is: where in it its last whole record ends is unknown. */
static uint64_t valid_bytes(const struct connection *c)
{
	if (c->unpack.kind == FXT_PLAIN && c->records.valid < c->file.bytes)
		return c->records.valid;
	return c->file.bytes;
}

static enum connection_end end_early(struct connection *c, enum connection_end end,
				     const char *why)
{
	char kept[NAME_MAX + 64] = "nothing is kept";
	bool has_file = c->file.fd >= 0;

	refuse(c);
	store_abandon(c->store, &c->file, valid_bytes(c));
	if (has_file && c->file.bytes)
		snprintf(kept, sizeof(kept), "%llu bytes are in %s",
			 (unsigned long long)c->file.bytes, c->file.part);
	message("fxt: receive: %s: %s; %s\n", c->peer, why, kept);
	return end;
}

static enum connection_end end_unwritable(struct connection *c, int err)
{
	char why[256];

	snprintf(why, sizeof(why), "cannot write to %s: %s", c->store->path, strerror(-err));
	return end_early(c, CONNECTION_UNWRITABLE, why);
}

/* For programs that wait for the archive, or for people. */
static void print_path(const struct connection *c)
{
	char *shown = isatty(STDOUT_FILENO) ?
		      fxt_text_escape(c->store->path, strlen(c->store->path)) : NULL;

	printf("%s/%s\n", shown ? shown : c->store->path, c->file.name);
	fflush(stdout);
	free(shown);
}

static enum connection_end complete(struct connection *c)
{
	int ret = store_complete(c->store, &c->file);

	if (ret) {
		refuse(c);
		message("fxt: receive: %s: cannot rename %s/%s: %s\n", c->peer,
			c->store->path, c->file.part, strerror(-ret));
		return CONNECTION_UNWRITABLE;
	}
	if (c->tls)
		tls_bye(c->tls);
	print_path(c);
	return CONNECTION_COMPLETE;
}

/* @err: 0 if the sender has closed the connection. */
static enum connection_end end_of(struct connection *c, int err)
{
	const char *lacks = c->unpack.within ? "the compressed data ends early" :
					       records_complete(&c->records);
	char why[256];

	/* A peer without a certificate was refused before it sent an archive. */
	if (c->tls && !tls_is_ready(c->tls)) {
		message("fxt: receive: %s: refused: TLS: %s\n", c->peer,
			err == -EPROTO ? tls_why(c->tls) : "the connection has ended");
		refuse(c);
		return CONNECTION_EMPTY;
	}
	if (!err && !c->received) {
		if (c->tls)
			tls_bye(c->tls);
		return CONNECTION_EMPTY;
	}
	if (!err && c->received >= UNPACK_MAGIC && !lacks)
		return complete(c);
	snprintf(why, sizeof(why), "the archive is truncated: %s",
		 err == -EPROTO ? tls_why(c->tls) : err ? strerror(-err) :
		c->received < UNPACK_MAGIC ? "only a few bytes came" : lacks);
	return end_early(c, CONNECTION_PARTIAL, why);
}

enum connection_end connection_stop(struct connection *c, const char *why)
{
	char text[256];

	if (!c->received) {
		refuse(c);
		return CONNECTION_EMPTY;
	}
	snprintf(text, sizeof(text), "the archive is truncated: %s", why);
	return end_early(c, CONNECTION_PARTIAL, text);
}

bool connection_began(const struct connection *c)
{
	return c->received >= UNPACK_MAGIC;
}

/* --- bytes ------------------------------------------------------------------------ */

/* Few bytes may decompress to many, so check limits after each piece. */
static int add_plain(void *arg, const void *data, size_t bytes)
{
	struct connection *c = arg;
	uint64_t most = c->limits->plain;

	c->plain += bytes;
	if (most && c->plain > most)
		return -EFBIG;
	if (c->plain > PLAIN_FREE && c->plain - PLAIN_FREE > PLAIN_RATIO * c->received)
		return -E2BIG;
	return records_add(&c->records, data, bytes);
}

/* Return: 0, or a negative errno of writing the file. */
static int begin_file(struct connection *c)
{
	int ret = store_create(c->store, &c->file, c->peer, unpack_extension(&c->unpack));

	ret = ret ? ret : store_write(&c->file, c->magic, UNPACK_MAGIC);
	return ret;
}

/* Decompress the next @bytes of the file. @*bad is set if they are not an archive's. */
static int unpack_some(struct connection *c, const void *data, size_t bytes, bool *bad)
{
	size_t left = bytes;
	int ret = unpack_add(&c->unpack, data, &left, add_plain, c);

	c->packed -= bytes - left;
	*bad = ret;
	return ret;
}

/* @*bad is set if the error is the sender's fault. */
static int read_magic(struct connection *c, const unsigned char **data, size_t *bytes, bool *bad)
{
	size_t n = UNPACK_MAGIC - c->received;
	int ret;

	if (n > *bytes)
		n = *bytes;
	memcpy(c->magic + c->received, *data, n);
	c->received += n;
	*data += n;
	*bytes -= n;
	if (c->received < UNPACK_MAGIC)
		return 0;
	ret = unpack_open(&c->unpack, c->magic);
	*bad = ret == -EBADMSG;
	ret = ret ? ret : begin_file(c);
	if (ret)
		return ret;
	c->packed = UNPACK_MAGIC;
	return unpack_some(c, c->magic, UNPACK_MAGIC, bad);
}

/* @*bad is set if the bytes are not an archive's; they are in the file then. */
static int store_bytes(struct connection *c, const unsigned char *data, size_t bytes, bool *bad)
{
	int ret = 0;

	if (c->received < UNPACK_MAGIC)
		ret = read_magic(c, &data, &bytes, bad);
	if (ret || !bytes)
		return ret;
	c->received += bytes;
	ret = store_write(&c->file, data, bytes);
	if (ret)
		return ret;
	c->packed += bytes;
	return unpack_some(c, data, bytes, bad);
}

/* The file has the bytes that the last turn left, unless somebody has truncated it. */
static int unpack_rest(struct connection *c, void *buffer, size_t bytes, bool *bad)
{
	ssize_t n = pread(c->file.fd, buffer, c->packed < bytes ? c->packed : bytes,
			  c->file.bytes - c->packed);

	if (n < 0)
		return -errno;
	return n || !c->packed ? unpack_some(c, buffer, n, bad) : -EIO;
}

static enum connection_end end_bad(struct connection *c, int err)
{
	char why[160];

	if (err == -EFBIG)
		return end_early(c, CONNECTION_PARTIAL, "the archive is larger than --max-plain");
	if (err == -E2BIG)
		return end_early(c, CONNECTION_PARTIAL,
				 "the data is compressed more than any recording");
	if (c->file.fd < 0)
		return end_early(c, CONNECTION_PARTIAL, "this is not an archive");
	snprintf(why, sizeof(why), "byte %llu: %s", (unsigned long long)c->records.valid,
		 c->unpack.kind == FXT_PLAIN ? "this is not a record" :
		 "the compressed data is damaged after this byte of the archive, or needs too much "
		 "memory");
	return end_early(c, CONNECTION_PARTIAL, why);
}

/* Return: as of tls_read() */
static ssize_t receive(struct connection *c, void *buffer, size_t bytes)
{
	ssize_t n;

	if (c->tls) {
		n = tls_is_ready(c->tls) ? 0 : tls_handshake(c->tls);
		return n ? n : tls_read(c->tls, buffer, bytes);
	}
	n = read(c->fd, buffer, bytes);
	return n < 0 ? -errno : n;
}

static bool has_rest(const struct connection *c)
{
	return c->packed || c->unpack.has_more;
}

bool connection_has_more(const struct connection *c)
{
	return has_rest(c) || (c->tls && tls_has_more(c->tls));
}

short connection_events(const struct connection *c)
{
	return POLLIN | (c->tls && tls_wants_write(c->tls) ? POLLOUT : 0);
}

bool connection_read(struct connection *c, void *buffer, size_t bytes, enum connection_end *end)
{
	bool has = has_rest(c), bad = false;
	ssize_t n = has ? 0 : receive(c, buffer, bytes);
	int ret;

	if (n == -EAGAIN || n == -EINTR)
		return false;
	if (n <= 0 && !has) {
		*end = end_of(c, n);
		return true;
	}
	ret = has ? unpack_rest(c, buffer, bytes, &bad) : store_bytes(c, buffer, n, &bad);
	/* Sending single bytes must not keep a place for long. */
	if (connection_began(c))
		c->last = connection_now();
	if (ret)
		*end = bad ? end_bad(c, ret) : end_unwritable(c, ret);
	else if (c->limits->file && c->file.bytes > c->limits->file)
		*end = end_early(c, CONNECTION_PARTIAL, "the archive is larger than --max-size");
	else
		return false;
	return true;
}
