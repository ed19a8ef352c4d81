// SPDX-License-Identifier: GPL-2.0-only
/*
 * lock.c - waits for locks of the kernel for which threads sleep.
 *
 * In:  contention_begin and contention_end, which fire only if a lock is held by others.
 * Out: slices in the stream of the CPU on which the wait ends.
 *
 * Context: the thread that waits; interrupts are enabled or disabled. A lock inside the waited-for
 * one is held, but none of the scheduler. Sleeping locks are not taken in interrupts.
 */
#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <trace/events/lock.h>

#include <fxt/fxt_lock.h>

#include "compat.h"
#include "event.h"
#include "probes.h"

/* The word of a lock with the address of its owner, and flags. Return: 0 if it has none. */
static u64 fxt_lock_owner(const void *lock, u32 kind)
{
	switch (kind) {
#ifndef CONFIG_PREEMPT_RT
	case FXT_LOCK_MUTEX:
		return atomic_long_read(&((const struct mutex *)lock)->owner);
	case FXT_LOCK_RWSEM_READ:
	case FXT_LOCK_RWSEM_WRITE:
		return atomic_long_read(&((const struct rw_semaphore *)lock)->owner);
#endif
	case FXT_LOCK_RT_MUTEX:
		return FXT_RT_MUTEX_OWNER(lock);
	default:
		return 0;
	}
}

/*
 * Who holds a lock. An owner that is writer, or owns a mutex, cannot be freed while this CPU is in
 * an RCU read-side critical section: it was alive when the word was read. Readers leave the address
 * of the last one that came, which may have ended since.
 *
 * Return: thread id; 0: unknown.
 */
static u32 fxt_lock_holder(const void *lock, u32 kind)
{
	bool is_rwsem = kind == FXT_LOCK_RWSEM_READ || kind == FXT_LOCK_RWSEM_WRITE;
	u32 holder = 0;
	u64 owner;

	rcu_read_lock();
	owner = fxt_lock_owner(lock, kind);
	if (!is_rwsem || !(owner & FXT_LINUX_OWNER_READER)) {
		owner &= ~FXT_LINUX_OWNER_FLAGS;
		if (owner)
			holder = ((const struct task_struct *)(unsigned long)owner)->pid;
	}
	rcu_read_unlock();
	return holder == current->pid ? 0 : holder;
}

static void fxt_probe_lock_begin(void *data, void *lock, unsigned int flags)
{
	struct fxt_session *ss = data;
	u32 kind = fxt_lock_kind(flags);
	struct fxt_lock_wait *wait;
	unsigned long irq_flags;

	if (kind == FXT_LOCK_NONE)
		return;
	wait = fxt_task_wait(&ss->tasks, current->pid);
	if (!wait) {
		fxt_slice_lose(ss);
		return;
	}
	local_irq_save(irq_flags);
	fxt_lock_wait_begin(wait, fxt_stream_now(this_cpu_ptr(ss->cpus), &ss->clock),
			    (unsigned long)lock, kind, fxt_lock_holder(lock, kind));
	local_irq_restore(irq_flags);
}

/* The kind is that of the beginning; ends of other locks inside the wait do not count. */
static void fxt_probe_lock_end(void *data, void *lock, int ret)
{
	struct fxt_session *ss = data;
	struct fxt_lock_wait *wait = fxt_task_wait(&ss->tasks, current->pid);
	struct fxt_event e;

	if (!wait || !wait->begin || wait->lock != (unsigned long)lock)
		return;
	if (!fxt_slice_end(ss, &e, &wait->begin, FXT_SCHED_LOCK_WORDS))
		return;
	fxt_event_end(&e, fxt_sched_put_lock(e.rec, e.begin, e.time, current->pid, current->tgid,
					     wait));
}

static struct fxt_probe fxt_lock_probes[] = {
	FXT_LOCK_PROBE(contention_end, fxt_probe_lock_end),
	FXT_LOCK_PROBE(contention_begin, fxt_probe_lock_begin),
};

const struct fxt_group fxt_lock_group = FXT_GROUP(FXT_SCHED_EVENTS_LOCK, fxt_lock_probes);
