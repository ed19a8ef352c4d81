// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each request of the module in each state that a session can have, and with structures of other
 * sizes. A request that does not suit the state fails with the errno that the uapi header documents
 * and changes nothing.
 */
#include <sys/ioctl.h>

#include "kmod_fixture.h"
#include "kmod_stream.h"
#include "off_cpu.h"

#define UNKNOWN_REQUEST	_IO(FXT_SCHED_IOC, 0x7f)

KMOD_FIXTURE(device);

static int make_load(void)
{
	struct pair pair = { .rounds = scaled(400), .ends = { { .cpu = 0 }, { .cpu = 0 } } };

	return pairs_run(&pair, 1);
}

/* --- every request in every state ----------------------------------------------------- */

/* The requests that act on a configured session, in the order of the table below. */
static const unsigned long actions[] = {
	FXT_SCHED_IOC_START, FXT_SCHED_IOC_STOP, FXT_SCHED_IOC_FREEZE,
	FXT_SCHED_IOC_THAW, FXT_SCHED_IOC_FLUSH,
};

#define ACTIONS	ARRAY_SIZE(actions)

/*
 * @path: indexes of actions[] that lead to the state, -1 at the end; @expected: the errno of each
 * of actions[]
 */
static const struct state {
	const char *name;
	uint32_t flags;
	int path[4];
	uint32_t state;
	int expected[ACTIONS];
} states[] = {
	{ "configured", 0, { -1 }, 0, { 0, 0, EINVAL, EBUSY, 0 } },
	{ "recording", 0, { 0, -1 }, FXT_SCHED_STARTED, { EBUSY, 0, EINVAL, EBUSY, 0 } },
	{ "stopped", 0, { 0, 1, -1 }, 0, { 0, 0, EINVAL, EBUSY, 0 } },
	{ "configured to overwrite", FXT_SCHED_OVERWRITE, { -1 }, 0,
	  { 0, 0, EBUSY, EBUSY, 0 } },
	{ "overwriting", FXT_SCHED_OVERWRITE, { 0, -1 }, FXT_SCHED_STARTED,
	  { EBUSY, 0, 0, EBUSY, 0 } },
	{ "frozen", FXT_SCHED_OVERWRITE, { 0, 2, -1 }, FXT_SCHED_STARTED | FXT_SCHED_FROZEN,
	  { EBUSY, 0, EBUSY, 0, 0 } },
	{ "frozen and stopped", FXT_SCHED_OVERWRITE, { 0, 2, 1, -1 }, FXT_SCHED_FROZEN,
	  { EBUSY, 0, EBUSY, 0, 0 } },
	{ "thawed", FXT_SCHED_OVERWRITE, { 0, 2, 3, -1 }, FXT_SCHED_STARTED,
	  { EBUSY, 0, 0, EBUSY, 0 } },
	{ "overwritten and stopped", FXT_SCHED_OVERWRITE, { 0, 1, -1 }, 0,
	  { 0, 0, EBUSY, EBUSY, 0 } },
};

static int bring_into(struct kmod_session *d, const struct state *s, struct why *why)
{
	struct fxt_sched_config c = kmod_config();
	int err, i;

	c.flags = s->flags;
	err = kmod_open(d);
	if (!err)
		err = kmod_configure(d, &c);
	for (i = 0; !err && s->path[i] >= 0; i++)
		err = kmod_request(d, actions[s->path[i]]);
	return err ? complain(why, "%s: %s: %s", s->name, strerror(err), d->reason) : 0;
}

static int check_state(const struct kmod_session *d, const struct state *s, struct why *why)
{
	struct fxt_sched_status status;

	if (kmod_status(d, &status))
		return complain(why, "%s: no status: %s", s->name, strerror(errno));
	return status.state == s->state ? 0 :
	       complain(why, "%s: the state is 0x%x, not 0x%x", s->name, status.state, s->state);
}

