/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - lines of ftrace's text: interrupts and other events beside switches and wakeups.
 */
#ifndef FXT_FORMATS_FTRACE_KERNEL_H
#define FXT_FORMATS_FTRACE_KERNEL_H

#include "text.h"

/** ftrace_lines - ftrace's text */
extern const struct ftrace_sink ftrace_lines;

#endif /* FXT_FORMATS_FTRACE_KERNEL_H */
