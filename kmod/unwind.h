/* SPDX-License-Identifier: GPL-2.0 */
/*
 * unwind.h - the stack of a thread that does not run, in kernels before 6.12.
 *
 * They do not export stack_trace_save_tsk(). On x86 the unwinder itself is exported; elsewhere
 * a module has no way to get the stack.
 */
#ifndef FXT_KMOD_UNWIND_H
#define FXT_KMOD_UNWIND_H

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sizes.h>

#ifdef CONFIG_X86_64

#include <asm/unwind.h>

/*
 * Is the address in a function by which threads sleep? These functions are in a section of
 * their own, whose ends are not exported. But two exported functions are close to its ends:
 * one of the scheduler and one of high-resolution timers, which are linked first and last.
 */
static inline bool fxt_is_between_sleeps(unsigned long address)
{
	return address >= (unsigned long)io_schedule_timeout &&
	       address < (unsigned long)schedule_hrtimeout;
}

/*
 * A kernel may be linked in another order. Then nothing is taken for the scheduler: the stacks
 * begin with its functions, and none is lost.
 */
static inline bool fxt_is_in_scheduler(unsigned long address)
{
	return (unsigned long)schedule_hrtimeout - (unsigned long)io_schedule_timeout < SZ_1M &&
	       fxt_is_between_sleeps((unsigned long)schedule_timeout) &&
	       fxt_is_between_sleeps((unsigned long)down_read) &&
	       fxt_is_between_sleeps((unsigned long)wait_for_completion) &&
	       !fxt_is_between_sleeps((unsigned long)wake_up_process) &&
	       !fxt_is_between_sleeps((unsigned long)complete) &&
	       fxt_is_between_sleeps(address);
}

/**
 * fxt_unwind_task() - stack_trace_save_tsk() of newer kernels
 * @p: a thread that does not run
 * @store: set to addresses, innermost first, without functions by which threads sleep
 * @size: room in @store
 * @skip: 0
 *
 * Context: the run queue lock of @p is held.
 *
 * Return: number of addresses.
 */
static inline unsigned int fxt_unwind_task(struct task_struct *p, unsigned long *store,
					   unsigned int size, unsigned int skip)
{
	struct unwind_state state;
	unsigned long address;
	unsigned int count = 0;

	unwind_start(&state, p, NULL, NULL);
	for (; count < size && !unwind_done(&state); unwind_next_frame(&state)) {
		address = unwind_get_return_address(&state);
		if (!address)
			break;
		if (!fxt_is_in_scheduler(address))
			store[count++] = address;
	}
	return count;
}

#else

static inline unsigned int fxt_unwind_task(struct task_struct *p, unsigned long *store,
					   unsigned int size, unsigned int skip)
{
	return 0;
}

#endif

#endif /* FXT_KMOD_UNWIND_H */
