// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module is loaded and unloaded under load, and leaves nothing behind. A collector finds it and
 * writes an archive without violations, and it can be unloaded as soon as the collector has ended.
 */
#include "kmod.h"
#include "source_fixture.h"
#include "stress.h"

FIXTURE(load)
{
	const char *missing;
	char dir[RECORD_PATH];
	struct why why;
	struct collector c;
	struct kernel before;
	struct load load;
	uint64_t events;
};

FIXTURE_SETUP(load)
{
	self->missing = source_missing("kmod");
	self->c.gate = -1;
	ASSERT_FALSE(self->missing && source_required("kmod")) TH_LOG("kmod: %s", self->missing);
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
}

FIXTURE_TEARDOWN(load)
{
	load_stop(&self->load);
	dir_remove(self->dir);
}

static int change(int (*how)(void), const char *what, unsigned int n, struct why *why)
{
	int err = how();

	return err ? complain(why, "round %u: cannot %s the module: %s", n, what,
			      strerror(err)) : 0;
}

static int record(FIXTURE_DATA(load) *self, unsigned int n, struct why *why)
{
	struct trace t;
	int ret;

	ret = collector_run(&self->c, self->dir, ARGS("-s", "kmod", "-d", "50ms"));
	if (ret)
		return complain(why, "round %u: fxt-collect ended with status %d: %.400s", n,
				ret, self->c.text);
	ret = trace_load(&t, self->c.output, false, why);
	if (!ret)
		ret = trace_check_kept(&t, why);
	for (size_t i = 0; i < t.stream_count; i++)
		self->events += t.streams[i].event_count;
	trace_free(&t);
	unlink(self->c.output);
	return ret;
}

static int round_with_collector(void *arg, unsigned int n, struct why *why)
{
	if (change(module_load, "load", n, why))
		return -1;
	return record(arg, n, why) | change(module_unload, "unload", n, why);
}

TEST_F_TIMEOUT(load, with_collector, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(200, 2);

	NEEDS_STRESS();
	NEEDS_UNLOADING();
	kernel_look(&self->before);
	ASSERT_EQ(0, load_start(&self->load));
	ASSERT_EQ(0, module_unload());
	EXPECT_FINE(rounds_run(rounds, &self->load, round_with_collector, self, &self->why));
	load_stop(&self->load);
	ASSERT_EQ(0, module_load());
	EXPECT_FINE(kernel_check(&self->before, &self->why));
	stress_note("%u times loaded, recorded, unloaded under a load; %ju events", rounds,
		    (uintmax_t)self->events);
	EXPECT_LT(0U, self->events);
}

/* Load and unload right after each other, with nothing else in between. */
static int round_with_session(void *arg, unsigned int n, struct why *why)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session d;
	int cpu;

	(void)arg;
	if (change(module_load, "load", n, why) || kmod_start(&d, &c, why))
		return -1;
	cpu = kmod_file(&d, FXT_SCHED_STREAM_CPU, 0);
	if (cpu < 0)
		return complain(why, "round %u: cannot read: %s", n, strerror(errno));
	/* Close the two files in either order. */
	if (n % 2)
		close(cpu);
	kmod_close(&d);
	if (!(n % 2))
		close(cpu);
	return change(module_unload, "unload", n, why);
}

TEST_F_TIMEOUT(load, with_session, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(200, 60);

	NEEDS_STRESS();
	NEEDS_UNLOADING();
	kernel_look(&self->before);
	ASSERT_EQ(0, module_unload());
	EXPECT_FINE(rounds_run(rounds, NULL, round_with_session, NULL, &self->why));
	ASSERT_EQ(0, module_load());
	EXPECT_FINE(kernel_check(&self->before, &self->why));
	stress_note("%u times loaded, traced, unloaded", rounds);
}
