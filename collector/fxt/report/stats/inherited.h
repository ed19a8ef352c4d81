/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inherited.h - threads that inherited the priorities of threads that waited for them.
 *
 * Priorities are the kernel's: less is more urgent.
 */
#ifndef FXT_REPORT_STATS_INHERITED_H
#define FXT_REPORT_STATS_INHERITED_H

#include <stdint.h>

struct report_thread;

/**
 * struct report_inherited - of one thread
 * @thread: this thread
 * @count: how often its priority was raised, while it had its own or an inherited one
 * @own: the least urgent one that it was raised from
 * @best: the most urgent one that it inherited
 */
struct report_inherited {
	const struct report_thread *thread;
	uint64_t count;
	int32_t own;
	int32_t best;
};

#endif /* FXT_REPORT_STATS_INHERITED_H */
