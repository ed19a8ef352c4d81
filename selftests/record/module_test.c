// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * module_test.c - the module's own interface: its parameters and its files.
 *
 * In:  valid and invalid parameters; files opened, read and kept open in any order, with and
 *      without the capability.
 * Must hold: the module refuses invalid values, too much memory and callers without the
 *      capability, and stays loaded while a file is open.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "source_fixture.h"

#define PARAMS		"/sys/module/fxt_sched/parameters/"
#define FILES		"/sys/kernel/debug/fxt_sched/"

FIXTURE(module)
{
	const char *missing;
	char dir[RECORD_PATH];
	struct collector c;
	struct trace t;
	struct why why;
	int log;
};

FIXTURE_SETUP(module)
{
	self->missing = source_missing("kmod");
	self->c.gate = -1;
	ASSERT_FALSE(self->missing && source_required("kmod"))
		TH_LOG("kmod: %s", self->missing);
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	/* Read only messages that are logged from now on. */
	self->log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lseek(self->log, 0, SEEK_END);
}

FIXTURE_TEARDOWN(module)
{
	close(self->log);
	trace_free(&self->t);
	dir_remove(self->dir);
}

#define NEEDS_MODULE() do {							\
	if (self->missing)							\
		SKIP(return, "kmod: %s", self->missing);			\
} while (0)

static int set_param(const char *name, const char *value)
{
	char path[128];
	int fd, err;

	snprintf(path, sizeof(path), PARAMS "%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	err = write(fd, value, strlen(value)) < 0 ? errno : 0;
	close(fd);
	return err;
}

static int get_param(const char *name, char *value, size_t room)
{
	char path[128];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), PARAMS "%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, value, room - 1);
	if (fd >= 0)
		close(fd);
	value[n < 0 ? 0 : n] = '\0';
	value[strcspn(value, "\n")] = '\0';
	return n < 0 ? -1 : 0;
}

/* Was something with these words logged since the last call? */
static bool logged(int log, const char *words)
{
	char line[2048];
	bool found = false;
	ssize_t n;

	while ((n = read(log, line, sizeof(line) - 1)) > 0 || (n < 0 && errno == EPIPE)) {
		if (n < 0)
			continue;
		line[n] = '\0';
		found |= strstr(line, "fxt_sched: ") && strstr(line, words);
	}
	return found;
}

TEST_F_TIMEOUT(module, parameters_refused, TEST_SECONDS)
{
	static const struct {
		const char *name;
		const char *value;
		const char *says;
	} refused[] = {
		{ "subbuf_size", "100", "multiple of 4096 bytes" },
		{ "subbuf_size", "0", "multiple of 4096 bytes" },
		{ "subbuf_size", "1G", "at most 16777216" },
		{ "subbuf_size", "garbage", "multiple of 4096 bytes" },
		{ "subbuf_size", "", "multiple of 4096 bytes" },
		{ "subbuf_size", "-4096", "multiple of 4096 bytes" },
		{ "subbuf_count", "1", "from 2 to 4096" },
		{ "subbuf_count", "5000", "from 2 to 4096" },
		{ "subbuf_count", "few", "from 2 to 4096" },
		{ "clock", "foo", "boot, mono or tsc" },
		{ "weight", "heavy", "weight or prio" },
	};
	char before[64], after[64];
	size_t i;

	NEEDS_MODULE();
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		/* An empty write never reaches the module. */
		if (!refused[i].value[0])
			continue;
		ASSERT_EQ(0, get_param(refused[i].name, before, sizeof(before)));
		EXPECT_EQ(EINVAL, set_param(refused[i].name, refused[i].value))
			TH_LOG("%s=%s", refused[i].name, refused[i].value);
		EXPECT_TRUE(logged(self->log, refused[i].says))
			TH_LOG("%s=%s: nothing of '%s' in the kernel's log",
			       refused[i].name, refused[i].value, refused[i].says);
		ASSERT_EQ(0, get_param(refused[i].name, after, sizeof(after)));
		EXPECT_STREQ(before, after);
	}
}

