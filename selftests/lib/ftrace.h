/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ftrace.h - the kernel's own tracer, in an instance of its own. */
#ifndef SELFTESTS_FTRACE_H
#define SELFTESTS_FTRACE_H

#define FTRACE_INSTANCE	"/sys/kernel/tracing/instances/fxt_selftest"

/** ftrace_missing() - why ftrace cannot be compared with an archive; NULL if it can */
const char *ftrace_missing(void);

/**
 * ftrace_begin() - begin to trace events, with times of the boot clock and ids of processes
 * @events: names, for example "irq/irq_handler_entry sched/sched_switch"
 *
 * Return: 0, or -1 with errno set.
 */
int ftrace_begin(const char *events);

/** ftrace_end() - stop tracing; 0 or -1 */
int ftrace_end(void);

/** ftrace_remove() - remove the instance; 0 or -1 */
int ftrace_remove(void);

#endif /* SELFTESTS_FTRACE_H */
