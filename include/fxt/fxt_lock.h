/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_lock.h - waits for locks: their kinds, and their record.
 *
 * In:  a wait as the tracepoints contention_begin and contention_end see it; a sleep in futex(2),
 *      and who ends it in futex(2).
 * Out: a slice on the thread that waited, with the kind of the lock as its name.
 */
#ifndef FXT_FXT_LOCK_H
#define FXT_FXT_LOCK_H

#include <linux/fxt_sched.h>

#include "fxt_sched_event.h"

/* LOCK(kind, name) - enum fxt_sched_lock_kind in its order; names of at most 16 bytes */
#define FXT_LOCKS(LOCK)				\
	LOCK(MUTEX, "mutex")			\
	LOCK(RWSEM_READ, "rwsem read")		\
	LOCK(RWSEM_WRITE, "rwsem write")	\
	LOCK(SEMAPHORE, "semaphore")		\
	LOCK(RT_MUTEX, "rt mutex")		\
	LOCK(RT_READ, "rt read")		\
	LOCK(RT_WRITE, "rt write")		\
	LOCK(PERCPU_READ, "percpu read")	\
	LOCK(PERCPU_WRITE, "percpu write")	\
	LOCK(FUTEX, "futex")			\
	LOCK(PI_FUTEX, "pi futex")

#define FXT_LOCK_KIND(kind, name)	FXT_LOCK_##kind = FXT_SCHED_LOCK_##kind,
enum fxt_lock_kind {
	FXT_LOCKS(FXT_LOCK_KIND)
	FXT_LOCK_KINDS,
	FXT_LOCK_NONE = FXT_LOCK_KINDS	/* no thread sleeps for the lock */
};

#undef FXT_LOCK_KIND

#define FXT_LOCK_NAME_WORDS	2
#define FXT_SCHED_LOCK_WORDS	(FXT_SCHED_EVENT_HEAD + FXT_LOCK_NAME_WORDS + 9)

_Static_assert(FXT_SCHED_LOCK_WORDS <= FXT_SCHED_EVENT_WORDS, "producers reserve that many");

/* Flags of contention_begin: LCB_F_* in <trace/events/lock.h>. */
#define FXT_LINUX_LOCK_SPIN	(1U << 0)
#define FXT_LINUX_LOCK_READ	(1U << 1)
#define FXT_LINUX_LOCK_WRITE	(1U << 2)
#define FXT_LINUX_LOCK_RT	(1U << 3)
#define FXT_LINUX_LOCK_PERCPU	(1U << 4)
#define FXT_LINUX_LOCK_MUTEX	(1U << 5)

/* Low bits of the word with the address of the owner of a mutex, rwsem or rt mutex. */
#define FXT_LINUX_OWNER_FLAGS	7ULL
#define FXT_LINUX_OWNER_READER	(1ULL << 0)	/* of a rwsem: readers have or had it last */

/*
 * --- futexes ---
 *
 * A mutex of glibc on 64-bit machines is a futex, followed by a count and the thread id of its
 * owner. Nothing shows that a futex is a mutex, so readers check the id. A trigger, which must
 * decide at once, also checks the value for which the thread sleeps.
 */

#define FXT_FUTEX_PAGE		4096U		/* the smallest page of all machines */
#define FXT_FUTEX_OWNER_AT	8		/* bytes from the futex */

/* <linux/futex.h>: the operation without its flags, and the owner in a PI futex. */
#define FXT_LINUX_FUTEX_PRIVATE	128U
#define FXT_LINUX_FUTEX_FLAGS	(FXT_LINUX_FUTEX_PRIVATE | 256U)
#define FXT_LINUX_FUTEX_TID	0x3fffffffU

/* <linux/futex.h>: FUTEX_WAIT, _WAIT_BITSET, _LOCK_PI, _LOCK_PI2. */
#define FXT_LINUX_FUTEX_WAIT		0U
#define FXT_LINUX_FUTEX_WAIT_BITSET	9U
#define FXT_LINUX_FUTEX_LOCK_PI		6U
#define FXT_LINUX_FUTEX_LOCK_PI2	13U

