/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * threads.bpf.h - per-thread state between events.
 *
 * The tables are indexed by thread id. Programs store whole fields, without read-modify-write, so
 * CPUs cannot undo each other's stores; the exception is the word of fxt_waking.h. Plain loads and
 * stores suffice, because the scheduler orders them: for sleep and waker see fxt_sched.bpf.c;
 * by_pid and by_name are stored at a new thread's first wakeup, or by the thread itself. The
 * results of the walk are stored before the recording begins, and each CPU is interrupted in
 * between.
 */
#ifndef BPF_THREADS_BPF_H
#define BPF_THREADS_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "config.h"
#include "cpu.bpf.h"
#include "fxt/fxt_sched_thread.h"
#include "fxt/fxt_waking.h"
#include "kernel_types.h"
#include "map.bpf.h"

/*
 * How a field is read: with a plain load in programs of the kind tp_btf, to which the kernel passes
 * typed pointers; with a helper elsewhere. A compile-time constant.
 */
#define DIRECT	true
#define PROBED	false

#define READ(direct, p, field) \
	((direct) ? (p)->field : BPF_CORE_READ(p, field))

/* For a field whose width differs between kernels. */
#define READ_SIZED(direct, p, field) \
	((direct) ? (p)->field : (__typeof__((p)->field))BPF_CORE_READ_BITFIELD_PROBED(p, field))

enum name_match {
	NAME_UNKNOWN,
	NAME_DIFFERS,
	NAME_MATCHES,
};

enum thread_sleep {
	AWAKE,
	ASLEEP,
	NAMED_AT_FORK,	/* on_fork() has seen it; its first wakeup is still to come */
};

#define WAKER_MATCHES	0x80000000U	/* not a bit of fxt_sched_waker() */

struct thread {
	/*
	 * waker of the last wakeup, fxt_sched_waker(). With a filter, WAKER_MATCHES is set if the
	 * waker is a thread that matches. In sessions that record wakeups at sched_waking: enum
	 * fxt_waking
	 */
	__u32 waker;
	/* enum thread_sleep; never ASLEEP in sessions that record wakeups at sched_waking */
	__u8 sleep;
	__u8 by_pid;	/* its process is in the filter, or descends from one that is */
	/* enum name_match: the filter's result at its first wakeup or newest rename */
	__u8 by_name;
	/* 1 if its name matched when the programs were attached */
	__u8 by_first_name;
};

_Static_assert(sizeof(struct thread) == FXT_BPF_THREAD_BYTES, "user space knows the size");

const volatile __u32 near_threads;	/* in the table "threads", a power of two */

/*
 * One element, whose address the kernel puts into the programs, like that of the rings (cpu.bpf.h).
 * Threads for which it has no room are in the second table.
 */
ARRAY(threads, 1, struct thread);	/* really one for each thread */

ARRAY(more_threads, 1, struct thread);	/* entries are set before loading */

/*
 * Consecutive thread ids, as in a thread pool, have different pairs of cache lines, because such
 * threads run on different CPUs and would contend for a line. The factor is odd and the number of
 * places a power of two, so no two threads share a place.
 */
#define THREAD_STRIDE	17

/* NULL if the thread is not in the first table. For programs, not for functions that they call. */
static __always_inline struct thread *find_near_thread(__u32 tid)
{
	__u64 at = (__u64)tid * (THREAD_STRIDE * FXT_BPF_THREAD_BYTES);
	void *table;

	if (tid >= PATCHED(FXT_BPF_MARK_NEAR))
		return NULL;
	asm volatile("%0 = %1 ll" : "=r"(table) : "i"(FXT_BPF_MARK_THREADS));
	asm volatile("%0 &= %1" : "+r"(at) : "i"(FXT_BPF_MARK_PLACES));
	return table + at;
}

#define THREADS_PER_LINE_BITS	3	/* elements of 8 bytes in 64 */
#define LINES_PER_BLOCK_BITS	6
#define THREADS_PER_BLOCK	(1U << (THREADS_PER_LINE_BITS + LINES_PER_BLOCK_BITS))

/*
 * Index of a thread in the other tables, where consecutive ids also have different cache lines. Ids
 * are permuted only within their block, and the tables consist of whole blocks. So no two threads
 * share an element, and an id beyond the table (pid_max was raised) has none.
 */
static __always_inline __u32 thread_index(__u32 tid)
{
	__u32 line = tid & ((1U << LINES_PER_BLOCK_BITS) - 1);
	__u32 element = tid >> LINES_PER_BLOCK_BITS & ((1U << THREADS_PER_LINE_BITS) - 1);

	return (tid & ~(THREADS_PER_BLOCK - 1)) | line << THREADS_PER_LINE_BITS | element;
}

