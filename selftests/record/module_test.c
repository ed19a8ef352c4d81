// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * module_test.c - the module's parameters: defaults and limits; and unloading it.
 *
 * In:  valid and invalid parameters; sessions that leave the choice to the module, and more
 *      sessions and memory than the limits allow.
 * Must hold: an invalid value is refused with a line in the kernel log and changes nothing;
 *      a session takes the defaults; limits hold, and no longer once a session is closed; the
 *      module stays loaded while a file is open.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "kmod_fixture.h"

/* Values that apply when the module is loaded without options. */
static const char * const defaults[][2] = {
	{ FXT_SCHED_PARAM_SUBBUF_SIZE, "262144" }, { FXT_SCHED_PARAM_SUBBUF_COUNT, "16" },
	{ FXT_SCHED_PARAM_CLOCK, "boot" }, { FXT_SCHED_PARAM_WEIGHT, "weight" },
	{ FXT_SCHED_PARAM_MAX_SESSIONS, "16" }, { FXT_SCHED_PARAM_MAX_MEMORY, "0" },
};

FIXTURE(module)
{
	const char *missing;
	struct why why;
	struct kmod_session d[KMOD_SESSIONS];
	int log;
};

static void set_defaults(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(defaults); i++)
		kmod_set(defaults[i][0], defaults[i][1]);
}

FIXTURE_SETUP(module)
{
	unsigned int i;

	for (i = 0; i < KMOD_SESSIONS; i++)
		self->d[i].fd = -1;
	self->missing = source_missing("kmod");
	ASSERT_FALSE(self->missing && source_required("kmod"))
		TH_LOG("kmod: %s", self->missing);
	set_defaults();
	/* Read only messages that are logged from now on. */
	self->log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lseek(self->log, 0, SEEK_END);
}

FIXTURE_TEARDOWN(module)
{
	unsigned int i;

	for (i = 0; i < KMOD_SESSIONS; i++)
		kmod_close(&self->d[i]);
	if (!self->missing)
		set_defaults();
	close(self->log);
}

/* --- values ---------------------------------------------------------------------------- */

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
		found |= strstr(line, FXT_SCHED_MODULE ": ") && strstr(line, words);
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
		{ FXT_SCHED_PARAM_SUBBUF_SIZE, "100", "multiple of 4096 bytes" },
		{ FXT_SCHED_PARAM_SUBBUF_SIZE, "0", "multiple of 4096 bytes" },
		{ FXT_SCHED_PARAM_SUBBUF_SIZE, "1G", "at most 16777216" },
		{ FXT_SCHED_PARAM_SUBBUF_SIZE, "garbage", "multiple of 4096 bytes" },
		{ FXT_SCHED_PARAM_SUBBUF_SIZE, "-4096", "multiple of 4096 bytes" },
		{ FXT_SCHED_PARAM_SUBBUF_COUNT, "1", "from 2 to 4096" },
		{ FXT_SCHED_PARAM_SUBBUF_COUNT, "5000", "from 2 to 4096" },
		{ FXT_SCHED_PARAM_SUBBUF_COUNT, "few", "from 2 to 4096" },
		{ FXT_SCHED_PARAM_CLOCK, "foo", "boot, mono or tsc" },
		{ FXT_SCHED_PARAM_WEIGHT, "heavy", "weight or prio" },
		{ FXT_SCHED_PARAM_MAX_SESSIONS, "1025", "1024" },
		{ FXT_SCHED_PARAM_MAX_SESSIONS, "-1", "1024" },
		{ FXT_SCHED_PARAM_MAX_SESSIONS, "many", "1024" },
		{ FXT_SCHED_PARAM_MAX_MEMORY, "much", "bytes" },
		{ FXT_SCHED_PARAM_MAX_MEMORY, "1M more", "bytes" },
	};
	char before[64], after[64];
	size_t i;

	NEEDS_MODULE();
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		ASSERT_EQ(0, kmod_get(refused[i].name, before, sizeof(before)));
		EXPECT_EQ(EINVAL, kmod_set(refused[i].name, refused[i].value))
			TH_LOG("%s=%s", refused[i].name, refused[i].value);
		EXPECT_TRUE(logged(self->log, refused[i].says))
			TH_LOG("%s=%s: nothing of '%s' in the kernel's log",
			       refused[i].name, refused[i].value, refused[i].says);
		ASSERT_EQ(0, kmod_get(refused[i].name, after, sizeof(after)));
		EXPECT_STREQ(before, after);
	}
}

