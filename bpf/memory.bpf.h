/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.bpf.h - threads that reclaim or compact memory, like kmod/memory.c.
 *
 * In:  the beginnings and ends of reclaim and compaction.
 * Out: one record at the end of each, on the thread.
 *
 * Context: the thread; interrupts are on.
 */
#ifndef BPF_MEMORY_BPF_H
#define BPF_MEMORY_BPF_H

#include <bpf/bpf_core_read.h>

#include "events.bpf.h"
#include "filter.bpf.h"
#include "fxt/fxt_sched_memory.h"
#include "map.bpf.h"
#include "nested.bpf.h"
#include "threads.bpf.h"

/* Ticks of a thread's beginning; 0 if it does neither. Threads sleep and migrate meanwhile. */
ARRAY(memory_begun, 1, __u64);	/* entries are set before loading */

static __always_inline __u64 *find_memory(void)
{
	__u32 index = thread_index(bpf_get_current_pid_tgid());

	return bpf_map_lookup_elem(&memory_begun, &index);
}

/* The mark of a slice of this thread, which begins or ends. */
static __always_inline __u64 memory_mark(__u32 name)
{
	struct task_struct *thread = (void *)bpf_get_current_task();

	return fxt_memory_mark(name, BPF_CORE_READ(thread, flags));
}

/* @name: as of fxt_sched_put_memory(); any kind of reclaim stands for the other */
static __always_inline int on_memory(__u32 name)
{
	__u64 *begun = find_memory(), mark = memory_mark(name);

	if (begun && fxt_memory_begins(*begun, mark))
		*begun = clock_now_inline() | mark;
	return 0;
}

/* @name, @pages: as of fxt_sched_put_memory() */
static __always_inline int on_memory_end(__u32 name, __u64 pages)
{
	__u64 ids = bpf_get_current_pid_tgid(), *begun = find_memory(), begin = 0;
	struct place at;

	/* A thread that is not in the table (pid_max was raised) loses the record. */
	if (begun) {
		if (!fxt_memory_ends(*begun, memory_mark(name)))
			return 0;
		*begun &= ~FXT_MEMORY_OUTER;
		begin = consume_begin(begun);
		if (!begin)
			return 0;
	}
	if (!is_recording() || !keeps_thread((void *)bpf_get_current_task()))
		return 0;
	if (!begin) {
		lose_event();
		return 0;
	}
	ring_find(&at);
	RECORD_EVENT(&at, rec, fxt_sched_put_memory(rec, begin_before(begin, at.time), at.time,
						    ids, ids >> 32, name, pages));
	return 0;
}

#endif /* BPF_MEMORY_BPF_H */
