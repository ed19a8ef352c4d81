// SPDX-License-Identifier: GPL-2.0-only
/*
 * stacks.c - backtraces of threads that blocked, and of wakers.
 *
 * In:  switches and wakings, from the slow path (record.h); a sleep that fired the trigger, and
 *      that of a lock's holder (watch.c).
 * Out: backtraces in the stream of the CPU. fxt_sched_stack.h says which switch or wakeup each is
 *      of.
 *
 * Unwinding is the expensive part. A thread's kernel stack does not change while the thread is off
 * the CPU, so it is unwound at the switch-in, when it is known how long the thread was off.
 * user_stack.h says when programs' stacks are read.
 *
 * The frames, and the copy of the program's stack behind them, are written where the record goes in
 * the open sub-buffer, so they need no other memory. The unwinder is code of the kernel, which can
 * warn and so cause other events: fxt_stream_hold() keeps their records out.
 *
 * Context of all functions but fxt_stacks_check() and fxt_stack_asleep(): a lock of the scheduler
 * is held, interrupts are disabled. They must not sleep, wake a thread or take a lock.
 */
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include <fxt/fxt_sched_stack.h>

#include "compat.h"
#include "event.h"
#include "user_stack.h"
#include "util.h"

/* Can this kernel record such stacks? Return: 0, or -EOPNOTSUPP with a reason. */
int fxt_stacks_check(u32 what, struct fxt_reason *reason)
{
	if (what && !IS_ENABLED(CONFIG_64BIT))
		return fxt_refuse(reason, -EOPNOTSUPP,
				  "stacks: the addresses in records are those of 64-bit kernels");
	if (what & FXT_SCHED_STACKS_KERNEL && !IS_ENABLED(CONFIG_STACKTRACE))
		return fxt_refuse(reason, -EOPNOTSUPP,
				  "stacks of the kernel: this kernel is built without CONFIG_STACKTRACE");
	if (what & FXT_SCHED_STACKS_KERNEL && what & FXT_STACKS_OFF && !FXT_STACKS_OF_TASKS)
		return fxt_refuse(reason, -EOPNOTSUPP,
				  "stacks of the kernel: this kernel lets no module unwind the stack of another thread (stack_trace_save_tsk, from 6.12); record those of wakers or of programs only, or use the BPF source");
	if (what & FXT_SCHED_STACKS_USER && !FXT_USER_STACKS)
		return fxt_refuse(reason, -EOPNOTSUPP,
				  "stacks of programs: the module knows the frames of x86-64 and arm64 only");
	return 0;
}

/* --- stacks in the kernel, by its own unwinder --- */

#define FXT_OWN_FRAMES	4	/* of this module, between the tracepoint and the unwinder */
static_assert(FXT_OWN_FRAMES <= FXT_SCHED_STACK_OWN);

#ifdef CONFIG_STACKTRACE

/*
 * The stack of a thread that does not run, from the caller of the scheduler on. Return: number of
 * addresses; 0 if the kernel cannot unwind the stack.
 */
static unsigned int fxt_kernel_stack_of(struct task_struct *p, u64 *frames, unsigned int most)
{
	return FXT_STACK_OF_TASK(p, (unsigned long *)frames, most, 0);
}

/*
 * The current stack from @caller on, the return address of the probe. @frames has room for
 * FXT_OWN_FRAMES more. Return: number of addresses; 0 if the kernel cannot unwind the stack.
 */
static noinline unsigned int fxt_kernel_stack_here(u64 *frames, unsigned int most,
						   unsigned long caller)
{
	unsigned int count = stack_trace_save((unsigned long *)frames,
					      most + FXT_OWN_FRAMES, 1), own = 0;

	/* Skip our own frames; inlining decides how many there are. */
	while (own < count && own < FXT_OWN_FRAMES && frames[own] != caller)
		own++;
	/* The unwinder has not met the probe's caller, so no frame is known to be ours. */
	if (own == count || frames[own] != caller)
		own = 0;
	count = min(count - own, most);
	memmove(frames, frames + own, count * sizeof(*frames));
	return count;
}

#else

static unsigned int fxt_kernel_stack_of(struct task_struct *p, u64 *frames, unsigned int most)
{
	return 0;
}

