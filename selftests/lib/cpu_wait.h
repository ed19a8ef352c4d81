/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that waits for its CPU for about a given time. */
#ifndef SELFTESTS_CPU_WAIT_H
#define SELFTESTS_CPU_WAIT_H

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "off_cpu.h"
#include "workload.h"

#define NS_PER_MS	1000000ULL

/*
 * A thread of high priority wakes another thread, which is pinned to the same CPU, and then keeps
 * the CPU busy for @ms. (A timer is not suitable: with PREEMPT_RT it may have to wait, too.)
 * @user: whose thread the other one is; 0: it remains the creator's
 */
struct jam {
	struct worker hog;
	struct worker late;
	unsigned int ms;
	unsigned int user;
	int cpu;
	int wake[2];
	uint64_t woken;		/* CLOCK_BOOTTIME in ns */
	uint64_t waited;	/* ns that the thread waited for the CPU */
};

static inline void hog(struct worker *w)
{
	struct jam *jam = w->arg;
	struct sched_param p = { .sched_priority = 50 };
	uint64_t end;

	w->failed = sched_setscheduler(0, SCHED_FIFO, &p);
	jam->woken = boottime_ns();
	w->failed |= write(jam->wake[1], "", 1) != 1;
	end = boottime_ns() + jam->ms * NS_PER_MS;
	while (boottime_ns() < end)
		;
}

static inline void be_late(struct worker *w)
{
	struct jam *jam = w->arg;
	char byte;

	/* Of this thread only. */
	if (jam->user && syscall(SYS_setresuid, jam->user, jam->user, jam->user))
		w->failed = true;
	w->failed |= read(jam->wake[0], &byte, 1) != 1;
	jam->waited = boottime_ns() - jam->woken;
}

static inline int make_jam_of(struct jam *jam, unsigned int ms, const char *name, unsigned int user)
{
	int cpus[MAX_CPUS], failed;

	allowed_cpus(cpus);
	memset(jam, 0, sizeof(*jam));
	jam->ms = ms;
	jam->user = user;
	jam->cpu = cpus[0];
	jam->hog = (struct worker){ .name = "hog", .cpu = jam->cpu, .run = hog, .arg = jam };
	jam->late = (struct worker){ .cpu = jam->cpu, .run = be_late, .arg = jam };
	snprintf(jam->late.name, sizeof(jam->late.name), "%s", name);
	if (pipe2(jam->wake, O_CLOEXEC) || worker_start(&jam->late))
		return -1;
	wait_until_in(&jam->late.tid, SYS_read, (void *)(uintptr_t)jam->wake[0]);
	if (worker_start(&jam->hog))
		return -1;
	failed = worker_join(&jam->late) | worker_join(&jam->hog);
	close(jam->wake[0]);
	close(jam->wake[1]);
	return failed;
}

/* Did it last much longer than it was to, because the machine is slow? */
static inline bool is_too_long(const struct jam *jam)
{
	return jam->waited > jam->ms * NS_PER_MS / 8 * 9;
}

static inline int make_jam(struct jam *jam, unsigned int ms, const char *name)
{
	return make_jam_of(jam, ms, name, 0);
}

#endif /* SELFTESTS_CPU_WAIT_H */
