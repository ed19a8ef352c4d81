/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - lines of ftrace's text: interrupts, idle states, migrations, frequencies, work
 * items.
 */
#ifndef FXT_CONVERT_FTRACE_KERNEL_H
#define FXT_CONVERT_FTRACE_KERNEL_H

#include "text.h"

/**
 * ftrace_put_kernel() - one line
 * @t: the text
 * @e: a FTRACE_ENTRY, FTRACE_EXIT or FTRACE_MOMENT
 * @thread: of a migration or work item the thread; else ignored
 */
void ftrace_put_kernel(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread);

#endif /* FXT_CONVERT_FTRACE_KERNEL_H */
