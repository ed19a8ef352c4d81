/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracepoints.h - tracepoints that the user chooses.
 */
#ifndef FXT_COLLECT_SOURCE_TRACEPOINTS_H
#define FXT_COLLECT_SOURCE_TRACEPOINTS_H

#include <stdbool.h>

#include <fxt/fxt_sched_custom.h>

#define TRACEPOINT_NAME		64	/* bytes of a name, with a 0 */
#define TRACEPOINT_FIELD	64	/* bytes of a field, likewise */

/**
 * struct tracepoint - a tracepoint to record
 * @name: its name
 * @fields: what to record of it: arguments and members of what they refer to, as in
 *	"prev.pid"
 * @field_count: how many; 0 until the source has found all integer arguments
 * @is_counter: it is a counter: of its only field, or of the second one, while the first
 *	one is the counter's id
 */
struct tracepoint {
	char name[TRACEPOINT_NAME];
	char fields[FXT_SCHED_CUSTOM_FIELDS][TRACEPOINT_FIELD];
	unsigned int field_count;
	bool is_counter;
};

/**
 * struct tracepoints - all of them
 * @all: they
 * @count: how many
 */
struct tracepoints {
	struct tracepoint all[FXT_SCHED_CUSTOM_MOST];
	unsigned int count;
};

#endif /* FXT_COLLECT_SOURCE_TRACEPOINTS_H */
