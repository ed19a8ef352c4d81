/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stacks.h - which call stacks a session records, and what it remembers for them.
 *
 * In:  the session's configuration; threads that are switched out and in. Out: whether a stack
 * is wanted, for stack_record.c.
 *
 * Unwinding a stack costs more than all else. The kernel stack of a thread does not change
 * while the thread is off the CPU, so it is unwound only when the thread is switched in,
 * because then it is known how long it was off. The stack of a program can be taken of the
 * current thread only: when it is switched out, and then kept until it is switched in
 * (saved_stacks.h).
 */
#ifndef FXT_KMOD_STACKS_H
#define FXT_KMOD_STACKS_H

#include <linux/types.h>

#include <linux/fxt_sched.h>

#include "saved_stacks.h"
#include "task_table.h"

struct fxt_clock;
struct fxt_config;
struct fxt_reason;

/* Those of threads that are off the CPU. */
#define FXT_STACKS_OFF	(FXT_SCHED_STACKS_OFFCPU | FXT_SCHED_STACKS_PREEMPT)

/**
 * struct fxt_stacks - stacks to record
 * @what: FXT_SCHED_STACKS_*; 0 for none
 * @depth: frames of the kernel, and of the program, at most
 * @min: ticks that the thread must have been off the CPU
 * @saved: stacks of programs whose threads are off the CPU
 * @memory: bytes of @saved, as taken from the limits
 */
struct fxt_stacks {
	u32 what;
	u32 depth;
	u64 min;
	struct fxt_saved_stacks saved;
	u64 memory;
};

int fxt_stacks_check(u32 what, struct fxt_reason *reason);
int fxt_stacks_init(struct fxt_stacks *stacks, const struct fxt_config *config,
		    const struct fxt_clock *clock, struct fxt_reason *reason);
void fxt_stacks_free(struct fxt_stacks *stacks);

/**
 * fxt_stacks_take() - take the time when a thread that is switched in was switched out
 * @stacks: what the session records
 * @tasks: its tasks
 * @tid: thread id
 *
 * Also while nothing is recorded, so that no stack is of an earlier switch.
 *
 * Context: the run queue lock is held.
 *
 * Return: ticks; 0 if the stack is not wanted.
 */
static __always_inline u64 fxt_stacks_take(const struct fxt_stacks *stacks,
					   const struct fxt_task_table *tasks, pid_t tid)
{
	u64 *off = stacks->what ? fxt_task_off(tasks, tid) : NULL;
	u64 since;

	if (!off || !*off)
		return 0;
	since = *off;
	WRITE_ONCE(*off, 0);
	return since;
}

#endif /* FXT_KMOD_STACKS_H */
