// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Configurations that the module refuses fail with the errno that the uapi header documents and
 * with a line that says why, and change nothing: the same session can be configured after it.
 */
#include <sys/ioctl.h>

#include <fxt/fxt_sched_stack.h>

#include "kmod_fixture.h"

#define CGROUP		"/sys/fs/cgroup/"	/* v2, where it is mounted */
#define UNMAPPED	8UL			/* an address that no process has */

KMOD_FIXTURE(config);

/* Bits of all CPUs that this machine can have are in the first words of these. */
#define MASK_WORDS	(8192 / 32)

static const __u32 pids_good[] = { 1, 1, 1 };
static const __u32 pids_zero[] = { 1, 0, 1 };
static const __u32 pids_huge[] = { 1, 0x7fffffff };
static const __u32 cpus_none[MASK_WORDS] = { 0 };
static const __u32 cpus_first[MASK_WORDS] = { 1 };
static const __u32 cpus_beyond[MASK_WORDS] = { 1, [MASK_WORDS - 1] = 1U << 31 };

struct refusal {
	const char *what;	/* for messages */
	/* makes it; may leave an open descriptor in filter_cgroup */
	void (*change)(struct fxt_sched_config *c);
	int expected;	/* the errno */
};

#define CHANGE(name, assignment)						\
	static void name(struct fxt_sched_config *c)				\
	{									\
		assignment;							\
	}									\
	struct name##_semicolon

CHANGE(unknown_flag, c->flags = 1U << 31);
CHANGE(unknown_flag_too, c->flags |= FXT_SCHED_OVERWRITE | 1U << 6);
CHANGE(two_weights, c->flags = FXT_SCHED_PRIORITIES | FXT_SCHED_NO_WEIGHTS);
CHANGE(unknown_events, c->events = 1ULL << 63);
CHANGE(unknown_events_too, c->events = FXT_SCHED_EVENTS_IRQ | 1ULL << 62);
CHANGE(reserved_events, c->events = 1);
CHANGE(no_size, c->subbuf_size = 0);
CHANGE(no_count, c->subbuf_count = 0);
CHANGE(odd_size, c->subbuf_size = 100);
CHANGE(odd_size_above, c->subbuf_size = 65536 + 8);
CHANGE(huge_size, c->subbuf_size = FXT_SCHED_SUBBUF_SIZE_MAX * 2);
CHANGE(largest_size, c->subbuf_size = 0xfffff000);
CHANGE(one_subbuf, c->subbuf_count = FXT_SCHED_SUBBUF_COUNT_MIN - 1);
CHANGE(many_subbufs, c->subbuf_count = FXT_SCHED_SUBBUF_COUNT_MAX + 1);
CHANGE(most_subbufs, c->subbuf_count = UINT32_MAX);
CHANGE(huge_buffer, (c->subbuf_size = FXT_SCHED_SUBBUF_SIZE_MAX,
		     c->subbuf_count = FXT_SCHED_SUBBUF_COUNT_MAX));
CHANGE(other_clock, c->clockid = CLOCK_REALTIME);
CHANGE(unknown_clock, c->clockid = -1);
CHANGE(tsc_and_clock, c->flags = FXT_SCHED_TSC);
CHANGE(trigger_alone, c->trigger_latency = 1000);
CHANGE(trigger_after_alone, (c->flags = FXT_SCHED_OVERWRITE, c->trigger_after = 1));
CHANGE(trigger_pid_alone, (c->flags = FXT_SCHED_OVERWRITE, c->trigger_pid = 1));
CHANGE(trigger_comm_alone, (c->flags = FXT_SCHED_OVERWRITE, strcpy(c->trigger_comm, "*")));
CHANGE(trigger_comm_of_irq, (c->flags = FXT_SCHED_OVERWRITE, c->events = FXT_SCHED_EVENTS_IRQ,
			     c->trigger_irq = 1, strcpy(c->trigger_comm, "*")));
CHANGE(trigger_long, (c->flags = FXT_SCHED_OVERWRITE,
		      c->trigger_latency = FXT_SCHED_TRIGGER_NS_MAX + 1));
CHANGE(trigger_long_after, (c->flags = FXT_SCHED_OVERWRITE, c->trigger_latency = 1,
			    c->trigger_after = FXT_SCHED_TRIGGER_NS_MAX + 1));
CHANGE(trigger_no_process, (c->flags = FXT_SCHED_OVERWRITE, c->trigger_latency = 1,
			    c->trigger_pid = UINT32_MAX));
