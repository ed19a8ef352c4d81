// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings that go to a receiver that works, is slow, stops, dies or is not there: complete
 * archives; counted losses; errors that say what happened, and an end in all cases.
 */
#include <json-c/json.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "failure.h"
#include "off_cpu.h"
#include "receiver.h"
#include "source_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(stream);

/* The receiver is killed with this process, which runs a single test. */
static struct receiver r;

static int make_load(unsigned int rounds)
{
	struct pair pair = { .rounds = rounds, .ends = { { .cpu = ANY_CPU }, { .cpu = ANY_CPU } } };

	return pairs_run(&pair, 1);
}

#define START(address, ...)							\
	ASSERT_EQ(0, receiver_start(&r, self->dir, address,			\
				    (const char *[]){ __VA_ARGS__ })) TH_LOG("%s", r.text)

static void send_to(FIXTURE_DATA(stream) *self, const char *family,
		    struct __test_metadata *_metadata)
{
	char address[RECORD_PATH], path[RECORD_PATH];

	receiver_address(address, sizeof(address), family, self->dir);
	START(address, "-n", "1", NULL);
	ASSERT_BEGIN("-o", r.address);
	ASSERT_EQ(0, make_load(500));
	EXPECT_FINE(record_end(&self->c, &self->why));
	/* The collector ends when the receiver has all. */
	EXPECT_EQ(1UL, receiver_files(&r, true));
	EXPECT_EQ(0, receiver_wait(&r)) TH_LOG("%s", r.text);
	EXPECT_FINE(trace_load(&self->t, receiver_file(&r, true, 0, path), false, &self->why));
	EXPECT_IN(self->c.text, "sent 1 archive, ");
}

SOURCE_TEST(stream, tcp4)
{
	send_to(self, "tcp4", _metadata);
}

SOURCE_TEST(stream, tcp6)
{
	const char *missing = receiver_missing("tcp6");

	if (missing)
		SKIP(return, "%s", missing);
	send_to(self, "tcp6", _metadata);
}

SOURCE_TEST(stream, local)
{
	send_to(self, "unix", _metadata);
}

SOURCE_TEST(stream, vsock)
{
	const char *missing = receiver_missing("vsock");

	if (missing)
		SKIP(return, "%s", missing);
	send_to(self, "vsock", _metadata);
}

/* A name with several addresses, the first of which may not be listened at. */
SOURCE_TEST(stream, by_name)
{
	char name[64];

	START("tcp://127.0.0.1:0", "-n", "1", NULL);
	snprintf(name, sizeof(name), "tcp://localhost%s", strrchr(r.address, ':'));
	ASSERT_BEGIN("-o", name, "-z", "zstd");
	EXPECT_FINE(record_end(&self->c, &self->why));
	EXPECT_EQ(0, receiver_wait(&r)) TH_LOG("%s", r.text);
	EXPECT_EQ(1UL, receiver_files(&r, true));
}

/* Each segment has a connection, and so a file. */
SOURCE_TEST(stream, segments)
{
	char path[RECORD_PATH], merged[RECORD_PATH + 16];
	const char *merge[24] = { "merge", "-q", "-o", merged };
	char paths[16][RECORD_PATH];
	struct tool tool;
	size_t n, i;

	START("tcp://127.0.0.1:0", NULL);
	ASSERT_BEGIN("-o", r.address, "--rotate", "size=100K");
	/* Until two segments have ended. */
	while (receiver_files(&r, true) < 2)
		ASSERT_EQ(0, make_load(200));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_EQ(0, receiver_end(&r)) TH_LOG("%s", r.text);
	n = receiver_files(&r, true);
	EXPECT_LE(3UL, n);
	for (i = 0; i < n && i < 16; i++) {
		receiver_file(&r, true, i, paths[i]);
		merge[4 + i] = paths[i];
		EXPECT_FINE(trace_load(&self->t, paths[i], false, &self->why));
	}
	snprintf(merged, sizeof(merged), "%s/merged.fxt", self->dir);
	EXPECT_EQ(0, tool_run(&tool, merge)) TH_LOG("%s", tool.err);
	EXPECT_EQ(0, tool_run(&tool, ARGS("check", "-q", merged))) TH_LOG("%s", tool.out);
	EXPECT_EQ(0UL, receiver_files(&r, false)) TH_LOG("%s", receiver_file(&r, false, 0, path));
}

static int wait_until_it_says(FIXTURE_DATA(stream) *self, const char *words)
{
	for (int waited = 0; waited < PATIENCE_MS; waited += 20) {
		collector_read(&self->c);
		if (strstr(self->c.text, words))
			return 0;
		sleep_ms(20);
	}
	return -1;
}

