/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_unknown.h - the records of fxt_sched.h from which on something is unknown.
 *
 * A record from which on something is unknown has the argument FXT_STR_UNKNOWN, a
 * String whose value says why. So that nobody takes the unknown for something else:
 *
 *  - a context switch that lets in the koid 0 with this argument is to an unknown
 *    thread, which may be any, not to the idle thread;
 *  - what becomes of an outgoing thread is unknown where its state is
 *    FXT_SCHED_STATE_UNKNOWN, a number that "Thread States" does not define: to
 *    Perfetto such a thread is in an unknown state;
 *  - how long a woken thread waits is unknown where its weight is
 *    FXT_SCHED_WEIGHT_IDLE: Perfetto leaves such a wakeup out.
 *
 * FXT_STR_FILTERED: a producer writes such records of threads that do not match its
 * filter, and counts them as any other.
 *
 * FXT_STR_LOST: no producer wrote the record. It stands before the ledger that shows
 * a loss, for the thread that had come in before the records were lost; no ledger
 * counts it.
 */
#ifndef FXT_FXT_UNKNOWN_H
#define FXT_FXT_UNKNOWN_H

#include "fxt_sched.h"

#define FXT_SCHED_STATE_UNKNOWN	15

/**
 * fxt_sched_hidden_state() - the state of a thread of which nothing later is recorded
 * @s: fxt_sched_state() of the thread
 *
 * That a thread has ended stays true.
 */
static __always_inline struct fxt_sched_state fxt_sched_hidden_state(struct fxt_sched_state s)
{
	if (s.state < FXT_THREAD_DYING) {
		s.state = FXT_SCHED_STATE_UNKNOWN;
		s.letter = 0;
	}
	return s;
}

/**
 * enum fxt_sched_kept - what a filter by threads keeps of a switch
 * @FXT_SCHED_KEPT_NOT: nothing; no record
 * @FXT_SCHED_KEPT_ALL: all; the outgoing thread matches
 * @FXT_SCHED_KEPT_IN: not what becomes of the outgoing thread: only the other one matches
 * @FXT_SCHED_KEPT_OUT: only who goes out, and when: the end of a run whose beginning is
 *	kept; neither matches
 */
enum fxt_sched_kept {
	FXT_SCHED_KEPT_NOT,
	FXT_SCHED_KEPT_ALL,
	FXT_SCHED_KEPT_IN,
	FXT_SCHED_KEPT_OUT,
};

/* --- the records ------------------------------------------------------------ */

#define FXT_SCHED_UNKNOWN_WAKEUP_WORDS	7

_Static_assert(FXT_SCHED_UNKNOWN_WAKEUP_WORDS <= FXT_SCHED_RECORD_WORDS,
	       "all records fit where one does");

/**
 * fxt_sched_put_unknown_switch() - write a context switch record that hides something
 * @rec: room for FXT_SCHED_SWITCH_WORDS
 * @time: ticks
 * @cpu: the CPU that switches
 * @out: thread id of the outgoing thread
 * @in: thread id of the incoming thread; 0 if that is unknown, never the idle thread
 * @out_weight: as in fxt_sched_put_switch()
 * @in_weight: likewise; FXT_SCHED_WEIGHT_IDLE if @in is unknown
 * @state: enum fxt_thread_state of @out, or FXT_SCHED_STATE_UNKNOWN
 * @why: FXT_STR_FILTERED or FXT_STR_LOST
 *
 * Return: words written.
 */
static __always_inline __u32 fxt_sched_put_unknown_switch(__u64 *rec, __u64 time, __u32 cpu,
							  __u32 out, __u32 in,
					      __s32 out_weight, __s32 in_weight,
					      __u32 state, __u32 why)
{
	__u32 words = FXT_SCHED_USUAL_SWITCH_WORDS + 1;

	rec[6] = fxt_arg_string(1, FXT_STR_UNKNOWN, why);
	fxt_sched_put_switch_head(rec, fxt_context_switch(words,
							  words - FXT_SWITCH_BASE_WORDS,
							  cpu, state), time);
	fxt_sched_put_switch_out(rec, out, out_weight);
	fxt_sched_put_switch_in(rec, in, in_weight);
	return words;
}

/**
 * fxt_sched_put_kept_switch() - write what a filter keeps of a context switch
 * @rec: room for FXT_SCHED_SWITCH_WORDS
 * @time: as in fxt_sched_put_switch()
 * @cpu: likewise
 * @out: likewise
 * @in: likewise
 * @out_weight: likewise
 * @in_weight: likewise
 * @state: likewise
 * @kept: not FXT_SCHED_KEPT_NOT
 *
 * Return: words written.
 */
static __always_inline __u32 fxt_sched_put_kept_switch(__u64 *rec, __u64 time, __u32 cpu,
						       __u32 out, __u32 in,
					   __s32 out_weight, __s32 in_weight,
					   struct fxt_sched_state state,
					   enum fxt_sched_kept kept)
{
	/* An idle thread has no state that could change meanwhile. */
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

/**
 * fxt_sched_put_unknown_wakeup() - the same of a thread whose switches are not recorded
 * @rec: room for FXT_SCHED_UNKNOWN_WAKEUP_WORDS
 * @time: as there
 * @cpu: as there
 * @tid: as there
 * @waker: as there; it matches the filter
 *
 * Return: words written.
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
