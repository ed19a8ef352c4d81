// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Archives over TLS: fxt receive, and fxt-collect's relay. An archive arrives if and only if both
 * sides have been authenticated, it is only complete if its sender has ended it properly, the
 * sender learns whether the receiver has all of it, and no sender keeps the others waiting.
 */
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include "fxt-collect/output/socket.h"
#include "output/socket.h"
#include "receive_fixture.h"

struct party {
	gnutls_x509_privkey_t key;
	gnutls_x509_crt_t cert;
};

static void save_party(const char *dir, const char *name, const struct party *p)
{
	char path[RECORD_PATH + 64];
	gnutls_datum_t text;

	snprintf(path, sizeof(path), "%s/%s.crt", dir, name);
	gnutls_x509_crt_export2(p->cert, GNUTLS_X509_FMT_PEM, &text);
	save_file(path, text.data, text.size);
	gnutls_free(text.data);
	snprintf(path, sizeof(path), "%s/%s.key", dir, name);
	gnutls_x509_privkey_export2(p->key, GNUTLS_X509_FMT_PEM, &text);
	save_file(path, text.data, text.size);
	gnutls_free(text.data);
}

/*
 * Make a certificate. @ca: signs it; NULL: itself, as an authority. @host: name in the certificate
 */
static void make_party(struct party *p, const struct party *ca, const char *dir,
		       const char *name, const char *host)
{
	static unsigned char serial;

	serial++;
	gnutls_x509_privkey_init(&p->key);
	gnutls_x509_privkey_generate(p->key, GNUTLS_PK_ECDSA,
				     GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);
	gnutls_x509_crt_init(&p->cert);
	gnutls_x509_crt_set_version(p->cert, 3);
	gnutls_x509_crt_set_serial(p->cert, &serial, 1);
	gnutls_x509_crt_set_dn_by_oid(p->cert, GNUTLS_OID_X520_COMMON_NAME, 0, name, strlen(name));
	gnutls_x509_crt_set_activation_time(p->cert, time(NULL) - 86400);
	gnutls_x509_crt_set_expiration_time(p->cert, time(NULL) + 86400);
	gnutls_x509_crt_set_key(p->cert, p->key);
	gnutls_x509_crt_set_basic_constraints(p->cert, !ca, -1);
	if (host)
		gnutls_x509_crt_set_subject_alt_name(p->cert, GNUTLS_SAN_DNSNAME, host,
						     strlen(host), GNUTLS_FSAN_SET);
	gnutls_x509_crt_sign2(p->cert, ca ? ca->cert : p->cert, ca ? ca->key : p->key,
			      GNUTLS_DIG_SHA256, 0);
	save_party(dir, name, p);
}

static void drop_party(struct party *p)
{
	gnutls_x509_crt_deinit(p->cert);
	gnutls_x509_privkey_deinit(p->key);
}

FIXTURE(tls)
{
	FIXTURE_DATA(receive) of;
	char paths[9][RECORD_PATH];
	int end[2];		/* ends an attempt to connect; never readable here */
};

static const char *path_of(FIXTURE_DATA(tls) *self, unsigned int i, const char *name)
{
	snprintf(self->paths[i], RECORD_PATH, "%.200s/%s", self->of.dir, name);
	return self->paths[i];
}

FIXTURE_SETUP(tls)
{
	struct party ca, other, p;

	receive_setup(_metadata, &self->of, NULL);
	ASSERT_EQ(0, pipe(self->end));
	make_party(&ca, NULL, self->of.dir, "ca", NULL);
	make_party(&other, NULL, self->of.dir, "other", NULL);
	make_party(&p, &ca, self->of.dir, "receiver", "collector.example");
	drop_party(&p);
	make_party(&p, &ca, self->of.dir, "sender", "sender.example");
	drop_party(&p);
	make_party(&p, &other, self->of.dir, "stranger", "sender.example");
	drop_party(&p);
	drop_party(&ca);
	drop_party(&other);
}

FIXTURE_TEARDOWN(tls)
{
	close(self->end[0]);
	close(self->end[1]);
	receive_teardown(_metadata, &self->of, NULL);
}

static int start(FIXTURE_DATA(tls) *self, const char *count)
{
	return receiver_start(&self->of.r, self->of.dir, "tls://127.0.0.1:0", (const char *[]){
		"-n", count, "--tls-cert", path_of(self, 0, "receiver.crt"), "--tls-key",
		path_of(self, 1, "receiver.key"), "--tls-ca", path_of(self, 2, "ca.crt"), NULL });
}

