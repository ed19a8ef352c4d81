/* SPDX-License-Identifier: GPL-2.0 */
/*
 * nested.bpf.h - writing to the ring with interrupts on.
 *
 * In:  records of programs that others can interrupt. Out: the same in the ring, and after
 * them the records of the programs that came in between (deferred.h). Where the kernel lets
 * programs turn interrupts off, it is that instead, and nothing comes in between. There
 * tracepoints may leave preemption on: then another thread could come in between, and a
 * queue would not do.
 */
#ifndef BPF_NESTED_BPF_H
#define BPF_NESTED_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "mask.bpf.h"
#include "ring.bpf.h"

/* How often interrupts that come while a queue is emptied are followed up. */
#define ROUNDS	4

/* What was stored before is valid for those that interrupt this program from now on. */
static __always_inline void set_writing(struct fxt_ring *ring, __u32 writing)
{
	barrier();
	*(volatile __u32 *)&ring->writing = writing;
	barrier();
}

/*
 * From now on, others queue up. The clock was read before: what is deferred is later than the
 * record of this program, although those who come may read an older time.
 */
static __always_inline void nested_enter(struct fxt_ring *ring, __u32 level, __u64 now)
{
	__u64 *floor = OF_LEVEL(ring->floor, level);

	if (*floor < now)
		*floor = now;
	set_writing(ring, level + 1);
}

/* The last word of a sub-buffer at which as much can be written as a queue holds. */
static __always_inline __u32 last_word_for_all(void)
{
	return subbuf_words - FXT_RING_FOOTER_WORDS - FXT_DEFERRED_WORDS;
}

static __always_inline void add_counts(__u64 *to, const struct fxt_deferred_half *h)
{
	__u32 i;

	for (i = 0; i < FXT_RING_COUNTS; i++)
		to[i] += h->counts[i];
}

/* The records of a half, given as the number that it counts without those it lost. */
static __always_inline __u64 records_of(const struct fxt_deferred_half *h)
{
	return h->counts[FXT_RING_SWITCHES] + h->counts[FXT_RING_WAKEUPS] +
	       h->counts[FXT_RING_EVENTS] - h->counts[FXT_RING_LOST];
}

/*
 * Open a sub-buffer that has room for all records of a queue. One that has less room than a
 * full queue needs is completed before, so that the verifier sees that all fits.
 *
 * Return: the first word, or 0 if all sub-buffers wait for the consumer.
 */
static __always_inline __u64 open_for_all(struct place *at)
{
	struct fxt_ring *ring = at->ring;

	if ((ring->head & FXT_RING_WORDS_MASK) > last_word_for_all()) {
		at->buf = ring_subbuf(ring);
		if (!at->buf)
			return 0;
		ring_complete(ring, at->buf, ring->head);
	}
	at->buf = ring_subbuf(ring);
	if (!at->buf)
		return 0;
	at->head = ring->head;
	if (at->head & FXT_RING_WORDS_MASK)
		return at->head & FXT_RING_WORDS_MASK;
	if (ring_open(ring, at->buf, at->time, at->cpu))
		return 0;
	at->head += FXT_LEDGER_WORDS;
	return FXT_LEDGER_WORDS;
}

/* Move the records of a half into the ring. */
static __always_inline void move_to_ring(struct place *at, struct fxt_deferred_half *h)
{
	__u64 bytes = h->words * FXT_WORD, words;

	at->time = h->first;
	words = open_for_all(at);
	barrier_var(words);
	barrier_var(bytes);
	add_counts(at->ring->counts, h);
	if (!words || words > last_word_for_all() || !bytes ||
	    bytes > FXT_DEFERRED_WORDS * FXT_WORD) {
		at->ring->counts[FXT_RING_LOST] += records_of(h);
		return;
	}
	bpf_probe_read_kernel(at->buf + words, bytes, h->records);
	at->time = h->last;
	ring_commit_here(at, h->words);
}

/* Move the records of a half into the queue of the level further out, the outermost. */
static __always_inline void move_outwards(struct place *at, struct fxt_deferred_half *h)
{
	struct fxt_deferred_half *to = taking_half(at->queue);
	__u64 bytes = h->words * FXT_WORD, words = to->words;

	barrier_var(words);
	barrier_var(bytes);
	at->ring->queued[0] = 1;
	add_counts(to->counts, h);
	if (words > FXT_DEFERRED_WORDS / 2 || !bytes ||
	    bytes > FXT_DEFERRED_WORDS / 2 * FXT_WORD) {
		to->counts[FXT_RING_LOST] += records_of(h);
		return;
	}
	bpf_probe_read_kernel(to->records + words, bytes, h->records);
	if (!words)
		to->first = h->first;
	to->last = h->last;
	at->ring->floor[0] = h->last;
	to->words = words + h->words;
}

