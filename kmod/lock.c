// SPDX-License-Identifier: GPL-2.0-only
/*
 * lock.c - waits for locks, of the kernel if threads sleep for them, and of programs.
 *
 * In:  contention_begin and contention_end, which fire only if others hold the lock; sched_switch
 *      and sched_waking.
 * Out: slices in the stream of the CPU on which the wait ends.
 *
 * Context of locks of the kernel: the thread that waits, with interrupts enabled or disabled. The
 * lock's inner lock is held, but none of the scheduler. Interrupts do not take sleeping locks.
 */
#include <linux/atomic.h>
#include <linux/compat.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/unistd.h>
#include <asm/syscall.h>
#include <trace/events/lock.h>
#include <trace/events/sched.h>

#include <fxt/fxt_lock.h>

#include "compat.h"
#include "event.h"
#include "probes.h"
#include "record.h"

/* The word of a lock with the address of its owner, and flags; 0 if it has none. */
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
 * The owner of a mutex or rt mutex, or a writer, was alive when the word was read, and is not freed
 * while this CPU is in an RCU read-side critical section. Readers leave the address of the last
 * that came, which may have ended since.
 *
 * Return: thread id; 0 if unknown.
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

/* @wait: NULL if there was no memory for it */
static void fxt_wait_begin(struct fxt_session *ss, struct fxt_lock_wait *wait, u64 lock, u32 kind,
			   u32 holder, bool is_shared)
{
	unsigned long flags;

	if (!wait) {
		fxt_slice_lose(ss);
		return;
	}
	local_irq_save(flags);
	fxt_lock_wait_begin(wait, fxt_stream_now(this_cpu_ptr(ss->cpus), &ss->clock), lock, kind,
			    holder, is_shared);
	local_irq_restore(flags);
}

static void fxt_wait_end(struct fxt_session *ss, struct fxt_lock_wait *wait, struct task_struct *p)
{
	struct fxt_event e;

	if (!fxt_slice_end(ss, &e, p, &wait->begin, FXT_SCHED_LOCK_WORDS))
		return;
	fxt_stream_commit(e.s, e.rec, e.time,
			  fxt_sched_put_lock(e.rec, e.begin, e.time, p->pid, p->tgid, wait));
	fxt_trigger_lock(&ss->trigger, &ss->recording, e.s->id, p, e.begin, e.time);
	local_irq_restore(e.flags);
}

static void fxt_probe_lock_begin(void *data, void *lock, unsigned int flags)
{
	struct fxt_session *ss = data;
	u32 kind = fxt_lock_kind(flags);

	if (kind != FXT_LOCK_NONE)
		fxt_wait_begin(ss, fxt_task_wait(&ss->tasks, current->pid), (unsigned long)lock,
			       kind, fxt_lock_holder(lock, kind), false);
}

/* The kind is that of the beginning. Ends of other locks inside the wait do not count. */
static void fxt_probe_lock_end(void *data, void *lock, int ret)
{
	struct fxt_session *ss = data;
	struct fxt_lock_wait *wait = fxt_task_wait(&ss->tasks, current->pid);

	if (wait && wait->begin && wait->lock == (unsigned long)lock)
		fxt_wait_end(ss, wait, current);
}

/*
 * --- locks of programs: threads that sleep in futex(2) ---
 *
 * Context: as in switch.c; prev is current. The registers of its program have the arguments of its
 * system call.
 */

#ifdef __NR_futex
#define FXT_NR_FUTEX	__NR_futex
#else
#define FXT_NR_FUTEX	(-1)
#endif

/* The word with the owner's thread id; 0 if it cannot be read. */
static u32 fxt_futex_owner_word(u64 futex, u32 kind)
{
	u32 word = 0;

	/* In 5.10 copy_from_user_nofault() would check that. */
	pagefault_disable();
	if (copy_from_user_nofault(&word, (const void __user *)(unsigned long)
				   fxt_futex_owner(futex, kind), sizeof(word)))
		word = 0;
	pagefault_enable();
	return word;
}

