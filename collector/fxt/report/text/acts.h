/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * acts.h - system calls, ends of threads, throttled cgroups, interrupts between CPUs and run
 * queues as text.
 *
 * Each prints nothing if the archive has no such events.
 */
#ifndef FXT_REPORT_TEXT_ACTS_H
#define FXT_REPORT_TEXT_ACTS_H

#include "style.h"

/** text_run_queues() - of each CPU: its run queue and load */
void text_run_queues(const struct text *t);

/** text_throttled() - by cgroup */
void text_throttled(const struct text *t);

/** text_quotas() - what the kernel counted of cgroups with a quota */
void text_quotas(const struct text *t);

/** text_ipis() - which CPU interrupted which, and for what */
void text_ipis(const struct text *t);

/** text_system_calls() - by name, of the threads that are shown */
void text_system_calls(const struct text *t);

/** text_ends() - how threads ended */
void text_ends(const struct text *t);

/** text_calls_heading() - above text_calls(); @id: what rows are */
void text_calls_heading(const struct text *t, const char *id);

/** text_calls() - a row: the system calls of one thread, or of several together */
void text_calls(const struct text *t, const char *id, const char *name,
		const struct report_counts *n, const struct report_calls *calls);

#endif /* FXT_REPORT_TEXT_ACTS_H */
