// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * nodes_test.c - buffers are spread over the nodes of a NUMA machine, and made on no isolated CPU.
 *
 * In: a recording with large buffers; the free memory of each node. Expected: each node has its
 * share of the buffers. The module's are on the node of their CPU; those of BPF are on all nodes in
 * turn.
 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "source_fixture.h"
#include "stress.h"

#define NODES_MOST	8
#define BUFFERS_MIB	128	/* of all CPUs */
#define MIB_KIB		1024

SOURCE_FIXTURE(nodes);
MODULE_FIXTURE(isolated);

static long free_kib(const char *path)
{
	FILE *f = fopen(path, "re");
	char line[128];
	long kib = -1;

	while (f && kib < 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, "Node %*d MemFree: %ld kB", &kib) != 1)
			kib = -1;
	if (f)
		fclose(f);
	return kib;
}

/* Return: number of nodes. */
static size_t look(long *kib)
{
	glob_t g;
	size_t i, count = 0;

	if (glob("/sys/devices/system/node/node[0-9]*/meminfo", 0, NULL, &g))
		return 0;
	for (i = 0; i < g.gl_pathc && count < NODES_MOST; i++)
		kib[count++] = free_kib(g.gl_pathv[i]);
	globfree(&g);
	return count;
}

TEST_F_TIMEOUT(nodes, give_their_share, TEST_SECONDS)
{
	long before[NODES_MOST], during[NODES_MOST], taken, share;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t count = look(before), i;
	char size[16];
	const char * const args[] = { "-b", size, NULL };

	NEEDS_SOURCE();
	if (count < 2)
		SKIP(return, "needs two NUMA nodes; use scripts/vm.sh --nodes 2");
	snprintf(size, sizeof(size), "%ldM", BUFFERS_MIB / cpus);
	share = BUFFERS_MIB / cpus * cpus * MIB_KIB / (long)count;
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	look(during);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for (i = 0; i < count; i++) {
		taken = before[i] - during[i];
		TH_LOG("node %zu: %ld KiB of %ld", i, taken, share);
		EXPECT_LE(share * 3 / 4, taken);
	}
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
}

/* Return: the last isolated CPU, or -1. */
static int isolated_cpu(void)
{
	FILE *f = fopen("/sys/devices/system/cpu/isolated", "re");
	int cpu = -1, first;
	char text[64] = "";

	if (f && fgets(text, sizeof(text), f) && sscanf(text, "%d-%d", &first, &cpu) == 1)
		cpu = first;
	if (f)
		fclose(f);
	return cpu;
}

/* Clock ticks that a CPU spent in the kernel, except in interrupts. */
static long kernel_ticks(int cpu)
{
	FILE *f = fopen("/proc/stat", "re");
	long ticks = -1, found;
	char line[256];
	int n;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "cpu%d %*d %*d %ld", &n, &found) == 2 && n == cpu)
			ticks = found;
	if (f)
		fclose(f);
	return ticks;
}

/* Making the buffers of a CPU takes many ticks, wherever it is done. */
TEST_F_TIMEOUT(isolated, cpu_makes_no_buffers, TEST_SECONDS)
{
	const char * const args[] = { "-b", "128M", NULL };
	int cpu = isolated_cpu(), last = sysconf(_SC_NPROCESSORS_CONF) - 1;
	long before;

	NEEDS_SOURCE();
	if (cpu < 0)
		SKIP(return, "needs an isolated CPU; use scripts/vm.sh --nodes 2 --smp 4 --append isolcpus=2");
	/* So that the node of the isolated CPU has no other. */
	ASSERT_EQ(0, cpu == last ? 0 : cpu_set_online(last, false));
	before = kernel_ticks(cpu);
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	EXPECT_GE(10, kernel_ticks(cpu) - before);
	EXPECT_FINE(record_end(&self->c, &self->why));
	EXPECT_EQ(0, cpu == last ? 0 : cpu_set_online(last, true));
}

TEST_HARNESS_MAIN
