/* SPDX-License-Identifier: GPL-2.0 */
/*
 * task_state.h - the scheduler's view of a task: is it runnable, and what does it wait for?
 */
#ifndef FXT_KMOD_TASK_STATE_H
#define FXT_KMOD_TASK_STATE_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/sched.h>

#include <fxt/fxt_sched.h>

#include "compat.h"

/* include/linux/sched.h: the bits of task_struct's states */
static_assert(FXT_LINUX_UNINTERRUPTIBLE == TASK_UNINTERRUPTIBLE);
static_assert(FXT_LINUX_STOPPED == __TASK_STOPPED);
static_assert(FXT_LINUX_TRACED == __TASK_TRACED);
static_assert(FXT_LINUX_EXIT_DEAD == EXIT_DEAD);
static_assert(FXT_LINUX_EXIT_ZOMBIE == EXIT_ZOMBIE);
static_assert(FXT_LINUX_PARKED == TASK_PARKED);
static_assert(FXT_LINUX_DEAD == TASK_DEAD);
static_assert(FXT_LINUX_NOLOAD == TASK_NOLOAD);
static_assert(FXT_LINUX_RTLOCK_WAIT == TASK_RTLOCK_WAIT);
static_assert(FXT_LINUX_FROZEN == TASK_FROZEN);

/**
 * fxt_task_blocked() - is a task not runnable?
 * @p: a task that is being switched out, or that is about to be woken
 *
 * Its state does not answer that: with a signal pending, a task that is about to sleep
 * stays runnable.
 *
 * Context: @p's run queue lock or its pi_lock is held.
 */
static __always_inline bool fxt_task_blocked(struct task_struct *p)
{
	return !FXT_TASK_QUEUED(p);
}

#endif /* FXT_KMOD_TASK_STATE_H */
