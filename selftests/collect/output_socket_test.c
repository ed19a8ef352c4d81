// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Connections to receivers end if the other machine has gone, receivers that do not read are given
 * up, and all waits end.
 */
#include "harness.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "libfxt/address.h"
#include "collector.h"
#include "fxt-collect/output/broker.h"
#include "fxt-collect/output/file.h"
#include "fxt-collect/output/socket.h"
#include "process/error.h"
#include "receiver.h"

static int option_of(int fd, int level, int name)
{
	socklen_t length = sizeof(int);
	int value = -1;

	return getsockopt(fd, level, name, &value, &length) ? -1 : value;
}

/* Only these options notice that a machine has lost its power. */
TEST(tcp_notices_silence)
{
	struct direct f;
	struct error e;
	char at[256];
	int fd = receiver_listen("tcp://127.0.0.1:0", at, sizeof(at));

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, socket_connect(&f, at, -1, &e)) TH_LOG("%s", e.text);
	EXPECT_EQ(1, option_of(f.fd, SOL_SOCKET, SO_KEEPALIVE));
	EXPECT_EQ(SOCKET_STALL_MS, option_of(f.fd, IPPROTO_TCP, TCP_USER_TIMEOUT));
	EXPECT_GE(SOCKET_STALL_MS / 1000, option_of(f.fd, IPPROTO_TCP, TCP_KEEPIDLE) +
		  option_of(f.fd, IPPROTO_TCP, TCP_KEEPINTVL) *
		  option_of(f.fd, IPPROTO_TCP, TCP_KEEPCNT));
	EXPECT_NE(0, fcntl(f.fd, F_GETFL) & O_NONBLOCK);
	EXPECT_NE(0, fcntl(f.fd, F_GETFD) & FD_CLOEXEC);
	close(f.fd);
	close(fd);
}

/* Nobody answers; the recorder ends meanwhile. */
TEST(connecting_can_be_ended)
{
	struct sockaddr_in in;
	socklen_t length = sizeof(in);
	struct direct f;
	struct error e;
	int ends[2], fd, ret;
	char at[64];

	/* The listener's queue is full, so that nobody answers. */
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ASSERT_EQ(0, listen(fd, 0));
	ASSERT_EQ(0, getsockname(fd, (struct sockaddr *)&in, &length));
	snprintf(at, sizeof(at), "tcp://127.0.0.1:%u", ntohs(in.sin_port));
	ASSERT_EQ(0, pipe(ends));
	close(ends[1]);
	do
		ret = socket_connect(&f, at, ends[0], &e);
	while (!ret);
	EXPECT_EQ(-ECANCELED, ret) TH_LOG("%s", e.text);
	EXPECT_IN(e.text, "cannot connect to tcp://127.0.0.1:");
}

/* A wait has no limit until the end is requested; then it has one. */
TEST(waits_end)
{
	int full[2], ends[2];
	char bytes[4096] = "";

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, full));
	ASSERT_EQ(0, pipe(ends));
	EXPECT_EQ(0, wait_ready_for(full[0], POLLOUT, ends[0], 0));
	while (write(full[0], bytes, sizeof(bytes)) > 0)
		;
	EXPECT_EQ(-ETIMEDOUT, wait_ready_for(full[0], POLLOUT, ends[0], 10));
	close(ends[1]);
	EXPECT_EQ(-ECANCELED, wait_ready_for(full[0], POLLOUT, ends[0], 10));
	while (read(full[1], bytes, sizeof(bytes)) > 0)
		;
	EXPECT_EQ(0, wait_ready_for(full[0], POLLOUT, ends[0], 10));
}

FIXTURE(stalled) {
	char dir[RECORD_PATH];
	struct broker *broker;
	struct output_file f;
	int listener;
};

FIXTURE_VARIANT(stalled) {
	const char *family;
};

FIXTURE_VARIANT_ADD(stalled, tcp) { "tcp4" };
FIXTURE_VARIANT_ADD(stalled, unix) { "unix" };

