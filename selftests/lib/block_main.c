// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Blocks in a function with a known name, for some ms; with a file on a disk, in page faults. Built
 * as a program, as a static one, and as a shared library.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "blocks.h"
#include "off_cpu.h"

#define ROUNDS	BLOCK_ROUNDS
#ifndef ROUND_NS
#define ROUND_NS	1000000
#endif

#define noinline	__attribute__((noinline, noclone))

static noinline void sleep_in_program(void)
{
	const struct timespec time = { .tv_nsec = ROUND_NS };
	long before = times_slept();

	while (times_slept() < before + ROUNDS)
		nanosleep(&time, NULL);
}

/* Stacks show this function, but not the one that it calls: see blockers.c. */
static noinline void block_in_program(void)
{
	sleep_in_program();
	asm volatile("" : : : "memory");
}

/* In the shared library. */
void block_in_library(void);

void block_in_library(void)
{
	sleep_in_program();
	asm volatile("" : : : "memory");
}

/* The function that faults is in the stack, even without a frame. */
static noinline void fault_in_program(const volatile char *at, size_t step)
{
	int i;

	for (i = 0; i < ROUNDS; i++)
		at[i * step];
}

/* Stacks may lack the caller of fault_in_program() (see blockers.c), so it is not main(). */
static noinline void block_in_fault(const char *at, size_t step)
{
	fault_in_program(at, step);
	asm volatile("" : : : "memory");
}

/* Drop the file's pages from memory. Return: are the pages that will be touched dropped? */
static int drop(int fd, void *at, size_t bytes, size_t step)
{
	size_t page = sysconf(_SC_PAGESIZE);
	unsigned char *resident = malloc(bytes / page + 1);
	int i, dropped = 0;

	if (resident && !fsync(fd) && !posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) &&
	    !mincore(at, bytes, resident))
		for (i = 0, dropped = 1; i < ROUNDS; i++)
			dropped &= !(resident[i * step / page] & 1);
	free(resident);
	return dropped;
}

static int fault(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	size_t step;
	void *at;

	if (fd < 0 || fstat(fd, &st))
		return 1;
	step = st.st_size / ROUNDS;
	at = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	/* Each fault reads only its page. */
	if (at == MAP_FAILED || madvise(at, st.st_size, MADV_RANDOM))
		return 1;
	if (!drop(fd, at, st.st_size, step))
		return BLOCK_NO_DISK;
	block_in_fault(at, step);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return fault(argv[1]);
	block_in_program();
	return 0;
}
