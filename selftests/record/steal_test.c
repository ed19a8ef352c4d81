// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Time that the hypervisor takes of CPUs: the counter of each CPU is what /proc/stat shows, and
 * grows as that does; without a hypervisor that takes time there is no record.
 */
#include "groups_fixture.h"

SOURCE_FIXTURE(steal);

/*
 * Kernels count at their ticks, and /proc/stat shows 1/100 s. Over the time since boot, the count
 * in the run queue omits what came before its first use.
 */
#define ROUNDING	40000000ULL	/* ns */
#define SINCE_BOOT	50U		/* 1/50 */

/* ns of each CPU. Return: 0 or -1 */
static int read_steal(uint64_t *ns)
{
	FILE *f = fopen("/proc/stat", "re");
	unsigned long long steal;
	unsigned int cpu;
	char line[4096];

	memset(ns, 0, MAX_CPUS * sizeof(*ns));
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "cpu%u %*u %*u %*u %*u %*u %*u %*u %llu", &cpu, &steal) == 2 &&
		    cpu < MAX_CPUS)
			ns[cpu] = steal * (1000000000ULL / sysconf(_SC_CLK_TCK));
	return f ? fclose(f) : -1;
}

/** struct counter - what the records of a CPU say, ns */
struct counter {
	uint64_t first;
	uint64_t last;
	unsigned int records;
};

static struct counter counter_of(const struct trace *t, uint64_t cpu)
{
	const struct trace_group_event *e;
	struct counter c = { UINT64_MAX, 0, 0 };

	for_each_group_event(e, t) {
		if (e->name != FXT_STR_STEAL || e->id != cpu)
			continue;
		c.first = e->args[0] < c.first ? e->args[0] : c.first;
		c.last = e->args[0] > c.last ? e->args[0] : c.last;
		c.records++;
	}
	return c;
}

static void busy(struct worker *w)
{
	uint64_t end = boottime_ns() + 1000000000ULL;

	while (boottime_ns() < end)
		sched_yield();
	w->failed = 0;
}

TEST_F(steal, counts_are_those_of_the_system)
{
	struct worker worker = { .name = "busy", .cpu = ANY_CPU, .run = busy };
	uint64_t before[MAX_CPUS], at_begin[MAX_CPUS], end[MAX_CPUS], after[MAX_CPUS], grown;
	struct counter c;

	ASSERT_EQ(0, read_steal(before));
	BEGIN("-e", "steal");
	ASSERT_EQ(0, read_steal(at_begin));
	ASSERT_EQ(0, worker_start(&worker));
	ASSERT_EQ(0, worker_join(&worker));
	ASSERT_EQ(0, read_steal(end));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	ASSERT_EQ(0, read_steal(after));
	for (unsigned int cpu = 0; cpu < MAX_CPUS; cpu++) {
		c = counter_of(&self->t, cpu);
		if (!after[cpu] && !c.records)
			continue;
		EXPECT_LE(2U, c.records) TH_LOG("cpu %u", cpu);
		grown = c.last - c.first;
		EXPECT_LE(end[cpu] - at_begin[cpu], grown + ROUNDING) TH_LOG("cpu %u", cpu);
		EXPECT_LE(grown, after[cpu] - before[cpu] + ROUNDING) TH_LOG("cpu %u", cpu);
		EXPECT_LE(c.last, after[cpu] + after[cpu] / SINCE_BOOT + ROUNDING);
		EXPECT_LE(end[cpu], c.last + end[cpu] / SINCE_BOOT + ROUNDING);
	}
}
