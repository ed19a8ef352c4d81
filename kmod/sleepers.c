// SPDX-License-Identifier: GPL-2.0
/*
 * sleepers.c - the table of sleepers.h: its pages come and go here.
 */
#include <linux/bitmap.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "sleepers.h"
#include "walk.h"

/**
 * fxt_sleepers_init() - make an empty table
 * @t: the table
 * @with_woken: there is to be room for the times of wakeups
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_sleepers_init(struct fxt_sleepers *t, bool with_woken)
{
	unsigned int page;

	t->order = with_woken;
	t->nowhere = (struct fxt_sleeper *)get_zeroed_page(GFP_KERNEL);
	t->pages = kvcalloc(FXT_SLEEPERS_PAGES, sizeof(*t->pages), GFP_KERNEL);
	if (!t->nowhere || !t->pages)
		return -ENOMEM;
	for (page = 0; page < FXT_SLEEPERS_PAGES; page++)
		t->pages[page] = t->nowhere;
	return 0;
}

static int fxt_sleepers_add_page(struct fxt_sleepers *t, unsigned int page,
				 gfp_t gfp)
{
	struct fxt_sleeper *new;

	if (READ_ONCE(t->pages[page]) != t->nowhere)
		return 0;
	new = (struct fxt_sleeper *)__get_free_pages(gfp | __GFP_ZERO, t->order);
	if (!new)
		return -ENOMEM;
	/*
	 * Zeroes before the pointer, by the full barrier in cmpxchg(), for readers
	 * look at once. Pairs with the address dependency in fxt_sleepers_page().
	 */
	if (cmpxchg(&t->pages[page], t->nowhere, new) != t->nowhere)
		free_pages((unsigned long)new, t->order);
	return 0;
}

/**
 * fxt_sleepers_clear() - forget all threads
 * @t: the table; no probe runs
 *
 * Context: may sleep.
 */
void fxt_sleepers_clear(struct fxt_sleepers *t)
{
	unsigned int page;

	for (page = 0; page < FXT_SLEEPERS_PAGES; page++)
		if (t->pages[page] != t->nowhere)
			memset(t->pages[page], 0, PAGE_SIZE << t->order);
}

static void fxt_sleepers_want(struct task_struct *p, void *wanted)
{
	__set_bit(p->pid / FXT_SLEEPERS_PER_PAGE, wanted);
}

/**
 * fxt_sleepers_populate() - make a place for every thread there is
 * @t: the table
 *
 * New threads have to be added by fxt_sleepers_add() from before this call.
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_sleepers_populate(struct fxt_sleepers *t)
{
	unsigned long *wanted = bitmap_zalloc(FXT_SLEEPERS_PAGES, GFP_KERNEL);
	unsigned int page;
	int ret = 0;

	if (!wanted)
		return -ENOMEM;
	fxt_walk(fxt_sleepers_want, wanted);
	/* There no memory can be had where fxt_sleepers_add() runs. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		bitmap_fill(wanted, FXT_SLEEPERS_PAGES);

	for_each_set_bit(page, wanted, FXT_SLEEPERS_PAGES) {
		ret = fxt_sleepers_add_page(t, page, GFP_KERNEL);
		if (ret)
			break;
	}
	bitmap_free(wanted);
	return ret;
}

/**
 * fxt_sleepers_add() - make a place for a thread that is new or renamed
 * @t: the table
 * @tid: thread id
 *
 * If there is no memory, its wakeups will be counted as lost.
 *
 * Context: process context, no lock of the scheduler held: to look for memory may wake
 * a thread.
 */
void fxt_sleepers_add(struct fxt_sleepers *t, pid_t tid)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		fxt_sleepers_add_page(t, tid / FXT_SLEEPERS_PER_PAGE,
				      GFP_NOWAIT | __GFP_NOWARN);
}

/**
 * fxt_sleepers_free() - free the table
 * @t: the table; may be one that fxt_sleepers_init() failed on
 *
 * Context: may sleep; no probe runs any more.
 */
void fxt_sleepers_free(struct fxt_sleepers *t)
{
	unsigned int page;

	for (page = 0; t->nowhere && t->pages && page < FXT_SLEEPERS_PAGES; page++)
		if (t->pages[page] != t->nowhere)
			free_pages((unsigned long)t->pages[page], t->order);
	kvfree(t->pages);
	free_page((unsigned long)t->nowhere);
}
