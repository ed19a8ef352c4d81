// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * block_test.c - requests of a block device that a test makes.
 * In:  a loop device, which a thread reads and writes past the cache.
 * Must hold: each request has one begin and one end, with the size, the operation and the thread;
 *      it lies within the system call that caused it; the report counts it.
 */
#include <fcntl.h>
#include <json-c/json.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "groups_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(block);

#define CONTROL		"/dev/loop-control"
#define CALLS		32U
#define READ_BYTES	(64U << 10)
#define WRITE_BYTES	(16U << 10)
#define ALIGNED		4096U

/** struct disk - a loop device on a file without a name */
struct disk {
	char path[32];
	const char *name;	/* in @path */
	int fd;
};

static int disk_open(struct disk *d)
{
	int control, file = memfd_create("disk", MFD_CLOEXEC), number;

	*d = (struct disk){ .fd = -1 };
	if (in_guest() && system("modprobe -q loop"))
		return -1;
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	number = control < 0 ? -1 : ioctl(control, LOOP_CTL_GET_FREE);
	if (number >= 0 && file >= 0 && !ftruncate(file, (off_t)CALLS * READ_BYTES)) {
		snprintf(d->path, sizeof(d->path), "/dev/loop%d", number);
		d->name = d->path + strlen("/dev/");
		d->fd = open(d->path, O_RDWR | O_DIRECT | O_CLOEXEC);
		if (d->fd >= 0 && ioctl(d->fd, LOOP_SET_FD, file)) {
			close(d->fd);
			d->fd = -1;
		}
	}
	if (file >= 0)
		close(file);
	if (control >= 0)
		close(control);
	return d->fd;
}

static void disk_close(const struct disk *d)
{
	ioctl(d->fd, LOOP_CLR_FD);
	close(d->fd);
}

struct user {
	struct disk disk;
	uint64_t from[2 * CALLS];	/* ticks before each call */
	uint64_t to[2 * CALLS];		/* and after it */
};

static void use(struct worker *w)
{
	struct user *u = w->arg;
	char *data = aligned_alloc(ALIGNED, READ_BYTES);

	memset(data, 1, READ_BYTES);
	for (unsigned int i = 0; i < 2 * CALLS; i++) {
		off_t at = (off_t)(i / 2) * READ_BYTES;

		u->from[i] = boottime_ns();
		if (i % 2)
			w->failed |= pwrite(u->disk.fd, data, WRITE_BYTES, at) != WRITE_BYTES;
		else
			w->failed |= pread(u->disk.fd, data, READ_BYTES, at) != READ_BYTES;
		u->to[i] = boottime_ns();
	}
	free(data);
}

/* The completion of a request, NULL if there is none. */
static const struct trace_group_event *completion(const struct trace *t,
						  const struct trace_group_event *of)
{
	const struct trace_group_event *e, *found = NULL;

	for_each_group_event(e, t)
		if (e->kind == FXT_KIND_ASYNC_END && e->id == of->id && e->time >= of->time &&
		    (!found || e->time < found->time))
			found = e;
	return found;
}

/* Who queued it, else who issued it. */
static uint64_t submitter(const struct trace *t, const struct trace_group_event *of)
{
	const struct trace_group_event *e, *found = NULL;

	for_each_group_event(e, t)
		if (e->category == FXT_STR_BLOCK && e->name == FXT_STR_QUEUED &&
		    e->args[0] == of->id && e->time <= of->time && (!found || e->time > found->time))
			found = e;
	return found ? found->thread : of->args[0];
}

static void check_request(struct __test_metadata *_metadata, const struct trace *t,
			  const struct trace_group_event *e, const struct worker *w)
{
	const struct user *u = w->arg;
	const struct trace_group_event *end = completion(t, e);
	bool writes = fxt_get(FXT_BLOCK_OP, e->args[2]) == FXT_LINUX_OP_WRITE;
	/* The records of other CPUs are elsewhere in the archive. */
	uint64_t n = e->args[3] / (READ_BYTES >> 9) * 2 + writes;

	ASSERT_LT(n, 2 * CALLS);
	EXPECT_EQ((uint64_t)w->tid, submitter(t, e));
	EXPECT_EQ(n % 2 ? WRITE_BYTES : READ_BYTES, e->args[1]);
	EXPECT_EQ((uint64_t)(n % 2 ? FXT_LINUX_OP_WRITE : FXT_LINUX_OP_READ),
		  fxt_get(FXT_BLOCK_OP, e->args[2]));
	EXPECT_EQ((uint64_t)(n / 2) * (READ_BYTES >> 9), e->args[3]);
	ASSERT_NE(NULL, end);
	EXPECT_STREQ(e->text, end->text);
	EXPECT_EQ(0U, end->args[0]);
	EXPECT_LE(u->from[n], e->time);
	EXPECT_LE(end->time, u->to[n]);
}

static struct json_object *row_of(struct json_object *report, const char *device, const char *op)
{
	struct json_object *rows = json_object_object_get(report, "requests"), *row;

	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		if (!strcmp(json_object_get_string(json_object_object_get(row, "device")), device) &&
		    !strcmp(json_object_get_string(json_object_object_get(row, "operation")), op))
			return row;
	}
	return NULL;
}

static int64_t number(struct json_object *row, const char *key)
{
	return json_object_get_int64(json_object_object_get(row, key));
}

static void check_report(struct __test_metadata *_metadata, const char *archive, const char *device)
{
	static const struct {
		const char *name;
		uint32_t bytes;
	} ops[] = { { "read", READ_BYTES }, { "write", WRITE_BYTES } };
	struct json_object *report, *row;
	struct tool tool;

	ASSERT_EQ(0, tool_run(&tool, ARGS("report", "--all", "--json", archive)))
		TH_LOG("%s", tool.err);
	report = json_tokener_parse(tool.out);
	ASSERT_NE(NULL, report);
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		row = row_of(report, device, ops[i].name);
		ASSERT_NE(NULL, row);
		EXPECT_EQ(CALLS, number(row, "count"));
		EXPECT_EQ((int64_t)CALLS * ops[i].bytes, number(row, "bytes"));
		EXPECT_EQ(0, number(row, "errors"));
		EXPECT_EQ(0, number(row, "open"));
		EXPECT_LE(number(row, "queued_ns"), number(row, "total_ns"));
	}
	json_object_put(report);
	tool_free(&tool);
	ASSERT_EQ(0, tool_run(&tool, ARGS("check", archive))) TH_LOG("%s", tool.out);
	tool_free(&tool);
}

TEST_F(block, requests_of_a_loop_device)
{
	const struct trace_group_event *e;
	struct user user;
	struct worker worker = { .name = "disk user", .cpu = ANY_CPU, .run = use, .arg = &user };
	unsigned int n = 0;

	BEGIN("-e", "block,irq");
	if (disk_open(&user.disk) < 0)
		SKIP(return, "there is no loop device: %s", strerror(errno));
	ASSERT_EQ(0, worker_start(&worker));
	ASSERT_EQ(0, worker_join(&worker));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for_each_group_event(e, &self->t)
		if (e->kind == FXT_KIND_ASYNC_BEGIN && !strcmp(e->text, user.disk.name)) {
			check_request(_metadata, &self->t, e, &worker);
			n++;
		}
	EXPECT_EQ(2 * CALLS, n);
	check_report(_metadata, self->c.output, user.disk.name);
	disk_close(&user.disk);
}
