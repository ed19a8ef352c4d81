// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whatever happens to an archive's file, also with slow readers, readers that leave, SIGKILL: the
 * library's reader finds everything reported as written, in order.
 */
#include <zlib.h>
#include <zstd.h>

#include "output_kinds_fixture.h"

#define PATIENCE	(PATIENCE_MS / 10)	/* times 10 ms */

/* by decompressing them one by one */
static int count_frames(const char *path, enum compression compression)
{
	uint64_t bytes = size_of(path), at = 0;
	unsigned char *data = malloc(bytes), *room = malloc(MIB);
	int fd = open(path, O_RDONLY), frames = 0;
	z_stream z = { 0 };

	if (fd < 0 || read(fd, data, bytes) != (ssize_t)bytes)
		abort();
	while (at < bytes) {
		if (compression == COMPRESSION_ZSTD) {
			size_t n = ZSTD_findFrameCompressedSize(data + at, bytes - at);

			if (ZSTD_isError(n))
				break;
			at += n;
		} else {
			inflateInit2(&z, 15 + 16);
			z.next_in = data + at;
			z.avail_in = bytes - at;
			do {
				z.next_out = room;
				z.avail_out = MIB;
			} while (inflate(&z, Z_NO_FLUSH) == Z_OK);
			at += z.total_in;
			inflateEnd(&z);
		}
		frames++;
	}
	close(fd);
	return at == bytes ? frames : -1;
}

TEST_F(output, round_trip)
{
	struct rig *r = &self->r;
	uint64_t bytes;
	int frames;

	ASSERT_EQ(0, rig_open(r, self->path)) TH_LOG("%s", r->e.text);
	ASSERT_EQ(0, rig_write(r, 300000, 5000));
	/* Bytes after the last boundary are kept as well. */
	ASSERT_EQ(0, rig_write(r, 12345, 0));
	bytes = fxt_writer_bytes(r->w);
	ASSERT_EQ(r->head + r->events * EVENT_BYTES, bytes);
	ASSERT_EQ(0, rig_close(r, true));
	EXPECT_EQ(0, rig_read(r, self->path)) TH_LOG("%s", r->walk.told[0].text);
	EXPECT_EQ(r->events, r->seen);
	EXPECT_STREQ(variant->name, r->walk.compression);
	EXPECT_EQ(bytes, r->walk.totals.bytes);
	if (variant->compression == COMPRESSION_NONE) {
		EXPECT_EQ(bytes, size_of(self->path));
		return;
	}
	EXPECT_GT(bytes / 4, size_of(self->path));
	/* Of 4 MiB each; some may have ended early because of their age. */
	frames = count_frames(self->path, variant->compression);
	EXPECT_LE(4, frames);
	EXPECT_GE(20, frames);
}

TEST_F(output, empty_and_tiny)
{
	struct rig *r = &self->r;

	ASSERT_EQ(0, rig_output(r, self->path));
	EXPECT_EQ(0, output_boundary(r->o));
	EXPECT_EQ(0, output_close(r->o, true));
	EXPECT_EQ(0UL, size_of(self->path));
	r->o = NULL;
	ASSERT_EQ(0, rig_open(r, self->path));
	EXPECT_EQ(0, rig_write(r, 1, 0));
	EXPECT_EQ(0, rig_close(r, true));
	EXPECT_EQ(0, rig_read(r, self->path));
	EXPECT_EQ(1UL, r->seen);
}

/* Larger than all blocks of the queue together, in one call. */
TEST_F(output, one_large_write)
{
	const size_t bytes = 30 * MIB;
	unsigned char *data = calloc(1, bytes);
	struct rig *r = &self->r;

	ASSERT_EQ(0, rig_open(r, self->path));
	ASSERT_EQ(0, rig_write(r, 1, 1));
	/* No string record can be this long; only the length is checked. */
	ASSERT_EQ(0, output_write(r->o, data, bytes));
	ASSERT_EQ(0, output_boundary(r->o));
	ASSERT_EQ(0, rig_close(r, true));
	rig_read(r, self->path);
	EXPECT_EQ(1UL, r->seen);
	EXPECT_EQ(r->head + EVENT_BYTES + bytes, r->walk.totals.bytes);
}

