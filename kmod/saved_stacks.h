/* SPDX-License-Identifier: GPL-2.0 */
/*
 * saved_stacks.h - the stacks of programs whose threads are off the CPU.
 */
#ifndef FXT_KMOD_SAVED_STACKS_H
#define FXT_KMOD_SAVED_STACKS_H

#include <linux/atomic.h>
#include <linux/types.h>

/**
 * struct fxt_saved_stacks - a table of stacks, by tid
 * @places: FXT_SAVED_STACKS of them; NULL for no table
 * @depth: max frames per entry; a copy of the stack follows
 * @dropped: stacks that found no place
 */
struct fxt_saved_stacks {
	void *places;
	unsigned int depth;
	atomic64_t dropped;
};

u64 fxt_saved_stacks_bytes(unsigned int depth);
int fxt_saved_stacks_init(struct fxt_saved_stacks *k, unsigned int depth);
void fxt_saved_stacks_free(struct fxt_saved_stacks *k);
void fxt_saved_stacks_clear(struct fxt_saved_stacks *k);
void fxt_saved_stacks_put(struct fxt_saved_stacks *k, u32 tid, u64 since);
unsigned int fxt_saved_stacks_get(const struct fxt_saved_stacks *k, u32 tid, u64 since, u64 *to,
				  unsigned int *copied);
void fxt_saved_stacks_forget(struct fxt_saved_stacks *k, u32 tid);

#endif /* FXT_KMOD_SAVED_STACKS_H */
