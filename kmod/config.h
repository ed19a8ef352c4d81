/* SPDX-License-Identifier: GPL-2.0 */
/*
 * config.h - what a session records, checked and complete.
 */
#ifndef FXT_KMOD_CONFIG_H
#define FXT_KMOD_CONFIG_H

#include <linux/cpumask.h>
#include <linux/types.h>

#include <linux/fxt_sched.h>

#include <fxt/fxt_trigger.h>

struct fxt_reason;

/* Stacks of threads that are off the CPU. */
#define FXT_STACKS_OFF	(FXT_SCHED_STACKS_OFFCPU | FXT_SCHED_STACKS_PREEMPT)

/**
 * struct fxt_pids - process ids of the initial pid namespace
 * @count: how many; 0 means all processes
 * @ids: the ids
 */
struct fxt_pids {
	unsigned int count;
	u32 ids[FXT_SCHED_FILTER_PIDS_MAX];
};

/**
 * struct fxt_config - what a session records
 * @subbuf_size: bytes
 * @subbuf_count: sub-buffers per CPU
 * @clockid: as in struct fxt_sched_config, or FXT_CLOCK_TSC
 * @priorities: weights are the kernel's priorities
 * @form: FXT_SCHED_NO_WEIGHTS, FXT_SCHED_WAKING
 * @events: FXT_SCHED_EVENTS_*
 * @stacks: FXT_SCHED_STACKS_*; 0 for none
 * @stacks_depth: frames of the kernel, and of the program, at most
 * @stacks_min: ns that a thread must have been off the CPU
 * @overwrite: the newest records replace the oldest
 * @trigger_limit: ns, by FXT_SCHED_CAUSE_*; 0 if this cause does not fire the trigger
 * @trigger_after: ns
 * @trigger_comm: pattern; empty for all threads
 * @trigger_pid: process id, of the initial pid namespace; 0 for all
 * @filter_cpus: empty for all CPUs
 * @filter_pids: see struct fxt_pids
 * @filter_comm: pattern; empty for all threads
 * @filter_cgroup: the caller's descriptor of the cgroup; -1 for all threads
 */
struct fxt_config {
	unsigned int subbuf_size;
	unsigned int subbuf_count;
	clockid_t clockid;
	bool priorities;
	u32 form;
	u64 events;
	u32 stacks;
	u32 stacks_depth;
	u64 stacks_min;
	bool overwrite;
	u64 trigger_limit[FXT_SCHED_CAUSES];
	u64 trigger_after;
	char trigger_comm[FXT_SCHED_PATTERN_SIZE];
	u32 trigger_pid;
	struct cpumask filter_cpus;
	struct fxt_pids filter_pids;
	char filter_comm[FXT_SCHED_PATTERN_SIZE];
	int filter_cgroup;
};

int fxt_config_check(struct fxt_config *config, const struct fxt_sched_config *in,
		     struct fxt_reason *reason);

#endif /* FXT_KMOD_CONFIG_H */
