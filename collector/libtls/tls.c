// SPDX-License-Identifier: GPL-2.0-or-later
/* tls.c - see tls.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tls.h"

/*
 * Without older versions, a peer cannot ask for new handshakes. GnuTLS ends a session with more
 * than a few changes of keys a second.
 */
#define VERSIONS	"-VERS-ALL:+VERS-TLS1.3"

/* Records that one call takes. A record may have a single byte. */
#define TURN_RECORDS	64

struct tls {
	gnutls_certificate_credentials_t files;
};

struct tls_session {
	gnutls_session_t session;
	bool is_ready;
	bool has_end;		/* the end was read, but not returned so far */
	ssize_t end;
	char why[TLS_WHY];
};

static int read_files(struct tls *t, const struct tls_files *f, char why[TLS_WHY])
{
	int ret = gnutls_certificate_set_x509_trust_file(t->files, f->ca, GNUTLS_X509_FMT_PEM);

	if (ret <= 0) {
		snprintf(why, TLS_WHY, "cannot read the authorities in %s: %s", f->ca,
			 ret ? gnutls_strerror(ret) : "the file has no certificate");
		return -EINVAL;
	}
	ret = gnutls_certificate_set_x509_key_file(t->files, f->cert, f->key, GNUTLS_X509_FMT_PEM);
	if (!ret)
		return 0;
	snprintf(why, TLS_WHY, "cannot read the certificate %s and its key %s: %s", f->cert,
		 f->key, gnutls_strerror(ret));
	return -EINVAL;
}

int tls_open(struct tls **out, const struct tls_files *files, char why[TLS_WHY])
{
	struct tls *t = calloc(1, sizeof(*t));
	int ret;

	*out = NULL;
	if (!t || gnutls_certificate_allocate_credentials(&t->files)) {
		free(t);
		snprintf(why, TLS_WHY, "%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	ret = read_files(t, files, why);
	if (ret)
		tls_close(t);
	else
		*out = t;
	return ret;
}

void tls_close(struct tls *t)
{
	if (!t)
		return;
	gnutls_certificate_free_credentials(t->files);
	free(t);
}

/* Set the name for virtual hosts, which cannot be an address (RFC 6066). */
static int name_host(gnutls_session_t session, const char *host)
{
	unsigned char address[sizeof(struct in6_addr)];

	if (inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1)
		return 0;
	return gnutls_server_name_set(session, GNUTLS_NAME_DNS, host, strlen(host));
}

int tls_session_open(struct tls_session **out, struct tls *t, int fd, const char *host)
{
	struct tls_session *s = calloc(1, sizeof(*s));
	unsigned int flags = (host ? GNUTLS_CLIENT : GNUTLS_SERVER) | GNUTLS_NONBLOCK |
			     GNUTLS_NO_SIGNAL;

	*out = NULL;
	if (!s || gnutls_init(&s->session, flags)) {
		free(s);
		return -ENOMEM;
	}
	if (gnutls_set_default_priority_append(s->session, VERSIONS, NULL, 0) ||
	    gnutls_credentials_set(s->session, GNUTLS_CRD_CERTIFICATE, t->files) ||
	    (host && name_host(s->session, host))) {
		tls_session_close(s);
		return -ENOMEM;
	}
	if (!host)
		gnutls_certificate_server_set_request(s->session, GNUTLS_CERT_REQUIRE);
	gnutls_session_set_verify_cert(s->session, host, 0);
	gnutls_handshake_set_timeout(s->session, GNUTLS_INDEFINITE_TIMEOUT);
	gnutls_transport_set_int(s->session, fd);
	*out = s;
	return 0;
}

void tls_session_close(struct tls_session *s)
{
	if (!s)
		return;
	gnutls_deinit(s->session);
	free(s);
}

/* If a certificate is not trusted, give the reason instead of the general error. */
static void explain(struct tls_session *s, int error)
{
	gnutls_datum_t text;

	snprintf(s->why, TLS_WHY, "%s", gnutls_strerror(error));
	if (error == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR &&
	    !gnutls_certificate_verification_status_print(
			gnutls_session_get_verify_cert_status(s->session), GNUTLS_CRT_X509, &text,
			0)) {
		snprintf(s->why, TLS_WHY, "%.*s", (int)text.size, (const char *)text.data);
		gnutls_free(text.data);
	} else if (error == GNUTLS_E_FATAL_ALERT_RECEIVED) {
		snprintf(s->why, TLS_WHY, "the other side refused: %s",
			 gnutls_alert_get_name(gnutls_alert_get(s->session)));
	}
}

/* After an error that is not fatal, the rest is still in the socket, so poll() reports it. */
static int failed(struct tls_session *s, int error)
{
	if (!gnutls_error_is_fatal(error))
		return -EAGAIN;
	explain(s, error);
	return error == GNUTLS_E_PREMATURE_TERMINATION || error == GNUTLS_E_PULL_ERROR ||
	       error == GNUTLS_E_PUSH_ERROR ? -ECONNRESET : -EPROTO;
}

int tls_handshake(struct tls_session *s)
{
	int ret = gnutls_handshake(s->session);

	if (!ret) {
		s->is_ready = true;
		return 0;
	}
	if (gnutls_error_is_fatal(ret))
		gnutls_alert_send_appropriate(s->session, ret);
	ret = failed(s, ret);
	return ret == -EAGAIN ? ret : -EPROTO;
}

bool tls_is_ready(const struct tls_session *s)
{
	return s->is_ready;
}

bool tls_wants_write(const struct tls_session *s)
{
	return !s->is_ready && gnutls_record_get_direction(s->session);
}

ssize_t tls_read(struct tls_session *s, void *to, size_t bytes)
{
	size_t used = 0, largest = gnutls_record_get_max_size(s->session);
	ssize_t n = 1;
	int i;

	if (s->has_end)
		return s->end;
	for (i = 0; i < TURN_RECORDS && n > 0 && used + largest <= bytes; i++) {
		n = gnutls_record_recv(s->session, (char *)to + used, bytes - used);
		if (n > 0)
			used += n;
	}
	if (n < 0)
		n = failed(s, n);
	s->has_end = n <= 0 && n != -EAGAIN;
	s->end = n;
	return used ? (ssize_t)used : n;
}

bool tls_has_more(const struct tls_session *s)
{
	return s->has_end || gnutls_record_check_pending(s->session);
}

ssize_t tls_write(struct tls_session *s, const void *data, size_t bytes)
{
	ssize_t n = gnutls_record_send(s->session, data, bytes);

	return n < 0 ? failed(s, n) : n;
}

void tls_bye(struct tls_session *s)
{
	gnutls_bye(s->session, GNUTLS_SHUT_WR);
}

const char *tls_why(const struct tls_session *s)
{
	return s->why;
}
