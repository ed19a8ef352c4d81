/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring.bpf.h - the producer's side of a CPU's ring: reserve, commit.
 *
 * ring.h tells the protocol. The ordering rules have their one home here.
 *
 * Callers run with interrupts off, so that nothing else on this CPU can come
 * between reserve and commit (no program runs in NMIs). The cost of a record is
 * two array lookups, which the kernel inlines, and a clock; opening and
 * completing a sub-buffer are functions of their own to keep them out of the
 * way.
 */
#ifndef BPF_RING_BPF_H
#define BPF_RING_BPF_H

#include "filter.h"
#include "fxt/fxt_sched.h"
#include "ring.h"

/* Set before loading: dead branches go, bounds are known to the verifier. */
const volatile __u32 subbuf_words;	/* of a sub-buffer, footer included */
const volatile __u32 subbuf_limit;	/* the last word at which a record may begin */
const volatile __u32 subbuf_count;	/* sub-buffers of a CPU */
const volatile __u32 clock_kind;	/* enum fxt_bpf_clock */
const volatile __u32 extras;		/* there is a filter or a trigger */
const volatile __u32 overwrite;		/* the oldest sub-buffer gives way, none is lost */
const volatile struct fxt_bpf_trigger trigger;

/*
 * Nothing is recorded while this is 0. Attaching takes a while for each
 * program; this one store begins and ends the trace for all events and CPUs.
 * What is recorded is thereby complete: a thread's wakeup comes after its going
 * to sleep was seen, its switch-in after its wakeup, on whatever CPUs.
 *
 * Only user space stores it, and only the trigger stores the other one, after
 * which, in ticks, nothing is recorded either.
 *
 * It is loaded plainly, and orders no load behind it: a program could see it set
 * and yet know a head or an end of before. So user space waits for a grace period
 * between what it stores for the programs and this, which costs programs nothing.
 */
__u32 recording __attribute__((aligned(FXT_RING_CACHE_LINE)));
__u64 until;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);			/* set before loading */
	__type(key, __u32);
	__type(value, struct fxt_ring);
} rings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);			/* both set before loading */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 4096);
} subbufs SEC(".maps");

/* Wakes the consumer, once for each completed sub-buffer; says nothing else. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);		/* the loader makes a page of it */
} doorbell SEC(".maps");

/**
 * struct place - where one record goes
 * @ring: this CPU's ring
 * @buf: the open sub-buffer
 * @head: fxt_ring.head as it is without this record
 * @now: the time in ticks
 * @time: ticks for the record: now, but never before the last record's
 * @cpu: this CPU
 */
struct place {
	struct fxt_ring *ring;
	__u64 *buf;
	__u64 head;
	__u64 now;
	__u64 time;
	__u32 cpu;
};

/* The time in ticks; any context. */
static __always_inline __u64 clock_now(void)
{
	if (clock_kind == FXT_BPF_CLOCK_MONO)
		return bpf_ktime_get_ns();
	return bpf_ktime_get_boot_ns();
}

