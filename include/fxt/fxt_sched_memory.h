/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_memory.h - what threads do themselves to get memory: reclaim, compaction.
 *
 * In:  facts as a tracepoint sees them.
 * Out: which of the slices that a thread begins become records; finished event records (type 4),
 * like those of fxt_sched_event.h.
 */
#ifndef FXT_FXT_SCHED_MEMORY_H
#define FXT_FXT_SCHED_MEMORY_H

#include "fxt_sched_event.h"

#define FXT_SCHED_MEMORY_WORDS	(FXT_SCHED_EVENT_HEAD + 3)

/*
 * A thread that reclaims or compacts memory for an allocation has PF_MEMALLOC: its own allocations
 * then do neither. kcompactd and writers of vm.compact_memory compact memory without it, so their
 * allocations may reclaim or compact inside. Only the outer slice becomes a record, which contains
 * that time. Producers mark the time at which it began.
 */

#define FXT_LINUX_MEMALLOC	0x800U		/* <linux/sched.h>: PF_MEMALLOC */
#define FXT_MEMORY_OUTER	(1ULL << 63)	/* in ticks: others may be inside this slice */

/*
 * The mark of a slice that begins or ends, FXT_MEMORY_OUTER or 0. @task_flags: of the thread; they
 * are the same at both ends
 */
static __always_inline __u64 fxt_memory_mark(__u32 name, __u32 task_flags)
{
	return name == FXT_STR_COMPACTION && !(task_flags & FXT_LINUX_MEMALLOC) ?
	       FXT_MEMORY_OUTER : 0;
}

/* Does a slice with this mark begin? If not, it is inside the one that has @begun. */
static __always_inline int fxt_memory_begins(__u64 begun, __u64 mark)
{
	return mark || !(begun & FXT_MEMORY_OUTER);
}

/* Is what ends, with this mark, the slice that has @begun? */
static __always_inline int fxt_memory_ends(__u64 begun, __u64 mark)
{
	return (begun & FXT_MEMORY_OUTER) == mark;
}

/*
 * A thread reclaimed or compacted memory, and may have slept meanwhile. "Duration complete": on the
 * thread, of the category FXT_STR_MEMORY, with the Uint64 argument "pages" unless it is
 * FXT_STR_COMPACTION.
 * @name: FXT_STR_DIRECT_RECLAIM: too few pages of the machine were free; FXT_STR_CGROUP_RECLAIM: a
 * cgroup has a limit; FXT_STR_COMPACTION: pages were moved so that free ones are contiguous
 * @pages: that were reclaimed; ignored for FXT_STR_COMPACTION
 *
 * None of these slices is inside another one.
 */
static __always_inline __u32 fxt_sched_put_memory(__u64 *rec, __u64 begin, __u64 end, __u32 tid,
						  __u32 tgid, __u32 name, __u64 pages)
{
	__u32 args = name == FXT_STR_COMPACTION ? 0 : 1;
	__u32 words = FXT_SCHED_EVENT_HEAD + 2 * args + 1;

	fxt_sched_put_event_head(rec, fxt_event(words, FXT_EVENT_DURATION_COMPLETE, args,
						FXT_THREAD_REF_INLINE, FXT_STR_MEMORY, name),
				 begin, tgid, tid);
	if (args) {
		rec[FXT_SCHED_EVENT_HEAD] = fxt_arg_uint64(2, FXT_STR_PAGES);
		rec[FXT_SCHED_EVENT_HEAD + 1] = pages;
	}
	rec[words - 1] = end;
	return words;
}

#endif /* FXT_FXT_SCHED_MEMORY_H */
