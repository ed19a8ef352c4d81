/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_mark.h - marks: which thread has a CPU when its recording begins or ends.
 *
 * One thread may have a CPU during the whole recording, without any context switch. So the
 * archive has a mark at the beginning and at the end of the recording of a CPU, where segments
 * and snapshots begin and end, and where the CPU goes offline or comes online. A mark is a
 * context switch with the argument FXT_STR_UNKNOWN, whose value is the kind of the mark:
 *
 *  - FXT_STR_BEGIN, FXT_STR_ONLINE: the incoming thread has the CPU; 0 is its idle thread.
 *    The outgoing thread is unknown, or there is none: koid 0, FXT_SCHED_WEIGHT_IDLE, state
 *    FXT_THREAD_NEW, which Perfetto ignores.
 *  - FXT_STR_END, FXT_STR_OFFLINE: the outgoing thread has the CPU; 0 is its idle thread.
 *    The incoming thread is unknown, or there is none: koid 0, FXT_SCHED_WEIGHT_IDLE. The
 *    outgoing thread's state is FXT_SCHED_STATE_UNKNOWN; an idle thread's, FXT_THREAD_NEW.
 *
 * The kernel did not switch threads at a mark: producers do not write marks, and ledgers do not
 * count them. FXT_STR_BEGIN is the first record after the first ledger of its stream, FXT_STR_END
 * the last record before the closing ledger. The next segment begins at the time when the one
 * before it ends, and with the same thread.
 */
#ifndef FXT_FXT_MARK_H
#define FXT_FXT_MARK_H

#include "fxt_unknown.h"

/*
 * Write a mark: a "Context Switch Record (scheduling event record type = 1)". @kind: FXT_STR_BEGIN,
 * FXT_STR_END, FXT_STR_ONLINE or FXT_STR_OFFLINE. @thread: that has the CPU; 0 is the idle thread.
 * @weight: as in fxt_sched_put_switch(). Return: words written.
 */
static __always_inline __u32 fxt_sched_put_mark(__u64 *rec, __u64 time, __u32 cpu, __u32 kind,
						__u32 thread, __s32 weight)
{
	if (fxt_mark_is_begin(kind))
		return fxt_sched_put_unknown_switch(rec, time, cpu, 0, thread,
						    FXT_SCHED_WEIGHT_IDLE, weight,
						    FXT_THREAD_NEW, kind);
	return fxt_sched_put_unknown_switch(rec, time, cpu, thread, 0, weight,
					    FXT_SCHED_WEIGHT_IDLE,
					    thread ? FXT_SCHED_STATE_UNKNOWN : FXT_THREAD_NEW,
					    kind);
}

#endif /* FXT_FXT_MARK_H */
