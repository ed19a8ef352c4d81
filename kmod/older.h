/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * older.h - functions of newer kernels for older ones: timers, suspend and resume, stacks.
 */
#ifndef FXT_KMOD_OLDER_H
#define FXT_KMOD_OLDER_H

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/syscore_ops.h>

#ifndef FXT_HAS_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

#ifndef FXT_HAS_SYSCORE_DATA
/* As in newer kernels. */
struct syscore {
	struct syscore_ops *ops;	/* the callbacks */
};

static inline void register_syscore(struct syscore *syscore)
{
	register_syscore_ops(syscore->ops);
}

static inline void unregister_syscore(struct syscore *syscore)
{
	unregister_syscore_ops(syscore->ops);
}
#endif

#ifndef FXT_HAS_STACK_TRACE_SAVE_TSK

/*
 * --- the stack of a thread that does not run ---
 *
 * Before 6.12, kernels do not export stack_trace_save_tsk(). On x86 the unwinder itself is
 * exported; elsewhere a module has no way to get the stack.
 */
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

#endif

#endif /* FXT_KMOD_OLDER_H */