CHANGE(trigger_endless, (c->flags = FXT_SCHED_OVERWRITE, c->trigger_latency = 1,
			 memset(c->trigger_comm, 'a', sizeof(c->trigger_comm))));
CHANGE(trigger_open_set, (c->flags = FXT_SCHED_OVERWRITE, c->trigger_latency = 1,
			  strcpy(c->trigger_comm, "[abc")));
CHANGE(trigger_irq_alone, (c->events = FXT_SCHED_EVENTS_IRQ, c->trigger_irq = 1000));
CHANGE(trigger_softirq_alone, (c->events = FXT_SCHED_EVENTS_IRQ, c->trigger_softirq = 1000));
CHANGE(trigger_irq_without_events, (c->flags = FXT_SCHED_OVERWRITE, c->trigger_irq = 1000));
CHANGE(trigger_softirq_without_events, (c->flags = FXT_SCHED_OVERWRITE,
					c->events = FXT_SCHED_EVENTS_MIGRATE,
					c->trigger_softirq = 1000));
CHANGE(trigger_irq_long, (c->flags = FXT_SCHED_OVERWRITE, c->events = FXT_SCHED_EVENTS_IRQ,
			  c->trigger_irq = FXT_SCHED_TRIGGER_NS_MAX + 1));
CHANGE(trigger_softirq_long, (c->flags = FXT_SCHED_OVERWRITE,
			      c->events = FXT_SCHED_EVENTS_IRQ,
			      c->trigger_softirq = UINT64_MAX));
CHANGE(trigger_blocked_alone, c->trigger_blocked = 1000);
CHANGE(trigger_blocked_long, (c->flags = FXT_SCHED_OVERWRITE,
			      c->trigger_blocked = FXT_SCHED_TRIGGER_NS_MAX + 1));
CHANGE(trigger_sleep_of_all, (c->flags = FXT_SCHED_OVERWRITE, c->trigger_sleep = 1000));
CHANGE(trigger_lock_without_events, (c->flags = FXT_SCHED_OVERWRITE, c->trigger_lock = 1000));
CHANGE(comm_endless, memset(c->filter_comm, '*', sizeof(c->filter_comm)));
CHANGE(comm_open_set, strcpy(c->filter_comm, "a[b"));
CHANGE(comm_too_long, strcpy(c->filter_comm, "0123456789abcdef"));
CHANGE(pid_zero, (c->filter_pids = (uintptr_t)pids_zero, c->filter_pid_count = 3));
CHANGE(pid_huge, (c->filter_pids = (uintptr_t)pids_huge, c->filter_pid_count = 2));
CHANGE(pids_many, (c->filter_pids = (uintptr_t)pids_good,
		   c->filter_pid_count = FXT_SCHED_FILTER_PIDS_MAX + 1));
CHANGE(pids_most, (c->filter_pids = (uintptr_t)pids_good, c->filter_pid_count = UINT32_MAX));
CHANGE(pids_nowhere, (c->filter_pids = UNMAPPED, c->filter_pid_count = 1));
CHANGE(pids_unused, c->filter_pids = (uintptr_t)pids_good);
CHANGE(pids_null, c->filter_pid_count = 1);
CHANGE(cpus_empty, (c->filter_cpus = (uintptr_t)cpus_none, c->filter_cpu_words = 1));
CHANGE(cpus_all_beyond, (c->filter_cpus = (uintptr_t)cpus_beyond,
			 c->filter_cpu_words = MASK_WORDS));
CHANGE(cpus_nowhere, (c->filter_cpus = UNMAPPED, c->filter_cpu_words = 1));
CHANGE(cpus_unused, c->filter_cpus = (uintptr_t)cpus_first);
CHANGE(cpus_null, c->filter_cpu_words = 1);
CHANGE(cgroup_unused, c->filter_cgroup = -1);
CHANGE(cgroup_closed, (c->flags = FXT_SCHED_FILTER_CGROUP, c->filter_cgroup = -1));
CHANGE(cgroup_device, (c->flags = FXT_SCHED_FILTER_CGROUP,
		       c->filter_cgroup = open("/dev/null", O_RDONLY | O_CLOEXEC)));