/* <linux/futex.h>: operations that wake threads which sleep for their first futex. */
#define FXT_LINUX_FUTEX_WAKE		1U
#define FXT_LINUX_FUTEX_REQUEUE		3U
#define FXT_LINUX_FUTEX_CMP_REQUEUE	4U
#define FXT_LINUX_FUTEX_WAKE_OP		5U
#define FXT_LINUX_FUTEX_UNLOCK_PI	7U
#define FXT_LINUX_FUTEX_WAKE_BITSET	10U

/* The kind of a futex by the operation of a sleep; FXT_LOCK_NONE for others. */
static __always_inline __u32 fxt_futex_kind(__u32 operation)
{
	switch (operation & ~FXT_LINUX_FUTEX_FLAGS) {
	case FXT_LINUX_FUTEX_WAIT:
	case FXT_LINUX_FUTEX_WAIT_BITSET:
		return FXT_LOCK_FUTEX;
	case FXT_LINUX_FUTEX_LOCK_PI:
	case FXT_LINUX_FUTEX_LOCK_PI2:
		return FXT_LOCK_PI_FUTEX;
	default:
		return FXT_LOCK_NONE;
	}
}

/* Does an operation wake threads which sleep for its first futex? */
static __always_inline int fxt_futex_wakes(__u32 operation)
{
	switch (operation & ~FXT_LINUX_FUTEX_FLAGS) {
	case FXT_LINUX_FUTEX_WAKE:
	case FXT_LINUX_FUTEX_REQUEUE:
	case FXT_LINUX_FUTEX_CMP_REQUEUE:
	case FXT_LINUX_FUTEX_WAKE_OP:
	case FXT_LINUX_FUTEX_UNLOCK_PI:
	case FXT_LINUX_FUTEX_WAKE_BITSET:
		return 1;
	default:
		return 0;
	}
}

/* Likewise, and it wakes no others. */
static __always_inline int fxt_futex_only_wakes(__u32 operation)
{
	switch (operation & ~FXT_LINUX_FUTEX_FLAGS) {
	case FXT_LINUX_FUTEX_WAKE:
	case FXT_LINUX_FUTEX_UNLOCK_PI:
	case FXT_LINUX_FUTEX_WAKE_BITSET:
		return 1;
	default:
		return 0;
	}
}

#define FXT_FUTEX_CONTENDED	2U	/* in a mutex of glibc for which threads sleep */

/*
 * Does the value that a futex must have for a thread to sleep fit a mutex of glibc? @holder: the
 * thread id in its owner's place. A robust mutex has that id in the futex as well.
 */
static __always_inline int fxt_futex_is_mutex(__u32 value, __u32 holder)
{
	return value == FXT_FUTEX_CONTENDED || (value & FXT_LINUX_FUTEX_TID) == holder;
}

/* The address of the word with the owner's thread id. */
static __always_inline __u64 fxt_futex_owner(__u64 futex, __u32 kind)
{
	return kind == FXT_LOCK_PI_FUTEX ? futex : futex + FXT_FUTEX_OWNER_AT;
}

static __always_inline int fxt_lock_is_futex(__u32 kind)
{
	return kind == FXT_LOCK_FUTEX || kind == FXT_LOCK_PI_FUTEX;
}

/*
 * A thread that wakes another one through a futex. A mutex of glibc no longer names an owner when
 * its owner wakes the next thread. So if the waker's thread id is still in the owner's place, that
 * is not an owner.
 */
#define FXT_LOCK_WAKER		FXT_BITS(0, 21)		/* thread id; 0: unknown */
#define FXT_LOCK_WAKER_STAYS	FXT_BITS(31, 31)	/* its id is still in the owner's place */

/*
 * A thread waits for a lock. That thread stores all but @waker and @waker_lock; the thread that
 * wakes it stores those, while it sleeps.
 */
