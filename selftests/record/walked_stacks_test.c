// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks of the kernel that BPF programs walk by themselves: once the sizes of frames are learned,
 * the programs walk most stacks; each has exactly the return addresses that the kernel's unwinder
 * finds at that moment.
 */
#include <sys/random.h>

#include "blockers.h"
#include "source_fixture.h"

BPF_FIXTURE(walked_stacks);
MODULE_FIXTURE(unwound_stacks);

/* Learning takes some seconds, because only a few stacks of each CPU are lessons at a time. */
#define RUNS	15
#define FEWEST	(BLOCKERS * BLOCKER_ROUNDS)

/* On other machines, the kernel unwinds all stacks. */
static bool walks_stacks(void)
{
	return machine_is_x86() && kernel_is_since(5, 15);
}

/* Be preempted mostly in the kernel. */
static void read_until_preempted(struct worker *w)
{
	static char bytes[1 << 16];
	unsigned int times = 1, i;

	for (i = 0; i < BLOCKER_ROUNDS; i++)
		w->failed |= getrandom(bytes, sizeof(bytes), 0) < 0;
	w->arg = &times;
	worker_spin_until_preempted(w);
}

static int run_two_on_one_cpu(void)
{
	struct worker one = { .name = "reader", .run = read_until_preempted }, w[] = { one, one };
	int cpus[MAX_CPUS], i, ret = 0;
	unsigned int count = allowed_cpus(cpus);

	for (i = 0; i < 2 && !ret; i++) {
		w[i].cpu = cpus[count - 1];
		ret = worker_start(&w[i]);
	}
	while (i-- && !ret)
		ret = worker_join(&w[i]);
	return ret;
}

#define CHECK(stacks) do {							\
	const char * const args[] = {						\
		"--stacks=" stacks, "--stacks-min=0", "--buffer=128K", NULL,	\
	};									\
	struct blocker blockers[BLOCKERS];					\
	int i;									\
										\
	NEEDS_STACKS();								\
	if (!walks_stacks())							\
		SKIP(return, "this kernel unwinds all stacks");			\
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args,	\
				 &self->why));					\
	for (i = 0; i < RUNS; i++) {						\
		ASSERT_EQ(0, blockers_run(blockers));				\
		ASSERT_EQ(0, run_two_on_one_cpu());				\
	}									\
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));		\
} while (0)

#define EXPECT_RIGHT() do {							\
	EXPECT_LE(FEWEST, trace_session_number(&self->t, "stacks_checked"))	\
		TH_LOG("%s", self->t.session);					\
	/* Only numbers above 0 are written. */					\
	EXPECT_EQ(-1, trace_session_number(&self->t, "stacks_wrong"))		\
		TH_LOG("%s", self->t.session);					\
} while (0)

/*
 * Interrupts preempt threads nearly anywhere, so most stacks that are walked are those of sleeps.
 */
TEST_F(walked_stacks, of_threads_off_the_cpu)
{
	CHECK("offcpu,preempt,kernel,check");
	EXPECT_RIGHT();
}

TEST_F(walked_stacks, of_what_wakes_them)
{
	CHECK("wake,kernel,check");
	EXPECT_RIGHT();
}

/* This depth ends within most stacks. */
TEST_F(walked_stacks, of_few_frames)
{
	CHECK("offcpu,wake,kernel,check:6");
	EXPECT_RIGHT();
}

TEST_F(walked_stacks, can_be_left_to_the_kernel)
{
	CHECK("offcpu,wake,kernel,check,unwind");
	EXPECT_LT(FEWEST, (int)self->t.stack_count);
	EXPECT_EQ(-1, trace_session_number(&self->t, "stacks_checked"))
		TH_LOG("%s", self->t.session);
}

TEST_F(walked_stacks, are_checked_on_request_only)
{
	struct blocker blockers[BLOCKERS];

	NEEDS_STACKS();
	ASSERT_BEGIN("--stacks=offcpu,wake", "--stacks-min=0");
	ASSERT_EQ(0, blockers_run(blockers));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(-1, trace_session_number(&self->t, "stacks_checked"));
}

SOURCE_TEST(unwound_stacks, cannot_be_checked)
{
	EXPECT_EQ(3, collector_run(&self->c, self->dir, ARGS("-s", self->source,
							     "--stacks=offcpu,check")));
	EXPECT_NE(NULL, strstr(self->c.text,
			       "--stacks check: the module lets the kernel unwind all stacks of the kernel; use --source=bpf\n"))
		TH_LOG("%s", self->c.text);
}
