// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel that is locked down for confidentiality shows its activity to nobody: no process,
 * whatever its capabilities, gets a session or opens a file of one; fxt-collect says why; a session
 * from before can be closed, and the module unloaded.
 *
 * In a guest with the module loaded, at any lower level of lockdown. The test raises the level,
 * which cannot be lowered again: run it last in that guest.
 */
#include "kmod_fixture.h"

#define LOCKDOWN	"/sys/kernel/security/lockdown"
#define LEVEL		"confidentiality"

FIXTURE(confidentiality)
{
	const char *missing;
	char dir[RECORD_PATH];
	struct kmod_session d;
	struct kmod_session again;
	struct collector c;
	struct why why;
};

static const char *cannot_raise(void)
{
	if (!in_guest())
		return "it locks the machine down until it is booted again (FXT_GUEST=1)";
	if (source_missing("kmod"))
		return source_missing("kmod");
	return access(LOCKDOWN, W_OK) ? "this kernel has no lockdown" : NULL;
}

FIXTURE_SETUP(confidentiality)
{
	self->d.fd = -1;
	self->again.fd = -1;
	self->c.gate = -1;
	self->missing = cannot_raise();
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
}

FIXTURE_TEARDOWN(confidentiality)
{
	kmod_close(&self->d);
	kmod_close(&self->again);
	collector_wait(&self->c);
	dir_remove(self->dir);
}

/* Raise the level, unless an earlier test has done so. */
static int raise_level(struct why *why)
{
	int fd = open(LOCKDOWN, O_RDWR | O_CLOEXEC), ret = 0;
	char line[128] = "";

	if (fd < 0 || pread(fd, line, sizeof(line) - 1, 0) < 0)
		ret = complain(why, LOCKDOWN ": %s", strerror(errno));
	else if (!strstr(line, "[" LEVEL "]") && write(fd, LEVEL, strlen(LEVEL)) < 0)
		ret = complain(why, LOCKDOWN ": %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return ret;
}

static int try_to_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = fd < 0 ? errno : 0;

	if (fd >= 0)
		close(fd);
	return err;
}

SOURCE_TEST(confidentiality, nothing_opens)
{
	struct fxt_sched_config c = kmod_config();

	ASSERT_FINE(kmod_start(&self->d, &c, &self->why));
	ASSERT_FINE(raise_level(&self->why));
	EXPECT_EQ(EPERM, kmod_open(&self->again));
	EXPECT_EQ(EPERM, try_to_open(KMOD_PATH));
	EXPECT_EQ(0, kmod_request(&self->d, FXT_SCHED_IOC_STOP));
	kmod_close(&self->d);
	EXPECT_TRUE(kmod_is_used(0));
}

SOURCE_TEST(confidentiality, collector_says_so)
{
	ASSERT_FINE(raise_level(&self->why));
	EXPECT_EQ(4, collector_run(&self->c, self->dir, ARGS("-s", "kmod", "-d", "10ms")));
	EXPECT_IN(self->c.text, "lockdown=" LEVEL);
	EXPECT_NE(0, access(self->c.output, F_OK));
}

SOURCE_TEST(confidentiality, module_unloads)
{
	NEEDS_UNLOADING();
	ASSERT_FINE(raise_level(&self->why));
	EXPECT_EQ(0, syscall(SYS_delete_module, FXT_SCHED_MODULE, O_NONBLOCK))
		TH_LOG("%s", strerror(errno));
}
