/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.bpf.h - the names of threads.
 *
 * In:  fork, exec, rename, exit, moves to other cgroups.
 * Out: names, in a ring buffer of their own: these events fire with interrupts on, so in the CPU's
 *      ring a wakeup from an interrupt could come between reserve and commit.
 */
#ifndef BPF_NAMES_BPF_H
#define BPF_NAMES_BPF_H

#include <bpf/bpf_core_read.h>

#include "fxt/fxt_rename.h"
#include "kernel_types.h"
#include "map.bpf.h"
#include "ring.bpf.h"
#include "threads.bpf.h"

/* Names are also recorded while switches are not. Otherwise threads would lack names later. */
__u32 naming;

/* Counters of the stream of names, in records; all are added to atomically. */
__u64 names_written __attribute__((aligned(FXT_RING_CACHE_LINE)));
__u64 names_lost;
__u64 names_busy;			/* programs that may still add to them */

/* Folded renames, see fxt_rename.h; also added to atomically. */
__u64 names_folded __attribute__((aligned(FXT_RING_CACHE_LINE)));

const volatile __u32 names_bytes;	/* of the ring buffer */

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);		/* set before loading */
} names SEC(".maps");

/* The rename rates of users on each CPU, by fxt_rename_user(). */
CPU_ARRAY(rename_users, FXT_RENAME_USERS, __u32);

/* Do the rate limits allow another rename of the thread to be recorded? */
static __always_inline bool rename_fits(struct task_struct *p)
{
	__u32 at, user = fxt_rename_user(bpf_get_current_uid_gid());
	struct renames *renames = find_renames(p->pid, &at);
	__u32 *of_user = bpf_map_lookup_elem(&rename_users, &user);

	/* The thread cannot be marked, so the rename must not be folded. */
	if (!renames || !of_user)
		return true;
	return fxt_rename_fits(&renames->thread[at], of_user, bpf_ktime_get_ns(),
			       bpf_ringbuf_query(&names, BPF_RB_AVAIL_DATA) <
			       names_bytes / 2);
}

/* @keep: bits of the thread's rename rate and mark that are not cleared */
static __always_inline void set_renames(struct task_struct *p, __u16 keep)
{
	__u32 at;
	struct renames *renames = find_renames(p->pid, &at);

	if (renames)
		renames->thread[at] &= keep;
}

/* Is the thread marked, its newest name in no record? */
static __always_inline bool is_folded(struct task_struct *p)
{
	__u32 at;
	struct renames *renames = find_renames(p->pid, &at);

	return renames && renames->thread[at] & FXT_RENAME_FOLDED;
}

static __always_inline void fill_name(struct fxt_name *name, struct task_struct *p,
				      const char *comm, __u32 event, __u64 time)
{
	name->time = time;
	name->tid = p->pid;
	name->tgid = p->tgid;
	name->parent = find_parent(p);
	name->event = event;
	__builtin_memset(name->comm, 0, sizeof(name->comm));
	bpf_probe_read_kernel_str(name->comm, sizeof(name->comm), comm);
}

/*
 * The time is read before the sample is reserved. So a name's time is never later than its
 * reservation, wherever the program is preempted, and a fork is never later than the first wakeup.
 * If a name's time precedes that of the previous sample, user space replaces it by the latter.
 */
static __always_inline void send_name(struct task_struct *p, const char *comm, __u32 event)
{
	__u32 tid = p->pid, tgid = p->tgid;
	__u32 records = fxt_sched_task_records(tid, tgid);
	__u64 time = clock_now();
	struct fxt_name *name;

	__sync_fetch_and_add(&names_written, records);
	name = bpf_ringbuf_reserve(&names, sizeof(*name), 0);
	if (!name) {
		__sync_fetch_and_add(&names_lost, records);
		return;
	}
	fill_name(name, p, comm, event, time);
	bpf_ringbuf_submit(name, BPF_RB_NO_WAKEUP);
}

/*
 * Count a program in or out. x86 and s390 order every atomic addition. Elsewhere only those whose
 * result is used are ordered: arm64 compiles the others to STADD, and the counters of send_name()
 * could become visible after the program is counted out.
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
 * Send a name, or fold it, at fork, exec, rename or exit. @comm may be longer than a comm.
 *
 * Interrupts may be on, so the recording can end while this program runs. The collector then waits
 * until names_busy is 0 (acquire, in wait_for_names()), and sees all names and counters. If the
 * program has seen "naming" set, the collector sees it in names_busy, because it interrupts each
 * CPU between clearing "naming" and reading names_busy.
 */
static __always_inline int put_name(struct task_struct *p, const char *comm, __u32 event)
{
	count_busy(1);
	if (*(volatile __u32 *)&naming) {
		if (event == FXT_STR_RENAME && !rename_fits(p))
			__sync_fetch_and_add(&names_folded, 1);
		else
			send_name(p, comm, event);
	}
	count_busy(-1);
	return 0;
}

/*
 * A thread has moved to another cgroup. @path: NULL if unknown. @alone, @event: as in struct
 * fxt_sched_attach.
 */
static __always_inline int put_attach(struct task_struct *p, const char *path, bool alone,
				      __u32 event)
{
	__u32 tid = p->pid, records = fxt_sched_task_records(tid, p->tgid);
	__u64 time = clock_now();
	struct fxt_attach *attach;
	long bytes = 0;

	count_busy(1);
	if (*(volatile __u32 *)&naming) {
		__sync_fetch_and_add(&names_written, records);
		attach = bpf_ringbuf_reserve(&names, sizeof(*attach), 0);
		if (attach) {
			fill_name(&attach->name, p, p->comm, event, time);
			attach->alone = alone;
			if (path)
				bytes = bpf_probe_read_kernel_str(attach->path,
								  sizeof(attach->path), path);
			/* With the terminating 0; a truncated path fills all bytes. */
			attach->bytes = bytes > 0 && bytes < FXT_SCHED_PATH_SIZE ?
					bytes - 1 : FXT_SCHED_PATH_SIZE;
			bpf_ringbuf_submit(attach, BPF_RB_NO_WAKEUP);
		} else {
			__sync_fetch_and_add(&names_lost, records);
		}
	}
	count_busy(-1);
	return 0;
}

#endif /* BPF_NAMES_BPF_H */