CHANGE(cgroup_directory, (c->flags = FXT_SCHED_FILTER_CGROUP,
			  c->filter_cgroup = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
CHANGE(stacks_hz, c->stacks_hz = 99);
CHANGE(stacks_unknown, (c->stacks = FXT_SCHED_STACKS_OFFCPU | FXT_SCHED_STACKS_USER | 1U << 5,
			c->stacks_depth = 1));
CHANGE(stacks_no_frames, (c->stacks = FXT_SCHED_STACKS_WAKE, c->stacks_depth = 1));
CHANGE(stacks_of_nothing, (c->stacks = FXT_SCHED_STACKS_KERNEL, c->stacks_depth = 1));
CHANGE(stacks_no_depth, c->stacks = FXT_SCHED_STACKS_WAKE | FXT_SCHED_STACKS_USER);
CHANGE(stacks_deep, (c->stacks = FXT_SCHED_STACKS_WAKE | FXT_SCHED_STACKS_USER,
		     c->stacks_depth = FXT_SCHED_STACK_FRAMES + 1));
CHANGE(stacks_depth_alone, c->stacks_depth = 1);
CHANGE(stacks_min_alone, c->stacks_min = 1);
CHANGE(stacks_min_long, (c->stacks = FXT_SCHED_STACKS_WAKE | FXT_SCHED_STACKS_USER,
			 c->stacks_depth = 1, c->stacks_min = FXT_SCHED_STACKS_NS_MAX + 1));

static const struct refusal refusals[] = {
	{ "unknown flag", unknown_flag, EINVAL },
	{ "unknown flag besides a known one", unknown_flag_too, EINVAL },
	{ "priorities as weights, and no weights", two_weights, EINVAL },
	{ "unknown events", unknown_events, EINVAL },
	{ "unknown events besides known ones", unknown_events_too, EINVAL },
	{ "a reserved bit of the events", reserved_events, EINVAL },
	{ "sub-buffers of 0 bytes", no_size, EINVAL },
	{ "no sub-buffers", no_count, EINVAL },
	{ "sub-buffers of 100 bytes", odd_size, EINVAL },
	{ "sub-buffers that are no pages", odd_size_above, EINVAL },
	{ "sub-buffers of 32 MiB", huge_size, EINVAL },
	{ "sub-buffers of nearly 4 GiB", largest_size, EINVAL },
	{ "one sub-buffer", one_subbuf, EINVAL },
	{ "4097 sub-buffers", many_subbufs, EINVAL },
	{ "2^32 - 1 sub-buffers", most_subbufs, EINVAL },
	{ "a buffer of 64 GiB", huge_buffer, ENOMEM },
	{ "the clock CLOCK_REALTIME", other_clock, EINVAL },
	{ "unknown clock", unknown_clock, EINVAL },
	{ "the time-stamp counter and another clock", tsc_and_clock, EINVAL },
	{ "trigger without overwrite", trigger_alone, EINVAL },
	{ "a time after no trigger", trigger_after_alone, EINVAL },
	{ "a process without a trigger", trigger_pid_alone, EINVAL },
	{ "a pattern without a trigger", trigger_comm_alone, EINVAL },
	{ "a pattern for a trigger of interrupts", trigger_comm_of_irq, EINVAL },
	{ "trigger at more than a day", trigger_long, EINVAL },
	{ "more than a day after the trigger", trigger_long_after, EINVAL },
	{ "trigger of a process that cannot be", trigger_no_process, ESRCH },
	{ "trigger's pattern without an end", trigger_endless, EINVAL },
	{ "trigger's pattern with an open set", trigger_open_set, EINVAL },
	{ "interrupts' trigger without overwrite", trigger_irq_alone, EINVAL },
	{ "soft interrupts' trigger without overwrite", trigger_softirq_alone, EINVAL },
	{ "interrupts' trigger without interrupts", trigger_irq_without_events, EINVAL },
	{ "soft interrupts' trigger without them", trigger_softirq_without_events, EINVAL },
	{ "interrupts' trigger at more than a day", trigger_irq_long, EINVAL },
	{ "soft interrupts' trigger at 2^64 - 1 ns", trigger_softirq_long, EINVAL },
	{ "uninterruptible sleeps' trigger without overwrite", trigger_blocked_alone, EINVAL },
	{ "uninterruptible sleeps' trigger at more than a day", trigger_blocked_long, EINVAL },
	{ "sleeps' trigger for all threads", trigger_sleep_of_all, EINVAL },
	{ "locks' trigger without locks", trigger_lock_without_events, EINVAL },
	{ "pattern without an end", comm_endless, EINVAL },
	{ "pattern with an open set", comm_open_set, EINVAL },
	{ "pattern that no name matches", comm_too_long, EINVAL },
	{ "process 0", pid_zero, ESRCH },
	{ "a process that cannot be", pid_huge, ESRCH },
	{ "65 processes", pids_many, EINVAL },
	{ "2^32 - 1 processes", pids_most, EINVAL },
	{ "processes at a bad address", pids_nowhere, EFAULT },
	{ "an address of no processes", pids_unused, EINVAL },
	{ "processes at address 0", pids_null, EFAULT },
	{ "no CPU", cpus_empty, EINVAL },
	{ "a CPU beyond the machine's", cpus_all_beyond, EINVAL },
	{ "CPUs at a bad address", cpus_nowhere, EFAULT },
	{ "an address of no CPUs", cpus_unused, EINVAL },
	{ "CPUs at address 0", cpus_null, EFAULT },
	{ "a descriptor without its flag", cgroup_unused, EINVAL },
	{ "a cgroup that is not open", cgroup_closed, EBADF },
	{ "a device as cgroup", cgroup_device, EBADF },
	{ "another directory as cgroup", cgroup_directory, EBADF },
	{ "samples per second without samples", stacks_hz, EINVAL },
	{ "unknown stacks", stacks_unknown, EINVAL },
	{ "stacks without frames", stacks_no_frames, EINVAL },
	{ "frames of no stacks", stacks_of_nothing, EINVAL },
	{ "stacks of no depth", stacks_no_depth, EINVAL },
	{ "stacks of 65 frames", stacks_deep, EINVAL },
	{ "a depth without stacks", stacks_depth_alone, EINVAL },
	{ "a time without stacks", stacks_min_alone, EINVAL },
	{ "stacks of sleeps of more than a day", stacks_min_long, EINVAL },
};

static int check_reason(const char *reason, size_t room, struct why *why)
{
	size_t length = strnlen(reason, room), i;

	if (!length || length == room)
		return complain(why, "%s", length ? "the reason does not end" : "no reason");
	for (i = 0; i < length; i++)
		if (reason[i] < ' ' || reason[i] > '~')
			return complain(why, "byte %zu of the reason is 0x%02x: %.200s", i,
					(unsigned char)reason[i], reason);
	return 0;
}

static int refuse(struct kmod_session *d, const struct refusal *r, struct why *why)
{
	struct fxt_sched_config c = kmod_config();
	struct why reason;
	int err;

	r->change(&c);
	err = kmod_configure(d, &c);
	if ((c.flags & FXT_SCHED_FILTER_CGROUP) && c.filter_cgroup >= 0)
		close(c.filter_cgroup);
	if (err != r->expected)
		return complain(why, "%s: %s, not %s: %s", r->what, strerror(err),
				strerror(r->expected), d->reason);
	if (kmod_request(d, FXT_SCHED_IOC_START) != EINVAL)
		return complain(why, "%s: the session can start", r->what);
	if (!check_reason(d->reason, sizeof(d->reason), &reason))
		return 0;
	return complain(why, "%s: %.400s", r->what, reason.text);
}

/* One session refuses all of these configurations, and accepts a valid one after that. */
SOURCE_TEST(config, refused)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];

	ASSERT_EQ(0, kmod_open(d));
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++)
		EXPECT_FINE(refuse(d, &refusals[i], &self->why));
	EXPECT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_START));
	EXPECT_TRUE(kmod_is_used(1));
}