/* Return: thread id; 0 if it cannot be read. */
static u32 fxt_futex_holder(u64 futex, u32 kind)
{
	u32 holder = fxt_futex_owner_word(futex, kind) & FXT_LINUX_FUTEX_TID;

	return holder == current->pid ? 0 : holder;
}

/*
 * Does a thread have registers and memory of its program? Workers for io_uring or vhost have those
 * of the thread that made them. A thread that ends may have the memory of another process.
 */
static bool fxt_runs_program(const struct task_struct *p)
{
	return !(p->flags & (PF_KTHREAD | PF_EXITING | FXT_PF_WORKERS)) && p->mm;
}

/*
 * The first futex and the operation of the current thread. Return: false if it is not in futex().
 */
static bool fxt_in_futex(u64 *futex, u32 *operation)
{
	struct pt_regs *regs = task_pt_regs(current);
	unsigned long args[6];

	if (syscall_get_nr(current, regs) != FXT_NR_FUTEX || in_compat_syscall())
		return false;
	syscall_get_arguments(current, regs, args);
	*futex = args[0];
	*operation = args[1];
	return true;
}

/*
 * A wait for a lock of the kernel inside futex() is no wait for the futex. Some 32-bit machines
 * have only futex_time64(), which is not recorded.
 */
static void fxt_futex_sleep(struct fxt_session *ss, struct task_struct *prev)
{
	struct fxt_lock_wait *wait = fxt_task_wait(&ss->tasks, prev->pid);
	u32 operation, kind;
	u64 futex;

	if ((wait && wait->begin) || !fxt_in_futex(&futex, &operation))
		return;
	kind = fxt_futex_kind(operation);
	if (kind != FXT_LOCK_NONE)
		fxt_wait_begin(ss, wait, futex, kind, fxt_futex_holder(futex, kind),
			       !(operation & FXT_LINUX_FUTEX_PRIVATE));
}

static void fxt_futex_sleep_end(struct fxt_session *ss, struct task_struct *next)
{
	struct fxt_lock_wait *wait = fxt_task_wait(&ss->tasks, next->pid);

	if (wait && wait->begin && fxt_lock_is_futex(wait->kind))
		fxt_wait_end(ss, wait, next);
}

static void FXT_PROBE_SWITCH(fxt_probe_lock_switch)
{
	if (fxt_runs_program(prev) && FXT_PREV_STATE(prev) & TASK_INTERRUPTIBLE &&
	    !FXT_TASK_QUEUED(prev))
		fxt_futex_sleep(data, prev);
	fxt_futex_sleep_end(data, next);
}

/*
 * Does the current thread wake @p through the futex that @p sleeps for? Context: @p's pi_lock is
 * held.
 */
static void fxt_probe_lock_waking(void *data, struct task_struct *p)
{
	struct fxt_session *ss = data;
	struct fxt_lock_wait *wait = fxt_task_wait(&ss->tasks, p->pid);
	bool is_same = p->mm == current->mm;
	u32 operation;
	u64 futex;

	if (!wait || !READ_ONCE(wait->begin) || !fxt_lock_is_futex(wait->kind) ||
	    (!is_same && !wait->is_shared) || !fxt_runs_program(current) || fxt_irq())
		return;
	if (fxt_in_futex(&futex, &operation) && fxt_futex_is_of(wait, futex, operation, is_same))
		fxt_lock_wait_woken(wait, current->pid, fxt_futex_owner_word(futex, wait->kind),
				    is_same ? 0 : futex);
}

static struct fxt_probe fxt_lock_probes[] = {
	FXT_LOCK_PROBE(contention_end, fxt_probe_lock_end),
	FXT_LOCK_PROBE(contention_begin, fxt_probe_lock_begin),
	FXT_PROBE(sched_waking, fxt_probe_lock_waking),
	FXT_PROBE(sched_switch, fxt_probe_lock_switch),
};

const struct fxt_group fxt_lock_group = FXT_GROUP(FXT_SCHED_EVENTS_LOCK, fxt_lock_probes);
