/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timer.bpf.h - timers that expire, except the tick.
 *
 * In:  high-resolution timers and others, before their functions are called.
 * Out: records of fxt_sched_timer.h in the ring of the CPU.
 *
 * Context: interrupts off, or a soft interrupt; on PREEMPT_RT also a thread that serves it.
 */
#ifndef BPF_TIMER_BPF_H
#define BPF_TIMER_BPF_H

#include <bpf/bpf_core_read.h>

#include "events.bpf.h"
#include "fxt/fxt_sched_timer.h"
#include "kernel_types.h"
#include "label.bpf.h"
#include "nested.bpf.h"

/* Inline, because user space puts the calls that turn interrupts off into programs only. */
static __always_inline int put_timer(const struct fxt_sched_label *function, __u32 tid)
{
	struct place at;

	ring_find(&at);
	if (keeps_of_any(&at))
		RECORD_EVENT(&at, rec, fxt_sched_put_timer(rec, at.time, at.cpu, function, tid));
	return 0;
}

static __always_inline int on_hrtimer(struct hrtimer *timer)
{
	/* The timer is the first member. */
	const struct hrtimer_sleeper *sleeper = (void *)timer;
	struct fxt_sched_label name;
	__u32 tid = 0;

	if (!is_recording())
		return 0;
	label_of_function(&name, (__u64)BPF_CORE_READ(timer, function));
	if (fxt_sched_is_tick(&name))
		return 0;
	if (fxt_sched_is_sleeper(&name))
		tid = BPF_CORE_READ(sleeper, task, pid);
	label_bound(&name, FXT_SCHED_LABEL_BYTES);
	return put_timer(&name, tid);
}

/* Like the module, this does not know who sleeps until a timeout. Readers find it. */
static __always_inline int on_timer(struct timer_list *timer)
{
	struct fxt_sched_label name;

	if (!is_recording())
		return 0;
	label_of_function(&name, (__u64)BPF_CORE_READ(timer, function));
	label_bound(&name, FXT_SCHED_LABEL_BYTES);
	return put_timer(&name, 0);
}

#endif /* BPF_TIMER_BPF_H */