/*
 * Store what makes other words valid for the consumer, after those words: the
 * release that its acquire pairs with (next_of_cpu() and bpf_triggered() of the
 * collector). Seen the other way round, fxt_ring.head would promise records that
 * are still what the sub-buffer held before.
 *
 * x86 and s390 never reorder stores, so only the compiler must be kept from it.
 * For the others the atomic exchange is the one instruction that orders them and
 * that all kernels since 5.12 know; arm64's compiler of programs has it since
 * 5.18. It makes of it SWPAL, or LDXR and STLXR with a DMB behind: both store with
 * release. A plain store would be STR, which is not ordered at all.
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

/*
 * Write the ledger that begins a sub-buffer. The consumer has done with the place
 * before it stores consumed (release, in give_back() of the collector). What pairs
 * with that is a control dependency: this ledger and all records after it are
 * stored behind a branch that depends on the load of consumed, and no CPU lets a
 * store be seen before the branches ahead of it are decided. Otherwise the consumer
 * could find new words among those that it still reads.
 *
 * Return: 0, or -1 if all sub-buffers are waiting for the consumer, which nothing
 * does in overwrite mode.
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
	ledger.written = ring->switches + ring->wakeups;
	ledger.lost = ring->lost;
	fxt_sched_put_ledger(buf, &ledger);
	return 0;
}

/* Hand a full sub-buffer over and wake the consumer, if it waits for any. */
static __noinline int ring_complete(struct fxt_ring *ring, __u64 *buf, __u64 head)
{
	__u64 sequence = (head >> FXT_RING_SEQUENCE_SHIFT) + 1;
	__u32 next = ring->index + 1;

	buf[subbuf_words - FXT_RING_FOOTER_USED] = head & FXT_RING_WORDS_MASK;
	buf[subbuf_words - FXT_RING_FOOTER_KEPT] = ring->switches + ring->wakeups - ring->lost;
	buf[subbuf_words - FXT_RING_FOOTER_LAST] = ring->last;
	ring->index = next - ring->first == subbuf_count ? ring->first : next;
	ring_publish(&ring->head, sequence << FXT_RING_SEQUENCE_SHIFT);
	/* If it is full, it is readable, and the consumer on its way. */
	if (!overwrite)
		bpf_ringbuf_output(&doorbell, &sequence, sizeof(sequence),
				   BPF_RB_FORCE_WAKEUP);
	return 0;
}

/* To be asked for each event, once; any context. */
static __always_inline bool is_recording(void)
{
	return *(volatile __u32 *)&recording;
}

/**
 * ring_of_cpu() - find this CPU's ring, for an event that is to be recorded
 * @at: takes the time, the ring and the CPU
 * @has_extras: "extras", which callers look at once for all that depends on it
 *
 * Return: 0, or -1 if the trigger has ended the recording (or this were no possible
 * CPU).
 */
static __always_inline int ring_of_cpu(struct place *at, __u32 has_extras)
{
	at->now = clock_now();
	if (has_extras && trigger.latency && at->now > *(volatile __u64 *)&until)
		return -1;
	at->cpu = bpf_get_smp_processor_id();
	at->ring = bpf_map_lookup_elem(&rings, &at->cpu);
	return at->ring ? 0 : -1;
}

/* Do the records say who runs on this CPU? Only kept up to date with a filter. */
static __always_inline bool ring_is_shown(void)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct fxt_ring *ring = bpf_map_lookup_elem(&rings, &cpu);

	return ring && ring->shown;
}

/**
 * ring_reserve() - find room for one record on this CPU
 * @at: ring_of_cpu() was called on it; takes the rest
 *
 * A record that finds no room is counted as lost here. Counting it as written
 * is the caller's, after this call: the ledger that this record may open a
 * sub-buffer with does not include it.
 *
 * Return: room for FXT_SCHED_RECORD_WORDS, which ring_commit() must follow, or
 * NULL.
 */
static __always_inline __u64 *ring_reserve(struct place *at)
{
	struct fxt_ring *ring = at->ring;
	__u32 words;

	at->buf = bpf_map_lookup_elem(&subbufs, &ring->index);
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
	/* Never so: ring_commit() completes it first. The verifier wants it. */
	if (words > subbuf_limit)
		goto lost;
	return at->buf + words;
lost:
	ring->lost++;
	return NULL;
}

/**
 * ring_commit() - publish the record that was written to the reserved room
 * @at: as ring_reserve() left it
 * @words: length of the record
 */
static __always_inline void ring_commit(const struct place *at, __u32 words)
{
	__u64 head = at->head + words;

	at->ring->last = at->time;
	if ((head & FXT_RING_WORDS_MASK) > subbuf_limit)
		ring_complete(at->ring, at->buf, head);
	else
		ring_publish(&at->ring->head, head);
}

#endif /* BPF_RING_BPF_H */
