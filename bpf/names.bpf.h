/* SPDX-License-Identifier: GPL-2.0 */
/*
 * names.bpf.h - what threads are called.
 *
 * In: fork, exec, rename, and the end of threads. Out: names, in a ring buffer of
 * their own, because those events come with interrupts on: an interrupt's wakeup could
 * come in between if they went into the CPU's ring.
 */
#ifndef BPF_NAMES_BPF_H
#define BPF_NAMES_BPF_H

#include <bpf/bpf_core_read.h>

#include "fxt/fxt_rename.h"
#include "kernel_types.h"
#include "ring.bpf.h"
#include "threads.bpf.h"

/* Names are recorded; also while no switches are, or threads would have none later. */
__u32 naming;

/* Of the stream of names, in records; all are added to atomically. */
__u64 names_written __attribute__((aligned(FXT_RING_CACHE_LINE)));
__u64 names_lost;
__u64 names_busy;			/* programs that may be about to count */

/* Renames of which there is no record: see fxt_rename.h. Atomically as well. */
__u64 names_folded __attribute__((aligned(FXT_RING_CACHE_LINE)));

const volatile __u32 names_bytes;	/* of the ring buffer */

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);		/* set before loading */
} names SEC(".maps");

/* What users have left of their renames on a CPU, by fxt_rename_user(). */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, FXT_RENAME_USERS);
	__type(key, __u32);
	__type(value, __u32);
} rename_users SEC(".maps");

/* A rename of this thread: is there to be a record of it? */
static __always_inline bool rename_fits(struct task_struct *p, const bool direct)
{
	__u32 at, user = fxt_rename_user(bpf_get_current_uid_gid());
	struct renames *renames = find_renames(READ(direct, p, pid), &at);
	__u32 *of_user = bpf_map_lookup_elem(&rename_users, &user);

	/* It could not be marked. */
	if (!renames || !of_user)
		return true;
	return fxt_rename_fits(&renames->thread[at], of_user, bpf_ktime_get_ns(),
			       bpf_ringbuf_query(&names, BPF_RB_AVAIL_DATA) <
			       names_bytes / 2);
}

/* Keep so much of what is known of the thread's renames. */
static __always_inline void set_renames(struct task_struct *p, __u16 keep,
					const bool direct)
{
	__u32 at;
	struct renames *renames = find_renames(READ(direct, p, pid), &at);

	if (renames)
		renames->thread[at] &= keep;
}

/* Is the thread's newest name in no record? */
static __always_inline bool is_folded(struct task_struct *p, const bool direct)
{
	__u32 at;
	struct renames *renames = find_renames(READ(direct, p, pid), &at);

	return renames && renames->thread[at] & FXT_RENAME_FOLDED;
}

/*
 * The time is read before there is a place: user space takes a time that is before that
 * of the name ahead for the same one. So it never gets later than the place was given,
 * wherever the program is preempted, and a fork never later than the first wakeup.
 */
static __always_inline void send_name(struct task_struct *p, const char *comm,
				      __u32 event, const bool direct)
{
	__u32 tid = READ(direct, p, pid), tgid = READ(direct, p, tgid);
	__u32 records = fxt_sched_task_records(tid, tgid);
	__u64 time = clock_now();
	struct fxt_name *name;

	__sync_fetch_and_add(&names_written, records);
	name = bpf_ringbuf_reserve(&names, sizeof(*name), 0);
	if (!name) {
		__sync_fetch_and_add(&names_lost, records);
		return;
	}
	name->time = time;
	name->tid = tid;
	name->tgid = tgid;
	name->event = event;
	__builtin_memset(name->comm, 0, sizeof(name->comm));
	bpf_probe_read_kernel_str(name->comm, sizeof(name->comm), comm);
	bpf_ringbuf_submit(name, BPF_RB_NO_WAKEUP);
}

/*
 * Count a program in or out. x86 and s390 order any atomic addition; elsewhere only
 * one whose result is wanted orders: with STADD, which arm64 has for the others, a
 * count of send_name() could be seen after the program is counted out.
 */
static __always_inline void count_busy(__s64 n)
{
#if STORES_IN_ORDER
	__sync_fetch_and_add(&names_busy, n);
#else
	__u64 before = __sync_fetch_and_add(&names_busy, n);

	barrier_var(before);
#endif
}

/*
 * fork, exec, rename, exit: interrupts may be on, so whoever ends the trace can meet
 * this program half-way, and waits for names_busy to be 0 (acquire, in
 * wait_for_names() of the collector): then all that it sent and counted is there.
 * That it is seen busy, if it saw naming set, is due to the grace period that comes
 * in between. comm may be longer than a thread's name can be.
 */
static __always_inline int put_name(struct task_struct *p, const char *comm,
				    __u32 event, const bool direct)
{
	count_busy(1);
	if (*(volatile __u32 *)&naming) {
		if (event == FXT_STR_RENAME && !rename_fits(p, direct))
			__sync_fetch_and_add(&names_folded, 1);
		else
			send_name(p, comm, event, direct);
	}
	count_busy(-1);
	return 0;
}

#endif /* BPF_NAMES_BPF_H */
