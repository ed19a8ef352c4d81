/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.bpf.h - call stacks: where threads blocked, and what woke them.
 *
 * In:  switches and wakings; a sleep that fired the trigger, or that of the holder of a lock whose
 *      wait did.
 * Out: backtraces (fxt_sched_stack.h) in the ring of the CPU.
 *
 * Unwinding is the expensive part. A thread's kernel stack does not change while the thread is off
 * the CPU, so it is unwound at the switch-in, when it is known how long the thread was off. A
 * program's stack can be read only while its thread is current. So it is read at the switch-out,
 * and waits in a map until the switch-in.
 */
#ifndef BPF_STACKS_BPF_H
#define BPF_STACKS_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "config.h"
#include "context.bpf.h"
#include "filter.bpf.h"
#include "frames.bpf.h"
#include "fxt/fxt_sched.h"
#include "kernel_types.h"
#include "map.bpf.h"
#include "program.bpf.h"
#include "ring.bpf.h"
#include "threads.bpf.h"
#include "trigger.bpf.h"

/*
 * Ticks of the switch-out, if the thread's stack may be needed; else 0. The scheduler orders
 * switch-out, wakeup and switch-in of a thread, as for struct thread.
 */
ARRAY(off_since, 1, __u64);	/* entries are set before loading */

struct user_stack {
	/*
	 * ticks of the switch-out; if off_since has another time, the frames are from an earlier
	 * one
	 */
	__u64 since;
	__u32 count;	/* number of @frames */
	__u32 copied;	/* words of @copy */
	__u64 copy[FXT_SCHED_COPY_WORDS];	/* of registers and stack */
	__u64 frames[];	/* as many as fit into the map's values */
};

/*
 * By thread id. A thread keeps its element until it exits, because finding an element costs less
 * than adding one. The lock of a bucket is safe: interrupts are off, and no program runs in NMIs.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);			/* both set before loading */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct user_stack));
} user_stacks SEC(".maps");

/* The initial value of new elements: zeros. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct user_stack));	/* set before loading, like the above */
} no_user_stack SEC(".maps");

__u64 user_stacks_lost;			/* of programs, because the map had no room */

static __always_inline __u64 *find_off_since(__u32 tid)
{
	__u32 index = thread_index(tid);

	return bpf_map_lookup_elem(&off_since, &index);
}

/* Can the stack of a thread that is switched out in this state be needed later? */
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

/*
 * Note when a thread is switched out, unless it is idle: idle threads share an id, and their stacks
 * are useless. @state: enum fxt_thread_state. @flags: of the thread. Return: must keep_user_stack()
 * be called?
 */
static __always_inline bool stacks_switch_out(__u32 tid, __u32 state, __u64 now, __u32 flags)
{
	__u64 *since = tid ? find_off_since(tid) : NULL;

	if (!since)
		return false;
	*since = wants_state(state) ? now : 0;
	/* Stacks of wakers are not kept. */
	if (!stacks.user || (!stacks.blocked && !stacks.preempted) || flags & PF_KTHREAD)
		return false;
	return flags & PF_EXITING || (*since && (state == FXT_THREAD_NEW || stacks.blocked));
}

/*
 * Is the stack of a thread that is switched in recorded? The time of the switch-out is cleared,
 * because the filter may hide the next switch-out. Return: that time; 0 if the stack is not
 * recorded.
 */
static __always_inline __u64 stacks_switch_in(__u32 tid, __u64 now)
{
	__u64 *since = find_off_since(tid), from;

	if (!since || !*since)
		return 0;
	from = *since;
	*since = 0;
	/* The clocks of two CPUs may differ by some ns. */
	if ((!stacks.blocked && !stacks.preempted) ||
	    (__s64)(now - from) < (__s64)stacks.min)
		return 0;
	return from;
}

