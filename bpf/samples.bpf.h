/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * samples.bpf.h - call stacks of what threads run, at regular times.
 *
 * In:  a perf event for each CPU that the filter keeps, whose timer interrupts the CPU.
 * Out: samples (fxt_sched_stack.h) in the ring of the CPU; none while it is idle.
 *
 * Context: hard interrupts. If the program has interrupted others that write with interrupts on,
 * the sample waits in the queue of the CPU (ring.h).
 */
#ifndef BPF_SAMPLES_BPF_H
#define BPF_SAMPLES_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "context.bpf.h"
#include "events.bpf.h"
#include "frames.bpf.h"
#include "fxt/fxt_sched_stack.h"
#include "kernel_types.h"
#include "program.bpf.h"
#include "ring.bpf.h"

#define IN_PROGRAM	(-1)	/* a program was interrupted */
#define IN_UNKNOWN	(-2)	/* an error of the kernel hides what was interrupted */

/*
 * One frame shows whether the kernel was interrupted, even if its frames are not recorded. Return:
 * number of frames, or one of the above.
 */
static __always_inline int add_interrupted_frames(void *ctx, __u64 *frames)
{
	__u32 bytes = stacks.kernel ? stacks.kernel : FXT_WORD;
	long got = bpf_get_stack(ctx, frames, bytes, 0);
	__u64 count = frames_in(got, bytes);

	if (!got)
		return IN_PROGRAM;
	if (!count)
		return IN_UNKNOWN;
	frames[0]++;
	return stacks.kernel ? count : 0;
}

/* @copied: words of the copy after the frames. Return: number of frames. */
static __always_inline __u32 add_program_frames(void *ctx, __u64 *frames, __u32 *copied)
{
	struct program_stack *taken = capture_program(ctx, frames, NULL);
	__u32 count;

	if (!taken)
		return 0;
	count = frames_in(taken->found * FXT_WORD, stacks.user);
	*copied = add_words(frames + count, taken->copy, taken->copied, FXT_SCHED_COPY_WORDS);
	return count;
}

static __always_inline bool is_of_program(void)
{
	struct task_struct *thread = (void *)bpf_get_current_task();

	return !(BPF_CORE_READ(thread, flags) & PF_KTHREAD);
}

/* @ring is an argument for the same reason as in put_waker_stack_at(). */
static __noinline int put_sample_at(void *ctx, struct fxt_ring *ring, __u32 cpu)
{
	struct place at = { .ring = ring, .cpu = cpu };
	__u64 id = bpf_get_current_pid_tgid(), *rec, *frames, user = 0;
	__u32 copied = 0;
	int kernel;

	if (!is_recording() || !(__u32)id || !keeps_interrupt(&at) || ring_begin(&at, extras))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (!rec)
		return 0;
	frames = rec + FXT_SCHED_STACK_HEAD;
	kernel = add_interrupted_frames(ctx, frames);
	if (kernel < 0) {
		if (stacks.user && kernel == IN_PROGRAM)
			user = add_program_frames(ctx, frames, &copied);
		if (user)
			frames[0]++;
		kernel = 0;
	} else if (stacks.user && is_of_program()) {
		user = add_program_frames(ctx, frames + kernel, &copied);
	}
	ring_commit(&at, fxt_sched_put_sample(rec, at.time, id, id >> 32, kernel + user, copied,
					      stacks.period));
	return 0;
}

#endif /* BPF_SAMPLES_BPF_H */