TEST_F_TIMEOUT(module, parameters_taken, TEST_SECONDS)
{
	static const char * const taken[][3] = {
		{ FXT_SCHED_PARAM_SUBBUF_SIZE, "64K", "65536" },
		{ FXT_SCHED_PARAM_SUBBUF_SIZE, "16M", "16777216" },
		{ FXT_SCHED_PARAM_SUBBUF_SIZE, "4096\n", "4096" },
		{ FXT_SCHED_PARAM_SUBBUF_COUNT, "2", "2" },
		{ FXT_SCHED_PARAM_SUBBUF_COUNT, "4096", "4096" },
		{ FXT_SCHED_PARAM_CLOCK, "mono", "mono" },
		{ FXT_SCHED_PARAM_CLOCK, "boot\n", "boot" },
		{ FXT_SCHED_PARAM_WEIGHT, "prio", "prio" },
		{ FXT_SCHED_PARAM_WEIGHT, "weight", "weight" },
		{ FXT_SCHED_PARAM_MAX_SESSIONS, "1\n", "1" },
		{ FXT_SCHED_PARAM_MAX_SESSIONS, "1024", "1024" },
		{ FXT_SCHED_PARAM_MAX_MEMORY, "8G", "8589934592" },
		{ FXT_SCHED_PARAM_MAX_MEMORY, "0", "0" },
	};
	char value[64];
	size_t i;

	NEEDS_MODULE();
	for (i = 0; i < ARRAY_SIZE(taken); i++) {
		EXPECT_EQ(0, kmod_set(taken[i][0], taken[i][1]))
			TH_LOG("%s=%s", taken[i][0], taken[i][1]);
		ASSERT_EQ(0, kmod_get(taken[i][0], value, sizeof(value)));
		EXPECT_STREQ(taken[i][2], value);
	}
}

/* Sessions that are configured later take the new values, those before keep theirs. */
TEST_F_TIMEOUT(module, defaults_apply, TEST_SECONDS)
{
	const struct fxt_sched_config open = { .abi = FXT_SCHED_ABI };
	struct fxt_sched_status status;
	int i;

	NEEDS_MODULE();
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, kmod_open(&self->d[i]));
	ASSERT_EQ(0, kmod_configure(&self->d[0], &open)) TH_LOG("%s", self->d[0].reason);
	EXPECT_EQ(0, kmod_set(FXT_SCHED_PARAM_SUBBUF_SIZE, "12K"));
	EXPECT_EQ(0, kmod_set(FXT_SCHED_PARAM_SUBBUF_COUNT, "5"));
	EXPECT_EQ(0, kmod_set(FXT_SCHED_PARAM_CLOCK, "mono"));
	EXPECT_EQ(0, kmod_set(FXT_SCHED_PARAM_WEIGHT, "prio"));
	ASSERT_EQ(0, kmod_configure(&self->d[1], &open)) TH_LOG("%s", self->d[1].reason);
	ASSERT_EQ(0, kmod_status(&self->d[0], &status));
	EXPECT_EQ(FXT_SCHED_SUBBUF_SIZE_DEFAULT, status.subbuf_size);
	EXPECT_EQ(FXT_SCHED_SUBBUF_COUNT_DEFAULT, status.subbuf_count);
	EXPECT_EQ((unsigned int)FXT_SCHED_CLOCK_BOOT, status.clock);
	EXPECT_EQ((unsigned int)FXT_SCHED_WEIGHT_WEIGHT, status.weight);
	ASSERT_EQ(0, kmod_status(&self->d[1], &status));
	EXPECT_EQ(12U << 10, status.subbuf_size);
	EXPECT_EQ(5U, status.subbuf_count);
	EXPECT_EQ((unsigned int)FXT_SCHED_CLOCK_MONO, status.clock);
	EXPECT_EQ((unsigned int)FXT_SCHED_WEIGHT_PRIO, status.weight);
}

/* --- limits ---------------------------------------------------------------------------- */

