// SPDX-License-Identifier: GPL-2.0-only
/*
 * fxt_memory.c - reclaim and compaction inside a compaction, which a kernel seldom does.
 * In:  the tracepoints of reclaim and compaction, whose probes this calls. No memory is reclaimed.
 * Out: as if the thread that loads the module compacted memory as kcompactd does: first slept, then
 *      compacted and reclaimed for an allocation inside. After that it reclaims 1, then 2 pages.
 */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

enum event {
	COMPACT,
	COMPACTED,
	RECLAIM,
	RECLAIMED,
	EVENTS,
};

static const char * const names[] = {
	[COMPACT] = "mm_compaction_begin",
	[COMPACTED] = "mm_compaction_end",
	[RECLAIM] = "mm_vmscan_direct_reclaim_begin",
	[RECLAIMED] = "mm_vmscan_direct_reclaim_end",
};

static struct tracepoint *events[EVENTS];

static void find(struct tracepoint *tp, void *unused)
{
	unsigned int i;

	for (i = 0; i < EVENTS; i++)
		if (!strcmp(tp->name, names[i]))
			events[i] = tp;
}

/*
 * The tracepoints are not exported, so call what is attached to them. Each has at most six
 * arguments, and all are passed, because a function may write to those of its own that are on the
 * stack. @first: the first argument, which the probes read
 */
static void fire(enum event event, unsigned long first)
{
	void (*call)(void *data, unsigned long first, unsigned long b, unsigned long c,
		     unsigned long d, unsigned long e, unsigned long f);
	struct tracepoint_func *probe;

	preempt_disable();
	probe = rcu_dereference_sched(events[event]->funcs);
	for (; probe && probe->func; probe++) {
		call = probe->func;
		call(probe->data, first, 0, 0, 0, 0, 0);
	}
	preempt_enable();
}

static void allocate(void)
{
	unsigned int flags = memalloc_noreclaim_save();

	fire(COMPACT, 0);
	fire(COMPACTED, 0);
	fire(RECLAIM, 0);
	fire(RECLAIMED, 9);
	memalloc_noreclaim_restore(flags);
}

static int __init memory_init(void)
{
	unsigned int i;

	for_each_kernel_tracepoint(find, NULL);
	for (i = 0; i < EVENTS; i++)
		if (!events[i])
			return -ENOENT;
	fire(COMPACT, 0);
	msleep(1);
	allocate();
	msleep(1);
	fire(COMPACTED, 0);
	for (i = 1; i <= 2; i++) {
		fire(RECLAIM, 0);
		fire(RECLAIMED, i);
	}
	return 0;
}

static void __exit memory_exit(void)
{
}

module_init(memory_init);
module_exit(memory_exit);

MODULE_DESCRIPTION("Fires events of reclaim inside those of a compaction");
MODULE_LICENSE("GPL");
