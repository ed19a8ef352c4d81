/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel_stack.h - call stacks in the kernel.
 */
#ifndef FXT_KMOD_KERNEL_STACK_H
#define FXT_KMOD_KERNEL_STACK_H

#include <linux/types.h>

struct task_struct;

#define FXT_OWN_FRAMES	4	/* of this module, between the tracepoint and the unwinder */

#ifdef CONFIG_STACKTRACE

unsigned int fxt_kernel_stack_of(struct task_struct *p, u64 *frames, unsigned int most);
unsigned int fxt_kernel_stack_here(u64 *frames, unsigned int most, unsigned long caller);

#else

static inline unsigned int fxt_kernel_stack_of(struct task_struct *p, u64 *frames,
					       unsigned int most)
{
	return 0;
}

static inline unsigned int fxt_kernel_stack_here(u64 *frames, unsigned int most,
						 unsigned long caller)
{
	return 0;
}

#endif

#endif /* FXT_KMOD_KERNEL_STACK_H */
