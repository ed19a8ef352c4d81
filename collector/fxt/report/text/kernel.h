/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - interrupts, idle states, work items and frequencies as text.
 *
 * Each prints nothing if the archive has no such events.
 */
#ifndef FXT_REPORT_TEXT_KERNEL_H
#define FXT_REPORT_TEXT_KERNEL_H

#include "style.h"

/** text_interrupts() - what they took */
void text_interrupts(const struct text *t);

/** text_cpu_kernel() - of each CPU: interrupts, idle states, frequency */
void text_cpu_kernel(const struct text *t);

/** text_work_items() - by function */
void text_work_items(const struct text *t);

/** text_wait_kernel() - what interrupts took of a wait; @line: what begins a line of it */
void text_wait_kernel(const struct text *t, const struct report_wait *w, const char *line);

#endif /* FXT_REPORT_TEXT_KERNEL_H */
