/* SPDX-License-Identifier: GPL-2.0 */
/*
 * weight.bpf.h - reading the weight of a thread, and the state in which it sleeps.
 *
 * In:  a task.
 * Out: arguments for fxt_sched_thread.h.
 */
#ifndef BPF_WEIGHT_BPF_H
#define BPF_WEIGHT_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "fxt/fxt_sched_thread.h"
#include "kernel_types.h"
#include "threads.bpf.h"
#include "constants.h"

const volatile __u32 weight;		/* enum fxt_bpf_weight */
const volatile __u32 has_prev_state;	/* sched_switch has prev_state as its 4th argument */

/* Read the current state of a task. */
static __always_inline __u32 read_state_now(struct task_struct *p)
{
	struct task_struct___old *old = (void *)p;

	if (bpf_core_field_exists(p->__state))
		return p->__state;
	return old->state;
}

/*
 * Read the state that sched_switch reports. Before 5.18 the event lacks it, and it is read from
 * the task, where a waker on another CPU may already have changed it: then a D or I sleep
 * is recorded as S. The event's argument is read here, and volatile, so that the verifier
 * of an older kernel never sees that access. @has: has_prev_state.
 */
static __always_inline __u32 read_state(const volatile __u64 *ctx, struct task_struct *prev,
					__u32 has)
{
	return has ? ctx[3] : read_state_now(prev);
}

/*
 * Read the weight of a thread. @kind: kind of the weight, not FXT_BPF_WEIGHT_NONE. Idle threads
 * need no read, and few threads have a weight other than the fair class's.
 */
static __always_inline __s32 read_weight(struct task_struct *p, __u32 tid, __u32 kind,
					 const bool direct)
{
	__s32 prio;

	if (!tid)
		return FXT_SCHED_WEIGHT_IDLE;
	prio = READ(direct, p, prio);
	if (kind == FXT_BPF_WEIGHT_PRIO)
		return prio;
	if (!fxt_sched_weight_is_load(tid, prio))
		return fxt_sched_weight(tid, prio, 0);
	return READ(direct, p, se.load.weight) >> 10;
}

/* Read the weight of the kind that the session records. */
static __always_inline __s32 read_any_weight(struct task_struct *p, __u32 tid, const bool direct)
{
	if (weight == FXT_BPF_WEIGHT_NONE)
		return fxt_sched_no_weight(tid);
	return read_weight(p, tid, weight, direct);
}

#endif /* BPF_WEIGHT_BPF_H */
