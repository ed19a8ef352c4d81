/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_waking.h - which CPU writes the record of a wakeup, if wakeups are recorded at sched_waking.
 *
 * Each wakeup gets one record, after the record of the switch to sleep. But sched_waking also
 * fires while a thread is still going to sleep on another CPU, and for a thread that does not
 * sleep after all because of this wakeup. So each thread has a word, which two CPUs change with
 * exchanges:
 *
 *   sched_switch   For a thread that goes to sleep, after reading the clock: the word becomes
 *                  FXT_WAKING_ASLEEP. If it was FXT_WAKING_EARLY, and the kernel is still about to
 *                  wake the thread, that wakeup is for this sleep: the word becomes
 *                  FXT_WAKING_WOKEN, and the wakeup is recorded here. Otherwise the wakeup came
 *                  before the thread went to sleep.
 *   sched_waking   FXT_WAKING_ASLEEP becomes FXT_WAKING_AWAKE, and the wakeup is recorded. While
 *                  the thread is still going to sleep, the word becomes FXT_WAKING_EARLY, with the
 *                  waker.
 *
 * The kernel is about to wake the thread if the thread's pi_lock is held or its state is
 * TASK_WAKING: a waker that finds the thread on its run queue needs the lock of that queue, which
 * sched_switch holds. The pi_lock may be held for another reason. If there is also an early wakeup
 * from before, the wakeup of this sleep is recorded too early; but FXT_WAKING_WOKEN prevents a
 * second record.
 *
 * The exchanges are full barriers. So a waker that sees FXT_WAKING_ASLEEP reads the clock after
 * the switch did.
 */
#ifndef FXT_FXT_WAKING_H
#define FXT_FXT_WAKING_H

#include "fxt_waker.h"

/* Bits that fxt_sched_waker() does not use. */
#define FXT_WAKING_STATE	FXT_BITS(24, 25)

enum fxt_waking {
	FXT_WAKING_AWAKE	= 0,
	FXT_WAKING_ASLEEP	= 1 << 24,	/* no record has the wakeup yet */
	FXT_WAKING_EARLY	= 2 << 24,	/* with the waker */
	FXT_WAKING_WOKEN	= 3 << 24,	/* asleep or not; a record has the wakeup */
};

/* Has a waker stored itself in the word of a thread that was not asleep yet? */
static __always_inline int fxt_waking_is_early(__u32 word)
{
	return (word & FXT_WAKING_STATE) == FXT_WAKING_EARLY;
}

/* That waker, as fxt_sched_waker(). */
static __always_inline __u32 fxt_waking_waker(__u32 word)
{
	return word & ~(__u32)FXT_WAKING_STATE;
}

#endif /* FXT_FXT_WAKING_H */