/* Each is refused in a session of its own, more often than there can be sessions. */
SOURCE_TEST(config, refused_first)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];

	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		ASSERT_EQ(0, kmod_open(d)) TH_LOG("after %s", refusals[i].what);
		EXPECT_FINE(refuse(d, &refusals[i], &self->why));
		EXPECT_EQ(0, kmod_configure(d, &c))
			TH_LOG("after %s: %s", refusals[i].what, d->reason);
		EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_START));
		kmod_close(d);
		EXPECT_TRUE(kmod_is_used(0));
	}
}

/* --- values that are valid ------------------------------------------------------------ */

CHANGE(nothing, (void)c);
CHANGE(priorities, c->flags = FXT_SCHED_PRIORITIES);
CHANGE(known_events, c->events = FXT_SCHED_EVENTS_IRQ);
CHANGE(smallest, (c->subbuf_size = sysconf(_SC_PAGESIZE),
		  c->subbuf_count = FXT_SCHED_SUBBUF_COUNT_MIN));
CHANGE(largest_subbuf, (c->subbuf_size = FXT_SCHED_SUBBUF_SIZE_MAX, c->subbuf_count = 2));
CHANGE(most_of_them, (c->subbuf_size = sysconf(_SC_PAGESIZE),
		      c->subbuf_count = FXT_SCHED_SUBBUF_COUNT_MAX));
