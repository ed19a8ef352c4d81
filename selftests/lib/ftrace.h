/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own tracer, in an instance of its own. */
#ifndef SELFTESTS_FTRACE_H
#define SELFTESTS_FTRACE_H

#define FTRACE_INSTANCE	"/sys/kernel/tracing/instances/fxt_selftest"

/* why ftrace cannot be compared with an archive; NULL if it can */
const char *ftrace_missing(void);

/*
 * Trace events, such as "irq/irq_handler_entry sched/sched_switch", with times of the boot clock
 * and ids of processes. Return: 0, or -1 with errno set.
 */
int ftrace_begin(const char *events);

int ftrace_end(void);

int ftrace_remove(void);

#endif /* SELFTESTS_FTRACE_H */
