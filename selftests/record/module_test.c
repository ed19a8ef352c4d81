// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module's parameters, which are limits, and unloading it. An invalid value is refused and
 * changes nothing; the module stays loaded while a device or a stream is open.
 */
#include "kmod_fixture.h"
#include "real_time.h"

static const char * const defaults[][2] = {
	{ "max_sessions", "16" }, { "max_memory", "0" },
};

FIXTURE(module)
{
	const char *missing;
	struct why why;
	struct kmod_session d[KMOD_SESSIONS];
};

static void set_defaults(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(defaults); i++)
		kmod_set(defaults[i][0], defaults[i][1]);
}

FIXTURE_SETUP(module)
{
	for (unsigned int i = 0; i < KMOD_SESSIONS; i++)
		self->d[i].fd = -1;
	self->missing = source_missing("kmod");
	ASSERT_FALSE(self->missing && source_required("kmod")) TH_LOG("kmod: %s", self->missing);
	set_defaults();
}

FIXTURE_TEARDOWN(module)
{
	for (unsigned int i = 0; i < KMOD_SESSIONS; i++)
		kmod_close(&self->d[i]);
	if (!self->missing)
		set_defaults();
}

SOURCE_TEST(module, parameters_refused)
{
	static const char * const refused[][2] = {
		{ "max_sessions", "-1" }, { "max_sessions", "many" }, { "max_sessions", "1 2" },
		{ "max_memory", "much" }, { "max_memory", "1M more" },
	};
	char before[64], after[64];

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		ASSERT_EQ(0, kmod_get(refused[i][0], before, sizeof(before)));
		EXPECT_EQ(EINVAL, kmod_set(refused[i][0], refused[i][1]))
			TH_LOG("%s=%s", refused[i][0], refused[i][1]);
		ASSERT_EQ(0, kmod_get(refused[i][0], after, sizeof(after)));
		EXPECT_STREQ(before, after);
	}
}

SOURCE_TEST(module, parameters_taken)
{
	static const char * const taken[][3] = {
		{ "max_sessions", "1\n", "1" }, { "max_sessions", "1024", "1024" },
		{ "max_memory", "8G", "8589934592" }, { "max_memory", "0", "0" },
	};
	char value[64];

	for (size_t i = 0; i < ARRAY_SIZE(taken); i++) {
		EXPECT_EQ(0, kmod_set(taken[i][0], taken[i][1]))
			TH_LOG("%s=%s", taken[i][0], taken[i][1]);
		ASSERT_EQ(0, kmod_get(taken[i][0], value, sizeof(value)));
		EXPECT_STREQ(taken[i][2], value);
	}
}

/* Open one session more than allowed, close any of them, and open it again. */
static int fill(struct kmod_session *d, unsigned int most, struct why *why)
{
	int err;

	for (unsigned int i = 0; i < most; i++) {
		err = kmod_open(&d[i]);
		if (err)
			return complain(why, "session %u of %u: %s", i + 1, most, strerror(err));
	}
	for (unsigned int i = 0; i < most; i++) {
		err = kmod_open(&d[most]);
		if (err != EBUSY)
			return complain(why, "one more than %u: %s", most, strerror(err));
		kmod_close(&d[i]);
		err = kmod_open(&d[i]);
		if (err)
			return complain(why, "after one of %u was closed: %s", most, strerror(err));
	}
	for (unsigned int i = 0; i < most; i++)
		kmod_close(&d[i]);
	return 0;
}

SOURCE_TEST(module, max_sessions)
{
	EXPECT_FINE(fill(self->d, 16, &self->why));
	ASSERT_EQ(0, kmod_set("max_sessions", "2"));
	EXPECT_FINE(fill(self->d, 2, &self->why));
	/* A lowered limit ends no session. */
	ASSERT_EQ(0, kmod_open(&self->d[0]));
	ASSERT_EQ(0, kmod_open(&self->d[1]));
	ASSERT_EQ(0, kmod_set("max_sessions", "1"));
	kmod_close(&self->d[0]);
	EXPECT_EQ(EBUSY, kmod_open(&self->d[0]));
	kmod_close(&self->d[1]);
	EXPECT_EQ(0, kmod_open(&self->d[0]));
}

/*
 * MiB that the tables of threads take in addition. On PREEMPT_RT, where a probe cannot allocate
 * memory, a session allocates entries for all ids at once: @times each, including their states.
 */
static unsigned long table_room(unsigned int times)
{
	return is_preempt_rt() ? 32 * times + 1 : 0;
}