/* Connect as @name to a receiver that @ca has signed for @host. Return: as relay_start(). */
static int relay(FIXTURE_DATA(tls) *self, const char *name, const char *ca, const char *host,
		 char why[TLS_WHY])
{
	char cert[64], key[64];
	int fd = receiver_connect(self->of.r.address), ret;

	if (fd < 0)
		return fd;
	snprintf(cert, sizeof(cert), "%s.crt", name);
	snprintf(key, sizeof(key), "%s.key", name);
	relay_use(&(struct tls_files){ path_of(self, 3, cert), path_of(self, 4, key),
				       path_of(self, 5, ca) });
	ret = relay_start(fd, host, self->end[0], why);
	close(fd);
	return ret;
}

/* The relay's socket does not block, and neither do the recorder's writes. */
static int send_bytes(int fd, const struct bytes *b, size_t count)
{
	size_t at = 0;
	ssize_t n;

	while (at < count) {
		n = send(fd, b->data + at, count - at, MSG_NOSIGNAL);
		if (n > 0)
			at += n;
		else if (errno != EAGAIN)
			return -errno;
		else
			sleep_ms(1);
	}
	return 0;
}

#define COLLECTOR	"collector.example"
#define FILES	receiver_files(&self->of.r, false) + receiver_files(&self->of.r, true)
#define HEARS(what)								\
	EXPECT_EQ(0, receiver_says(&self->of.r, what)) TH_LOG("%s", self->of.r.text)

TEST_F(tls, archive)
{
	char why[TLS_WHY] = "";
	int fd;

	ASSERT_EQ(0, start(self, "1")) TH_LOG("%s", self->of.r.text);
	EXPECT_EQ(0, strncmp(self->of.r.address, "tls://127.0.0.1:", 16));
	fd = relay(self, "sender", "ca.crt", COLLECTOR, why);
	ASSERT_LE(0, fd) TH_LOG("%s", why);
	EXPECT_EQ(0, send_bytes(fd, &self->of.sent, self->of.sent.count));
	EXPECT_EQ(0, socket_finish(fd, true, self->end[0], 20000));
	close(fd);
	EXPECT_EQ(0, receiver_wait(&self->of.r)) TH_LOG("%s", self->of.r.text);
	EXPECT_TRUE(is_same(&self->of.sent, receiver_file(&self->of.r, true, 0, self->of.path),
			    self->of.sent.count));
}

/* The archive's end is missing. The receiver keeps it, and says so, also to the sender. */
TEST_F(tls, part_of_an_archive)
{
	char why[TLS_WHY] = "";
	int fd;

	ASSERT_EQ(0, start(self, "1")) TH_LOG("%s", self->of.r.text);
	fd = relay(self, "sender", "ca.crt", COLLECTOR, why);
	ASSERT_LE(0, fd) TH_LOG("%s", why);
	EXPECT_EQ(0, send_bytes(fd, &self->of.sent, self->of.sent.count - 48));
	EXPECT_EQ(-ECONNRESET, socket_finish(fd, true, self->end[0], 20000));
	close(fd);
	EXPECT_EQ(1, receiver_wait(&self->of.r)) TH_LOG("%s", self->of.r.text);
	EXPECT_EQ(1UL, receiver_files(&self->of.r, false));
}

TEST_F(tls, strangers)
{
	static const char text[] = "no TLS at all, but a long line of it\r\n\r\n";
	char why[TLS_WHY] = "";
	int fd;

	ASSERT_EQ(0, start(self, "1")) TH_LOG("%s", self->of.r.text);
	/* With TLS 1.3, a client only learns later that it was refused. */
	fd = relay(self, "stranger", "ca.crt", COLLECTOR, why);
	if (fd >= 0) {
		EXPECT_NE(0, send_bytes(fd, &self->of.sent, self->of.sent.count) ?:
			  socket_finish(fd, true, self->end[0], 20000));
	}
	close(fd);
	HEARS("refused: TLS: ");
	fd = receiver_connect(self->of.r.address);
	ASSERT_EQ((ssize_t)strlen(text), write(fd, text, strlen(text)));
	EXPECT_NE(0, end_sending(fd));
	/* These connections gave no archive, and an honest sender is served. */
	EXPECT_EQ(0UL, FILES);
	fd = relay(self, "sender", "ca.crt", COLLECTOR, why);
	ASSERT_LE(0, fd) TH_LOG("%s", why);
	EXPECT_EQ(0, send_bytes(fd, &self->of.sent, self->of.sent.count));
	EXPECT_EQ(0, socket_finish(fd, true, self->end[0], 20000));
	close(fd);
	EXPECT_EQ(0, receiver_wait(&self->of.r)) TH_LOG("%s", self->of.r.text);
}

