/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * owner.h - which thread has a CPU, as a program that runs there sees it.
 */
#ifndef BPF_OWNER_H
#define BPF_OWNER_H

#include <linux/types.h>

/**
 * struct fxt_bpf_owner - the thread that has a CPU
 * @time: ticks
 * @thread: its id; 0 is the idle thread
 * @weight: its weight, as in its switches
 */
struct fxt_bpf_owner {
	__u64 time;
	__u32 thread;
	__s32 weight;
};

#endif /* BPF_OWNER_H */