static unsigned int fxt_kernel_stack_here(u64 *frames, unsigned int most, unsigned long caller)
{
	return 0;
}

#endif

/* --- records --- */

static unsigned int fxt_stack_words(const struct fxt_config *config)
{
	return FXT_SCHED_STACK_HEAD + 2 * config->stacks_depth +
	       (config->stacks & FXT_SCHED_STACKS_USER ? FXT_SCHED_COPY_WORDS : 0);
}

/* --- threads that are off the CPU ------------------------------------------ */

/* May the stack of a thread that is switched out in this state be needed? */
static bool fxt_stack_wants(u32 what, enum fxt_thread_state state)
{
	switch (state) {
	case FXT_THREAD_BLOCKED:
	case FXT_THREAD_SUSPENDED:
		return what & (FXT_SCHED_STACKS_OFFCPU | FXT_SCHED_STACKS_WAKE);
	case FXT_THREAD_NEW:
		return what & FXT_SCHED_STACKS_PREEMPT;
	default:
		return false;
	}
}

/*
 * Remember what the stack of the current thread needs, which is switched out. @state, @now: as in
 * the record of the switch.
 *
 * Whether the filter keeps this switch does not matter: it may keep the one that switches the
 * thread in, or its wakeup.
 */
void fxt_stack_out(struct fxt_session *ss, struct task_struct *prev,
		   enum fxt_thread_state state, u64 now)
{
	struct fxt_saved_stacks *saved = &ss->saved_stacks;
	u32 what = ss->config.stacks;
	/* The idle threads share an id, and their stacks are useless. */
	u64 *off = prev->pid ? fxt_task_off(&ss->tasks, prev->pid) : NULL;

	if (!off || !fxt_stack_wants(what, state))
		return;
	WRITE_ONCE(*off, now);
	if (!saved->places || prev->flags & (PF_KTHREAD | PF_EXITING) ||
	    (state != FXT_THREAD_NEW && !(what & FXT_SCHED_STACKS_OFFCPU)))
		return;
	if (fxt_keeps(ss, prev))
		fxt_saved_stacks_put(saved, prev->pid, now);
}

/*
 * Write the stack of a thread that is switched in and does not run yet, if it is recorded. The
 * switch is the newest record of @s, at @now. @since: of fxt_stack_consume(), not 0.
 */
void fxt_stack_in(struct fxt_session *ss, struct fxt_stream *s, struct task_struct *next,
		  u64 since, u64 now)
{
	const struct fxt_config *config = &ss->config;
	struct fxt_event e = { .s = s, .time = now };
	unsigned int count = 0, copied = 0;
	u64 *frames;

	/* The clocks of two CPUs may differ by some ns. */
	if (!(config->stacks & FXT_STACKS_OFF) || (s64)(now - since) < (s64)ss->stacks_min ||
	    !fxt_recording_covers_slice(&ss->recording, since, now) ||
	    !fxt_keeps(ss, next) || !fxt_event_reserve(&e, fxt_stack_words(config)))
		return;
	fxt_stream_hold(s);
	frames = e.rec + FXT_SCHED_STACK_HEAD;
	if (config->stacks & FXT_SCHED_STACKS_KERNEL)
		count = fxt_kernel_stack_of(next, frames, config->stacks_depth);
	if (config->stacks & FXT_SCHED_STACKS_USER)
		count += fxt_saved_stacks_get(&ss->saved_stacks, next->pid, since, frames + count,
					      &copied);
	fxt_stream_release(s);
	fxt_stream_commit(s, e.rec, now,
			  fxt_sched_put_stack_copy(e.rec, now, next->pid, next->tgid, count,
						   copied));
}

static void fxt_stack_drop(struct fxt_session *ss)
{
	WRITE_ONCE(ss->sleep_stacks_dropped, ss->sleep_stacks_dropped + 1);
}

/*
 * Write the stack of a thread whose sleep has fired the trigger and goes on, or who holds the lock
 * of one and sleeps, if stacks of sleeps are recorded. If the thread is woken meanwhile, the record
 * has no frames and the stack counts as dropped, as it does if the recording is over. The filter
 * keeps the thread and its CPU, but not always this CPU. @at: where the thread's element is, which
 * was @element (fxt_trigger.h).
 *
 * Context: interrupts disabled, in an RCU read-side critical section; one caller at a time.
 */
