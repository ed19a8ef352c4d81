/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.bpf.h - the stack of the current thread's program.
 *
 * In:  the registers and the stack of the program.
 * Out: return addresses, and a copy of the registers and of a piece of the stack, in which the
 *      collector finds functions without frame pointers (fxt_sched_stack.h).
 *
 * The kernel's helper takes half a microsecond even for a program without frame pointers. BPF
 * programs that get the registers from the kernel follow the frame pointers themselves.
 *
 * Context: interrupts are off.
 */
#ifndef BPF_PROGRAM_BPF_H
#define BPF_PROGRAM_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "frames.bpf.h"
#include "fxt/fxt_sched_stack.h"
#include "kernel_types.h"
#include "map.bpf.h"
#include "threads.bpf.h"

/*
 * --- registers and a piece of the stack ---
 *
 * A program's registers are at the end of its thread's kernel stack. Since Linux 5.15 a helper
 * returns their address. Before, the size of that stack is unknown, so try the possible sizes until
 * the registers have the program's address in the innermost frame.
 */

#define KERNEL_STACK_LEAST	(16 << 10)	/* bytes; twice as many with KASAN */
#define KERNEL_STACK_MOST	(64 << 10)

static __always_inline __u64 read_address(const struct pt_regs *regs)
{
	if (bpf_core_field_exists(regs->ip))
		return BPF_CORE_READ(regs, ip);
	return BPF_CORE_READ(regs, pc);
}

static __always_inline const struct pt_regs *search_registers(__u64 address)
{
	struct task_struct *thread = (void *)bpf_get_current_task();
	__u64 stack = (__u64)BPF_CORE_READ(thread, stack);
	const struct pt_regs *regs;
	__u64 bytes;

	for (bytes = KERNEL_STACK_LEAST; bytes <= KERNEL_STACK_MOST; bytes *= 2) {
		regs = (void *)(stack + bytes - bpf_core_type_size(struct pt_regs));
		if (read_address(regs) == address)
			return regs;
	}
	return NULL;
}

static __always_inline void read_registers(__u64 *to, const struct pt_regs *regs,
					   const bool direct)
{
	to[FXT_SCHED_COPY_SP] = READ(direct, regs, sp);
	if (bpf_core_field_exists(regs->bp)) {
		to[FXT_SCHED_COPY_FP] = READ(direct, regs, bp);
		to[FXT_SCHED_COPY_LINK] = 0;
	} else {
		to[FXT_SCHED_COPY_FP] = READ(direct, regs, regs[29]);
		to[FXT_SCHED_COPY_LINK] = READ(direct, regs, regs[30]);
	}
}

/*
 * Copy the registers, and the stack in which the missing frames can be found. @to: room for
 * FXT_SCHED_COPY_WORDS. @direct: @regs can be read with plain loads; a compile-time constant.
 * Return: words; 0 if the stack cannot be read.
 */
static __always_inline __u32 copy_program(__u64 *to, const struct pt_regs *regs, const bool direct)
{
	__u32 bytes;

	read_registers(to, regs, direct);
	bytes = fxt_sched_copy_bytes(to[FXT_SCHED_COPY_SP], to[FXT_SCHED_COPY_FP]);
	barrier_var(bytes);
	if (bytes > FXT_SCHED_COPY_STACK * FXT_WORD ||
	    bpf_probe_read_user(to + FXT_SCHED_COPY_HEAD, bytes, (void *)to[FXT_SCHED_COPY_SP]))
		return 0;
	return FXT_SCHED_COPY_HEAD + bytes / FXT_WORD;
}

/* Context: the kernel has the helper. */
static __always_inline const struct pt_regs *find_registers(void)
{
	return (void *)bpf_task_pt_regs((void *)bpf_get_current_task_btf());
}

/*
 * copy_program() for kernels with and without the helper bpf_task_pt_regs(). @address: of the
 * innermost frame
 */
static __always_inline __u32 copy_program_at(__u64 *to, __u64 address, bool has_helper)
{
	const struct pt_regs *regs;

	if (has_helper)
		return copy_program(to, find_registers(), true);
	regs = search_registers(address);
	return regs ? copy_program(to, regs, false) : 0;
}

/* --- frames ------------------------------------------------------------------------- */

#define PROGRAM_BITS	56	/* of an address of a program, at most, on x86-64 and arm64 */
#define USER32_CS	0x23	/* cs of 32-bit x86 programs, whose frames differ */

/* The stack that is walked. In memory for the same reason as struct stack_copy. */
struct program_stack {
	__u64 fp;			/* frame pointer of the next frame */
	__u64 least;			/* smallest valid @fp */
	__u64 found;			/* number of @frames */
	__u64 copied;			/* words of @copy */
	__u64 copy[FXT_SCHED_COPY_WORDS];	/* of registers and stack */
	__u64 frames[FXT_SCHED_STACK_FRAMES];	/* return addresses that the walk has found */
};

