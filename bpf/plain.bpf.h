/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plain.bpf.h - switches and wakeups of recordings without filter, trigger and stacks.
 *
 * In:  the same tracepoints as fxt_sched.bpf.c, and its table of threads.
 * Out: the same records.
 *
 * Nearly all switches are preemptions or plain sleeps, nearly all wakers are threads, and there is
 * room after the last record (fast.bpf.h). The programs handle only these cases, with the fewest
 * instructions, and call functions for all others. The functions read again what they need, because
 * a program that kept values for them would need instructions on every path.
 *
 * Sessions without weights, and sessions that record wakeups at sched_waking, have programs of
 * their own, so that no program has to test for these: enum plain_form.
 *
 * A program reads the clock last, when the record is complete except for its time. So only the
 * record's address has to survive that call. Nobody sees the record before it is committed.
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

/* The form of a session's records; a compile-time constant of each program. */
enum plain_form {
	PLAIN_BARE	= 1 << 0,	/* only weights of idle threads */
	PLAIN_WAKING	= 1 << 1,	/* wakeups at sched_waking */
};

/* For a record that has no room on the fast path, or whose time is not the latest. */
static __always_inline __u64 *plain_reserve(struct place *at, struct fxt_ring *ring,
					    enum fxt_ring_count kind)
{
	*at = (struct place){ .ring = ring, .cpu = bpf_get_smp_processor_id() };
	return ring_begin(at, false) ? NULL : ring_reserve(at, kind);
}

/* --- wakeups that the fast path could not record ------------------------------------------ */

static __noinline int plain_put_wakeup(struct fxt_ring *ring, struct task_struct *p, __u32 waker)
{
	__u32 tid = p->pid;
	struct place at;
	__u64 *rec = plain_reserve(&at, ring, FXT_RING_WAKEUPS);

	if (rec)
		ring_commit(&at, fxt_sched_put_wakeup(rec, at.time, read_cpu(p, DIRECT),
						      tid, read_any_weight(p, tid, DIRECT),
						      waker));
	return 0;
}

/*
 * Record the early wakeup of a thread that has gone to sleep (fxt_waking.h). @word: of the thread
 * before it went to sleep.
 */
static __noinline int early_wakeup(struct fxt_ring *ring, struct task_struct *prev, __u32 word)
{
	struct thread *thread = find_thread(prev->pid);

	if (!thread || !accepts_early(thread, prev) || !is_recording())
		return 0;
	return plain_put_wakeup(ring, prev, fxt_waking_waker(word));
}

static __always_inline int plain_note_sleep(struct thread *thread, struct fxt_ring *ring,
					    struct task_struct *prev)
{
	__u32 word = exchange_word(thread, FXT_WAKING_ASLEEP);

	return fxt_waking_is_early(word) ? early_wakeup(ring, prev, word) : 0;
}

/* --- switches ---------------------------------------------------------------------------- */

static __always_inline int put_switch(struct fxt_ring *ring, struct task_struct *prev,
				      struct task_struct *next, struct fxt_sched_state state)
{
	__u32 out = prev->pid, in = next->pid;
	struct place at;
	__u64 *rec = plain_reserve(&at, ring, FXT_RING_SWITCHES);

	if (rec)
		ring_commit(&at, fxt_sched_put_switch(rec, at.time, at.cpu, out, in,
						      read_any_weight(prev, out, DIRECT),
						      read_any_weight(next, in, DIRECT),
						      state));
	return 0;
}

/* A preemption or a plain sleep, off the fast path. @state: enum fxt_thread_state */
static __noinline int late_switch(struct fxt_ring *ring, struct task_struct *prev,
				  struct task_struct *next, __u32 state)
{
	return put_switch(ring, prev, next, (struct fxt_sched_state){ state, 0 });
}

static __noinline int other_sleep(struct fxt_ring *ring, struct task_struct *prev,
				  struct task_struct *next, __u32 task_state)
{
	note_asleep(find_thread(prev->pid), task_state);
	if (!is_recording())
		return 0;
	return put_switch(ring, prev, next, fxt_sched_state(1, task_state,
							    prev->exit_state));
}

/* The same in sessions that record wakeups at sched_waking. */
static __noinline int other_waking_sleep(struct fxt_ring *ring, struct task_struct *prev,
					 struct task_struct *next, __u32 task_state)
{
	struct fxt_sched_state state = fxt_sched_state(1, task_state,
						       prev->exit_state);
	struct thread *thread;

	if (is_recording())
		put_switch(ring, prev, next, state);
	thread = find_thread(prev->pid);
	/* As in note_asleep(). */
	if (!thread || thread->sleep == NAMED_AT_FORK || task_state & FXT_LINUX_DEAD)
		return 0;
	return plain_note_sleep(thread, ring, prev);
}

