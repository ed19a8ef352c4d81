// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel booted with lockdown=integrity refuses $FXT_UNSIGNED, an unsigned fxt_sched.ko, and
 * fxt-collect reports that; all functions of a signed one work. All other tests have to be run with
 * a signed module, too.
 */
#include "kmod_stream.h"
#include "source_fixture.h"

FIXTURE(lockdown)
{
	const char *missing;
	char dir[RECORD_PATH];
	struct collector c;
	struct trace t;
	struct why why;
};

static bool locked_down(void)
{
	FILE *f = fopen("/sys/kernel/security/lockdown", "re");
	char line[128] = "";
	bool locked;

	if (!f)
		return false;
	locked = fgets(line, sizeof(line), f) && strstr(line, "[integrity]");
	fclose(f);
	return locked;
}

FIXTURE_SETUP(lockdown)
{
	self->missing = locked_down() ? NULL : "this kernel was not booted with lockdown=integrity";
	self->c.gate = -1;
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
}

FIXTURE_TEARDOWN(lockdown)
{
	collector_wait(&self->c);
	dir_remove(self->dir);
}

TEST_F(lockdown, unsigned_is_refused)
{
	const char *module = getenv("FXT_UNSIGNED");
	int fd;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!module)
		SKIP(return, "FXT_UNSIGNED names no module that is not signed");
	fd = open(module, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd) TH_LOG("%s: %s", module, strerror(errno));
	EXPECT_EQ(-1, syscall(SYS_finit_module, fd, "", 0));
	EXPECT_EQ(EPERM, errno) TH_LOG("%s", strerror(errno));
	close(fd);
}

TEST_F(lockdown, kmod_says_what_to_do)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!source_missing("kmod"))
		SKIP(return, "the module is loaded");
	EXPECT_EQ(3, collector_run(&self->c, self->dir, ARGS("-s", "kmod", "-d", "10ms")));
	EXPECT_IN(self->c.text, "under lockdown=integrity only a signed one");
	EXPECT_IN(self->c.text, "--source=bpf");
}

TEST_F(lockdown, auto_takes_bpf)
{
	const char *args[] = { "-d", "200ms", NULL };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!source_missing("kmod"))
		SKIP(return, "the module is loaded");
	ASSERT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	EXPECT_IN(self->c.text, "(bpf: the module fxt_sched is not loaded: lockdown");
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
}

/* A signed module is loaded, and the source "auto" uses it. */
TEST_F(lockdown, auto_takes_a_signed_module)
{
	const char *args[] = { "-d", "200ms", NULL };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (source_missing("kmod"))
		SKIP(return, "%s", source_missing("kmod"));
	ASSERT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	EXPECT_IN(self->c.text, "(kmod: it is loaded)");
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
}

/* Control by the device and reading of streams work: a filter, freezing, and what was kept. */
TEST_F(lockdown, signed_module_is_controlled)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_streams all;
	struct kmod_session d;
	const __u32 pid = getpid();
	struct pair pair = { .rounds = 100, .ends = { { .cpu = 0 }, { .cpu = 0 } } };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (source_missing("kmod"))
		SKIP(return, "%s", source_missing("kmod"));
	c.flags = FXT_SCHED_OVERWRITE;
	c.filter_pids = (uintptr_t)&pid;
	c.filter_pid_count = 1;
	kmod_streams_init(&all, true);
	ASSERT_FINE(kmod_start(&d, &c, &self->why));
	ASSERT_EQ(0, pairs_run(&pair, 1));
	ASSERT_EQ(0, kmod_request(&d, FXT_SCHED_IOC_FREEZE));
	EXPECT_FINE(kmod_streams_finish(&all, &d, &self->why));
	EXPECT_LT(2 * pair.rounds, all.cpus[0].records);
	EXPECT_EQ(0, kmod_request(&d, FXT_SCHED_IOC_THAW));
	kmod_streams_free(&all);
	kmod_close(&d);
}

TEST_F(lockdown, signed_module_keeps_the_last_moments)
{
	const char *args[] = { "-q", "-s", "kmod", "-F", "--comm", "*", "-d", "200ms", NULL };
	char path[RECORD_PATH + 32];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (source_missing("kmod"))
		SKIP(return, "%s", source_missing("kmod"));
	ASSERT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	snprintf(path, sizeof(path), "%s/sched-0001.fxt", self->dir);
	ASSERT_FINE(trace_load(&self->t, path, false, &self->why));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));
}
