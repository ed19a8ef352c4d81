/* SPDX-License-Identifier: GPL-2.0 */
/*
 * copy.bpf.h - registers and a piece of the stack of the current thread's program.
 *
 * In:  the current thread.
 * Out: the copy after the frames of a backtrace (fxt_sched_stack.h), in which the collector
 * finds functions without frame pointers.
 *
 * The kernel stores the registers of a program at the end of the thread's kernel stack. Since
 * Linux 5.15 a helper returns their address. Before that, the size of that stack is unknown: try
 * the possible sizes, until the registers have the program's address in the innermost frame.
 */
#ifndef BPF_COPY_BPF_H
#define BPF_COPY_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "fxt/fxt_sched_stack.h"
#include "kernel_types.h"
#include "threads.bpf.h"

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

/**
 * copy_program() - copy the registers and the stack in which the missing frames can be found
 * @to: room for FXT_SCHED_COPY_WORDS
 * @regs: registers of the program
 * @direct: the registers can be read with plain loads; a compile-time constant
 *
 * Return: words of the copy; 0 if the stack cannot be read.
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

/* The registers of the current thread's program, if the kernel has the helper. */
static __always_inline const struct pt_regs *find_registers(void)
{
	return (void *)bpf_task_pt_regs((void *)bpf_get_current_task_btf());
}

/*
 * copy_program() for kernels with and without the helper. @address: address of the innermost
 * frame; @has_helper: the kernel has bpf_task_pt_regs()
 */
static __always_inline __u32 copy_program_at(__u64 *to, __u64 address, bool has_helper)
{
	const struct pt_regs *regs;

	if (has_helper)
		return copy_program(to, find_registers(), true);
	regs = search_registers(address);
	return regs ? copy_program(to, regs, false) : 0;
}

#endif /* BPF_COPY_BPF_H */
