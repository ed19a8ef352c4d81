/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * deferred.h - the queues of records that interrupted a program which was writing.
 *
 * Programs of some events run with interrupts on, and others interrupt them, even between
 * reserving room in the ring and publishing the record. While such a program writes,
 * fxt_ring.writing is more than 0, and programs that interrupt it leave ring and counters
 * alone: they put their records into a queue. The program that was interrupted empties the
 * queue when its own record is stored.
 *
 * It can happen twice: a soft interrupt in a thread's program, a hard interrupt in the soft
 * interrupt's. So fxt_ring.writing counts levels. A program that begins to write at level N
 * writes to the ring if N is 0, else to queue N - 1, and then empties queue N to the same
 * place. A program with interrupts off, which nothing interrupts, does the first half only.
 *
 * Where programs can turn interrupts off (since Linux 6.14) nothing of this is used.
 */
#ifndef BPF_DEFERRED_H
#define BPF_DEFERRED_H

#include <linux/types.h>

#include "counts.h"

#define FXT_DEFERRED_LEVELS	2	/* of interrupted programs: thread, soft interrupt */
/* Room in a queue; together with a ledger and a footer it fits the smallest sub-buffer. */
#define FXT_DEFERRED_WORDS	480

/*
 * fxt_ring.writing: the program at this level has found its queue empty, and is about to check
 * that again. A program that comes now writes as if that one had left, but if the queue is not
 * empty, it queues up.
 */
#define FXT_DEFERRED_LEAVING	0x100

/**
 * struct fxt_deferred_half - records that wait, one behind the other
 * @first: ticks of the first one
 * @last: ticks of the last one
 * @counts: what they add to fxt_ring.counts, with those that found no room
 * @words: words in use
 * @records: the records
 */
struct fxt_deferred_half {
	__u64 first;
	__u64 last;
	__u64 counts[FXT_RING_COUNTS];
	__u64 words;
	__u64 records[FXT_DEFERRED_WORDS];
};

/**
 * struct fxt_deferred - a queue of one CPU and one level
 * @side: the half that takes records; the other one is empty, or is being emptied
 * @stale: later records may have been written meanwhile, so that these are lost
 * @halves: both
 */
struct fxt_deferred {
	__u64 side;
	__u64 stale;
	struct fxt_deferred_half halves[2];
};

#endif /* BPF_DEFERRED_H */
