/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tasks.bpf.h - lives of threads: forks, ends, inherited priorities.
 *
 * In:  the tracepoints of the group.
 * Out: instants on the thread, in the ring of the CPU on which they happen.
 */
#ifndef BPF_TASKS_BPF_H
#define BPF_TASKS_BPF_H

#include <bpf/bpf_core_read.h>

#include "events.bpf.h"
#include "fxt/fxt_sched.h"
#include "nested.bpf.h"

/*
 * Context: the creator is current; interrupts are on. There is no such event for workers of
 * io_uring and vhost.
 */
static __always_inline int on_forked(struct task_struct *parent, struct task_struct *child)
{
	__u32 tid = BPF_CORE_READ(parent, pid), tgid = BPF_CORE_READ(parent, tgid);
	__u32 new = BPF_CORE_READ(child, pid);
	unsigned long flags;
	struct place at;
	__u64 *rec;

	ring_find(&at);
	if (!is_recording() || !keeps_thread(parent) || nested_begin(&at, &flags))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(&at, fxt_sched_put_fork(rec, at.time, tid, tgid, new));
	nested_end(&at, &flags);
	return 0;
}

/* Context: the thread is current; interrupts are on. */
static __always_inline int on_ended(struct task_struct *p)
{
	__u32 tid = BPF_CORE_READ(p, pid), tgid = BPF_CORE_READ(p, tgid);
	__u32 status = BPF_CORE_READ(p, exit_code);
	unsigned long flags;
	struct place at;
	__u64 *rec;

	ring_find(&at);
	if (!is_recording() || !keeps_thread(p) || nested_begin(&at, &flags))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(&at, fxt_sched_put_exit(rec, at.time, tid, tgid, status));
	nested_end(&at, &flags);
	return 0;
}

/*
 * Computes the new priority in the same way as the kernel's own record of the event. Context: the
 * run queue of the thread is locked, interrupts are off.
 */
static __always_inline int on_inherited(struct task_struct *p, struct task_struct *donor)
{
	__s32 to = BPF_CORE_READ(p, normal_prio), of_donor = to;
	struct place at;
	__u64 *rec;

	if (!is_recording() || !keeps_thread(p) || ring_of_cpu(&at, extras))
		return 0;
	if (donor)
		of_donor = BPF_CORE_READ(donor, prio);
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(&at, fxt_sched_put_priority(rec, at.time, BPF_CORE_READ(p, pid),
							BPF_CORE_READ(p, tgid),
							BPF_CORE_READ(p, prio),
							of_donor < to ? of_donor : to));
	return 0;
}

#endif /* BPF_TASKS_BPF_H */
