/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_waking.h - who writes the record of a wakeup, where wakeups are recorded at sched_waking.
 *
 * A wakeup gets one record, which comes after that of the switch to sleep. But sched_waking also
 * fires for a thread that is on its way to sleep on another CPU, and for one that does not get to
 * sleep because of it. So a word of each thread says what is recorded of it, and an exchange
 * decides between two CPUs:
 *
 *   sched_switch   to sleep, after the clock was read: the word becomes FXT_WAKING_ASLEEP. If
 *                  it was early, and the kernel is still about to wake the thread, then it was
 *                  for this sleep: the word becomes FXT_WAKING_WOKEN, and the wakeup gets its
 *                  record here. Otherwise that wakeup came before the thread got to sleep.
 *   sched_waking   FXT_WAKING_ASLEEP becomes FXT_WAKING_AWAKE, and the wakeup gets its record.
 *                  While the thread is on its way, the word becomes early, with the waker.
 *
 * The kernel is about to wake the thread as long as the thread's pi_lock is held or its state is
 * TASK_WAKING: a waker that finds the thread on its run queue needs the lock of that queue, which
 * sched_switch holds. Somebody else may hold the pi_lock at that moment. If an early wakeup has
 * also been left over, the wakeup of this sleep has its record too early; but it has only one,
 * because of FXT_WAKING_WOKEN.
 *
 * The exchanges are full barriers. So a waker that sees FXT_WAKING_ASLEEP reads the clock after
 * the switch did.
 */
#ifndef FXT_FXT_WAKING_H
#define FXT_FXT_WAKING_H

#include "fxt_waker.h"

/* Beside the bits of fxt_sched_waker(). */
#define FXT_WAKING_STATE	FXT_BITS(24, 25)

enum fxt_waking {
	FXT_WAKING_AWAKE	= 0,
	FXT_WAKING_ASLEEP	= 1 << 24,	/* the wakeup has no record yet */
	FXT_WAKING_EARLY	= 2 << 24,	/* with the waker */
	FXT_WAKING_WOKEN	= 3 << 24,	/* asleep or not; the wakeup has its record */
};

/* Has a waker left itself in the word of a thread, which was not asleep yet? */
static __always_inline int fxt_waking_is_early(__u32 word)
{
	return (word & FXT_WAKING_STATE) == FXT_WAKING_EARLY;
}

/* The waker that has. */
static __always_inline __u32 fxt_waking_waker(__u32 word)
{
	return word & ~(__u32)FXT_WAKING_STATE;
}

#endif /* FXT_FXT_WAKING_H */