/* NULL if the id is beyond the tables. */
static __always_inline struct thread *find_thread(__u32 tid)
{
	__u64 at = (__u64)tid * (THREAD_STRIDE * FXT_BPF_THREAD_BYTES);
	__u32 first = 0, index = tid - near_threads;
	void *table;

	if (tid >= near_threads)
		return bpf_map_lookup_elem(&more_threads, &index);
	table = bpf_map_lookup_elem(&threads, &first);
	if (!table)
		return NULL;
	at &= (__u64)(near_threads - 1) * FXT_BPF_THREAD_BYTES;
	/* The verifier must see the bounds of the value in use, not of a copy. */
	barrier_var(at);
	return table + at;
}

/*
 * The parent of a thread's process that getppid(2) returns, not a tracer; if it has ended, the
 * process that has adopted the child. Return: thread group id, or 0.
 */
static __always_inline __u32 find_parent(struct task_struct *p)
{
	/* The parent's task_struct may be freed once the thread was released. */
	return BPF_CORE_READ(p, thread_pid) ? BPF_CORE_READ(p, real_parent, tgid) : 0;
}

/*
 * Is the thread off its run queue? The state is no proof: with a signal pending, it is S although
 * the thread stays runnable. Since 6.12, a sleeping thread may stay on the queue for a while
 * (delayed dequeue).
 */
static __always_inline bool is_asleep(struct task_struct *p, const bool direct)
{
	if (!READ_SIZED(direct, p, on_rq))
		return true;
	if (bpf_core_field_exists(p->se.sched_delayed))
		return READ(direct, p, se.sched_delayed);
	return false;
}

/*
 * Ignore dead threads, which nobody wakes: the id may already belong to a new thread, which may
 * even have been woken.
 */
static __always_inline void note_asleep(struct thread *thread, __u32 task_state)
{
	if (thread && thread->sleep != NAMED_AT_FORK && !(task_state & FXT_LINUX_DEAD))
		thread->sleep = ASLEEP;
}

/* "sleep" is ASLEEP already, unless the sleep began before the programs ran. */
static __always_inline void note_waking(struct thread *thread, struct task_struct *p, __u32 waker)
{
	thread->waker = waker;
	if (thread->sleep != ASLEEP && is_asleep(p, DIRECT))
		thread->sleep = ASLEEP;
}

/* Correct the element of a thread that runs. Nobody is waking that thread. */
static __always_inline void note_awake(struct thread *thread)
{
	thread->sleep = AWAKE;
	thread->waker = 0;
}

/* Kernels for one CPU do not have on_cpu. */
static __always_inline bool is_running(struct task_struct *p, const bool direct)
{
	if (bpf_core_field_exists(p->on_cpu))
		return READ_SIZED(direct, p, on_cpu);
	return READ(direct, p, pid) == (int)bpf_get_current_pid_tgid();
}

/* The CPU whose run queue the thread is on. Kernels for one CPU have no field for it. */
static __always_inline __u64 read_cpu(struct task_struct *p, const bool direct)
{
	__u64 cpu = 0;

	/* The barriers keep the compiler from computing one address for both. */
	if (bpf_core_field_exists(p->cpu)) {
		cpu = READ(direct, p, cpu);
		barrier_var(cpu);
	} else if (bpf_core_field_exists(p->thread_info.cpu)) {
		cpu = READ(direct, p, thread_info.cpu);
		barrier_var(cpu);
	}
	/* No CPU number exceeds the field in records. */
	__builtin_assume(cpu < FXT_BPF_CPUS_MOST);
	return cpu;
}

/* See fxt_rename.h. */
struct renames {
	__u16 thread[FXT_RENAMES_PER_ELEMENT];
};

ARRAY(renames, 1, struct renames);	/* entries are set before loading */

/* @at: set to the index in the element; NULL as in find_thread(). */
static __always_inline struct renames *find_renames(__u32 tid, __u32 *at)
{
	__u32 index = thread_index(tid), element = index / FXT_RENAMES_PER_ELEMENT;

	*at = index % FXT_RENAMES_PER_ELEMENT;
	return bpf_map_lookup_elem(&renames, &element);
}

/* --- the weight of a thread, and the state in which it sleeps ----------------------- */

const volatile __u32 weight;		/* enum fxt_bpf_weight */
const volatile __u32 has_prev_state;	/* sched_switch has prev_state as its 4th argument */

