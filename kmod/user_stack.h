/* SPDX-License-Identifier: GPL-2.0 */
/*
 * user_stack.h - the call stack of the current thread's program.
 */
#ifndef FXT_KMOD_USER_STACK_H
#define FXT_KMOD_USER_STACK_H

#include <linux/kconfig.h>
#include <linux/types.h>

/* Architectures whose programs' frames user_stack.c knows. */
#define FXT_USER_STACKS		(IS_ENABLED(CONFIG_X86_64) || IS_ENABLED(CONFIG_ARM64))

unsigned int fxt_user_stack(u64 *frames, unsigned int most, unsigned int *copied);

#endif /* FXT_KMOD_USER_STACK_H */