/* The address of the outgoing thread is not needed after this. */
static __always_inline void put_switch_out(__u64 *rec, struct task_struct *prev)
{
	__u32 tid = prev->pid;

	fxt_sched_put_switch_out(rec, tid, read_weight(prev, tid, PATCHED(FXT_BPF_MARK_WEIGHT),
						       DIRECT));
}

static __always_inline void put_switch_in(__u64 *rec, struct task_struct *next)
{
	__u32 tid = next->pid;

	fxt_sched_put_switch_in(rec, tid, read_weight(next, tid, PATCHED(FXT_BPF_MARK_WEIGHT),
						      DIRECT));
}

/* Write all but the time. Return: words. */
static __always_inline __u64 put_untimed_switch(__u64 *rec, __u64 header,
						const volatile __u64 *ctx, __u32 form)
{
	struct task_struct *prev = (void *)ctx[1], *next;

	if (form & PLAIN_BARE) {
		next = (void *)ctx[2];
		return fxt_sched_put_bare_switch(rec, header, (__u32)prev->pid, (__u32)next->pid);
	}
	rec[0] = header;
	put_switch_out(rec, prev);
	/* Loaded this late, it takes the register of the other one. */
	put_switch_in(rec, (void *)ctx[2]);
	return FXT_SCHED_USUAL_SWITCH_WORDS;
}

/* Record a switch on the fast path. @state: FXT_SWITCH_STATE of the header */
static __always_inline int plain_switch(struct fxt_ring *ring, const volatile __u64 *ctx,
					__u64 state, __u32 form)
{
	__u64 *rec = fast_room(ring), now, words;

	if (rec) {
		words = put_untimed_switch(rec, ring->switch_header | state, ctx, form);
		now = clock_now_inline();
		if (now >= ring->last) {
			rec[1] = now;
			fast_commit(ring, FXT_RING_SWITCHES, now, words);
			return 0;
		}
	}
	return late_switch(ring, (void *)ctx[1], (void *)ctx[2], fxt_get(FXT_SWITCH_STATE, state));
}

/* sched_switch, under the run queue's lock, with interrupts off. @ctx: its arguments */
static __always_inline int on_plain_switch(const volatile __u64 *ctx, __u32 form)
{
	__u64 state = fxt_put(FXT_SWITCH_STATE, FXT_THREAD_NEW);
	struct task_struct *prev = (void *)ctx[1];
	struct thread *thread;
	__u32 task_state;
	struct place at;

	ring_find(&at);
	if (is_asleep(prev, DIRECT)) {
		task_state = read_state(ctx, prev, PATCHED(FXT_BPF_MARK_PREV_STATE));
		thread = find_near_thread(prev->pid);
		if (!fxt_sched_is_plain_sleep(task_state) || !thread)
			return form & PLAIN_WAKING ?
			       other_waking_sleep(at.ring, prev, (void *)ctx[2], task_state) :
			       other_sleep(at.ring, prev, (void *)ctx[2], task_state);
		state = fxt_put(FXT_SWITCH_STATE, FXT_THREAD_BLOCKED);
		if (form & PLAIN_WAKING) {
			if (is_recording())
				plain_switch(at.ring, ctx, state, form);
			return plain_note_sleep(thread, at.ring, (void *)ctx[1]);
		}
		/* note_asleep() is not needed: until a thread is dead, nobody else has its id. */
		thread->sleep = ASLEEP;
	}
	return is_recording() ? plain_switch(at.ring, ctx, state, form) : 0;
}

/* --- wakeups ----------------------------------------------------------------------------- */

/* For a thread that is not in the first table. */
static __noinline int plain_waking(struct task_struct *p, __u32 waker)
{
	struct thread *thread = find_thread(p->pid);

	if (thread)
		note_waking(thread, p, waker);
	return 0;
}

/* sched_waking: current is the waker, or the waker has interrupted it. Interrupts may be on. */
static __always_inline int on_plain_waking(struct task_struct *p)
{
	__u32 waker = current_waker(PATCHED(FXT_BPF_MARK_CONTEXT));
	struct thread *thread = find_near_thread(p->pid);

	if (!thread)
		return plain_waking(p, waker);
	note_waking(thread, p, waker);
	return 0;
}

/*
 * For a thread that is not in the first table. If it is in no table, it is unknown whether it was
 * asleep, so the wakeup counts as lost.
 */
