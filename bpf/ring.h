/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * ring.h - what the BPF programs and source_bpf share in memory.
 *
 * A CPU's stream is a ring of sub-buffers of subbuf_size bytes. Both sides map
 * the same two arrays: "rings" has one struct fxt_ring for each possible CPU,
 * "subbufs" one element for each sub-buffer.
 *
 * One producer, one consumer, no lock. The producer is the program that runs
 * on that CPU, with interrupts off. It fills the open sub-buffer, the words of
 * a record first and fxt_ring.head after them. A sub-buffer is complete as soon
 * as the largest record no longer fits: it gets a footer, and head goes on to the
 * next sequence number with no words. The next record opens the next sub-buffer and
 * writes its ledger, if fewer than all sub-buffers are waiting for the consumer; else
 * the record is lost, and counted.
 *
 * The consumer reads head once (acquire; the producer's release is ring_publish()).
 * Sub-buffers from consumed up to head's sequence are complete and the consumer's
 * own until it moves consumed on (release, which pairs with the producer's control
 * dependency in ring_open()); of the open one, as many words as head says are
 * written for good. Counters are read without any order: they are exact only when
 * the producers are stopped.
 *
 * In overwrite mode the producer goes on whatever waits, so that the oldest
 * sub-buffer gives way. The consumer reads only while the producers are stopped, and
 * moves head and index past the open sub-buffer before it lets them go on.
 * Stopping and letting go take a grace period each, which orders everything.
 */
#ifndef BPF_RING_H
#define BPF_RING_H

#include <linux/types.h>

#define FXT_RING_CACHE_LINE	64

/* fxt_ring.head: both in one word, so that they are always read as a pair. */
#define FXT_RING_SEQUENCE_SHIFT	32	/* sub-buffers completed */
#define FXT_RING_WORDS_MASK	0xffffffffULL	/* in use in the open one, if any */

#define FXT_RING_NO_SUBBUF	0xffffffffU	/* fxt_ring.index: the CPU has none */

/* The last words of a complete sub-buffer; their place counts from its end. */
#define FXT_RING_FOOTER_USED	1	/* words in use */
#define FXT_RING_FOOTER_KEPT	2	/* records of the stream that were kept by then */
#define FXT_RING_FOOTER_LAST	3	/* ticks of the last one */
#define FXT_RING_FOOTER_WORDS	FXT_RING_FOOTER_LAST

/**
 * struct fxt_ring - the state of one CPU's stream
 * @head: see above; stored last
 * @last: ticks of the last record kept
 * @switches: context switch records written or lost
 * @wakeups: wakeup records written or lost
 * @lost: how many of all those found no room
 * @index: the open or the next sub-buffer, as an index into "subbufs"
 * @first: the CPU's first sub-buffer, likewise
 * @shown: the records say who runs on this CPU now; only with a filter by threads
 * @consumed: sub-buffers that the consumer has given back, the only field that
 *	it writes while the producer runs
 * @longest_thread: who waited longest of those that ended to wait on this CPU and count
 *	for the trigger
 * @longest: how long, ns; 0 if there was none
 * @longest_time: ticks of its switch-in
 *
 * Counts wrap around only with the type.
 */
struct fxt_ring {
	__u64 head;
	__u64 last;
	__u64 switches;
	__u64 wakeups;
	__u64 lost;
	__u32 index;
	__u32 first;
	__u32 shown;
	__u32 unused[3];
	__u32 consumed;
	__u32 longest_thread;
	__u64 longest;
	__u64 longest_time;
} __attribute__((aligned(FXT_RING_CACHE_LINE)));

/**
 * struct fxt_name - the name of a thread: a sample of the ring buffer "names",
 *	and what the rundown gives for each thread
 * @time: ticks; of the rundown 0
 * @tid: thread id
 * @tgid: thread group id
 * @event: as in struct fxt_sched_event
 * @comm: the name, ends with a 0
 */
struct fxt_name {
	__u64 time;
	__u32 tid;
	__u32 tgid;
	__u64 event;
	char comm[16];
};

/* Threads in an element of the map "renames": none can be smaller than 8 bytes. */
#define FXT_RENAMES_PER_ELEMENT	4

/* fxt_sched.rodata: what cannot change while the programs are loaded. */
enum fxt_bpf_clock {
	FXT_BPF_CLOCK_BOOT,
	FXT_BPF_CLOCK_MONO,
};

#endif /* BPF_RING_H */
