// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs block in a function with a known name, on a CPU that came online after the recording
 * began: the archive names the function.
 */
#include "perf_events.h"
#include "program_stacks.h"
#include "stress.h"

SOURCE_FIXTURE(program_stacks_cpus);

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

/* Debian's kernels have 3, with which CAP_PERFMON does not allow to open events. */
static int let_perf_open(void)
{
	FILE *f = fopen(PARANOID, "w");
	int ret = f ? fputs("2", f) : EOF;

	return f && !fclose(f) && ret >= 0 ? 0 : -1;
}

TEST_F(program_stacks_cpus, cpus_come_online)
{
	int cpus[MAX_CPUS], pids[2], i, cpu, events;
	unsigned int count = allowed_cpus(cpus);

	cpu = cpus[count - 1];
	/* This says why, before a CPU is offline. */
	if (source_missing(variant->source))
		BEGIN();
	if (!in_guest() || count < 2 || cpu_set_online(cpu, false))
		SKIP(return, "no CPU can be taken offline here");
	ASSERT_EQ(0, let_perf_open());
	BEGIN();
	events = count_perf_events(self->c.pid);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, cpu_set_online(cpu, true));
		ASSERT_TRUE(wait_for_perf_events(self->c.pid, events + 1, events + 1));
		pin(cpu);
		pids[i] = run("block");
		pin(cpus[0]);
		ASSERT_EQ(0, cpu_set_online(cpu, false));
		ASSERT_TRUE(wait_for_perf_events(self->c.pid, events, events));
	}
	ASSERT_EQ(0, cpu_set_online(cpu, true));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for (i = 0; i < 2; i++) {
		ASSERT_LT(0, pids[i]);
		EXPECT_LE(FEWEST, count_in(&self->t, pids[i], "block_in_program [block]"))
			TH_LOG("%d: %s", i, self->c.text);
	}
}
