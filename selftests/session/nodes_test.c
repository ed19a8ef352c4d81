// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Buffers are spread over the nodes of a NUMA machine, and made on no isolated CPU. The module's
 * are on the node of their CPU; those of BPF are on all nodes in turn.
 */
#include <glob.h>

#include "source_fixture.h"
#include "stress.h"

#define NODES_MOST	8
#define BUFFERS_MIB	128	/* of all CPUs */

SOURCE_FIXTURE(nodes);
MODULE_FIXTURE(isolated);

/* Pages of the node that were given out since the kernel booted. What others free is not in it. */
static long given_pages(const char *path)
{
	FILE *f = fopen(path, "re");
	long pages = -1, missed;

	if (f && fscanf(f, "numa_hit %ld numa_miss %ld", &pages, &missed) == 2)
		pages += missed;
	if (f)
		fclose(f);
	return pages;
}

static size_t look_at_nodes(long *pages)
{
	glob_t g;
	size_t i, count = 0;

	if (glob("/sys/devices/system/node/node[0-9]*/numastat", 0, NULL, &g))
		return 0;
	for (i = 0; i < g.gl_pathc && count < NODES_MOST; i++)
		pages[count++] = given_pages(g.gl_pathv[i]);
	return count;
}

/* Pages of BPF maps on each node that the process has mapped. */
static void look_at_maps(pid_t pid, long *pages)
{
	char path[64], line[512];
	long n, node;
	FILE *f;

	memset(pages, 0, NODES_MOST * sizeof(*pages));
	snprintf(path, sizeof(path), "/proc/%d/numa_maps", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		for (const char *at = strstr(line, "bpf-map"); at && (at = strstr(at, " N")); at++)
			if (sscanf(at, " N%ld=%ld", &node, &n) == 2 && node < NODES_MOST)
				pages[node] += n;
	if (f)
		fclose(f);
}

/* The kernel takes free pages of another node before it takes those of the page cache. */
static int drop_page_cache(void)
{
	FILE *f = fopen("/proc/sys/vm/drop_caches", "we");

	sync();
	return f && fputs("1", f) != EOF && !fclose(f) ? 0 : -1;
}

SOURCE_TEST(nodes, give_their_share)
{
	long before[NODES_MOST], during[NODES_MOST], mapped[NODES_MOST], taken, share;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t count = look_at_nodes(before), i;
	bool is_bpf = !strcmp(self->source, "bpf");
	char size[16];

	if (count < 2)
		SKIP(return, "needs two NUMA nodes; use scripts/vm.sh --nodes 2");
	snprintf(size, sizeof(size), "%ldM", BUFFERS_MIB / cpus);
	share = (BUFFERS_MIB / cpus * cpus << 20) / sysconf(_SC_PAGESIZE) / (long)count;
	ASSERT_EQ(0, drop_page_cache());
	look_at_nodes(before);
	ASSERT_BEGIN("-b", size);
	look_at_nodes(during);
	look_at_maps(self->c.pid, mapped);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for (i = 0; i < count; i++) {
		taken = is_bpf ? mapped[i] : during[i] - before[i];
		TH_LOG("node %zu: %ld pages of %ld", i, taken, share);
		EXPECT_LE(share * 9 / 10, taken);
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
SOURCE_TEST(isolated, cpu_makes_no_buffers)
{
	int cpu = isolated_cpu(), last = sysconf(_SC_NPROCESSORS_CONF) - 1;
	long before;

	if (cpu < 0)
		SKIP(return, "needs an isolated CPU; use scripts/vm.sh --nodes 2 --smp 4 --append isolcpus=2");
	/* So that the node of the isolated CPU has no other. */
	ASSERT_EQ(0, cpu == last ? 0 : cpu_set_online(last, false));
	before = kernel_ticks(cpu);
	ASSERT_BEGIN("-b", "128M");
	EXPECT_GE(10, kernel_ticks(cpu) - before);
	EXPECT_FINE(record_end(&self->c, &self->why));
	EXPECT_EQ(0, cpu == last ? 0 : cpu_set_online(last, true));
}
