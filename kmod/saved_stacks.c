// SPDX-License-Identifier: GPL-2.0
/*
 * saved_stacks.c - the stacks of programs whose threads are off the CPU.
 *
 * In:  a thread that is switched out. Out: the stack of its program, when the thread is
 * switched in again, because only then it is known whether the stack is wanted.
 *
 * Memory cannot be allocated where threads are switched. So each session has a hash table of
 * fixed size, in which a thread keeps its place until it exits. The next thread ids have the
 * next places, so threads whose ids are close together do not compete for places.
 *
 * - A place is taken by the one that stores its tid, by cmpxchg(). Only the CPU that switches
 *   out the thread with this tid does so, and only the thread itself returns it.
 * - The other fields are stored when the thread is switched out, and loaded when it is
 *   switched in. The scheduler orders these, as it does for struct fxt_task.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>

#include <fxt/fxt_sched_stack.h>

#include "saved_stacks.h"
#include "user_stack.h"

#define FXT_SAVED_STACKS		(1U << 15)
#define FXT_SAVED_STACKS_TRIED	8U	/* places for one thread */

/**
 * struct fxt_kept_stack - a place of the table
 * @tid: thread id; 0 if the place is free
 * @count: number of frames
 * @copied: words of the copy behind them
 * @since: ticks of the switch that switched the thread out, by which the frames of an earlier
 *	one are recognized
 * @frames: room for fxt_saved_stacks.depth and the copy
 */
struct fxt_kept_stack {
	u32 tid;
	u16 count;
	u16 copied;
	u64 since;
	u64 frames[];
};

static size_t fxt_kept_stack_bytes(unsigned int depth)
{
	return sizeof(struct fxt_kept_stack) + (depth + FXT_SCHED_COPY_WORDS) * sizeof(u64);
}

/**
 * fxt_saved_stacks_bytes() - the memory that a table takes
 * @depth: frames of a stack
 *
 * Context: any.
 *
 * Return: bytes.
 */
u64 fxt_saved_stacks_bytes(unsigned int depth)
{
	return (u64)FXT_SAVED_STACKS * fxt_kept_stack_bytes(depth);
}

/**
 * fxt_saved_stacks_init() - make an empty table
 * @k: the table, zeroed
 * @depth: frames of a stack
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_saved_stacks_init(struct fxt_saved_stacks *k, unsigned int depth)
{
	k->depth = depth;
	k->places = kvzalloc(fxt_saved_stacks_bytes(depth), GFP_KERNEL);
	return k->places ? 0 : -ENOMEM;
}

/**
 * fxt_saved_stacks_free() - free a table
 * @k: the table, or zeroes
 *
 * Context: may sleep; no probe runs.
 */
void fxt_saved_stacks_free(struct fxt_saved_stacks *k)
{
	kvfree(k->places);
}

/* The place that is tried @n-th for a thread. */
static struct fxt_kept_stack *fxt_kept_stack(const struct fxt_saved_stacks *k, u32 tid, u32 n)
{
	return k->places + (tid + n) % FXT_SAVED_STACKS * fxt_kept_stack_bytes(k->depth);
}

/**
 * fxt_saved_stacks_clear() - forget all threads
 * @k: the table, or zeroes
 *
 * Context: may sleep; no probe runs.
 */
void fxt_saved_stacks_clear(struct fxt_saved_stacks *k)
{
	u32 n;

	for (n = 0; k->places && n < FXT_SAVED_STACKS; n++)
		fxt_kept_stack(k, 0, n)->tid = 0;
}

static struct fxt_kept_stack *fxt_saved_stacks_find(const struct fxt_saved_stacks *k, u32 tid)
{
	struct fxt_kept_stack *place;
	u32 n;

	for (n = 0; n < FXT_SAVED_STACKS_TRIED; n++) {
		place = fxt_kept_stack(k, tid, n);
		if (READ_ONCE(place->tid) == tid)
			return place;
	}
	return NULL;
}

static struct fxt_kept_stack *fxt_saved_stacks_take(const struct fxt_saved_stacks *k, u32 tid)
{
	struct fxt_kept_stack *place;
	u32 n;

	for (n = 0; n < FXT_SAVED_STACKS_TRIED; n++) {
		place = fxt_kept_stack(k, tid, n);
		/* A full barrier, which pairs with the release in fxt_saved_stacks_forget(). */
		if (!READ_ONCE(place->tid) && !cmpxchg(&place->tid, 0, tid))
			return place;
	}
	return NULL;
}

/**
 * fxt_saved_stacks_put() - keep the stack of the current thread's program
 * @k: the table
 * @tid: its thread id
 * @since: ticks of the switch that switches it out now
 *
 * Context: the run queue lock is held.
 */
void fxt_saved_stacks_put(struct fxt_saved_stacks *k, u32 tid, u64 since)
{
	struct fxt_kept_stack *place = fxt_saved_stacks_find(k, tid);
	unsigned int copied;

	if (!place)
		place = fxt_saved_stacks_take(k, tid);
	if (unlikely(!place)) {
		atomic64_inc(&k->dropped);
		return;
	}
	place->count = fxt_user_stack(place->frames, k->depth, &copied);
	place->copied = copied;
	place->since = since;
}

/**
 * fxt_saved_stacks_get() - get the stack of a thread's program
 * @k: the table
 * @tid: thread id; the thread is switched in
 * @since: ticks of the switch that switched it out
 * @to: set to the frames and the copy behind them; room for fxt_saved_stacks.depth +
 *	FXT_SCHED_COPY_WORDS
 * @copied: set to words of the copy
 *
 * Context: the run queue lock is held.
 *
 * Return: number of frames; 0 if none were kept then.
 */
unsigned int fxt_saved_stacks_get(const struct fxt_saved_stacks *k, u32 tid, u64 since, u64 *to,
				  unsigned int *copied)
{
	const struct fxt_kept_stack *place = fxt_saved_stacks_find(k, tid);

	*copied = 0;
	if (!place || place->since != since)
		return 0;
	*copied = place->copied;
	memcpy(to, place->frames, (place->count + place->copied) * sizeof(*to));
	return place->count;
}

/**
 * fxt_saved_stacks_forget() - return a thread's place
 * @k: the table, or zeroes
 * @tid: thread id; the current thread has or had it, and will not be switched out with it
 *
 * Context: process context.
 */
void fxt_saved_stacks_forget(struct fxt_saved_stacks *k, u32 tid)
{
	struct fxt_kept_stack *place = k->places ? fxt_saved_stacks_find(k, tid) : NULL;

	/* After the last use of the other fields. Pairs with fxt_saved_stacks_take(). */
	if (place)
		smp_store_release(&place->tid, 0);
}
