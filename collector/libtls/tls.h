/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tls.h - TLS with certificates of both sides, by GnuTLS.
 *
 * In: files of certificates and of a key; a connected socket. Out: bytes, encrypted on the
 * way, from and to a peer whose certificate an authority of the user's own has signed.
 */
#ifndef LIBTLS_TLS_H
#define LIBTLS_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define TLS_WHY		256

/**
 * struct tls_files - paths of files in PEM; all are needed
 * @cert: our certificate, perhaps with those of authorities between it and the root
 * @key: our key
 * @ca: certificates of the authorities that sign those of peers
 */
struct tls_files {
	const char *cert;
	const char *key;
	const char *ca;
};

struct tls;
struct tls_session;

/**
 * tls_open() - read certificates and key
 * @t: set to them
 * @files: their paths
 * @why: set to the reason of an error
 *
 * Return: 0 or a negative errno.
 */
int tls_open(struct tls **t, const struct tls_files *files, char why[TLS_WHY]);
void tls_close(struct tls *t);

/**
 * tls_session_open() - begin to speak TLS
 * @s: set to the session
 * @t: outlives it
 * @fd: a connected socket, which the caller keeps and closes
 * @host: whom to reach: the certificate must be of this host; NULL: we are the server
 *
 * Return: 0 or -ENOMEM.
 */
int tls_session_open(struct tls_session **s, struct tls *t, int fd, const char *host);
void tls_session_close(struct tls_session *s);

/**
 * tls_handshake() - go on to agree on keys, and verify the peer
 *
 * Return: 0; -EAGAIN if the socket is not ready; -EPROTO (tls_why()).
 */
int tls_handshake(struct tls_session *s);

/** tls_is_ready() - has tls_handshake() returned 0? */
bool tls_is_ready(const struct tls_session *s);

/** tls_wants_write() - did -EAGAIN mean that the socket cannot be written? */
bool tls_wants_write(const struct tls_session *s);

/**
 * tls_read() - read what has come, after the handshake
 * @s: the session
 * @to: room for it
 * @bytes: its length, at least 16 KiB
 *
 * Return: bytes; 0 if the peer has ended its side in order; -EAGAIN; -ECONNRESET if the
 * connection has ended otherwise; -EPROTO (tls_why()).
 */
ssize_t tls_read(struct tls_session *s, void *to, size_t bytes);

/** tls_has_more() - will tls_read() return more, although the socket has no more? */
bool tls_has_more(const struct tls_session *s);

/**
 * tls_write() - write a part
 *
 * Return: bytes; -EAGAIN: call it again with the same data when the socket can be written; as
 * of tls_read().
 */
ssize_t tls_write(struct tls_session *s, const void *data, size_t bytes);

/** tls_bye() - end our side in order; as far as the socket takes it at once */
void tls_bye(struct tls_session *s);

/** tls_why() - why the last call has failed */
const char *tls_why(const struct tls_session *s);

#endif /* LIBTLS_TLS_H */
