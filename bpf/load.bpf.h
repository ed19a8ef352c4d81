/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load.bpf.h - lengths of run queues, the kernel's load averages (PELT), and cgroups that have used
 * up their quota.
 *
 * In:  tracepoints of the scheduler.
 * Out: counters of CPUs, and of threads of processes that the filter selects, in the ring of the
 *      CPU that updates them. The trigger checks lengths of run queues even if the group is off.
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
#include "map.bpf.h"
#include "ring.bpf.h"
#include "trigger.bpf.h"

/* Kernels for one CPU have no field for it. */
static __always_inline __u32 cpu_of(struct rq *rq)
{
	return bpf_core_field_exists(rq->cpu) ? BPF_CORE_READ(rq, cpu) : 0;
}

static __always_inline int on_run_queue(struct rq *rq)
{
	__u32 cpu = cpu_of(rq);
	struct place at;

	if (!is_recording() || !keeps_cpu(cpu) || ring_of_cpu(&at, extras))
		return 0;
	RING_EVENT(&at, rec, fxt_sched_put_run_queue(rec, at.time, cpu,
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

/* What has the load averages: a CPU or a thread. */
struct owner {
	__u64 process;	/* koid */
	__u64 thread;	/* koid */
	__u64 id;	/* of the counter */
};

static __always_inline int put_pelt(const struct sched_avg *avg, const struct owner *of)
{
	struct place at;

	if (ring_of_cpu(&at, extras))
		return 0;
	RING_EVENT(&at, rec, fxt_sched_put_pelt(rec, at.time, of->process, of->thread, of->id,
						BPF_CORE_READ(avg, util_avg),
						BPF_CORE_READ(avg, load_avg),
						BPF_CORE_READ(avg, runnable_avg)));
	return 0;
}

/* A cgroup's load is part of its CPU's load, so ignore it. */
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

	/* Cgroups have a my_q. Ignore them. */
	if (!is_recording() || BPF_CORE_READ(se, my_q) || !keeps_thread(p))
		return 0;
	of.process = BPF_CORE_READ(p, tgid);
	of.thread = BPF_CORE_READ(p, pid);
	of.id = of.thread;
	return put_pelt(&se->avg, &of);
}

/*
 * --- quotas ---
 *
 * In:  calls of throttle_cfs_rq() and unthrottle_cfs_rq(), which have no tracepoints.
 * Out: one record at the end of each slice, in the ring of the CPU that ends it. That is often not
 *      the CPU whose run queue was throttled, because a timer on any CPU hands out quotas.
 *
 * Each CPU has a run queue of each cgroup, so the run queue's address is the key of the time when
 * it was throttled. The programs run at the beginning of the functions, and do not know what these
 * will do:
 *
 * - throttle_cfs_rq() may still find some quota, and return. The stored time is then overwritten
 *   when the run queue is next throttled, before anyone reads it.
 * - unthrottle_cfs_rq() is called for throttled run queues only. On kernels that throttle threads
 *   one by one (from 6.18 on), it returns if the quota is still used up.
 *
 * A slice is the time that cpu.stat counts. The kernel's throttled_clock has the time of its own
 * clock from which a thread waits for the quota. From 6.6 on, that can be later than the call of
 * throttle_cfs_rq(), because there was no thread; from 6.18 on, also because a thread in the kernel
 * continues until it returns to user mode. So a slice begins at the call plus the time from the
 * call to throttled_clock, by the kernel's clock.
 */

struct throttled {
	__u64 since;	/* ticks of the call of throttle_cfs_rq() */
	__u64 clock;	/* the kernel's clock at that call */
};

HASH(throttled_since, 16384, __u64, struct throttled);	/* throttled at the same time */

/* First argument of the function that a kprobe is attached to. */
#if defined(__TARGET_ARCH_arm64)
#define FIRST_ARGUMENT(regs)	((regs)->regs[0])
#else
#define FIRST_ARGUMENT(regs)	((regs)->di)
#endif

/* The filter of the cgroup and the CPU counts, not that of its threads. */
static __always_inline bool keeps_cgroup(struct cgroup *cgroup, __u32 cpu)
{
	return !filter.on || (filter_has_cpu(cpu) &&
			      (!filter.by_cgroup || filter_has_cgroup(cgroup, PROBED)));
}

static __always_inline void put_throttle(struct cfs_rq *cfs_rq, __u64 begin)
{
	struct cgroup *cgroup = BPF_CORE_READ(cfs_rq, tg, css.cgroup);
	__u32 cpu = cpu_of(BPF_CORE_READ(cfs_rq, rq));
	struct place at;

	if (!keeps_cgroup(cgroup, cpu) || ring_of_cpu(&at, extras))
		return;
	/* A record without a beginning counts as lost. */
	if (!begin) {
		ring_lose(&at, FXT_RING_EVENTS);
		return;
	}
	RING_EVENT(&at, rec, fxt_sched_put_throttle(rec, begin_before(begin, at.time), at.time,
						    BPF_CORE_READ(cgroup, kn, id), cpu));
}

static __always_inline int on_throttle(struct cfs_rq *cfs_rq)
{
	__u64 key = (__u64)cfs_rq;
	struct throttled now;

	if (!is_recording())
		return 0;
	now.since = clock_now();
	now.clock = BPF_CORE_READ(cfs_rq, rq, clock);
	if (bpf_map_update_elem(&throttled_since, &key, &now, BPF_ANY))
		put_throttle(cfs_rq, 0);
	return 0;
}

/*
 * Will unthrottle_cfs_rq() return without doing anything? Before 6.18 it never does, and run queues
 * have no list of throttled threads.
 */
static __always_inline bool stays_throttled(struct cfs_rq *cfs_rq)
{
	return bpf_core_field_exists(cfs_rq->throttled_limbo_list) &&
	       BPF_CORE_READ(cfs_rq, runtime_enabled) &&
	       BPF_CORE_READ(cfs_rq, runtime_remaining) <= 0;
}

static __always_inline int on_unthrottle(struct cfs_rq *cfs_rq)
{
	__u64 key = (__u64)cfs_rq, begin, waits_since;
	struct throttled *t;

	if (stays_throttled(cfs_rq))
		return 0;
	t = bpf_map_lookup_elem(&throttled_since, &key);
	if (!t)
		return 0;
	waits_since = BPF_CORE_READ(cfs_rq, throttled_clock);
	begin = consume_begin(&t->since);
	if (waits_since > t->clock)
		begin += begin ? waits_since - t->clock : 0;
	bpf_map_delete_elem(&throttled_since, &key);
	/* No thread waited. */
	if (begin && waits_since)
		put_throttle(cfs_rq, begin);
	return 0;
}

#endif /* BPF_LOAD_BPF_H */
