// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings under faults from outside: full disks, limits, signals, CPUs and directories that
 * disappear, very many threads. The file is valid up to its last record and records what is
 * missing; message and exit status match.
 */
#include <glob.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "source_fixture.h"

SOURCE_FIXTURE(faults);

static int make_load(unsigned int rounds)
{
	struct pair pair = { .rounds = rounds };
	int cpus[MAX_CPUS];

	allowed_cpus(cpus);
	pair.ends[1].cpu = cpus[0];
	pair.ends[0].cpu = pair.ends[1].cpu;
	return pairs_run(&pair, 1);
}

static void load_until_it_ends(struct collector *c)
{
	siginfo_t info = { 0 };

	for (int i = 0; i < 500 && !info.si_pid; i++) {
		make_load(200);
		waitid(P_PID, c->pid, &info, WEXITED | WNOHANG | WNOWAIT);
	}
}

static uint64_t stored(const struct trace *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->stream_count; i++)
		sum += t->streams[i].stored;
	return sum;
}

static int wait_until_it_says(struct collector *c, const char *words)
{
	for (int waited = 0; waited < PATIENCE_MS; waited += 20) {
		collector_read(c);
		if (strstr(c->text, words))
			return 0;
		sleep_ms(20);
	}
	return -1;
}

/* --- no room ------------------------------------------------------------------------ */

/* Check that the archive counts the missing records exactly. */
static int check_ended_early(const struct collector *c, struct trace *t, const char *path,
			     int status, struct why *why)
{
	if (status != 6)
		return complain(why, "status %d: %.300s", status, c->text);
	if (!strstr(c->text, "no space left") || !strstr(c->text, "is valid up to there"))
		return complain(why, "not told: %.300s", c->text);
	if (trace_load(t, path, false, why) || trace_check_records(t, why) ||
	    trace_check_ledgers(t, why))
		return -1;
	if (stored(t) < 1000 || !trace_lost(t))
		return complain(why, "%ju records stored, %ju lost", (uintmax_t)stored(t),
				(uintmax_t)trace_lost(t));
	return 0;
}

static int fill_disk(struct __test_metadata *_metadata, FIXTURE_DATA(faults) *self,
		     const char *compression)
{
	char disk[RECORD_PATH + 8], path[RECORD_PATH + 32];
	int status;

	snprintf(disk, sizeof(disk), "%s/disk", self->dir);
	snprintf(path, sizeof(path), "%s/sched.fxt", disk);
	mkdir(disk, 0755);
	ASSERT_EQ(0, mount("none", disk, "tmpfs", 0, compression ? "size=256k" : "size=2m"));
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-q", "-s", self->source, "-o", path,
							       "-d", "600s",
							       compression ? "-z" : NULL,
							       compression), -1));
	load_until_it_ends(&self->c);
	status = collector_wait(&self->c);
	status = check_ended_early(&self->c, &self->t, path, status, &self->why);
	umount(disk);
	return status;
}

SOURCE_TEST(faults, disk_full)
{
	EXPECT_FINE(fill_disk(_metadata, self, NULL));
}

SOURCE_TEST(faults, disk_full_ext4)
{
	char image[RECORD_PATH + 8], disk[RECORD_PATH + 8], path[RECORD_PATH + 32];
	char command[5 * RECORD_PATH];
	int status;

	/* Not in guests, which have no loop devices; the result does not depend on the source. */
	if (!strcmp(self->source, "kmod"))
		return;
	snprintf(image, sizeof(image), "%s/image", self->dir);
	snprintf(disk, sizeof(disk), "%s/disk", self->dir);
	snprintf(path, sizeof(path), "%s/sched.fxt", disk);
	mkdir(disk, 0755);
	snprintf(command, sizeof(command),
		 "{ truncate -s 4M %s && mkfs.ext4 -q -F %s && mount -o loop %s %s; } >/dev/null 2>&1",
		 image, image, image, disk);
	if (system(command))
		SKIP(return, "no file system can be mounted by a loop device here");
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-q", "-s", self->source, "-o", path,
							       "-d", "600s"), -1));
	load_until_it_ends(&self->c);
	status = collector_wait(&self->c);
	EXPECT_FINE(check_ended_early(&self->c, &self->t, path, status, &self->why));
	umount(disk);
}

