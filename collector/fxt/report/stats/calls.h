/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - the system calls of a thread, or of several threads, by name.
 */
#ifndef FXT_REPORT_STATS_CALLS_H
#define FXT_REPORT_STATS_CALLS_H

#include "sources.h"

/**
 * struct report_call - all calls of one name
 * @of: its name and number, as the model has them
 * @count: calls that returned in the selected time, on selected CPUs
 * @errors: how many of these failed
 * @total: ns in the selected time, waits included
 * @longest: ns, of the (first) longest call
 * @longest_time: ns, when it returned
 * @longest_cpu: on which CPU
 */
struct report_call {
	struct sched_source *of;
	uint64_t count;
	uint64_t errors;
	uint64_t total;
	uint64_t longest;
	uint64_t longest_time;
	uint16_t longest_cpu;
};

/** struct report_calls - @count names of calls; at the end, those with most time first */
struct report_calls {
	struct report_call *list;
	unsigned int count;
	unsigned int room;
};

/** report_call_of() - find or make the entry of a name. Return: NULL: no memory */
struct report_call *report_call_of(struct report_calls *c, struct sched_source *of);

/** report_calls_add() - add those of another thread. Return: 0 or -ENOMEM */
int report_calls_add(struct report_calls *to, const struct report_calls *from);

/** report_calls_sort() - those with most time first */
void report_calls_sort(struct report_calls *c);

void report_calls_free(struct report_calls *c);

#endif /* FXT_REPORT_STATS_CALLS_H */
