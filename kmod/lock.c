// SPDX-License-Identifier: GPL-2.0-only
/*
 * lock.c - waits for locks, of the kernel if threads sleep for them, and of programs.
 *
 * In:  contention_begin and contention_end, which fire only if others hold the lock; sched_switch
 *      and sched_waking; waits that watch.c finds to be too long.
 * Out: slices in the stream of the CPU on which the wait ends; who holds a lock, for the trigger.
 *
 * Context of locks of the kernel: the thread that waits, with interrupts enabled or disabled. The
 * lock's inner lock is held, but none of the scheduler. Interrupts do not take sleeping locks.
 */
#include <linux/atomic.h>
#include <linux/compat.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
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

/* Where a lock has the address of its owner, and flags; NULL if it has none. */
static const void *fxt_lock_owner_at(const void *lock, u32 kind)
{
	switch (kind) {
#ifndef CONFIG_PREEMPT_RT
	case FXT_LOCK_MUTEX:
		return &((const struct mutex *)lock)->owner;
	case FXT_LOCK_RWSEM_READ:
	case FXT_LOCK_RWSEM_WRITE:
		return &((const struct rw_semaphore *)lock)->owner;
#endif
	case FXT_LOCK_RT_MUTEX:
		return FXT_RT_MUTEX_OWNER_AT(lock);
	default:
		return NULL;
	}
}

/* The address of the owner in such a word; 0 if it is none, or unknown. */
static unsigned long fxt_lock_owner(unsigned long word, u32 kind)
{
	bool is_rwsem = kind == FXT_LOCK_RWSEM_READ || kind == FXT_LOCK_RWSEM_WRITE;

	return is_rwsem && word & FXT_LINUX_OWNER_READER ? 0 : word & ~FXT_LINUX_OWNER_FLAGS;
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
	const unsigned long *at = fxt_lock_owner_at(lock, kind);
	unsigned long owner;
	u32 holder = 0;

	rcu_read_lock();
	owner = at ? fxt_lock_owner(READ_ONCE(*at), kind) : 0;
	if (owner)
		holder = ((const struct task_struct *)owner)->pid;
	rcu_read_unlock();
	return holder == current->pid ? 0 : holder;
}

/* --- waits ------------------------------------------------------------------ */

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

/* Context: an RCU read-side critical section, in which the thread is not freed. */
static struct task_struct *fxt_lock_thread(u32 tid)
{
	return pid_task(find_pid_ns(tid, &init_pid_ns), PIDTYPE_PID);
}

/* Is the number in the owner's place of a futex another thread of the process? */
static bool fxt_is_fellow(u32 holder, const struct task_struct *p)
{
	const struct task_struct *of;
	bool is_fellow;

	rcu_read_lock();
	of = holder ? fxt_lock_thread(holder) : NULL;
	is_fellow = of && of != p && of->tgid == p->tgid;
	rcu_read_unlock();
	return is_fellow;
}

/* Does a recorded wait that is over fire the trigger, if it was one for a lock? */
static void fxt_wait_check(struct fxt_session *ss, const struct fxt_event *e,
			   const struct task_struct *p, const struct fxt_lock_wait *wait)
{
	struct fxt_trigger_lock lock = { wait->lock, wait->kind, wait->holder };
	u64 limit = ss->trigger.limit[FXT_SCHED_CAUSE_LOCK];

	if (!limit || e->time - e->begin <= limit || !fxt_lock_wait_was_lock(wait))
		return;
	if (fxt_lock_is_futex(lock.kind) && fxt_get(FXT_LOCK_WAKER, wait->waker) != lock.holder &&
	    !fxt_is_fellow(lock.holder, p))
		lock.holder = 0;
	fxt_trigger_check_thread(&ss->trigger, &ss->recording, FXT_SCHED_CAUSE_LOCK, false,
				 e->s->id, p, e->begin, e->time, &lock);
}

static void fxt_wait_end(struct fxt_session *ss, struct fxt_lock_wait *wait, struct task_struct *p)
{
	struct fxt_event e;

	if (!fxt_slice_end(ss, &e, p, &wait->begin, FXT_SCHED_LOCK_WORDS))
		return;
	fxt_stream_commit(e.s, e.rec, e.time,
			  fxt_sched_put_lock(e.rec, e.begin, e.time, p->pid, p->tgid, wait));
	fxt_wait_check(ss, &e, p, wait);
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
 * Who has a lock of the kernel now? The wait for it may end meanwhile, and the memory of the lock
 * may then be used for something else or be gone. Return: what may be a thread id; 0 if unknown.
 */
static u32 fxt_lock_holder_now(const void *lock, u32 kind)
{
	const void *at = fxt_lock_owner_at(lock, kind);
	unsigned long owner = 0;
	pid_t holder = 0;

	if (!at || copy_from_kernel_nofault(&owner, at, sizeof(owner)))
		return 0;
	owner = fxt_lock_owner(owner, kind);
	if (!owner || copy_from_kernel_nofault(&holder, &((struct task_struct *)owner)->pid,
					       sizeof(holder)))
		return 0;
	return holder;
}

/*
 * A thread that now waits for the lock itself has given it up. Context: as of fxt_lock_look().
 */
static bool fxt_lock_is_of(const struct fxt_session *ss, const struct task_struct *holder,
			   const struct task_struct *waiter, const struct fxt_trigger_lock *lock)
{
	const struct fxt_lock_wait *wait = fxt_task_wait(&ss->tasks, holder->pid);

	if (holder == waiter ||
	    (fxt_lock_is_futex(lock->kind) && holder->tgid != waiter->tgid))
		return false;
	return !wait || !READ_ONCE(wait->begin) || READ_ONCE(wait->lock) != lock->lock;
}

/*
 * What is known of the lock that thread @p waits for. The holder is who has a lock of the kernel
 * now; of a futex, whose memory cannot be read here, who had it when @p last looked.
 *
 * Context: an RCU read-side critical section. @p may have the lock meanwhile: the caller then
 * discards what this has found.
 *
 * Return: the holder; NULL if it is unknown
 */
struct task_struct *fxt_lock_look(struct fxt_session *ss, const struct task_struct *p,
				  const struct fxt_lock_wait *wait, struct fxt_trigger_lock *lock)
{
	struct task_struct *holder;

	lock->lock = READ_ONCE(wait->lock);
	lock->kind = wait->kind;
	lock->holder = fxt_lock_is_futex(lock->kind) ? wait->holder :
		       fxt_lock_holder_now((const void *)(unsigned long)lock->lock, lock->kind);
	holder = lock->holder ? fxt_lock_thread(lock->holder) : NULL;
	if (holder && fxt_lock_is_of(ss, holder, p, lock))
		return holder;
	lock->holder = 0;
	return NULL;
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

/* For the trigger: is a futex a mutex that another thread of the current process has? */
static bool fxt_futex_is_held(const struct fxt_lock_wait *wait)
{
	unsigned long args[6];

	syscall_get_arguments(current, task_pt_regs(current), args);
	return fxt_futex_is_mutex(args[2], wait->holder) && fxt_is_fellow(wait->holder, current);
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
	if (kind == FXT_LOCK_NONE)
		return;
	fxt_wait_begin(ss, wait, futex, kind, fxt_futex_holder(futex, kind),
		       !(operation & FXT_LINUX_FUTEX_PRIVATE));
	if (wait && ss->trigger.limit[FXT_SCHED_CAUSE_LOCK] && fxt_futex_is_held(wait))
		fxt_lock_wait_held(wait);
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
