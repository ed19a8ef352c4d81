/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.bpf.h - the producer's side of a CPU's ring: reserve, commit.
 *
 * ring.h describes the protocol; the ordering rules are here.
 *
 * Callers run with interrupts off, so no other program on this CPU comes between reserve and commit
 * (none runs in NMIs). Programs with interrupts on use nested.bpf.h. A record costs an array
 * lookup, which the kernel inlines, and reading a clock. Opening and completing a sub-buffer are
 * separate functions, out of the hot path.
 */
#ifndef BPF_RING_BPF_H
#define BPF_RING_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "config.h"
#include "cpu.bpf.h"
#include "fxt/fxt_sched.h"
#include "fxt/fxt_sched_custom.h"
#include "map.bpf.h"
#include "ring.h"

/* Set before loading: the verifier removes dead branches and knows the bounds. */
const volatile __u32 subbuf_words;	/* including the footer */
const volatile __u32 subbuf_limit;	/* last word at which a record may begin */
const volatile __u32 subbuf_count;	/* of a CPU */
const volatile __u32 subbufs_in_element; /* 0: each has an element of its own */
const volatile __u32 extras;		/* a filter, a trigger, or stacks of switches or wakers */
const volatile __u32 overwrite;		/* the oldest sub-buffer; lose no record */
const volatile struct fxt_bpf_trigger trigger;

/*
 * Nothing is recorded while "recording" is 0. Attaching takes a while for each program, but this
 * one store begins and ends the recording for all events and CPUs. So the recording is complete: on
 * all CPUs, a thread's wakeup follows its switch to sleep, and its switch-in follows its wakeup.
 *
 * Only user space stores "recording". Only the trigger stores "until", in ticks, after which
 * nothing is recorded.
 *
 * Programs read "recording" with a plain load, which does not order later loads: a program could
 * see it set and yet load an old head or an old "until". So user space interrupts each CPU between
 * its other stores and this one, which costs programs nothing.
 */
__u32 recording __attribute__((aligned(FXT_RING_CACHE_LINE)));
__u64 until;

/*
 * Ticks when the recording began or was resumed. While nothing is recorded, the largest number, so
 * that programs at the ends of slices need not load "recording".
 */
__u64 since;

SHARED_ARRAY(rings, 1, struct fxt_ring);	/* really one for each CPU */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);			/* both set before loading */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 4096);
} subbufs SEC(".maps");

/* Wakes the consumer once for each completed sub-buffer. Nobody reads the content. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);		/* the loader makes a page of it */
} doorbell SEC(".maps");

/*
 * --- queues: records that must not go into the ring now ---
 *
 * ring.h describes the levels. The producers of a queue are programs that interrupt its consumer,
 * and end before it continues. So a producer may change anything in the queue. The consumer only
 * uses the half that producers do not use, and exchanges the halves with one store. All run on one
 * CPU, so program order suffices; barrier() keeps the compiler from changing it.
 */

_Static_assert(FXT_SCHED_CUSTOM_WORDS <= FXT_DEFERRED_WORDS / 2 &&
	       FXT_SCHED_STACK_WORDS + FXT_SCHED_COPY_WORDS <= FXT_DEFERRED_WORDS / 2,
	       "two of any records have room");

/* Some programs write with interrupts on. Otherwise no record is ever deferred. */
const volatile __u32 interruptible;
const volatile __u32 deferred_limit;	/* last word of a queue at which a record may begin */

SHARED_ARRAY(deferred, 1, struct fxt_deferred);	/* entries are set before loading */

/* For programs that interrupt a program at @level; NULL if there is no such level. */
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

/* If there is no room, the record counts as lost. */
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

static __always_inline void deferred_lose(struct fxt_deferred *q, __u32 kind)
{
	struct fxt_deferred_half *h = taking_half(q);

	h->counts[kind & (FXT_RING_COUNTS - 1)]++;
	h->counts[FXT_RING_LOST]++;
}

