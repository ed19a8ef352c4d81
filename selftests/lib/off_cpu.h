/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that have left their CPU. A short sleep alone does not prove it: on a slow machine its
 * time can be over before the thread is switched out. Nor does the state in /proc/PID/stat, which a
 * thread sets before it is switched out.
 */
#ifndef SELFTESTS_OFF_CPU_H
#define SELFTESTS_OFF_CPU_H

#include <stdbool.h>
#include <sys/types.h>

#define ANY_CALL	(-1)

/* How often the calling thread was switched out to sleep. */
long times_slept(void);

/* Sleep about 1 ms, again and again until the calling thread has been switched out. */
void sleep_off_cpu(void);

/*
 * Does the thread sleep in a system call, switched out? @call: its number, or ANY_CALL; @first: its
 * first argument, or NULL for any
 */
bool sleeps_in(pid_t tid, long call, const void *first);

/* Wait for that. The thread must not end before. */
void wait_until_in(pid_t tid, long call, const void *first);

#endif /* SELFTESTS_OFF_CPU_H */
