/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched.h - the FXT records that fxt-sched's producers write.
 *
 * In:  facts of the Linux scheduler as a tracepoint sees them.
 * Out: finished records. The kernel module and the BPF programs call the same builders, so both
 *      write the same bits. User space includes the file for the string indices and the ledger.
 *
 * This file has the builders of context switches and wakeups, and includes the headers of all other
 * records.
 *
 * Builders write at most FXT_SCHED_*_WORDS words to memory that the caller owns. Those that return
 * __u32 return the number of words written. Times are in ticks, threads are thread ids. Context:
 * any.
 */
#ifndef FXT_FXT_SCHED_H
#define FXT_FXT_SCHED_H

#include "fxt.h"
#include "fxt_sched_block.h"
#include "fxt_sched_event.h"
#include "fxt_sched_ids.h"
#include "fxt_sched_ledger.h"
#include "fxt_sched_name.h"
#include "fxt_sched_stack.h"
#include "fxt_sched_thread.h"
#include "fxt_waker.h"

#define FXT_SCHED_SWITCH_WORDS	7
#define FXT_SCHED_USUAL_SWITCH_WORDS	6	/* without a state letter */
#define FXT_SCHED_WAKEUP_WORDS	7
#define FXT_SCHED_USUAL_WAKEUP_WORDS	6	/* by a thread */
#define FXT_SCHED_BARE_SWITCH_WORDS	5	/* only weights of idle threads */
#define FXT_SCHED_BARE_WAKEUP_WORDS	5	/* by a thread, without the weight */
#define FXT_SCHED_RECORD_WORDS	7	/* the largest of all, including fxt_unknown.h */

/*
 * A context switch record's header without a letter, for producers that precompute it. @state: of
 * fxt_sched_state(), of the outgoing thread
 */
static __always_inline __u64 fxt_sched_switch_header(__u32 cpu, __u32 state)
{
	return fxt_context_switch(FXT_SCHED_USUAL_SWITCH_WORDS,
				  FXT_SCHED_USUAL_SWITCH_WORDS - FXT_SWITCH_BASE_WORDS,
				  cpu, state);
}

/*
 * The parts of a context switch record without a letter, of FXT_SCHED_USUAL_SWITCH_WORDS. Writing
 * one after the other takes fewer registers than writing all at once.
 */
static __always_inline void fxt_sched_put_switch_head(__u64 *rec, __u64 header,
						      __u64 time)
{
	rec[0] = header;
	rec[1] = time;
}

static __always_inline void fxt_sched_put_switch_out(__u64 *rec, __u64 tid, __s32 weight)
{
	rec[2] = tid;
	rec[4] = fxt_arg_int32(1, FXT_STR_OUTGOING_WEIGHT, weight);
}

static __always_inline void fxt_sched_put_switch_in(__u64 *rec, __u64 tid, __s32 weight)
{
	rec[3] = tid;
	rec[5] = fxt_arg_int32(1, FXT_STR_INCOMING_WEIGHT, weight);
}

/*
 * Write the argument with a weight, unless that is FXT_SCHED_WEIGHT_NONE. @name:
 * FXT_STR_OUTGOING_WEIGHT, FXT_STR_INCOMING_WEIGHT or FXT_STR_WEIGHT. Return: where the next
 * argument goes.
 */
static __always_inline __u64 *fxt_sched_put_weight(__u64 *arg, __u64 name, __s32 weight)
{
	if (weight == FXT_SCHED_WEIGHT_NONE)
		return arg;
	*arg = fxt_arg_int32(1, name, weight);
	return arg + 1;
}

/* Write header and time of a context switch whose arguments, of one word each, end at @end. */
static __always_inline __u32 fxt_sched_end_switch(__u64 *rec, const __u64 *end, __u64 time,
						  __u32 cpu, __u32 state)
{
	__u32 words = end - rec;

	fxt_sched_put_switch_head(rec, fxt_context_switch(words,
							  words - FXT_SWITCH_BASE_WORDS,
							  cpu, state), time);
	return words;
}

/*
 * "Context Switch Record (scheduling event record type = 1)". @out_weight, @in_weight: of
 * fxt_sched_weight(), fxt_sched_prio() or fxt_sched_no_weight(). @state: of fxt_sched_state(), of
 * @out
 */
static __always_inline __u32 fxt_sched_put_switch(__u64 *rec, __u64 time, __u32 cpu,
						  __u32 out, __u32 in,
				      __s32 out_weight, __s32 in_weight,
				      struct fxt_sched_state state)
{
	__u64 *end;

	rec[2] = out;
	rec[3] = in;
	end = fxt_sched_put_weight(rec + FXT_SWITCH_BASE_WORDS, FXT_STR_OUTGOING_WEIGHT,
				   out_weight);
	end = fxt_sched_put_weight(end, FXT_STR_INCOMING_WEIGHT, in_weight);
	if (state.letter)
		*end++ = fxt_arg_string(1, FXT_STR_STATE, state.letter);
	return fxt_sched_end_switch(rec, end, time, cpu, state.state);
}

