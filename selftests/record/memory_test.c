// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reclaim and compaction of memory: a program in a cgroup with a limit of memory has a slice each
 * time that the kernel reclaimed memory of the cgroup, with as many pages; one outside has none.
 * What is inside a compaction is no slice of its own.
 */
#include <fcntl.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cgroup.h"
#include "groups_fixture.h"
#include "kmod.h"
#include "tool.h"

SOURCE_FIXTURE(memory);

#define LIMITED		"m-limited"
#define FREE		"m-free"
#define DISK_BYTES	(32U << 20)
#define LIMIT_BYTES	(8U << 20)
#define STEP_BYTES	(256U << 10)
#define CGROUPS		"/sys/fs/cgroup"
#define V1		CGROUPS "/memory"
#define HUGE_PAGES	"/proc/sys/vm/nr_hugepages"

struct group {
	char dir[128];
	bool is_v2;
};

static int group_make(struct group *g)
{
	char limit[16];

	g->is_v2 = !access(CGROUPS "/cgroup.controllers", F_OK);
	snprintf(g->dir, sizeof(g->dir), "%s/fxt-memory-%d", g->is_v2 ? CGROUPS : V1, getpid());
	snprintf(limit, sizeof(limit), "%u", LIMIT_BYTES);
	if ((g->is_v2 && write_in(CGROUPS, "cgroup.subtree_control", "+memory")) ||
	    mkdir(g->dir, 0755))
		return -1;
	return write_in(g->dir, g->is_v2 ? "memory.high" : "memory.limit_in_bytes", limit);
}

static uint64_t value_of(const char *dir, const char *file, const char *key)
{
	char path[256], name[64];
	uint64_t value, found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	f = fopen(path, "re");
	while (f && fscanf(f, "%63s %" SCNu64, name, &value) == 2)
		found += !strncmp(name, key, strlen(key)) ? value : 0;
	if (f)
		fclose(f);
	return found;
}

/*
 * Return: a loop device on memory that exists already, so that reading it allocates nothing else.
 */
static int disk_open(char *path, size_t room)
{
	int control, file = memfd_create("disk", MFD_CLOEXEC), number, fd = -1;
	char data[4096] = "x";

	for (unsigned int i = 0; i < DISK_BYTES / sizeof(data); i++)
		if (write(file, data, sizeof(data)) != sizeof(data))
			return -1;
	if (in_guest() && system("modprobe -q loop"))
		return -1;
	control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	number = control < 0 ? -1 : ioctl(control, LOOP_CTL_GET_FREE);
	snprintf(path, room, "/dev/loop%d", number);
	if (number >= 0)
		fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0 && ioctl(fd, LOOP_SET_FD, file)) {
		close(fd);
		fd = -1;
	}
	close(file);
	if (control >= 0)
		close(control);
	return fd;
}

static void disk_close(int fd)
{
	ioctl(fd, LOOP_CLR_FD);
	close(fd);
}

static pid_t reader_start(const char *name, const char *disk, const struct group *group)
{
	pid_t pid = fork();
	char *data;
	int fd;

	if (pid)
		return pid;
	prctl(PR_SET_NAME, name);
	data = malloc(STEP_BYTES);
	fd = open(disk, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !data || (group && write_in(group->dir, "cgroup.procs", "0")))
		_exit(1);
	for (unsigned int i = 0; i < DISK_BYTES / STEP_BYTES; i++)
		if (read(fd, data, STEP_BYTES) != STEP_BYTES)
			_exit(1);
	_exit(0);
}

static int reader_join(pid_t pid)
{
	int status;

	return pid < 0 || waitpid(pid, &status, 0) != pid || status ? -1 : 0;
}

struct slices {
	unsigned int count;
	uint64_t pages;
	uint64_t time;		/* of all of them, in ticks */
};

static struct slices slices_of(const struct trace *t, pid_t tid, uint16_t name)
{
	const struct trace_group_event *e;
	struct slices s = { 0 };