/* Open one session more than there may be, close any of them, and open it again. */
static int fill(struct kmod_session *d, unsigned int most, struct why *why)
{
	unsigned int i;
	int err;

	for (i = 0; i < most; i++) {
		err = kmod_open(&d[i]);
		if (err)
			return complain(why, "session %u of %u: %s", i + 1, most, strerror(err));
	}
	for (i = 0; i < most; i++) {
		err = kmod_open(&d[most]);
		if (err != EBUSY)
			return complain(why, "one more than %u: %s", most, strerror(err));
		kmod_close(&d[i]);
		err = kmod_open(&d[i]);
		if (err)
			return complain(why, "after one of %u was closed: %s", most,
					strerror(err));
	}
	for (i = 0; i < most; i++)
		kmod_close(&d[i]);
	return 0;
}

TEST_F_TIMEOUT(module, max_sessions, TEST_SECONDS)
{
	NEEDS_MODULE();
	EXPECT_FINE(fill(self->d, FXT_SCHED_SESSIONS_DEFAULT, &self->why));
	ASSERT_EQ(0, kmod_set(FXT_SCHED_PARAM_MAX_SESSIONS, "2"));
	EXPECT_FINE(fill(self->d, 2, &self->why));
	/* A limit that is lowered ends no session. */
	ASSERT_EQ(0, kmod_open(&self->d[0]));
	ASSERT_EQ(0, kmod_open(&self->d[1]));
	ASSERT_EQ(0, kmod_set(FXT_SCHED_PARAM_MAX_SESSIONS, "1"));
	kmod_close(&self->d[0]);
	EXPECT_EQ(EBUSY, kmod_open(&self->d[0]));
	kmod_close(&self->d[1]);
	EXPECT_EQ(0, kmod_open(&self->d[0]));
}

/* Two sessions that need more together than the limit allows. */
TEST_F_TIMEOUT(module, max_memory, TEST_SECONDS)
{
	struct fxt_sched_config c = kmod_config();
	char limit[32];

	NEEDS_MODULE();
	c.subbuf_size = 1 << 20;
	snprintf(limit, sizeof(limit), "%luM", 7 * sysconf(_SC_NPROCESSORS_ONLN));
	ASSERT_EQ(0, kmod_set(FXT_SCHED_PARAM_MAX_MEMORY, limit));
	ASSERT_EQ(0, kmod_open(&self->d[0]));
	ASSERT_EQ(0, kmod_open(&self->d[1]));
	ASSERT_EQ(0, kmod_configure(&self->d[0], &c)) TH_LOG("%s", self->d[0].reason);
	EXPECT_EQ(ENOMEM, kmod_configure(&self->d[1], &c));
	EXPECT_NE(NULL, strstr(self->d[1].reason, FXT_SCHED_PARAM_MAX_MEMORY))
		TH_LOG("%s", self->d[1].reason);
	EXPECT_EQ(1U, kmod_sessions());
	/* Smaller buffers fit beside it, and these once it is closed. */
	c.subbuf_size = 64 << 10;
	EXPECT_EQ(0, kmod_configure(&self->d[1], &c)) TH_LOG("%s", self->d[1].reason);
	kmod_close(&self->d[0]);
	c.subbuf_size = 1 << 20;
	ASSERT_EQ(0, kmod_open(&self->d[0]));
	EXPECT_EQ(0, kmod_configure(&self->d[0], &c)) TH_LOG("%s", self->d[0].reason);
}

/* The stacks of programs whose threads are off the CPU: 32768 of 1064 bytes. */
TEST_F_TIMEOUT(module, stacks_take_memory, TEST_SECONDS)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];

	NEEDS_MODULE();
	c.subbuf_size = sysconf(_SC_PAGESIZE);
	c.subbuf_count = 4;
	c.stacks = FXT_SCHED_STACKS_OFFCPU | FXT_SCHED_STACKS_USER;
	c.stacks_depth = FXT_SCHED_STACK_FRAMES;
	ASSERT_EQ(0, kmod_set(FXT_SCHED_PARAM_MAX_MEMORY, "32M"));
	ASSERT_EQ(0, kmod_open(d));
	EXPECT_EQ(ENOMEM, kmod_configure(d, &c));
	EXPECT_NE(NULL, strstr(d->reason, FXT_SCHED_PARAM_MAX_MEMORY)) TH_LOG("%s", d->reason);
	/* Fewer frames need less, and what was refused takes nothing away from them. */
	c.stacks_depth /= 2;
	EXPECT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
}