SOURCE_TEST(faults, disk_full_compressed)
{
	EXPECT_FINE(fill_disk(_metadata, self, "zstd:1"));
}

SOURCE_TEST(faults, file_size_limit)
{
	struct rlimit limit, small = { 2 << 20, 2 << 20 };
	int status;

	ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &limit));
	small.rlim_max = limit.rlim_max;
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &small));
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-q", "-s", self->source, "-d",
							       "600s"), -1));
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	load_until_it_ends(&self->c);
	status = collector_wait(&self->c);
	EXPECT_FINE(check_ended_early(&self->c, &self->t, self->c.output, status, &self->why));
}

/* A snapshot without space is reported and removed, and the next one is written. */
SOURCE_TEST(faults, no_room_for_a_snapshot)
{
	char disk[RECORD_PATH + 8], path[RECORD_PATH + 32], last[RECORD_PATH + 40];
	int status;

	snprintf(disk, sizeof(disk), "%s/disk", self->dir);
	snprintf(path, sizeof(path), "%s/x.fxt", disk);
	mkdir(disk, 0755);
	ASSERT_EQ(0, mount("none", disk, "tmpfs", 0, "size=16k"));
	ASSERT_BEGIN("-F", "-b", "1M", "-o", path);
	ASSERT_EQ(0, make_load(500));
	ASSERT_EQ(0, kill(self->c.pid, SIGUSR1));
	/* Afterwards it records into empty buffers again. */
	ASSERT_EQ(0, wait_until_it_says(&self->c, "the recording continues"));
	snprintf(last, sizeof(last), "%s/x-0001.fxt.part", disk);
	EXPECT_EQ(-1, access(last, F_OK));
	*strrchr(last, '.') = '\0';
	ASSERT_EQ(0, mount("none", disk, "tmpfs", MS_REMOUNT, "size=8m"));
	ASSERT_EQ(0, make_load(100));
	close(self->c.gate);
	self->c.gate = -1;
	status = collector_wait(&self->c);
	EXPECT_EQ(6, status) TH_LOG("%s", self->c.text);
	EXPECT_IN(self->c.text, "the recording continues");
	EXPECT_IN(self->c.text, "1 snapshots could not be written");
	EXPECT_FINE(trace_load(&self->t, last, false, &self->why));
	umount(disk);
}

/* --- signals -------------------------------------------------------------------------- */

SOURCE_TEST(faults, signals_end_it_well)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	const char * const args[] = { "-q", "-s", self->source, NULL };

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		ASSERT_EQ(0, collector_spawn(&self->c, self->dir, args, -1));
		ASSERT_FINE(wait_for_records(&self->c, &self->why));
		/* These two signals do not end a recording. */
		kill(self->c.pid, SIGUSR1);
		kill(self->c.pid, SIGPIPE);
		ASSERT_EQ(0, make_load(100));
		kill(self->c.pid, signals[i]);
		EXPECT_EQ(0, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
		ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
		EXPECT_FINE(trace_check_all(&self->t, &self->why));
		EXPECT_LE(200U, stored(&self->t));
		unlink(self->c.output);
	}
}

/* --- what is there already ---------------------------------------------------------------- */

static int record_some(struct collector *c, struct trace *t, const char *dir, const char *source,
		       struct why *why)
{
	if (record_begin(c, dir, source, NULL, why))
		return -1;
	make_load(100);
	return record_load(c, t, why);
}