struct fxt_lock_wait {
	__u64 begin;		/* ticks; 0: no wait */
	__u64 lock;		/* address */
	__u32 holder : 22;	/* thread id of who was last seen to have the lock; 0: unknown */
	__u32 kind : 8;		/* enum fxt_lock_kind */
	__u32 is_lock : 1;	/* for a trigger: it is a lock, not just any futex */
	__u32 is_shared : 1;	/* a futex that other processes may have */
	__u32 waker;		/* who woke the thread through the futex: FXT_LOCK_WAKER* */
	__u64 waker_lock;	/* in the memory of the waker, if it is another one; else 0 */
};

_Static_assert(FXT_SCHED_TID_END == 1U << 22, "thread ids fit");
_Static_assert(sizeof(struct fxt_lock_wait) == 4 * FXT_WORD, "producers keep one for each thread");

/*
 * @flags: of contention_begin. A thread that spins for a mutex goes to sleep if that takes long, so
 * that counts. Spin locks and rwlocks do not, except on PREEMPT_RT, where they are rt mutexes.
 * Return: enum fxt_lock_kind.
 */
static __always_inline __u32 fxt_lock_kind(__u32 flags)
{
	int read = flags & FXT_LINUX_LOCK_READ, write = flags & FXT_LINUX_LOCK_WRITE;

	if (flags & FXT_LINUX_LOCK_MUTEX)
		return FXT_LOCK_MUTEX;
	if (flags & FXT_LINUX_LOCK_SPIN)
		return FXT_LOCK_NONE;
	if (flags & FXT_LINUX_LOCK_RT)
		return read ? FXT_LOCK_RT_READ : write ? FXT_LOCK_RT_WRITE : FXT_LOCK_RT_MUTEX;
	if (flags & FXT_LINUX_LOCK_PERCPU)
		return read ? FXT_LOCK_PERCPU_READ : FXT_LOCK_PERCPU_WRITE;
	return read ? FXT_LOCK_RWSEM_READ : write ? FXT_LOCK_RWSEM_WRITE : FXT_LOCK_SEMAPHORE;
}

/*
 * Note that a thread waits. @now: ticks. @lock: address. @holder: thread id; 0, or no valid id:
 * unknown. @is_shared: a futex that other processes may have, too
 *
 * A thread that is woken without getting the lock begins to wait again: it is the same wait. Of
 * nested waits for different locks, the inner one counts.
 *
 * A futex is a lock with priority inheritance, or if the caller then finds that @holder is a thread
 * of the process: see fxt_lock_wait_held().
 *
 * A switch may come in between, and read @w: it finds no wait, or a whole one.
 */
static __always_inline void fxt_lock_wait_begin(struct fxt_lock_wait *w, __u64 now, __u64 lock,
						__u32 kind, __u32 holder, int is_shared)
{
	int goes_on = w->begin && w->lock == lock && w->kind == kind;
	__u64 begin = goes_on ? w->begin : now;

	w->begin = 0;
	__asm__ __volatile__("" ::: "memory");
	w->waker = 0;
	w->waker_lock = 0;
	if (holder >= FXT_SCHED_TID_END)
		holder = 0;
	if (!goes_on || holder)
		w->holder = holder;
	if (!goes_on)
		w->is_lock = kind != FXT_LOCK_FUTEX;
	w->lock = lock;
	w->kind = kind;
	w->is_shared = is_shared;
	__asm__ __volatile__("" ::: "memory");
	w->begin = begin;
}

/*
 * The @holder of a wait that has begun is another thread of the same process, and so proves that
 * the futex is a mutex.
 */
static __always_inline void fxt_lock_wait_held(struct fxt_lock_wait *w)
{
	w->is_lock = 1;
}

/*
 * Was a wait that is over one for a lock? A mutex of several processes is known by a holder that
 * wakes the thread.
 */
static __always_inline int fxt_lock_wait_was_lock(const struct fxt_lock_wait *w)
{
	__u32 waker = fxt_get(FXT_LOCK_WAKER, w->waker);

	if (w->kind == FXT_LOCK_FUTEX && fxt_get(FXT_LOCK_WAKER_STAYS, w->waker))
		return 0;
	return w->is_lock || (waker && waker == w->holder);
}