SOURCE_TEST(device, requests_in_every_state)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];

	for (const struct state *s = states; s < states + ARRAY_SIZE(states); s++) {
		for (size_t i = 0; i < ACTIONS; i++) {
			ASSERT_FINE(bring_into(d, s, &self->why));
			ASSERT_FINE(check_state(d, s, &self->why));
			EXPECT_EQ(s->expected[i], kmod_request(d, actions[i]))
				TH_LOG("%s: request %zu", s->name, i);
			if (s->expected[i])
				EXPECT_FINE(check_state(d, s, &self->why));
			kmod_close(d);
		}
		ASSERT_FINE(bring_into(d, s, &self->why));
		EXPECT_EQ(EBUSY, kmod_configure(d, &c)) TH_LOG("%s", s->name);
		EXPECT_EQ(ENOTTY, kmod_request(d, UNKNOWN_REQUEST));
		EXPECT_FINE(check_state(d, s, &self->why));
		kmod_close(d);
	}
	EXPECT_TRUE(kmod_is_used(0));
}

SOURCE_TEST(device, requests_before_configure)
{
	struct fxt_sched_config c = kmod_config();
	struct fxt_sched_counters counters;
	struct fxt_sched_status status;
	struct kmod_session *d = &self->d[0];
	__u64 events = 0;

	ASSERT_EQ(0, kmod_open(d));
	for (size_t i = 0; i < ACTIONS; i++) {
		EXPECT_EQ(EINVAL, kmod_request(d, actions[i])) TH_LOG("request %zu", i);
	}
	EXPECT_EQ(EINVAL, kmod_status(d, &status));
	EXPECT_EQ(EINVAL, kmod_count(d, 0, FXT_SCHED_STREAM_CPU, &counters));
	EXPECT_EQ(ENOTTY, kmod_request(d, UNKNOWN_REQUEST));
	EXPECT_EQ(ENOTTY, kmod_request(d, _IO('t', 0x02)));
	EXPECT_EQ(-1, kmod_file(d, FXT_SCHED_STREAM_RUNDOWN, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0, ioctl(d->fd, FXT_SCHED_IOC_EVENTS, &events));
	/*
	 * Kernels before 6.4 have no tracepoint for interrupts of other CPUs, and those before 5.19
	 * none for locks.
	 */
	EXPECT_EQ(FXT_SCHED_EVENTS_IRQ | FXT_SCHED_EVENTS_MIGRATE |
		  FXT_SCHED_EVENTS_IDLE | FXT_SCHED_EVENTS_FREQ | FXT_SCHED_EVENTS_WORK |
		  FXT_SCHED_EVENTS_TASK | FXT_SCHED_EVENTS_SYSCALL | FXT_SCHED_EVENTS_SIGNAL |
		  FXT_SCHED_EVENTS_MOVES | FXT_SCHED_EVENTS_BLOCK | FXT_SCHED_EVENTS_TIMER |
		  FXT_SCHED_EVENTS_STEAL | FXT_SCHED_EVENTS_MEMORY | FXT_SCHED_EVENTS_NET,
		  events & ~(FXT_SCHED_EVENTS_IPI | FXT_SCHED_EVENTS_LOCK));
	EXPECT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	EXPECT_TRUE(kmod_is_used(1));
}

/* The module refuses addresses that are not the caller's; its state does not change. */
SOURCE_TEST(device, bad_addresses)
{
	static const unsigned long requests[] = {
		FXT_SCHED_IOC_EVENTS, FXT_SCHED_IOC_STATUS, FXT_SCHED_IOC_COUNTERS,
		FXT_SCHED_IOC_MARK, FXT_SCHED_IOC_STREAM, FXT_SCHED_IOC_LIMITS,
	};
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];

	ASSERT_EQ(0, kmod_open(d));
	EXPECT_EQ(-1, ioctl(d->fd, FXT_SCHED_IOC_CONFIGURE, 8UL));
	EXPECT_EQ(EFAULT, errno);
	ASSERT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		EXPECT_EQ(-1, ioctl(d->fd, requests[i], 8UL));
		EXPECT_EQ(EFAULT, errno) TH_LOG("request %zu", i);
	}
}

/* --- what is returned ----------------------------------------------------------------- */

#define LARGE	1024	/* bytes, more than any structure */

static unsigned long sized(unsigned long request, size_t size)
{
	return _IOC(_IOC_DIR(request), _IOC_TYPE(request), _IOC_NR(request), size);
}

