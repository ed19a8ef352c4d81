// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * block_main.c - a program that blocks in a function with a known name, for some ms.
 *
 * In:  nothing. Out: the same as a program, as a static one, and as a shared library.
 */
#include <time.h>

#define ROUNDS	20
#define ROUND_NS	1000000

#define noinline	__attribute__((noinline, noclone))

static noinline void sleep_in_program(void)
{
	const struct timespec time = { .tv_nsec = ROUND_NS };
	int i;

	for (i = 0; i < ROUNDS; i++)
		nanosleep(&time, NULL);
}

/* What a stack shows: see blockers.c. */
static noinline void block_in_program(void)
{
	sleep_in_program();
	asm volatile("" : : : "memory");
}

/* Of the shared library. */
void block_in_library(void);

void block_in_library(void)
{
	sleep_in_program();
	asm volatile("" : : : "memory");
}

int main(void)
{
	block_in_program();
	return 0;
}
