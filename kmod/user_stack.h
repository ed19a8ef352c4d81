/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_stack.h - the call stacks of programs: of the current thread, and, as they were then, of
 * threads that are off the CPU.
 *
 * The stack of a program can be taken of the current thread only: when it is switched out. Only
 * when the thread is switched in again is it known whether the stack is wanted, so it is saved
 * until then.
 */
#ifndef FXT_KMOD_USER_STACK_H
#define FXT_KMOD_USER_STACK_H

#include <linux/atomic.h>
#include <linux/kconfig.h>
#include <linux/types.h>

struct fxt_config;
struct fxt_reason;

/* Architectures whose programs' frames user_stack.c knows. */
#define FXT_USER_STACKS		(IS_ENABLED(CONFIG_X86_64) || IS_ENABLED(CONFIG_ARM64))

/* A table of stacks, by tid. */
struct fxt_saved_stacks {
	void *places;		/* FXT_SAVED_STACKS of them; NULL for no table */
	unsigned int depth;	/* max frames per entry; a copy of the stack follows */
	u64 memory;		/* bytes of @places, as taken from the limits */
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
