// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>

#include "off_cpu.h"
#include "workload.h"

long times_slept(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

void sleep_off_cpu(void)
{
	long before = times_slept();

	do {
		sleep_ms(1);
	} while (times_slept() == before);
}

bool sleeps_in(pid_t tid, long call, const void *first)
{
	unsigned long argument;
	char path[64];
	long number;
	bool ret;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/syscall", tid);
	f = fopen(path, "re");
	if (!f)
		return false;
	/* Of a thread that is not switched out asleep, the file has no number. */
	ret = fscanf(f, "%ld %lx", &number, &argument) == 2 &&
	      (call == ANY_CALL ? number >= 0 : number == call) &&
	      (!first || argument == (uintptr_t)first);
	fclose(f);
	return ret;
}

void wait_until_in(pid_t tid, long call, const void *first)
{
	while (!sleeps_in(tid, call, first))
		sleep_ms(1);
}