TEST_F(tls, another_receiver)
{
	char why[TLS_WHY] = "";

	ASSERT_EQ(0, start(self, "1")) TH_LOG("%s", self->of.r.text);
	EXPECT_EQ(-EPROTO, relay(self, "sender", "other.crt", COLLECTOR, why));
	EXPECT_IN(why, "issuer is unknown");
	EXPECT_EQ(-EPROTO, relay(self, "sender", "ca.crt", "elsewhere.example", why));
	EXPECT_IN(why, "name in the certificate does not match");
	EXPECT_EQ(-EINVAL, relay(self, "sender", "sender.key", COLLECTOR, why));
	EXPECT_EQ(-EINVAL, relay(self, "nobody", "ca.crt", COLLECTOR, why));
	EXPECT_EQ(0UL, FILES);
}

/* Somebody who can cut the connection cannot make an archive look complete. */
TEST_F(tls, cut_after_all_bytes)
{
	const struct tls_files files = {
		path_of(self, 3, "sender.crt"), path_of(self, 4, "sender.key"),
		path_of(self, 5, "ca.crt"),
	};
	struct tls_session *s;
	char why[TLS_WHY];
	size_t at = 0;
	struct tls *t;
	ssize_t n;
	int fd;

	ASSERT_EQ(0, start(self, "1")) TH_LOG("%s", self->of.r.text);
	fd = receiver_connect(self->of.r.address);
	ASSERT_EQ(0, tls_open(&t, &files, why)) TH_LOG("%s", why);
	ASSERT_EQ(0, tls_session_open(&s, t, fd, COLLECTOR));
	while (tls_handshake(s) == -EAGAIN)
		;
	ASSERT_TRUE(tls_is_ready(s)) TH_LOG("%s", tls_why(s));
	while (at < self->of.sent.count) {
		n = tls_write(s, self->of.sent.data + at, self->of.sent.count - at);
		ASSERT_LE(-EAGAIN, n) TH_LOG("%s", tls_why(s));
		at += n > 0 ? n : 0;
	}
	shutdown(fd, SHUT_WR);
	EXPECT_EQ(1, receiver_wait(&self->of.r)) TH_LOG("%s", self->of.r.text);
	EXPECT_EQ(0UL, receiver_files(&self->of.r, true));
	EXPECT_EQ(1UL, receiver_files(&self->of.r, false));
	tls_session_close(s);
	tls_close(t);
	close(fd);
}

/* --- senders that do not stop ------------------------------------------------------- */

/* struct recorded - what GnuTLS sends: to the socket, or to memory to be sent later. */
struct recorded {
	int fd;
	bool keeps;
	unsigned char *data;
	size_t count, room;
};

static ssize_t push(gnutls_transport_ptr_t to, const void *data, size_t bytes)
{
	struct recorded *r = to;

	if (!r->keeps)
		return send(r->fd, data, bytes, MSG_NOSIGNAL);
	if (r->count + bytes > r->room) {
		r->room = r->room * 2 + bytes;
		r->data = realloc(r->data, r->room);
	}
	memcpy(r->data + r->count, data, bytes);
	r->count += bytes;
	return bytes;
}

static ssize_t pull(gnutls_transport_ptr_t from, void *data, size_t bytes)
{
	return recv(((struct recorded *)from)->fd, data, bytes, 0);
}

FIXTURE(endless)
{
	FIXTURE_DATA(tls) tls;
	struct recorded recorded;
	gnutls_certificate_credentials_t files;
	gnutls_session_t session;
};

FIXTURE_SETUP(endless)
{
	FIXTURE_DATA(tls) *tls = &self->tls;

	tls_setup(_metadata, tls, NULL);
	ASSERT_EQ(0, start(tls, "1")) TH_LOG("%s", tls->of.r.text);
	self->recorded.fd = receiver_connect(tls->of.r.address);
	gnutls_certificate_allocate_credentials(&self->files);
	ASSERT_EQ(0, gnutls_certificate_set_x509_key_file(self->files,
							  path_of(tls, 6, "sender.crt"),
							  path_of(tls, 7, "sender.key"),
							  GNUTLS_X509_FMT_PEM));
	gnutls_init(&self->session, GNUTLS_CLIENT);
	gnutls_credentials_set(self->session, GNUTLS_CRD_CERTIFICATE, self->files);
	gnutls_transport_set_ptr(self->session, &self->recorded);
	gnutls_transport_set_push_function(self->session, push);
	gnutls_transport_set_pull_function(self->session, pull);
}

FIXTURE_TEARDOWN(endless)
{
	gnutls_deinit(self->session);
	gnutls_certificate_free_credentials(self->files);
	close(self->recorded.fd);
	tls_teardown(_metadata, &self->tls, NULL);
}

