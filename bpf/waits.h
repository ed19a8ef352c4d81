/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * waits.h - what the BPF programs and source_bpf share about waits that are not over.
 */
#ifndef BPF_WAITS_H
#define BPF_WAITS_H

#include <linux/types.h>

#include "fxt/fxt_trigger.h"

/**
 * struct fxt_bpf_wait - a woken thread; elements have the same order as the tables of threads
 * @woken: ticks of its wakeup; 0 once it has been switched in
 * @task: address of its task_struct; valid as long as @woken stays the same
 */
struct fxt_bpf_wait {
	__u64 woken;
	__u64 task;
};

#define FXT_BPF_WAIT_GROUPS	64	/* groups in an element of the map "wait_groups" */

/** struct fxt_bpf_wait_groups - FXT_WAITS_* for groups of FXT_WAITS_GROUP threads each */
struct fxt_bpf_wait_groups {
	__u8 state[FXT_BPF_WAIT_GROUPS];
};

#endif /* BPF_WAITS_H */
