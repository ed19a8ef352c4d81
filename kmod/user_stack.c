// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_stack.c - programs' stacks by their frame pointers, and the table that saves them.
 *
 * In:  the registers with which the current thread entered the kernel, and its stack in user space.
 * Out: addresses, innermost first: where the program is, and to where each of its functions
 *      returns; a copy of registers and a piece of the stack, in which the collector searches for
 *      functions without frame pointers (fxt_sched_stack.h).
 *
 * A function with a frame pointer stores that of its caller, with its return address beside it.
 * Programs without frame pointers use the register otherwise, so nothing found there is trusted:
 * each frame must be aligned and further up the stack than the one before, and its return address
 * must be in user space. That also ends every loop.
 *
 * Pages that are not in memory end the stack, because nothing here may sleep.
 *
 * Memory cannot be allocated where threads are switched. So each session has a hash table of fixed
 * size, in which a thread keeps its place until it exits. The next thread ids have the next places,
 * so threads with neighbouring ids do not compete.
 *
 * - The CPU that stores a tid, by cmpxchg(), owns the place. Only the CPU that switches out the
 *   thread with this tid does so, and only the thread itself returns it.
 * - The other fields are stored at the thread's switch-out, and loaded at its switch-in. The
 *   scheduler orders these, as it does for struct fxt_task.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <fxt/fxt_sched_stack.h>

#include "config.h"
#include "user_stack.h"
#include "util.h"

/* --- the stack of the current thread --- */

struct fxt_frame {	/* what a frame pointer points to, on x86 and arm64 */
	u64 caller;	/* the caller's frame pointer */
	u64 ret;	/* return address */
};

/*
 * In the registers of a program: the frame pointer; the return address of the innermost function if
 * a register has it; bytes of an address. PLAIN: an address without its authentication code.
 */
#if defined(CONFIG_X86_64)
#define FXT_FRAME_POINTER(regs)		((regs)->bp)
#define FXT_FRAME_LINK(regs)		0
#define FXT_FRAME_WORD(regs)		(user_64bit_mode(regs) ? sizeof(u64) : sizeof(u32))
#define FXT_FRAME_PLAIN(address)	(address)
#elif defined(CONFIG_ARM64)
#define FXT_FRAME_POINTER(regs)		((regs)->regs[29])
#define FXT_FRAME_LINK(regs)		((regs)->regs[30])
/* 0: the frames of 32-bit programs depend on their compiler. */
#define FXT_FRAME_WORD(regs)		(compat_user_mode(regs) ? 0 : sizeof(u64))
#define FXT_FRAME_PLAIN(address)	((address) & (TASK_SIZE_64 - 1))
#else
#define FXT_FRAME_POINTER(regs)		0
#define FXT_FRAME_LINK(regs)		0
#define FXT_FRAME_WORD(regs)		0
#define FXT_FRAME_PLAIN(address)	(address)
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

