/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fxt receive, an archive, and senders of the archive, whole or in parts. */
#ifndef SELFTESTS_RECEIVE_FIXTURE_H
#define SELFTESTS_RECEIVE_FIXTURE_H

#include "harness.h"

#include <sys/socket.h>

#include "generate.h"
#include "receiver.h"
#include "tool.h"
#include "workload.h"
#include "write/pack.h"

#define RECORDS		20000
#define CPUS		4

struct bytes {
	unsigned char *data;
	size_t count;
};

static inline struct bytes read_file(const char *path)
{
	struct bytes b = { 0 };
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st))
		return b;
	b.data = malloc(st.st_size + 1);
	if (read(fd, b.data, st.st_size) == st.st_size)
		b.count = st.st_size;
	close(fd);
	return b;
}

static inline bool is_same(const struct bytes *a, const char *path, size_t count)
{
	struct bytes b = read_file(path);
	bool same = b.count == count && count <= a->count && !memcmp(a->data, b.data, count);

	return same;
}

/* Send in small pieces of different sizes, so that the receiver reads small amounts. */
static inline int send_some(int fd, const struct bytes *b, size_t from, size_t to)
{
	size_t n, step = 1;

	while (from < to) {
		n = to - from < step ? to - from : step;
		if (send(fd, b->data + from, n, MSG_NOSIGNAL) != (ssize_t)n)
			return -1;
		from += n;
		step = step % 30011 * 7 + 1;
	}
	return 0;
}

/* Wait until the receiver has closed the connection. Return: 0, or -1 if it has reset it. */
static inline int end_sending(int fd)
{
	char byte;
	ssize_t n;

	shutdown(fd, SHUT_WR);
	n = recv(fd, &byte, 1, 0);
	close(fd);
	return n ? -1 : 0;
}

static inline int send_all(const char *address, const struct bytes *b)
{
	int fd = receiver_connect(address), ret;

	if (fd < 0)
		return -1;
	ret = send_some(fd, b, 0, b->count);
	return end_sending(fd) ? -1 : ret;
}

FIXTURE(receive)
{
	char dir[RECORD_PATH];
	char file[RECORD_PATH + 32];
	char path[RECORD_PATH];
	struct receiver r;
	struct bytes sent;	/* a plain archive */
	struct tool tool;
};

FIXTURE_SETUP(receive)
{
	int fd;

	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	snprintf(self->file, sizeof(self->file), "%s/sent.fxt", self->dir);
	fd = open(self->file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ASSERT_EQ(0, generate_sched(fd, RECORDS, CPUS));
	close(fd);
	self->sent = read_file(self->file);
	ASSERT_LT(500000UL, self->sent.count);
}

FIXTURE_TEARDOWN(receive)
{
	receiver_kill(&self->r);
	dir_remove(self->dir);
}

/* Start a receiver for TCP, unless a test needs another one. */
#define START(...)								\
	ASSERT_EQ(0, receiver_start(&self->r, self->dir, "tcp://127.0.0.1:0",	\
				    (const char *[]){ __VA_ARGS__ })) TH_LOG("%s", self->r.text)

#define SAYS(what)								\
	EXPECT_EQ(0, receiver_says(&self->r, what)) TH_LOG("%s", self->r.text)

#define PART(n)		receiver_file(&self->r, false, n, self->path)
#define COMPLETE(n)	receiver_file(&self->r, true, n, self->path)

static inline int pack(const struct bytes *b, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct pack *p = pack_open(path, fd);
	int ret = pack_write(p, b->data, b->count);

	return pack_close(p) || ret ? -1 : 0;
}

static inline void await_part(FIXTURE_DATA(receive) *self, size_t bytes)
{
	struct stat st;

	while (stat(PART(0), &st) || (size_t)st.st_size < bytes)
		sleep_ms(5);
}

#endif /* SELFTESTS_RECEIVE_FIXTURE_H */