static __always_inline struct user_stack *add_user_stack(__u32 tid)
{
	__u32 zero = 0;
	void *none = bpf_map_lookup_elem(&no_user_stack, &zero);

	if (!none || bpf_map_update_elem(&user_stacks, &tid, none, BPF_NOEXIST))
		return NULL;
	return bpf_map_lookup_elem(&user_stacks, &tid);
}

/*
 * Store the stack of the program whose thread is switched out. An exiting thread frees its element,
 * and gets no other. @flags: of the thread.
 */
static __noinline int keep_user_stack(void *ctx, __u32 tid, __u32 flags, __u64 now)
{
	struct program_stack *taken;
	struct user_stack *s;

	if (flags & PF_EXITING) {
		bpf_map_delete_elem(&user_stacks, &tid);
		return 0;
	}
	s = bpf_map_lookup_elem(&user_stacks, &tid);
	if (!s)
		s = add_user_stack(tid);
	if (!s) {
		__sync_fetch_and_add(&user_stacks_lost, 1);
		return 0;
	}
	taken = capture_program(ctx, s->frames, s->copy);
	s->count = taken ? taken->found : 0;
	s->copied = taken ? taken->copied : 0;
	s->since = now;
	return 0;
}

/*
 * Is the stack of this thread's waker recorded? Not if the thread has slept since before the
 * recording, because its sleep is unknown. For programs only, see clock_now_inline().
 */
static __always_inline bool stacks_waking(__u32 tid)
{
	__u64 *since;

	if (!stacks.min)
		return true;
	since = find_off_since(tid);
	return since && *since && (__s64)(clock_now_inline() - *since) >= (__s64)stacks.min;
}

/*
 * Add the frames and the copy that were stored at the switch-out. @copied: words of the copy.
 * Return: number of frames.
 */
static __always_inline __u32 add_kept_frames(__u64 *to, __u32 tid, __u64 since, __u32 *copied)
{
	struct user_stack *s = bpf_map_lookup_elem(&user_stacks, &tid);
	__u32 count;

	if (!s || s->since != since)
		return 0;
	count = add_words(to, s->frames, s->count, stacks.user / FXT_WORD);
	if (count && s->copied)
		*copied = add_words(to + count, s->copy, s->copied, FXT_SCHED_COPY_WORDS);
	return count;
}

/* Do programs know where a thread's stack begins and ends? Only x86's unwinder is slow. */
static __always_inline bool walks_stacks(void)
{
	struct task_struct *thread = NULL;

	return stacks.walks && bpf_core_field_exists(thread->thread.sp);
}

/* Add the kernel frames of a thread that is off the CPU. */
static __always_inline __u64 add_frames_of(__u64 *to, struct task_struct *thread)
{
	__u64 count, *again;

	if (walks_stacks()) {
		count = walk_stack(to, (void *)thread->thread.sp,
				   (void *)bpf_task_pt_regs(thread), FXT_BPF_LESSON_ASLEEP);
		again = count ? begin_check() : NULL;
		if (again)
			end_check(count, bpf_get_task_stack(thread, again, stacks.kernel, 0));
		if (count)
			return count;
	}
	count = frames_in(bpf_get_task_stack(thread, to, stacks.kernel, 0), stacks.kernel);
	if (walks_stacks())
		teach_frames(to, count, FXT_BPF_LESSON_ASLEEP);
	return count;
}

/* Add the kernel frames of the running code. @ctx is in the frame of the tracepoint. */
static __always_inline __u64 add_own_frames(__u64 *to, void *ctx)
{
	__u64 count, *again;
	void *current;

	if (walks_stacks()) {
		/* Linux before 5.11 lacks this function. */
		current = (void *)bpf_get_current_task_btf();
		count = walk_stack(to, ctx, (void *)bpf_task_pt_regs(current),
				   FXT_BPF_LESSON_WAKING);
		again = count ? begin_check() : NULL;
		if (again)
			end_check(count, bpf_get_stack(ctx, again, stacks.kernel, OWN_FRAMES));
		if (count)
			return count;
	}
	count = frames_in(bpf_get_stack(ctx, to, stacks.kernel, OWN_FRAMES), stacks.kernel);
	if (walks_stacks())
		teach_frames(to, count, FXT_BPF_LESSON_WAKING);
	return count;
}

