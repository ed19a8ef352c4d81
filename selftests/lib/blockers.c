// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "blockers.h"
#include "off_cpu.h"
#include "workload.h"

#define BLOCK_NS	3000000

#define noinline	__attribute__((noinline, noclone))
#define barrier()	asm volatile("" : : : "memory")	/* prevents a tail call */

static int pipe_ends[2], event, epoll;
static uint32_t posts;

static noinline void sleep_in_nanosleep(struct worker *w)
{
	const struct timespec time = { .tv_nsec = BLOCK_NS };
	long before = times_slept();

	while (times_slept() < before + BLOCKER_ROUNDS)
		w->failed |= nanosleep(&time, NULL) != 0;
}

static noinline void sleep_in_read(struct worker *w)
{
	unsigned int i;
	char byte;

	for (i = 0; i < BLOCKER_ROUNDS; i++)
		w->failed |= read(pipe_ends[0], &byte, 1) != 1;
}

static noinline void sleep_in_futex(struct worker *w)
{
	unsigned int i;

	/* The functions of libc that wait for a futex use the register of the frame pointer. */
	for (i = 0; i < BLOCKER_ROUNDS; i++)
		while (__atomic_load_n(&posts, __ATOMIC_ACQUIRE) == i)
			w->failed |= syscall(SYS_futex, &posts, FUTEX_WAIT, i, NULL, NULL, 0) &&
				     errno != EAGAIN;
}

static noinline void sleep_in_epoll(struct worker *w)
{
	struct epoll_event e;
	uint64_t count;
	unsigned int i;

	for (i = 0; i < BLOCKER_ROUNDS; i++)
		w->failed |= epoll_wait(epoll, &e, 1, -1) != 1 ||
			     read(event, &count, sizeof(count)) != sizeof(count);
}

/*
 * A function of libc without a frame pointer leaves that of its caller in the register. So of
 * these functions, the caller's caller is the first one that the kernel finds.
 */
static noinline void block_in_nanosleep(struct worker *w)
{
	sleep_in_nanosleep(w);
	barrier();
}

static noinline void block_in_read(struct worker *w)
{
	sleep_in_read(w);
	barrier();
}

static noinline void block_in_futex(struct worker *w)
{
	sleep_in_futex(w);
	barrier();
}

static noinline void block_in_epoll(struct worker *w)
{
	sleep_in_epoll(w);
	barrier();
}

static int post(void)
{
	__atomic_fetch_add(&posts, 1, __ATOMIC_RELEASE);
	return syscall(SYS_futex, &posts, FUTEX_WAKE, 1, NULL, NULL, 0) < 0;
}

static int open_all(void)
{
	struct epoll_event e = { .events = EPOLLIN };

	event = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	epoll = epoll_create1(EPOLL_CLOEXEC);
	if (event < 0 || epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, event, &e) || pipe(pipe_ends))
		return -1;
	posts = 0;
	return 0;
}

static void close_all(void)
{
	close(pipe_ends[0]);
	close(pipe_ends[1]);
	close(event);
	close(epoll);
}

/* End each round of the threads that do not sleep for a time, once they all sleep. */
static int wake_all(const struct worker *w)
{
	const struct timespec time = { .tv_nsec = BLOCK_NS };
	const uint64_t one = 1;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < BLOCKER_ROUNDS && !ret; i++) {
		wait_until_in(&w[1].tid, SYS_read, NULL);
		wait_until_in(&w[2].tid, SYS_futex, &posts);
		wait_until_off_cpu(&w[3].tid);
		nanosleep(&time, NULL);
		if (write(pipe_ends[1], "x", 1) != 1 || post() ||
		    write(event, &one, sizeof(one)) != sizeof(one))
			ret = -1;
	}
	return ret;
}

int blockers_run(struct blocker blockers[BLOCKERS])
{
	static const struct blocker known[BLOCKERS] = {
		{ .name = "in-nanosleep", .function = "nanosleep", .caller = "block_in_nanosleep",
		  .direct = "sleep_in_nanosleep" },
		{ .name = "in-pipe", .function = "pipe_read", .caller = "block_in_read",
		  .direct = "sleep_in_read" },
		{ .name = "in-futex", .function = "futex_wait", .caller = "block_in_futex",
		  .direct = "sleep_in_futex" },
		{ .name = "in-epoll", .function = "epoll", .caller = "block_in_epoll",
		  .direct = "sleep_in_epoll" },
	};
	void (*const run[BLOCKERS])(struct worker *w) = {
		block_in_nanosleep, block_in_read, block_in_futex, block_in_epoll,
	};
	struct worker w[BLOCKERS];
	int ret = open_all();
	size_t i;

	for (i = 0; i < BLOCKERS && !ret; i++) {
		w[i] = (struct worker){ .run = run[i], .cpu = ANY_CPU };
		strcpy(w[i].name, known[i].name);
		ret = worker_start(&w[i]);
		blockers[i] = known[i];
		blockers[i].tid = w[i].tid;
	}
	if (!ret)
		ret = wake_all(w);
	/* If one failed, the others may block for ever: the test ends with the process. */
	for (i = 0; i < BLOCKERS && !ret; i++) {
		ret = worker_join(&w[i]);
		blockers[i].from = w[i].begun.at;
		blockers[i].to = w[i].counts.at;
	}
	close_all();
	return ret;
}
