/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - lines of ftrace's text: interrupts and other events beside switches and wakeups.
 */
#ifndef FXT_CONVERT_FTRACE_KERNEL_H
#define FXT_CONVERT_FTRACE_KERNEL_H

#include "text.h"

/**
 * ftrace_put_kernel() - one line
 * @t: the text
 * @e: a FTRACE_ENTRY, FTRACE_EXIT or FTRACE_MOMENT
 * @thread: of what threads do, the thread; else ignored
 * @other: of a fork, the new thread; else ignored
 */
void ftrace_put_kernel(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread, const struct ftrace_thread *other);

#endif /* FXT_CONVERT_FTRACE_KERNEL_H */
