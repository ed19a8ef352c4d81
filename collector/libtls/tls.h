/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tls.h - TLS 1.3 over a connected socket, by GnuTLS; the user's own authority has signed the
 * certificates of both sides. Functions of type int return 0 or a negative errno.
 */
#ifndef LIBTLS_TLS_H
#define LIBTLS_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define TLS_WHY		256

/* Paths of PEM files, all of which are needed. */
struct tls_files {
	const char *cert;	/* our certificate, perhaps followed by intermediate certificates */
	const char *key;	/* our key */
	const char *ca;		/* certificates of the authorities that sign those of peers */
};

struct tls;
struct tls_session;

/* Read certificates and key; @why is set to the reason of an error. */
int tls_open(struct tls **t, const struct tls_files *files, char why[TLS_WHY]);
void tls_close(struct tls *t);

/**
 * tls_session_open() - begin to speak TLS
 * @t: outlives it
 * @fd: a connected socket, which the caller keeps and closes
 * @host: the host to reach, for which the peer's certificate must be; NULL: we are the server
 */
int tls_session_open(struct tls_session **s, struct tls *t, int fd, const char *host);
void tls_session_close(struct tls_session *s);

/**
 * tls_handshake() - agree on keys and verify the peer. Return: 0 if the handshake is complete;
 * -EAGAIN if the socket is not ready; -EPROTO (see tls_why())
 */
int tls_handshake(struct tls_session *s);

/* Has tls_handshake() returned 0? */
bool tls_is_ready(const struct tls_session *s);

/* Did -EAGAIN mean that the socket cannot be written? */
bool tls_wants_write(const struct tls_session *s);

/**
 * tls_read() - read what has come, after the handshake
 * @bytes: room, at least 16 KiB
 *
 * Takes a bounded number of records, so a peer that sends without end does not keep the caller. If
 * tls_has_more(), poll() may not report the rest.
 *
 * Return: bytes read; 0 if the peer has closed its side properly; -EAGAIN; -ECONNRESET if the
 * connection has ended otherwise; -EPROTO (see tls_why()).
 */
ssize_t tls_read(struct tls_session *s, void *to, size_t bytes);

/* Will tls_read() return more, even if the socket has no more data? */
bool tls_has_more(const struct tls_session *s);

/**
 * tls_write() - write some of the data. Return: bytes written; -EAGAIN: call it again with the same
 * data when the socket can be written; other errors as tls_read()
 */
ssize_t tls_write(struct tls_session *s, const void *data, size_t bytes);

/* Close our side properly, if the socket takes the message at once. */
void tls_bye(struct tls_session *s);

/* Why the last call has failed. */
const char *tls_why(const struct tls_session *s);

#endif /* LIBTLS_TLS_H */
