/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_custom.h - records of tracepoints that the user chooses.
 *
 * Each event is an "Instant" on the current thread, or a "Counter" on the main thread of the
 * process FXT_SCHED_KOID_CUSTOM. Its category is FXT_STR_CUSTOM. Its name and those of its
 * arguments are strings that the recording registers: first the name of a tracepoint, then the
 * names of its fields.
 */
#ifndef FXT_FXT_SCHED_CUSTOM_H
#define FXT_FXT_SCHED_CUSTOM_H

#include "fxt_sched_event.h"

#define FXT_SCHED_CUSTOM_CATEGORY	"tp"	/* the text of FXT_STR_CUSTOM */
#define FXT_SCHED_CUSTOM_MOST	8	/* the most tracepoints in a recording */
#define FXT_SCHED_CUSTOM_FIELDS	6	/* the most fields of a tracepoint */
#define FXT_SCHED_CUSTOM_FIELD_WORDS	(1 + FXT_SCHED_LABEL_WORDS)	/* the largest, a string */
/* The largest record. A counter ends with its id. */
#define FXT_SCHED_CUSTOM_WORDS	(FXT_SCHED_EVENT_HEAD + \
				 FXT_SCHED_CUSTOM_FIELDS * FXT_SCHED_CUSTOM_FIELD_WORDS)

/* Indices of strings: the name of tracepoint @n, and of its field @field. */
static __always_inline __u32 fxt_sched_custom_name(__u32 n)
{
	return FXT_STR_CUSTOM_FIRST + n * (1 + FXT_SCHED_CUSTOM_FIELDS);
}

static __always_inline __u32 fxt_sched_custom_field(__u32 n, __u32 field)
{
	return fxt_sched_custom_name(n) + 1 + field;
}

#endif /* FXT_FXT_SCHED_CUSTOM_H */
