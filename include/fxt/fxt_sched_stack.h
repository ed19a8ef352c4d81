/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_stack.h - call stacks of threads: where they blocked, what woke them, what they ran.
 *
 * In:  addresses, innermost first.
 * Out: a finished backtrace record (type 10, sub-type 2) in the stream of the CPU, counted by
 * its ledger.
 *
 * A stack belongs to a switch or to a wakeup, or it is a sample:
 *
 *  - The stack of a thread that slept or was preempted is recorded when the thread is switched
 *    in. Its record has the time of that switch and the thread, and follows the switch in the
 *    stream.
 *  - Any other stack without flags is that of a waker. Its record has the woken thread, not the
 *    waker, because one waker may wake many threads; the woken thread sleeps at that time. The time
 *    is that of sched_waking, before the wakeup record, which another CPU may write. So the stack
 *    belongs to the next wakeup of the thread.
 *  - A sample shows what a thread ran when a timer interrupted its CPU. Its record has the time of
 *    the interrupt, the thread, and in FXT_BACKTRACE_FLAGS the period of the timer, which is what
 *    the sample weighs: fxt_sched_sample_ns(). Its innermost frame is the
 *    interrupted instruction, not a return address. The record has its address plus 1, so that
 *    fxt_sched_frame_address() is right for it, too. Idle CPUs have no samples.
 *  - The stack of a thread whose sleep fired a trigger, and goes on, has FXT_SCHED_ASLEEP in
 *    FXT_BACKTRACE_FLAGS. Its record has a time of the sleep, and is in the stream of any CPU.
 *
 * The frames of the kernel come first, then those of the program, in user space. The record's
 * process is the one whose program that is: if the waker is a thread, its record has the process
 * of the waker, but the woken thread. A record without frames means that the kernel could not
 * unwind the stack.
 *
 * Programs are unwound by their frame pointers. A function without a frame of its own, as most
 * in libc are, hides its caller. So a producer may add a copy after the frames of a record, which
 * fxt_get(FXT_BACKTRACE_FRAMES) does not count: first FXT_SCHED_COPY_HEAD words with registers of
 * the program, in the order of enum fxt_sched_copy, then fxt_sched_copy_bytes() of its stack, from
 * the stack pointer on. The collector finds the missing frames in the copy, and removes it, because
 * the stack of a program may hold any data. So no archive has a copy.
 *
 * The meanings of the addresses come at the end of the archive, from the collector:
 *
 *  - Thread records with the index FXT_SCHED_THREAD_MAPPED: the process, with thread 0, of the
 *    modules and mappings that follow.
 *  - "Module" and "Mmap" records of process 0, the kernel: one pair for the kernel itself, named
 *    FXT_SCHED_KERNEL_MODULE, and one for each kernel module that has frames, named "[name]".
 *    Their build ids come from the kernel's notes.
 *  - "Module" and "Mmap" records of other processes: one pair for each executable mapping that
 *    has frames. The time of an "Mmap" record is when it was mapped, or 0: before the
 *    recording. A later mapping replaces earlier ones of the same addresses. The name is a path,
 *    or a name like "[vdso]" or "//anon". The vaddr is FXT_SCHED_NO_VADDR if the file could not
 *    be read.
 *  - BLOB records FXT_STR_SYMBOLS of type data. Their payload is text in lines
 *
 *	k START END NAME
 *	k START END NAME [MODULE]
 *	u PROCESS START END NAME [FILE]
 *	x PROCESS START END
 *
 *    NAME is a function of the kernel, of a kernel MODULE, or of a FILE that the PROCESS (its
 *    koid, decimal) has mapped. Those of FILEs in C++ and Rust are named as in the source, without
 *    parameters, so they may contain spaces. It begins at START and ends before END (hexadecimal),
 *    which are addresses of that process. A function is left out if the process had another file
 *    at the same addresses at another time, with frames in it. In a line "x" the frames of the
 *    process had different files at different times, or none that is known, whatever mappings say.
 *    A process is a koid here, whose next process may have the same one. Readers ignore lines of
 *    any other form.
 *    A frame is a return address, which is END if the call is the last instruction of the
 *    function: so look up the address before it, fxt_sched_frame_address().
 *
 *  - BLOB records FXT_STR_SAMPLES of Perfetto's type: once more the stacks of threads that were
 *    off the CPU, as packets StackSample, because Perfetto does not read backtraces.
 */
#ifndef FXT_FXT_SCHED_STACK_H
#define FXT_FXT_SCHED_STACK_H

#include "fxt_profiler.h"

#define FXT_SCHED_STACK_HEAD	4	/* header, ticks, process and thread koid */
#define FXT_SCHED_STACK_FRAMES	64	/* at most in the kernel; as many in a program */
#define FXT_SCHED_STACK_WORDS	(FXT_SCHED_STACK_HEAD + 2 * FXT_SCHED_STACK_FRAMES)

/* Registers of a program, in the copy after the frames. */
enum fxt_sched_copy {
	FXT_SCHED_COPY_SP,		/* stack pointer */
	FXT_SCHED_COPY_FP,		/* frame pointer's register: rbp, x29 */
	FXT_SCHED_COPY_LINK,		/* link register: x30; 0 on x86 */
	FXT_SCHED_COPY_HEAD
};

