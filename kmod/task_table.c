// SPDX-License-Identifier: GPL-2.0-only
/* task_table.c - makes, clears and frees the pages of the table. */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/gfp.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "task_table.h"
#include "util.h"

/* Put new memory @at, unless something else than @none is there. Return: 0 or -ENOMEM. */
static int fxt_task_table_grow(struct fxt_task_table *t, void **at, void *none, unsigned int order,
			       gfp_t gfp)
{
	u64 bytes = PAGE_SIZE << order;
	void *new;

	if (READ_ONCE(*at) != none)
		return 0;
	if (!fxt_limits_try_charge(bytes))
		return -ENOMEM;
	new = (void *)__get_free_pages(gfp | __GFP_ZERO, order);
	if (!new) {
		fxt_limits_uncharge(bytes);
		return -ENOMEM;
	}
	/*
	 * Publish the zeroes before the pointer, by the full barrier in cmpxchg(). Pairs
	 * with the address dependency in fxt_task_page() and fxt_task_wait().
	 */
	if (cmpxchg(at, none, new) == none) {
		atomic64_add(bytes, &t->memory);
		return 0;
	}
	free_pages((unsigned long)new, order);
	fxt_limits_uncharge(bytes);
	return 0;
}

static int fxt_task_table_add_page(struct fxt_task_table *t, unsigned int page,
				   gfp_t gfp)
{
	int ret = fxt_task_table_grow(t, (void **)&t->pages[page], t->dummy_page, t->order, gfp);

	if (!ret && t->waits)
		ret = fxt_task_table_grow(t, (void **)&t->waits[page], NULL, FXT_WAIT_ORDER, gfp);
	return ret;
}

/* One more page is added to @pages. Return: bytes where it begins; 0 if it is not kept. */
static size_t fxt_task_place(unsigned int *pages, bool kept)
{
	return kept ? (*pages)++ * PAGE_SIZE : 0;
}

/*
 * Make a table with a slot for every existing thread. @times: FXT_TASK_* that it also keeps.
 * Context: may sleep. Return: 0, or -ENOMEM with a reason.
 */
int fxt_task_table_init(struct fxt_task_table *t, u32 times, struct fxt_reason *reason)
{
	u64 bytes = FXT_TASK_PAGES * sizeof(*t->pages) + PAGE_SIZE;
	unsigned int pages = times & FXT_TASK_SINCE ? 2 : 1;
	bool has_waits = times & FXT_TASK_WAIT;
	unsigned int page;
	int ret;

	if (has_waits)
		bytes += FXT_TASK_PAGES * sizeof(*t->waits);
	t->begun_at = fxt_task_place(&pages, times & FXT_TASK_BEGUN);
	t->off_at = fxt_task_place(&pages, times & FXT_TASK_OFF);
	t->memory_at = fxt_task_place(&pages, times & FXT_TASK_MEMORY);
	t->order = order_base_2(pages);
	ret = fxt_limits_charge_session(bytes, reason);
	if (ret)
		return ret;
	atomic64_set(&t->memory, bytes);
	t->dummy_page = (struct fxt_task *)get_zeroed_page(GFP_KERNEL);
	t->pages = kvcalloc(FXT_TASK_PAGES, sizeof(*t->pages), GFP_KERNEL_ACCOUNT);
	if (has_waits)
		t->waits = kvcalloc(FXT_TASK_PAGES, sizeof(*t->waits), GFP_KERNEL_ACCOUNT);
	if (!t->dummy_page || !t->pages || (has_waits && !t->waits))
		return -ENOMEM;
	for (page = 0; page < FXT_TASK_PAGES; page++)
		t->pages[page] = t->dummy_page;
	if (fxt_task_table_populate(t))
		return fxt_refuse(reason, -ENOMEM,
				  "there is no memory for the table of threads, or the parameter max_memory allows no more");
	return 0;
}

/* Context: may sleep; no probe runs. */
void fxt_task_table_clear(struct fxt_task_table *t)
{
	unsigned int page;

	for (page = 0; page < FXT_TASK_PAGES; page++) {
		if (t->pages[page] == t->dummy_page)
			continue;
		memset(t->pages[page], 0, PAGE_SIZE << t->order);
		if (t->waits && t->waits[page])
			memset(t->waits[page], 0, PAGE_SIZE << FXT_WAIT_ORDER);
		cond_resched();
	}
}

static void fxt_task_want_page(struct task_struct *p, void *wanted)
{
	__set_bit(p->pid / FXT_TASKS_PER_PAGE, wanted);
}

/*
 * Make a slot for every existing thread. New threads are missed unless fxt_task_table_add() already
 * gets them. Context: may sleep. Return: 0 or -ENOMEM.
 */
int fxt_task_table_populate(struct fxt_task_table *t)
{
	unsigned long *wanted = bitmap_zalloc(FXT_TASK_PAGES, GFP_KERNEL);
	unsigned int page;
	int ret = 0;

	if (!wanted)
		return -ENOMEM;
	fxt_walk(fxt_task_want_page, wanted);
	/* PREEMPT_RT cannot allocate memory where fxt_task_table_add() runs. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		bitmap_fill(wanted, FXT_TASK_PAGES);

	for_each_set_bit(page, wanted, FXT_TASK_PAGES) {
		ret = fxt_task_table_add_page(t, page, GFP_KERNEL_ACCOUNT);
		if (ret)
			break;
	}
	bitmap_free(wanted);
	return ret;
}

/*
 * Make a slot for a thread that is new or renamed. If there is no memory, or max_memory allows no
 * more, its wakeups will be counted as lost. With many times (fxt_task_table_init()), a page has
 * order 3, which fragmented memory may not have; that affects all FXT_TASKS_PER_PAGE ids.
 *
 * Context: process context. No lock of the scheduler may be held, because the allocation may wake a
 * thread.
 */
void fxt_task_table_add(struct fxt_task_table *t, pid_t tid)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		fxt_task_table_add_page(t, tid / FXT_TASKS_PER_PAGE,
					GFP_NOWAIT | __GFP_NOWARN);
}

/* fxt_task_table_init() may have failed. Context: may sleep; no probe runs any more. */
void fxt_task_table_free(struct fxt_task_table *t)
{
	unsigned int page;

	for (page = 0; t->dummy_page && t->pages && page < FXT_TASK_PAGES; page++)
		if (t->pages[page] != t->dummy_page)
			free_pages((unsigned long)t->pages[page], t->order);
	for (page = 0; t->waits && page < FXT_TASK_PAGES; page++)
		free_pages((unsigned long)t->waits[page], FXT_WAIT_ORDER);
	kvfree(t->pages);
	kvfree(t->waits);
	free_page((unsigned long)t->dummy_page);
	fxt_limits_uncharge(atomic64_read(&t->memory));
}
