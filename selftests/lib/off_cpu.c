// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <time.h>

#include "off_cpu.h"

static void rest(uint64_t ns)
{
	const struct timespec time = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&time, NULL);
}

void sleep_off_cpu(uint64_t ns)
{
	long before = times_slept();

	do {
		rest(ns);
		ns *= 2;
	} while (times_slept() == before);
}

/*
 * Return: the number of values in the thread's file, which has none while the thread is runnable;
 * of these, the system call and its first argument.
 */
static int read_call(pid_t tid, long *call, unsigned long *first)
{
	char path[64];
	int count = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/syscall", tid);
	f = fopen(path, "re");
	if (f)
		count = fscanf(f, "%ld %lx", call, first);
	if (f)
		fclose(f);
	return count;
}

bool is_off_cpu(pid_t tid)
{
	unsigned long first;
	long call;

	return read_call(tid, &call, &first) > 0;
}

void wait_until_off_cpu(const pid_t *tid)
{
	while (!is_off_cpu(__atomic_load_n(tid, __ATOMIC_ACQUIRE)))
		rest(1000000);
}

bool sleeps_in(pid_t tid, long call, const void *first)
{
	unsigned long argument;
	long number;

	return read_call(tid, &number, &argument) == 2 && number == call &&
	       (!first || argument == (uintptr_t)first);
}

void wait_until_in(const pid_t *tid, long call, const void *first)
{
	while (!sleeps_in(__atomic_load_n(tid, __ATOMIC_ACQUIRE), call, first))
		rest(1000000);
}