/* Did the module write these @size bytes, of which it knows @known, and no others? */
static int check_written(const unsigned char *text, const void *whole, size_t size,
			 size_t known, struct why *why)
{
	if (memcmp(text, whole, size < known ? size : known))
		return complain(why, "%zu bytes of %zu are not the same as in the whole", size,
				known);
	for (size_t i = known; i < size; i++)
		if (text[i])
			return complain(why, "byte %zu of %zu is not 0", i, size);
	for (size_t i = size; i < LARGE; i++)
		if (text[i] != 0xee)
			return complain(why, "byte %zu was written, but the size is %zu", i, size);
	return 0;
}

SOURCE_TEST(device, status_of_other_sizes)
{
	static const size_t sizes[] = {
		FXT_SCHED_STATUS_SIZE_VER0, sizeof(struct fxt_sched_status),
		sizeof(struct fxt_sched_status) + 8, LARGE - 8,
	};
	struct fxt_sched_config c = kmod_config();
	struct fxt_sched_status whole;
	struct kmod_session *d = &self->d[0];
	unsigned char text[LARGE];

	ASSERT_EQ(0, kmod_open(d));
	ASSERT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		memset(text, 0xee, sizeof(text));
		ASSERT_EQ(0, ioctl(d->fd, sized(FXT_SCHED_IOC_STATUS, sizes[i]), text));
		ASSERT_EQ(0, kmod_status(d, &whole));
		/* Only the time differs. */
		memcpy(&whole.now, text + offsetof(struct fxt_sched_status, now),
		       sizeof(whole.now));
		EXPECT_FINE(check_written(text, &whole, sizes[i], sizeof(whole), &self->why));
	}
}

/* The ticks of any limit fit into 64 bits, also those of a fast counter. */
SOURCE_TEST(device, limit_of_many_years)
{
	struct fxt_sched_limits limits = {
		.count = 1, .limits = { { .cause = FXT_SCHED_CAUSE_LATENCY, .limit = UINT64_MAX } },
	};
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];

	int err;

	c.clockid = 0;
	c.flags = FXT_SCHED_TSC;
	ASSERT_EQ(0, kmod_open(d));
	err = kmod_configure(d, &c);
	if (err == EOPNOTSUPP)
		SKIP(return, "this machine has no reliable time-stamp counter");
	ASSERT_EQ(0, err) TH_LOG("%s", d->reason);
	EXPECT_EQ(0, ioctl(d->fd, FXT_SCHED_IOC_LIMITS, &limits));
}

/* Limits of users that are not valid are refused. */
SOURCE_TEST(device, wrong_limits)
{
	static const struct fxt_sched_limits wrong[] = {
		{ .count = FXT_SCHED_LIMITS_MAX + 1 },
		{ .count = 1, .limits = { { .cause = 100, .limit = 1 } } },
		{ .count = 1, .limits = { { .cause = FXT_SCHED_CAUSE_LATENCY } } },
		{ .count = 1, .limits = { { .user = 2, .last_user = 1, .limit = 1 } } },
		{ .count = 1, .limits = { { .reserved = 1, .limit = 1 } } },
		{ .reserved = 1 },
	};
	struct fxt_sched_limits right = {
		.count = 1, .ignored = 1,
		.limits = { { .cause = FXT_SCHED_CAUSE_IRQ, .user = FXT_SCHED_NO_USER,
			      .last_user = FXT_SCHED_NO_USER, .limit = 1 } },
	};
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_limits limits;

	ASSERT_EQ(0, kmod_open(d));
	ASSERT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		limits = wrong[i];
		EXPECT_EQ(-1, ioctl(d->fd, FXT_SCHED_IOC_LIMITS, &limits));
		EXPECT_EQ(EINVAL, errno) TH_LOG("limits %zu", i);
	}
	EXPECT_EQ(0, ioctl(d->fd, FXT_SCHED_IOC_LIMITS, &right));
	EXPECT_EQ(0U, right.ignored);
}

