/* SPDX-License-Identifier: GPL-2.0 */
/*
 * deferred.bpf.h - records of programs that interrupt another program while it writes.
 *
 * In:  records that must not go into the ring now.
 * Out: the same, in order, for the interrupted program, which moves them into the ring after it
 * has written its own record.
 *
 * deferred.h describes the levels. The producers of a queue are programs that interrupt its
 * consumer, and end before it continues. So a producer may change anything in the queue. The
 * consumer only touches the half that producers do not use, and exchanges the halves with one
 * store. All of them run on one CPU, so program order suffices; barrier() keeps the compiler from
 * changing it.
 */
#ifndef BPF_DEFERRED_BPF_H
#define BPF_DEFERRED_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "deferred.h"
#include "fxt/fxt_sched.h"
#include "fxt/fxt_sched_custom.h"

_Static_assert(FXT_SCHED_CUSTOM_WORDS <= FXT_DEFERRED_WORDS / 2 &&
	       FXT_SCHED_STACK_WORDS + FXT_SCHED_COPY_WORDS <= FXT_DEFERRED_WORDS / 2,
	       "two of any records have room");

/* Some programs write with interrupts on. Without such programs, no record is ever deferred. */
const volatile __u32 interruptible;
const volatile __u32 deferred_limit;	/* the last word of a queue at which a record may begin */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);			/* set before loading */
	__type(key, __u32);
	__type(value, struct fxt_deferred);
} deferred SEC(".maps");

/* The queue for programs that interrupt a program at @level; NULL if there is no such level. */
static __always_inline struct fxt_deferred *find_deferred(__u32 cpu, __u32 level)
{
	__u32 index = cpu * FXT_DEFERRED_LEVELS + level;

	return level < FXT_DEFERRED_LEVELS ? bpf_map_lookup_elem(&deferred, &index) : NULL;
}

/* The half that takes records. */
static __always_inline struct fxt_deferred_half *taking_half(struct fxt_deferred *q)
{
	return &q->halves[*(volatile __u64 *)&q->side & 1];
}

/* Find room for a record in a queue, or count it as lost. */
static __always_inline __u64 *deferred_reserve(struct fxt_deferred *q, __u32 kind, __u64 time)
{
	struct fxt_deferred_half *h = taking_half(q);
	__u64 words = h->words;

	barrier_var(words);
	h->counts[kind & (FXT_RING_COUNTS - 1)]++;
	if (words > deferred_limit) {
		h->counts[FXT_RING_LOST]++;
		return NULL;
	}
	if (!words)
		h->first = time;
	h->last = time;
	return h->records + words;
}

static __always_inline void deferred_commit(struct fxt_deferred *q, __u32 words)
{
	taking_half(q)->words += words;
}

/* Count a record as lost. */
static __always_inline void deferred_lose(struct fxt_deferred *q, __u32 kind)
{
	struct fxt_deferred_half *h = taking_half(q);

	h->counts[kind & (FXT_RING_COUNTS - 1)]++;
	h->counts[FXT_RING_LOST]++;
}

/* Exchange the halves. Return: the one that took records until now. */
static __always_inline struct fxt_deferred_half *deferred_exchange(struct fxt_deferred *q)
{
	struct fxt_deferred_half *h = taking_half(q);

	barrier();
	*(volatile __u64 *)&q->side = q->side ^ 1;
	barrier();
	return h;
}

/* Empty a half, so that it can take records again. */
static __always_inline void deferred_empty(struct fxt_deferred_half *h)
{
	h->words = 0;
	__builtin_memset(h->counts, 0, sizeof(h->counts));
}

#endif /* BPF_DEFERRED_BPF_H */