static __noinline int plain_far_wakeup(struct fxt_ring *ring, struct task_struct *p)
{
	struct thread *thread = find_thread(p->pid);
	struct place at = { .ring = ring, .cpu = bpf_get_smp_processor_id() };

	if (is_running(p, DIRECT) || (thread && thread->sleep != ASLEEP))
		return 0;
	if (thread)
		thread->sleep = AWAKE;
	if (!is_recording())
		return 0;
	if (thread)
		return plain_put_wakeup(ring, p, thread->waker);
	if (!ring_begin(&at, false))
		ring_lose(&at, FXT_RING_WAKEUPS);
	return 0;
}

/* @by_thread: a thread is the waker, so the usual record suffices. */
static __always_inline int plain_wakeup(struct fxt_ring *ring, struct task_struct *p, __u32 tid,
					__u32 waker, bool by_thread, __u32 form)
{
	__u64 *rec = by_thread ? fast_room(ring) : NULL, now;

	if (rec) {
		if (form & PLAIN_BARE)
			fxt_sched_put_bare_wakeup(rec, read_cpu(p, DIRECT), tid, waker);
		else
			fxt_sched_put_untimed_wakeup(rec, read_cpu(p, DIRECT), tid,
						     read_weight(p, tid,
								 PATCHED(FXT_BPF_MARK_WEIGHT),
								 DIRECT), waker);
		now = clock_now_inline();
		if (now >= ring->last) {
			rec[1] = now;
			fast_commit(ring, FXT_RING_WAKEUPS, now,
				    form & PLAIN_BARE ? FXT_SCHED_BARE_WAKEUP_WORDS :
							FXT_SCHED_USUAL_WAKEUP_WORDS);
			return 0;
		}
	}
	return plain_put_wakeup(ring, p, waker);
}

/*
 * sched_wakeup: interrupts are off, except for a thread that wakes itself, which is not asleep. No
 * running thread is asleep, even if the table says so: see on_wakeup().
 */
static __always_inline int on_plain_wakeup(struct task_struct *p, __u32 form)
{
	__u32 tid = p->pid, waker;
	struct thread *thread = find_near_thread(tid);
	struct place at;

	if (!thread) {
		ring_find(&at);
		return plain_far_wakeup(at.ring, p);
	}
	if (thread->sleep != ASLEEP || is_running(p, DIRECT))
		return 0;
	thread->sleep = AWAKE;
	if (!is_recording())
		return 0;
	waker = thread->waker;
	/* Nobody wakes the idle threads. */
	__builtin_assume(tid);
	ring_find(&at);
	return plain_wakeup(at.ring, p, tid, waker, fxt_sched_waker_is_thread(waker), form);
}

/* --- wakeups at sched_waking --------------------------------------------------------------- */

/*
 * For a thread that is not known to sleep, or not in the first table, or woken by an interrupt. If
 * a thread in no table is asleep, its wakeup counts as lost.
 */
static __noinline int other_waking(struct fxt_ring *ring, struct task_struct *p, __u32 waker)
{
	__u32 tid = p->pid;
	struct thread *thread = find_thread(tid);
	struct place at = { .ring = ring, .cpu = bpf_get_smp_processor_id() };

	/* A thread that wakes itself does not sleep, and interrupts are on. */
	if (tid == (__u32)bpf_get_current_pid_tgid())
		return 0;
	if (!thread) {
		if (is_recording() && is_asleep(p, DIRECT) && !ring_begin(&at, false))
			ring_lose(&at, FXT_RING_WAKEUPS);
		return 0;
	}
	if (!records_waking(thread, p, waker) || !is_recording())
		return 0;
	return plain_put_wakeup(ring, p, waker);
}

/* sched_waking in sessions that record it. Interrupts are on if a thread wakes itself. */
static __always_inline int on_plain_waking_record(struct task_struct *p, __u32 form)
{
	__u32 tid = p->pid;
	__u32 waker = current_waker(PATCHED(FXT_BPF_MARK_CONTEXT));
	struct thread *thread = find_near_thread(tid);
	struct place at;

	if (!thread || thread->waker != FXT_WAKING_ASLEEP || is_running(p, DIRECT) ||
	    !fxt_sched_waker_is_thread(waker)) {
		/* Return early: while this program runs, the kernel skips it in interrupts. */
		if (waker == tid)
			return 0;
		ring_find(&at);
		return other_waking(at.ring, p, waker);
	}
	/* sched_switch may have recorded this wakeup. */
	if (exchange_word(thread, FXT_WAKING_AWAKE) != FXT_WAKING_ASLEEP || !is_recording())
		return 0;
	ring_find(&at);
	/* As in on_plain_wakeup(). */
	__builtin_assume(tid);
	return plain_wakeup(at.ring, p, tid, waker, true, form);
}

#endif /* BPF_PLAIN_BPF_H */
