// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Senders that try to exhaust fxt receive: an honest sender is served, and no sender can make the
 * receiver do much more work than it does itself.
 */
#include <arpa/inet.h>
#include <netinet/in.h>

#include <fxt/fxt_sched.h>

#include "receive_fixture.h"

static bool is_closed(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char byte;

	return poll(&p, 1, 30000) == 1 && recv(fd, &byte, 1, 0) <= 0;
}

static int connect_from(const char *source, const char *address)
{
	struct sockaddr_in from = { .sin_family = AF_INET }, to = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	inet_pton(AF_INET, source, &from.sin_addr);
	inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
	to.sin_port = htons(atoi(strrchr(address, ':') + 1));
	if (bind(fd, (struct sockaddr *)&from, sizeof(from)) ||
	    connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return -1;
	return fd;
}

/* 64 connections send nothing or only the first bytes; then another sender comes. */
TEST_F(receive, silent_connections_make_room)
{
	int fds[64];

	START("-n", "1", "--idle", "1s", "--connections-each", "64", NULL);
	for (size_t i = 0; i < 64; i++) {
		fds[i] = receiver_connect(self->r.address);
		ASSERT_LE(0, fds[i]);
	}
	sleep_ms(1200);
	EXPECT_EQ(0, send_all(self->r.address, &self->sent));
	EXPECT_EQ(0, receiver_wait(&self->r)) TH_LOG("%s", self->r.text);
	EXPECT_TRUE(is_same(&self->sent, COMPLETE(0), self->sent.count));
	EXPECT_IN(self->r.text, "was silent");
	for (size_t i = 0; i < 64; i++)
		close(fds[i]);
}

/* Silent connections only end if another one needs their place: first the longest silent one. */
TEST_F(receive, silence_alone_ends_nothing)
{
	int first, second;

	START("-n", "3", "--idle", "1s", "--connections", "2", NULL);
	first = receiver_connect(self->r.address);
	ASSERT_EQ(0, send_some(first, &self->sent, 0, 1000));
	await_part(self, 1000);
	second = receiver_connect(self->r.address);
	ASSERT_EQ(0, send_some(second, &self->sent, 0, 500));
	sleep_ms(1500);
	EXPECT_EQ(2UL, receiver_files(&self->r, false));
	EXPECT_EQ(0, send_all(self->r.address, &self->sent));
	EXPECT_TRUE(is_closed(first));
	ASSERT_EQ(0, send_some(second, &self->sent, 500, self->sent.count));
	EXPECT_EQ(0, end_sending(second));
	close(first);
	EXPECT_EQ(1, receiver_wait(&self->r)) TH_LOG("%s", self->r.text);
	EXPECT_EQ(2UL, receiver_files(&self->r, true));
	EXPECT_IN(self->r.text, "silent for too long");
}

TEST_F(receive, an_address_has_a_share)
{
	int one[2], more, other;

	START("-n", "1", "--connections-each", "2", NULL);
	one[0] = receiver_connect(self->r.address);
	one[1] = receiver_connect(self->r.address);
	ASSERT_EQ(0, send_some(one[1], &self->sent, 0, 1000));
	await_part(self, 1000);
	more = receiver_connect(self->r.address);
	EXPECT_TRUE(is_closed(more));
	SAYS("127.0.0.1: refused: there are 2 connections from there already; see --connections-each");
	other = connect_from("127.0.0.2", self->r.address);
	ASSERT_LE(0, other);
	ASSERT_EQ(0, send_some(other, &self->sent, 0, self->sent.count));
	EXPECT_EQ(0, end_sending(other));
	EXPECT_EQ(1, receiver_wait(&self->r)) TH_LOG("%s", self->r.text);
	EXPECT_TRUE(is_same(&self->sent, COMPLETE(0), self->sent.count));
	close(one[0]);
	close(one[1]);
	close(more);
}

/*
 * Each connection is a short archive. More than 600 in a minute are refused, and others are served.
 */
TEST_F(receive, an_address_has_a_rate)
{
	const struct bytes one = { self->sent.data, FXT_WORD };
	int fd, refused = 0, i;

	START("-n", "601", NULL);
	for (i = 0; i < 700; i++)
		refused += send_all(self->r.address, &one) != 0;
	EXPECT_EQ(100, refused);
	fd = connect_from("127.0.0.2", self->r.address);
	ASSERT_EQ(0, send_some(fd, &self->sent, 0, self->sent.count));
	EXPECT_EQ(0, end_sending(fd));
	EXPECT_EQ(0, receiver_wait(&self->r)) TH_LOG("%s", self->r.text);
	EXPECT_EQ(1U, times_in_text(self->r.text, "see --connections-minute"));
	EXPECT_IN(self->r.text, "127.0.0.1: refused 100 connections in a minute");
	EXPECT_NE(NULL, strstr(self->r.text, "601 archives complete, 0 not; 100 connections refused")) {
		TH_LOG("%s", self->r.text);
	}
}

/*
 * Make an archive that repeats one record, and so becomes 10,000 times as long when it is unpacked.
 */
static struct bytes bomb(FIXTURE_DATA(receive) *self, const char *ending, size_t plain)
{
	static const uint64_t record[] = { 0x20 | 7, 0 };	/* a string that nothing uses */
	char path[RECORD_PATH + 40];
	struct bytes made = { malloc(plain), plain };
	size_t at;

	memcpy(made.data, self->sent.data, 8);
	for (at = 8; at + 16 <= plain; at += 16)
		memcpy(made.data + at, record, 16);
	made.count = at;
	snprintf(path, sizeof(path), "%s/bomb%s", self->dir, ending);
	pack(&made, path);
	free(made.data);
	return read_file(path);
}

TEST_F(receive, bombs)
{
	static const char *const endings[] = { ".fxt.gz", ".fxt.zst" };
	struct bytes sent;

	START("-n", "2", NULL);
	for (size_t i = 0; i < 2; i++) {
		sent = bomb(self, endings[i], 200 << 20);
		EXPECT_GT(1U << 20, sent.count);
		EXPECT_NE(0, send_all(self->r.address, &sent));
	}
	EXPECT_EQ(1, receiver_wait(&self->r)) TH_LOG("%s", self->r.text);
	EXPECT_EQ(2U, times_in_text(self->r.text, "compressed more than any recording")) {
		TH_LOG("%s", self->r.text);
	}
}

/* Stop the receiver, so that connections and their data wait for it together. */
static void stop(const struct receiver *r)
{
	kill(r->pid, SIGSTOP);
	waitpid(r->pid, NULL, WUNTRACED);
}

/* The shortest archive, behind bombs that the receiver gets to before. */
TEST_F(receive, bombs_let_others_pass)
{
	struct bytes sent = bomb(self, ".fxt.zst", 200 << 20);
	int fds[15], honest;

	START("-n", "1", NULL);
	stop(&self->r);
	for (size_t i = 0; i < 15; i++) {
		fds[i] = receiver_connect(self->r.address);
		ASSERT_EQ(0, send_some(fds[i], &sent, 0, sent.count));
	}
	honest = receiver_connect(self->r.address);
	ASSERT_EQ(0, send_some(honest, &self->sent, 0, FXT_WORD));
	shutdown(honest, SHUT_WR);
	kill(self->r.pid, SIGCONT);
	receiver_wait(&self->r);
	EXPECT_NOT_IN(self->r.text, "compressed more");
	EXPECT_TRUE(is_same(&self->sent, COMPLETE(0), FXT_WORD));
	for (size_t i = 0; i < 15; i++)
		close(fds[i]);
	close(honest);
}

TEST_F(receive, too_large_without_compression)
{
	char path[RECORD_PATH + 40];
	struct bytes sent;

	snprintf(path, sizeof(path), "%s/packed.fxt.zst", self->dir);
	ASSERT_EQ(0, pack(&self->sent, path));
	sent = read_file(path);
	START("-n", "1", "--max-size", "500K", "--max-plain", "400K", NULL);
	ASSERT_GT(400U << 10, sent.count);
	EXPECT_NE(0, send_all(self->r.address, &sent));
	EXPECT_EQ(1, receiver_wait(&self->r)) TH_LOG("%s", self->r.text);
	EXPECT_IN(self->r.text, "larger than --max-plain");
}
