// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * affinity.c - see affinity.h.
 *
 * sched_getaffinity(2) works for threads of all users, and is many times cheaper than /proc.
 * The kernel omits CPUs that are offline.
 */
#include <stdio.h>
#include <unistd.h>

#include "affinity.h"
#include "names.h"

unsigned int affinity_cpus(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return cpus > 0 && names_fit_records() ? cpus : 0;
}

static bool is_in(const cpu_set_t *set, unsigned int cpu)
{
	return cpu < AFFINITY_CPUS && CPU_ISSET_S(cpu, AFFINITY_CPUS / 8, set);
}

void affinity_print(const cpu_set_t *set, char *list)
{
	const char *comma = "";
	unsigned int cpu, last;

	*list = '\0';
	for (cpu = 0; cpu < AFFINITY_CPUS; cpu = last + 1) {
		last = cpu;
		if (!is_in(set, cpu))
			continue;
		while (is_in(set, last + 1))
			last++;
		list += sprintf(list, "%s%u", comma, cpu);
		if (last > cpu)
			list += sprintf(list, "-%u", last);
		comma = ",";
	}
}

bool affinity_list(uint32_t thread, unsigned int cpus, char *list)
{
	cpu_set_t set[AFFINITY_CPUS / CPU_SETSIZE];
	unsigned int count;

	/* Id 0 would be the calling thread. */
	if (!cpus || !thread || sched_getaffinity(thread, sizeof(set), set))
		return false;
	count = CPU_COUNT_S(sizeof(set), set);
	if (!count || count >= cpus)
		return false;
	affinity_print(set, list);
	return true;
}