/*
 * Does a thread wake another one, which sleeps as @w says, through its futex? @futex: address in
 * the process of the waker. @operation: of the waker. @is_same: both have the same memory
 *
 * Of threads with different memory, only the place in the page is compared. As the waker wakes
 * nobody but those who sleep for @futex, the addresses are of one futex. The exception is a sleeper
 * that FUTEX_REQUEUE has moved to @futex from another one at the same place in a page.
 */
static __always_inline int fxt_futex_is_of(const struct fxt_lock_wait *w, __u64 futex,
					   __u32 operation, int is_same)
{
	if (is_same)
		return futex == w->lock && fxt_futex_wakes(operation);
	return w->is_shared && !(operation & FXT_LINUX_FUTEX_PRIVATE) &&
	       fxt_futex_only_wakes(operation) &&
	       !((futex ^ w->lock) & (FXT_FUTEX_PAGE - 1));
}

/*
 * Note that thread @waker wakes a thread that sleeps for a futex, through that futex. @owner: the
 * present word where a mutex has its owner. @waker_lock: as in struct fxt_lock_wait
 */
static __always_inline void fxt_lock_wait_woken(struct fxt_lock_wait *w, __u32 waker, __u32 owner,
						__u64 waker_lock)
{
	int stays = w->kind == FXT_LOCK_FUTEX && (owner & FXT_LINUX_FUTEX_TID) == waker;

	w->waker_lock = waker_lock;
	w->waker = fxt_put(FXT_LOCK_WAKER, waker) | fxt_put(FXT_LOCK_WAKER_STAYS, stays);
}

/* Return: length in bytes. */
static __always_inline __u64 fxt_lock_put_name(__u64 *to, __u32 kind)
{
#define FXT_LOCK_NAME(kind, name)						\
	case FXT_LOCK_##kind:							\
		__builtin_memcpy(to, name "\0\0\0\0\0\0\0\0\0\0\0",			\
				 FXT_LOCK_NAME_WORDS * FXT_WORD);		\
		return sizeof(name) - 1;
	switch (kind) {
	FXT_LOCKS(FXT_LOCK_NAME)
	}
#undef FXT_LOCK_NAME
	return 0;
}

/*
 * A thread waited for a lock. "Duration complete": on the thread, with the Uint64 argument "lock",
 * an address, and, if they are known, the koid arguments "holder" and "waker". If the waker is of
 * another process, the Uint64 argument "waker_lock" is the address there. @w: its @begin is
 * ignored. Return: words written.
 */
static __always_inline __u32 fxt_sched_put_lock(__u64 *rec, __u64 begin, __u64 end, __u32 tid,
						__u32 tgid, const struct fxt_lock_wait *w)
{
	__u64 bytes = fxt_lock_put_name(rec + FXT_SCHED_EVENT_HEAD, w->kind);
	__u32 at = FXT_SCHED_EVENT_HEAD + (bytes > FXT_WORD ? 2 : 1);
	__u32 waker = fxt_get(FXT_LOCK_WAKER, w->waker);
	__u32 holder = fxt_get(FXT_LOCK_WAKER_STAYS, w->waker) ? 0 : w->holder;
	__u64 waker_lock = waker ? w->waker_lock : 0;
	__u32 args = 1 + !!holder + !!waker + !!waker_lock, words = at + 2 * args + 1;

	fxt_sched_put_event_head(rec, fxt_event(words, FXT_EVENT_DURATION_COMPLETE, args,
						FXT_THREAD_REF_INLINE, FXT_STR_LOCK,
						fxt_string_ref_inline(bytes)),
				 begin, tgid, tid);
	rec[at++] = fxt_arg_uint64(2, FXT_STR_LOCK);
	rec[at++] = w->lock;
	if (holder) {
		rec[at++] = fxt_arg_koid(2, FXT_STR_HOLDER);
		rec[at++] = holder;
	}
	if (waker) {
		rec[at++] = fxt_arg_koid(2, FXT_STR_WAKER);
		rec[at++] = waker;
	}
	if (waker_lock) {
		rec[at++] = fxt_arg_uint64(2, FXT_STR_WAKER_LOCK);
		rec[at++] = waker_lock;
	}
	rec[at] = end;
	return words;
}

#endif /* FXT_FXT_LOCK_H */
