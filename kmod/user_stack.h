/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_stack.h - call stacks of programs, of the current thread and of threads that are off the
 * CPU.
 *
 * A program's stack can be read only while its thread is current: at the switch-out. Only the
 * switch-in shows whether it is needed, so it is saved until then.
 */
#ifndef FXT_KMOD_USER_STACK_H
#define FXT_KMOD_USER_STACK_H

#include <linux/atomic.h>
#include <linux/kconfig.h>
#include <linux/types.h>

struct fxt_config;
struct fxt_reason;

/* Architectures whose frames user_stack.c knows. */
#define FXT_USER_STACKS		(IS_ENABLED(CONFIG_X86_64) || IS_ENABLED(CONFIG_ARM64))

/* Stacks by tid. */
struct fxt_saved_stacks {
	void *places;		/* FXT_SAVED_STACKS of them; or NULL */
	unsigned int depth;	/* max frames per entry; a copy of the stack follows */
	u64 memory;		/* of @places, as charged to the limits */
	atomic64_t dropped;	/* stacks that found no place */
};

unsigned int fxt_user_stack(u64 *frames, unsigned int most, unsigned int *copied);

int fxt_saved_stacks_init(struct fxt_saved_stacks *k, const struct fxt_config *config,
			  struct fxt_reason *reason);
void fxt_saved_stacks_free(struct fxt_saved_stacks *k);
void fxt_saved_stacks_clear(struct fxt_saved_stacks *k);
void fxt_saved_stacks_put(struct fxt_saved_stacks *k, u32 tid, u64 since);
unsigned int fxt_saved_stacks_get(const struct fxt_saved_stacks *k, u32 tid, u64 since, u64 *to,
				  unsigned int *copied);
void fxt_saved_stacks_forget(struct fxt_saved_stacks *k, u32 tid);

#endif /* FXT_KMOD_USER_STACK_H */