/* Each snapshot has a connection of its own, so an absent receiver only misses its snapshot. */
SOURCE_TEST(stream, snapshots)
{
	char address[RECORD_PATH], path[RECORD_PATH];

	receiver_address(address, sizeof(address), "unix", self->dir);
	START(address, NULL);
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-s", self->source, "-F", "-o",
							       r.address), -1));
	/* Before that, the signal would end it. */
	ASSERT_EQ(0, wait_until_it_says(self, "recording with"));
	ASSERT_EQ(0, kill(self->c.pid, SIGUSR1));
	ASSERT_EQ(0, wait_until_it_says(self, "complete for the last"));
	EXPECT_EQ(1UL, receiver_files(&r, true));
	receiver_kill(&r);
	ASSERT_EQ(0, kill(self->c.pid, SIGUSR1));
	ASSERT_EQ(0, wait_until_it_says(self, "the recording continues"));
	START(address, NULL);
	ASSERT_EQ(0, kill(self->c.pid, SIGTERM));
	EXPECT_EQ(6, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	EXPECT_EQ(0, receiver_end(&r)) TH_LOG("%s", r.text);
	EXPECT_EQ(2UL, receiver_files(&r, true));
	for (size_t i = 0; *receiver_file(&r, true, i, path); i++)
		EXPECT_FINE(trace_load(&self->t, path, false, &self->why));
}

static int await_part(FIXTURE_DATA(stream) *self)
{
	while (!receiver_files(&r, false))
		sleep_ms(10);
	receiver_file(&r, false, 0, self->c.output);
	return make_load(50) || wait_for_records(&self->c, &self->why) ? -1 : 0;
}

SOURCE_TEST(stream, receiver_killed)
{
	char path[RECORD_PATH];
	struct why why;

	START("tcp://127.0.0.1:0", NULL);
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-q", "-s", self->source, "-o",
							       r.address), -1));
	ASSERT_FINE(await_part(self));
	receiver_kill(&r);
	EXPECT_FINE(check_failure(&self->c, collector_wait(&self->c), 6,
				  "the receiver has closed the connection; recording ended after",
				  &self->why));
	EXPECT_EQ(0UL, receiver_files(&r, true));
	EXPECT_EQ(0, trace_load(&self->t, receiver_file(&r, false, 0, path), true, &why));
}

SOURCE_TEST(stream, sender_killed)
{
	char path[RECORD_PATH];
	struct tool tool;

	START("tcp://127.0.0.1:0", "-n", "1", NULL);
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-q", "-s", self->source, "-o",
							       r.address), -1));
	ASSERT_FINE(await_part(self));
	ASSERT_EQ(0, kill(self->c.pid, SIGKILL));
	collector_wait(&self->c);
	EXPECT_EQ(1, receiver_wait(&r));
	EXPECT_IN(r.text, "the archive is truncated: ");
	EXPECT_EQ(0UL, receiver_files(&r, true));
	receiver_file(&r, false, 0, path);
	EXPECT_FINE(trace_load(&self->t, path, true, &self->why));
	/* The incomplete archive shows the loss by itself. */
	EXPECT_EQ(1, tool_run(&tool, ARGS("check", path)));
	EXPECT_IN(tool.out, "closing ledger");
}

SOURCE_TEST(stream, no_receiver)
{
	const struct failure nobody = {
		1, "cannot connect to tcp://127.0.0.1:1: Connection refused; start fxt receive",
		{ "-q", "-s", self->source, "-o", "tcp://127.0.0.1:1", NULL },
	}, no_socket = {
		1, "cannot connect to unix:/nowhere: No such file",
		{ "-q", "-F", "-s", self->source, "-o", "unix:/nowhere", NULL },
	};

	EXPECT_FINE(check_run(&self->c, self->dir, &nobody, &self->why));
	EXPECT_FINE(check_run(&self->c, self->dir, &no_socket, &self->why));
}

/* The socket is looked up and connected to as the user behind sudo. */
SOURCE_TEST(stream, socket_of_another_user)
{
	char address[RECORD_PATH];
	const struct failure refused = {
		1, "Permission denied", { "-q", "-s", self->source, "-o", address, NULL },
	};

	receiver_address(address, sizeof(address), "unix", self->dir);
	START(address, NULL);
	setenv("SUDO_UID", "12345", 1);
	setenv("SUDO_GID", "12345", 1);
	EXPECT_FINE(check_run(&self->c, self->dir, &refused, &self->why));
}

