// SPDX-License-Identifier: GPL-2.0
/*
 * kernel_stack.c - call stacks in the kernel, by the kernel's own unwinder.
 *
 * In:  a thread. Out: addresses, innermost first.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "compat.h"
#include "kernel_stack.h"

#ifdef CONFIG_STACKTRACE

/**
 * fxt_kernel_stack_of() - the stack of a thread that does not run
 * @p: the thread
 * @frames: set to addresses, from the function that called the scheduler on
 * @most: room in @frames
 *
 * Context: the run queue lock of @p is held; FXT_STACKS_OF_TASKS is true.
 *
 * Return: number of addresses; 0 if the kernel cannot unwind the stack.
 */
unsigned int fxt_kernel_stack_of(struct task_struct *p, u64 *frames, unsigned int most)
{
	return FXT_STACK_OF_TASK(p, (unsigned long *)frames, most, 0);
}

/**
 * fxt_kernel_stack_here() - the stack of the current context
 * @frames: set to addresses; its room is for FXT_OWN_FRAMES more
 * @most: number of addresses
 * @caller: the first address: the return address of the probe
 *
 * Context: any.
 *
 * Return: number of addresses; 0 if the kernel cannot unwind the stack.
 */
noinline unsigned int fxt_kernel_stack_here(u64 *frames, unsigned int most,
					    unsigned long caller)
{
	unsigned int count = stack_trace_save((unsigned long *)frames,
					      most + FXT_OWN_FRAMES, 1), own = 0;

	/* Skip our own frames; inlining decides how many there are. */
	while (own < count && own < FXT_OWN_FRAMES && frames[own] != caller)
		own++;
	/* The unwinder has not met the probe's caller, so no frame is known to be ours. */
	if (own == count || frames[own] != caller)
		own = 0;
	count = min(count - own, most);
	memmove(frames, frames + own, count * sizeof(*frames));
	return count;
}

#endif
