/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_sched_stack.h - call stacks of threads: where they blocked, and what woke them.
 *
 * In:  addresses, innermost first. Out: a finished backtrace record (type 10, sub-type 2) in
 * the stream of the CPU, counted by its ledger.
 *
 * A stack belongs to the switch or wakeup that has its thread:
 *
 *  - The record of a stack of a thread that slept, or was preempted, has the time and the
 *    thread of the switch that switches that thread in, and follows it in the stream.
 *  - Any other one is the waker's stack. Its thread is the woken one, which sleeps at that
 *    time, because a waker wakes many. Its time is that of sched_waking, before the wakeup
 *    record, which another CPU may write. So the stack belongs to the next wakeup of its
 *    thread.
 *
 * The frames of the kernel come first, then those of the program, in user space. Those of the
 * program are of the process that the record has: in the stack of a waker which is a thread,
 * that is the process of the waker, while the thread is the woken one. A record without frames
 * says that the kernel could not unwind the stack.
 *
 * Programs are unwound by their frame pointers. A function without a frame of its own, as most
 * are in libc, hides its caller. So a producer may add a copy behind the frames of a record,
 * which fxt_get(FXT_BACKTRACE_FRAMES) does not count: FXT_SCHED_COPY_HEAD words with registers of
 * the program, in the order of enum fxt_sched_copy, then its stack from the stack pointer on,
 * fxt_sched_copy_bytes() of it. The collector finds the missing frames with it, and removes the
 * copy, because the stack of a program may hold anything: no archive has one.
 *
 * The collector ends the archive with what the addresses mean:
 *
 *  - Thread records of the index FXT_SCHED_THREAD_MAPPED: the process, and thread 0, of the
 *    modules and mappings that follow.
 *  - "Module" and "Mmap" records of the process 0, the kernel: of the kernel itself, whose
 *    name is FXT_SCHED_KERNEL_MODULE, and of each of its modules that occurs, "[name]".
 *    Their build ids are those of the kernel's notes.
 *  - "Module" and "Mmap" records of other processes: of each executable mapping that a frame
 *    is in. The time of the latter is when it was mapped, 0 if that was before the recording;
 *    a later one of the same addresses replaces it. The name is a path, or as in "[vdso]" or
 *    "//anon". The vaddr is FXT_SCHED_NO_VADDR if the file could not be read.
 *  - BLOB records FXT_STR_SYMBOLS of type data. Their payload is text in lines
 *
 *	k START END NAME
 *	k START END NAME [MODULE]
 *	u PROCESS START END NAME [FILE]
 *
 *    The function NAME of the kernel, of a module of it, or of a file that the PROCESS (its
 *    koid, decimal) has mapped, is from START on and before END, in hexadecimal digits. Those
 *    of a process have the addresses of that process. A function is left out if the process
 *    had something else there at another time, and that occurs. Readers ignore lines of
 *    another form. A frame is the address to which a function returns, so it may be END of
 *    the function that called another one last: look up the address before it,
 *    fxt_sched_frame_address().
 *
 *  - BLOB records FXT_STR_SAMPLES of Perfetto's type: the stacks of threads that were off the
 *    CPU once more, as packets StackSample, because Perfetto reads no backtraces.
 */
#ifndef FXT_FXT_SCHED_STACK_H
#define FXT_FXT_SCHED_STACK_H

#include "fxt_profiler.h"

#define FXT_SCHED_STACK_HEAD	4	/* header, ticks, process and thread koid */
#define FXT_SCHED_STACK_FRAMES	64	/* the most of the kernel, and of a program */
#define FXT_SCHED_STACK_WORDS	(FXT_SCHED_STACK_HEAD + 2 * FXT_SCHED_STACK_FRAMES)

/* Of a program, in the copy behind the frames. */
enum fxt_sched_copy {
	FXT_SCHED_COPY_SP,		/* the stack pointer */
	FXT_SCHED_COPY_FP,		/* the register of the frame pointer: rbp, x29 */
	FXT_SCHED_COPY_LINK,		/* where the function returns to: x30; 0 on x86 */
	FXT_SCHED_COPY_HEAD
};

#define FXT_SCHED_COPY_STACK	64	/* words of the stack, at most */
#define FXT_SCHED_COPY_WORDS	(FXT_SCHED_COPY_HEAD + FXT_SCHED_COPY_STACK)

#define FXT_SCHED_KERNEL_MODULE	"[kernel.kallsyms]"

#define FXT_SCHED_THREAD_MAPPED	255	/* thread index: the process of modules and mappings */

#define FXT_SCHED_NO_VADDR	(~0ULL)

/** fxt_sched_is_kernel() - is a frame in the kernel? So it is on x86-64 and arm64. */
static __always_inline int fxt_sched_is_kernel(__u64 frame)
{
	return frame >> 63;
}

/** fxt_sched_frame_address() - an address inside the function that a frame is of */
static __always_inline __u64 fxt_sched_frame_address(__u64 frame)
{
	return frame - !!frame;
}

/**
 * fxt_sched_copy_bytes() - how much of the stack of a program to copy
 * @sp: the stack pointer
 * @fp: the register of the frame pointer
 *
 * Up to the innermost frame that has a frame pointer, because the kernel finds the others. If
 * that is far away, or the register holds something else, as much as is allowed.
 *
 * Return: bytes, a multiple of FXT_WORD.
 */
static __always_inline __u32 fxt_sched_copy_bytes(__u64 sp, __u64 fp)
{
	__u64 bytes = fp - sp;

	if (bytes % FXT_WORD || bytes > FXT_SCHED_COPY_STACK * FXT_WORD)
		bytes = FXT_SCHED_COPY_STACK * FXT_WORD;
	return bytes;
}

/**
 * fxt_sched_put_stack_copy() - the same as fxt_sched_put_stack(), with a copy
 * @copy: words of the copy, which is in place behind the frames; 0 for none
 */
static __always_inline __u32 fxt_sched_put_stack_copy(__u64 *rec, __u64 time, __u32 tid,
						      __u32 tgid, __u32 frames, __u32 copy)
{
	__u32 words = FXT_SCHED_STACK_HEAD + frames + copy;

	rec[0] = fxt_profiler_backtrace(words, FXT_THREAD_REF_INLINE, frames);
	rec[1] = time;
	rec[2] = tgid;
	rec[3] = tid;
	return words;
}

/**
 * fxt_sched_put_stack() - write a backtrace around frames that are in place already
 * @rec: room for FXT_SCHED_STACK_WORDS; the frames are at FXT_SCHED_STACK_HEAD
 * @time: ticks, see above
 * @tid: thread id
 * @tgid: its thread group id
 * @frames: how many there are
 *
 * "Backtrace Record (profiler record subtype = 2)", with an inline thread.
 *
 * Return: words written.
 */
static __always_inline __u32 fxt_sched_put_stack(__u64 *rec, __u64 time, __u32 tid, __u32 tgid,
						 __u32 frames)
{
	return fxt_sched_put_stack_copy(rec, time, tid, tgid, frames, 0);
}

#endif /* FXT_FXT_SCHED_STACK_H */
