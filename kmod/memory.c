// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - threads that reclaim or compact memory, mostly because they need some.
 *
 * In:  the beginnings and ends of reclaim and compaction.
 * Out: slices in the stream of the CPU on which they end.
 *
 * Context: the thread, which may sleep and move in between; interrupts are enabled.
 */
#include <linux/mm.h>
#include <linux/sched.h>

struct compact_control;
struct mem_cgroup;

#include <trace/events/compaction.h>
#include <trace/events/vmscan.h>

#include <fxt/fxt_sched_memory.h>

#include "compat.h"
#include "event.h"
#include "probes.h"

/* @name: as of fxt_sched_put_memory(); any kind of reclaim stands for the other */
static void fxt_memory_begin(struct fxt_session *ss, u32 name)
{
	u64 *begun = fxt_task_memory(&ss->tasks, current->pid);
	u64 mark = fxt_memory_mark(name, current->flags);
	unsigned long flags;

	if (!begun || !fxt_memory_begins(*begun, mark))
		return;
	local_irq_save(flags);
	*begun = fxt_stream_now(this_cpu_ptr(ss->cpus), &ss->clock) | mark;
	local_irq_restore(flags);
}

/* @name, @pages: as of fxt_sched_put_memory() */
static void fxt_memory_end(struct fxt_session *ss, u32 name, u64 pages)
{
	u64 *begun = fxt_task_memory(&ss->tasks, current->pid);
	struct fxt_event e;

	if (!begun) {
		fxt_slice_lose(ss);
		return;
	}
	if (!fxt_memory_ends(*begun, fxt_memory_mark(name, current->flags)))
		return;
	*begun &= ~FXT_MEMORY_OUTER;
	if (fxt_slice_end(ss, &e, current, begun, FXT_SCHED_MEMORY_WORDS))
		fxt_event_end(&e, fxt_sched_put_memory(e.rec, e.begin, e.time, current->pid,
						       current->tgid, name, pages));
}

static void FXT_PROBE_RECLAIM(fxt_probe_reclaim)
{
	fxt_memory_begin(data, FXT_STR_DIRECT_RECLAIM);
}

static void FXT_PROBE_RECLAIMED(fxt_probe_reclaimed)
{
	fxt_memory_end(data, FXT_STR_DIRECT_RECLAIM, reclaimed);
}

static void FXT_PROBE_RECLAIMED(fxt_probe_cgroup_reclaimed)
{
	fxt_memory_end(data, FXT_STR_CGROUP_RECLAIM, reclaimed);
}

/* Kernels without these options have no such tracepoints. The others are recorded. */
#ifdef CONFIG_MEMCG
#define FXT_MEMCG_PROBE		FXT_PROBE
#else
#define FXT_MEMCG_PROBE		FXT_UNCHECKED_PROBE
#endif

#ifdef CONFIG_COMPACTION
static void FXT_PROBE_COMPACT(fxt_probe_compact)
{
	fxt_memory_begin(data, FXT_STR_COMPACTION);
}

static void FXT_PROBE_COMPACTED(fxt_probe_compacted)
{
	fxt_memory_end(data, FXT_STR_COMPACTION, 0);
}

#define FXT_COMPACTION_PROBE	FXT_PROBE
#else
#define FXT_COMPACTION_PROBE(name, func, ...)	FXT_UNCHECKED_PROBE(name, NULL, ##__VA_ARGS__)
#endif

static struct fxt_probe fxt_memory_probes[] = {
	FXT_PROBE(mm_vmscan_direct_reclaim_end, fxt_probe_reclaimed),
	FXT_PROBE(mm_vmscan_direct_reclaim_begin, fxt_probe_reclaim),
	FXT_MEMCG_PROBE(mm_vmscan_memcg_reclaim_end, fxt_probe_cgroup_reclaimed, .optional = true),
	FXT_MEMCG_PROBE(mm_vmscan_memcg_reclaim_begin, fxt_probe_reclaim, .optional = true),
	FXT_COMPACTION_PROBE(mm_compaction_end, fxt_probe_compacted, .optional = true),
	FXT_COMPACTION_PROBE(mm_compaction_begin, fxt_probe_compact, .optional = true),
};

const struct fxt_group fxt_memory_group = FXT_GROUP(FXT_SCHED_EVENTS_MEMORY, fxt_memory_probes);