/*
 * For fxt_sched_put_bare_switch(). @state: of fxt_sched_state(), of the outgoing thread, without a
 * letter. Return: the header of a record without arguments.
 */
static __always_inline __u64 fxt_sched_bare_switch_header(__u32 cpu, __u32 state)
{
	return fxt_context_switch(FXT_SWITCH_BASE_WORDS, 0, cpu, state);
}

/*
 * Without weights and time, which the caller writes. @header: of fxt_sched_bare_switch_header().
 * @out, @in: not both idle
 */
static __always_inline __u32 fxt_sched_put_bare_switch(__u64 *rec, __u64 header, __u64 out,
						       __u64 in)
{
	const __u64 one = fxt_put(FXT_SIZE, 1) | fxt_put(FXT_SWITCH_ARGS, 1);

	rec[2] = out;
	rec[3] = in;
	if (out && in) {
		rec[0] = header;
		return FXT_SWITCH_BASE_WORDS;
	}
	rec[0] = header + one;
	rec[4] = fxt_arg_int32(1, out ? FXT_STR_INCOMING_WEIGHT : FXT_STR_OUTGOING_WEIGHT,
			       FXT_SCHED_WEIGHT_IDLE);
	return FXT_SCHED_BARE_SWITCH_WORDS;
}

/* fxt_sched_put_usual_wakeup() without the time, for producers that read the clock last. */
static __always_inline void fxt_sched_put_untimed_wakeup(__u64 *rec, __u32 cpu, __u64 tid,
							 __s32 weight, __u64 waker)
{
	rec[0] = fxt_thread_wakeup(FXT_SCHED_USUAL_WAKEUP_WORDS, 2, cpu);
	rec[2] = tid;
	rec[3] = fxt_arg_int32(1, FXT_STR_WEIGHT, weight);
	rec[4] = fxt_arg_koid(2, FXT_STR_WAKER);
	rec[5] = waker;
}

/*
 * "Thread Wakeup Record (scheduling event record type = 2)": thread @waker woke @tid. @cpu: whose
 * run queue @tid was put on. @weight: of fxt_sched_weight() or fxt_sched_prio()
 */
static __always_inline __u32 fxt_sched_put_usual_wakeup(__u64 *rec, __u64 time,
							__u32 cpu, __u64 tid,
							__s32 weight, __u64 waker)
{
	rec[1] = time;
	fxt_sched_put_untimed_wakeup(rec, cpu, tid, weight, waker);
	return FXT_SCHED_USUAL_WAKEUP_WORDS;
}

/* fxt_sched_put_usual_wakeup() without weight and time; the caller writes the time. */
static __always_inline void fxt_sched_put_bare_wakeup(__u64 *rec, __u32 cpu, __u64 tid,
						      __u64 waker)
{
	rec[0] = fxt_thread_wakeup(FXT_SCHED_BARE_WAKEUP_WORDS, 1, cpu);
	rec[2] = tid;
	rec[3] = fxt_arg_koid(2, FXT_STR_WAKER);
	rec[4] = waker;
}

/*
 * A wakeup by anything. @weight: as for fxt_sched_put_usual_wakeup(), or of fxt_sched_no_weight().
 * @waker: of fxt_sched_waker(), from the beginning of the wakeup
 *
 * The record has the argument "waker" only if a thread woke @tid. If an interrupt did, it has a
 * String argument "irq", whose value is indexed, and, unless the interrupt hit the idle thread, a
 * koid argument "interrupted".
 */
static __always_inline __u32 fxt_sched_put_wakeup(__u64 *rec, __u64 time, __u32 cpu,
						  __u64 tid, __s32 weight, __u32 waker)
{
	__u64 irq = fxt_get(FXT_SCHED_WAKER_IRQ, waker), thread = waker & FXT_SCHED_WAKER_TID;
	__u64 *end = fxt_sched_put_weight(rec + FXT_WAKEUP_BASE_WORDS, FXT_STR_WEIGHT, weight);
	__u32 args = weight != FXT_SCHED_WEIGHT_NONE, words;

	if (irq) {
		*end++ = fxt_arg_string(1, FXT_STR_IRQ, FXT_STR_HARD + irq - FXT_SCHED_IRQ_HARD);
		args++;
	}
	if (thread) {
		end[0] = fxt_arg_koid(2, irq ? FXT_STR_INTERRUPTED : FXT_STR_WAKER);
		end[1] = thread;
		end += 2;
		args++;
	}
	words = end - rec;
	rec[0] = fxt_thread_wakeup(words, args, cpu);
	rec[1] = time;
	rec[2] = tid;
	return words;
}

#endif /* FXT_FXT_SCHED_H */