/* Structures that are shorter than the first version's are refused, and nothing is written. */
SOURCE_TEST(device, structures_too_short)
{
	static const struct {
		unsigned long request;
		size_t least;
	} requests[] = {
		{ FXT_SCHED_IOC_STATUS, FXT_SCHED_STATUS_SIZE_VER0 },
		{ FXT_SCHED_IOC_COUNTERS, FXT_SCHED_COUNTERS_SIZE_VER0 },
		{ FXT_SCHED_IOC_MARK, FXT_SCHED_MARK_SIZE_VER0 },
		{ FXT_SCHED_IOC_LIMITS, FXT_SCHED_LIMITS_SIZE_VER0 },
		{ FXT_SCHED_IOC_STREAM, FXT_SCHED_STREAM_SIZE_VER0 },
	};
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	unsigned char text[LARGE] = { 0 };

	ASSERT_EQ(0, kmod_open(d));
	ASSERT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++)
		for (size_t size = 0; size < requests[i].least; size += requests[i].least / 2 - 1) {
			EXPECT_EQ(-1, ioctl(d->fd, sized(requests[i].request, size), text));
			EXPECT_EQ(EINVAL, errno) TH_LOG("request %zu of %zu bytes", i, size);
		}
	for (size_t i = 0; i < sizeof(text); i++) {
		ASSERT_EQ(0, text[i]) TH_LOG("byte %zu", i);
	}
}

SOURCE_TEST(device, streams)
{
	static const struct {
		uint32_t kind;
		uint32_t cpu;
		int expected;
	} bad[] = {
		{ FXT_SCHED_STREAM_RUNDOWN + 1, 0, EINVAL },
		{ FXT_SCHED_STREAM_RUNDOWN, 1, EINVAL },
		{ FXT_SCHED_STREAM_CPU, 8192, ENOENT },
		{ FXT_SCHED_STREAM_NAMES, UINT32_MAX, ENOENT },
	};
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	uint32_t kind;
	char byte = 0;
	int fd;

	ASSERT_FINE(kmod_start(d, &c, &self->why));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-1, kmod_file(d, bad[i].kind, bad[i].cpu));
		EXPECT_EQ(bad[i].expected, errno) TH_LOG("stream %zu", i);
	}
	for (kind = FXT_SCHED_STREAM_CPU; kind <= FXT_SCHED_STREAM_RUNDOWN; kind++) {
		fd = kmod_file(d, kind, 0);
		ASSERT_LE(0, fd);
		EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD));
		EXPECT_EQ(O_RDONLY, fcntl(fd, F_GETFL) & O_ACCMODE);
		EXPECT_EQ(-1, write(fd, &byte, 1));
		EXPECT_EQ(EBADF, errno);
		EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0));
		EXPECT_EQ(-1, ioctl(fd, FXT_SCHED_IOC_STOP));
		EXPECT_EQ(ENOTTY, errno);
		close(fd);
	}
	EXPECT_TRUE(kmod_is_used(1));
}

SOURCE_TEST(device, counters_of_other_sizes)
{
	static const size_t sizes[] = {
		FXT_SCHED_COUNTERS_SIZE_VER0, sizeof(struct fxt_sched_counters),
		sizeof(struct fxt_sched_counters) + 8, LARGE - 8,
	};
	struct fxt_sched_config c = kmod_config();
	struct fxt_sched_counters whole;
	struct kmod_session *d = &self->d[0];
	unsigned char text[LARGE];

	ASSERT_FINE(kmod_start(d, &c, &self->why));
	ASSERT_EQ(0, make_load());
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		memset(text, 0xee, sizeof(text));
		memset(text, 0, sizes[i]);
		ASSERT_EQ(0, ioctl(d->fd, sized(FXT_SCHED_IOC_COUNTERS, sizes[i]), text));
		ASSERT_EQ(0, kmod_count(d, 0, FXT_SCHED_STREAM_CPU, &whole));
		EXPECT_LT(0U, whole.switches);
		EXPECT_FINE(check_written(text, &whole, sizes[i], sizeof(whole), &self->why));
		if (sizes[i] <= sizeof(whole))
			continue;
		text[sizes[i] - 1] = 1;
		EXPECT_EQ(-1, ioctl(d->fd, sized(FXT_SCHED_IOC_COUNTERS, sizes[i]), text));
		EXPECT_EQ(E2BIG, errno);
	}
	EXPECT_EQ(EINVAL, kmod_count(d, 0, FXT_SCHED_STREAM_NAMES + 1, &whole));
	EXPECT_EQ(ENOENT, kmod_count(d, 8192, FXT_SCHED_STREAM_CPU, &whole));
	EXPECT_EQ(ENOENT, kmod_count(d, UINT32_MAX, FXT_SCHED_STREAM_NAMES, &whole));
}

