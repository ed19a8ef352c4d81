/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plain.bpf.h - switches and wakeups of recordings without filter, trigger and stacks.
 *
 * In:  the same tracepoints as fxt_sched.bpf.c, and its table of threads. Out: the same records.
 *
 * Nearly all switches are preemptions or plain sleeps, threads wake nearly all threads, and the
 * record has room where the last one ended (fast.bpf.h). Programs handle only that, with the
 * fewest instructions; all else they leave to functions. These find out again what they need,
 * because what a program keeps for them would cost it instructions on every path.
 *
 * The record is complete except for its time before the clock is read, so that only its address
 * is kept across that call. Nobody sees it before it is committed.
 */
#ifndef BPF_PLAIN_BPF_H
#define BPF_PLAIN_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "context.bpf.h"
#include "fast.bpf.h"
#include "fxt/fxt_sched.h"
#include "kernel_types.h"
#include "ring.bpf.h"
#include "threads.bpf.h"
#include "weight.bpf.h"

/* Arguments of functions have one kind each, so each function exists twice. */
#define BOTH_KINDS(name, params, args)						\
	static __noinline int name##_btf params { return name(args, true); }	\
	static __noinline int name##_raw params { return name(args, false); }
#define ARGS(...) __VA_ARGS__
#define CALL(direct, name, ...) ((direct) ? name##_btf(__VA_ARGS__) : name##_raw(__VA_ARGS__))

/* Begin to record what the fast path could not. */
static __always_inline __u64 *plain_reserve(struct place *at, struct fxt_ring *ring,
					    enum fxt_ring_count kind)
{
	*at = (struct place){ .ring = ring, .cpu = bpf_get_smp_processor_id() };
	return ring_begin(at, false) ? NULL : ring_reserve(at, kind);
}

/* --- switches ---------------------------------------------------------------------------- */

static __always_inline int put_switch(struct fxt_ring *ring, struct task_struct *prev,
				      struct task_struct *next, struct fxt_sched_state state,
				      const bool direct)
{
	__u32 out = READ(direct, prev, pid), in = READ(direct, next, pid);
	struct place at;
	__u64 *rec = plain_reserve(&at, ring, FXT_RING_SWITCHES);

	if (rec)
		ring_commit(&at, fxt_sched_put_switch(rec, at.time, at.cpu, out, in,
						      read_weight(prev, out, weight, direct),
						      read_weight(next, in, weight, direct),
						      state));
	return 0;
}

/* A switch that preempts a thread, or a plain sleep. @state: enum fxt_thread_state. */
static __always_inline int late_switch(struct fxt_ring *ring, struct task_struct *prev,
				       struct task_struct *next, __u32 state, const bool direct)
{
	return put_switch(ring, prev, next, (struct fxt_sched_state){ state, 0 }, direct);
}

BOTH_KINDS(late_switch, (struct fxt_ring *ring, struct task_struct *prev,
			 struct task_struct *next, __u32 state), ARGS(ring, prev, next, state))

/* A thread goes to sleep, in any state. */
static __always_inline int other_sleep(struct fxt_ring *ring, struct task_struct *prev,
				       struct task_struct *next, __u32 task_state,
				       const bool direct)
{
	note_asleep(find_thread(READ(direct, prev, pid)), task_state);
	if (!is_recording())
		return 0;
	return put_switch(ring, prev, next, fxt_sched_state(1, task_state,
							    READ(direct, prev, exit_state)),
			  direct);
}

BOTH_KINDS(other_sleep, (struct fxt_ring *ring, struct task_struct *prev,
			 struct task_struct *next, __u32 task_state),
	   ARGS(ring, prev, next, task_state))

/* The outgoing thread, whose address need not be kept after this. */
static __always_inline void put_switch_out(__u64 *rec, struct task_struct *prev, const bool direct)
{
	__u32 tid = READ(direct, prev, pid);

	fxt_sched_put_switch_out(rec, tid, read_weight(prev, tid, PATCHED(FXT_BPF_WEIGHT_MARK),
						       direct));
}

static __always_inline void put_switch_in(__u64 *rec, struct task_struct *next, const bool direct)
{
	__u32 tid = READ(direct, next, pid);

	fxt_sched_put_switch_in(rec, tid, read_weight(next, tid, PATCHED(FXT_BPF_WEIGHT_MARK),
						      direct));
}