static __always_inline struct fxt_deferred_half *deferred_exchange(struct fxt_deferred *q)
{
	struct fxt_deferred_half *h = taking_half(q);

	barrier();
	*(volatile __u64 *)&q->side = q->side ^ 1;
	barrier();
	return h;
}

static __always_inline void deferred_empty(struct fxt_deferred_half *h)
{
	h->words = 0;
	__builtin_memset(h->counts, 0, sizeof(h->counts));
}

/* --- the ring ----------------------------------------------------------------------- */

struct place {
	struct fxt_ring *ring;	/* of this CPU */
	/* the queue that takes the record; NULL: the ring takes it */
	struct fxt_deferred *queue;
	__u64 *buf;		/* the open sub-buffer */
	__u64 head;		/* fxt_ring.head before this record */
	__u64 now;		/* ticks */
	__u64 time;		/* ticks of the record: @now, but never before the last record */
	__u32 cpu;
	/*
	 * fxt_ring.writing before this record; after ring_update_level() without
	 * FXT_DEFERRED_LEAVING
	 */
	__u32 level;
};

/*
 * Store a word that makes earlier stores valid for the consumer: a release, which pairs with the
 * acquire in next_of_cpu() and bpf_triggered() of the collector. Without it, the consumer could see
 * fxt_ring.head before the records, and read stale contents.
 *
 * x86 and s390 never reorder stores, so a compiler barrier suffices. Elsewhere, the atomic exchange
 * is the only ordering instruction that all kernels since 5.12 have, and arm64's JIT since 5.18. It
 * becomes SWPAL, or LDXR and STLXR followed by DMB: both store with release. A plain store would
 * become STR, which is not ordered.
 */
#if defined(__TARGET_ARCH_x86) || defined(__TARGET_ARCH_s390)
#define STORES_IN_ORDER	1
#else
#define STORES_IN_ORDER	0
#endif

static __always_inline void ring_publish(__u64 *word, __u64 value)
{
#if STORES_IN_ORDER
	barrier();
	*(volatile __u64 *)word = value;
#else
	__sync_lock_test_and_set(word, value);
#endif
}

/* Records written or lost. */
static __always_inline __u64 ring_written(const struct fxt_ring *ring)
{
	return ring->counts[FXT_RING_SWITCHES] + ring->counts[FXT_RING_WAKEUPS] +
	       ring->counts[FXT_RING_EVENTS];
}

/*
 * Write the ledger that begins a sub-buffer. The consumer has read the sub-buffer's old words
 * before it stores consumed (release, in give_back() of the collector). That pairs with a control
 * dependency here: this ledger and all records after it are stored after a branch that depends on
 * the load of consumed, and no CPU makes speculative stores visible. Without it, the consumer could
 * read new words.
 *
 * Return: 0; -1 if all sub-buffers wait for the consumer, but never in overwrite mode.
 */
static __noinline int ring_open(struct fxt_ring *ring, __u64 *buf, __u64 time,
				__u32 cpu)
{
	__u32 sequence = ring->head >> FXT_RING_SEQUENCE_SHIFT;
	struct fxt_ledger ledger;

	if (!overwrite &&
	    sequence - *(volatile __u32 *)&ring->consumed >= subbuf_count)
		return -1;
	ledger.stream = cpu;
	ledger.kind = FXT_LEDGER_HEAD;
	ledger.sequence = sequence;
	ledger.time = time;
	ledger.last = ring->last;
	ledger.written = ring_written(ring);
	ledger.lost = ring->counts[FXT_RING_LOST];
	fxt_sched_put_ledger(buf, &ledger);
	return 0;
}

