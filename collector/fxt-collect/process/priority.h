/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority.h - which threads get a CPU first. */
#ifndef FXT_COLLECT_PROCESS_PRIORITY_H
#define FXT_COLLECT_PROCESS_PRIORITY_H

/**
 * priority_raise() - run before other threads, as far as permitted
 *
 * Sets the lowest nice value that the process may have: CAP_SYS_NICE permits all, else RLIMIT_NICE
 * limits it. The thread that reads the buffers needs little time, but before they are full. If the
 * process was started with a scheduling policy or a higher nice value, nothing changes.
 *
 * Threads and processes that this thread creates inherit it.
 */
void priority_raise(void);

/* Undo priority_raise() for this thread; needs no privilege. */
void priority_restore(void);

#endif /* FXT_COLLECT_PROCESS_PRIORITY_H */
