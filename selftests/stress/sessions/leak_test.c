// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * leak_test.c - all memory is freed when files and sessions are closed.
 *
 * In:  files opened in any order, whether opening succeeds or fails.
 * Must hold: when all of them are closed, all memory is free again.
 */
#include <poll.h>

#include "source_fixture.h"
#include "stress.h"

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
	ASSERT_FALSE(self->missing && source_required("kmod"))
		TH_LOG("kmod: %s", self->missing);
}

FIXTURE_TEARDOWN(files)
{
}

static void set_all(const char *overwrite, const char *latency, const char *comm,
		    const char *pids, const char *cgroup)
{
	module_set("subbuf_size", "4096");
	module_set("subbuf_count", "2");
	module_set("clock", "boot");
	module_set("overwrite", overwrite);
	module_set("trigger_latency", latency);
	module_set("filter_comm", comm);
	module_set("filter_pids", pids);
	module_set("filter_cgroup", cgroup);
}

static int round_of_sessions(void *arg, unsigned int n, struct why *why)
{
	int fd = module_open("session");

	(void)arg;
	if (fd < 0)
		return complain(why, "round %u: cannot open the session: %s", n,
				strerror(errno));
	close(fd);
	return 0;
}

TEST_F_TIMEOUT(files, session, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(4000, 800);

	NEEDS_STRESS();
	kernel_look(&self->before);
	set_all("0", "0", "\n", "\n", "\n");
	EXPECT_FINE(rounds_run(rounds, NULL, round_of_sessions, NULL, &self->why));
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

/* Open all files of a session that asks for everything. */
static int round_of_all_files(void *arg, unsigned int n, struct why *why)
{
	static const char * const names[] = {
		"session", "tracing", "cpu0", "names0", "freeze", "rundown", "cpu0",
	};
	static char buffer[65536];
	int fds[ARRAY_SIZE(names)];
	size_t i;

	(void)arg;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		struct pollfd p = { .events = POLLIN };

		fds[i] = module_open(names[i]);
		p.fd = fds[i];
		if (fds[i] < 0)
			return complain(why, "round %u: cannot open %s: %s", n, names[i],
					strerror(errno));
		/* Two of the files cannot be read and return an error. */
		if (poll(&p, 1, 0) < 0 || read(fds[i], buffer, sizeof(buffer)) < -1)
			return complain(why, "round %u: %s", n, strerror(errno));
	}
	close_in_any_order(fds, ARRAY_SIZE(names));
	return 0;
}

TEST_F_TIMEOUT(files, all_files, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(400, 60);

	NEEDS_STRESS();
	kernel_look(&self->before);
	set_all("1", "5000000", "*a*", "1,2,3", access("/sys/fs/cgroup/cgroup.procs", F_OK) ?
		"\n" : "/");
	EXPECT_FINE(rounds_run(rounds, NULL, round_of_all_files, NULL, &self->why));
	set_all("0", "0", "\n", "\n", "\n");
	EXPECT_FINE(kernel_check(&self->before, &self->why));
	stress_note("%u times all files opened and closed in any order", rounds);
}

/* Each way in which a session is refused after a part of it was created. */
static int round_of_refusals(void *arg, unsigned int n, struct why *why)
{
	static const int expected[] = { EINVAL, ENOENT, ENOMEM };
	int which = n % 3, fd;

	(void)arg;
	set_all("0", which == 0 ? "5" : "0", "\n", "\n", which == 1 ? "/no/such/cgroup" : "\n");
	if (which == 2) {
		module_set("subbuf_size", "16M");
		module_set("subbuf_count", "4096");
	}
	fd = module_open("session");
	if (fd >= 0) {
		close(fd);
		return complain(why, "round %u: a session that cannot be", n);
	}
	if (errno != expected[which])
		return complain(why, "round %u: refused for another reason: %s", n,
				strerror(errno));
	return 0;
}

TEST_F_TIMEOUT(files, refusals, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(2000, 240);

	NEEDS_STRESS();
	kernel_look(&self->before);
	EXPECT_FINE(rounds_run(rounds, NULL, round_of_refusals, NULL, &self->why));
	set_all("0", "0", "\n", "\n", "\n");
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
	/* The first round makes the kernel allocate what it keeps. */
	ASSERT_FINE(round_of_collectors(self, 0, &self->why));
	kernel_look(&before);
	EXPECT_FINE(rounds_run(rounds, NULL, round_of_collectors, self, &self->why));
	EXPECT_FINE(kernel_check(&before, &self->why));
	stress_note("%u recordings with %s", rounds, self->source);
}

TEST_HARNESS_MAIN