	for_each_group_event(e, t) {
		if (e->category != FXT_STR_MEMORY || e->name != name ||
		    e->thread != (uint64_t)tid)
			continue;
		s.count++;
		s.pages += e->args[0];
		s.time += e->time - e->begin;
	}
	return s;
}

static void expect_report(struct __test_metadata *_metadata, const char *archive,
			  const struct slices *s, const pid_t *pids)
{
	struct tool tool;
	char text[128];

	ASSERT_EQ(0, tool_run(&tool, ARGS("report", "--all", "--json", archive)))
		TH_LOG("%s", tool.err);
	snprintf(text, sizeof(text), "{\"name\":\"cgroup reclaim\",\"thread_tid\":%d,"
		 "\"thread_nth\":0,\"thread_name\":\"" LIMITED "\",\"count\":%u,",
		 pids[0], s->count);
	EXPECT_IN(tool.out, text);
	snprintf(text, sizeof(text), "{\"name\":\"cgroup reclaim\",\"thread_tid\":%d,", pids[1]);
	EXPECT_NOT_IN(tool.out, text);
	tool_free(&tool);
	ASSERT_EQ(0, tool_run(&tool, ARGS("why", "--all", "--top", "1000", "--thread", LIMITED,
					  archive)))
		TH_LOG("%s", tool.err);
	EXPECT_IN(tool.out, "ran; ");
	EXPECT_IN(tool.out, " of that in cgroup reclaim\n");
	tool_free(&tool);
}

/* Limits of memory are those of the recorded cgroups only without version 1. */
static void expect_cgroups(struct __test_metadata *_metadata, const char *archive, bool are_v2)
{
	struct tool tool;

	ASSERT_EQ(0, tool_run(&tool, ARGS("info", "--json", archive))) TH_LOG("%s", tool.err);
	EXPECT_EQ(are_v2, !!strstr(tool.out, "\"cgroups\":\"v2\""));
	tool_free(&tool);
}

/* The first limit is soft: what is above it is reclaimed when the program returns from a read. */
TEST_F(memory, reclaim_of_a_cgroup)
{
	const uint64_t page = sysconf(_SC_PAGESIZE), above = (DISK_BYTES - LIMIT_BYTES) / page;
	char disks[2][32];
	int fds[2] = { disk_open(disks[0], 32), disk_open(disks[1], 32) };
	struct group group;
	struct slices s;
	uint64_t stolen;
	pid_t pids[2];

	if (fds[0] < 0 || fds[1] < 0)
		SKIP(return, "there are no loop devices: %s", strerror(errno));
	if (group_make(&group))
		SKIP(return, "no cgroup can have a limit of memory: %s", strerror(errno));
	BEGIN("-e", "memory");
	pids[0] = reader_start(LIMITED, disks[0], &group);
	pids[1] = reader_start(FREE, disks[1], NULL);
	EXPECT_EQ(0, reader_join(pids[0]));
	EXPECT_EQ(0, reader_join(pids[1]));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	s = slices_of(&self->t, pids[0], FXT_STR_CGROUP_RECLAIM);
	EXPECT_LT(0U, s.count);
	EXPECT_LT(0U, s.time);
	if (group.is_v2) {
		EXPECT_EQ(value_of(group.dir, "memory.events", "high"), s.count);
		stolen = value_of(group.dir, "memory.stat", "pgsteal");
		/* Later kernels also have a line for each of those who reclaimed. */
		stolen -= value_of(group.dir, "memory.stat", "pgsteal_");
		/* The kernel also counts pages of its own objects in a slice. */
		EXPECT_LE(stolen, s.pages);
		EXPECT_GE(stolen + stolen / 10, s.pages);
	}
	EXPECT_LE(above - above / 10, s.pages);
	EXPECT_GE(DISK_BYTES / page + above / 10, s.pages);
	EXPECT_EQ(0U, slices_of(&self->t, pids[1], FXT_STR_CGROUP_RECLAIM).count);
	expect_report(_metadata, self->c.output, &s, pids);
	expect_cgroups(_metadata, self->c.output, group.is_v2);
	disk_close(fds[0]);
	disk_close(fds[1]);
	rmdir(group.dir);
}

