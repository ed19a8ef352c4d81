/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lock.bpf.h - waits for locks, like kmod/lock.c.
 *
 * In:  contention_begin and contention_end, which fire only if others hold the lock; sched_switch
 *      and sched_waking.
 * Out: one record at the end of each wait, on the thread.
 *
 * Context of locks of the kernel: the thread that waits, with interrupts on or off.
 */
#ifndef BPF_LOCK_BPF_H
#define BPF_LOCK_BPF_H

#include <bpf/bpf_core_read.h>

#include "context.bpf.h"
#include "events.bpf.h"
#include "filter.bpf.h"
#include "fxt/fxt_lock.h"
#include "nested.bpf.h"
#include "slices.bpf.h"
#include "threads.bpf.h"
#include "trigger.bpf.h"

/*
 * The lock that a thread waits for. Used by the thread itself, by the switches that switch it out
 * and in, and, for two fields, by its waker.
 *
 * The kernel skips a program that already runs on the CPU, which can happen here since 7.2, whose
 * tracepoints leave preemption on. If it skips the end of a wait, nothing else shows that the wait
 * is over. The wait then seems to go on until the thread waits for another lock or sleeps for a
 * futex, or until the end of its next wait for the same lock, so that both count as one.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);			/* set before loading */
	__type(key, __u32);
	__type(value, struct fxt_lock_wait);
} lock_waits SEC(".maps");

static __always_inline struct fxt_lock_wait *find_lock_wait(__u32 tid)
{
	__u32 index = thread_index(tid);

	return bpf_map_lookup_elem(&lock_waits, &index);
}

/* The word with the owner's address, and flags; 0 if the lock has none. */
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

/* Return: thread id; 0 if unknown. */
static __always_inline __u32 read_lock_holder(__u64 lock, __u32 kind)
{
	struct task_struct *owner;
	__u32 holder = 0;

	owner = (void *)(read_lock_owner(lock, kind) & ~FXT_LINUX_OWNER_FLAGS);
	if (owner)
		holder = BPF_CORE_READ(owner, pid);
	return holder == (__u32)bpf_get_current_pid_tgid() ? 0 : holder;
}

/* Write the record, and let the trigger see the wait. Return: words. */
static __always_inline __u32 put_lock(const struct place *at, __u64 *rec, struct task_struct *p,
				      __u32 tid, __u32 pid, const struct fxt_lock_wait *w,
				      __u64 begin)
{
	begin = begin_before(begin, at->time);
	trigger_lock(p, at->cpu, begin, at->time);
	return fxt_sched_put_lock(rec, begin, at->time, tid, pid, w);
}

static __always_inline bool keeps_lock_wait(void)
{
	return is_recording() && keeps_thread((void *)bpf_get_current_task());
}

/* A thread that is not in the table (pid_max was raised) loses the record. */
static __always_inline int on_lock_wait(__u64 lock, __u32 flags)
{
	__u32 kind = fxt_lock_kind(flags);
	struct fxt_lock_wait *w;

	if (kind == FXT_LOCK_NONE)
		return 0;
	w = find_lock_wait(bpf_get_current_pid_tgid());
	if (w)
		fxt_lock_wait_begin(w, clock_now_inline(), lock, kind,
				    read_lock_holder(lock, kind), 0);
	else if (keeps_lock_wait())
		lose_event();
	return 0;
}

/* Ends of other locks inside the wait do not count. */
static __always_inline int on_lock_wait_end(__u64 lock)
{
	__u64 ids = bpf_get_current_pid_tgid(), begin;
	struct fxt_lock_wait *w = find_lock_wait(ids);
	struct place at;

	if (!w || w->lock != lock)
		return 0;
	begin = consume_begin(&w->begin);
	if (!begin || !keeps_lock_wait())
		return 0;
	ring_find(&at);
	RECORD_EVENT(&at, rec, put_lock(&at, rec, (void *)bpf_get_current_task(), ids, ids >> 32, w,
					begin));
	return 0;
}

/*
 * --- locks of programs: threads that sleep in futex(2) ---
 *
 * Context: a run queue is locked, interrupts are off; prev is current. The registers of its program
 * have the arguments of its system call.
 */

/*
 * Threads without registers and memory of their program: workers for io_uring and vhost have those
 * of the thread that made them, and a thread that ends may have the memory of another process.
 */
#define PF_IO_WORKER	0x00000010
#define PF_USER_WORKER	0x00004000	/* since Linux 6.4 */
#define NO_PROGRAM	(PF_KTHREAD | PF_EXITING | PF_IO_WORKER | PF_USER_WORKER)

#define NR_FUTEX_X86	202
#define NR_FUTEX_ARM64	98