CHANGE(trigger, (c->flags = FXT_SCHED_OVERWRITE,
		 c->trigger_latency = FXT_SCHED_TRIGGER_NS_MAX,
		 c->trigger_after = FXT_SCHED_TRIGGER_NS_MAX, c->trigger_pid = 1,
		 strcpy(c->trigger_comm, "[a-z]*")));
CHANGE(trigger_interrupts, (c->flags = FXT_SCHED_OVERWRITE, c->events = FXT_SCHED_EVENTS_IRQ,
			    c->trigger_irq = 1, c->trigger_softirq = FXT_SCHED_TRIGGER_NS_MAX));
CHANGE(comm_63, (memset(c->filter_comm, '*', sizeof(c->filter_comm) - 1)));
CHANGE(pids, (c->filter_pids = (uintptr_t)pids_good, c->filter_pid_count = 3));
CHANGE(cpus, (c->filter_cpus = (uintptr_t)cpus_first, c->filter_cpu_words = 1));
CHANGE(cpus_long, (c->filter_cpus = (uintptr_t)cpus_first, c->filter_cpu_words = MASK_WORDS));
CHANGE(stacks, (c->stacks = FXT_SCHED_STACKS_WAKE | FXT_SCHED_STACKS_KERNEL |
			    FXT_SCHED_STACKS_USER,
		c->stacks_depth = FXT_SCHED_STACK_FRAMES,
		c->stacks_min = FXT_SCHED_STACKS_NS_MAX));

static const struct refusal valid[] = {
	{ "nothing", nothing, 0 },
	{ "priorities", priorities, 0 },
	{ "known events", known_events, 0 },
	{ "the smallest buffers", smallest, 0 },
	{ "the largest sub-buffers", largest_subbuf, 0 },
	{ "4096 sub-buffers", most_of_them, 0 },
	{ "all of a trigger", trigger, 0 },
	{ "a trigger of interrupts", trigger_interrupts, 0 },
	{ "a pattern of 63 bytes", comm_63, 0 },
	{ "processes", pids, 0 },
	{ "a CPU", cpus, 0 },
	{ "a longer mask with the same CPU", cpus_long, 0 },
	{ "stacks of wakers", stacks, 0 },
};

SOURCE_TEST(config, taken)
{
	struct kmod_session *d = &self->d[0];

	for (size_t i = 0; i < ARRAY_SIZE(valid); i++) {
		struct fxt_sched_config c = kmod_config();

		valid[i].change(&c);
		ASSERT_EQ(0, kmod_open(d));
		EXPECT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s: %s", valid[i].what, d->reason);
		EXPECT_EQ('\0', d->reason[0]);
		EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_START)) TH_LOG("%s", valid[i].what);
		kmod_close(d);
	}
}

