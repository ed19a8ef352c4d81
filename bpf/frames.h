/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * frames.h - what the BPF programs and source_bpf share to walk stacks of the kernel.
 *
 * The kernel's unwinder on x86 takes 200 ns or more per frame. But nearly every function's frame
 * has a constant size at each call in it. source_bpf learns these sizes from stacks that the kernel
 * has unwound (lessons). Then the programs walk stacks by themselves.
 */
#ifndef BPF_FRAMES_H
#define BPF_FRAMES_H

#include <linux/types.h>

#include "fxt/fxt_sched_stack.h"

#define FXT_BPF_FRAMES_BITS	12
#define FXT_BPF_FRAMES_WAYS	2	/* elements that may have the same return address */
#define FXT_BPF_FRAMES		(FXT_BPF_FRAMES_WAYS << FXT_BPF_FRAMES_BITS)
#define FXT_BPF_STACK_WORDS	256	/* larger stacks are always unwound */
#define FXT_BPF_LESSONS		4	/* of a CPU, unread, at most; a power of two */

/* Special values instead of a size. */
#define FXT_BPF_FRAME_UNKNOWN	0U
#define FXT_BPF_FRAME_AT_END	0xffeU	/* the next return address is the stack's last word */
#define FXT_BPF_FRAME_LAST	0xfffU	/* there is no next return address */
#define FXT_BPF_FRAME_SIZE	0xfffU	/* mask of the above */

/*
 * The kernel omits functions of the scheduler when it unwinds a thread that is off the CPU. Without
 * either bit, it is unknown whether this is one.
 */
#define FXT_BPF_FRAME_SHOWN	0x1000U
#define FXT_BPF_FRAME_HIDDEN	0x2000U

/* Index of the innermost return address in the stack of a thread that is off the CPU. */
#define FXT_BPF_ASLEEP_AT	6

enum fxt_bpf_lesson_kind {
	FXT_BPF_LESSON_WAKING,	/* the running code, from a program on sched_waking */
	/* the running code, from a program on sched_switch; with all functions of the scheduler */
	FXT_BPF_LESSON_SWITCH,
	FXT_BPF_LESSON_ASLEEP,	/* a thread that is off the CPU */
};

struct fxt_bpf_lesson {
	__u32 kind;			/* enum fxt_bpf_lesson_kind */
	__u32 frame_count;
	__u32 word_count;
	__u32 pad;
	/*
	 * return addresses, innermost first. In running code, the first is where the program was
	 * called, and is not in @words
	 */
	__u64 frames[FXT_SCHED_STACK_FRAMES];
	__u64 words[FXT_BPF_STACK_WORDS];	/* the stack, innermost first */
};

struct fxt_bpf_lessons {
	__u32 given;			/* lessons that the programs have written */
	__u32 read;			/* lessons that user space has read */
	struct fxt_bpf_lesson all[FXT_BPF_LESSONS];
};

/*
 * An element of the table: one word, so that it is read and written at once. @what:
 * FXT_BPF_FRAME_*, the size in words
 */
static inline __u64 fxt_bpf_frame(__u64 address, __u32 what)
{
	return address << 32 | what;
}

/* Kernel addresses differ in the low half. */
static inline int fxt_bpf_frame_is(__u64 frame, __u64 address)
{
	return frame >> 32 == (__u32)address;
}

/* The first of the elements that may have @address. */
static inline __u32 fxt_bpf_frame_index(__u64 address)
{
	return (((__u32)address * 0x9e3779b1U) >> (32 - FXT_BPF_FRAMES_BITS)) *
	       FXT_BPF_FRAMES_WAYS;
}

#endif /* BPF_FRAMES_H */
