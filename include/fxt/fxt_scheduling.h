/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_scheduling.h - scheduling records: context switches and wakeups.
 */
#ifndef FXT_FXT_SCHEDULING_H
#define FXT_FXT_SCHEDULING_H

#include "fxt_word.h"

/* "Scheduling Record (record type = 8)" */
#define FXT_SCHEDULING_TYPE		FXT_BITS(60, 63)

enum fxt_scheduling_type {
	FXT_SCHEDULING_LEGACY_SWITCH	= 0,
	FXT_SCHEDULING_CONTEXT_SWITCH	= 1,
	FXT_SCHEDULING_THREAD_WAKEUP	= 2,
};

/* "Thread States" */
enum fxt_thread_state {
	FXT_THREAD_NEW			= 0,
	FXT_THREAD_RUNNING		= 1,
	FXT_THREAD_SUSPENDED		= 2,
	FXT_THREAD_BLOCKED		= 3,
	FXT_THREAD_DYING		= 4,
	FXT_THREAD_DEAD			= 5,
};

/* "Context Switch Record": header, ticks, outgoing koid, incoming koid, arguments. */
#define FXT_SWITCH_ARGS			FXT_BITS(16, 19)
#define FXT_SWITCH_CPU			FXT_BITS(20, 35)
#define FXT_SWITCH_STATE		FXT_BITS(36, 39)	/* of the outgoing thread */
#define FXT_SWITCH_RESERVED		FXT_BITS(40, 59)
#define FXT_SWITCH_BASE_WORDS		4

static __always_inline __u64 fxt_context_switch(__u64 words, __u64 args, __u64 cpu,
						__u64 state)
{
	return fxt_header(FXT_RECORD_SCHEDULING, words) |
	       fxt_put(FXT_SWITCH_ARGS, args) |
	       fxt_put(FXT_SWITCH_CPU, cpu) |
	       fxt_put(FXT_SWITCH_STATE, state) |
	       fxt_put(FXT_SCHEDULING_TYPE, FXT_SCHEDULING_CONTEXT_SWITCH);
}

/* "Thread Wakeup Record": header, ticks, koid of the woken thread, arguments. */
#define FXT_WAKEUP_ARGS			FXT_BITS(16, 19)
#define FXT_WAKEUP_CPU			FXT_BITS(20, 35)
#define FXT_WAKEUP_RESERVED		FXT_BITS(36, 59)
#define FXT_WAKEUP_BASE_WORDS		3

static __always_inline __u64 fxt_thread_wakeup(__u64 words, __u64 args, __u64 cpu)
{
	return fxt_header(FXT_RECORD_SCHEDULING, words) |
	       fxt_put(FXT_WAKEUP_ARGS, args) |
	       fxt_put(FXT_WAKEUP_CPU, cpu) |
	       fxt_put(FXT_SCHEDULING_TYPE, FXT_SCHEDULING_THREAD_WAKEUP);
}

/*
 * "Legacy Context Switch Record": header, ticks, [outgoing process and thread koid], [incoming
 * process and thread koid]. The koids are present if their thread ref is inline.
 */
#define FXT_LEGACY_CPU			FXT_BITS(16, 23)
#define FXT_LEGACY_STATE		FXT_BITS(24, 27)
#define FXT_LEGACY_OUT_THREAD		FXT_BITS(28, 35)	/* thread ref */
#define FXT_LEGACY_IN_THREAD		FXT_BITS(36, 43)	/* thread ref */
#define FXT_LEGACY_OUT_PRIORITY		FXT_BITS(44, 51)
#define FXT_LEGACY_IN_PRIORITY		FXT_BITS(52, 59)

static __always_inline __u64 fxt_legacy_switch(__u64 words, __u64 cpu, __u64 state,
					       __u64 out_ref, __u64 in_ref,
				   __u64 out_priority, __u64 in_priority)
{
	return fxt_header(FXT_RECORD_SCHEDULING, words) |
	       fxt_put(FXT_LEGACY_CPU, cpu) |
	       fxt_put(FXT_LEGACY_STATE, state) |
	       fxt_put(FXT_LEGACY_OUT_THREAD, out_ref) |
	       fxt_put(FXT_LEGACY_IN_THREAD, in_ref) |
	       fxt_put(FXT_LEGACY_OUT_PRIORITY, out_priority) |
	       fxt_put(FXT_LEGACY_IN_PRIORITY, in_priority) |
	       fxt_put(FXT_SCHEDULING_TYPE, FXT_SCHEDULING_LEGACY_SWITCH);
}

#endif /* FXT_FXT_SCHEDULING_H */