/* A killed recording does not damage the previous one, and is kept itself. */
SOURCE_TEST(faults, killed_recording_keeps_the_one_before)
{
	char old[RECORD_PATH + 8];
	struct stat before, after;

	ASSERT_FINE(record_some(&self->c, &self->t, self->dir, self->source, &self->why));
	snprintf(old, sizeof(old), "%s.old", self->c.output);
	ASSERT_EQ(0, stat(self->c.output, &before));
	ASSERT_BEGIN(NULL);
	kill(self->c.pid, SIGKILL);
	EXPECT_EQ(128 + SIGKILL, collector_wait(&self->c));
	close(self->c.gate);
	self->c.gate = -1;
	ASSERT_EQ(0, stat(old, &after));
	EXPECT_EQ(before.st_ino, after.st_ino);
	EXPECT_EQ(before.st_size, after.st_size);
	ASSERT_FINE(trace_load(&self->t, old, false, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	ASSERT_EQ(0, stat(self->c.output, &before));
	EXPECT_NE(after.st_ino, before.st_ino);
	EXPECT_LT(0, before.st_size);
	ASSERT_FINE(record_some(&self->c, &self->t, self->dir, self->source, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	ASSERT_EQ(0, stat(old, &after));
	EXPECT_EQ(before.st_ino, after.st_ino);
}

static int hold(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	if (f)
		fputs(text, f);
	return f ? fclose(f) : -1;
}

static bool holds(const char *path, const char *expected)
{
	char text[64] = "";
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	return n == strlen(expected) && !strcmp(text, expected);
}

/*
 * A file that would be lost is reported before a source is opened. Statistics do not
 * replace other files either.
 */
SOURCE_TEST(faults, existing_file)
{
	char path[RECORD_PATH + 16], old[RECORD_PATH + 24];
	const char * const args[] = { "-s", self->source, "-d", "10ms", NULL };

	snprintf(path, sizeof(path), "%s/sched.fxt", self->dir);
	snprintf(old, sizeof(old), "%s.old", path);
	ASSERT_EQ(0, hold(path, "thesis"));
	EXPECT_EQ(1, collector_run(&self->c, self->dir, args));
	EXPECT_IN(self->c.text, "is not an FXT archive; use --force to replace it");
	EXPECT_NOT_IN(self->c.text, "recording with");
	EXPECT_EQ(1, collector_run(&self->c, self->dir, ARGS("-s", self->source, "--stats-json",
							     path, "-d", "10ms")));
	EXPECT_NOT_IN(self->c.text, "recording with");
	EXPECT_TRUE(holds(path, "thesis"));
	EXPECT_NE(0, access(old, F_OK));
	EXPECT_EQ(0, collector_run(&self->c, self->dir, ARGS("-q", "-s", self->source, "--force",
							     "-d", "10ms")))
		TH_LOG("%s", self->c.text);
	EXPECT_TRUE(holds(old, "thesis"));
	/* It occupies the .old name, and the next recording would lose it. */
	EXPECT_EQ(1, collector_run(&self->c, self->dir, args));
	EXPECT_IN(self->c.text, "move it away");
	EXPECT_TRUE(holds(old, "thesis"));
}

/* --- pipes by name -------------------------------------------------------------------------- */

/* Arguments in which "@" stands for the pipe. */
static const char * const piped[][4] = { { "-o", "@" }, { "-o", "/dev/null", "--stats-json", "@" } };

static int spawn_piped(FIXTURE_DATA(faults) *self, size_t which, const char *pipe)
{
	const char *args[10] = { "-s", self->source, "-d", which ? "100ms" : "600s" };
	int i, n = 4;

	for (i = 0; i < 4 && piped[which][i]; i++)
		args[n++] = strcmp(piped[which][i], "@") ? piped[which][i] : pipe;
	args[n] = NULL;
	return collector_spawn(&self->c, self->dir, args, -1);
}

/* Without a reader, it can still be ended. */
SOURCE_TEST(faults, pipe_without_reader)
{
	char path[RECORD_PATH + 16];

	snprintf(path, sizeof(path), "%s/pipe", self->dir);
	ASSERT_EQ(0, mkfifo(path, 0600));
	for (size_t i = 0; i < ARRAY_SIZE(piped); i++) {
		ASSERT_EQ(0, spawn_piped(self, i, path));
		EXPECT_EQ(0, wait_until_it_says(&self->c, "waiting for a reader"))
			TH_LOG("%s", self->c.text);
		ASSERT_EQ(0, kill(self->c.pid, SIGTERM));
		EXPECT_EQ(6, collector_wait(&self->c));
		EXPECT_IN(self->c.text, "has no reader");
		unlink(self->c.errors);
	}
}

/*
 * Load the recorder until the pipe takes no more. The number of bytes cannot show that: a write
 * that does not fit into the rest of a page begins the next one, so a full pipe may hold half of
 * its size.
 */
static int fill_pipe(const char *path)
{
	struct pollfd end = { .fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC), .events = POLLOUT };
	int ret = end.fd < 0 ? -1 : 0;

	while (!ret && poll(&end, 1, 0) > 0)
		ret = make_load(200);
	if (end.fd >= 0)
		close(end.fd);
	return ret;
}

/* A late reader gets everything; a reader that stops does not block the end. */
SOURCE_TEST(faults, pipe_with_reader)
{
	char path[RECORD_PATH + 16], text[4096] = "";
	int fd;
	size_t used = 0;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/pipe", self->dir);
	ASSERT_EQ(0, mkfifo(path, 0600));
	ASSERT_EQ(0, spawn_piped(self, 1, path));
	EXPECT_EQ(0, wait_until_it_says(&self->c, "waiting for a reader"));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while ((n = read(fd, text + used, sizeof(text) - 1 - used)) > 0)
		used += n;
	close(fd);
	EXPECT_IN(text, "\"complete\":true");
	EXPECT_EQ(0, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ASSERT_EQ(0, spawn_piped(self, 0, path));
	ASSERT_EQ(0, fill_pipe(path));
	ASSERT_EQ(0, make_load(200));
	ASSERT_EQ(0, kill(self->c.pid, SIGTERM));
	EXPECT_EQ(6, collector_wait(&self->c));
	EXPECT_IN(self->c.text, "stopped reading");
	close(fd);
}

/* --- what goes away --------------------------------------------------------------------- */

SOURCE_TEST(faults, directory_removed)
{
	char gone[RECORD_PATH + 8], path[RECORD_PATH + 32];
	int status;

	snprintf(gone, sizeof(gone), "%s/gone", self->dir);
	snprintf(path, sizeof(path), "%s/x.fxt", gone);
	mkdir(gone, 0755);
	ASSERT_BEGIN("--rotate", "time=200ms", "-o", path);
	dir_remove(gone);
	ASSERT_EQ(0, wait_until_it_says(&self->c, gone));
	close(self->c.gate);
	self->c.gate = -1;
	status = collector_wait(&self->c);
	EXPECT_EQ(1, status) TH_LOG("%s", self->c.text);
	EXPECT_IN(self->c.text, gone);
}

static int set_cpu(int cpu, bool online)
{
	char path[80];
	int fd, ret;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ret = fd < 0 || write(fd, online ? "1" : "0", 1) != 1 ? -1 : 0;
	if (fd >= 0)
		close(fd);
	return ret;
}

SOURCE_TEST(faults, cpus_come_and_go)
{
	int cpus[MAX_CPUS], i, last;
	unsigned int count = allowed_cpus(cpus);

	last = cpus[count - 1];
	if (count < 2 || set_cpu(last, true))
		SKIP(return, "no CPU can be taken offline here");
	ASSERT_BEGIN(NULL);
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, set_cpu(last, false));
		ASSERT_EQ(0, make_load(100));
		ASSERT_EQ(0, set_cpu(last, true));
		ASSERT_EQ(0, make_load(100));
	}
	/* The last switch of a CPU that goes offline may be missing, see fxt check. */
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_records(&self->t, &self->why));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));
	EXPECT_FINE(trace_check_chain(&self->t, &self->why));
	EXPECT_EQ(0U, trace_lost(&self->t));
}