SOURCE_TEST(device, status_of_the_clock)
{
	struct fxt_sched_config c = kmod_config();
	struct fxt_sched_status status;
	struct timespec now;

	c.clockid = CLOCK_MONOTONIC;
	ASSERT_FINE(kmod_start(&self->d[0], &c, &self->why));
	ASSERT_EQ(0, kmod_status(&self->d[0], &status));
	clock_gettime(CLOCK_MONOTONIC, &now);
	EXPECT_EQ(FXT_SCHED_STARTED, status.state);
	EXPECT_EQ(1000000000U, status.ticks_per_second);
	EXPECT_LT(0U, status.now);
	EXPECT_GE(now.tv_sec * 1000000000ULL + now.tv_nsec, status.now);
	EXPECT_EQ(0U, status.trigger.time);
	EXPECT_EQ(0U, status.user_stacks_dropped);
}

/* --- 32-bit callers -------------------------------------------------------------------- */

#ifdef __x86_64__

/* A system call that the kernel handles like that of a 32-bit process. Return: errno. */
static int ioctl_32(int fd, unsigned long request, void *arg)
{
	long ret = 54;		/* ioctl */

	asm volatile ("int $0x80" : "+a" (ret) : "b" ((long)fd), "c" (request), "d" (arg) :
		      "r8", "r9", "r10", "r11", "memory");
	return ret < 0 ? -ret : 0;
}

struct low {
	struct fxt_sched_config config;
	struct fxt_sched_status status;
	struct fxt_sched_counters counters;
	__u64 events;
	__u32 pid;
	char reason[256];
	int errors[7];	/* result of each step */
};

#define NO_32 1	/* be_32()'s exit status where the kernel runs no 32-bit programs */

/* Without a handler, the signal would be in the kernel's log. */
static void no_32(int signal)
{
	(void)signal;
	_exit(NO_32);
}

/* Run a session, and have a configuration refused before. */
static void be_32(struct low *m)
{
	int fd = open(KMOD_PATH, O_RDWR | O_CLOEXEC), i = 0;

	m->config = kmod_config();
	m->config.message = (uintptr_t)m->reason;
	m->config.message_size = sizeof(m->reason);
	m->config.filter_pids = (uintptr_t)&m->pid;
	m->config.filter_pid_count = 1;
	m->errors[i++] = ioctl_32(fd, FXT_SCHED_IOC_EVENTS, &m->events);
	m->errors[i++] = ioctl_32(fd, FXT_SCHED_IOC_CONFIGURE, &m->config);
	m->pid = getpid();
	m->errors[i++] = ioctl_32(fd, FXT_SCHED_IOC_CONFIGURE, &m->config);
	m->errors[i++] = ioctl_32(fd, FXT_SCHED_IOC_START, NULL);
	m->errors[i++] = ioctl_32(fd, FXT_SCHED_IOC_STATUS, &m->status);
	m->errors[i++] = ioctl_32(fd, FXT_SCHED_IOC_STOP, NULL);
	m->errors[i++] = ioctl_32(fd, FXT_SCHED_IOC_COUNTERS, &m->counters);
	close(fd);
}

SOURCE_TEST(device, thirty_two_bits)
{
	struct low *m;
	int status, i;
	pid_t pid;

	m = mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)m);
	pid = fork();
	if (!pid) {
		signal(SIGSEGV, no_32);
		be_32(m);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	if (WEXITSTATUS(status) == NO_32)
		SKIP(return, "this kernel runs no 32-bit programs");
	ASSERT_EQ(0, status);
	for (i = 0; i < 7; i++)
		EXPECT_EQ(i == 1 ? ESRCH : 0, m->errors[i]) TH_LOG("step %d", i);
	EXPECT_NE(0U, m->events);
	EXPECT_IN(m->reason, "filter_pids");
	EXPECT_EQ(FXT_SCHED_STARTED, m->status.state);
	EXPECT_EQ(1000000000U, m->status.ticks_per_second);
	munmap(m, sizeof(*m));
}

#endif

/* --- poll ------------------------------------------------------------------------------ */

static short poll_file(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) < 0 ? POLLNVAL : p.revents;
}

