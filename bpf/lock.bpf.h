/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lock.bpf.h - waits for locks of the kernel for which threads sleep, as kmod/lock.c has them.
 *
 * In:  contention_begin and contention_end, which fire only if a lock is held by others.
 * Out: one record at the end of each wait, on the thread.
 *
 * Context: the thread that waits; interrupts are on or off.
 */
#ifndef BPF_LOCK_BPF_H
#define BPF_LOCK_BPF_H

#include <bpf/bpf_core_read.h>

#include "events.bpf.h"
#include "fxt/fxt_lock.h"
#include "nested.bpf.h"
#include "threads.bpf.h"

/* The lock that a thread waits for. Only the thread itself uses its element. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);			/* set before loading */
	__type(key, __u32);
	__type(value, struct fxt_lock_wait);
} lock_waits SEC(".maps");

static __always_inline struct fxt_lock_wait *find_lock_wait(void)
{
	__u32 index = thread_index(bpf_get_current_pid_tgid());

	return bpf_map_lookup_elem(&lock_waits, &index);
}

/* The word of a lock with the address of its owner, and flags; 0 if it has none. */
static __always_inline __u64 read_lock_owner(__u64 lock, __u32 kind)
{
	struct rw_semaphore *rwsem = (void *)lock;
	struct rt_mutex_base *rt = (void *)lock;
	struct mutex *mutex = (void *)lock;

	if (kind == FXT_LOCK_MUTEX && bpf_core_field_exists(mutex->owner))
		return BPF_CORE_READ(mutex, owner.counter);
	if (kind == FXT_LOCK_RT_MUTEX && bpf_core_field_exists(rt->owner))
		return (__u64)BPF_CORE_READ(rt, owner);
	if ((kind == FXT_LOCK_RWSEM_READ || kind == FXT_LOCK_RWSEM_WRITE) &&
	    bpf_core_field_exists(rwsem->owner)) {
		lock = BPF_CORE_READ(rwsem, owner.counter);
		return lock & FXT_LINUX_OWNER_READER ? 0 : lock;
	}
	return 0;
}

/* Who holds a lock. Return: thread id; 0: unknown. */
static __always_inline __u32 read_lock_holder(__u64 lock, __u32 kind)
{
	struct task_struct *owner;
	__u32 holder = 0;

	owner = (void *)(read_lock_owner(lock, kind) & ~FXT_LINUX_OWNER_FLAGS);
	if (owner)
		holder = BPF_CORE_READ(owner, pid);
	return holder == (__u32)bpf_get_current_pid_tgid() ? 0 : holder;
}

/* Write the record, or count it as lost if there is no wait. */
static __always_inline void put_lock_wait(const struct fxt_lock_wait *w, __u64 begin)
{
	__u64 ids = bpf_get_current_pid_tgid();
	unsigned long flags;
	struct place at;
	__u64 *rec;

	ring_find(&at);
	if (nested_begin(&at, &flags))
		return;
	if (!w) {
		ring_lose(&at, FXT_RING_EVENTS);
	} else {
		rec = ring_reserve(&at, FXT_RING_EVENTS);
		if (rec)
			ring_commit(&at, fxt_sched_put_lock(rec, begin_before(begin, at.time),
							    at.time, ids, ids >> 32, w));
	}
	nested_end(&at, &flags);
}

static __always_inline bool keeps_lock_wait(void)
{
	return is_recording() && keeps_thread((void *)bpf_get_current_task());
}

/* A thread that is not in the table (pid_max has been raised) loses the record. */
static __always_inline int on_lock_wait(__u64 lock, __u32 flags)
{
	__u32 kind = fxt_lock_kind(flags);
	struct fxt_lock_wait *w;

	if (kind == FXT_LOCK_NONE)
		return 0;
	w = find_lock_wait();
	if (w)
		fxt_lock_wait_begin(w, clock_now_inline(), lock, kind,
				    read_lock_holder(lock, kind));
	else if (keeps_lock_wait())
		put_lock_wait(NULL, 0);
	return 0;
}

/* Ends of other locks inside the wait do not count. */
static __always_inline int on_lock_wait_end(__u64 lock)
{
	struct fxt_lock_wait *w = find_lock_wait();
	__u64 begin;

	if (!w || w->lock != lock)
		return 0;
	begin = consume_begin(&w->begin);
	if (begin && keeps_lock_wait())
		put_lock_wait(w, begin);
	return 0;
}

#endif /* BPF_LOCK_BPF_H */