static __noinline int ring_complete(struct fxt_ring *ring, __u64 *buf, __u64 head)
{
	__u64 sequence = (head >> FXT_RING_SEQUENCE_SHIFT) + 1;
	__u32 next = ring->index + 1;

	buf[subbuf_words - FXT_RING_FOOTER_USED] = head & FXT_RING_WORDS_MASK;
	buf[subbuf_words - FXT_RING_FOOTER_KEPT] = ring_written(ring) -
						 ring->counts[FXT_RING_LOST];
	buf[subbuf_words - FXT_RING_FOOTER_LAST] = ring->last;
	ring->index = next - ring->first == subbuf_count ? ring->first : next;
	ring_publish(&ring->head, sequence << FXT_RING_SEQUENCE_SHIFT);
	/* If the doorbell is full, the consumer was already woken. */
	if (!overwrite) {
		*(volatile __u32 *)&ring->ringing = 1;
		bpf_ringbuf_output(&doorbell, &sequence, sizeof(sequence),
				   BPF_RB_FORCE_WAKEUP);
		*(volatile __u32 *)&ring->ringing = 0;
	}
	return 0;
}

/* Called once for each event. Context: any. */
static __always_inline bool is_recording(void)
{
	return *(volatile __u32 *)&recording;
}

/* @index: rings_index() of the CPU */
static __always_inline struct fxt_ring *ring_of_index(__u64 index)
{
	struct fxt_ring *ring = rings_first();

	ring += index;
	/* Otherwise the compiler adds the number again for each field. */
	barrier_var(ring);
	return ring;
}

static __always_inline void ring_find(struct place *at)
{
	__u64 cpu = rings_index(this_cpu());

	at->cpu = cpu;
	at->ring = ring_of_index(cpu);
}

static __always_inline int ring_begin_at(struct place *at, __u64 now, __u32 has_extras)
{
	at->now = now;
	if (has_extras && trigger.on && at->now > *(volatile __u64 *)&until)
		return -1;
	at->queue = NULL;
	at->level = interruptible ? at->ring->writing : 0;
	return 0;
}

/*
 * Begin to record an event. @at: its ring and CPU are set; its time is set here. @has_extras: the
 * value of "extras", which callers load only once. Return: 0, or -1 if the trigger has ended the
 * recording.
 */
static __always_inline int ring_begin(struct place *at, __u32 has_extras)
{
	return ring_begin_at(at, clock_now(), has_extras);
}

/* ring_find() and ring_begin(). For programs, not for functions that they call. */
static __always_inline int ring_of_cpu(struct place *at, __u32 has_extras)
{
	ring_find(at);
	return ring_begin_at(at, clock_now_inline(), has_extras);
}

/* Do the records show which thread runs on this CPU? Only valid with a filter. */
static __always_inline bool ring_is_shown(void)
{
	return ring_of_index(rings_index(this_cpu()))->shown;
}

/* The open or the next sub-buffer; NULL if this CPU has none. */
static __always_inline __u64 *ring_subbuf(const struct fxt_ring *ring)
{
	__u64 at = ring->index;
	__u32 first = 0;
	void *all;

	if (!subbufs_in_element)
		return bpf_map_lookup_elem(&subbufs, &ring->index);
	all = bpf_map_lookup_elem(&subbufs, &first);
	/* The verifier must see a check of the value in use, not of a copy. */
	barrier_var(at);
	if (!all || at >= subbufs_in_element)
		return NULL;
	return all + at * (subbuf_words * FXT_WORD);
}

/* Count a record as written, and find room for it. If there is none, it also counts as lost. */
static __always_inline __u64 *ring_reserve_here(struct place *at, enum fxt_ring_count kind)
{
	struct fxt_ring *ring = at->ring;
	__u64 *rec, words;

	at->buf = ring_subbuf(ring);
	if (!at->buf)
		goto lost;
	/* The clocks that are safe here can step back by some ns. */
	at->time = at->now > ring->last ? at->now : ring->last;
	at->head = ring->head;
	words = at->head & FXT_RING_WORDS_MASK;
	if (!words) {
		if (ring_open(ring, at->buf, at->time, at->cpu))
			goto lost;
		at->head += FXT_LEDGER_WORDS;
		words = FXT_LEDGER_WORDS;
	}
	/* The verifier must see a check of the value in use, not of a copy. */
	barrier_var(words);
	/* Never true, because ring_commit() completes the sub-buffer; for the verifier. */
	if (words > subbuf_limit)
		goto lost;
	rec = at->buf + words;
	/* After writing the ledger, which counts only the records before it. */
	ring->counts[kind & (FXT_RING_COUNTS - 1)]++;
	return rec;
lost:
	ring->counts[kind & (FXT_RING_COUNTS - 1)]++;
	ring->counts[FXT_RING_LOST]++;
	return NULL;
}