/* sched_switch: under the run queue's lock, interrupts off. @ctx: its arguments. */
static __always_inline int on_plain_switch(const volatile __u64 *ctx, const bool direct)
{
	__u64 *rec, now, state = fxt_put(FXT_SWITCH_STATE, FXT_THREAD_NEW);
	struct task_struct *prev = (void *)ctx[1];
	struct thread *thread;
	__u32 task_state;
	struct place at;

	ring_find(&at);
	if (is_asleep(prev, direct)) {
		task_state = read_state(ctx, prev, PATCHED(FXT_BPF_PREV_STATE_MARK), direct);
		thread = find_near_thread(READ(direct, prev, pid));
		if (!fxt_sched_is_plain_sleep(task_state) || !thread)
			return CALL(direct, other_sleep, at.ring, prev, (void *)ctx[2],
				    task_state);
		/* It has its own id until it is dead, so nothing else is known about it. */
		thread->sleep = ASLEEP;
		state = fxt_put(FXT_SWITCH_STATE, FXT_THREAD_BLOCKED);
	}
	if (!is_recording())
		return 0;
	rec = fast_room(at.ring);
	if (rec) {
		rec[0] = at.ring->switch_header | state;
		put_switch_out(rec, (void *)ctx[1], direct);
		put_switch_in(rec, (void *)ctx[2], direct);
		now = clock_now_inline();
		if (now >= at.ring->last) {
			rec[1] = now;
			fast_commit(at.ring, FXT_RING_SWITCHES, now,
				    FXT_SCHED_USUAL_SWITCH_WORDS);
			return 0;
		}
	}
	return CALL(direct, late_switch, at.ring, (void *)ctx[1], (void *)ctx[2],
		    fxt_get(FXT_SWITCH_STATE, state));
}

/* --- wakeups ----------------------------------------------------------------------------- */

/* The same for a thread that the first table does not have. */
static __always_inline int plain_waking(struct task_struct *p, __u32 waker, const bool direct)
{
	struct thread *thread = find_thread(READ(direct, p, pid));

	if (thread)
		note_waking(thread, p, waker, direct);
	return 0;
}

BOTH_KINDS(plain_waking, (struct task_struct *p, __u32 waker), ARGS(p, waker))

/* sched_waking: current is the waker, or the waker has interrupted it. Interrupts may be on. */
static __always_inline int on_plain_waking(struct task_struct *p, const bool direct)
{
	__u32 waker = current_waker(PATCHED(FXT_BPF_CONTEXT_KIND_MARK));
	struct thread *thread = find_near_thread(READ(direct, p, pid));

	if (!thread)
		return CALL(direct, plain_waking, p, waker);
	note_waking(thread, p, waker, direct);
	return 0;
}

static __always_inline int plain_put_wakeup(struct fxt_ring *ring, struct task_struct *p,
					    __u32 waker, const bool direct)
{
	__u32 tid = READ(direct, p, pid);
	struct place at;
	__u64 *rec = plain_reserve(&at, ring, FXT_RING_WAKEUPS);

	if (rec)
		ring_commit(&at, fxt_sched_put_wakeup(rec, at.time, read_cpu(p, direct),
						      tid, read_weight(p, tid, weight, direct),
						      waker));
	return 0;
}

BOTH_KINDS(plain_put_wakeup, (struct fxt_ring *ring, struct task_struct *p, __u32 waker),
	   ARGS(ring, p, waker))

/*
 * The wakeup of a thread that the first table does not have. Whether one beyond all tables was
 * asleep is unknown, so the wakeup counts as lost.
 */
static __always_inline int plain_far_wakeup(struct fxt_ring *ring, struct task_struct *p,
					    const bool direct)
{
	struct thread *thread = find_thread(READ(direct, p, pid));
	struct place at = { .ring = ring, .cpu = bpf_get_smp_processor_id() };

	if (is_running(p, direct) || (thread && thread->sleep != ASLEEP))
		return 0;
	if (thread)
		thread->sleep = AWAKE;
	if (!is_recording())
		return 0;
	if (thread)
		return plain_put_wakeup(ring, p, thread->waker, direct);
	if (!ring_begin(&at, false))
		ring_lose(&at, FXT_RING_WAKEUPS);
	return 0;
}

BOTH_KINDS(plain_far_wakeup, (struct fxt_ring *ring, struct task_struct *p), ARGS(ring, p))

/*
 * sched_wakeup: interrupts are off, except for a thread that wakes itself, which is not asleep.
 * A running thread is not, even if the table says so, see on_wakeup().
 */
static __always_inline int on_plain_wakeup(struct task_struct *p, const bool direct)
{
	__u32 tid = READ(direct, p, pid), waker;
	struct thread *thread = find_near_thread(tid);
	struct place at;
	__u64 *rec, now;

	if (!thread) {
		ring_find(&at);
		return CALL(direct, plain_far_wakeup, at.ring, p);
	}
	if (thread->sleep != ASLEEP || is_running(p, direct))
		return 0;
	thread->sleep = AWAKE;
	if (!is_recording())
		return 0;
	waker = thread->waker;
	/* Nobody wakes the idle threads. */
	__builtin_assume(tid);
	ring_find(&at);
	rec = fxt_sched_waker_is_thread(waker) ? fast_room(at.ring) : NULL;
	if (rec) {
		fxt_sched_put_untimed_wakeup(rec, read_cpu(p, direct), tid,
					     read_weight(p, tid, PATCHED(FXT_BPF_WEIGHT_MARK),
							 direct), waker);
		now = clock_now_inline();
		if (now >= at.ring->last) {
			rec[1] = now;
			fast_commit(at.ring, FXT_RING_WAKEUPS, now,
				    FXT_SCHED_USUAL_WAKEUP_WORDS);
			return 0;
		}
	}
	return CALL(direct, plain_put_wakeup, at.ring, p, waker);
}

#endif /* BPF_PLAIN_BPF_H */
