/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fast.bpf.h - the fast path to the ring, for nearly all records of most sessions.
 *
 * In:  a record of an event that happens now.
 * Out: room for it in the open sub-buffer.
 *
 * The fast path is for sessions without filter and trigger. The program has not interrupted another
 * one that writes, the clock did not step back, and the sub-buffer is open and stays open. For all
 * other cases, the program calls functions that handle everything, before it stores anything that
 * these would not store.
 */
#ifndef BPF_FAST_BPF_H
#define BPF_FAST_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "fxt/fxt_sched_event.h"
#include "nested.bpf.h"
#include "ring.bpf.h"

const volatile __u32 fast_nested;	/* programs with interrupts on may take the fast path */

/** struct fast_slice - a slice that ends now */
struct fast_slice {
	__u64 end;	/* ticks */
	__u64 *rec;	/* room for the record of an event */
};

/* Find room behind the last record. Return: NULL if there is none. */
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
	/* The verifier must see that the value in use is checked, not a copy. */
	barrier_var(word);
	if (word >= rings_fast())
		return NULL;
	rec = buf + word;
	/* Otherwise the compiler keeps the operands, in more registers than there are. */
	barrier_var(rec);
	return rec + 1;
}

/*
 * Find room for a record of a program that nothing interrupts. For use in programs, not in
 * functions that they call.
 *
 * Return: room for the largest event, to be followed by fast_commit(); or NULL if the slow path has
 * to write it.
 */
static __always_inline __u64 *fast_room(struct fxt_ring *ring)
{
	if (PATCHED(FXT_BPF_MARK_NESTING) && ring->writing)
		return NULL;
	return fast_room_here(ring);
}

/**
 * fast_commit() - publish a record
 * @ring: this CPU's ring; nothing has changed it since fast_room()
 * @kind: the counter that counts the record; a compile-time constant
 * @now: time of the record in ticks, not before the last record
 * @words: size of the record
 */
static __always_inline void fast_commit(struct fxt_ring *ring, enum fxt_ring_count kind,
					__u64 now, __u64 words)
{
	ring->counts[kind]++;
	ring->last = now;
	ring_publish(&ring->head, ring->head + words);
}

/* Find room for a slice. Return: false if the fast path has none. */
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

/**
 * fast_slice_ends() - begin to write the slice of a program that nothing interrupts
 * @slice: filled in
 * @ring: this CPU's ring
 * @begin: ticks of its beginning
 *
 * For use in programs, not in functions that they call.
 *
 * Return: true, to be followed by fast_slice_commit(); or false if the slow path has to
 * write it.
 */
static __always_inline bool fast_slice_ends(struct fast_slice *slice, struct fxt_ring *ring,
					    __u64 begin)
{
	if (ring->writing || !fast_slice_has_room(slice, ring))
		return false;
	slice->end = clock_now_inline();
	return fast_slice_is_in_order(slice, ring, begin);
}

/**
 * fast_slice_commit() - publish the record
 * @slice: the slice
 * @ring: this CPU's ring
 * @words: the record's size
 */
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

/**
 * fast_nested_begin() - begin to write the slice of a program that can be interrupted
 * @slice: its end is set
 * @ring: this CPU's ring
 *
 * Like nested_begin(), at the outermost level.
 *
 * Return: true, to be followed by fast_nested_end(); or false if the slow path has to write
 * it from the beginning.
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
