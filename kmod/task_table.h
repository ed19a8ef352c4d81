/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task_table.h - per-task state between two events, by tid.
 *
 * Each time that a thread becomes runnable which the trace shows as not runnable, one wakeup record
 * is due. sched_wakeup alone does not show that: it also fires for a thread that was woken before
 * it left its run queue. And at sched_wakeup `current` may be any thread; only at sched_waking it
 * is the waker, or the thread that the waking interrupt hit. So the probes keep both facts by tid,
 * in a table with a slot for every tid, which is filled page by page as tids come into use. The
 * slot also has the filter's result.
 *
 * Two CPUs never race for the same field, and the scheduler's locks and barriers make the stores of
 * one CPU visible to the next, so plain stores suffice even where the hardware reorders them:
 * - @waker is stored at sched_waking, under the thread's pi_lock. It is loaded at the sched_wakeup
 *   that follows, on the same CPU or on one that received the thread through its wake list. The
 *   next sched_waking comes only after the thread has run again, which takes the run queue lock
 *   that sched_wakeup holds.
 * - @blocked is set when the thread is switched out, before its on_cpu is cleared (release). A
 *   waker waits for that (acquire), or leaves the wakeup to that very CPU. The wakeup clears
 *   @blocked under the lock of the run queue that the thread must leave to be switched out again.
 *   sched_waking also sets it, for a thread that went to sleep before tracing began; on_rq shows
 *   that, and the store is the same. A thread that has taken over its leader's tid in an exec
 *   clears @blocked itself.
 * - With FXT_SCHED_WAKING two CPUs do race for @waker: see fxt_waking.h.
 * - @refused is stored by the thread's creator, at its first wakeup, and by the thread that renames
 *   it, mostly itself. The walk over all threads, before the probes that load it are registered,
 *   only replaces 0: by cmpxchg(), so that an event wins that is newer than what the walk read.
 * - @renames is loaded and stored by the thread that forks, renames or ends the thread. Other
 *   threads of its process can rename it, too. If two do so at once, one rename too many may become
 *   a record.
 * Each field is stored by itself, never together with its neighbours. The kernel's memory model
 * guarantees that a store to a byte does not undo another CPU's store to the byte beside it.
 */
#ifndef FXT_KMOD_TASK_TABLE_H
#define FXT_KMOD_TASK_TABLE_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/threads.h>
#include <linux/types.h>

#include <fxt/fxt_lock.h>

struct fxt_task {
	/*
	 * Where its last wakeup began, fxt_sched_waker(). With a filter, FXT_WAKER_MATCHES is set
	 * if the waker is a thread that matches. With FXT_SCHED_WAKING: enum fxt_waking.
	 */
	u32 waker;
	u8 blocked;	/* the trace shows it as not runnable; unused with FXT_SCHED_WAKING */
	u8 refused;	/* FXT_REFUSED_*; 0 until the filter was evaluated */
	u16 renames;	/* its rename rate; is its newest name folded? See fxt_rename.h */
};

/* not a bit of fxt_sched_waker() */
#define FXT_WAKER_MATCHES	0x80000000U

static_assert(sizeof(struct fxt_task) == sizeof(u64));

#define FXT_TASKS_PER_PAGE	(PAGE_SIZE / sizeof(struct fxt_task))
#define FXT_TASK_PAGES		DIV_ROUND_UP(PID_MAX_LIMIT, FXT_TASKS_PER_PAGE)
#define FXT_TASK_INDEX(tid)	((u32)(tid) % FXT_TASKS_PER_PAGE)

struct fxt_task_table {
	struct fxt_task **pages;	/* FXT_TASK_PAGES; @dummy_page where no tid is in use yet */
	struct fxt_task *dummy_page;	/* only stored to, so that such code needs no test */
	/*
	 * Pages of the same threads may follow each page: first the times since when they wait
	 * (fxt_trigger.h), then the others at these bytes from the page; 0: not kept.
	 */
	size_t begun_at;	/* when kworkers began work items, others system calls */
	size_t off_at;		/* when threads whose stacks may be needed were switched out */
	size_t memory_at;	/* when threads began to reclaim or compact memory */
	unsigned int order;	/* of a page and what follows it */
	/* For each page, what its threads wait for: FXT_WAIT_ORDER, or NULL; NULL: not kept. */
	struct fxt_lock_wait **waits;
	atomic64_t memory;	/* bytes of all of it, as charged to the limits */
};

struct fxt_reason;

/* Times that a table keeps of each thread beside its state. */
#define FXT_TASK_SINCE	BIT(0)	/* since when it waits or sleeps, for the trigger */
#define FXT_TASK_BEGUN	BIT(1)	/* when it began a work item or a system call */
#define FXT_TASK_OFF	BIT(2)	/* when it was switched out */
#define FXT_TASK_WAIT	BIT(3)	/* the lock that it waits for, and since when */
#define FXT_TASK_MEMORY	BIT(4)	/* when it began to reclaim or compact memory */