/* A receiver of the test: accepts, and does nothing. */
static int accept_only(FIXTURE_DATA(stream) *self, const char *family, const char * const *more)
{
	const char *args[16] = { "-q", "-s", self->source, "-b", "64K", "-o", r.address };
	char address[RECORD_PATH];
	int fd, i;

	receiver_address(address, sizeof(address), family, self->dir);
	fd = receiver_listen(address, r.address, sizeof(r.address));
	for (i = 0; more && more[i]; i++)
		args[7 + i] = more[i];
	if (fd < 0 || collector_spawn(&self->c, self->dir, args, -1))
		return -1;
	return accept4(fd, NULL, NULL, SOCK_CLOEXEC);
}

/* Fill the socket until nothing more goes into it, and then the buffers of all CPUs. */
static int overfill(FIXTURE_DATA(stream) *self, int fd)
{
	int cpus[MAX_CPUS], held = 0, before = -1;

	/* A sender that is runnable has not tried yet. */
	while (!held || held > before || !is_off_cpu(self->c.pid)) {
		before = held;
		/* A socket has room for most of them, so it seldom takes a third round. */
		if (make_load(2000))
			return -1;
		/* Records are fetched every 200 ms or more often. */
		sleep_ms(500);
		if (ioctl(fd, FIONREAD, &held))
			return -1;
	}
	return make_load(2000 * allowed_cpus(cpus));
}

static int drain(int from, const char *path)
{
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char buffer[4096];
	ssize_t n;

	while ((n = read(from, buffer, sizeof(buffer))) > 0)
		if (write(to, buffer, n) != n)
			return -1;
	close(to);
	close(from);
	return n;
}

/* Losses are counted, and written = stored + lost holds. */
SOURCE_TEST(stream, slow_receiver)
{
	char stats[RECORD_PATH + 16], path[RECORD_PATH + 16];
	struct json_object *d, *lost;
	int fd;

	snprintf(stats, sizeof(stats), "%s/stats", self->dir);
	snprintf(path, sizeof(path), "%s/received.fxt", self->dir);
	fd = accept_only(self, "unix", ARGS("--stats-json", stats));
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, overfill(self, fd));
	ASSERT_EQ(0, kill(self->c.pid, SIGTERM));
	ASSERT_EQ(0, drain(fd, path));
	EXPECT_EQ(0, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	/* Includes the findings of fxt check, which compares ledgers with records. */
	ASSERT_FINE(trace_load(&self->t, path, false, &self->why));
	EXPECT_LT(0UL, trace_lost(&self->t));
	d = json_object_from_file(stats);
	ASSERT_TRUE(d && json_object_object_get_ex(d, "lost", &lost));
	EXPECT_EQ(trace_lost(&self->t), (uint64_t)json_object_get_int64(lost));
}

SOURCE_TEST(stream, receiver_stops)
{
	int fd;

	fd = accept_only(self, "unix", NULL);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, overfill(self, fd));
	ASSERT_EQ(0, kill(self->c.pid, SIGTERM));
	EXPECT_FINE(check_failure(&self->c, collector_wait(&self->c), 6,
				  "the receiver has stopped reading", &self->why));
	close(fd);
}

/* The duration is over, and nobody has asked for the end. */
SOURCE_TEST(stream, receiver_never_reads)
{
	uint64_t begun = boottime_ns();
	int fd;

	fd = accept_only(self, "unix", ARGS("-d", "4s"));
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, overfill(self, fd));
	EXPECT_FINE(check_failure(&self->c, collector_wait(&self->c), 6,
				  "the receiver has stopped reading", &self->why));
	/* Otherwise 30 s without an accepted byte end it. */
	EXPECT_GT(30 * 1000000000ULL, boottime_ns() - begun);
	close(fd);
}

/* The receiver's machine forgets the connection; the next data are answered by a reset. */
SOURCE_TEST(stream, half_open)
{
	char byte;
	int fd;

	fd = accept_only(self, "tcp4", NULL);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, read(fd, &byte, 1));
	ASSERT_EQ(0, receiver_vanish(fd));
	EXPECT_FINE(check_failure(&self->c, collector_wait(&self->c), 6,
				  "the receiver has closed the connection", &self->why));
}

/* The receiver reads everything, but then resets the connection. */
SOURCE_TEST(stream, not_confirmed)
{
	const struct linger at_once = { .l_onoff = 1 };
	char buffer[4096];
	int fd;

	fd = accept_only(self, "tcp4", ARGS("-d", "100ms"));
	ASSERT_LE(0, fd);
	while (read(fd, buffer, sizeof(buffer)) > 0)
		;
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(fd);
	EXPECT_FINE(check_failure(&self->c, collector_wait(&self->c), 6,
				  "the receiver has closed the connection", &self->why));
}