static int handshake(FIXTURE_DATA(endless) *self, const char *versions)
{
	gnutls_priority_set_direct(self->session, versions, NULL);
	return gnutls_handshake(self->session);
}

static pid_t send_from_child(const struct recorded *r)
{
	pid_t child = fork();
	size_t at = 0;
	ssize_t n;

	while (!child && at < r->count) {
		n = send(r->fd, r->data + at, r->count - at, MSG_NOSIGNAL);
		if (n <= 0)
			break;
		at += n;
	}
	if (!child)
		_exit(0);
	return child;
}

/*
 * Small records, already encrypted, come faster than they can be decrypted. An honest sender must
 * not wait until they end.
 */
TEST_F(endless, small_records)
{
	FIXTURE_DATA(receive) *of = &self->tls.of;
	char why[TLS_WHY] = "";
	struct stat st;
	pid_t child;
	int fd;

	ASSERT_EQ(0, handshake(self, "NORMAL"));
	self->recorded.keeps = true;
	for (size_t i = 0; i < of->sent.count; i++)
		ASSERT_EQ(1, gnutls_record_send(self->session, of->sent.data + i, 1));
	child = send_from_child(&self->recorded);
	await_part(of, 1000);
	fd = relay(&self->tls, "sender", "ca.crt", COLLECTOR, why);
	ASSERT_LE(0, fd) TH_LOG("%s", why);
	EXPECT_EQ(0, send_bytes(fd, &of->sent, of->sent.count));
	EXPECT_EQ(0, socket_finish(fd, true, self->tls.end[0], 20000));
	close(fd);
	EXPECT_EQ(1, receiver_wait(&of->r)) TH_LOG("%s", of->r.text);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	EXPECT_TRUE(is_same(&of->sent, receiver_file(&of->r, true, 0, of->path), of->sent.count));
	ASSERT_EQ(0, stat(receiver_file(&of->r, false, 0, of->path), &st));
	EXPECT_GT(of->sent.count / 2, (size_t)st.st_size);
}

TEST_F(endless, changes_of_keys)
{
	FIXTURE_DATA(receive) *of = &self->tls.of;

	ASSERT_EQ(0, handshake(self, "NORMAL"));
	self->recorded.keeps = true;
	for (int i = 0; i < 1000; i++)
		ASSERT_EQ(0, gnutls_session_key_update(self->session, 0));
	ASSERT_EQ((ssize_t)self->recorded.count,
		  send(self->recorded.fd, self->recorded.data, self->recorded.count, 0));
	EXPECT_EQ(1, receiver_wait(&of->r)) TH_LOG("%s", of->r.text);
	EXPECT_IN(of->r.text, "Too many handshake packets");
}

/* Only a session of TLS 1.2 can ask for new handshakes. */
TEST_F(endless, old_versions)
{
	FIXTURE_DATA(tls) *tls = &self->tls;

	EXPECT_NE(0, handshake(self, "NORMAL:-VERS-ALL:+VERS-TLS1.2"));
	EXPECT_EQ(0, receiver_says(&tls->of.r, "refused: TLS: ")) TH_LOG("%s", tls->of.r.text);
}

/* --- the other side ----------------------------------------------------------------- */

TEST_F(tls, receiver_dies)
{
	char why[TLS_WHY] = "";
	int fd, ret = 0, i;

	ASSERT_EQ(0, start(self, "1")) TH_LOG("%s", self->of.r.text);
	fd = relay(self, "sender", "ca.crt", COLLECTOR, why);
	ASSERT_LE(0, fd) TH_LOG("%s", why);
	EXPECT_EQ(0, send_bytes(fd, &self->of.sent, 1000));
	receiver_kill(&self->of.r);
	for (i = 0; !ret && i < 1000; i++)
		ret = send_bytes(fd, &self->of.sent, 100000);
	EXPECT_NE(0, ret);
	close(fd);
}

TEST_F(tls, wrong_usage)
{
	const char *cert = path_of(self, 0, "receiver.crt"), *dir = path_of(self, 1, "received");
	struct tool t;

	EXPECT_EQ(2, tool_run(&t, (const char *[]){ "receive", "-l", "tls://127.0.0.1:0", "-o", dir,
						    "--tls-cert", cert, NULL }));
	EXPECT_IN(t.err, "needs --tls-cert, --tls-key and --tls-ca");
	EXPECT_EQ(3, tool_run(&t, (const char *[]){ "receive", "-l", "tls://127.0.0.1:0", "-o", dir,
						    "--tls-cert", cert, "--tls-key", cert,
						    "--tls-ca", cert, NULL }));
	EXPECT_IN(t.err, "cannot read the certificate");
}