/* The waits of a page's threads have as many pages as a wait has sizes of a slot. */
#define FXT_WAIT_ORDER	2

static_assert(sizeof(struct fxt_lock_wait) == sizeof(struct fxt_task) << FXT_WAIT_ORDER);

int fxt_task_table_init(struct fxt_task_table *t, u32 times, struct fxt_reason *reason);
void fxt_task_table_clear(struct fxt_task_table *t);
int fxt_task_table_populate(struct fxt_task_table *t);
void fxt_task_table_add(struct fxt_task_table *t, pid_t tid);
void fxt_task_table_free(struct fxt_task_table *t);

/*
 * The page of a thread's slot, which is its FXT_TASK_INDEX(@tid); fxt_task_table.dummy_page if
 * there was no memory for it.
 */
static __always_inline struct fxt_task *fxt_task_page(const struct fxt_task_table *t, u32 tid)
{
	/*
	 * The page's zeroes are loaded through the pointer: that address dependency pairs
	 * with the full barrier in fxt_task_table_add_page().
	 *
	 * data_race(), because READ_ONCE() costs an instruction in every probe: the
	 * compiler then does not fold the load into the addition of the slot. A repeated
	 * load is harmless. It returns the same page, or the one that has just replaced
	 * @dummy_page, for once there a page stays.
	 */
	return data_race(t->pages[tid / FXT_TASKS_PER_PAGE]);
}

/* A thread's slot, to store to it; a dummy if there was no memory for its page. */
static __always_inline struct fxt_task *fxt_task_slot(const struct fxt_task_table *t, u32 tid)
{
	return fxt_task_page(t, tid) + FXT_TASK_INDEX(tid);
}

/* A thread's slot; NULL if there was no memory for its page. */
static __always_inline struct fxt_task *fxt_task_find(const struct fxt_task_table *t, u32 tid)
{
	struct fxt_task *page = fxt_task_page(t, tid);

	return likely(page != t->dummy_page) ? page + FXT_TASK_INDEX(tid) : NULL;
}

/* Note that a thread runs, whatever its slot says. Context: nobody wakes it meanwhile. */
static __always_inline void fxt_task_wakes(struct fxt_task *task)
{
	WRITE_ONCE(task->blocked, 0);
	WRITE_ONCE(task->waker, 0);
}

/*
 * What a table keeps of a thread @at these bytes from its page, in @size bytes; NULL if there was
 * no memory for it.
 */
static __always_inline void *fxt_task_beside(const struct fxt_task_table *t, u32 tid, size_t at,
					     size_t size)
{
	struct fxt_task *page = fxt_task_page(t, tid);

	if (unlikely(page == t->dummy_page))
		return NULL;
	return (void *)page + at + FXT_TASK_INDEX(tid) * size;
}

/* When a thread began to wait or sleep (fxt_trigger.h), in a table with such times. */
static __always_inline u64 *fxt_task_since(const struct fxt_task_table *t, u32 tid)
{
	return fxt_task_beside(t, tid, PAGE_SIZE, sizeof(u64));
}

/*
 * When a thread began its work item or its system call; kworkers make no system calls. Only the
 * thread itself and its creator use it.
 */
static __always_inline u64 *fxt_task_begun(const struct fxt_task_table *t, u32 tid)
{
	return fxt_task_beside(t, tid, t->begun_at, sizeof(u64));
}

/*
 * When a thread was switched out; 0 if its stack is not needed. Stored at the switch-out, taken at
 * the switch-in; wakers load it in between. It is ordered like @blocked.
 */
static __always_inline u64 *fxt_task_off(const struct fxt_task_table *t, u32 tid)
{
	return fxt_task_beside(t, tid, t->off_at, sizeof(u64));
}

/* When a thread began to reclaim or compact memory. Only the thread itself uses it. */
static __always_inline u64 *fxt_task_memory(const struct fxt_task_table *t, u32 tid)
{
	return fxt_task_beside(t, tid, t->memory_at, sizeof(u64));
}

/*
 * The lock that a thread waits for; NULL if there was no memory for it. Used by the thread itself,
 * by the switches that switch it out and in, and, for two fields, by its waker.
 */
static __always_inline struct fxt_lock_wait *fxt_task_wait(const struct fxt_task_table *t, u32 tid)
{
	struct fxt_lock_wait *waits = data_race(t->waits[tid / FXT_TASKS_PER_PAGE]);

	return likely(waits) ? waits + FXT_TASK_INDEX(tid) : NULL;
}

#endif /* FXT_KMOD_TASK_TABLE_H */
