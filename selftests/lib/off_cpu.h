/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that have left their CPU. A short sleep alone does not prove it: on a slow machine its
 * time can be over before the thread is switched out. Nor does the state in /proc/PID/stat, which a
 * thread sets before it is switched out.
 */
#ifndef SELFTESTS_OFF_CPU_H
#define SELFTESTS_OFF_CPU_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* How often the calling thread was switched out to sleep. */
static inline long times_slept(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

/* Sleep for @ns, or for longer until the calling thread is switched out. */
void sleep_off_cpu(uint64_t ns);

/* Is the thread switched out, in any state but runnable? */
bool is_off_cpu(pid_t tid);

/* The same, in a system call. @call: its number; @first: its first argument, or NULL for any */
bool sleeps_in(pid_t tid, long call, const void *first);

/* Wait for that. The thread must not end before; @tid may still be 0, until it has begun. */
void wait_until_off_cpu(const pid_t *tid);
void wait_until_in(const pid_t *tid, long call, const void *first);

#endif /* SELFTESTS_OFF_CPU_H */