TEST_F(output, levels)
{
	static const int worst[] = { 0, 1, 1 }, best[] = { 0, 15, 9 }, none[] = { 0, 20, 10 };
	struct rig *r = &self->r;
	uint64_t before;

	if (variant->compression == COMPRESSION_NONE)
		return;
	r->options.level = worst[variant->compression];
	ASSERT_EQ(0, rig_open(r, self->path));
	ASSERT_EQ(0, rig_write(r, 20000, 1000));
	ASSERT_EQ(0, rig_close(r, true));
	before = size_of(self->path);
	r->options.level = best[variant->compression];
	ASSERT_EQ(0, rig_open(r, self->path));
	ASSERT_EQ(0, rig_write(r, 20000, 1000));
	ASSERT_EQ(0, rig_close(r, true));
	EXPECT_GT(before, size_of(self->path));
	r->options.level = none[variant->compression];
	unlink(self->path);
	EXPECT_EQ(-EINVAL, rig_output(r, self->path));
	EXPECT_EQ(EXIT_USAGE, (int)r->e.code);
	EXPECT_IN(r->e.text, "level");
	EXPECT_NE(0, access(self->path, F_OK));
}

struct sunk {
	size_t bytes;
	size_t room;
	int calls;
};

static int sink(void *arg, const void *data, size_t bytes)
{
	struct sunk *s = arg;

	(void)data;
	s->calls++;
	if (s->bytes + bytes > s->room)
		return -EDQUOT;
	s->bytes += bytes;
	return 0;
}

TEST(writer_sink)
{
	struct sunk s = { .room = 100000 };
	struct fxt_writer *w;

	ASSERT_EQ(0, fxt_writer_open_sink(&w, sink, &s));
	EXPECT_EQ(0, fxt_writer_magic(w));
	EXPECT_EQ(0, s.calls);
	EXPECT_EQ(0, fxt_writer_flush(w));
	EXPECT_EQ(0, fxt_writer_flush(w));
	EXPECT_EQ(1, s.calls);
	EXPECT_EQ(8UL, s.bytes);
	s.room = 8;
	EXPECT_EQ(0, fxt_writer_magic(w));
	EXPECT_EQ(-EDQUOT, fxt_writer_flush(w));
	s.room = 1000;
	EXPECT_EQ(-EDQUOT, fxt_writer_magic(w));
	EXPECT_EQ(-EDQUOT, fxt_writer_close(w));
	EXPECT_EQ(2, s.calls);
}

/* Read until @events are there and, with @sound, the file is valid. */
static int wait_for_events(struct rig *r, const char *path, uint64_t events, bool sound)
{
	int i, ret;

	for (i = 0; i < PATIENCE; i++) {
		ret = rig_read(r, path);
		if (r->seen >= events && (!sound || !ret))
			return 0;
		usleep(10000);
	}
	return -1;
}

static pid_t write_until_killed(struct rig *r, const char *path, bool busy)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (rig_open(r, path) || rig_write(r, 1000, CHUNK_EVENTS))
		_exit(1);
	/* A boundary soon after another one is not flushed at once. */
	if (rig_write(r, 1000, 1000))
		_exit(1);
	while (busy)
		if (rig_write(r, 1000, 100))
			_exit(1);
	for (;;)
		pause();
}

/* Flushed events can be read long before their frame is complete. */
TEST_F(output, flushed_within_a_frame)
{
	struct rig *r = &self->r;
	int i, torn = 0;
	pid_t pid;

	if (variant->compression == COMPRESSION_NONE)
		return;
	pid = fork();
	if (!pid) {
		if (rig_open(r, self->path))
			_exit(1);
		while (!rig_write(r, 10, 10))
			usleep(20000);
		_exit(1);
	}
	for (i = 0; i < PATIENCE && !torn; i++) {
		torn = rig_read(r, self->path) && r->seen;
		usleep(10000);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	EXPECT_TRUE(torn);
	EXPECT_GT(1UL << 60, r->seen);
}

TEST_F(output, killed_when_idle)
{
	struct rig *r = &self->r;
	pid_t pid = write_until_killed(r, self->path, false);
	int status;

	/* Without further calls, the thread itself ends frames. */
	EXPECT_EQ(0, wait_for_events(r, self->path, 2000, true));
	kill(pid, SIGKILL);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(0, rig_read(r, self->path));
	EXPECT_EQ(2000UL, r->seen);
}

TEST_F(output, killed_at_any_time)
{
	struct rig *r = &self->r;
	int i, status;
	pid_t pid;

	r->random = true;
	for (i = 0; i < 8; i++) {
		unlink(self->path);
		pid = write_until_killed(r, self->path, true);
		while (size_of(self->path) < (i + 1) * MIB)
			usleep(1000 * i);
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		rig_read(r, self->path);
		EXPECT_LE(1000UL, r->seen);
		EXPECT_GT(1UL << 60, r->seen);
		/* Plain: everything but the last write(2). */
		if (variant->compression == COMPRESSION_NONE)
			EXPECT_LE(size_of(self->path) / EVENT_BYTES, r->seen + 2);
	}
}

/* A pipe as standard output, for "-"; the other end is returned. */
static int pipe_stdout(int flags)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) || dup2(fds[1], STDOUT_FILENO) < 0 ||
	    fcntl(STDOUT_FILENO, F_SETFL, flags))
		abort();
	close(fds[1]);
	return fds[0];
}

