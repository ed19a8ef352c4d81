/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trigger.bpf.h - a thread had to wait too long: the recording ends by itself.
 *
 * In: wakeups and switches that are recorded. Out: the first switch-in that came
 * too late, for user space; "until", which ends the recording on all CPUs; the longest
 * wait of each CPU that counts.
 */
#ifndef BPF_TRIGGER_BPF_H
#define BPF_TRIGGER_BPF_H

#include <bpf/bpf_core_read.h>

#include "filter.bpf.h"
#include "ring.bpf.h"

/* When each thread was woken that has not come in since, in ticks; else 0. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);			/* set before loading */
	__type(key, __u32);
	__type(value, __u64);
} woken_at SEC(".maps");

/*
 * Has the round's number once the trigger went off in that round: of several CPUs the
 * one is first that can insert it. Kernels before 5.12 have no atomic instruction that
 * says so. User space begins a round while nothing is recorded, and has no need of the
 * bpf system call for it; the first one also clears away the round before.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u32);
} went_off SEC(".maps");

__u32 trigger_round;
struct fxt_bpf_hit hit;
__u64 fired;				/* hit is filled in; stored last */

/* A wakeup record is due. */
static __always_inline void trigger_wakeup(__u32 tid, __u64 time)
{
	__u32 index = thread_index(tid);
	__u64 *woken = bpf_map_lookup_elem(&woken_at, &index);

	if (woken)
		*woken = time;
}

/*
 * A thread comes in, recorded or not: what is told here once must not be taken for
 * the next wakeup's. Returns when it was woken, or 0.
 */
static __always_inline __u64 trigger_switch_in(__u32 tid)
{
	__u32 index = thread_index(tid);
	__u64 *woken = bpf_map_lookup_elem(&woken_at, &index);
	__u64 time;

	if (!woken || !*woken)
		return 0;
	time = *woken;
	*woken = 0;
	return time;
}

/* The first thread that had to wait too long was it. */
static __always_inline void trigger_fire(__u32 tid, __u64 time, __u64 latency)
{
	__u32 this = *(volatile __u32 *)&trigger_round, before = this - 1;

	if (bpf_map_update_elem(&went_off, &this, &this, BPF_NOEXIST))
		return;
	bpf_map_delete_elem(&went_off, &before);
	*(volatile __u64 *)&until = time + trigger.after;
	hit.time = time;
	hit.latency = latency;
	hit.thread = tid;
	hit.cpu = bpf_get_smp_processor_id();
	/* Pairs with the acquire in bpf_triggered() of the collector. */
	ring_publish(&fired, 1);
}

/* Does the thread that had to wait for long count? */
static __noinline int trigger_late(struct task_struct *p, __u32 tid, struct fxt_ring *ring,
				   __u64 time, __u64 latency)
{
	if (trigger.pid && (__u32)BPF_CORE_READ(p, tgid) != trigger.pid)
		return 0;
	if (trigger.by_comm && !name_matches(&trigger.comm, p->comm))
		return 0;
	if (latency > ring->longest) {
		ring->longest = latency;
		ring->longest_time = time;
		ring->longest_thread = tid;
	}
	if (latency > trigger.latency)
		trigger_fire(tid, time, latency);
	return 0;
}

/**
 * trigger_judge() - a switch was recorded: did the thread have to wait too long?
 * @p: the thread that came in
 * @tid: its id
 * @ring: the CPU's
 * @woken: trigger_switch_in()
 * @time: ticks of the switch's record
 *
 * The clocks of two CPUs may differ by some ns, so the difference has a sign.
 */
static __always_inline void trigger_judge(struct task_struct *p, __u32 tid,
					  struct fxt_ring *ring, __u64 woken, __u64 time)
{
	__s64 latency = time - woken;

	if (woken && (latency > (__s64)trigger.latency || latency > (__s64)ring->longest) &&
	    !*(volatile __u64 *)&fired)
		trigger_late(p, tid, ring, time, latency);
}

#endif /* BPF_TRIGGER_BPF_H */
