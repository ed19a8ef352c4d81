// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt receive: the bytes that were sent, over sockets of each family, are under the final name if
 * and only if the archive is complete, and there is a message in all other cases.
 */
#include <sys/mount.h>

#include <fxt/fxt_sched.h>

#include "receive_fixture.h"

/* --- what is sent is there -------------------------------------------------------- */

FIXTURE(family)
{
	FIXTURE_DATA(receive) of;
};

FIXTURE_VARIANT(family)
{
	const char *name;
	const char *peer;
};

FIXTURE_VARIANT_ADD(family, tcp4)
{
	.name = "tcp4", .peer = "127.0.0.1-",
};

FIXTURE_VARIANT_ADD(family, tcp6)
{
	.name = "tcp6", .peer = "0--1-",
};

FIXTURE_VARIANT_ADD(family, local)
{
	.name = "unix", .peer = "uid-",
};

FIXTURE_VARIANT_ADD(family, vsock)
{
	.name = "vsock", .peer = "cid-1-",
};

FIXTURE_SETUP(family)
{
	receive_setup(_metadata, &self->of, NULL);
}

FIXTURE_TEARDOWN(family)
{
	receive_teardown(_metadata, &self->of, NULL);
}

TEST_F(family, each_archive_is_a_file)
{
	static const char * const endings[] = { ".fxt", ".fxt.gz", ".fxt.zst" };
	const char *missing = receiver_missing(variant->name);
	char address[RECORD_PATH], expected[RECORD_PATH], path[RECORD_PATH];
	struct receiver *r = &self->of.r;
	struct bytes sent[3];
	struct stat st;
	size_t i, k, n;

	/* Guests have all families: there, stream_test uses each of them. */
	if (missing)
		return;
	receiver_address(address, sizeof(address), variant->name, self->of.dir);
	ASSERT_EQ(0, receiver_start(r, self->of.dir, address, ARGS("-n", "6")))
		TH_LOG("%s", r->text);
	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%.200s/packed%s", self->of.dir, endings[i]);
		ASSERT_EQ(0, pack(&self->of.sent, path));
		sent[i] = read_file(path);
		/* Twice, most likely within one second. */
		EXPECT_EQ(0, send_all(r->address, &sent[i]));
		EXPECT_EQ(0, send_all(r->address, &sent[i]));
	}
	EXPECT_EQ(0, receiver_wait(r)) TH_LOG("%s", r->text);
	EXPECT_EQ(6UL, receiver_files(r, true));
	EXPECT_EQ(0UL, receiver_files(r, false));
	snprintf(expected, sizeof(expected), "%.200s/%s", r->dir, variant->peer);
	for (i = 0; i < 6; i++) {
		receiver_file(r, true, i, path);
		EXPECT_EQ(0, strncmp(path, expected, strlen(expected))) TH_LOG("%s", path);
		for (k = 0, n = 0; k < 3; k++)
			n += is_same(&sent[k], path, sent[k].count);
		EXPECT_EQ(1UL, n) TH_LOG("%s", path);
		ASSERT_EQ(0, stat(path, &st));
		EXPECT_EQ(0600U, st.st_mode & 0777);
		/* The receiver has printed the path. */
		EXPECT_EQ(0, program_run(&self->of.tool, "/bin/grep", ARGS("-cxF", path,
									   r->paths)));
	}
}

/* The sender that began first does not end first. */
TEST_F(receive, several_at_once)
{
	size_t half = self->sent.count / 2 + 3;
	int fds[3], i;

	START("-n", "3", NULL);
	for (i = 0; i < 3; i++) {
		fds[i] = receiver_connect(self->r.address);
		ASSERT_LE(0, fds[i]);
		ASSERT_EQ(0, send_some(fds[i], &self->sent, 0, half));
	}
	for (i = 2; i >= 0; i--) {
		ASSERT_EQ(0, send_some(fds[i], &self->sent, half, self->sent.count));
		EXPECT_EQ(0, end_sending(fds[i]));
	}
	EXPECT_EQ(0, receiver_wait(&self->r)) TH_LOG("%s", self->r.text);
	for (i = 0; i < 3; i++)
		EXPECT_TRUE(is_same(&self->sent, COMPLETE(i), self->sent.count));
}