TEST_F_TIMEOUT(module, parameters_taken, TEST_SECONDS)
{
	static const char * const taken[][3] = {
		{ "subbuf_size", "64K", "65536" },
		{ "subbuf_size", "16M", "16777216" },
		{ "subbuf_size", "4096\n", "4096" },
		{ "subbuf_count", "2", "2" },
		{ "subbuf_count", "4096", "4096" },
		{ "clock", "mono", "mono" },
		{ "clock", "boot\n", "boot" },
		{ "weight", "prio", "prio" },
		{ "weight", "weight", "weight" },
	};
	char value[64];
	size_t i;

	NEEDS_MODULE();
	for (i = 0; i < ARRAY_SIZE(taken); i++) {
		EXPECT_EQ(0, set_param(taken[i][0], taken[i][1]))
			TH_LOG("%s=%s", taken[i][0], taken[i][1]);
		ASSERT_EQ(0, get_param(taken[i][0], value, sizeof(value)));
		EXPECT_STREQ(taken[i][2], value);
	}
}

/* More than there is: a check of the available memory refuses it, not the OOM killer. */
TEST_F_TIMEOUT(module, memory_refused, TEST_SECONDS)
{
	const char * const good[] = { "-q", "-s", "kmod", "-d", "50ms", NULL };
	int fd;

	NEEDS_MODULE();
	if (!in_guest())
		SKIP(return, "only where nobody else needs the memory (FXT_GUEST=1)");
	ASSERT_EQ(0, set_param("subbuf_size", "16M"));
	ASSERT_EQ(0, set_param("subbuf_count", "4096"));
	logged(self->log, "");
	fd = open(FILES "session", O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(-1, fd);
	EXPECT_EQ(ENOMEM, errno);
	EXPECT_TRUE(logged(self->log, "session refused"));
	/* A good session still works after that. */
	EXPECT_EQ(0, collector_run(&self->c, self->dir, good)) TH_LOG("%s", self->c.text);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
}

static int try_to_unload(void)
{
	return syscall(SYS_delete_module, "fxt_sched", O_NONBLOCK) ? errno : 0;
}

/* The module stays loaded while any file is open, even the last one of a session. */
TEST_F_TIMEOUT(module, no_unloading_in_use, TEST_SECONDS)
{
	static const char * const files[] = {
		FILES "cpu0", FILES "names0", FILES "rundown", FILES "tracing",
	};
	int session, file;
	size_t i;

	NEEDS_MODULE();
	NEEDS_UNLOADING();
	ASSERT_EQ(0, set_param("subbuf_size", "64K"));
	ASSERT_EQ(0, set_param("subbuf_count", "4"));
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		session = open(FILES "session", O_RDONLY | O_CLOEXEC);
		ASSERT_LE(0, session) TH_LOG("%s", strerror(errno));
		EXPECT_EQ(EWOULDBLOCK, try_to_unload());
		file = open(files[i], O_RDONLY | O_CLOEXEC);
		ASSERT_LE(0, file) TH_LOG("%s: %s", files[i], strerror(errno));
		close(session);
		ASSERT_EQ(EWOULDBLOCK, try_to_unload()) TH_LOG("%s", files[i]);
		close(file);
	}
	EXPECT_EQ(0, access(FILES "session", F_OK));
}

/* A buffer of a session that has ended can be read to its end. */
TEST_F_TIMEOUT(module, reading_on, TEST_SECONDS)
{
	int session, cpu;
	char byte[64];

	NEEDS_MODULE();
	ASSERT_EQ(0, set_param("subbuf_size", "64K"));
	ASSERT_EQ(0, set_param("subbuf_count", "4"));
	session = open(FILES "session", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, session) TH_LOG("%s", strerror(errno));
	cpu = open(FILES "cpu0", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, cpu) TH_LOG("%s", strerror(errno));
	close(session);
	EXPECT_EQ(0, read(cpu, byte, sizeof(byte)));
	EXPECT_EQ(-1, access(FILES "cpu0", F_OK));
	close(cpu);
}