/* A connection that is never accepted, and so never read from. */
FIXTURE_SETUP(stalled)
{
	char address[RECORD_PATH], at[RECORD_PATH];
	static const struct invoker who;
	struct output_options options = { .end = -1 };
	struct error e;

	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	receiver_address(address, sizeof(address), variant->family, self->dir);
	self->listener = receiver_listen(address, at, sizeof(at));
	ASSERT_LE(0, self->listener);
	ASSERT_EQ(0, broker_start(&self->broker, &who, -1, &e)) TH_LOG("%s", e.text);
	options.broker = self->broker;
	ASSERT_EQ(0, output_file_open(&self->f, at, &options, &e)) TH_LOG("%s", e.text);
	EXPECT_EQ(SOCKET_STALL_MS, self->f.stall);
	self->f.stall = 1;
}

FIXTURE_TEARDOWN(stalled)
{
	close(self->listener);
	broker_stop(self->broker);
	dir_remove(self->dir);
}

TEST_F(stalled, takes_nothing)
{
	static const char bytes[1 << 20];
	int ret;

	do
		ret = output_file_write(&self->f, bytes, sizeof(bytes));
	while (!ret);
	EXPECT_EQ(-ETIMEDOUT, ret);
	EXPECT_LT(0UL, output_file_bytes(&self->f));
	EXPECT_EQ(0, output_file_close(&self->f, false));
}

/* All bytes are sent, but it is unknown whether the receiver has them. */
TEST_F(stalled, does_not_close)
{
	EXPECT_EQ(0, output_file_write(&self->f, "bytes", 5));
	EXPECT_EQ(-ETIMEDOUT, output_file_close(&self->f, true));
}

TEST(addresses)
{
	static const struct {
		const char *text, *host, *port;
	} tcp[] = {
		{ "tcp://example.org:1", "example.org", "1" },
		{ "tcp://192.0.2.1:65535", "192.0.2.1", "65535" },
		{ "tcp://[::1]:7788", "::1", "7788" },
		{ "tcp://[fe80::1%eth0]:7788", "fe80::1%eth0", "7788" },
		{ "tcp://x:007", "x", "7" },
	};
	static const char * const wrong[] = {
		"tcp://", "tcp://x", "tcp://:1", "tcp://x:0", "tcp://x:65536", "tcp://x:1x",
		"tcp://x:-1", "tcp://x: 1", "tcp://::1:1", "tcp://[::1:1", "tcp://a/b:1",
		"tcp://u@x:1", "tcp://[]:1", "unix:", "vsock:", "vsock:2", "vsock:x:1",
		"vsock:2:x", "vsock:any:1", "vsock:4294967295:1", "vsock:2:99999999999", "x:1",
	};
	struct fxt_address a;

	for (size_t i = 0; i < sizeof(tcp) / sizeof(*tcp); i++) {
		EXPECT_TRUE(!fxt_address_parse(&a, tcp[i].text, false));
		EXPECT_STREQ(tcp[i].host, a.host);
		EXPECT_STREQ(tcp[i].port, a.port);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		EXPECT_TRUE(!!fxt_address_parse(&a, wrong[i], false)) TH_LOG("number %zu", i);
	}
	EXPECT_TRUE(!fxt_address_parse(&a, "vsock:3:7788", false));
	EXPECT_EQ(3U, a.cid);
	EXPECT_EQ(7788U, a.vsock_port);
	EXPECT_TRUE(!fxt_address_parse(&a, "unix:a:b", false));
	EXPECT_STREQ("a:b", a.path);
	EXPECT_TRUE(!fxt_address_parse(&a, "tcp://:0", true));
	EXPECT_TRUE(!fxt_address_parse(&a, "vsock:any:0", true));
	EXPECT_FALSE(fxt_address_is("./unix:x"));
	EXPECT_FALSE(fxt_address_is("tcp:x"));
	EXPECT_TRUE(fxt_address_is("unix:x"));
}
