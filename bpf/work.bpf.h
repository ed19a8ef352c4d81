/* SPDX-License-Identifier: GPL-2.0 */
/*
 * work.bpf.h - work items.
 *
 * In:  the beginning and the end of the execution of a work item.
 * Out: one record at the end, on the thread of the worker.
 *
 * The address of a work item is the key of the time when it began, because workers may sleep and
 * move to other CPUs in between. No work item is executed twice at the same time.
 */
#ifndef BPF_WORK_BPF_H
#define BPF_WORK_BPF_H

#include <bpf/bpf_core_read.h>

#include "events.bpf.h"
#include "filter.bpf.h"
#include "fxt/fxt_sched.h"
#include "label.bpf.h"
#include "nested.bpf.h"
#include "threads.bpf.h"

#define PF_WQ_WORKER	0x00000020

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);		/* work items executed at the same time */
	__type(key, __u64);
	__type(value, __u64);
} work_begun SEC(".maps");

/* Soft interrupts execute work items, too; those belong to no thread. */
static __always_inline bool is_worker(struct task_struct *thread)
{
	return BPF_CORE_READ(thread, flags) & PF_WQ_WORKER;
}

/*
 * Write the record of the current thread, or count it as lost if the beginning is unknown.
 * Interrupts and preemption may be on.
 */
static __always_inline void put_work(__u64 begin, const struct fxt_sched_label *function)
{
	__u64 ids = bpf_get_current_pid_tgid();
	unsigned long flags;
	struct place at;
	__u64 *rec;

	ring_find(&at);
	if (nested_begin(&at, &flags))
		return;
	if (!function) {
		ring_lose(&at, FXT_RING_EVENTS);
	} else {
		rec = ring_reserve(&at, FXT_RING_EVENTS);
		if (rec)
			ring_commit(&at, fxt_sched_put_work(rec, begin_before(begin, at.time),
							    at.time, (__u32)ids, ids >> 32,
							    function));
	}
	nested_end(&at, &flags);
}

static __always_inline int on_work_start(__u64 work)
{
	struct task_struct *thread = (void *)bpf_get_current_task();
	__u64 now;

	if (!is_recording() || !is_worker(thread) || !keeps_thread(thread))
		return 0;
	now = clock_now_inline();
	if (bpf_map_update_elem(&work_begun, &work, &now, BPF_ANY))
		put_work(now, NULL);
	return 0;
}

static __always_inline int on_work_end(__u64 work, __u64 function)
{
	__u64 *begun = bpf_map_lookup_elem(&work_begun, &work), begin;
	struct fxt_sched_label name;

	if (!begun)
		return 0;
	begin = take_begin(begun);
	bpf_map_delete_elem(&work_begun, &work);
	if (!begin)
		return 0;
	label_of_function(&name, function);
	put_work(begin, &name);
	return 0;
}

#endif /* BPF_WORK_BPF_H */