/* A file of the session before is still open when a new session has other sizes. */
TEST_F_TIMEOUT(module, old_files_and_new_session, TEST_SECONDS)
{
	int session, tracing, cpu;
	char buffer[65536];
	ssize_t n;
	size_t old = 0;

	NEEDS_MODULE();
	ASSERT_EQ(0, set_param("subbuf_size", "64K"));
	ASSERT_EQ(0, set_param("subbuf_count", "4"));
	session = open(FILES "session", O_RDONLY | O_CLOEXEC);
	tracing = open(FILES "tracing", O_RDONLY | O_CLOEXEC);
	cpu = open(FILES "cpu0", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, session);
	ASSERT_LE(0, tracing);
	ASSERT_LE(0, cpu);
	EXPECT_EQ(-1, open(FILES "tracing", O_RDONLY | O_CLOEXEC));
	EXPECT_EQ(EBUSY, errno);
	EXPECT_EQ(-1, open(FILES "session", O_RDONLY | O_CLOEXEC));
	EXPECT_EQ(EBUSY, errno);
	/* Make events on that CPU. */
	pin(0);
	sleep_ms(100);
	close(session);

	ASSERT_FINE(record_begin(&self->c, self->dir, "kmod", NULL, &self->why));
	while ((n = read(cpu, buffer, sizeof(buffer))) > 0)
		old += n;
	EXPECT_EQ(0, n);
	EXPECT_LT(0U, old);
	close(cpu);
	close(tracing);
	sleep_ms(50);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
}

/* --- who may open its files ---------------------------------------------------------- */

/*
 * Open a file in a process that has root's id, as the files' mode requires, and these
 * capabilities.
 */
static int open_with(const char *name, uint64_t caps)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { 0 };
	char path[128];
	int i, status;
	pid_t pid = fork();

	if (!pid) {
		for (i = 0; i < 2; i++) {
			data[i].permitted = caps >> 32 * i;
			data[i].effective = data[i].permitted;
		}
		if (syscall(SYS_capset, &head, data) || geteuid())
			_exit(255);
		snprintf(path, sizeof(path), FILES "%s", name);
		_exit(open(path, O_RDONLY | O_CLOEXEC) < 0 ? errno : 0);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F_TIMEOUT(module, files_take_a_capability, TEST_SECONDS)
{
	static const char * const all[] = {
		"session", "rundown", "tracing", "freeze", "names0", "cpu0",
	};
	const uint64_t perfmon = 1ULL << CAP_PERFMON, admin = 1ULL << CAP_SYS_ADMIN;
	const uint64_t others = (1ULL << CAP_SYS_RAWIO) - 1;
	const bool has_perfmon = prctl(PR_CAPBSET_READ, CAP_PERFMON, 0, 0, 0) >= 0;
	int session;
	size_t i;

	NEEDS_MODULE();
	EXPECT_EQ(EPERM, open_with("session", 0));
	EXPECT_EQ(EPERM, open_with("session", others));
	EXPECT_EQ(has_perfmon ? 0 : EPERM, open_with("session", perfmon));
	EXPECT_EQ(0, open_with("session", admin));
	/* Open the files of a session that another process holds. */
	session = open(FILES "session", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, session);
	for (i = 0; i < ARRAY_SIZE(all); i++)
		EXPECT_EQ(EPERM, open_with(all[i], others)) TH_LOG("file %zu", i);
	for (i = 1; i < ARRAY_SIZE(all); i++) {
		/* freeze fails in a session that does not overwrite. */
		if (strcmp(all[i], "freeze"))
			EXPECT_EQ(0, open_with(all[i], admin)) TH_LOG("file %zu", i);
	}
	close(session);
}

TEST_HARNESS_MAIN