/* A page for the threads of each 512 ids, and 64 KiB that point to these. */
TEST_F_TIMEOUT(module, tables_take_memory, TEST_SECONDS)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	unsigned long buffers;
	char limit[32];

	NEEDS_MODULE();
	c.subbuf_size = sysconf(_SC_PAGESIZE);
	c.subbuf_count = FXT_SCHED_SUBBUF_COUNT_MIN;
	buffers = (c.subbuf_size * c.subbuf_count + FXT_SCHED_NAMES_SIZE_MIN) *
		  sysconf(_SC_NPROCESSORS_ONLN);
	snprintf(limit, sizeof(limit), "%lu", buffers + (32 << 10));
	ASSERT_EQ(0, kmod_set(FXT_SCHED_PARAM_MAX_MEMORY, limit));
	ASSERT_EQ(0, kmod_open(d));
	EXPECT_EQ(ENOMEM, kmod_configure(d, &c));
	EXPECT_NE(NULL, strstr(d->reason, FXT_SCHED_PARAM_MAX_MEMORY)) TH_LOG("%s", d->reason);
	/* What was refused takes nothing away. */
	snprintf(limit, sizeof(limit), "%luM", (buffers >> 20) + 160);
	ASSERT_EQ(0, kmod_set(FXT_SCHED_PARAM_MAX_MEMORY, limit));
	EXPECT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
}

/* More than there is: a check of the available memory refuses it, not the OOM killer. */
TEST_F_TIMEOUT(module, memory_refused, TEST_SECONDS)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	FILE *f;
	unsigned long kib = 0;
	char line[128];

	NEEDS_MODULE();
	if (!in_guest())
		SKIP(return, "only where nobody else needs the memory (FXT_GUEST=1)");
	f = fopen("/proc/meminfo", "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %lu", &kib) == 1)
			break;
	if (f)
		fclose(f);
	kib /= sysconf(_SC_NPROCESSORS_ONLN);
	if (kib > FXT_SCHED_BUFFER_SIZE_MAX >> 10)
		SKIP(return, "this machine has memory for the largest buffers");
	c.subbuf_size = 1 << 20;
	c.subbuf_count = kib >> 10;
	ASSERT_EQ(0, kmod_open(d));
	EXPECT_EQ(ENOMEM, kmod_configure(d, &c));
	EXPECT_NE(NULL, strstr(d->reason, "half of what is available")) TH_LOG("%s", d->reason);
	/* A good session still works after that. */
	c = kmod_config();
	EXPECT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
}

/* --- unloading ------------------------------------------------------------------------- */

static int try_to_unload(void)
{
	return syscall(SYS_delete_module, FXT_SCHED_MODULE, O_NONBLOCK) ? errno : 0;
}

/* The module stays loaded while any file is open, even the last one of a session. */
TEST_F_TIMEOUT(module, no_unloading_in_use, TEST_SECONDS)
{
	struct fxt_sched_config c = kmod_config();
	char files[3][KMOD_PATH_SIZE] = { KMOD_FILES FXT_SCHED_FILE_RUNDOWN };
	struct kmod_session *d = &self->d[0];
	size_t i;
	int file;

	NEEDS_MODULE();
	NEEDS_UNLOADING();
	ASSERT_EQ(0, kmod_open(d));
	EXPECT_EQ(EWOULDBLOCK, try_to_unload());
	kmod_close(d);
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		ASSERT_FINE(kmod_start(d, &c, &self->why));
		EXPECT_EQ(EWOULDBLOCK, try_to_unload());
		if (i)
			kmod_path(d, files[i], i == 1 ? FXT_SCHED_FILE_CPU :
							  FXT_SCHED_FILE_NAMES, 0);
		file = open(files[i], O_RDONLY | O_CLOEXEC);
		ASSERT_LE(0, file) TH_LOG("%s: %s", files[i], strerror(errno));
		kmod_close(d);
		ASSERT_EQ(EWOULDBLOCK, try_to_unload()) TH_LOG("%s", files[i]);
		close(file);
	}
	EXPECT_EQ(0, access(KMOD_PATH, F_OK));
}

TEST_HARNESS_MAIN