/* Together, two sessions need more than the limit allows. */
SOURCE_TEST(module, max_memory)
{
	struct fxt_sched_config c = kmod_config();
	char limit[32];

	c.subbuf_size = 1 << 20;
	snprintf(limit, sizeof(limit), "%luM", 7 * sysconf(_SC_NPROCESSORS_ONLN) +
		 2 * table_room(1));
	ASSERT_EQ(0, kmod_set("max_memory", limit));
	ASSERT_EQ(0, kmod_open(&self->d[0]));
	ASSERT_EQ(0, kmod_open(&self->d[1]));
	ASSERT_EQ(0, kmod_configure(&self->d[0], &c)) TH_LOG("%s", self->d[0].reason);
	EXPECT_EQ(ENOMEM, kmod_configure(&self->d[1], &c));
	EXPECT_IN(self->d[1].reason, "max_memory");
	/* Smaller buffers fit beside the other session, and these buffers fit once it is closed. */
	c.subbuf_size = 64 << 10;
	EXPECT_EQ(0, kmod_configure(&self->d[1], &c)) TH_LOG("%s", self->d[1].reason);
	kmod_close(&self->d[0]);
	c.subbuf_size = 1 << 20;
	ASSERT_EQ(0, kmod_open(&self->d[0]));
	EXPECT_EQ(0, kmod_configure(&self->d[0], &c)) TH_LOG("%s", self->d[0].reason);
}

/* The table of stacks of programs off the CPU has 32768 entries of 1064 bytes. */
SOURCE_TEST(module, stacks_take_memory)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	char limit[32];

	c.subbuf_size = sysconf(_SC_PAGESIZE);
	c.subbuf_count = 4;
	c.stacks = FXT_SCHED_STACKS_OFFCPU | FXT_SCHED_STACKS_USER;
	c.stacks_depth = FXT_SCHED_STACK_FRAMES;
	snprintf(limit, sizeof(limit), "%luM", 32 + table_room(2));
	ASSERT_EQ(0, kmod_set("max_memory", limit));
	ASSERT_EQ(0, kmod_open(d));
	EXPECT_EQ(ENOMEM, kmod_configure(d, &c));
	EXPECT_IN(d->reason, "max_memory");
	/* Fewer frames need less memory, and a refused configuration uses none. */
	c.stacks_depth /= 2;
	EXPECT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
}

/* The table has a page for each 512 thread ids, and 64 KiB of pointers to these pages. */
SOURCE_TEST(module, tables_take_memory)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	unsigned long buffers;
	char limit[32];

	c.subbuf_size = sysconf(_SC_PAGESIZE);
	c.subbuf_count = FXT_SCHED_SUBBUF_COUNT_MIN;
	buffers = (c.subbuf_size * c.subbuf_count + FXT_SCHED_NAMES_SIZE_MIN) *
		  sysconf(_SC_NPROCESSORS_ONLN);
	snprintf(limit, sizeof(limit), "%lu", buffers + (32 << 10));
	ASSERT_EQ(0, kmod_set("max_memory", limit));
	ASSERT_EQ(0, kmod_open(d));
	EXPECT_EQ(ENOMEM, kmod_configure(d, &c));
	EXPECT_IN(d->reason, "max_memory");
	/* A refused configuration uses no memory. */
	snprintf(limit, sizeof(limit), "%luM", (buffers >> 20) + 160);
	ASSERT_EQ(0, kmod_set("max_memory", limit));
	EXPECT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
}

/* A check of the available memory refuses too large buffers, before the OOM killer has to act. */
SOURCE_TEST(module, memory_refused)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	FILE *f;
	unsigned long kib = 0;
	char line[128];

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
	EXPECT_IN(d->reason, "half of what is available");
	c = kmod_config();
	EXPECT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
}

static int try_to_unload(void)
{
	return syscall(SYS_delete_module, FXT_SCHED_MODULE, O_NONBLOCK) ? errno : 0;
}

SOURCE_TEST(module, no_unloading_in_use)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	int file;

	NEEDS_UNLOADING();
	ASSERT_EQ(0, kmod_open(d));
	EXPECT_EQ(EWOULDBLOCK, try_to_unload());
	kmod_close(d);
	for (uint32_t kind = FXT_SCHED_STREAM_CPU; kind <= FXT_SCHED_STREAM_RUNDOWN; kind++) {
		ASSERT_FINE(kmod_start(d, &c, &self->why));
		EXPECT_EQ(EWOULDBLOCK, try_to_unload());
		file = kmod_file(d, kind, 0);
		ASSERT_LE(0, file) TH_LOG("stream %u: %s", kind, strerror(errno));
		kmod_close(d);
		ASSERT_EQ(EWOULDBLOCK, try_to_unload()) TH_LOG("stream %u", kind);
		close(file);
	}
	EXPECT_EQ(0, access(KMOD_PATH, F_OK));
}