/* Return: words of the copy; 0 if the stack cannot be read. Context: page faults are disabled. */
static unsigned int fxt_frame_copy(u64 *to, struct pt_regs *regs)
{
	u32 bytes;

	to[FXT_SCHED_COPY_SP] = user_stack_pointer(regs);
	to[FXT_SCHED_COPY_FP] = FXT_FRAME_POINTER(regs);
	to[FXT_SCHED_COPY_LINK] = FXT_FRAME_LINK(regs);
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
 * fxt_user_stack() - unwind the program of the current thread
 * @frames: set to addresses, innermost first, and the copy behind them; room for @most +
 * FXT_SCHED_COPY_WORDS
 * @most: number of addresses, more than 0
 * @copied: set to words of the copy; 0 if there is none, as for 32-bit programs
 *
 * Context: any but NMIs; the current thread's memory is in use, as it is until the thread has been
 * switched out.
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
	word = FXT_FRAME_WORD(regs);
	at = FXT_FRAME_POINTER(regs);
	lowest = user_stack_pointer(regs);
	/* In 5.10 copy_from_user_nofault() checks its context before it does this. */
	pagefault_disable();
	while (word && count < most && at >= lowest && IS_ALIGNED(at, word) &&
	       fxt_frame_read(&frame, at, word)) {
		frame.ret = FXT_FRAME_PLAIN(frame.ret);
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

/* --- stacks of threads that are off the CPU --- */

#define FXT_SAVED_STACKS		BIT(15)
#define FXT_SAVED_STACKS_TRIED	8U	/* places for one thread */

struct fxt_saved_stack {
	u32 tid;	/* 0 if the place is free */
	u16 count;	/* frames */
	u16 copied;	/* words of the copy behind @frames */
	/* ticks of the switch-out, by which frames of an earlier one are recognized */
	u64 since;
	u64 frames[];	/* room for fxt_saved_stacks.depth, and the copy */
};

static size_t fxt_saved_stack_bytes(unsigned int depth)
{
	return sizeof(struct fxt_saved_stack) + (depth + FXT_SCHED_COPY_WORDS) * sizeof(u64);
}

/* Does nothing if the session needs no table. Context: may sleep. Return: 0, or -ENOMEM. */
int fxt_saved_stacks_init(struct fxt_saved_stacks *k, const struct fxt_config *config,
			  struct fxt_reason *reason)
{
	u64 bytes = (u64)FXT_SAVED_STACKS * fxt_saved_stack_bytes(config->stacks_depth);
	int ret;

	if (!(config->stacks & FXT_SCHED_STACKS_USER) || !(config->stacks & FXT_STACKS_OFF))
		return 0;
	ret = fxt_limits_charge_session(bytes, reason);
	if (ret)
		return ret;
	k->memory = bytes;
	k->depth = config->stacks_depth;
	k->places = kvzalloc(bytes, GFP_KERNEL);
	return k->places ? 0 : -ENOMEM;
}

/* fxt_saved_stacks_init() may have made no table, or failed. Context: may sleep; no probe runs. */
void fxt_saved_stacks_free(struct fxt_saved_stacks *k)
{
	kvfree(k->places);
	fxt_limits_uncharge(k->memory);
}

static struct fxt_saved_stack *fxt_saved_stack(const struct fxt_saved_stacks *k, u32 tid, u32 n)
{
	return k->places + (tid + n) % FXT_SAVED_STACKS * fxt_saved_stack_bytes(k->depth);
}

/* There may be no table. Context: may sleep; no probe runs. */
void fxt_saved_stacks_clear(struct fxt_saved_stacks *k)
{
	u32 n;

	for (n = 0; k->places && n < FXT_SAVED_STACKS; n++)
		fxt_saved_stack(k, 0, n)->tid = 0;
}

static struct fxt_saved_stack *fxt_saved_stacks_find(const struct fxt_saved_stacks *k, u32 tid)
{
	struct fxt_saved_stack *place;
	u32 n;

	for (n = 0; n < FXT_SAVED_STACKS_TRIED; n++) {
		place = fxt_saved_stack(k, tid, n);
		if (READ_ONCE(place->tid) == tid)
			return place;
	}
	return NULL;
}

static struct fxt_saved_stack *fxt_saved_stacks_claim(const struct fxt_saved_stacks *k, u32 tid)
{
	struct fxt_saved_stack *place;
	u32 n;

	for (n = 0; n < FXT_SAVED_STACKS_TRIED; n++) {
		place = fxt_saved_stack(k, tid, n);
		/* A full barrier, which pairs with the release in fxt_saved_stacks_forget(). */
		if (!READ_ONCE(place->tid) && !cmpxchg(&place->tid, 0, tid))
			return place;
	}
	return NULL;
}

/*
 * Keep the stack of the current thread's program. @since: ticks of the switch that switches it out
 * now. Context: the run queue lock is held.
 */
void fxt_saved_stacks_put(struct fxt_saved_stacks *k, u32 tid, u64 since)
{
	struct fxt_saved_stack *place = fxt_saved_stacks_find(k, tid);
	unsigned int copied;

	if (!place)
		place = fxt_saved_stacks_claim(k, tid);
	if (unlikely(!place)) {
		atomic64_inc(&k->dropped);
		return;
	}
	place->count = fxt_user_stack(place->frames, k->depth, &copied);
	place->copied = copied;
	place->since = since;
}

/**
 * fxt_saved_stacks_get() - get the stack of a thread's program
 * @k: the table
 * @tid: thread id
 * @since: ticks of the switch that switched it out
 * @to: set to the frames and the copy behind them; room for fxt_saved_stacks.depth +
 *	FXT_SCHED_COPY_WORDS
 * @copied: set to words of the copy
 *
 * Context: the run queue lock is held, and the thread is switched in; or the caller discards the
 * frames if the thread was woken meanwhile.
 *
 * Return: number of frames; 0 if none were kept then.
 */
unsigned int fxt_saved_stacks_get(const struct fxt_saved_stacks *k, u32 tid, u64 since, u64 *to,
				  unsigned int *copied)
{
	const struct fxt_saved_stack *place = fxt_saved_stacks_find(k, tid);

	unsigned int count;

	*copied = 0;
	if (!place || READ_ONCE(place->since) != since)
		return 0;
	count = READ_ONCE(place->count);
	*copied = READ_ONCE(place->copied);
	memcpy(to, place->frames, (count + *copied) * sizeof(*to));
	return count;
}

/*
 * Return the place of a thread id; there may be no table. The current thread has or had the id, and
 * will not be switched out with it. Context: process context.
 */
void fxt_saved_stacks_forget(struct fxt_saved_stacks *k, u32 tid)
{
	struct fxt_saved_stack *place = k->places ? fxt_saved_stacks_find(k, tid) : NULL;

	if (!place)
		return;
	/* After the last use of the other fields. Pairs with fxt_saved_stacks_claim(). */
	smp_store_release(&place->tid, 0);
}
