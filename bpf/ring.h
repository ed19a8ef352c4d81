/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * ring.h - the memory that the BPF programs and source_bpf share.
 *
 * A CPU's stream is a ring of sub-buffers of subbuf_size bytes. Both sides map the same two arrays:
 * "rings" has a struct fxt_ring for each possible CPU, "subbufs" an element for each sub-buffer.
 *
 * There is one producer, one consumer, and no lock. The producer is the program that runs on that
 * CPU; interrupts are off, or the queues below keep programs in interrupts away from the ring. It
 * fills the open sub-buffer: first the words of a record, then fxt_ring.head. A sub-buffer is
 * complete as soon as the largest record no longer fits: it gets a footer, and head advances to the
 * next sequence number, with 0 words. The next record opens the next sub-buffer and writes its
 * ledger, unless all sub-buffers wait for the consumer; then the record is lost, and counted.
 *
 * The consumer loads head once (acquire, which pairs with ring_publish()). The sub-buffers from
 * consumed up to head's sequence are complete. The consumer owns them until it advances consumed
 * (release, which pairs with the producer's control dependency in ring_open()). In the open
 * sub-buffer, the words that head counts are final. Counters are loaded without ordering, and are
 * exact only while the producers are stopped.
 *
 * In overwrite mode the producer does not wait for the consumer, and overwrites the oldest
 * sub-buffer. The consumer reads only while the producers are stopped, and advances head and index
 * past the open sub-buffer before they continue. To stop them and to let them continue, it
 * interrupts each CPU, which orders everything.
 */
#ifndef BPF_RING_H
#define BPF_RING_H

#include <linux/types.h>

#include "fxt/fxt_sched_event.h"
#include "fxt/fxt_sched_name.h"

#define FXT_RING_CACHE_LINE	64

#define FXT_RING_SOFTIRQS	16	/* Linux has ten; a power of two */

/* Handlers' names that a CPU caches, a power of two; and for how long, in ns. */
#define FXT_RING_HANDLERS	4
#define FXT_RING_HANDLER_NS	1000000

/* fxt_ring.head: both in one word, so that they are always read as a pair. */
#define FXT_RING_SEQUENCE_SHIFT	32	/* sub-buffers completed */
#define FXT_RING_WORDS_MASK	0xffffffffULL	/* words in use in the open one, if any */

#define FXT_RING_NO_SUBBUF	0xffffffffU	/* fxt_ring.index: the CPU has none */

/* The last words of a complete sub-buffer, by their distance from its end. */
#define FXT_RING_FOOTER_USED	1	/* words in use */
#define FXT_RING_FOOTER_KEPT	2	/* records of the stream stored so far */
#define FXT_RING_FOOTER_LAST	3	/* ticks of the last one */
#define FXT_RING_FOOTER_WORDS	FXT_RING_FOOTER_LAST

/*
 * --- the counters of a stream ---
 *
 * Their number is a power of two, so that a mask bounds an index. Those before FXT_RING_LOST count
 * records that were written or lost.
 */
enum fxt_ring_count {
	FXT_RING_SWITCHES,
	FXT_RING_WAKEUPS,
	FXT_RING_EVENTS,
	FXT_RING_LOST,		/* records among those for which there was no room */
	FXT_RING_COUNTS,
};

/*
 * --- queues for the records of programs that interrupt a program which is writing ---
 *
 * Programs of some events run with interrupts on. Others may interrupt them, even between reserving
 * room in the ring and publishing the record. While such a program writes, fxt_ring.writing is more
 * than 0. Programs that interrupt it do not use the ring and its counters, but put their records
 * into a queue. The interrupted program empties the queue after it has stored its own record.
 *
 * There may be two levels of interrupts: a soft interrupt in the program of a thread, and a hard
 * interrupt in the program of the soft interrupt. fxt_ring.writing counts them. A program at level
 * N writes its record to the ring if N is 0, else to queue N - 1. Then it moves the records of
 * queue N to the same place. A program with interrupts off is never interrupted, so it only writes
 * its record.
 *
 * None of this is used if programs can turn interrupts off (since Linux 6.14).
 */

#define FXT_DEFERRED_LEVELS	2	/* of interrupted programs: thread, soft interrupt */
/* Of a queue; with a ledger and a footer, it fits into the smallest sub-buffer. */
#define FXT_DEFERRED_WORDS	480

/*
 * In fxt_ring.writing: the program at this level has found its queue empty, and is about to check
 * again. A program that interrupts it now writes to the queue if that is not empty, else as if the
 * interrupted program had left.
 */
#define FXT_DEFERRED_LEAVING	0x100

struct fxt_deferred_half {
	__u64 first;			/* ticks of the first one */
	__u64 last;			/* ticks of the last one */
	/* to be added to fxt_ring.counts; including records for which there was no room */
	__u64 counts[FXT_RING_COUNTS];
	__u64 words;			/* in use */
	__u64 records[FXT_DEFERRED_WORDS];
};

struct fxt_deferred {
	/* index of the half that takes records; the other one is empty, or is being emptied */
	__u64 side;
	/* later records may have been written meanwhile, so the queued ones are lost */
	__u64 stale;
	struct fxt_deferred_half halves[2];
};

/* --- the stream of a CPU ------------------------------------------------------------ */

/* The common part of the records of an interrupt's handler. */
struct fxt_ring_handler {
	__u64 action;		/* address of its struct irqaction; 0: none */
	__u64 until;		/* ticks after which its name must be read again */
	__u64 header;		/* of the records */
	__u64 thread;		/* thread koid of the records: the CPU's track */
	__u64 argument;		/* of the records: the interrupt's number */
	__u64 argument_at;	/* offset of @argument in the records, in bytes */
	__u64 words;
	struct fxt_sched_label name;
};

/* The state of one CPU's stream. Counters wrap around only at the end of their type. */
struct fxt_ring {
	/*
	 * the open or the next sub-buffer, as an index into "subbufs"; first, because its address
	 * is the key of a lookup for each record
	 */
	__u32 index;
	__u32 writing;	/* nested programs that write with interrupts on */
	__u64 head;	/* sequence and words, see above; stored last */
	__u64 last;	/* ticks of the last record stored */
	__u64 counts[FXT_RING_COUNTS];	/* by enum fxt_ring_count */
	/* of the session's records of switches that preempt a thread */
	__u64 switch_header;

	/*
	 * sub-buffers that the consumer has released; it writes nothing else while the producer
	 * runs
	 */
	__u32 consumed __attribute__((aligned(FXT_RING_CACHE_LINE)));
	/* of the longest wait that ended on this CPU and counts for the trigger */
	__u32 longest_thread;
	__u64 longest;	/* ns of that wait; 0: none */
	__u64 longest_time;	/* ticks of the switch-in that ended it */
	__u32 first;	/* the CPU's first sub-buffer, an index like @index */
	/* with a filter of threads: the records show which thread runs here now */
	__u32 shown;
	/* events in NMIs; only programs in NMIs store it while the producer runs */
	__u64 missed;
	__u64 steal;	/* ns that the hypervisor took, as recorded last */

	/* ticks when the CPU began to serve a device's interrupt; 0: none */
	__u64 irq_begin __attribute__((aligned(FXT_RING_CACHE_LINE)));
	__u64 vector_begin;	/* the same for an interrupt of the CPU itself */
	__u64 idle_begin;	/* ticks; 0: the CPU is not idle */
	__u32 idle_state;
	__u32 ringing;	/* a program on this CPU is waking the consumer, which sends an interrupt */
	/* by level: the queue has records, even if only lost ones */
	__u32 queued[FXT_DEFERRED_LEVELS];
	/* by level: earliest ticks of the next record in its queue */
	__u64 floor[FXT_DEFERRED_LEVELS];
	/*
	 * like @irq_begin, for each soft interrupt: on PREEMPT_RT, a thread that serves one can
	 * preempt a thread that serves another
	 */
	__u64 softirq_begin[FXT_RING_SOFTIRQS];

	struct fxt_ring_handler handlers[FXT_RING_HANDLERS]
		__attribute__((aligned(FXT_RING_CACHE_LINE)));
} __attribute__((aligned(FXT_RING_CACHE_LINE)));

/* The name of a thread, as a sample of the ring buffer "names", and in the rundown. */
struct fxt_name {
	__u64 time;	/* ticks; 0 in the rundown */
	__u32 tid;
	__u32 tgid;
	__u32 parent;	/* thread group id of the parent process; 0: unknown */
	__u32 event;	/* as in struct fxt_sched_event */
	char comm[16];	/* terminated by a 0 */
};

/* struct fxt_sched_attach, as a sample of the ring buffer "names". */
struct fxt_attach {
	struct fxt_name name;		/* of the thread */
	__u32 alone;
	__u32 bytes;			/* of @path; FXT_SCHED_PATH_SIZE if it is unknown */
	char path[FXT_SCHED_PATH_SIZE];	/* of the cgroup */
};

struct fxt_rundown_name {
	struct fxt_name name;
	__u64 time;		/* as in struct fxt_sched_sight, like @cpu and @letter */
	__u32 cpu;
	__u16 letter;
	__u16 apart;		/* fxt_sched_add_apart() */
};

#endif /* BPF_RING_H */