CPU_ARRAY(program_stacks, 1, struct program_stack);

static __always_inline bool is_program_address(__u64 address)
{
	return address && !(address >> PROGRAM_BITS);
}

/* @most: an upper bound for the verifier */
static __always_inline __u64 frames_in(long bytes, __u32 most)
{
	__u64 frames = bytes > 0 ? (__u64)bytes / FXT_WORD : 0;

	barrier_var(frames);
	return frames > most / FXT_WORD ? most / FXT_WORD : frames;
}

/*
 * If a program uses the frame pointer's register otherwise, the kernel may find anything. Omit the
 * frames from the first one on that cannot be in a program. Global, see step_sleeper().
 */
__noinline int drop_wrong_frames(void)
{
	__u32 zero = 0, i;
	struct program_stack *s = bpf_map_lookup_elem(&program_stacks, &zero);

	if (!s)
		return 0;
	for (i = 0; i < FXT_SCHED_STACK_FRAMES && i < stacks.user / FXT_WORD && i < s->found; i++)
		if (!is_program_address(s->frames[i]))
			break;
	s->found = i;
	return 0;
}

/*
 * Can the frame pointer be valid? A frame consists of the frame pointer of its caller and the
 * return address, and callers' frames are at higher addresses. Trying to read from an invalid
 * address would take longer than all the rest.
 */
static __always_inline bool may_be_frame(const struct program_stack *s)
{
	return s->fp >= s->least;
}

/* Take one frame. Return: is there another one? Global, see step_sleeper(). */
__noinline int walk_frame(void)
{
	__u64 frame[2] = { 0 }, found;
	__u32 zero = 0;
	struct program_stack *s = bpf_map_lookup_elem(&program_stacks, &zero);

	if (!s)
		return false;
	found = s->found;
	barrier_var(found);
	if (found >= FXT_SCHED_STACK_FRAMES || found >= stacks.user / FXT_WORD ||
	    !may_be_frame(s) || bpf_probe_read_user(frame, sizeof(frame), (void *)s->fp) ||
	    !is_program_address(frame[1]))
		return false;
	s->frames[found] = frame[1];
	s->found = found + 1;
	s->least = s->fp + sizeof(frame);
	s->fp = frame[0];
	return true;
}

__noinline int walk_frames(void)
{
	__u32 i;

	for (i = 1; i < stacks.user / FXT_WORD; i++)
		if (!walk_frame())
			break;
	return 0;
}

/* Does the kernel give access to the registers, and does the program have frames of this kind? */
static __always_inline bool walks_program(const struct pt_regs *regs)
{
	return bpf_core_field_exists(regs->cs) && regs->cs != USER32_CS;
}

/* Find the frames with frame pointers. Return: false if that is impossible. */
static __always_inline bool walk_program(struct program_stack *s, __u64 *to, __u64 *copy)
{
	const struct pt_regs *regs = find_registers();

	if (!walks_program(regs))
		return false;
	s->copied = copy_program(copy, regs, true);
	if (!s->copied || !is_program_address(regs->ip))
		return false;
	to[0] = regs->ip;
	s->found = 1;
	s->fp = copy[FXT_SCHED_COPY_FP];
	s->least = copy[FXT_SCHED_COPY_SP];
	if (!may_be_frame(s))
		return true;
	s->frames[0] = regs->ip;
	walk_frames();
	s->found = add_words(to, s->frames, s->found, stacks.user / FXT_WORD);
	return true;
}

/*
 * Find the return addresses, and copy registers and stack. @to: room for stacks.user bytes. @copy:
 * room for FXT_SCHED_COPY_WORDS; NULL: copy to program_stack.copy.
 *
 * Return: numbers of addresses found and of words copied; NULL if there are none.
 */
static __always_inline struct program_stack *capture_program(void *ctx, __u64 *to, __u64 *copy)
{
	__u32 zero = 0;
	struct program_stack *s = bpf_map_lookup_elem(&program_stacks, &zero);

	if (!s)
		return NULL;
	if (!copy)
		copy = s->copy;
	if (stacks.has_registers && walk_program(s, to, copy))
		return s;
	s->found = frames_in(bpf_get_stack(ctx, s->frames, stacks.user, BPF_F_USER_STACK),
			     stacks.user);
	drop_wrong_frames();
	if (!s->found)
		return NULL;
	s->copied = copy_program_at(copy, s->frames[0], stacks.has_registers);
	s->found = add_words(to, s->frames, s->found, stacks.user / FXT_WORD);
	return s;
}

#endif /* BPF_PROGRAM_BPF_H */