/* A connection that sends nothing only checks the address, and gives no archive. */
TEST_F(receive, empty_connections_do_not_count)
{
	int fd;

	START("-n", "1", NULL);
	fd = receiver_connect(self->r.address);
	EXPECT_EQ(0, end_sending(fd));
	EXPECT_EQ(0, send_all(self->r.address, &self->sent));
	EXPECT_EQ(0, receiver_wait(&self->r));
	EXPECT_EQ(1UL, receiver_files(&self->r, true));
	EXPECT_IN(self->r.text, "1 archive complete, 0 not");
}

/* --- what is not complete --------------------------------------------------------- */

static bool is_ledger(const unsigned char *data)
{
	uint64_t word;

	memcpy(&word, data, sizeof(word));
	return word == FXT_LEDGER_HEADER;
}

/*
 * Send the first bytes of an archive, so that its last record is incomplete or its end is missing.
 */
static void cut_short(FIXTURE_DATA(receive) *self, size_t count, const char *says,
		      struct __test_metadata *_metadata)
{
	START("-n", "1", NULL);
	self->sent.count = count;
	EXPECT_EQ(0, !send_all(self->r.address, &self->sent));
	EXPECT_EQ(1, receiver_wait(&self->r)) TH_LOG("%s", self->r.text);
	EXPECT_IN(self->r.text, says);
	EXPECT_EQ(0UL, receiver_files(&self->r, true));
	ASSERT_EQ(1UL, receiver_files(&self->r, false));
	/* What is kept ends with a record. */
	tool_run(&self->tool, ARGS("dump", "-q", PART(0)));
	EXPECT_EQ(0, self->tool.status) TH_LOG("%s", self->tool.err);
}

TEST_F(receive, within_a_record)
{
	size_t count = self->sent.count / 2;
	struct stat st;

	/* Records are whole words, so this is within one. */
	count = count / 8 * 8 + 5;
	cut_short(self, count, "it ends in the middle of a record", _metadata);
	ASSERT_EQ(0, stat(PART(0), &st));
	EXPECT_TRUE(is_same(&self->sent, PART(0), st.st_size));
	EXPECT_LT(count - 32768, (size_t)st.st_size);
	EXPECT_GT(count, (size_t)st.st_size);
}

/* Only the last record, a closing ledger, is missing. */
TEST_F(receive, without_its_end)
{
	cut_short(self, self->sent.count - 6 * 8, "its end is missing", _metadata);
	EXPECT_TRUE(is_same(&self->sent, PART(0), self->sent.count));
}

/* The sender dies after the preamble and the names, before the first ledger. */
TEST_F(receive, only_its_head)
{
	size_t at;

	for (at = 0; at < self->sent.count; at += 8)
		if (is_ledger(self->sent.data + at))
			break;
	ASSERT_LT(at, self->sent.count);
	cut_short(self, at, "its end is missing", _metadata);
	EXPECT_TRUE(is_same(&self->sent, PART(0), at));
}

TEST_F(receive, compressed_ends_early)
{
	char path[RECORD_PATH + 40];
	struct bytes sent;

	snprintf(path, sizeof(path), "%s/packed.fxt.zst", self->dir);
	ASSERT_EQ(0, pack(&self->sent, path));
	sent = read_file(path);
	sent.count -= 3;
	START("-n", "1", NULL);
	EXPECT_NE(0, send_all(self->r.address, &sent));
	EXPECT_EQ(1, receiver_wait(&self->r));
	EXPECT_IN(self->r.text, "compressed data ends early");
	EXPECT_TRUE(is_same(&sent, PART(0), sent.count));
}

