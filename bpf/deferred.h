/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * deferred.h - queues for the records of programs that interrupt a program which is writing.
 *
 * Programs of some events run with interrupts on. Others may interrupt them, even between
 * reserving room in the ring and publishing the record. While such a program writes,
 * fxt_ring.writing is more than 0. Programs that interrupt it do not touch the ring and its
 * counters, but put their records into a queue. The interrupted program empties the queue after
 * it has stored its own record.
 *
 * There may be two levels of interrupts: a soft interrupt in the program of a thread, and a hard
 * interrupt in the program of the soft interrupt. fxt_ring.writing counts them. A program at level
 * N writes its record to the ring if N is 0, else to queue N - 1. Then it moves the records of
 * queue N to the same place. A program with interrupts off is never interrupted, so it only writes
 * its record.
 *
 * Nothing of this is used if programs can turn interrupts off (since Linux 6.14).
 */
#ifndef BPF_DEFERRED_H
#define BPF_DEFERRED_H

#include <linux/types.h>

#include "counts.h"

#define FXT_DEFERRED_LEVELS	2	/* of interrupted programs: thread, soft interrupt */
/* Room in a queue; with a ledger and a footer, it fits into the smallest sub-buffer. */
#define FXT_DEFERRED_WORDS	480

/*
 * In fxt_ring.writing: the program at this level has found its queue empty, and is about to check
 * that again. A program that interrupts it now writes to the queue if that is not empty, else as
 * if the interrupted program had left.
 */
#define FXT_DEFERRED_LEAVING	0x100

/**
 * struct fxt_deferred_half - a list of records that wait
 * @first: ticks of the first one
 * @last: ticks of the last one
 * @counts: to be added to fxt_ring.counts; including records for which there was no room
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
 * @side: index of the half that takes records; the other one is empty, or is being emptied
 * @stale: later records may have been written meanwhile, so the records in the queue are lost
 * @halves: lists of records
 */
struct fxt_deferred {
	__u64 side;
	__u64 stale;
	struct fxt_deferred_half halves[2];
};

#endif /* BPF_DEFERRED_H */
