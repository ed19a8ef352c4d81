// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests of a loop device, which a thread reads and writes past the cache; in a guest also of a
 * network block device whose server is the test, and of a device that takes one request at a time.
 * Each request has one begin and one end, within the system call that caused it, also if the device
 * completes requests in another order.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <linux/nbd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "groups_fixture.h"
#include "json_get.h"
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
	uint64_t number;	/* st_rdev */
	int fd;
};

static int disk_open(struct disk *d)
{
	int control, file = memfd_create("disk", MFD_CLOEXEC), number;
	struct stat s = { 0 };

	*d = (struct disk){ .fd = -1 };
	if (in_guest() && system("modprobe -q loop"))
		return -1;
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	number = control < 0 ? -1 : ioctl(control, LOOP_CTL_GET_FREE);
	if (number >= 0 && file >= 0 && !ftruncate(file, (off_t)CALLS * READ_BYTES)) {
		snprintf(d->path, sizeof(d->path), "/dev/loop%d", number);
		d->name = d->path + strlen("/dev/");
		d->fd = open(d->path, O_RDWR | O_DIRECT | O_CLOEXEC);
		if (d->fd >= 0 && (ioctl(d->fd, LOOP_SET_FD, file) || fstat(d->fd, &s))) {
			close(d->fd);
			d->fd = -1;
		}
		d->number = s.st_rdev;
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
	EXPECT_EQ(u->disk.number, e->args[4]);
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

/* --- the device completes requests in another order ---------------------------------------- */

#define NBD_PATH	"/dev/nbd0"
#define NBD_SERVED	"/sys/block/nbd0/pid"	/* exists while the kernel sends requests */
#define NBD_STARTS_MS	10000
#define NBD_BLOCKS	1024

/** struct remote - a network block device; @got and @replied: ticks, by the order of requests */
struct remote {
	int fd;
	int ends[2];		/* of the kernel, and of the server */
	struct worker serve;	/* waits in the kernel until the device is closed */
	struct worker server;
	struct worker users[2];
	uint64_t got[2];
	uint64_t replied[2];
	uint64_t returned[2];	/* ticks after the system call of each user */
	atomic_uint requests;	/* that the server has */
	atomic_uint returns;	/* system calls that have returned */
};

static void serve(struct worker *w)
{
	const struct remote *r = w->arg;

	w->failed = ioctl(r->fd, NBD_DO_IT) && errno != EPIPE;
}

static void reply(struct worker *w, int fd, const struct nbd_request *to)
{
	static const char block[ALIGNED];
	struct nbd_reply answer = { .magic = htonl(NBD_REPLY_MAGIC) };

	memcpy(answer.handle, to->handle, sizeof(answer.handle));
	w->failed |= write(fd, &answer, sizeof(answer)) != sizeof(answer) ||
		     write(fd, block, sizeof(block)) != sizeof(block);
}

/* Reply to the second request first, and to the first one when its system call has returned. */
static void answer(struct worker *w)
{
	struct remote *r = w->arg;
	struct nbd_request requests[2];
	int i;

	for (i = 0; i < 2; i++) {
		w->failed |= recv(r->ends[1], &requests[i], sizeof(*requests), MSG_WAITALL) !=
				     sizeof(*requests) || ntohl(requests[i].len) != ALIGNED;
		r->got[i] = boottime_ns();
		atomic_store(&r->requests, i + 1);
	}
	for (i = 1; i >= 0 && !w->failed; i--) {
		r->replied[i] = boottime_ns();
		reply(w, r->ends[1], &requests[i]);
		while (i && !atomic_load(&r->returns))
			sched_yield();
	}
}

static void read_remote(struct worker *w)
{
	struct remote *r = w->arg;
	size_t n = w - r->users;
	char *data = aligned_alloc(ALIGNED, ALIGNED);

	w->failed = pread(r->fd, data, ALIGNED, n * 16 * ALIGNED) != ALIGNED;
	r->returned[n] = boottime_ns();
	atomic_fetch_add(&r->returns, 1);
	free(data);
}

static int remote_open(struct remote *r)
{
	*r = (struct remote){
		.serve = { .name = "serve", .cpu = ANY_CPU, .run = serve, .arg = r },
		.server = { .name = "server", .cpu = ANY_CPU, .run = answer, .arg = r },
		.users = { { .name = "first", .cpu = ANY_CPU, .run = read_remote, .arg = r },
			   { .name = "second", .cpu = ANY_CPU, .run = read_remote, .arg = r } },
	};
	if (!in_guest() || system("modprobe -q nbd max_part=0"))
		return -1;
	r->fd = open(NBD_PATH, O_RDWR | O_DIRECT | O_CLOEXEC);
	return r->fd < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, r->ends) ||
	       ioctl(r->fd, NBD_SET_BLKSIZE, (unsigned long)ALIGNED) ||
	       ioctl(r->fd, NBD_SET_SIZE_BLOCKS, (unsigned long)NBD_BLOCKS) ||
	       ioctl(r->fd, NBD_SET_SOCK, r->ends[0]) ? -1 : 0;
}

/* Older kernels set the size after they begin to send. */
static bool is_ready(const struct remote *r)
{
	uint64_t bytes;

	return !access(NBD_SERVED, F_OK) && !ioctl(r->fd, BLKGETSIZE64, &bytes) &&
	       bytes == (uint64_t)NBD_BLOCKS * ALIGNED;
}

static int remote_start(struct remote *r)
{
	int ret = worker_start(&r->serve) | worker_start(&r->server);

	for (int i = 0; !ret && !is_ready(r); i++) {
		if (i == NBD_STARTS_MS)
			return -1;
		sleep_ms(1);
	}
	return ret;
}

static int remote_use(struct remote *r)
{
	int ret = remote_start(r) | worker_start(&r->users[0]);

	while (!atomic_load(&r->requests) && !atomic_load(&r->returns))
		sched_yield();
	/* Without the first request, the server would wait for a second one. */
	if (!atomic_load(&r->requests))
		shutdown(r->ends[0], SHUT_RDWR);
	ret |= worker_start(&r->users[1]) | worker_join(&r->users[1]) | worker_join(&r->users[0]) |
	       worker_join(&r->server);
	ret |= ioctl(r->fd, NBD_DISCONNECT) | ioctl(r->fd, NBD_CLEAR_SOCK) | worker_join(&r->serve);
	close(r->fd);
	close(r->ends[0]);
	close(r->ends[1]);
	return ret;
}

TEST_F(block, requests_that_complete_in_the_other_order)
{
	const struct trace_group_event *e, *end;
	unsigned int n = 0;
	struct remote r;

	BEGIN("-e", "block,irq");
	if (remote_open(&r))
		SKIP(return, "there is no network block device, or this is no guest");
	ASSERT_EQ(0, remote_use(&r));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for_each_group_event(e, &self->t) {
		size_t i = e->args[3] / (16 * ALIGNED >> 9);

		if (e->kind != FXT_KIND_ASYNC_BEGIN || strcmp(e->text, "nbd0"))
			continue;
		ASSERT_GT(2U, i);
		n++;
		EXPECT_EQ((uint64_t)r.users[i].tid, submitter(&self->t, e));
		EXPECT_LE(e->time, r.got[i]);
		end = completion(&self->t, e);
		ASSERT_NE(NULL, end);
		EXPECT_LE(r.replied[i], end->time);
		EXPECT_LE(end->time, r.returned[i]);
	}
	EXPECT_EQ(2U, n);
	EXPECT_LE(r.returned[1], r.replied[0]);
}

/* --- behind a flood of writes ---------------------------------------------------------------- */

#define QUEUE		"/sys/block/nullb0/queue/"
#define SLOW_PATH	"/dev/nullb0"
#define FLOOD		16U		/* writes at once */
#define ENTRIES		20U		/* that db writes */
#define APART		(1U << 20)	/* bytes; such writes are not merged */

static bool set_queue(const char *file, const char *value)
{
	char path[64];
	int fd;
	bool set;

	snprintf(path, sizeof(path), QUEUE "%s", file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	set = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);
	if (fd >= 0)
		close(fd);
	return set;
}

/* A device that takes 5 ms for a request, one at a time; others are in a queue of the kernel. */
static bool make_slow_disk(void)
{
	return in_guest() &&
	       !system("modprobe -q null_blk irqmode=2 completion_nsec=5000000 hw_queue_depth=1 "
		       "submit_queues=1 nr_devices=1 gb=1 bs=4096") &&
	       set_queue("scheduler", "mq-deadline") && set_queue("nr_requests", "128");
}

static atomic_bool db_ends;

/* How many writes has the device completed? */
static unsigned long writes_completed(void)
{
	FILE *f = fopen("/sys/block/nullb0/stat", "re");
	unsigned long writes = 0;

	if (f && fscanf(f, "%*u %*u %*u %*u %lu", &writes) != 1)
		writes = 0;
	if (f)
		fclose(f);
	return writes;
}

static void flood(struct worker *w)
{
	static const char block[ALIGNED];
	int fd = open(SLOW_PATH, O_WRONLY | O_CLOEXEC);

	while (fd >= 0 && !w->failed && !atomic_load(&db_ends)) {
		for (unsigned int i = 0; i < FLOOD; i++)
			w->failed |= pwrite(fd, block, ALIGNED, (off_t)i * APART) != ALIGNED;
		w->failed |= fsync(fd);
	}
	w->failed |= fd < 0;
	close(fd);
}

static void write_entries(struct worker *w)
{
	char *data = aligned_alloc(ALIGNED, ALIGNED);
	int fd = open(SLOW_PATH, O_WRONLY | O_DIRECT | O_SYNC | O_CLOEXEC);

	memset(data, 1, ALIGNED);
	for (unsigned int i = 0; i < ENTRIES; i++)
		w->failed |= pwrite(fd, data, ALIGNED, (off_t)(FLOOD + i) * APART) != ALIGNED;
	atomic_store(&db_ends, true);
	close(fd);
	free(data);
}

static struct json_object *finding_of(struct json_object *report, const char *kind)
{
	struct json_object *all = json_object_object_get(report, "findings"), *one;

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		one = json_object_array_get_idx(all, i);
		if (!strcmp(text_in(one, "kind"), kind))
			return one;
	}
	return NULL;
}

