/* SPDX-License-Identifier: GPL-2.0 */
/*
 * load.bpf.h - lengths of run queues, and the kernel's load averages (PELT).
 *
 * In:  tracepoints of the scheduler.
 * Out: counters of CPUs, and of the threads of processes that the filter selects; in the ring of
 * the CPU that updates them. The trigger checks lengths of run queues even if the group is off.
 *
 * Context: the run queue is locked, interrupts are off.
 */
#ifndef BPF_LOAD_BPF_H
#define BPF_LOAD_BPF_H

#include <bpf/bpf_core_read.h>

#include "events.bpf.h"
#include "filter.bpf.h"
#include "fxt/fxt_sched.h"
#include "fxt/fxt_sched_load.h"
#include "ring.bpf.h"
#include "trigger.bpf.h"

/* The CPU of a run queue. Kernels for one CPU only have no field for it. */
static __always_inline __u32 cpu_of(struct rq *rq)
{
	return bpf_core_field_exists(rq->cpu) ? BPF_CORE_READ(rq, cpu) : 0;
}

static __always_inline int on_run_queue(struct rq *rq)
{
	__u32 cpu = cpu_of(rq);
	struct place at;
	__u64 *rec;

	if (!is_recording() || !keeps_cpu(cpu) || ring_of_cpu(&at, extras))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(&at, fxt_sched_put_run_queue(rec, at.time, cpu,
							 BPF_CORE_READ(rq, nr_running)));
	return 0;
}

/* The trigger has a program of its own. A filter by thread excludes all run queues. */
static __always_inline int on_run_queue_change(struct rq *rq)
{
	__u32 cpu = cpu_of(rq);

	if (is_recording() && filter_has_cpu(cpu))
		trigger_run_queue(cpu, BPF_CORE_READ(rq, curr, pid), BPF_CORE_READ(rq, nr_running));
	return 0;
}

/**
 * struct owner - the CPU or thread that has the load averages
 * @process: koid
 * @thread: koid
 * @id: id of the counter
 */
struct owner {
	__u64 process;
	__u64 thread;
	__u64 id;
};

static __always_inline int put_pelt(const struct sched_avg *avg, const struct owner *of)
{
	struct place at;
	__u64 *rec;

	if (ring_of_cpu(&at, extras))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(&at, fxt_sched_put_pelt(rec, at.time, of->process, of->thread,
						    of->id, BPF_CORE_READ(avg, util_avg),
						    BPF_CORE_READ(avg, load_avg),
						    BPF_CORE_READ(avg, runnable_avg)));
	return 0;
}

/* Ignore the load of cgroups: it is part of the CPU's load, which is in its run queue. */
static __always_inline int on_cpu_load(struct cfs_rq *cfs_rq)
{
	struct rq *rq = BPF_CORE_READ(cfs_rq, rq);
	struct owner of = { FXT_SCHED_KOID_LOAD, FXT_SCHED_KOID_LOAD, cpu_of(rq) };

	if (!is_recording() || (void *)cfs_rq != (void *)rq + bpf_core_field_offset(rq->cfs) ||
	    !keeps_cpu(of.id))
		return 0;
	return put_pelt(&cfs_rq->avg, &of);
}

static __always_inline int on_thread_load(struct sched_entity *se)
{
	struct task_struct *p = (void *)se - bpf_core_field_offset(struct task_struct, se);
	struct owner of = { 0, 0, 0 };

	/* Ignore cgroups, which have a my_q. */
	if (!is_recording() || BPF_CORE_READ(se, my_q) || !keeps_thread(p))
		return 0;
	of.process = BPF_CORE_READ(p, tgid);
	of.thread = BPF_CORE_READ(p, pid);
	of.id = of.thread;
	return put_pelt(&se->avg, &of);
}

#endif /* BPF_LOAD_BPF_H */