/* A sub-buffer that is not full can be read once it is flushed. */
SOURCE_TEST(device, poll_in)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct kmod_streams all;
	int cpu;

	kmod_streams_init(&all, false);
	ASSERT_EQ(0, kmod_open(d));
	EXPECT_EQ(POLLERR, kmod_poll(d));
	c.subbuf_size = 1 << 20;
	ASSERT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	cpu = kmod_file(d, FXT_SCHED_STREAM_CPU, 0);
	ASSERT_LE(0, cpu);
	EXPECT_EQ(0, kmod_poll(d));
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_FLUSH));
	EXPECT_EQ(0, kmod_poll(d));
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_START));
	ASSERT_EQ(0, make_load());
	EXPECT_EQ(0, poll_file(cpu));
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_FLUSH));
	EXPECT_EQ(POLLIN, kmod_poll(d));
	EXPECT_EQ(POLLIN, poll_file(cpu));
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
	EXPECT_FINE(kmod_streams_finish(&all, d, &self->why));
	EXPECT_EQ(0, kmod_poll(d));
	EXPECT_EQ(0, poll_file(cpu));
	kmod_streams_free(&all);
	close(cpu);
}

/* STOP completes all sub-buffers; there is nothing to read yet before, and no end after that. */
SOURCE_TEST(device, poll_in_after_stop)
{
	static const uint32_t kinds[] = { FXT_SCHED_STREAM_CPU, FXT_SCHED_STREAM_NAMES };
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	char byte;
	int fd;

	c.subbuf_size = 1 << 20;
	for (size_t mode = 0; mode < 2; mode++) {
		c.flags = mode ? FXT_SCHED_OVERWRITE : 0;
		ASSERT_FINE(kmod_start(d, &c, &self->why));
		ASSERT_EQ(0, make_load());
		pin(0);
		ASSERT_EQ(0, prctl(PR_SET_NAME, "renamed"));
		ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
		EXPECT_EQ(POLLIN, kmod_poll(d));
		for (size_t kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
			fd = kmod_file(d, kinds[kind], 0);
			ASSERT_LE(0, fd);
			EXPECT_EQ(POLLIN, poll_file(fd)) TH_LOG("mode %zu, %zu", mode, kind);
			while (read(fd, &byte, 1) > 0)
				;
			EXPECT_EQ(EAGAIN, errno) TH_LOG("mode %zu, %zu", mode, kind);
			EXPECT_EQ(0, poll_file(fd));
			close(fd);
		}
		kmod_close(d);
	}
}

/* In overwrite mode, a stream has nothing to read until it is frozen; then it has everything. */
SOURCE_TEST(device, poll_in_overwrite_mode)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_counters counters;
	int round, cpu, i;
	char byte;

	c.flags = FXT_SCHED_OVERWRITE;
	c.subbuf_size = sysconf(_SC_PAGESIZE);
	c.subbuf_count = FXT_SCHED_SUBBUF_COUNT_MIN;
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	cpu = kmod_file(d, FXT_SCHED_STREAM_CPU, 0);
	ASSERT_LE(0, cpu);
	for (round = 0; round < 2; round++) {
		struct kmod_stream s = { .cpu = 0, .kind = FXT_SCHED_STREAM_CPU };

		/* Write more than the buffers hold. */
		for (i = 0; i < 5; i++)
			ASSERT_EQ(0, make_load());
		ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_FLUSH));
		EXPECT_EQ(0, poll_file(cpu));
		EXPECT_EQ(-1, read(cpu, &byte, 1));
		EXPECT_EQ(EAGAIN, errno);
		ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_FREEZE));
		EXPECT_EQ(POLLIN, poll_file(cpu));
		EXPECT_EQ(POLLIN, kmod_poll(d));
		ASSERT_EQ(0, kmod_count(d, 0, FXT_SCHED_STREAM_CPU, &counters));
		EXPECT_EQ(c.subbuf_count, counters.waiting);
		EXPECT_FINE(kmod_stream_finish(&s, d, &self->why));
		EXPECT_EQ((uint64_t)c.subbuf_count, s.subbufs);
		EXPECT_LT(0U, s.before);
		EXPECT_EQ(0U, s.lost);
		ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_THAW));
		kmod_stream_free(&s);
	}
	close(cpu);
}