static void compact(struct worker *w)
{
	w->failed = write_in("/proc/sys/vm", "compact_memory", "1");
}

TEST_F(memory, compaction)
{
	struct worker worker = { .name = "m-compact", .cpu = ANY_CPU, .run = compact };

	if (!in_guest())
		SKIP(return, "the memory of the host is not compacted");
	BEGIN("-e", "memory");
	ASSERT_EQ(0, worker_start(&worker));
	ASSERT_EQ(0, worker_join(&worker));
	ASSERT_EQ(0, worker.failed);
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	EXPECT_LT(0U, slices_of(&self->t, worker.tid, FXT_STR_COMPACTION).count);
	EXPECT_EQ(0U, slices_of(&self->t, worker.tid, FXT_STR_DIRECT_RECLAIM).count);
}

static void ask_for_huge_pages(struct worker *w)
{
	w->failed = write_in("/proc/sys/vm", "nr_hugepages", "1000000") ||
		    write_in("/proc/sys/vm", "nr_hugepages", "0");
}

/* Some reclaims try again, which the kernel counts, too. */
TEST_F(memory, direct_reclaim)
{
	struct worker worker = { .name = "m-huge", .cpu = ANY_CPU, .run = ask_for_huge_pages };
	uint64_t before, after;
	struct slices s;

	if (!in_guest() || access(HUGE_PAGES, W_OK))
		SKIP(return, "the memory of the host is not used up");
	BEGIN("-e", "memory");
	before = value_of("/proc", "vmstat", "allocstall_");
	ASSERT_EQ(0, worker_start(&worker));
	ASSERT_EQ(0, worker_join(&worker));
	ASSERT_EQ(0, worker.failed);
	after = value_of("/proc", "vmstat", "allocstall_");
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	s = slices_of(&self->t, worker.tid, FXT_STR_DIRECT_RECLAIM);
	EXPECT_LT(0U, s.count);
	EXPECT_GE(after - before, s.count);
}

static int load_error;	/* errno */

static void load_module(struct worker *w)
{
	load_error = kmod_load("fxt_memory", "");
	w->failed = false;
}

/* How often a thread went to sleep while it compacted memory. */
static unsigned int sleeps_in_compaction(const struct trace *t, pid_t tid)
{
	const struct trace_group_event *c;
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned int count = 0;

	for_each_group_event(c, t) {
		if (c->name != FXT_STR_COMPACTION || c->thread != (uint64_t)tid)
			continue;
		trace_for_each_event(t, s, e)
			count += !e->is_wakeup && e->sw.out == (uint64_t)tid &&
				 e->sw.state == FXT_THREAD_BLOCKED && c->begin <= e->time &&
				 e->time <= c->time;
	}
	return count;
}

/* The thread sleeps before and after what is inside, which would have 9 pages. */
TEST_F(memory, inside_a_compaction)
{
	struct worker worker = { .name = "m-inside", .cpu = ANY_CPU, .run = load_module };
	struct slices s;

	BEGIN("-e", "memory");
	ASSERT_EQ(0, worker_start(&worker));
	ASSERT_EQ(0, worker_join(&worker));
	if (load_error == ENOENT)
		SKIP(return, "$FXT_MODULE has no fxt_memory.ko beside it");
	ASSERT_EQ(0, load_error) TH_LOG("fxt_memory.ko: %s", strerror(load_error));
	EXPECT_EQ(0, kmod_unload("fxt_memory"));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	ASSERT_FINE(trace_check_all(&self->t, &self->why));
	EXPECT_EQ(1U, slices_of(&self->t, worker.tid, FXT_STR_COMPACTION).count);
	EXPECT_EQ(2U, sleeps_in_compaction(&self->t, worker.tid));
	s = slices_of(&self->t, worker.tid, FXT_STR_DIRECT_RECLAIM);
	EXPECT_EQ(2U, s.count);
	EXPECT_EQ(3U, s.pages);
}
