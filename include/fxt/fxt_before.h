/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_before.h - what threads did last before a part of a recording.
 *
 * Marks (fxt_mark.h) say which thread has a CPU when a part begins. All other threads sleep or
 * wait. BLOB records FXT_SCHED_BEFORE of type data, before all ledgers, say since when. Perfetto
 * skips them. Their payload is words:
 *
 * - FXT_BEFORE_HEAD_WORDS: the version, FXT_BEFORE_VERSION; ticks of the beginning of the part;
 *   ticks from which the recording was complete on all CPUs, or 0: from its beginning;
 * - FXT_BEFORE_WORDS for each event, in order of time: ticks; koid of the thread; koid of its
 *   waker, or 0: no thread woke it; fxt_before_word(); and the thread's weight when the part
 *   begins, fxt_before_weight(). Version 1 lacks the weight.
 *
 * Each thread has an event when it last left a CPU, and one if it was woken after that. From the
 * time when the longest wait began, each CPU also has an event whenever a thread got it, or left it
 * to an unknown thread: enum fxt_before_run. Koid 0 is the idle thread. If another thread with the
 * id of the one that has the CPU was born meanwhile, the last such event is always there, because
 * the mark does not say which of the two it is.
 */
#ifndef FXT_FXT_BEFORE_H
#define FXT_FXT_BEFORE_H

#include "fxt_word.h"

#define FXT_SCHED_BEFORE	"fxt_sched.before"
#define FXT_BEFORE_VERSION	2
#define FXT_BEFORE_HEAD_WORDS	3
#define FXT_BEFORE_WORDS	5

#define FXT_BEFORE_CPU		FXT_BITS(0, 15)		/* that it left, or was woken on */
#define FXT_BEFORE_STATE	FXT_BITS(16, 23)	/* letter of its sleep; 0: woken */
#define FXT_BEFORE_IRQ		FXT_BITS(24, 31)	/* what woke it: enum fxt_sched_irq */
#define FXT_BEFORE_BY_IDLE	FXT_BITS(32, 32)	/* an idle thread woke it */

#define FXT_BEFORE_RUN		FXT_BITS(33, 34)	/* enum fxt_before_run */
#define FXT_BEFORE_IRQ_CPU	FXT_BITS(35, 51)	/* CPU of that interrupt + 1; 0: unknown */

#define FXT_BEFORE_WEIGHT	FXT_BITS(0, 31)
#define FXT_BEFORE_HAS_WEIGHT	FXT_BITS(32, 32)

enum fxt_before_run {
	FXT_BEFORE_NO_RUN,
	FXT_BEFORE_RUN_BEGIN,
	FXT_BEFORE_RUN_END,
};

/*
 * The last word of an event. @cpu: that the thread left, or was woken on. @state: letter of its
 * state; 0 if it was woken. @irq: what woke it, enum fxt_sched_irq. @by_idle: an idle thread woke
 * it
 */
static __always_inline __u64 fxt_before_word(__u32 cpu, __u8 state, __u8 irq, __u8 by_idle)
{
	return fxt_put(FXT_BEFORE_CPU, cpu) | fxt_put(FXT_BEFORE_STATE, state) |
	       fxt_put(FXT_BEFORE_IRQ, irq) | fxt_put(FXT_BEFORE_BY_IDLE, !!by_idle);
}

/* 0 in the place of this word means that the weight is unknown. */
static inline __u64 fxt_before_weight(__s32 weight)
{
	return fxt_put(FXT_BEFORE_WEIGHT, (__u32)weight) | fxt_put(FXT_BEFORE_HAS_WEIGHT, 1);
}

#endif /* FXT_FXT_BEFORE_H */