/* Count the records of a half as lost, where its records would go. */
static __always_inline void lose_all(struct place *at, const struct fxt_deferred_half *h)
{
	__u64 *counts = at->queue ? taking_half(at->queue)->counts : at->ring->counts;

	if (at->queue)
		at->ring->queued[0] = 1;
	add_counts(counts, h);
	counts[FXT_RING_LOST] += records_of(h);
}

/*
 * Let others write again if nothing is queued.
 *
 * An interrupt can come between finding the queue empty and leaving. So the level is marked
 * before: if there is something in the queue, then what comes now has to queue up behind it.
 *
 * Return: false if the queue is not empty; then others do not write.
 */
static __always_inline bool leave(struct fxt_ring *ring, __u32 level)
{
	set_writing(ring, level | FXT_DEFERRED_LEAVING);
	if (!*(volatile __u32 *)OF_LEVEL(ring->queued, level)) {
		set_writing(ring, level);
		return true;
	}
	set_writing(ring, level + 1);
	return false;
}

/*
 * Move what is queued to where this program's record is, and let others write again.
 *
 * What is in the queue after the last round is lost: others write now, and their records
 * are later. It is counted by the next program that comes here, or at the end.
 */
static __noinline int leave_late(const struct place *from)
{
	struct fxt_deferred *q = find_deferred(from->cpu, from->level);
	struct place at = *from;
	struct fxt_deferred_half *h;
	__u32 i;

	if (!q)
		return 0;
	for (i = 0; i < ROUNDS; i++) {
		*(volatile __u32 *)OF_LEVEL(at.ring->queued, from->level) = 0;
		barrier();
		/* What comes before this is moved now, and makes one more round. */
		h = deferred_exchange(q);
		if (q->stale)
			lose_all(&at, h);
		else if (at.queue)
			move_outwards(&at, h);
		else if (h->words || h->counts[FXT_RING_LOST])
			move_to_ring(&at, h);
		q->stale = 0;
		deferred_empty(h);
		if (leave(from->ring, from->level))
			return 0;
	}
	q->stale = 1;
	set_writing(from->ring, from->level);
	return 0;
}

/*
 * The recording has ended, so nothing is written. What further levels have queued meanwhile
 * belongs into the ring; user space counts as lost what stays in a queue.
 */
static __always_inline void nested_give_up(const struct place *at, unsigned long *flags)
{
	mask_restore(flags);
	if (!interruptible || at->level >= FXT_DEFERRED_LEVELS)
		return;
	if (at->level)
		set_writing(at->ring, at->level);
	else if (!leave(at->ring, 0))
		leave_late(at);
}

/**
 * nested_begin() - begin to write one record; interrupts may be on
 * @at: ring and CPU are set
 * @flags: for nested_end()
 *
 * The caller has seen "recording" with interrupts on, and may have been interrupted or preempted
 * since. User space ends the recording, interrupts each CPU, and then waits until no program writes
 * (rings_wait()). So look again where that sees this program: with interrupts off, or as one that
 * writes.
 *
 * Return: 0, to be followed by nested_end() after ring_reserve() and ring_commit(); or -1
 * if nothing is recorded.
 */
static __always_inline int nested_begin(struct place *at, unsigned long *flags)
{
	mask_save(flags);
	if (ring_begin(at, extras)) {
		mask_restore(flags);
		return -1;
	}
	/*
	 * After reading the clock: what is deferred from now on is later than this record.
	 * What came in between is in the ring, and ring_reserve() takes care of it.
	 */
	if (interruptible) {
		ring_settle_level(at);
		/* Nothing interrupts the innermost level, a hard interrupt. */
		if (at->level < FXT_DEFERRED_LEVELS)
			nested_enter(at->ring, at->level, at->now);
	}
	if (!is_recording()) {
		nested_give_up(at, flags);
		return -1;
	}
	return 0;
}

/**
 * nested_end() - let others write to the ring again
 * @at: as nested_begin() left it
 * @flags: likewise
 */
static __always_inline void nested_end(struct place *at, unsigned long *flags)
{
	mask_restore(flags);
	if (interruptible && at->level < FXT_DEFERRED_LEVELS && !leave(at->ring, at->level))
		leave_late(at);
}

#endif /* BPF_NESTED_BPF_H */
