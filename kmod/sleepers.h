/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sleepers.h - what has to be remembered of a thread between two events.
 *
 * A wakeup record is due exactly once for each time that a thread which the
 * trace shows as not runnable becomes runnable. sched_wakeup alone cannot tell:
 * it fires as well for a thread that was woken before it left its run queue.
 * And at sched_wakeup `current` may be anyone; only at sched_waking it is the
 * waker, or whom an interrupt took the CPU from that is. So both are remembered by tid, in a table with a place for every tid,
 * filled page by page as tids come into use. What a filter has to know of a
 * thread lies in the same place.
 *
 * No two CPUs ever race for the same field, and the scheduler's own locks and
 * barriers make what one stored visible to the next; so plain stores do, also
 * where the hardware reorders them:
 * - @waker is stored at sched_waking, under the thread's pi_lock, and loaded
 *   at its sched_wakeup, on the same CPU or on one that was handed the thread
 *   through its queue of wakeups; the next sched_waking comes only after it has
 *   run again, which takes the lock of the run queue that sched_wakeup holds.
 * - @blocked is set when the thread is switched out, before its on_cpu falls
 *   (release), which a waker awaits (acquire) before it wakes, or leaves the
 *   wakeup to that very CPU; it is cleared by that wakeup, under the lock of the
 *   run queue that the thread must be taken from to be switched out again.
 *   sched_waking may set it too, for a thread that went to sleep before tracing
 *   began: then on_rq says so, and the store is the same. A thread that has taken over
 *   its leader's tid in an exec clears it itself.
 * - @refused is stored by who makes the thread, at its first wakeup, and by who
 *   renames it, which mostly is the thread itself. The walk over all threads, before
 *   the probes that ask for it are registered, only fills in what is 0: cmpxchg()
 *   lets an event win that is newer than what the walk read.
 * - @renames is loaded and stored by who forks, renames or ends the thread. Others of
 *   its process can rename it, too: if two do so at once, one rename too many may
 *   become a record, and which of the names stays is up to the kernel as well.
 * Each field is stored by itself, never together with its neighbours. That a byte
 * is stored without undoing what another CPU stores in the byte beside it is what
 * the kernel's memory model promises.
 */
#ifndef FXT_KMOD_SLEEPERS_H
#define FXT_KMOD_SLEEPERS_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/threads.h>
#include <linux/types.h>

/**
 * struct fxt_sleeper - what is known of the thread with a certain tid
 * @waker: where its last wakeup began, fxt_sched_waker(); with a filter,
 *	FXT_WAKER_MATCHES says that it was a thread that matches it
 * @blocked: the trace shows it as not runnable
 * @refused: why it does not match the filter itself, FXT_REFUSED_*, and
 *	FXT_REFUSED_KNOWN; 0 until it was judged
 * @renames: how many of its renames may become records, and whether its newest name
 *	is in none: see fxt_rename.h
 */
struct fxt_sleeper {
	u32 waker;
	u8 blocked;
	u8 refused;
	u16 renames;
};

/* fxt_sleeper.waker: no bit of fxt_sched_waker(). */
#define FXT_WAKER_MATCHES	0x80000000U

static_assert(sizeof(struct fxt_sleeper) == sizeof(u64));

#define FXT_SLEEPERS_PER_PAGE	(PAGE_SIZE / sizeof(struct fxt_sleeper))
#define FXT_SLEEPERS_PAGES	DIV_ROUND_UP(PID_MAX_LIMIT, FXT_SLEEPERS_PER_PAGE)

/**
 * struct fxt_sleepers - the table
 * @pages: FXT_SLEEPERS_PAGES pointers, to @nowhere where no tid is in use yet
 * @nowhere: a page for what is stored and not loaded again, so that those who only
 *	store need not ask
 * @order: of those pages: 1 if behind each lies one with as many u64, the times
 *	of wakeups, else 0
 */
struct fxt_sleepers {
	struct fxt_sleeper **pages;
	struct fxt_sleeper *nowhere;
	unsigned int order;
};

int fxt_sleepers_init(struct fxt_sleepers *t, bool with_woken);
void fxt_sleepers_clear(struct fxt_sleepers *t);
int fxt_sleepers_populate(struct fxt_sleepers *t);
void fxt_sleepers_add(struct fxt_sleepers *t, pid_t tid);
void fxt_sleepers_free(struct fxt_sleepers *t);

#define FXT_SLEEPER_INDEX(tid)	((u32)(tid) % FXT_SLEEPERS_PER_PAGE)

/**
 * fxt_sleepers_page() - find the page that a thread's place is in
 * @t: the table
 * @tid: thread id
 *
 * Context: any.
 *
 * Return: the page, whose FXT_SLEEPER_INDEX(@tid) is the place; or
 * fxt_sleepers.nowhere if there was no memory for it.
 */
static __always_inline struct fxt_sleeper *fxt_sleepers_page(struct fxt_sleepers *t,
							     u32 tid)
{
	/*
	 * Its zeroes are loaded through the pointer: that address dependency pairs
	 * with the full barrier in fxt_sleepers_add_page(). A plain load, which is an
	 * instruction less: should the compiler repeat it, it gets the same or what
	 * has just taken the place of @nowhere, for once there a page stays.
	 */
	return data_race(t->pages[tid / FXT_SLEEPERS_PER_PAGE]);
}

/**
 * fxt_sleeper_at() - find a thread's place, to store something there
 * @t: the table
 * @tid: thread id
 *
 * Context: any.
 *
 * Return: the place, or one that nobody looks at.
 */
static __always_inline struct fxt_sleeper *fxt_sleeper_at(struct fxt_sleepers *t, u32 tid)
{
	return fxt_sleepers_page(t, tid) + FXT_SLEEPER_INDEX(tid);
}

/**
 * fxt_sleeper() - find a thread's place
 * @t: the table
 * @tid: thread id
 *
 * Context: any.
 *
 * Return: the place, or NULL if there was no memory for its page.
 */
static __always_inline struct fxt_sleeper *fxt_sleeper(struct fxt_sleepers *t, u32 tid)
{
	struct fxt_sleeper *page = fxt_sleepers_page(t, tid);

	return likely(page != t->nowhere) ? page + FXT_SLEEPER_INDEX(tid) : NULL;
}

/**
 * fxt_sleeper_woken() - find the place of the time of a thread's wakeup
 * @t: the table, made with such
 * @tid: thread id
 *
 * Context: any.
 *
 * Return: the place, or NULL if there was no memory for it.
 */
static __always_inline u64 *fxt_sleeper_woken(struct fxt_sleepers *t, u32 tid)
{
	struct fxt_sleeper *page = fxt_sleepers_page(t, tid);

	if (unlikely(page == t->nowhere))
		return NULL;
	return (u64 *)(page + FXT_SLEEPERS_PER_PAGE) + FXT_SLEEPER_INDEX(tid);
}

#endif /* FXT_KMOD_SLEEPERS_H */
