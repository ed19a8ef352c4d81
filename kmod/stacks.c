// SPDX-License-Identifier: GPL-2.0
/*
 * stacks.c - see stacks.h.
 */
#include <linux/kconfig.h>

#include "clock.h"
#include "compat.h"
#include "config.h"
#include "stacks.h"
#include "user_stack.h"
#include "util.h"

/**
 * fxt_stacks_check() - can this kernel serve a session with such stacks?
 * @what: FXT_SCHED_STACKS_*
 * @reason: says why not
 *
 * Context: any.
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int fxt_stacks_check(u32 what, struct fxt_reason *reason)
{
	if (what && !IS_ENABLED(CONFIG_64BIT))
		return fxt_refuse(reason, -EOPNOTSUPP,
				  "stacks: the addresses in records are those of 64-bit kernels");
	if (what & FXT_SCHED_STACKS_KERNEL && !IS_ENABLED(CONFIG_STACKTRACE))
		return fxt_refuse(reason, -EOPNOTSUPP,
				  "stacks of the kernel: this kernel is built without CONFIG_STACKTRACE");
	if (what & FXT_SCHED_STACKS_KERNEL && what & FXT_STACKS_OFF && !FXT_STACKS_OF_TASKS)
		return fxt_refuse(reason, -EOPNOTSUPP,
				  "stacks of the kernel: this kernel lets no module unwind the stack of another thread (stack_trace_save_tsk, from 6.12); record those of wakers or of programs only, or use the BPF source");
	if (what & FXT_SCHED_STACKS_USER && !FXT_USER_STACKS)
		return fxt_refuse(reason, -EOPNOTSUPP,
				  "stacks of programs: the module knows the frames of x86-64 and arm64 only");
	return 0;
}

/**
 * fxt_stacks_init() - prepare to record what a session's configuration asks for
 * @stacks: zeroed
 * @config: the configuration
 * @clock: the session's clock
 * @reason: says why not
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_stacks_init(struct fxt_stacks *stacks, const struct fxt_config *config,
		    const struct fxt_clock *clock, struct fxt_reason *reason)
{
	u64 bytes = fxt_saved_stacks_bytes(config->stacks_depth);
	int ret;

	stacks->what = config->stacks;
	stacks->depth = config->stacks_depth;
	stacks->min = fxt_clock_ticks(clock, config->stacks_min);
	if (!(stacks->what & FXT_SCHED_STACKS_USER) || !(stacks->what & FXT_STACKS_OFF))
		return 0;
	ret = fxt_limits_take_memory(bytes, reason);
	if (ret)
		return ret;
	stacks->memory = bytes;
	return fxt_saved_stacks_init(&stacks->saved, stacks->depth);
}

/**
 * fxt_stacks_free() - free what fxt_stacks_init() allocated
 * @stacks: the stacks; fxt_stacks_init() may have failed
 *
 * Context: may sleep; no probe runs.
 */
void fxt_stacks_free(struct fxt_stacks *stacks)
{
	fxt_saved_stacks_free(&stacks->saved);
	fxt_limits_return_memory(stacks->memory);
}
