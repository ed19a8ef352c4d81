/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nested.bpf.h - writing to the ring with interrupts on.
 *
 * In:  records of programs that others can interrupt.
 * Out: the same in the ring, followed by the records of the programs that interrupted these
 *      (ring.h). If the kernel lets programs turn interrupts off, they do that instead, and no
 *      record comes in between. On such kernels that is also necessary: tracepoints may leave
 *      preemption on, so another thread could write in between, for which a queue does not suffice.
 */
#ifndef BPF_NESTED_BPF_H
#define BPF_NESTED_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "cpu.bpf.h"
#include "ring.bpf.h"

/* How often a queue is emptied again because interrupts have added records meanwhile. */
#define ROUNDS	4

/* Programs that interrupt this one after it has set fxt_ring.writing see all earlier stores. */
static __always_inline void set_writing(struct fxt_ring *ring, __u32 writing)
{
	barrier();
	*(volatile __u32 *)&ring->writing = writing;
	barrier();
}

/*
 * From now on, programs that interrupt this one use the queue. The clock was read before, so their
 * records must be later than this program's record, even if they read an older time.
 */
static __always_inline void nested_enter(struct fxt_ring *ring, __u32 level, __u64 now)
{
	__u64 *floor = OF_LEVEL(ring->floor, level);

	if (*floor < now)
		*floor = now;
	set_writing(ring, level + 1);
}

/* The last word of a sub-buffer after which a full queue fits. */
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

static __always_inline __u64 records_of(const struct fxt_deferred_half *h)
{
	return h->counts[FXT_RING_SWITCHES] + h->counts[FXT_RING_WAKEUPS] +
	       h->counts[FXT_RING_EVENTS] - h->counts[FXT_RING_LOST];
}

/*
 * Open a sub-buffer that has room for all records of a queue. If the open one has less room than a
 * full queue needs, complete it first, so that the verifier sees that all records fit. Return: the
 * first word; 0 if all sub-buffers wait for the consumer.
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

/* Move the records of a half into the queue of the outermost level. */
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

/* Count the records of a half as lost where they would have been moved. */
static __always_inline void lose_all(struct place *at, const struct fxt_deferred_half *h)
{
	__u64 *counts = at->queue ? taking_half(at->queue)->counts : at->ring->counts;

	if (at->queue)
		at->ring->queued[0] = 1;
	add_counts(counts, h);
	counts[FXT_RING_LOST] += records_of(h);
}

/*
 * Leave the level, so that others write again, if the queue is empty.
 *
 * An interrupt can come between the check of the queue and leaving. So the level is first marked
 * with FXT_DEFERRED_LEAVING: if the queue has a record, later ones are queued after it.
 *
 * Return: false if the queue is not empty; then others still use it.
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
 * Move the queued records to the place of this program's record, and let others write again.
 *
 * Records in the queue after the last round are lost, because others write now, and their records
 * are later. The next program that comes here counts these losses, or user space does at the end.
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
		/* Records that were queued before this are moved now, and cause another round. */
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
 * The recording has ended, so this program writes nothing. Records that others have queued
 * meanwhile go into the ring; user space counts those that stay in a queue as lost.
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

/*
 * Begin to write one record; interrupts may be on. @at: its ring and CPU are set. @flags: for
 * nested_end().
 *
 * The caller has seen "recording" with interrupts on, and may have been interrupted or preempted
 * since. User space ends the recording, interrupts each CPU, and then waits until no program writes
 * (rings_wait()). So check "recording" again once user space waits for this program: because
 * interrupts are off, or because fxt_ring.writing is set.
 *
 * Return: 0, to be followed by ring_reserve(), ring_commit() and nested_end(); or -1 if the event
 * is not recorded.
 */
static __always_inline int nested_begin(struct place *at, unsigned long *flags)
{
	mask_save(flags);
	if (ring_begin(at, extras)) {
		mask_restore(flags);
		return -1;
	}
	/*
	 * After reading the clock, so that records that are deferred from now on are later than
	 * this one. Records from before are in the ring; ring_reserve() keeps the order.
	 */
	if (interruptible) {
		ring_update_level(at);
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

/* Let others write to the ring again. @at, @flags: of nested_begin() */
static __always_inline void nested_end(struct place *at, unsigned long *flags)
{
	mask_restore(flags);
	if (interruptible && at->level < FXT_DEFERRED_LEVELS && !leave(at->ring, at->level))
		leave_late(at);
}

/*
 * RECORD_EVENT(at, rec, put) - write one record where interrupts may be on. @at: as of
 * nested_begin(). @rec: name of a variable, for where the record goes. @put: an expression that
 * writes the record to @rec, with times from @at; its value is the number of words.
 *
 * A macro, so that @put is only evaluated if there is room.
 */
#define RECORD_EVENT(at, rec, put) do {						\
	unsigned long flags;							\
	__u64 *rec;								\
										\
	if (nested_begin(at, &flags))						\
		break;								\
	rec = ring_reserve(at, FXT_RING_EVENTS);				\
	if (rec)								\
		ring_commit(at, put);						\
	nested_end(at, &flags);							\
} while (0)

/* Context: interrupts may be on. */
static __always_inline void lose_event(void)
{
	unsigned long flags;
	struct place at;

	ring_find(&at);
	if (nested_begin(&at, &flags))
		return;
	ring_lose(&at, FXT_RING_EVENTS);
	nested_end(&at, &flags);
}

#endif /* BPF_NESTED_BPF_H */
