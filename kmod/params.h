/* SPDX-License-Identifier: GPL-2.0 */
/*
 * params.h - the module's parameters: defaults and limits of sessions.
 */
#ifndef FXT_KMOD_PARAMS_H
#define FXT_KMOD_PARAMS_H

#include <linux/types.h>
#include <asm/page.h>

#include <linux/fxt_sched.h>

/**
 * struct fxt_params - the module's parameters
 * @subbuf_size: bytes
 * @subbuf_count: sub-buffers per CPU
 * @clock: which clock
 * @weight: what weights say
 * @max_sessions: that many sessions can exist
 * @max_memory: bytes of the buffers and tables of all sessions; 0 for no limit
 */
struct fxt_params {
	unsigned int subbuf_size;
	unsigned int subbuf_count;
	enum fxt_sched_clock clock;
	enum fxt_sched_weight weight;
	unsigned int max_sessions;
	u64 max_memory;
};

void fxt_params_get(struct fxt_params *params);

/**
 * fxt_subbuf_size_is_valid() - is this a size of sub-buffers?
 * @size: bytes
 *
 * Context: any.
 */
static inline bool fxt_subbuf_size_is_valid(u64 size)
{
	return size && !(size % PAGE_SIZE) && size <= FXT_SCHED_SUBBUF_SIZE_MAX;
}

/**
 * fxt_subbuf_count_is_valid() - is this a number of sub-buffers?
 * @count: sub-buffers per CPU
 *
 * Context: any.
 */
static inline bool fxt_subbuf_count_is_valid(u64 count)
{
	return count >= FXT_SCHED_SUBBUF_COUNT_MIN && count <= FXT_SCHED_SUBBUF_COUNT_MAX;
}

#endif /* FXT_KMOD_PARAMS_H */
