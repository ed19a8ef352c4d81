/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trigger.bpf.h - a wakeup latency, an interrupt or a run queue that is too long ends the
 * recording.
 *
 * In:  recorded wakeups, switches and interrupts; lengths of run queues. Out: the first that
 * was too long, for user space; "until", which ends the recording on all CPUs; the longest wait
 * on each CPU that counts.
 */
#ifndef BPF_TRIGGER_BPF_H
#define BPF_TRIGGER_BPF_H

#include <bpf/bpf_core_read.h>
#include <linux/fxt_sched.h>

#include "filter.bpf.h"
#include "ring.bpf.h"

/* Ticks of the wakeup of each thread that has not been switched in since; else 0. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);			/* set before loading */
	__type(key, __u32);
	__type(value, __u64);
} woken_at SEC(".maps");

/*
 * Has the number of a round once the trigger has fired in that round. Of several CPUs the
 * one fires that can insert it, because kernels before 5.12 have no atomic instruction that
 * returns the old value. User space begins a round while nothing is recorded, without the
 * bpf system call; the CPU that fires also deletes the previous round.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u32);
} fired_rounds SEC(".maps");

__u32 trigger_round;
struct fxt_bpf_hit hit;
__u64 fired;				/* hit is valid; stored last */

/* Keep the time of a wakeup that is recorded. */
static __always_inline void trigger_wakeup(__u32 tid, __u64 time)
{
	__u32 index = thread_index(tid);
	__u64 *woken = bpf_map_lookup_elem(&woken_at, &index);

	if (woken)
		*woken = time;
}

/*
 * Take the time of the wakeup of a thread that is switched in, recorded or not: clear it, so
 * that it is not mistaken for that of the next wakeup. Returns ticks, or 0.
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

/* Fire, unless another CPU was first. */
static __always_inline void trigger_fire(enum fxt_sched_cause cause, __u32 cpu, __u32 tid,
					 __u64 time, __u64 value)
{
	__u32 this = *(volatile __u32 *)&trigger_round, before = this - 1;

	if (bpf_map_update_elem(&fired_rounds, &this, &this, BPF_NOEXIST))
		return;
	bpf_map_delete_elem(&fired_rounds, &before);
	*(volatile __u64 *)&until = time + trigger.after;
	hit.time = time;
	hit.value = value;
	hit.thread = tid;
	hit.cpu = cpu;
	hit.cause = cause;
	/* Pairs with the acquire in bpf_triggered() of the collector. */
	ring_publish(&fired, 1);
}

/* A long wait: does it count, and does the trigger fire? */
static __noinline int trigger_check_long(struct task_struct *p, __u32 tid, struct fxt_ring *ring,
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
		trigger_fire(FXT_SCHED_CAUSE_LATENCY, bpf_get_smp_processor_id(), tid, time,
			     latency);
	return 0;
}

/* An interrupt that took too long. */
static __noinline int trigger_interrupt_long(__u32 cause, __u64 time, __u64 duration)
{
	trigger_fire(cause, bpf_get_smp_processor_id(), bpf_get_current_pid_tgid(), time,
		     duration);
	return 0;
}

/**
 * trigger_interrupt() - check an interrupt that was recorded
 * @cause: FXT_SCHED_CAUSE_IRQ or FXT_SCHED_CAUSE_SOFTIRQ
 * @begin: ticks
 * @time: ticks of its record
 */
static __always_inline void trigger_interrupt(enum fxt_sched_cause cause, __u64 begin,
					      __u64 time)
{
	__u64 limit = cause == FXT_SCHED_CAUSE_IRQ ? trigger.irq : trigger.softirq;

	if (limit && (__s64)(time - begin) > (__s64)limit && !*(volatile __u64 *)&fired)
		trigger_interrupt_long(cause, time, time - begin);
}

/**
 * trigger_check() - check the wait that a recorded switch ends
 * @p: the incoming thread
 * @tid: its id
 * @ring: this CPU's ring
 * @woken: trigger_switch_in()
 * @time: ticks of the switch's record
 *
 * The clocks of two CPUs may differ by some ns, so the difference is signed.
 */
static __always_inline void trigger_check(struct task_struct *p, __u32 tid,
					  struct fxt_ring *ring, __u64 woken, __u64 time)
{
	__s64 latency = time - woken;

	if (woken && (latency > (__s64)trigger.latency || latency > (__s64)ring->longest) &&
	    !*(volatile __u64 *)&fired)
		trigger_check_long(p, tid, ring, time, latency);
}

/**
 * trigger_run_queue() - check a run queue whose length has changed
 * @cpu: its CPU, not always this one
 * @tid: the thread that runs there
 * @length: threads, the running one included
 *
 * The run queue is locked, interrupts are off.
 */
static __always_inline void trigger_run_queue(__u32 cpu, __u32 tid, __u32 length)
{
	__u64 now;

	if (length <= trigger.runnable || *(volatile __u64 *)&fired)
		return;
	now = clock_now();
	if (now <= *(volatile __u64 *)&until)
		trigger_fire(FXT_SCHED_CAUSE_RUNNABLE, cpu, tid, now, length);
}

#endif /* BPF_TRIGGER_BPF_H */