static void copy_slowly(int from, const char *path)
{
	int to = open(path, O_WRONLY | O_CREAT, 0600);
	char data[65536];
	ssize_t n;

	while ((n = read(from, data, sizeof(data))) > 0) {
		usleep(1000);
		if (write(to, data, n) != n)
			_exit(1);
	}
	_exit(n != 0);
}

TEST_F(output, pipe)
{
	struct rig *r = &self->r;
	int aside = put_stdout_aside(), fd = pipe_stdout(O_NONBLOCK), status;
	uint64_t kept;
	pid_t pid = fork();

	if (!pid) {
		close(STDOUT_FILENO);
		copy_slowly(fd, self->path);
	}
	close(fd);
	r->random = true;
	ASSERT_EQ(0, rig_open(r, "-"));
	/* The reader of "-" must not wait for this process, which shares standard output. */
	put_stdout_back(aside);
	ASSERT_EQ(0, rig_write(r, 50000, CHUNK_EVENTS));
	EXPECT_EQ(-ESPIPE, output_cut(r->o, 1000, &kept));
	EXPECT_EQ(0, rig_close(r, true));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, rig_read(r, self->path));
	EXPECT_EQ(50000UL, r->seen);
}

TEST_F(output, pipe_is_flushed)
{
	struct rig *r = &self->r;
	int aside = put_stdout_aside(), fd = pipe_stdout(0), to, i;
	struct pollfd in = { .fd = fd, .events = POLLIN };
	char data[65536];
	ssize_t n;

	r->random = true;
	ASSERT_EQ(0, rig_open(r, "-"));
	put_stdout_back(aside);
	to = open(self->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	for (i = 1; i <= 20; i++) {
		ASSERT_EQ(0, rig_write(r, 10, 10));
		/* Until all events can be read from the received bytes. */
		for (r->seen = 0; r->seen != i * 10UL; rig_read(r, self->path)) {
			ASSERT_EQ(1, poll(&in, 1, PATIENCE_MS));
			n = read(fd, data, sizeof(data));
			ASSERT_LT(0, n);
			ASSERT_EQ(n, write(to, data, n));
		}
	}
	EXPECT_EQ(0, rig_close(r, true));
	close(to);
}

TEST_F(output, pipe_closed)
{
	struct rig *r = &self->r;
	int aside = put_stdout_aside(), fd = pipe_stdout(0);
	uint64_t kept;

	r->random = true;
	ASSERT_EQ(0, rig_open(r, "-"));
	put_stdout_back(aside);
	close(fd);
	EXPECT_EQ(-EPIPE, rig_fill(r));
	EXPECT_EQ(-EPIPE, output_boundary(r->o));
	EXPECT_EQ(-ESPIPE, output_cut(r->o, 1000, &kept));
	EXPECT_EQ(-EPIPE, rig_close(r, true));
}

TEST_F(output, thread_leaves_signals_and_power_alone)
{
	struct rig *r = &self->r;

	ASSERT_EQ(0, rig_open(r, self->path));
	ASSERT_EQ(0, rig_write(r, 10, 10));
	/* The thread has started, and so has finished its setup. */
	ASSERT_EQ(0, wait_for_events(r, self->path, 10, false));
	if (variant->compression == COMPRESSION_NONE) {
		EXPECT_EQ(~0ULL, other_thread("SigBlk"));
		return;
	}
	/* All but SIGKILL, SIGSTOP and the C library's own signals. */
	EXPECT_EQ(0xfffffffe7ffbfeffULL, other_thread("SigBlk"));
	EXPECT_EQ(0ULL, other_thread("CapEff"));
	EXPECT_EQ(0ULL, other_thread("CapPrm"));
	/* Nor does it report unwritten bytes; soon afterwards the file has them. */
	for (int i = 0; i < PATIENCE && !output_safe(r->o); i++)
		usleep(10000);
	EXPECT_EQ(r->head + r->events * EVENT_BYTES, output_safe(r->o));
}