static __always_inline void ring_commit_here(const struct place *at, __u32 words)
{
	__u64 head = at->head + words;

	at->ring->last = at->time;
	if ((head & FXT_RING_WORDS_MASK) > subbuf_limit)
		ring_complete(at->ring, at->buf, head);
	else
		ring_publish(&at->ring->head, head);
}

/* The verifier would have to know the bounds of an index. */
#define OF_LEVEL(field, level)	((level) ? &(field)[1] : &(field)[0])

/* For a program that begins to write while another one is about to leave. */
static __always_inline __u32 level_when_leaving(const struct fxt_ring *ring, __u32 writing)
{
	__u32 level = writing & ~FXT_DEFERRED_LEAVING;

	return *OF_LEVEL(ring->queued, level) ? level + 1 : level;
}

/* Return: does this program interrupt one that writes? */
static __always_inline bool ring_update_level(struct place *at)
{
	if (!interruptible || !at->level)
		return false;
	if (at->level & FXT_DEFERRED_LEAVING)
		at->level = level_when_leaving(at->ring, at->level);
	return at->level;
}

/* This program has interrupted one that writes, so the record goes into the queue. */
static __always_inline __u64 *ring_reserve_later(struct place *at, enum fxt_ring_count kind)
{
	__u64 *floor = OF_LEVEL(at->ring->floor, at->level - 1);

	/* Unused, but the compiler loads them, and before Linux 6.3 they must be initialized. */
	at->buf = NULL;
	at->head = 0;
	at->queue = find_deferred(at->cpu, at->level - 1);
	if (!at->queue)
		return NULL;
	at->time = at->now > at->ring->last ? at->now : at->ring->last;
	/* The interrupted program has a record in the next queue, or will have one. */
	if (at->level > 1 && at->time < at->ring->floor[0])
		at->time = at->ring->floor[0];
	if (at->time < *floor)
		at->time = *floor;
	*floor = at->time;
	*OF_LEVEL(at->ring->queued, at->level - 1) = 1;
	return deferred_reserve(at->queue, kind, at->time);
}

/*
 * Find room for one record, and count it as written or lost. @at: of ring_of_cpu(); the other
 * fields are set here. @kind: the counter; a compile-time constant. Return: room for the largest
 * record, to be followed by ring_commit(); or NULL.
 */
static __always_inline __u64 *ring_reserve(struct place *at, enum fxt_ring_count kind)
{
	if (ring_update_level(at))
		return ring_reserve_later(at, kind);
	return ring_reserve_here(at, kind);
}

static __always_inline void ring_commit(const struct place *at, __u32 words)
{
	if (interruptible && at->queue)
		deferred_commit(at->queue, words);
	else
		ring_commit_here(at, words);
}

/*
 * RING_EVENT(at, rec, put) - write one event, like RECORD_EVENT(), where nothing interrupts this
 * program. @at: ring_begin() or ring_of_cpu() has succeeded.
 */
#define RING_EVENT(at, rec, put) do {						\
	__u64 *rec = ring_reserve(at, FXT_RING_EVENTS);				\
										\
	if (rec)								\
		ring_commit(at, put);						\
} while (0)

static __always_inline void ring_lose(struct place *at, enum fxt_ring_count kind)
{
	if (ring_update_level(at)) {
		at->queue = find_deferred(at->cpu, at->level - 1);
		if (at->queue)
			deferred_lose(at->queue, kind);
		*OF_LEVEL(at->ring->queued, at->level - 1) = 1;
		return;
	}
	at->ring->counts[kind]++;
	at->ring->counts[FXT_RING_LOST]++;
}

#endif /* BPF_RING_BPF_H */