/*
 * Write the stack of a thread that is switched in, after the record of the switch. Only programs
 * that read with plain loads can pass the thread to the kernel. @since: of stacks_switch_in()
 */
static __noinline int put_stack_in(struct place *at, struct task_struct *next, __u32 tid,
				   __u32 tgid, __u64 since)
{
	__u64 *rec = ring_reserve(at, FXT_RING_EVENTS), *frames, kernel = 0, user = 0;
	__u32 copied = 0;

	if (!rec)
		return 0;
	frames = rec + FXT_SCHED_STACK_HEAD;
	if (stacks.kernel)
		kernel = add_frames_of(frames, next);
	if (stacks.user)
		user = add_kept_frames(frames + kernel, tid, since, &copied);
	ring_commit(at, fxt_sched_put_stack_copy(rec, at->time, tid, tgid, kernel + user, copied));
	return 0;
}

/*
 * --- the stacks of a thread whose sleep fired the trigger and goes on, and of a lock's holder ---
 *
 * Only a program of an iterator gets such a thread from the kernel, with interrupts on. So it
 * leaves the stack to the next switch on its CPU, whether the filter keeps that or not: at the
 * latest that of the collector. If the recording or the sleep is over by then, the stack is
 * dropped, which user space counts.
 */

enum sleeper { SLEEPER, SLEEPING_HOLDER, SLEEPERS };

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SLEEPERS);
	__type(key, __u32);
	__type(value, struct sleeper_stack {
		__u64 since;		/* ticks of the switch-out; 0: there is no stack */
		__u64 tid;
		__u64 tgid;
		__u64 kernel;		/* number of @frames */
		__u64 user;		/* number of @program */
		__u64 copied;		/* words of @copy */
		__u64 frames[FXT_SCHED_STACK_FRAMES];
		__u64 program[FXT_SCHED_STACK_FRAMES];
		__u64 copy[FXT_SCHED_COPY_WORDS];
	});
} sleeper_stacks SEC(".maps");

/*
 * For each sleeper 1 + the CPU whose next switch writes the stack; 0: none. User space clears both
 * between rounds.
 */
__u32 sleeper_cpu[SLEEPERS];

/* This round's stacks of sleeps that are recorded, or counted as lost or as dropped. */
__u32 sleepers_counted[SLEEPERS];

static __always_inline void keep_sleeper_stack(struct task_struct *p, enum sleeper which)
{
	__u32 index = which, tid = p->pid;
	const __u64 *since = find_off_since(tid);
	struct sleeper_stack *s = bpf_map_lookup_elem(&sleeper_stacks, &index);
	const struct user_stack *kept = bpf_map_lookup_elem(&user_stacks, &tid);

	if (!s)
		return;
	s->since = trigger_sleeps_since(tid);
	s->tid = tid;
	s->tgid = p->tgid;
	s->kernel = 0;
	s->user = 0;
	s->copied = 0;
	if (stacks.kernel)
		s->kernel = frames_in(bpf_get_task_stack(p, s->frames, stacks.kernel, 0),
				      stacks.kernel);
	if (stacks.user && since && kept && kept->since == *since) {
		s->user = add_words(s->program, kept->frames, kept->count,
				    stacks.user / FXT_WORD);
		s->copied = add_words(s->copy, kept->copy, kept->copied, FXT_SCHED_COPY_WORDS);
	}
	barrier();
	/* If it has slept since before the hit, it is the same sleep. */
	if (!s->since || s->since > hit.time || trigger_sleeps_since(tid) != s->since)
		return;
	*(volatile __u32 *)&sleeper_cpu[which] = bpf_get_smp_processor_id() + 1;
}

