/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tls.h - TLS 1.3 with certificates of both sides, by GnuTLS.
 *
 * In:  files of certificates and of a key; a connected socket.
 * Out: bytes from and to a peer, encrypted on the way. The user's own authority has signed the
 * peer's certificate.
 *
 * Functions that can fail return 0 or a negative errno, unless they say otherwise.
 */
#ifndef LIBTLS_TLS_H
#define LIBTLS_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define TLS_WHY		256

/** struct tls_files - paths of PEM files, all of which are needed */
struct tls_files {
	const char *cert;	/* our certificate, perhaps followed by intermediate certificates */
	const char *key;		/* our key */
	const char *ca;	/* certificates of the authorities that sign those of peers */
};

struct tls;
struct tls_session;

/** tls_open() - read certificates and key; @why: set to the reason of an error */
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
 * tls_handshake() - continue the handshake, which agrees on keys and verifies the peer. Return: 0
 * if it is complete; -EAGAIN if the socket is not ready; -EPROTO (see tls_why()).
 */
int tls_handshake(struct tls_session *s);

/** tls_is_ready() - has tls_handshake() returned 0? */
bool tls_is_ready(const struct tls_session *s);

/** tls_wants_write() - did -EAGAIN mean that the socket cannot be written? */
bool tls_wants_write(const struct tls_session *s);

/**
 * tls_read() - read what has come, after the handshake
 * @to: room for it
 * @bytes: its length, at least 16 KiB
 *
 * Takes a bounded number of records, so a peer that sends without end does not keep the caller. If
 * tls_has_more(), poll() may not report the rest.
 *
 * Return: bytes read; 0 if the peer has closed its side properly; -EAGAIN; -ECONNRESET if the
 * connection has ended otherwise; -EPROTO (see tls_why()).
 */
ssize_t tls_read(struct tls_session *s, void *to, size_t bytes);

/** tls_has_more() - will tls_read() return more, even if the socket has no more data? */
bool tls_has_more(const struct tls_session *s);

/**
 * tls_write() - write data, or a part of them. Return: bytes written; -EAGAIN: call it again with
 * the same data when the socket can be written; other errors as tls_read().
 */
ssize_t tls_write(struct tls_session *s, const void *data, size_t bytes);

/** tls_bye() - close our side properly, if the socket takes the message at once */
void tls_bye(struct tls_session *s);

/** tls_why() - why the last call has failed */
const char *tls_why(const struct tls_session *s);

#endif /* LIBTLS_TLS_H */
