/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sleepers.h - what has to be remembered of a thread between two events.
 *
 * A wakeup record is due exactly once for each time that a thread which the
 * trace shows as not runnable becomes runnable. sched_wakeup alone cannot tell:
 * it fires as well for a thread that was woken before it left its run queue.
 * And at sched_wakeup `current` may be anyone; only at sched_waking it is the
 * waker. So both are remembered by tid, in a table with a place for every tid,
 * filled page by page as tids come into use.
 *
 * No two CPUs ever race for the same word:
 * - @waker is stored at sched_waking, under the thread's pi_lock, and loaded
 *   at its sched_wakeup, which comes before its next sched_waking.
 * - @blocked is set when the thread is switched out, before its on_cpu falls
 *   (release), which a waker awaits (acquire) before it wakes; it is cleared
 *   by that wakeup. sched_waking may set it too, for a thread that went to
 *   sleep before tracing began: then on_rq says so, and the store is the same.
 */
#ifndef FXT_KMOD_SLEEPERS_H
#define FXT_KMOD_SLEEPERS_H

#include <linux/compiler.h>
#include <linux/threads.h>
#include <linux/types.h>

/**
 * struct fxt_sleeper - what is known of the thread with a certain tid
 * @waker: tid of the thread that began its last wakeup
 * @blocked: the trace shows it as not runnable
 */
struct fxt_sleeper {
	u32 waker;
	u32 blocked;
};

#define FXT_SLEEPERS_PER_PAGE	(PAGE_SIZE / sizeof(struct fxt_sleeper))
#define FXT_SLEEPERS_PAGES	DIV_ROUND_UP(PID_MAX_LIMIT, FXT_SLEEPERS_PER_PAGE)

/**
 * struct fxt_sleepers - the table
 * @pages: FXT_SLEEPERS_PAGES pointers, NULL where no tid is in use yet
 */
struct fxt_sleepers {
	struct fxt_sleeper **pages;
};

int fxt_sleepers_init(struct fxt_sleepers *t);
int fxt_sleepers_populate(struct fxt_sleepers *t);
void fxt_sleepers_add(struct fxt_sleepers *t, pid_t tid);
void fxt_sleepers_free(struct fxt_sleepers *t);

/**
 * fxt_sleeper() - find a thread's place
 * @t: the table
 * @tid: thread id
 *
 * Context: any.
 *
 * Return: the place, or NULL if there was no memory for its page.
 */
static __always_inline struct fxt_sleeper *fxt_sleeper(struct fxt_sleepers *t,
						       pid_t tid)
{
	struct fxt_sleeper *page = READ_ONCE(t->pages[tid / FXT_SLEEPERS_PER_PAGE]);

	return likely(page) ? page + tid % FXT_SLEEPERS_PER_PAGE : NULL;
}

#endif /* FXT_KMOD_SLEEPERS_H */
