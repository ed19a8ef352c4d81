/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * ring.h - the memory that the BPF programs and source_bpf share.
 *
 * A CPU's stream is a ring of sub-buffers of subbuf_size bytes. Both sides map the same two
 * arrays: "rings" has a struct fxt_ring for each possible CPU, "subbufs" an element for
 * each sub-buffer.
 *
 * There is one producer, one consumer, and no lock. The producer is the program that runs on
 * that CPU; interrupts are off, or deferred.h keeps programs in interrupts away from the
 * ring. It fills the open sub-buffer: first the words of a record, then fxt_ring.head. A
 * sub-buffer is complete as soon as the largest record no longer fits: it gets a footer, and
 * head advances to the next sequence number, with 0 words. The next record opens the next
 * sub-buffer and writes its ledger, unless all sub-buffers wait for the consumer; then the
 * record is lost, and counted.
 *
 * The consumer loads head once (acquire, which pairs with ring_publish()). The sub-buffers
 * from consumed up to head's sequence are complete. The consumer owns them until it advances
 * consumed (release, which pairs with the producer's control dependency in ring_open()). In
 * the open sub-buffer, the words that head counts are final. Counters are loaded without
 * ordering, and are exact only while the producers are stopped.
 *
 * In overwrite mode the producer does not wait for the consumer, and overwrites the oldest
 * sub-buffer. The consumer reads only while the producers are stopped, and advances head and
 * index past the open sub-buffer before it lets them continue. To stop them and to let them
 * continue, it interrupts each CPU, which orders everything.
 */
#ifndef BPF_RING_H
#define BPF_RING_H

#include <linux/types.h>

#include "counts.h"
#include "deferred.h"
#include "fxt/fxt_sched_event.h"
#include "fxt/fxt_sched_name.h"

#define FXT_RING_CACHE_LINE	64

#define FXT_RING_SOFTIRQS	16	/* Linux has ten; a power of two */

/* Size of the cache of handlers' names of a CPU, a power of two; and the life of a name, in ns. */
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

/**
 * struct fxt_ring_handler - the common part of the records of an interrupt's handler
 * @action: the address of its struct irqaction; 0: none
 * @until: ticks after which its name has to be read again
 * @header: header of the records
 * @thread: thread koid of the records: the CPU's track
 * @argument: argument of the records: the interrupt's number
 * @argument_at: offset of @argument in the records, in bytes
 * @words: size of the records
 * @name: name of the handler
 */
struct fxt_ring_handler {
	__u64 action;
	__u64 until;
	__u64 header;
	__u64 thread;
	__u64 argument;
	__u64 argument_at;
	__u64 words;
	struct fxt_sched_label name;
};

/**
 * struct fxt_ring - the state of one CPU's stream
 * @index: the open or the next sub-buffer, as an index into "subbufs"; first, because its
 *	address is the key of a lookup for each record
 * @writing: number of nested programs that write with interrupts on; see deferred.h
 * @head: see above; stored last
 * @last: ticks of the last record stored
 * @counts: by enum fxt_ring_count
 * @switch_header: header of the session's records of switches that preempt a thread
 * @consumed: sub-buffers that the consumer has released; the only field that it writes
 *	while the producer runs
 * @longest_thread: the thread of the longest wait that ended on this CPU and counts for
 *	the trigger
 * @longest: ns of that wait; 0 if there was none
 * @longest_time: ticks of the switch-in that ended it
 * @first: the CPU's first sub-buffer, likewise an index
 * @shown: the records show which thread runs on this CPU now; only with a filter of threads
 * @missed: events that came in an NMI; only programs in NMIs store it while the producer runs
 * @irq_begin: ticks when the CPU began to serve a device's interrupt; 0 if it serves none
 * @vector_begin: the same for an interrupt of the CPU itself
 * @idle_begin: ticks when the CPU went idle; 0 if it is not
 * @idle_state: number of the idle state that the CPU is in
 * @ringing: a program on this CPU is waking the consumer, which sends an interrupt
 * @queued: for each level, whether its queue has records, even if only lost ones
 * @floor: for each level, the earliest ticks of the next record in its queue
 * @softirq_begin: like @irq_begin, for each soft interrupt: on PREEMPT_RT, the thread that serves
 *	one can be preempted by a thread that serves another
 * @handlers: names of interrupt handlers
 *
 * Counters wrap around only at the end of their type.
 */
struct fxt_ring {
	__u32 index;
	__u32 writing;
	__u64 head;
	__u64 last;
	__u64 counts[FXT_RING_COUNTS];
	__u64 switch_header;

	__u32 consumed __attribute__((aligned(FXT_RING_CACHE_LINE)));
	__u32 longest_thread;
	__u64 longest;
	__u64 longest_time;
	__u32 first;
	__u32 shown;
	__u64 missed;

	__u64 irq_begin __attribute__((aligned(FXT_RING_CACHE_LINE)));
	__u64 vector_begin;
	__u64 idle_begin;
	__u32 idle_state;
	__u32 ringing;
	__u32 queued[FXT_DEFERRED_LEVELS];
	__u64 floor[FXT_DEFERRED_LEVELS];
	__u64 softirq_begin[FXT_RING_SOFTIRQS];

	struct fxt_ring_handler handlers[FXT_RING_HANDLERS]
		__attribute__((aligned(FXT_RING_CACHE_LINE)));
} __attribute__((aligned(FXT_RING_CACHE_LINE)));

/**
 * struct fxt_name - the name of a thread, as a sample of the ring buffer "names", and in the
 *	rundown
 * @time: ticks; 0 in the rundown
 * @tid: thread id
 * @tgid: thread group id
 * @parent: thread group id of the parent process; 0: unknown
 * @event: as in struct fxt_sched_event
 * @comm: the name, terminated by a 0
 */
struct fxt_name {
	__u64 time;
	__u32 tid;
	__u32 tgid;
	__u32 parent;
	__u32 event;
	char comm[16];
};

/**
 * struct fxt_attach - a process moved to another cgroup, as a sample of the ring buffer "names"
 * @name: of its main thread; the event is FXT_STR_ATTACH
 * @bytes: length of @path, FXT_SCHED_PATH_SIZE if it is unknown
 * @path: of the cgroup
 */
struct fxt_attach {
	struct fxt_name name;
	__u64 bytes;
	char path[FXT_SCHED_PATH_SIZE];
};

/**
 * struct fxt_rundown_name - a thread in the rundown
 * @name: its name
 * @time: as in struct fxt_sched_sight, like @cpu and @letter
 */
struct fxt_rundown_name {
	struct fxt_name name;
	__u64 time;
	__u32 cpu;
	__u32 letter;
};

#endif /* BPF_RING_H */