/* No byte of it is kept, and other senders continue. */
TEST_F(receive, not_an_archive)
{
	static char text[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
	const struct bytes other = { (unsigned char *)text, sizeof(text) - 1 };
	int fd;

	START("-n", "2", NULL);
	fd = receiver_connect(self->r.address);
	ASSERT_EQ(0, send_some(fd, &self->sent, 0, 100000));
	EXPECT_NE(0, send_all(self->r.address, &other));
	SAYS("127.0.0.1: this is not an archive; nothing is kept");
	ASSERT_EQ(0, send_some(fd, &self->sent, 100000, self->sent.count));
	EXPECT_EQ(0, end_sending(fd));
	EXPECT_EQ(1, receiver_wait(&self->r)) TH_LOG("%s", self->r.text);
	EXPECT_EQ(0UL, receiver_files(&self->r, false));
	EXPECT_TRUE(is_same(&self->sent, COMPLETE(0), self->sent.count));
}

/* Data that no reader can use does not fill the disk. */
TEST_F(receive, damaged)
{
	size_t at = self->sent.count - 6 * 8;
	char says[64];

	/* The size of a record cannot be zero. */
	memset(self->sent.data + at, 0, 8);
	snprintf(says, sizeof(says), "byte %zu: this is not a record", at);
	START("-n", "1", NULL);
	EXPECT_NE(0, send_all(self->r.address, &self->sent));
	EXPECT_EQ(1, receiver_wait(&self->r));
	EXPECT_IN(self->r.text, says);
	EXPECT_TRUE(is_same(&self->sent, PART(0), at));
}

TEST_F(receive, too_large)
{
	START("-n", "1", "--max-size", "100K", NULL);
	EXPECT_NE(0, send_all(self->r.address, &self->sent));
	EXPECT_EQ(1, receiver_wait(&self->r));
	EXPECT_IN(self->r.text, "larger than --max-size");
	EXPECT_EQ(1UL, receiver_files(&self->r, false));
}

TEST_F(receive, too_many)
{
	int first, second;

	START("-n", "1", "--connections", "1", NULL);
	first = receiver_connect(self->r.address);
	ASSERT_EQ(0, send_some(first, &self->sent, 0, 1000));
	second = receiver_connect(self->r.address);
	ASSERT_LE(0, second);
	EXPECT_NE(0, end_sending(second));
	SAYS("refused: there are 1 connections already");
	ASSERT_EQ(0, send_some(first, &self->sent, 1000, self->sent.count));
	EXPECT_EQ(0, end_sending(first));
	EXPECT_EQ(0, receiver_wait(&self->r));
	EXPECT_TRUE(is_same(&self->sent, COMPLETE(0), self->sent.count));
}

/* The data received so far is kept, and the sender learns that it is incomplete. */
TEST_F(receive, ended_by_a_signal)
{
	size_t some = 8 * 1000;
	int fd;

	START(NULL);
	fd = receiver_connect(self->r.address);
	ASSERT_EQ(0, send_some(fd, &self->sent, 0, some));
	await_part(self, some);
	EXPECT_EQ(1, receiver_end(&self->r));
	EXPECT_NE(0, end_sending(fd));
	EXPECT_IN(self->r.text, "the receiver was stopped");
	EXPECT_EQ(1UL, receiver_files(&self->r, false));
}

/* No packet ends this connection: the sender's machine forgets it. */
TEST_F(receive, half_open)
{
	int fd;

	if (geteuid())
		SKIP(return, "not root");
	START("-n", "1", "--timeout", "1s", NULL);
	fd = receiver_connect(self->r.address);
	ASSERT_EQ(0, send_some(fd, &self->sent, 0, 10000));
	ASSERT_EQ(0, receiver_vanish(fd));
	EXPECT_EQ(1, receiver_wait(&self->r));
	EXPECT_IN(self->r.text, "the archive is truncated: Connection reset");
	EXPECT_EQ(1UL, receiver_files(&self->r, false));
}

/* --- disks ------------------------------------------------------------------------ */

/* Bytes of whole records among the first @most. */
static size_t whole_records(const struct bytes *sent, size_t most)
{
	size_t at = 0, next = 0;
	uint64_t word;

	do {
		at = next;
		memcpy(&word, sent->data + at, sizeof(word));
		next = at + fxt_get(FXT_SIZE, word) * FXT_WORD;
	} while (next <= most);
	return at;
}

TEST_F(receive, full_disk)
{
	char disk[RECORD_PATH + 16], path[RECORD_PATH];
	size_t small = 8 * 2000, size;
	int big, other;
	bool failed;

	if (geteuid())
		SKIP(return, "not root");
	snprintf(disk, sizeof(disk), "%s/received", self->dir);
	ASSERT_EQ(0, mkdir(disk, 0700));
	ASSERT_EQ(0, mount("none", disk, "tmpfs", 0, "size=256k"));
	START("-n", "2", NULL);
	other = receiver_connect(self->r.address);
	ASSERT_EQ(0, send_some(other, &self->sent, 0, small));
	await_part(self, small);
	snprintf(path, sizeof(path), "%s", PART(0));
	big = receiver_connect(self->r.address);
	/* The sender sees the error either while sending or at the end. */
	failed = send_some(big, &self->sent, 0, self->sent.count);
	failed = end_sending(big) || failed;
	EXPECT_TRUE(failed);
	SAYS("No space left on device");
	EXPECT_EQ(2UL, receiver_files(&self->r, false));
	EXPECT_EQ(0, truncate(PART(!strcmp(PART(0), path)), 0));
	size = whole_records(&self->sent, 100000);
	EXPECT_EQ(0, send_some(other, &self->sent, small, size));
	close(other);
	EXPECT_EQ(4, receiver_wait(&self->r)) TH_LOG("%s", self->r.text);
	snprintf(path, sizeof(path), "%zu bytes are in", size);
	EXPECT_IN(self->r.text, path);
	umount(disk);
}

/* --- command lines and sockets ---------------------------------------------------- */

static int run(struct tool *t, const char *says, const char * const *args)
{
	int status = tool_run(t, args), ret = status;

	if (says && !strstr(t->err, says))
		ret = -2;
	return ret;
}

#define RECEIVE(says, ...)							\
	({									\
		int ret = run(&self->tool, says,				\
			      ARGS("receive", __VA_ARGS__));	\
										\
		if (ret == -2)							\
			TH_LOG("%s", self->tool.err);				\
		ret;								\
	})

TEST_F(receive, wrong_usage)
{
	EXPECT_EQ(2, RECEIVE("-l ADDRESS is needed", "-o", self->dir));
	EXPECT_EQ(2, RECEIVE("-o DIR is needed", "-l", "tcp://:1"));
	EXPECT_EQ(2, RECEIVE("tcp://x: the port is missing", "-l", "tcp://x", "-o", self->dir));
	EXPECT_EQ(2, RECEIVE("invalid port", "-l", "tcp://x:65536", "-o", self->dir));
	EXPECT_EQ(2, RECEIVE("brackets", "-l", "tcp://::1:5", "-o", self->dir));
	EXPECT_EQ(2, RECEIVE("invalid CID", "-l", "vsock:x:5", "-o", self->dir));
	EXPECT_EQ(2, RECEIVE("the path is missing", "-l", "unix:", "-o", self->dir));
	EXPECT_EQ(2, RECEIVE("not an address", "-l", "x:1", "-o", self->dir));
	EXPECT_EQ(2, RECEIVE("use 1 to 1024", "-l", "tcp://:1", "--connections", "1025"));
	EXPECT_EQ(2, RECEIVE("unexpected argument", "-l", "tcp://:1", "-o", self->dir, "x"));
}

TEST_F(receive, cannot_listen_or_write)
{
	START(NULL);
	EXPECT_EQ(3, RECEIVE("Address already in use", "-l", self->r.address, "-o", self->dir));
	EXPECT_EQ(4, RECEIVE("Not a directory", "-l", "tcp://127.0.0.1:0", "-o", self->file));
	EXPECT_EQ(4, RECEIVE("No such file", "-l", "tcp://127.0.0.1:0", "-o", "/nowhere/at/all"));
}

/* The socket of a killed receiver can be replaced, that of a running one cannot. */
TEST_F(receive, sockets_with_paths)
{
	char address[RECORD_PATH];
	struct stat st;

	receiver_address(address, sizeof(address), "unix", self->dir);
	ASSERT_EQ(0, receiver_start(&self->r, self->dir, address, NULL));
	ASSERT_EQ(0, stat(address + strlen("unix:"), &st));
	EXPECT_EQ(0600U, st.st_mode & 0777);
	EXPECT_EQ(3, RECEIVE("Address already in use", "-l", address, "-o", self->dir));
	receiver_kill(&self->r);
	ASSERT_EQ(0, receiver_start(&self->r, self->dir, address, NULL)) TH_LOG("%s", self->r.text);
	EXPECT_EQ(0, receiver_end(&self->r));
	EXPECT_NE(0, stat(address + strlen("unix:"), &st));
	/* Any other file stays. */
	EXPECT_EQ(0, pack(&self->sent, address + strlen("unix:")));
	EXPECT_EQ(3, RECEIVE("a file that is no socket has this name", "-l", address, "-o", self->dir));
	EXPECT_EQ(0, stat(address + strlen("unix:"), &st));
}
