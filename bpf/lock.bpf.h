/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lock.bpf.h - waits for locks, like kmod/lock.c.
 *
 * In:  contention_begin and contention_end, which fire only if others hold the lock; sched_switch
 *      and sched_waking; waits that user space finds to be too long (trigger.bpf.h).
 * Out: one record at the end of each wait, on the thread; a trigger that fires although the wait
 *      goes on.
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
#include "map.bpf.h"
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
SHARED_ARRAY(lock_waits, 1, struct fxt_lock_wait);	/* entries are set before loading */

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

/* Thread @tid waits for the lock. Return: id of who has it; 0 if unknown. */
static __always_inline __u32 read_lock_holder(__u64 lock, __u32 kind, __u32 tid)
{
	struct task_struct *owner;
	__u32 holder = 0;

	owner = (void *)(read_lock_owner(lock, kind) & ~FXT_LINUX_OWNER_FLAGS);
	if (owner)
		holder = BPF_CORE_READ(owner, pid);
	return holder == tid ? 0 : holder;
}

/* For the trigger: is the number in a futex's owner's place a thread of this process? */
static __always_inline bool futex_is_held(__u32 holder, __u32 tgid)
{
	struct task_struct *p = holder ? trigger_find_thread(holder) : NULL;

	return p && (__u32)BPF_CORE_READ(p, tgid) == tgid;
}

/* The recorded wait @w, until @time, is too long: fire if it counts. */
static __noinline int check_lock(struct task_struct *p, __u32 cpu, __u64 time, __u64 waited,
				 struct fxt_lock_wait *w)
{
	__u32 holder;

	if (!w || !trigger_counts(p, time - waited))
		return 0;
	holder = w->holder;
	if (fxt_lock_is_futex(w->kind) && fxt_get(FXT_LOCK_WAKER, w->waker) != holder &&
	    !futex_is_held(holder, BPF_CORE_READ(p, tgid)))
		holder = 0;
	trigger_fire_for(FXT_SCHED_CAUSE_LOCK, false, cpu, BPF_CORE_READ(p, pid),
			 BPF_CORE_READ(p, cred, uid.val), time, waited, w, holder);
	return 0;
}

/* Check the recorded wait @w, until @time, if it was one for a lock. */
static __always_inline void trigger_lock(struct task_struct *p, __u32 cpu,
					 struct fxt_lock_wait *w, __u64 begin, __u64 time)
{
	__u64 limit = trigger.limit[FXT_SCHED_CAUSE_LOCK];

	if (limit && time - begin > limit && !*(volatile __u64 *)&fired &&
	    fxt_lock_wait_was_lock(w))
		check_lock(p, cpu, time, time - begin, w);
}

/* Write the record, and let the trigger see the wait. Return: words. */
static __always_inline __u32 put_lock(const struct place *at, __u64 *rec, struct task_struct *p,
				      __u32 tid, __u32 pid, struct fxt_lock_wait *w, __u64 begin)
{
	begin = begin_before(begin, at->time);
	trigger_lock(p, at->cpu, w, begin, at->time);
	return fxt_sched_put_lock(rec, begin, at->time, tid, pid, w);
}

static __always_inline bool keeps_lock_wait(void)
{
	return is_recording() && keeps_thread((void *)bpf_get_current_task());
}

/* A thread that is not in the table (pid_max was raised) loses the record. */
static __always_inline int on_lock_wait(__u64 lock, __u32 flags)
{
	__u32 kind = fxt_lock_kind(flags), tid = bpf_get_current_pid_tgid();
	struct fxt_lock_wait *w;

	if (kind == FXT_LOCK_NONE)
		return 0;
	w = find_lock_wait(tid);
	if (w)
		fxt_lock_wait_begin(w, clock_now_inline(), lock, kind,
				    read_lock_holder(lock, kind, tid), 0);
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

/* The value that the futex must have for the current thread to sleep. */
static __always_inline __u32 read_futex_value(void)
{
	const struct pt_regs *regs = (void *)bpf_task_pt_regs((void *)bpf_get_current_task_btf());

	return bpf_core_field_exists(regs->orig_ax) ? BPF_CORE_READ(regs, dx) :
						      BPF_CORE_READ(regs, regs[2]);
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
	if (trigger.limit[FXT_SCHED_CAUSE_LOCK] &&
	    fxt_futex_is_mutex(read_futex_value(), w->holder) &&
	    futex_is_held(w->holder, prev->tgid))
		fxt_lock_wait_held(w);
}

static __always_inline void futex_sleep_end(struct task_struct *next)
{
	__u32 tid = next->pid;
	struct fxt_lock_wait *w = find_lock_wait(tid);
	struct place at;
	__u64 begin;

	if (!w || !w->begin || !fxt_lock_is_futex(w->kind))
		return;
	begin = consume_begin(&w->begin);
	if (!begin || !keeps_futex_sleep(next, tid) || ring_of_cpu(&at, true))
		return;
	RING_EVENT(&at, rec, put_lock(&at, rec, next, tid, next->tgid, w, begin));
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

/*
 * --- waits that go on ---
 */

/* The holder that is known of the lock that thread @tid waits for, if it has not given it up. */
static __always_inline __u32 lock_holder_now(const struct fxt_lock_wait *w, struct task_struct *p,
					     __u32 tid)
{
	bool is_futex = fxt_lock_is_futex(w->kind);
	__u32 holder = is_futex ? w->holder : read_lock_holder(w->lock, w->kind, tid);
	struct fxt_lock_wait *own = holder ? find_lock_wait(holder) : NULL;

	if (own && own->begin && own->lock == w->lock)
		return 0;
	return !is_futex || futex_is_held(holder, BPF_CORE_READ(p, tgid)) ? holder : 0;
}

/* Check a thread that sleeps and may have waited for a lock for too long, like trigger_look(). */
static __always_inline int look_at_lock(__u32 index, __u64 element)
{
	struct fxt_bpf_wait *wait = bpf_map_lookup_elem(&waits, &index);
	struct fxt_lock_wait *w = bpf_map_lookup_elem(&lock_waits, &index), seen;
	__u64 now, waited;
	__u32 tid, cpu, user, holder;
	struct task_struct *p;

	if (!wait || !w || *(volatile __u64 *)&fired)
		return 0;
	p = (struct task_struct *)wait->task;
	seen = *w;
	tid = BPF_CORE_READ(p, pid);
	cpu = read_cpu(p, PROBED);
	user = BPF_CORE_READ(p, cred, uid.val);
	if (!element || thread_index(tid) != index || !trigger_counts(p, seen.begin) ||
	    !trigger_is_true(p, element) || !filter_has_cpu(cpu) ||
	    (filter.threads && !filter_has_thread(p, find_thread(tid), PROBED)))
		return 0;
	holder = lock_holder_now(&seen, p, tid);
	now = clock_now();
	/* As in trigger_look(). A thread that sleeps has begun no other wait either. */
	if (*(volatile __u64 *)&wait->since != element || w->begin != seen.begin ||
	    now > *(volatile __u64 *)&until)
		return 0;
	waited = fxt_lock_waited(trigger.limit, element, &seen, *(volatile __u64 *)&since, now);
	if (waited)
		trigger_fire_for(FXT_SCHED_CAUSE_LOCK, true, cpu, tid, user, now, waited, &seen,
				 holder);
	return 1;
}

#endif /* BPF_LOCK_BPF_H */