/* The session does not need the descriptor of its cgroup afterwards. */
SOURCE_TEST(config, cgroup)
{
	struct fxt_sched_config c = kmod_config();

	if (access(CGROUP "cgroup.procs", F_OK))
		SKIP(return, "cgroup v2 is not mounted on " CGROUP);
	c.flags = FXT_SCHED_FILTER_CGROUP;
	c.filter_cgroup = open(CGROUP, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ASSERT_LE(0, c.filter_cgroup);
	ASSERT_EQ(0, kmod_open(&self->d[0]));
	EXPECT_EQ(0, kmod_configure(&self->d[0], &c)) TH_LOG("%s", self->d[0].reason);
	close(c.filter_cgroup);
	EXPECT_EQ(0, kmod_request(&self->d[0], FXT_SCHED_IOC_START));
	EXPECT_EQ(0, kmod_request(&self->d[0], FXT_SCHED_IOC_STOP));
}

SOURCE_TEST(config, tsc)
{
	struct fxt_sched_config c = kmod_config();
	struct fxt_sched_status status;
	struct kmod_session *d = &self->d[0];
	int err;

	c.clockid = 0;
	c.flags = FXT_SCHED_TSC;
	ASSERT_EQ(0, kmod_open(d));
	err = kmod_configure(d, &c);
	if (err) {
		EXPECT_EQ(EOPNOTSUPP, err);
		EXPECT_FINE(check_reason(d->reason, sizeof(d->reason), &self->why));
		SKIP(return, "%s", d->reason);
	}
	ASSERT_EQ(0, kmod_status(d, &status));
	EXPECT_LT(1000000U, status.ticks_per_second);
}

/* --- structures of other sizes -------------------------------------------------------- */

#define LARGE		1024	/* bytes, more than the structure has */

static int configure_sized(const struct kmod_session *d, const void *c, size_t size)
{
	unsigned long request = _IOC(_IOC_WRITE, FXT_SCHED_IOC,
				     _IOC_NR(FXT_SCHED_IOC_CONFIGURE), size);

	return ioctl(d->fd, request, c) ? errno : 0;
}

/* A later version has a longer structure: the bytes that the module does not know must be 0. */
SOURCE_TEST(config, longer)
{
	static const size_t sizes[] = { sizeof(struct fxt_sched_config) + 8, LARGE, 16383 };
	struct fxt_sched_config *c;
	struct kmod_session *d = &self->d[0];

	c = calloc(1, sizes[2]);
	ASSERT_NE(NULL, c);
	*c = kmod_config();
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		ASSERT_EQ(0, kmod_open(d));
		((char *)c)[sizes[i] - 1] = 1;
		EXPECT_EQ(E2BIG, configure_sized(d, c, sizes[i])) TH_LOG("%zu bytes", sizes[i]);
		((char *)c)[sizes[i] - 1] = 0;
		EXPECT_EQ(0, configure_sized(d, c, sizes[i])) TH_LOG("%zu bytes", sizes[i]);
		kmod_close(d);
	}
}

/* The caller's memory may end where its structure does. */
static void *at_end_of_page(size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0);

	if (two == MAP_FAILED || mprotect(two + page, page, PROT_NONE))
		abort();
	return two + page - size;
}

/* The first version's structure, at the end of the caller's memory; shorter ones are refused. */
SOURCE_TEST(config, shorter)
{
	static const size_t sizes[] = { 0, 4, 8, 128, FXT_SCHED_CONFIG_SIZE_VER0 - 1 };
	struct fxt_sched_config c = kmod_config();
	void *text = at_end_of_page(FXT_SCHED_CONFIG_SIZE_VER0);
	struct kmod_session *d = &self->d[0];

	memcpy(text, &c, FXT_SCHED_CONFIG_SIZE_VER0);
	ASSERT_EQ(0, kmod_open(d));
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		EXPECT_EQ(EINVAL, configure_sized(d, text, sizes[i])) TH_LOG("%zu bytes", sizes[i]);
	}
	EXPECT_EQ(0, configure_sized(d, text, FXT_SCHED_CONFIG_SIZE_VER0));
}

/* --- the reason ------------------------------------------------------------------------ */

SOURCE_TEST(config, short_reasons)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	char whole[256], text[256];

	ASSERT_EQ(0, kmod_open(d));
	c.subbuf_size = 100;
	c.message = (uintptr_t)whole;
	c.message_size = sizeof(whole);
	ASSERT_EQ(EINVAL, configure_sized(d, &c, sizeof(c)));
	ASSERT_FINE(check_reason(whole, sizeof(whole), &self->why));
	c.message = (uintptr_t)text;
	for (size_t size = 0; size <= 20; size++) {
		memset(text, 0x7f, sizeof(text));
		c.message_size = size;
		EXPECT_EQ(EINVAL, configure_sized(d, &c, sizeof(c)));
		EXPECT_EQ(0x7f, text[size]);
		if (!size)
			continue;
		EXPECT_EQ('\0', text[size - 1]);
		EXPECT_EQ(0, strncmp(whole, text, size - 1)) TH_LOG("%zu: %s", size, text);
	}
	/* The size may claim much more room than there is. */
	memset(text, 0x7f, sizeof(text));
	c.message_size = UINT32_MAX;
	EXPECT_EQ(EINVAL, configure_sized(d, &c, sizeof(c)));
	EXPECT_STREQ(whole, text);
	EXPECT_EQ(0x7f, text[strlen(text) + 1]);
	/* The caller asks for no reason. */
	c.message = 0;
	c.message_size = 0;
	EXPECT_EQ(EINVAL, configure_sized(d, &c, sizeof(c)));
}
