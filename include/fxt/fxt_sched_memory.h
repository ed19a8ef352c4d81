/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_memory.h - what threads do themselves to get memory: reclaim, compaction.
 *
 * In:  facts as a tracepoint sees them.
 * Out: finished event records (type 4), like those of fxt_sched_event.h.
 */
#ifndef FXT_FXT_SCHED_MEMORY_H
#define FXT_FXT_SCHED_MEMORY_H

#include "fxt_sched_event.h"

#define FXT_SCHED_MEMORY_WORDS	(FXT_SCHED_EVENT_HEAD + 3)

/*
 * A thread reclaimed or compacted memory, and may have slept meanwhile. "Duration complete": on the
 * thread, of the category FXT_STR_MEMORY, with the Uint64 argument "pages" unless it is
 * FXT_STR_COMPACTION.
 * @name: FXT_STR_DIRECT_RECLAIM: too few pages of the machine were free; FXT_STR_CGROUP_RECLAIM: a
 * cgroup has a limit; FXT_STR_COMPACTION: pages were moved so that free ones are contiguous
 * @pages: that were reclaimed; ignored for FXT_STR_COMPACTION
 *
 * These slices do not nest, because the kernel does not let a thread that reclaims or compacts for
 * an allocation begin again. kcompactd and writers of vm.compact_memory may begin again; then only
 * the inner slice is recorded.
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
