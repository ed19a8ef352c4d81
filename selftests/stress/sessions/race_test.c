// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Many processes use the module at once. Collectors that begin together do not disturb each other.
 * Unloading, while others open, configure, read and set anything, either succeeds or is refused.
 */
#include "kmod.h"
#include "source_fixture.h"
#include "stress.h"

#define RIVALS		3U

SOURCE_FIXTURE(rivals);

static int judge(const struct collector *c, int status, struct why *why)
{
	struct trace t;
	int ret;

	if (status)
		return complain(why, "a rival ended with status %d: %.400s", status, c->text);
	ret = trace_load(&t, c->output, false, why);
	if (!ret)
		ret = trace_check_kept(&t, why);
	trace_free(&t);
	return ret;
}

static int race_once(const char *source, char dirs[RIVALS][RECORD_PATH], bool same, struct why *why)
{
	static const char * const buffers[RIVALS] = { "64K", "128K", "1M" };
	struct collector c[RIVALS];
	int status, ret = 0;

	for (unsigned int i = 0; i < RIVALS; i++) {
		const char *args[] = { "-q", "-s", source, "-d", "20ms", "-b",
				       buffers[same ? 0 : i], NULL };

		if (collector_spawn(&c[i], dirs[i], args, -1))
			return complain(why, "fork failed");
		usleep(stress_random(3000));
	}
	for (unsigned int i = 0; i < RIVALS; i++) {
		status = collector_wait(&c[i]);
		if (!ret)
			ret = judge(&c[i], status, why);
		unlink(c[i].output);
	}
	return ret;
}

TEST_F_TIMEOUT(rivals, begin_together, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(20, 2), n;
	char dirs[RIVALS][RECORD_PATH];
	struct kernel before;

	NEEDS_STRESS();
	for (unsigned int i = 0; i < RIVALS; i++) {
		snprintf(dirs[i], sizeof(dirs[i]), "%.500s/%u", self->dir, i);
		ASSERT_EQ(0, mkdir(dirs[i], 0755));
	}
	ASSERT_FINE(race_once(self->source, dirs, true, &self->why));
	kernel_look(&before);
	for (n = 0; n < rounds; n++)
		ASSERT_FINE(race_once(self->source, dirs, n % 2, &self->why));
	EXPECT_FINE(kernel_check(&before, &self->why));
	stress_note("%s: %u times %u collectors began together", self->source, rounds, RIVALS);
}

FIXTURE(unloading)
{
	const char *missing;
	struct why why;
	struct kernel before;
	pid_t pids[MAX_CPUS + 2];
	unsigned int count;
};

FIXTURE_SETUP(unloading)
{
	self->missing = source_missing("kmod");
	ASSERT_FALSE(self->missing && source_required("kmod")) TH_LOG("kmod: %s", self->missing);
}

FIXTURE_TEARDOWN(unloading)
{
	for (unsigned int i = 0; i < self->count; i++) {
		kill(self->pids[i], SIGKILL);
		waitpid(self->pids[i], NULL, 0);
	}
}

/*
 * Is an error allowed? It may be that of a device that is being created, removed or in use; EBADF
 * is the error for streams of a device that could not be opened.
 */
static bool is_fair(int err)
{
	static const int fair[] = {
		EBADF, ENOENT, ENXIO, ENODEV, EBUSY, EINVAL, ENOMEM, EIO,
	};

	for (size_t i = 0; i < ARRAY_SIZE(fair); i++)
		if (err == fair[i])
			return true;
	return false;
}

#define HELD	4	/* files */

/* Open a session, and at random configure and start it. */
static int open_session(struct kmod_session *d)
{
	static const unsigned long requests[] = {
		FXT_SCHED_IOC_START, FXT_SCHED_IOC_STOP, FXT_SCHED_IOC_FREEZE,
		FXT_SCHED_IOC_THAW, FXT_SCHED_IOC_FLUSH,
	};
	struct fxt_sched_config c = kmod_config();
	int err = kmod_open(d);

	if (err || !stress_random(4))
		return err;
	c.flags = stress_random(2) ? FXT_SCHED_OVERWRITE : 0;
	strcpy(c.filter_comm, stress_random(2) ? "a*" : "");
	err = kmod_configure(d, &c);
	while (!err && stress_random(4)) {
		err = kmod_request(d, requests[stress_random(ARRAY_SIZE(requests))]);
		/* These two also mean that the session is in another state. */
		if (err == EBUSY || err == EINVAL)
			err = 0;
	}
	return err;
}

