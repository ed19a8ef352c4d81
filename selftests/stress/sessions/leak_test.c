// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All memory is freed when files and sessions are closed, opened in any order, whether opening
 * succeeds or fails.
 */
#include "kmod.h"
#include "source_fixture.h"
#include "stress.h"

#define CGROUP	"/sys/fs/cgroup/"	/* the usual place of cgroup v2 */

SOURCE_FIXTURE(leak);

FIXTURE(files)
{
	const char *missing;
	struct why why;
	struct kernel before;
};

FIXTURE_SETUP(files)
{
	self->missing = source_missing("kmod");
	ASSERT_FALSE(self->missing && source_required("kmod")) TH_LOG("kmod: %s", self->missing);
}

FIXTURE_TEARDOWN(files) { }

/* A configuration with the smallest buffers, because other memory matters here. */
static struct fxt_sched_config small_config(void)
{
	struct fxt_sched_config c = kmod_config();

	c.subbuf_size = sysconf(_SC_PAGESIZE);
	c.subbuf_count = FXT_SCHED_SUBBUF_COUNT_MIN;
	return c;
}

/* Sessions that are only opened, configured or started. */
static int round_of_sessions(void *arg, unsigned int n, struct why *why)
{
	struct fxt_sched_config c = small_config();
	struct kmod_session d;
	int err = kmod_open(&d);

	(void)arg;
	if (!err && n % 3)
		err = kmod_configure(&d, &c);
	if (!err && n % 3 == 2)
		err = kmod_request(&d, FXT_SCHED_IOC_START);
	if (err)
		complain(why, "round %u: no session: %s: %s", n, strerror(err), d.reason);
	kmod_close(&d);
	return err ? -1 : 0;
}

TEST_F_TIMEOUT(files, session, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(4000, 320);

	NEEDS_STRESS();
	kernel_look(&self->before);
	EXPECT_FINE(rounds_run(rounds, NULL, round_of_sessions, NULL, &self->why));
	EXPECT_TRUE(kmod_is_used(0));
	EXPECT_FINE(kernel_check(&self->before, &self->why));
	stress_note("%u sessions opened and closed", rounds);
}

static void close_in_any_order(int *fds, unsigned int count)
{
	while (count) {
		unsigned int i = stress_random(count);

		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = fds[--count];
	}
}

static struct fxt_sched_config full_config(void)
{
	static const __u32 pids[] = { 1, 2, 3 }, cpus[] = { 1 };
	struct fxt_sched_config c = small_config();