static void check_finding(struct __test_metadata *_metadata, const char *archive)
{
	struct json_object *report, *found, *culprit;
	struct tool tool;

	ASSERT_EQ(0, tool_run(&tool, ARGS("report", "--all", "--comm", "db", "--json", archive)))
		TH_LOG("%s", tool.err);
	report = json_tokener_parse(tool.out);
	ASSERT_NE(NULL, report);
	/* On a slow machine, waits for a CPU may come before it. */
	found = finding_of(report, "request");
	ASSERT_NE(NULL, found) TH_LOG("%s", tool.out);
	culprit = json_object_array_get_idx(json_object_object_get(found, "culprits"), 0);
	EXPECT_STREQ("nullb0", text_in(found, "source"));
	EXPECT_STREQ("flood", text_in(culprit, "name"));
	/* Which part of it was in queues varies. */
	EXPECT_NE(NULL, strstr(text_in(found, "text"), "for writes of nullb0, "))
		TH_LOG("%s", text_in(found, "text"));
	EXPECT_NE(NULL, strstr(text_in(found, "text"), "behind requests of flood/"))
		TH_LOG("%s", text_in(found, "text"));
	json_object_put(report);
	tool_free(&tool);
}

TEST_F(block, writes_behind_a_flood)
{
	struct worker flooder = { .name = "flood", .run = flood };
	struct worker db = { .name = "db", .run = write_entries };
	unsigned long before;
	int cpus[MAX_CPUS];
	struct tool tool;

	/* A kworker on another CPU issues a part of the requests, whose completions name none then. */
	if (sysconf(_SC_NPROCESSORS_ONLN) > 2)
		SKIP(return, "there are more than two CPUs");
	BEGIN("-e", "block,irq");
	if (!make_slow_disk())
		SKIP(return, "there is no null_blk, or this is no guest");
	/* On one CPU, because another one would record wakeups in an interrupt of its own. */
	ASSERT_LE(1U, allowed_cpus(cpus));
	db.cpu = flooder.cpu = cpus[0];
	atomic_store(&db_ends, false);
	before = writes_completed();
	ASSERT_EQ(0, worker_start(&flooder));
	while (writes_completed() == before)
		sleep_ms(1);
	ASSERT_EQ(0, worker_start(&db));
	ASSERT_EQ(0, worker_join(&db) | worker_join(&flooder));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	check_finding(_metadata, self->c.output);
	ASSERT_EQ(0, tool_run(&tool, ARGS("why", "--all", "--top", "1000", "--thread", "db",
				      self->c.output)));
	EXPECT_NE(NULL, strstr(tool.out, "asleep until a write of nullb0 completed; "))
		TH_LOG("%s", tool.out);
	tool_free(&tool);
}