static int open_any(const struct kmod_session *d)
{
	switch (stress_random(3)) {
	case 0:
		return kmod_file(d, FXT_SCHED_STREAM_CPU, stress_random(2));
	case 1:
		return kmod_file(d, FXT_SCHED_STREAM_NAMES, stress_random(2));
	default:
		return kmod_file(d, FXT_SCHED_STREAM_RUNDOWN, 0);
	}
}

static void read_some(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	static char buffer[8192];

	poll(&p, 1, 0);
	while (read(fd, buffer, sizeof(buffer)) > 0 && stress_random(8))
		;
}

/* Open a session and some of the files, read them, close all in any order, and repeat. */
static void open_forever(void)
{
	int held[HELD + 1], count, i, err;
	struct kmod_session d;

	for (;;) {
		err = open_session(&d);
		if (err && !is_fair(err))
			_exit(err);
		held[0] = d.fd;
		for (count = 1; count <= HELD && stress_random(4); count++) {
			held[count] = open_any(&d);
			if (held[count] < 0 && !is_fair(errno))
				_exit(errno);
			read_some(held[count]);
		}
		while (count) {
			/* Each file, if it is the last open one, has to keep the module. */
			if (count == 1)
				usleep(stress_random(3000));
			i = stress_random(count);
			if (held[i] >= 0)
				close(held[i]);
			held[i] = held[--count];
		}
		/* Wait with all files closed, so that the module is not in use by this process. */
		usleep(stress_random(10000));
	}
}

/* Set valid and invalid values; none allows large buffers. */
static void set_forever(void)
{
	static const char * const values[][2] = {
		{ "max_sessions", "1" }, { "max_sessions", "16" }, { "max_sessions", "x" },
		{ "max_memory", "1M" }, { "max_memory", "0" }, { "max_memory", "y" },
	};
	uint32_t i;
	int err;

	for (;;) {
		i = stress_random(ARRAY_SIZE(values));
		err = kmod_set(values[i][0], values[i][1]);
		if (err && !is_fair(err))
			_exit(err);
		usleep(stress_random(2000));
	}
}

static int spawn(FIXTURE_DATA(unloading) *self, void (*run)(void))
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		run();
	}
	self->pids[self->count++] = pid;
	return pid < 0 ? -1 : 0;
}

/* Retry until the module is unloaded: processes with open files first have to close these. */
static int unload(FIXTURE_DATA(unloading) *self, unsigned int *refused)
{
	int err, status;

	for (unsigned int tries = 0; tries < 60000; tries++) {
		err = module_unload();
		if (!err)
			return 0;
		if (err != EWOULDBLOCK && err != EBUSY)
			return complain(&self->why, "unloading: %s", strerror(err));
		++*refused;
		for (unsigned int i = 0; i < self->count; i++)
			if (waitpid(self->pids[i], &status, WNOHANG) > 0)
				return complain(&self->why, "process %u ended: %s", i,
						strerror(WEXITSTATUS(status)));
		usleep(stress_random(1000));
	}
	return complain(&self->why, "the module is never let go of");
}

TEST_F_TIMEOUT(unloading, beside_openers, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(500, 10), refused = 0, n, i;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct collector c;
	char dir[RECORD_PATH];

	NEEDS_STRESS();
	NEEDS_UNLOADING();
	kernel_look(&self->before);
	/* Advance the generator, so that later children do not get the same random numbers. */
	stress_random(2);
	for (i = 0; i < cpus + 1 && i < MAX_CPUS; i++) {
		ASSERT_EQ(0, spawn(self, open_forever));
		stress_random(2);
	}
	ASSERT_EQ(0, spawn(self, set_forever));
	for (n = 0; n < rounds; n++) {
		ASSERT_FINE(unload(self, &refused));
		usleep(stress_random(500));
		ASSERT_EQ(0, module_load());
		usleep(stress_random(5000));
	}
	for (i = 0; i < self->count; i++) {
		kill(self->pids[i], SIGKILL);
		waitpid(self->pids[i], NULL, 0);
	}
	self->count = 0;
	ASSERT_EQ(0, module_unload());
	ASSERT_EQ(0, module_load());
	ASSERT_EQ(0, dir_make(dir, sizeof(dir)));
	EXPECT_EQ(0, collector_run(&c, dir, ARGS("-q", "-s", "kmod", "-d", "20ms")));
	EXPECT_FINE(judge(&c, 0, &self->why));
	dir_remove(dir);
	EXPECT_FINE(kernel_check(&self->before, &self->why));
	stress_note("unloaded and loaded %u times beside %ld openers, refused %u times", rounds,
		    cpus + 1, refused);
}