	c.flags = FXT_SCHED_OVERWRITE;
	c.trigger_latency = 5000000;
	strcpy(c.trigger_comm, "*b*");
	strcpy(c.filter_comm, "*a*");
	c.filter_pids = (uintptr_t)pids;
	c.filter_pid_count = ARRAY_SIZE(pids);
	c.filter_cpus = (uintptr_t)cpus;
	c.filter_cpu_words = 1;
	if (access(CGROUP "cgroup.procs", F_OK))
		return c;
	c.filter_cgroup = open(CGROUP, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	c.flags |= FXT_SCHED_FILTER_CGROUP;
	return c;
}

static void close_cgroup(const struct fxt_sched_config *c)
{
	if (c->flags & FXT_SCHED_FILTER_CGROUP)
		close(c->filter_cgroup);
}

/* Open all files of such a session, and close them in any order. */
static int round_of_all_files(void *arg, unsigned int n, struct why *why)
{
	static const uint32_t names[] = {
		FXT_SCHED_STREAM_CPU, FXT_SCHED_STREAM_NAMES, FXT_SCHED_STREAM_CPU,
	};
	struct fxt_sched_config c = full_config();
	int fds[ARRAY_SIZE(names) + 2], ret;
	static char buffer[65536];
	struct kmod_session d;
	size_t i;

	(void)arg;
	ret = kmod_start(&d, &c, why);
	close_cgroup(&c);
	if (ret)
		return -1;
	for (i = 0; i < ARRAY_SIZE(names); i++)
		fds[i] = kmod_file(&d, names[i], 0);
	fds[i++] = kmod_file(&d, FXT_SCHED_STREAM_RUNDOWN, 0);
	if (n % 2)
		kmod_request(&d, FXT_SCHED_IOC_FREEZE);
	fds[i++] = d.fd;
	for (i = 0; i < ARRAY_SIZE(fds); i++) {
		struct pollfd p = { .fd = fds[i], .events = POLLIN };

		if (fds[i] < 0)
			return complain(why, "round %u: cannot open file %zu", n, i);
		/* The device cannot be read; a stream may have nothing yet. */
		if (poll(&p, 1, 0) < 0 ||
		    (fds[i] != d.fd && read(fds[i], buffer, sizeof(buffer)) < 0 && errno != EAGAIN))
			return complain(why, "round %u: %s", n, strerror(errno));
	}
	close_in_any_order(fds, ARRAY_SIZE(fds));
	return 0;
}

TEST_F_TIMEOUT(files, all_files, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(400, 60);

	NEEDS_STRESS();
	kernel_look(&self->before);
	EXPECT_FINE(rounds_run(rounds, NULL, round_of_all_files, NULL, &self->why));
	EXPECT_TRUE(kmod_is_used(0));
	EXPECT_FINE(kernel_check(&self->before, &self->why));
	stress_note("%u times all files opened and closed in any order", rounds);
}

/*
 * Configure a session in each way that is refused after a part of the session has been created.
 * Then configure the same session with everything that it can have.
 */
static int round_of_refusals(void *arg, unsigned int n, struct why *why)
{
	static const int expected[] = { EINVAL, EBADF, ENOMEM, EFAULT };
	struct fxt_sched_config good = full_config(), bad = good;
	int which = n % ARRAY_SIZE(expected), err, ret = 0;
	struct kmod_session d;

	(void)arg;
	if (which == 0)
		strcpy(bad.filter_comm, "[");
	if (which == 1) {
		bad.flags |= FXT_SCHED_FILTER_CGROUP;
		bad.filter_cgroup = open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
	if (which == 2) {
		bad.subbuf_size = FXT_SCHED_SUBBUF_SIZE_MAX;
		bad.subbuf_count = FXT_SCHED_BUFFER_SIZE_MAX / bad.subbuf_size;
	}
	if (which == 3)
		bad.filter_pids = 8;
	err = kmod_open(&d);
	if (!err)
		err = kmod_configure(&d, &bad);
	if (err != expected[which])
		ret = complain(why, "round %u: refused for another reason: %s: %s", n,
			       strerror(err), d.reason);
	if (!ret && kmod_configure(&d, &good))
		ret = complain(why, "round %u: refused after a refusal: %s", n, d.reason);
	if (which == 1)
		close_cgroup(&bad);
	close_cgroup(&good);
	kmod_close(&d);
	return ret;
}

TEST_F_TIMEOUT(files, refusals, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(2000, 240);

	NEEDS_STRESS();
	kernel_look(&self->before);
	EXPECT_FINE(rounds_run(rounds, NULL, round_of_refusals, NULL, &self->why));
	EXPECT_TRUE(kmod_is_used(0));
	EXPECT_FINE(kernel_check(&self->before, &self->why));
	stress_note("%u sessions refused", rounds);
}

static int round_of_collectors(void *arg, unsigned int n, struct why *why)
{
	FIXTURE_DATA(leak) *self = arg;
	const char *args[] = { "-q", "-s", self->source, "-b", "64K", "-d", "10ms", NULL };
	int status = collector_run(&self->c, self->dir, args);

	unlink(self->c.output);
	return status ? complain(why, "round %u: fxt-collect ended with status %d: %.400s", n,
				 status, self->c.text) : 0;
}

TEST_F_TIMEOUT(leak, collector, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(40, 4);
	struct kernel before;

	NEEDS_STRESS();
	/* In the first round the kernel allocates memory that it keeps. */
	ASSERT_FINE(round_of_collectors(self, 0, &self->why));
	kernel_look(&before);
	EXPECT_FINE(rounds_run(rounds, NULL, round_of_collectors, self, &self->why));
	EXPECT_FINE(kernel_check(&before, &self->why));
	stress_note("%u recordings with %s", rounds, self->source);
}