static __always_inline __u32 read_state_now(struct task_struct *p)
{
	struct task_struct___old *old = (void *)p;

	if (bpf_core_field_exists(p->__state))
		return p->__state;
	return old->state;
}

/*
 * The state that sched_switch reports. Before 5.18 the event lacks it, and it is read from the
 * task, where a waker on another CPU may already have changed it: then a D or I sleep is recorded
 * as S. The event's argument is read here, and volatile, so that the verifier of an older kernel
 * never sees that access. @has: has_prev_state
 */
static __always_inline __u32 read_state(const volatile __u64 *ctx, struct task_struct *prev,
					__u32 has)
{
	return has ? ctx[3] : read_state_now(prev);
}

/*
 * @kind: not FXT_BPF_WEIGHT_NONE. Idle threads need no read, and few threads have a weight other
 * than the fair class's.
 */
static __always_inline __s32 read_weight(struct task_struct *p, __u32 tid, __u32 kind,
					 const bool direct)
{
	__s32 prio;

	if (!tid)
		return FXT_SCHED_WEIGHT_IDLE;
	prio = READ(direct, p, prio);
	if (kind == FXT_BPF_WEIGHT_PRIO)
		return prio;
	if (!fxt_sched_weight_is_load(tid, prio))
		return fxt_sched_weight(tid, prio, 0);
	return READ(direct, p, se.load.weight) >> 10;
}

static __always_inline __s32 read_any_weight(struct task_struct *p, __u32 tid, const bool direct)
{
	if (weight == FXT_BPF_WEIGHT_NONE)
		return fxt_sched_no_weight(tid);
	return read_weight(p, tid, weight, direct);
}

/*
 * --- which program writes the record of a wakeup that is recorded at sched_waking ---
 *
 * They agree by the word of the thread, see fxt_waking.h. The exchanges came with Linux 5.12.
 * Earlier kernels refuse programs that have one, even in code that is never reached. So only
 * programs for such sessions have them.
 */

/* Return: the old word. A full barrier. */
static __always_inline __u32 exchange_word(struct thread *thread, __u32 word)
{
	return __sync_lock_test_and_set(&thread->waker, word);
}

static __always_inline __u32 replace_word(struct thread *thread, __u32 from, __u32 to)
{
	return __sync_val_compare_and_swap(&thread->waker, from, to);
}

/*
 * Must sched_waking record this wakeup? If not, the thread does not sleep after all, or its CPU is
 * about to switch it out, or has already recorded the wakeup.
 *
 * The word can be wrong in two cases. If a thread has slept since before its switches were seen, it
 * is not FXT_WAKING_ASLEEP. If the kernel skipped a program, it may be FXT_WAKING_ASLEEP although
 * the thread runs. Otherwise the word is right and the run queue may not be: during its delayed
 * dequeue, a thread looks runnable.
 */
static __always_inline bool records_waking(struct thread *thread, struct task_struct *p,
					   __u32 waker)
{
	/* A full barrier: if the word is FXT_WAKING_ASLEEP, the thread has left its run queue. */
	__u32 word = __sync_fetch_and_add(&thread->waker, 0), old;
	bool asleep = is_asleep(p, DIRECT), running = is_running(p, DIRECT);

	if (word == FXT_WAKING_ASLEEP ? asleep || !running : asleep && !running)
		return exchange_word(thread, FXT_WAKING_AWAKE) != FXT_WAKING_WOKEN;
	old = replace_word(thread, word, FXT_WAKING_EARLY | waker);
	/* The word can only have changed to FXT_WAKING_ASLEEP, and from that. */
	return old != word && exchange_word(thread, FXT_WAKING_AWAKE) == FXT_WAKING_ASLEEP;
}

static __always_inline bool is_being_woken(struct task_struct *p)
{
	__u32 lock = 0;

	/* A lock that is held is never 0. Whoever released it has set the state before. */
	bpf_probe_read_kernel(&lock, sizeof(lock),
			      (void *)p + bpf_core_field_offset(p->pi_lock));
	return lock || read_state_now(p) == FXT_LINUX_WAKING;
}

/*
 * Is the early wakeup, which sched_switch has found in the thread's word, for the sleep that
 * begins?
 */
static __always_inline bool accepts_early(struct thread *thread, struct task_struct *prev)
{
	return is_being_woken(prev) &&
	       replace_word(thread, FXT_WAKING_ASLEEP, FXT_WAKING_WOKEN) == FXT_WAKING_ASLEEP;
}

#endif /* BPF_THREADS_BPF_H */