/* --- crowds ------------------------------------------------------------------------------- */

#define CROWD	20000

static void *wait_on(void *gate)
{
	char byte;

	return (void *)read(*(int *)gate, &byte, 1);
}

/* Runs in a child process, which writes "x" when all threads exist. */
static void crowd(int said, int gate, int count)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	for (int i = 0; i < count; i++)
		if (pthread_create(&thread, &attr, wait_on, &gate))
			_exit(1);
	if (write(said, "x", 1) != 1)
		_exit(2);
	wait_on(&gate);
	_exit(0);
}

SOURCE_TEST(faults, twenty_thousand_threads)
{
	int said[2], gate[2], count = scaled(CROWD), status;
	size_t i, threads = 0;
	char byte;
	pid_t pid;

	ASSERT_EQ(0, pipe2(said, O_CLOEXEC) | pipe2(gate, O_CLOEXEC));
	pid = fork();
	if (!pid) {
		close(said[0]);
		close(gate[1]);
		crowd(said[1], gate[0], count);
	}
	close(said[1]);
	close(gate[0]);
	if (read(said[0], &byte, 1) != 1)
		SKIP(return, "this machine takes no %d threads", count);
	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, make_load(200));
	close(gate[1]);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_records(&self->t, &self->why));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));
	for (i = 0; i < self->t.name_count; i++)
		threads += self->t.names[i].type == FXT_OBJECT_THREAD &&
			   self->t.names[i].process == (uint64_t)pid;
	EXPECT_LE((size_t)count, threads);
}
