/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kept_stacks.h - the stacks of programs whose threads are off the CPU.
 */
#ifndef FXT_KMOD_KEPT_STACKS_H
#define FXT_KMOD_KEPT_STACKS_H

#include <linux/atomic.h>
#include <linux/types.h>

/**
 * struct fxt_kept_stacks - a table of stacks, by tid
 * @places: FXT_KEPT_STACKS of them; NULL for no table
 * @depth: frames of a place, which has a copy beside
 * @cut: stacks that found no place
 */
struct fxt_kept_stacks {
	void *places;
	unsigned int depth;
	atomic64_t cut;
};

u64 fxt_kept_stacks_bytes(unsigned int depth);
int fxt_kept_stacks_init(struct fxt_kept_stacks *k, unsigned int depth);
void fxt_kept_stacks_free(struct fxt_kept_stacks *k);
void fxt_kept_stacks_clear(struct fxt_kept_stacks *k);
void fxt_kept_stacks_put(struct fxt_kept_stacks *k, u32 tid, u64 since);
unsigned int fxt_kept_stacks_get(const struct fxt_kept_stacks *k, u32 tid, u64 since, u64 *to,
				 unsigned int *copied);
void fxt_kept_stacks_forget(struct fxt_kept_stacks *k, u32 tid);

#endif /* FXT_KMOD_KEPT_STACKS_H */
