/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fast.bpf.h - the fast path to the ring, for nearly all records of most sessions.
 *
 * In:  a record of an event that happens now.
 * Out: room for it in the open sub-buffer.
 *
 * The fast path is for sessions without filter and trigger. It requires that the program has not
 * interrupted one that writes, the clock did not step back, and the sub-buffer is open and stays
 * open. Otherwise the program calls functions that handle everything, before it stores anything
 * that these would not store.
 */
#ifndef BPF_FAST_BPF_H
#define BPF_FAST_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "fxt/fxt_sched_event.h"
#include "nested.bpf.h"
#include "ring.bpf.h"

const volatile __u32 fast_nested;	/* programs with interrupts on may take the fast path */

/* A slice that ends now. */
struct fast_slice {
	__u64 end;	/* ticks */
	__u64 *rec;	/* room for an event's record */
};

/* Return: NULL if there is no room behind the last record. */
static __always_inline __u64 *fast_room_here(struct fxt_ring *ring)
{
	__u64 *buf, *rec, word;

	if (rings_subbufs()) {
		if (ring->index >= rings_subbufs())
			return NULL;
		buf = rings_subbuf(ring->index);
	} else {
		buf = bpf_map_lookup_elem(&subbufs, &ring->index);
		if (!buf)
			return NULL;
	}
	/* Without an open sub-buffer, the mask makes this the largest number. */
	word = (ring->head - 1) & FXT_RING_WORDS_MASK;
	/* The verifier must see a check of the value in use, not of a copy. */
	barrier_var(word);
	if (word >= rings_fast())
		return NULL;
	rec = buf + word;
	/* Otherwise the compiler keeps the operands, in more registers than there are. */
	barrier_var(rec);
	return rec + 1;
}

/*
 * Find room for a record of a program that nothing interrupts. For programs, not for functions that
 * they call.
 *
 * Return: room for the largest event, to be followed by fast_commit(); NULL if the slow path must
 * write it.
 */
static __always_inline __u64 *fast_room(struct fxt_ring *ring)
{
	if (PATCHED(FXT_BPF_MARK_NESTING) && ring->writing)
		return NULL;
	return fast_room_here(ring);
}

/*
 * Publish a record of @words. @ring: not changed since fast_room(). @kind: the counter that counts
 * the record; a compile-time constant. @now: ticks, not before the last record.
 */
static __always_inline void fast_commit(struct fxt_ring *ring, enum fxt_ring_count kind,
					__u64 now, __u64 words)
{
	ring->counts[kind]++;
	ring->last = now;
	ring_publish(&ring->head, ring->head + words);
}

/* Return: false if the fast path has no room. */
static __always_inline bool fast_slice_has_room(struct fast_slice *slice, struct fxt_ring *ring)
{
	slice->rec = fast_room_here(ring);
	return slice->rec;
}

/* Return: false if the clock stepped back. */
static __always_inline bool fast_slice_is_in_order(const struct fast_slice *slice,
						   const struct fxt_ring *ring, __u64 begin)
{
	return slice->end >= begin && slice->end >= ring->last;
}

/*
 * Begin to write the slice of a program that nothing interrupts, since @begin. For programs, not
 * for functions that they call.
 *
 * Return: true, to be followed by fast_slice_commit(); false if the slow path must write it.
 */
static __always_inline bool fast_slice_ends(struct fast_slice *slice, struct fxt_ring *ring,
					    __u64 begin)
{
	if (ring->writing || !fast_slice_has_room(slice, ring))
		return false;
	slice->end = clock_now_inline();
	return fast_slice_is_in_order(slice, ring, begin);
}

static __always_inline void fast_slice_commit(const struct fast_slice *slice,
					      struct fxt_ring *ring, __u64 words)
{
	fast_commit(ring, FXT_RING_EVENTS, slice->end, words);
}

/* Move records that interrupts have queued meanwhile. */
static __noinline int fast_nested_late(struct fxt_ring *ring, __u32 cpu)
{
	struct place at = { .ring = ring, .cpu = cpu };

	return leave_late(&at);
}

/* Let others write to the ring again. */
static __always_inline void fast_nested_end(struct fxt_ring *ring, __u32 cpu)
{
	if (!leave(ring, 0))
		fast_nested_late(ring, cpu);
}

/*
 * Begin to write the slice of a program that can be interrupted. @slice: its end is set. Like
 * nested_begin(), at the outermost level.
 *
 * Return: true, to be followed by fast_nested_end(); false if the slow path must write it from the
 * beginning.
 */
static __always_inline bool fast_nested_begin(struct fast_slice *slice, struct fxt_ring *ring)
{
	if (!fast_nested)
		return false;
	slice->end = clock_now_inline();
	if (ring->writing)
		return false;
	nested_enter(ring, 0, slice->end);
	/* Check again, for the reason in nested_begin(). */
	if (is_recording())
		return true;
	fast_nested_end(ring, rings_index(this_cpu()));
	return false;
}

#endif /* BPF_FAST_BPF_H */
