/* SPDX-License-Identifier: GPL-2.0-only */
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
/* Stacks that are taken at switches and wakeups. */
#define FXT_STACKS_EVENTS	(FXT_STACKS_OFF | FXT_SCHED_STACKS_WAKE)

struct fxt_pids {	/* of the initial pid namespace */
	unsigned int count;		/* 0 means all processes */
	u32 ids[FXT_SCHED_FILTER_PIDS_MAX];
};

struct fxt_config {
	unsigned int subbuf_size;	/* bytes */
	unsigned int subbuf_count;	/* sub-buffers per CPU */
	clockid_t clockid;		/* as in struct fxt_sched_config, or FXT_CLOCK_TSC */
	bool priorities;		/* record the kernel's priorities as weights */
	u32 form;			/* FXT_SCHED_NO_WEIGHTS, FXT_SCHED_WAKING */
	u64 events;			/* FXT_SCHED_EVENTS_* */
	u32 stacks;			/* FXT_SCHED_STACKS_*; 0 for none */
	u32 stacks_depth;		/* frames, at most, of the kernel and of the program each */
	u64 stacks_min;			/* ns that a thread must be off the CPU */
	u32 stacks_hz;			/* samples of a CPU per second */
	bool overwrite;			/* the newest records replace the oldest */
	/* ns, by FXT_SCHED_CAUSE_*; 0 if this cause does not fire the trigger */
	u64 trigger_limit[FXT_SCHED_CAUSES];
	u64 trigger_after;		/* ns */
	char trigger_comm[FXT_SCHED_PATTERN_SIZE];	/* empty for all threads */
	u32 trigger_pid;		/* of the initial pid namespace; 0 for all */
	struct cpumask filter_cpus;	/* empty for all CPUs */
	struct fxt_pids filter_pids;
	char filter_comm[FXT_SCHED_PATTERN_SIZE];	/* empty for all threads */
	int filter_cgroup;	/* the caller's descriptor; -1 for all threads */
};

int fxt_config_check(struct fxt_config *config, const struct fxt_sched_config *in,
		     struct fxt_reason *reason);

#endif /* FXT_KMOD_CONFIG_H */
