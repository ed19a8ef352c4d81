/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * stack_config.h - what the BPF programs and source_bpf share about call stacks.
 */
#ifndef BPF_STACK_CONFIG_H
#define BPF_STACK_CONFIG_H

#include <linux/types.h>

/* The most threads whose programs' stacks can be stored while the threads are off the CPU. */
#define FXT_BPF_USER_STACKS	32768

/**
 * struct fxt_bpf_stacks - stacks to record; constant while the programs are loaded
 * @on: any of the following three
 * @blocked: stacks of threads that slept, when they are switched in
 * @preempted: stacks of threads that were preempted, likewise
 * @wakers: stacks of the thread or interrupt that wakes a thread that slept
 * @kernel: bytes for frames of the kernel; 0: none are recorded
 * @user: bytes for frames of programs; 0: none are recorded
 * @has_registers: the kernel has bpf_task_pt_regs()
 * @walks: the programs may walk stacks of the kernel without its unwinder
 * @check: let the kernel unwind each stack that was walked, too, and count differences
 * @min: ns that the thread must have been off the CPU
 */
struct fxt_bpf_stacks {
	__u32 on;
	__u32 blocked;
	__u32 preempted;
	__u32 wakers;
	__u32 kernel;
	__u32 user;
	__u32 has_registers;
	__u32 walks;
	__u32 check;
	__u32 pad;
	__u64 min;
};

/**
 * struct fxt_bpf_stack_checks - comparisons of walked stacks with what the kernel unwound
 * @stacks: number of stacks compared
 * @wrong: number of stacks that differed
 */
struct fxt_bpf_stack_checks {
	__u64 stacks;
	__u64 wrong;
};

#endif /* BPF_STACK_CONFIG_H */
