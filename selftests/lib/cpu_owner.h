/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A busy thread that owns a CPU, from before a recording until after it. On a host, it has the
 * highest priority below real time, so that others can use the CPU, too. In a guest, it is a
 * real-time thread, and gets all of the CPU's time.
 */
#ifndef SELFTESTS_CPU_OWNER_H
#define SELFTESTS_CPU_OWNER_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector.h"
#include "workload.h"

#define OWNER_NAME	"hog"

/*
 * PREEMPT_RT serves interrupts in threads of priority 50. If the owner had a higher priority, no
 * file of the guest could be read or written until the owner ends, because its CPU may be the one
 * that serves the disk's interrupts.
 */
#define OWNER_PRIORITY	49

/* Does a thread with this name preempt the owner? Stoppers and threads for interrupts do. */
static inline bool comes_before_owner(const char *name)
{
	return !strncmp(name, "migration/", 10) || !strncmp(name, "irq/", 4);
}

struct owner {
	uint32_t cpu;	/* the CPU that it owns: the last one */
	pid_t pid;	/* id of the process, and of the thread */
	/* previous setting of the time that the kernel reserves for other than real-time threads */
	char reserve[32];
	char server[32];	/* the same, from 6.12 on */
};

static inline uint32_t last_cpu(void)
{
	int cpus[MAX_CPUS];

	return cpus[allowed_cpus(cpus) - 1];
}

/* @old: set to the previous value; or NULL. */
static inline int change(const char *path, const char *value, char *old, size_t room)
{
	/* Some of these files cannot be written at an offset, so use a descriptor for each way. */
	int from = open(path, O_RDONLY | O_CLOEXEC), to = open(path, O_WRONLY | O_CLOEXEC);
	int ret = from < 0 && errno == ENOENT ? 0 : -1;
	ssize_t bytes;

	if (from >= 0 && to >= 0) {
		bytes = old ? read(from, old, room - 1) : 1;
		if (old)
			old[bytes > 0 ? bytes : 0] = '\0';
		if (bytes > 0 && write(to, value, strlen(value)) == (ssize_t)strlen(value))
			ret = 0;
	}
	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	return ret;
}

/*
 * Let real-time threads use all of the time. The kernel reserves a part of each second for others,
 * from 6.12 on in another way.
 */
static inline int suspend_reserves(struct owner *o)
{
	char server[64];

	snprintf(server, sizeof(server), "/sys/kernel/debug/sched/fair_server/cpu%u/runtime", o->cpu);
	return change("/proc/sys/kernel/sched_rt_runtime_us", "-1", o->reserve, sizeof(o->reserve)) ||
	       change(server, "0", o->server, sizeof(o->server)) ? -1 : 0;
}

static inline void resume_reserves(const struct owner *o)
{
	char server[64];

	snprintf(server, sizeof(server), "/sys/kernel/debug/sched/fair_server/cpu%u/runtime", o->cpu);
	if (*o->server)
		change(server, o->server, NULL, 0);
	if (*o->reserve)
		change("/proc/sys/kernel/sched_rt_runtime_us", o->reserve, NULL, 0);
}

/*
 * Run in the child. On a host, others need the CPU, so this ends even if the test does not: the
 * thread checks the clock itself, because a timer might not get the CPU.
 */
static inline void own_cpu(uint32_t cpu, int ready)
{
	const struct sched_param first = { .sched_priority = OWNER_PRIORITY };
	uint64_t until = boottime_ns() + PATIENCE_MS * 1000000ULL;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, OWNER_NAME);
	pin(cpu);
	if (in_guest() ? sched_setscheduler(0, SCHED_FIFO, &first) :
			 setpriority(PRIO_PROCESS, 0, -20))
		_exit(1);
	if (write(ready, "", 1) != 1)
		_exit(1);
	while (boottime_ns() < until)
		;
	_exit(0);
}

/* Wait until a child is ready, and writes a byte. Return: its pid, or -1. */
static inline pid_t await(pid_t pid, const int *ready)
{
	char byte;

	close(ready[1]);
	if (pid < 0 || read(ready[0], &byte, 1) != 1)
		pid = -1;
	close(ready[0]);
	return pid;
}

static inline void owner_kill(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Other runs of this test wait until the owner has ended. Return: 0 or -1. */
static inline int owner_start(struct owner *o)
{
	int lock = open("/tmp/fxt-selftest-hog.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
			0600);
	int ready[2];

	*o = (struct owner){ .cpu = last_cpu(), .pid = -1 };
	if (lock < 0 || flock(lock, LOCK_EX) || pipe(ready))
		return -1;
	if (in_guest() && suspend_reserves(o)) {
		resume_reserves(o);
		return -1;
	}
	o->pid = fork();
	if (!o->pid)
		own_cpu(o->cpu, ready[1]);
	o->pid = await(o->pid, ready);
	/* The child holds the lock as well, for as long as it runs. */
	close(lock);
	if (o->pid < 0)
		resume_reserves(o);
	return o->pid < 0 ? -1 : 0;
}

static inline void owner_end(const struct owner *o)
{
	owner_kill(o->pid);
	resume_reserves(o);
}

#endif /* SELFTESTS_CPU_OWNER_H */