/* Is there such a stack for this switch? True for one switch only. */
static __always_inline bool takes_sleeper_stack(enum sleeper which)
{
	if (*(volatile __u32 *)&sleeper_cpu[which] != bpf_get_smp_processor_id() + 1)
		return false;
	*(volatile __u32 *)&sleeper_cpu[which] = 0;
	return true;
}

/* If the thread still sleeps: then the time of the record is within the sleep. */
static __noinline int put_sleeper_stack(struct place *at, __u32 which)
{
	const struct sleeper_stack *s = bpf_map_lookup_elem(&sleeper_stacks, &which);
	__u64 *rec, *frames, kernel = 0, user = 0;
	__u32 copied = 0;

	if (!s || trigger_sleeps_since(s->tid) != s->since)
		return 0;
	*(volatile __u32 *)&sleepers_counted[which & 1] = 1;
	rec = ring_reserve(at, FXT_RING_EVENTS);
	if (!rec)
		return 0;
	frames = rec + FXT_SCHED_STACK_HEAD;
	if (stacks.kernel)
		kernel = add_words(frames, s->frames, s->kernel, stacks.kernel / FXT_WORD);
	if (stacks.user)
		user = add_words(frames + kernel, s->program, s->user, stacks.user / FXT_WORD);
	if (user && s->copied)
		copied = add_words(frames + kernel + user, s->copy, s->copied,
				   FXT_SCHED_COPY_WORDS);
	ring_commit(at, fxt_sched_put_asleep(rec, at->time, s->tid, s->tgid, kernel + user,
					     copied));
	return 0;
}

/* Only the CPU that the thread ran on last is known. */
static __always_inline bool keeps_waking(struct task_struct *p, const struct thread *thread,
					 __u32 waker, __u32 cpu)
{
	if (!filter.on)
		return true;
	if (!filter_has_cpu(cpu) && !filter_has_cpu(bpf_get_smp_processor_id()))
		return false;
	return !filter.threads || waker & WAKER_MATCHES ||
	       filter_has_thread(p, thread, DIRECT);
}

/*
 * Context: interrupts are off, because the woken thread is not current. @ring is an argument,
 * because user space puts the address of the rings into programs only, not into functions. @woken:
 * thread id, with the process id above it. @is_thread: the current thread is the waker, not an
 * interrupt, which has nothing to do with the current thread.
 */
static __noinline int put_waker_stack_at(void *ctx, struct fxt_ring *ring, __u32 cpu, __u64 woken,
					 bool is_thread)
{
	struct place at = { .ring = ring, .cpu = cpu };
	__u64 *rec, *frames, kernel = 0, user = 0;
	struct program_stack *taken;
	__u32 copied = 0;

	if (!is_recording() || ring_begin(&at, extras))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (!rec)
		return 0;
	frames = rec + FXT_SCHED_STACK_HEAD;
	if (stacks.kernel)
		kernel = add_own_frames(frames, ctx);
	taken = stacks.user && is_thread ? capture_program(ctx, frames + kernel, NULL) : NULL;
	if (taken) {
		user = frames_in(taken->found * FXT_WORD, stacks.user);
		copied = add_words(frames + kernel + user, taken->copy, taken->copied,
				   FXT_SCHED_COPY_WORDS);
	}
	ring_commit(&at, fxt_sched_put_stack_copy(rec, at.time, woken,
						  user ? bpf_get_current_pid_tgid() >> 32 :
							 woken >> 32, kernel + user, copied));
	return 0;
}

static __always_inline void put_waker_stack(void *ctx, __u32 tid, __u32 tgid, bool is_thread)
{
	struct place at;

	ring_find(&at);
	put_waker_stack_at(ctx, at.ring, at.cpu, (__u64)tgid << 32 | tid, is_thread);
}

#endif /* BPF_STACKS_BPF_H */