void fxt_stack_asleep(struct fxt_session *ss, struct task_struct *p, const u64 *at, u64 element)
{
	const struct fxt_config *config = &ss->config;
	unsigned int count = 0, copied = 0;
	struct fxt_event e;
	u64 *frames;

	if (!(config->stacks & FXT_SCHED_STACKS_OFFCPU))
		return;
	if (!fxt_event_is_due(ss, &e)) {
		fxt_stack_drop(ss);
		return;
	}
	if (!fxt_event_reserve(&e, fxt_stack_words(config)))
		return;
	fxt_stream_hold(e.s);
	frames = e.rec + FXT_SCHED_STACK_HEAD;
	if (config->stacks & FXT_SCHED_STACKS_KERNEL)
		count = fxt_kernel_stack_of(p, frames, config->stacks_depth);
	if (config->stacks & FXT_SCHED_STACKS_USER)
		count += fxt_saved_stacks_get(&ss->saved_stacks, p->pid, FXT_WAIT_SINCE(element),
					      frames + count, &copied);
	/* The thread clears the element before it saves another stack. */
	smp_rmb();
	if (READ_ONCE(*at) != element) {
		count = 0;
		copied = 0;
		fxt_stack_drop(ss);
	}
	fxt_stream_release(e.s);
	fxt_stream_commit(e.s, e.rec, e.time,
			  fxt_sched_put_asleep(e.rec, e.time, p->pid, p->tgid, count, copied));
}

/* --- what wakes them -------------------------------------------------------- */

/* A thread that has slept since before the recording is unknown. */
static bool fxt_stack_slept(const struct fxt_session *ss, u32 tid, u64 now)
{
	const u64 *off = fxt_task_off(&ss->tasks, tid);
	u64 since = off ? READ_ONCE(*off) : 0;

	return !ss->stacks_min || (since && (s64)(now - since) >= (s64)ss->stacks_min &&
				   fxt_recording_covers_slice(&ss->recording, since, now));
}

/* Only the CPU that the thread ran on is known yet, not the one that it will be put on. */
static bool fxt_stack_keeps_waking(struct fxt_session *ss, const struct fxt_stream *s,
				   struct task_struct *p, u32 waker)
{
	if (!s->cpu_traced && !per_cpu_ptr(ss->cpus, task_cpu(p))->cpu_traced)
		return false;
	return waker & FXT_WAKER_MATCHES || fxt_keeps(ss, p);
}

/*
 * Write the stack of the waker of a thread that is not runnable, if it is recorded. @waker: as in
 * struct fxt_task. @caller: the return address of the probe.
 *
 * Context: sched_waking. The current thread is the waker, or the waker has interrupted it and has
 * nothing to do with it.
 */
void fxt_stack_waking(struct fxt_session *ss, struct task_struct *p, u32 waker,
		      unsigned long caller)
{
	const struct fxt_config *config = &ss->config;
	unsigned int count = 0, user = 0, copied = 0;
	struct fxt_event e;
	u64 *frames;

	lockdep_assert_irqs_disabled();
	if (!fxt_event_is_due(ss, &e) || !fxt_stack_slept(ss, p->pid, e.time) ||
	    !fxt_stack_keeps_waking(ss, e.s, p, waker) ||
	    !fxt_event_reserve(&e, fxt_stack_words(config) + FXT_OWN_FRAMES))
		return;
	fxt_stream_hold(e.s);
	frames = e.rec + FXT_SCHED_STACK_HEAD;
	if (config->stacks & FXT_SCHED_STACKS_KERNEL)
		count = fxt_kernel_stack_here(frames, config->stacks_depth, caller);
	if (config->stacks & FXT_SCHED_STACKS_USER &&
	    fxt_sched_waker_is_thread(waker & ~FXT_WAKER_MATCHES))
		user = fxt_user_stack(frames + count, config->stacks_depth, &copied);
	fxt_stream_release(e.s);
	fxt_stream_commit(e.s, e.rec, e.time,
			  fxt_sched_put_stack_copy(e.rec, e.time, p->pid,
						   user ? current->tgid : p->tgid, count + user,
						   copied));
}