/*
 * The first futex and the operation of the current thread. Return: false if it is not in futex().
 */
static __always_inline bool read_futex(__u64 *futex, __u32 *operation)
{
	const struct pt_regs *regs = (void *)bpf_task_pt_regs((void *)bpf_get_current_task_btf());

	if (bpf_core_field_exists(regs->orig_ax)) {
		*futex = BPF_CORE_READ(regs, di);
		*operation = BPF_CORE_READ(regs, si);
		return call_number(regs) == NR_FUTEX_X86;
	}
	*futex = BPF_CORE_READ(regs, orig_x0);
	*operation = BPF_CORE_READ(regs, regs[1]);
	return call_number(regs) == NR_FUTEX_ARM64;
}

/* The word of a mutex with the thread id of its owner; 0 if it cannot be read. */
static __always_inline __u32 read_futex_owner(__u64 futex, __u32 kind)
{
	__u32 word = 0;

	bpf_probe_read_user(&word, sizeof(word), (void *)fxt_futex_owner(futex, kind));
	return word;
}

static __always_inline bool keeps_futex_sleep(struct task_struct *p, __u32 tid)
{
	return is_recording() &&
	       (!filter.on || (filter_has_cpu(bpf_get_smp_processor_id()) &&
			       (!filter.threads ||
				filter_has_thread(p, find_thread(tid), DIRECT))));
}

static __always_inline void lose_futex_sleep(struct task_struct *prev)
{
	struct place at;

	if (keeps_futex_sleep(prev, prev->pid) && !ring_of_cpu(&at, true))
		ring_lose(&at, FXT_RING_EVENTS);
}

/*
 * A wait for a lock of the kernel inside futex() is no wait for the futex. FUTEX_WAIT does not wait
 * for such locks in an interruptible sleep, so the end of such a wait was missed.
 */
static __always_inline void futex_sleep(struct task_struct *prev)
{
	struct fxt_lock_wait *w = find_lock_wait(prev->pid);
	__u32 operation, kind, owner;
	__u64 futex;

	if (!read_futex(&futex, &operation) || !is_native(prev))
		return;
	kind = fxt_futex_kind(operation);
	if (kind == FXT_LOCK_NONE || (w && w->begin && kind != FXT_LOCK_FUTEX))
		return;
	if (!w) {
		lose_futex_sleep(prev);
		return;
	}
	owner = read_futex_owner(futex, kind) & FXT_LINUX_FUTEX_TID;
	fxt_lock_wait_begin(w, clock_now_inline(), futex, kind,
			    owner == (__u32)prev->pid ? 0 : owner,
			    !(operation & FXT_LINUX_FUTEX_PRIVATE));
}

static __always_inline void futex_sleep_end(struct task_struct *next)
{
	__u32 tid = next->pid;
	struct fxt_lock_wait *w = find_lock_wait(tid);
	struct place at;
	__u64 begin, *rec;

	if (!w || !w->begin || !fxt_lock_is_futex(w->kind))
		return;
	begin = consume_begin(&w->begin);
	if (!begin || !keeps_futex_sleep(next, tid) || ring_of_cpu(&at, true))
		return;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(&at, put_lock(&at, rec, next, tid, next->tgid, w, begin));
}

static __always_inline int on_lock_switch(const __u64 *ctx, struct task_struct *prev,
					  struct task_struct *next)
{
	if (is_asleep(prev, DIRECT) && !(prev->flags & NO_PROGRAM) && prev->mm &&
	    read_state(ctx, prev, has_prev_state) & FXT_LINUX_INTERRUPTIBLE)
		futex_sleep(prev);
	futex_sleep_end(next);
	return 0;
}

/* Does the current thread wake @p through the futex that @p sleeps for? */
static __always_inline int on_lock_waking(struct task_struct *p)
{
	struct task_struct *thread = (void *)bpf_get_current_task_btf();
	struct fxt_lock_wait *w = find_lock_wait(p->pid);
	bool is_same = thread->mm == p->mm;
	__u32 operation, kind;
	__u64 futex;

	if (!w || !w->begin || (!is_same && !w->is_shared) || thread->flags & NO_PROGRAM)
		return 0;
	kind = w->kind;
	if (!fxt_lock_is_futex(kind) || !fxt_sched_waker_is_thread(current_waker(context)))
		return 0;
	if (read_futex(&futex, &operation) && is_native(thread) &&
	    fxt_futex_is_of(w, futex, operation, is_same))
		fxt_lock_wait_woken(w, thread->pid, read_futex_owner(futex, kind),
				    is_same ? 0 : futex);
	return 0;
}

#endif /* BPF_LOCK_BPF_H */