#define FXT_SCHED_COPY_STACK	64	/* words of the stack, at most */
#define FXT_SCHED_COPY_WORDS	(FXT_SCHED_COPY_HEAD + FXT_SCHED_COPY_STACK)

/*
 * Words that the module reserves, at most, for a stack of up to @depth frames in the kernel and as
 * many in a program. Before those of the kernel, its unwinder stores some that are removed: those of
 * the module, or of a timer's interrupt.
 */
#define FXT_SCHED_STACK_OWN	40	/* frames that are removed, at most */
#define FXT_SCHED_STACK_ROOM(depth)						\
	(FXT_SCHED_STACK_HEAD + 2 * (depth) + FXT_SCHED_COPY_WORDS + FXT_SCHED_STACK_OWN)

#define FXT_SCHED_KERNEL_MODULE	"[kernel.kallsyms]"

#define FXT_SCHED_THREAD_MAPPED	255	/* thread index: the process of modules and mappings */

#define FXT_SCHED_NO_VADDR	(~0ULL)

/* Parts of FXT_BACKTRACE_FLAGS, as a number: a sample, and the period of its timer in ns. */
#define FXT_SCHED_SAMPLE	(1U << 27)
#define FXT_SCHED_SAMPLE_NS	(FXT_SCHED_SAMPLE - 1)
#define FXT_SCHED_ASLEEP	1U	/* instead: the thread sleeps */
#define FXT_SCHED_SAMPLE_HZ_MIN	10U
#define FXT_SCHED_SAMPLE_HZ_MAX	10000U

/* For x86-64 and arm64. */
static __always_inline int fxt_sched_is_kernel(__u64 frame)
{
	return frame >> 63;
}

/* An address inside the function of a frame. */
static __always_inline __u64 fxt_sched_frame_address(__u64 frame)
{
	return frame - !!frame;
}

/* ns between the samples of a CPU, at @hz per second. */
static __always_inline __u32 fxt_sched_sample_period(__u32 hz)
{
	return 1000000000U / hz;
}

/* ns that a sample weighs; 0: @flags are not those of a sample. */
static __always_inline __u32 fxt_sched_sample_ns(__u32 flags)
{
	__u32 ns = flags & FXT_SCHED_SAMPLE_NS;

	if (!(flags & FXT_SCHED_SAMPLE) ||
	    ns < fxt_sched_sample_period(FXT_SCHED_SAMPLE_HZ_MAX) ||
	    ns > fxt_sched_sample_period(FXT_SCHED_SAMPLE_HZ_MIN))
		return 0;
	return ns;
}

/*
 * How many bytes of a program's stack to copy, a multiple of FXT_WORD. @fp: the frame pointer's
 * register
 *
 * The copy ends at the innermost frame that has a frame pointer, because the kernel finds the
 * frames beyond it. If that is too far away, or the register holds something else, the copy has the
 * maximal size.
 */
static __always_inline __u32 fxt_sched_copy_bytes(__u64 sp, __u64 fp)
{
	__u64 bytes = fp - sp;

	if (bytes % FXT_WORD || bytes > FXT_SCHED_COPY_STACK * FXT_WORD)
		bytes = FXT_SCHED_COPY_STACK * FXT_WORD;
	return bytes;
}

/*
 * fxt_sched_put_stack() with a copy of @copy words, which is already in place after the frames; 0:
 * none.
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

/*
 * "Backtrace Record (profiler record subtype = 2)", with an inline thread. @rec: @frames are
 * already in place at FXT_SCHED_STACK_HEAD. @time: ticks, see above. Return: words written.
 */
static __always_inline __u32 fxt_sched_put_stack(__u64 *rec, __u64 time, __u32 tid, __u32 tgid,
						 __u32 frames)
{
	return fxt_sched_put_stack_copy(rec, time, tid, tgid, frames, 0);
}

/* fxt_sched_put_stack_copy() for a sample. @period: of fxt_sched_sample_period() */
static __always_inline __u32 fxt_sched_put_sample(__u64 *rec, __u64 time, __u32 tid, __u32 tgid,
						  __u32 frames, __u32 copy, __u32 period)
{
	__u32 words = fxt_sched_put_stack_copy(rec, time, tid, tgid, frames, copy);

	rec[0] |= fxt_put(FXT_BACKTRACE_FLAGS, FXT_SCHED_SAMPLE | period);
	return words;
}

/* fxt_sched_put_stack_copy() for a thread whose sleep goes on. */
static __always_inline __u32 fxt_sched_put_asleep(__u64 *rec, __u64 time, __u32 tid, __u32 tgid,
						  __u32 frames, __u32 copy)
{
	__u32 words = fxt_sched_put_stack_copy(rec, time, tid, tgid, frames, copy);

	rec[0] |= fxt_put(FXT_BACKTRACE_FLAGS, FXT_SCHED_ASLEEP);
	return words;
}

#endif /* FXT_FXT_SCHED_STACK_H */
