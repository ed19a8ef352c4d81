// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * busy.c - measures how much longer a program runs that is interrupted.
 * In:  the length of the program, in turns of a loop.
 * Out: nanoseconds of CPU time that the turns took, with the interrupts during them, but without
 *      other threads. The number of instructions of the program is always the same.
 *
 * The kernel must count interrupts as time of the interrupted thread: no CONFIG_IRQ_TIME_ACCOUNTING.
 * Where an instruction takes a nanosecond (QEMU's -icount), the number is instructions. See
 * scripts/bench/instructions.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/* Not inlined, so that a sample finds the same stack each time. */
static __attribute__((noinline)) void spin(long turns)
{
	for (long i = 0; i < turns; i++)
		__asm__ volatile("");
}

int main(int argc, char **argv)
{
	long turns = argc == 2 ? atol(argv[1]) : 0;
	double began;

	if (turns < 1) {
		fprintf(stderr, "usage: busy TURNS\n");
		return 2;
	}
	began = cpu_ns();
	spin(turns);
	printf("%.0f\n", cpu_ns() - began);
	return 0;
}
