/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_unknown.h - switches and wakeups with a thread or state that is unknown.
 *
 * Such a record has the argument FXT_STR_UNKNOWN, a String whose value is the reason. The other
 * fields are such that readers do not mistake the unknown for something else:
 *
 *  - If a context switch has this argument and the incoming koid 0, the incoming thread is
 *    unknown. It need not be the idle thread.
 *  - The state of the outgoing thread is FXT_SCHED_STATE_UNKNOWN if its future is
 *    unknown. "Thread States" does not define that number; Perfetto shows an unknown
 *    state.
 *  - The weight of a woken thread is FXT_SCHED_WEIGHT_IDLE if the end of its wait will not be
 *    recorded. Perfetto omits such a wakeup.
 *
 * FXT_STR_FILTERED: a producer writes such records for threads that do not match its
 * filter, and counts them like all others.
 *
 * FXT_STR_LOST: the record is not from a producer, and no ledger counts it. It precedes the ledger
 * that shows a loss, and ends the run of the thread that had the CPU before the loss.
 */
#ifndef FXT_FXT_UNKNOWN_H
#define FXT_FXT_UNKNOWN_H

#include "fxt_sched.h"

#define FXT_SCHED_STATE_UNKNOWN	15

/*
 * The state of a thread whose later events are not recorded. @s: of fxt_sched_state(). Return: the
 * unknown state; @s if the thread has ended, because it stays in that state.
 */
static __always_inline struct fxt_sched_state fxt_sched_hidden_state(struct fxt_sched_state s)
{
	if (s.state < FXT_THREAD_DYING) {
		s.state = FXT_SCHED_STATE_UNKNOWN;
		s.letter = 0;
	}
	return s;
}

/* Parts of a switch that a filter of threads keeps. */
enum fxt_sched_kept {
	FXT_SCHED_KEPT_NOT,	/* nothing; the switch has no record */
	FXT_SCHED_KEPT_ALL,	/* all; the outgoing thread matches */
	/* all but the state of the outgoing thread; only the incoming thread matches */
	FXT_SCHED_KEPT_IN,
	/*
	 * only the outgoing thread and the time, because the beginning of its run is recorded;
	 * neither thread matches
	 */
	FXT_SCHED_KEPT_OUT,
};

#define FXT_SCHED_UNKNOWN_WAKEUP_WORDS	7

_Static_assert(FXT_SCHED_UNKNOWN_WAKEUP_WORDS <= FXT_SCHED_RECORD_WORDS,
	       "all records fit where one does");

/*
 * A context switch record with something unknown. @in: 0 if it is unknown, so never the idle
 * thread. @in_weight: FXT_SCHED_WEIGHT_IDLE if @in is unknown. @state: enum fxt_thread_state of
 * @out, or FXT_SCHED_STATE_UNKNOWN. @why: FXT_STR_FILTERED or FXT_STR_LOST. Others: as in
 * fxt_sched_put_switch(). Return: words written.
 */
static __always_inline __u32 fxt_sched_put_unknown_switch(__u64 *rec, __u64 time, __u32 cpu,
							  __u32 out, __u32 in,
					      __s32 out_weight, __s32 in_weight,
					      __u32 state, __u32 why)
{
	__u64 *end;

	rec[2] = out;
	rec[3] = in;
	end = fxt_sched_put_weight(rec + FXT_SWITCH_BASE_WORDS, FXT_STR_OUTGOING_WEIGHT,
				   out_weight);
	end = fxt_sched_put_weight(end, FXT_STR_INCOMING_WEIGHT, in_weight);
	*end++ = fxt_arg_string(1, FXT_STR_UNKNOWN, why);
	return fxt_sched_end_switch(rec, end, time, cpu, state);
}

/*
 * The parts of a context switch that a filter keeps. @kept: not FXT_SCHED_KEPT_NOT. Others: as in
 * fxt_sched_put_switch(). Return: words written.
 */
static __always_inline __u32 fxt_sched_put_kept_switch(__u64 *rec, __u64 time, __u32 cpu,
						       __u32 out, __u32 in,
					   __s32 out_weight, __s32 in_weight,
					   struct fxt_sched_state state,
					   enum fxt_sched_kept kept)
{
	/* The state of an idle thread never changes. */
	if (kept != FXT_SCHED_KEPT_ALL && out)
		state = fxt_sched_hidden_state(state);
	if (kept == FXT_SCHED_KEPT_OUT) {
		in = 0;
		in_weight = FXT_SCHED_WEIGHT_IDLE;
	} else if (state.state != FXT_SCHED_STATE_UNKNOWN) {
		return fxt_sched_put_switch(rec, time, cpu, out, in, out_weight, in_weight,
					    state);
	}
	return fxt_sched_put_unknown_switch(rec, time, cpu, out, in, out_weight, in_weight,
					    state.state, FXT_STR_FILTERED);
}

/*
 * The wakeup of a thread whose switches are not recorded, by a waker that matches the filter.
 * Arguments as for fxt_sched_put_usual_wakeup(). Return: words written.
 */
static __always_inline __u32 fxt_sched_put_unknown_wakeup(__u64 *rec, __u64 time, __u32 cpu,
							  __u64 tid, __u64 waker)
{
	fxt_sched_put_usual_wakeup(rec, time, cpu, tid, FXT_SCHED_WEIGHT_IDLE, waker);
	rec[0] = fxt_thread_wakeup(FXT_SCHED_UNKNOWN_WAKEUP_WORDS, 3, cpu);
	rec[6] = fxt_arg_string(1, FXT_STR_UNKNOWN, FXT_STR_FILTERED);
	return FXT_SCHED_UNKNOWN_WAKEUP_WORDS;
}

#endif /* FXT_FXT_UNKNOWN_H */