/* A sub-buffer that becomes full wakes pollers, without any request. */
SOURCE_TEST(device, poll_wakes_up)
{
	struct fxt_sched_config c = kmod_config();
	struct pollfd p = { .events = POLLIN };
	struct pair pair = { .rounds = 1000000, .ends = { { .cpu = 0 }, { .cpu = 0 } } };
	pid_t pid;

	c.subbuf_size = sysconf(_SC_PAGESIZE);
	ASSERT_FINE(kmod_start(&self->d[0], &c, &self->why));
	pid = fork();
	if (!pid)
		_exit(pairs_run(&pair, 1));
	p.fd = self->d[0].fd;
	EXPECT_EQ(1, poll(&p, 1, PATIENCE_MS));
	EXPECT_EQ(POLLIN, p.revents);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Any wait for a CPU makes this trigger fire. */
SOURCE_TEST(device, poll_pri)
{
	struct fxt_sched_config c = kmod_config();
	struct pollfd p = { .events = POLLPRI };
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_status status;

	c.flags = FXT_SCHED_OVERWRITE;
	c.trigger_latency = 1;
	strcpy(c.trigger_comm, "waits-for-cpu");
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	p.fd = d->fd;
	EXPECT_EQ(0, kmod_poll(d) & POLLPRI);
	prctl(PR_SET_NAME, "waits-for-cpu");
	/* A thread that is woken before it has left its run queue does not wait. */
	for (unsigned int i = 0; i < 100 && !(kmod_poll(d) & POLLPRI); i++)
		sleep_off_cpu(1000000);
	prctl(PR_SET_NAME, "device_test");
	ASSERT_EQ(1, poll(&p, 1, PATIENCE_MS));
	EXPECT_EQ(POLLPRI, p.revents);
	ASSERT_EQ(0, kmod_status(d, &status));
	EXPECT_EQ((uint32_t)gettid(), status.trigger.thread);
	EXPECT_EQ((uint32_t)gettid(), status.longest.thread);
	EXPECT_LT(0U, status.trigger.time);
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_FREEZE));
	EXPECT_EQ(POLLPRI, kmod_poll(d) & POLLPRI);
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_THAW));
	EXPECT_EQ(0, kmod_poll(d) & POLLPRI);
	ASSERT_EQ(0, kmod_status(d, &status));
	EXPECT_EQ(0U, status.trigger.time);
	EXPECT_EQ((uint32_t)gettid(), status.longest.thread);
}

/* --- limits of users ------------------------------------------------------------------ */

static void wait_for_mutex(struct worker *w)
{
	pthread_mutex_t *mutex = w->arg;

	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
}

/* A limit of sleeps does not hide that the same sleep is a wait for a lock. */
SOURCE_TEST(device, limit_of_sleeps_beside_locks)
{
	struct fxt_sched_limits limits = {
		.count = 1, .limits = { { .cause = FXT_SCHED_CAUSE_SLEEP, .user = getuid(),
					  .last_user = getuid(), .limit = UINT64_MAX } },
	};
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	struct worker w = { .name = "waiter", .cpu = ANY_CPU, .run = wait_for_mutex,
			    .arg = &mutex };
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct pollfd p = { .events = POLLPRI };
	struct fxt_sched_status status;
	int fired;

	if (!kernel_is_since(5, 19))
		SKIP(return, "this kernel does not show waits for locks");
	c.flags = FXT_SCHED_OVERWRITE;
	c.events = FXT_SCHED_EVENTS_LOCK;
	c.trigger_sleep = 20000000;
	c.trigger_lock = 20000000;
	strcpy(c.trigger_comm, "waiter");
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	ASSERT_EQ(0, ioctl(d->fd, FXT_SCHED_IOC_LIMITS, &limits));
	p.fd = d->fd;
	pthread_mutex_lock(&mutex);
	ASSERT_EQ(0, worker_start(&w));
	fired = poll(&p, 1, PATIENCE_MS);
	pthread_mutex_unlock(&mutex);
	ASSERT_EQ(0, worker_join(&w));
	ASSERT_EQ(1, fired);
	ASSERT_EQ(0, kmod_status(d, &status));
	EXPECT_EQ((uint32_t)FXT_SCHED_CAUSE_LOCK, status.trigger.cause);
	EXPECT_EQ((uint32_t)FXT_SCHED_WAIT_GOES_ON, status.trigger.flags);
	EXPECT_EQ((uint32_t)w.tid, status.trigger.thread);
	EXPECT_EQ((uint32_t)gettid(), status.lock_holder);
	EXPECT_EQ((uintptr_t)&mutex, status.lock);
	EXPECT_EQ((uint32_t)FXT_SCHED_LOCK_FUTEX, status.lock_kind);
}
