/* SPDX-License-Identifier: GPL-2.0 */
/*
 * threads.bpf.h - what must be known of each thread between events.
 *
 * Tables indexed by thread id. Their fields are stored, never read, changed and
 * stored, so CPUs cannot undo each other's work. Plain loads and stores do, for the
 * scheduler orders them: for sleep and waker see fxt_sched.bpf.c; by_pid and by_name
 * are stored at a new thread's first wakeup, or by the thread itself; and what a
 * walk finds, a grace period before recording begins.
 */
#ifndef BPF_THREADS_BPF_H
#define BPF_THREADS_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "ring.h"

/* A field of a task; direct must be a constant for the compiler. */
#define READ(direct, p, field) \
	((direct) ? (p)->field : BPF_CORE_READ(p, field))

/* The same for a field that is not as wide on all kernels. */
#define READ_SIZED(direct, p, field) \
	((direct) ? (p)->field : (__typeof__((p)->field))BPF_CORE_READ_BITFIELD_PROBED(p, field))

enum name_match {
	NAME_NOT_JUDGED,
	NAME_DIFFERS,
	NAME_MATCHES,
};

enum thread_sleep {
	AWAKE,
	ASLEEP,
	NAMED_AT_FORK,	/* on_fork() has seen it, and it was not woken for the first time yet */
};

#define WAKER_MATCHES	0x80000000U	/* no bit of fxt_sched_waker() */

/**
 * struct thread - what must be known of a thread between events
 * @waker: who wakes it, fxt_sched_waker(); with a filter, WAKER_MATCHES says what
 *	came of judging that one
 * @sleep: is it runnable? enum thread_sleep
 * @by_pid: it is of a process that was asked for, or of one made by such
 * @by_name: what came of judging the name that it had at its first wakeup or was
 *	given since, enum name_match
 * @by_first_name: 1 if the name matched that it had when the programs were attached
 */
struct thread {
	__u32 waker;
	__u8 sleep;
	__u8 by_pid;
	__u8 by_name;
	__u8 by_first_name;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);			/* set before loading */
	__type(key, __u32);
	__type(value, struct thread);
} threads SEC(".maps");

#define THREADS_PER_LINE_BITS	3	/* elements of 8 bytes in 64 */
#define LINES_PER_BLOCK_BITS	6
#define THREADS_PER_BLOCK	(1U << (THREADS_PER_LINE_BITS + LINES_PER_BLOCK_BITS))

/*
 * The place of a thread in the tables. Thread ids that follow each other, as those of
 * a thread pool do, lie in different cache lines: these threads run on different CPUs,
 * which would fight for the line. Ids change places only within their block, and the
 * tables consist of whole blocks. So an id beyond the table (pid_max was raised since)
 * has no place there: the lookup finds none, and no two threads share an element.
 */
static __always_inline __u32 thread_index(__u32 tid)
{
	__u32 line = tid & ((1U << LINES_PER_BLOCK_BITS) - 1);
	__u32 element = tid >> LINES_PER_BLOCK_BITS & ((1U << THREADS_PER_LINE_BITS) - 1);

	return (tid & ~(THREADS_PER_BLOCK - 1)) | line << THREADS_PER_LINE_BITS | element;
}

/* Find a thread's element, NULL if its id is beyond the table. */
static __always_inline struct thread *find_thread(__u32 tid)
{
	__u32 index = thread_index(tid);

	return bpf_map_lookup_elem(&threads, &index);
}

/* What is known of threads' renames, see fxt_rename.h. */
struct renames {
	__u16 thread[FXT_RENAMES_PER_ELEMENT];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);			/* set before loading */
	__type(key, __u32);
	__type(value, struct renames);
} renames SEC(".maps");

/* Find the element that a thread is in, and at which place; NULL as find_thread(). */
static __always_inline struct renames *find_renames(__u32 tid, __u32 *at)
{
	__u32 index = thread_index(tid), element = index / FXT_RENAMES_PER_ELEMENT;

	*at = index % FXT_RENAMES_PER_ELEMENT;
	return bpf_map_lookup_elem(&renames, &element);
}

#endif /* BPF_THREADS_BPF_H */
