/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stacks.bpf.h - call stacks: where threads blocked, and what woke them.
 *
 * In:  switches and wakings. Out: backtraces (fxt_sched_stack.h) in the ring of the CPU.
 *
 * Unwinding a stack costs more than all else. The kernel stack of a thread does not change
 * while it is off the CPU, so it is unwound only when the thread is switched in, because then
 * it is known how long it was off.
 */
#ifndef BPF_STACKS_BPF_H
#define BPF_STACKS_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "filter.bpf.h"
#include "fxt/fxt_sched.h"
#include "kernel_types.h"
#include "ring.bpf.h"
#include "stacks.h"
#include "threads.bpf.h"

#define OWN_FRAMES	2	/* of the program and of its function, innermost: left out */

const volatile struct fxt_bpf_stacks stacks;

/*
 * Ticks of the switch that switched a thread out, if its stack may be wanted; else 0. A thread
 * is switched out before it is woken and switched in, and the scheduler orders these, as it
 * does for struct thread.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);			/* set before loading */
	__type(key, __u32);
	__type(value, __u64);
} off_since SEC(".maps");

static __always_inline __u64 *find_off_since(__u32 tid)
{
	__u32 index = thread_index(tid);

	return bpf_map_lookup_elem(&off_since, &index);
}

/* May the stack of a thread that is switched out in this state be wanted? */
static __always_inline bool wants_state(__u32 state)
{
	switch (state) {
	case FXT_THREAD_BLOCKED:
	case FXT_THREAD_SUSPENDED:
		return stacks.blocked || stacks.wakers;
	case FXT_THREAD_NEW:
		return stacks.preempted;
	}
	return false;
}

/* @state: enum fxt_thread_state. The idle threads share an id, and have nothing to tell. */
static __always_inline void stacks_switch_out(__u32 tid, __u32 state, __u64 now)
{
	__u64 *since = tid ? find_off_since(tid) : NULL;

	if (since)
		*since = wants_state(state) ? now : 0;
}

/*
 * Is the stack of a thread that is switched in wanted? Also forgets when it was switched out,
 * because the next time that it is switched out may be filtered.
 */
static __always_inline bool stacks_switch_in(__u32 tid, __u64 now)
{
	__u64 *since = find_off_since(tid), from;

	if (!since || !*since)
		return false;
	from = *since;
	*since = 0;
	/* The clocks of two CPUs may differ by some ns. */
	return (stacks.blocked || stacks.preempted) &&
	       (__s64)(now - from) >= (__s64)stacks.min;
}

/* Of a thread that has slept since before the recording, nothing is known. */
static __always_inline bool stacks_waking(__u32 tid, __u64 now)
{
	__u64 *since = find_off_since(tid);

	return !stacks.min ||
	       (since && *since && (__s64)(now - *since) >= (__s64)stacks.min);
}

static __always_inline void put_stack(struct place *at, __u64 *rec, long bytes, __u32 tid,
				      __u32 tgid)
{
	__u32 frames = bytes > 0 ? (__u64)bytes / FXT_WORD : 0;

	ring_commit(at, fxt_sched_put_stack(rec, at->time, tid, tgid, frames));
}

/*
 * The stack of a thread that is switched in, after the record of the switch. Only programs
 * that read with plain loads can pass the thread to the kernel.
 */
static __noinline int put_stack_in(struct place *at, struct task_struct *next)
{
	__u64 *rec = ring_reserve(at, FXT_RING_EVENTS);

	if (rec)
		put_stack(at, rec, bpf_get_task_stack(next, rec + FXT_SCHED_STACK_HEAD,
						      stacks.bytes, 0),
			  next->pid, next->tgid);
	return 0;
}

/* The CPU that the thread will be put on is not known yet, only the one that it ran on. */
static __always_inline bool keeps_waking(struct task_struct *p, const struct thread *thread,
					 __u32 cpu, const bool direct)
{
	if (!filter.on)
		return true;
	if (!filter_has_cpu(cpu) && !filter_has_cpu(bpf_get_smp_processor_id()))
		return false;
	return !filter.threads || thread->waker & WAKER_MATCHES ||
	       filter_has_thread(p, thread, direct);
}

/*
 * The stack of what wakes @tid. Context: interrupts are off, because @tid is not current. User
 * space puts the address of the rings into programs only, not into functions.
 */
static __noinline int put_waker_stack_at(void *ctx, struct fxt_ring *ring, __u32 cpu, __u32 tid,
					 __u32 tgid)
{
	struct place at = { .ring = ring, .cpu = cpu };
	__u64 *rec;

	if (!is_recording() || ring_begin(&at, extras) || !stacks_waking(tid, at.now))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		put_stack(&at, rec, bpf_get_stack(ctx, rec + FXT_SCHED_STACK_HEAD,
						  stacks.bytes, OWN_FRAMES), tid, tgid);
	return 0;
}

static __always_inline void put_waker_stack(void *ctx, __u32 tid, __u32 tgid)
{
	struct place at;

	ring_find(&at);
	put_waker_stack_at(ctx, at.ring, at.cpu, tid, tgid);
}

#endif /* BPF_STACKS_BPF_H */
