/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * owner.h - which thread has a CPU, as seen by a program that runs on that CPU.
 */
#ifndef BPF_OWNER_H
#define BPF_OWNER_H

#include <linux/types.h>

/**
 * struct fxt_bpf_owner - the thread that has a CPU
 * @time: ticks
 * @thread: thread id; 0 is the idle thread
 * @weight: the thread's weight, as in records of switches
 */
struct fxt_bpf_owner {
	__u64 time;
	__u32 thread;
	__s32 weight;
};

#endif /* BPF_OWNER_H */
