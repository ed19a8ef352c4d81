// SPDX-License-Identifier: GPL-2.0
/*
 * user_stack.c - the call stack of the current thread's program, by its frame pointers.
 *
 * In:  the registers with which the thread entered the kernel, and its stack in user space.
 * Out: addresses, innermost first: where the program is, and to where each of its functions
 * returns; a copy of registers and a piece of the stack, in which the collector finds functions
 * without frame pointers (fxt_sched_stack.h).
 *
 * A function with a frame pointer stores the one of its caller, and its return address beside
 * it. Programs without frame pointers use the register for something else. So nothing found
 * there is trusted: each frame must be aligned and further up the stack than the one before,
 * and its return address must be in user space. That also ends every loop.
 *
 * Pages that are not in memory end the stack, because nothing here may sleep.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include <fxt/fxt_sched_stack.h>

#include "user_stack.h"

/**
 * struct fxt_frame - what a frame pointer points to, on x86 and arm64
 * @caller: frame pointer of the caller
 * @ret: return address
 */
struct fxt_frame {
	u64 caller;
	u64 ret;
};

#if defined(CONFIG_X86_64)

static u64 fxt_frame_pointer(const struct pt_regs *regs)
{
	return regs->bp;
}

static u64 fxt_frame_link(const struct pt_regs *regs)
{
	return 0;
}

/* Bytes of an address in the program. */
static unsigned int fxt_frame_word(struct pt_regs *regs)
{
	return user_64bit_mode(regs) ? sizeof(u64) : sizeof(u32);
}

static u64 fxt_frame_plain(u64 address)
{
	return address;
}

#elif defined(CONFIG_ARM64)

static u64 fxt_frame_pointer(const struct pt_regs *regs)
{
	return regs->regs[29];
}

static u64 fxt_frame_link(const struct pt_regs *regs)
{
	return regs->regs[30];
}

/* 0: the frames of 32-bit programs depend on their compiler. */
static unsigned int fxt_frame_word(struct pt_regs *regs)
{
	return compat_user_mode(regs) ? 0 : sizeof(u64);
}

/* Without a pointer authentication code in the upper bits. */
static u64 fxt_frame_plain(u64 address)
{
	return address & (TASK_SIZE_64 - 1);
}

#else

static u64 fxt_frame_pointer(const struct pt_regs *regs)
{
	return 0;
}

static u64 fxt_frame_link(const struct pt_regs *regs)
{
	return 0;
}

static unsigned int fxt_frame_word(struct pt_regs *regs)
{
	return 0;
}

static u64 fxt_frame_plain(u64 address)
{
	return address;
}

#endif

/* Context: page faults are disabled. */
static bool fxt_frame_read(struct fxt_frame *frame, u64 at, unsigned int word)
{
	const void __user *from = u64_to_user_ptr(at);
	u32 narrow[2];

	if (word == sizeof(u64))
		return !copy_from_user_nofault(frame, from, sizeof(*frame));
	if (copy_from_user_nofault(narrow, from, sizeof(narrow)))
		return false;
	frame->caller = narrow[0];
	frame->ret = narrow[1];
	return true;
}

/*
 * Return: words of the copy; 0 if the stack cannot be read. Context: page faults are disabled.
 */
static unsigned int fxt_frame_copy(u64 *to, struct pt_regs *regs)
{
	u32 bytes;

	to[FXT_SCHED_COPY_SP] = user_stack_pointer(regs);
	to[FXT_SCHED_COPY_FP] = fxt_frame_pointer(regs);
	to[FXT_SCHED_COPY_LINK] = fxt_frame_link(regs);
	bytes = fxt_sched_copy_bytes(to[FXT_SCHED_COPY_SP], to[FXT_SCHED_COPY_FP]);
	if (copy_from_user_nofault(to + FXT_SCHED_COPY_HEAD,
				   u64_to_user_ptr(to[FXT_SCHED_COPY_SP]), bytes))
		return 0;
	return FXT_SCHED_COPY_HEAD + bytes / FXT_WORD;
}

static bool fxt_is_in_program(u64 address)
{
	return address && address < TASK_SIZE;
}

/**
 * fxt_user_stack() - find where the current thread's program is, and what called that
 * @frames: set to addresses, innermost first, and the copy behind them; room for @most +
 *	FXT_SCHED_COPY_WORDS
 * @most: number of addresses, more than 0
 * @copied: set to words of the copy; 0 if there is none, as of 32-bit programs
 *
 * Context: any but NMIs; the current thread's memory is in use, as it is until the thread has
 * been switched out.
 *
 * Return: number of addresses; 0 for a thread of the kernel.
 */
unsigned int fxt_user_stack(u64 *frames, unsigned int most, unsigned int *copied)
{
	struct pt_regs *regs = task_pt_regs(current);
	struct fxt_frame frame;
	unsigned int count = 0, word;
	u64 at, lowest;

	*copied = 0;
	if (current->flags & PF_KTHREAD || !current->mm || !user_mode(regs) ||
	    !fxt_is_in_program(instruction_pointer(regs)))
		return 0;
	frames[count++] = instruction_pointer(regs);
	word = fxt_frame_word(regs);
	at = fxt_frame_pointer(regs);
	lowest = user_stack_pointer(regs);
	/* In 5.10 copy_from_user_nofault() checks its context before it does this. */
	pagefault_disable();
	while (word && count < most && at >= lowest && IS_ALIGNED(at, word) &&
	       fxt_frame_read(&frame, at, word)) {
		frame.ret = fxt_frame_plain(frame.ret);
		if (!fxt_is_in_program(frame.ret))
			break;
		frames[count++] = frame.ret;
		lowest = at + 2 * word;
		at = frame.caller;
	}
	if (word == sizeof(u64))
		*copied = fxt_frame_copy(frames + count, regs);
	pagefault_enable();
	return count;
}
