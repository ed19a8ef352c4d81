/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steal.bpf.h - time in which the hypervisor ran something else on a CPU.
 *
 * In:  the kernel's count of it for each CPU; sched_switch.
 * Out: a counter in the ring of the CPU if the count has grown since the last switch.
 *
 * Kernels with CONFIG_PARAVIRT_TIME_ACCOUNTING update a count in the run queue before each switch,
 * to subtract that time from the run times that the scheduler compares. Others have only the count
 * of /proc/stat, which they update at ticks: up to a tick of the growth can be from before the run
 * that the switch ends.
 *
 * Context: the run queue is locked, interrupts are off.
 */
#ifndef BPF_STEAL_BPF_H
#define BPF_STEAL_BPF_H

#include <bpf/bpf_core_read.h>

#include "events.bpf.h"
#include "fxt/fxt_sched_load.h"
#include "kernel_types.h"
#include "ring.bpf.h"

#define CPUTIME_STEAL	7		/* enum cpu_usage_stat */

const volatile __u32 steals;		/* the group is recorded */
const volatile __s64 steal_distance;	/* from a CPU's run queue to its kernel_cpustat */

/* @p: in the run queue of this CPU */
static __always_inline __u64 read_steal(struct task_struct *p)
{
	struct rq *rq = BPF_CORE_READ(p, se.cfs_rq, rq);
	__u64 ns = 0;

	if (bpf_core_field_exists(rq->prev_steal_time_rq))
		return BPF_CORE_READ(rq, prev_steal_time_rq);
	bpf_probe_read_kernel(&ns, sizeof(ns), (void *)rq + steal_distance +
			      bpf_core_field_offset(struct kernel_cpustat, cpustat) +
			      CPUTIME_STEAL * sizeof(ns));
	return ns;
}

static __always_inline int on_steal_switch(struct task_struct *prev)
{
	struct place at;
	__u64 ns;

	if (!is_recording())
		return 0;
	ns = read_steal(prev);
	ring_find(&at);
	if (ns == at.ring->steal || !keeps_cpu(at.cpu))
		return 0;
	at.ring->steal = ns;
	if (ring_of_cpu(&at, extras))
		return 0;
	RING_EVENT(&at, rec, fxt_sched_put_steal(rec, at.time, at.cpu, ns, FXT_STR_CATEGORY));
	return 0;
}

#endif /* BPF_STEAL_BPF_H */
