/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * filter.h - what the BPF programs and source_bpf share about filter and trigger.
 *
 * User space sets filter and trigger before it loads the programs. They are constant afterwards, so
 * the verifier removes the code that they do not need.
 */
#ifndef BPF_FILTER_H
#define BPF_FILTER_H

#include <linux/types.h>

#include "fxt/fxt_glob.h"
#include "fxt/fxt_trigger.h"

#define FXT_BPF_CPUS	8192		/* the kernel's largest NR_CPUS */
#define FXT_BPF_PIDS	64

/**
 * struct fxt_bpf_filter - which switches and wakeups are recorded
 * @on: any filter below is set; 0: all events are recorded
 * @threads: by_pid, by_comm or by_cgroup is set
 * @by_cpu: only those on CPUs of @has_cpu
 * @by_pid: only those of threads of @pids, and of their future children
 * @by_comm: only those of threads whose name matches @comm
 * @by_cgroup: only those of threads in the cgroup @cgroup_id, or below it
 * @cgroup_level: depth of that cgroup in the hierarchy
 * @pid_count: number of @pids
 * @cgroup_id: the kernel's id of the cgroup
 * @pids: process ids
 * @has_cpu: for each CPU, 0 or 1
 * @comm: pattern of names
 */
struct fxt_bpf_filter {
	__u32 on;
	__u32 threads;
	__u32 by_cpu;
	__u32 by_pid;
	__u32 by_comm;
	__u32 by_cgroup;
	__u32 cgroup_level;
	__u32 pid_count;
	__u64 cgroup_id;
	__u32 pids[FXT_BPF_PIDS];
	__u8 has_cpu[FXT_BPF_CPUS];
	struct fxt_glob comm;
};

/**
 * struct fxt_bpf_trigger - conditions under which the programs end the recording
 * @on: there is a trigger
 * @limit: for each FXT_SCHED_CAUSE_*, the value that must be exceeded, 0: never fire: ns of a
 *	wait from wakeup to switch-in, or of an interrupt; or number of threads on a run queue,
 *	including the running one
 * @after: ns to record after the trigger has fired
 * @pid: only threads of this process, 0 for all
 * @by_comm: only threads whose name matches @comm
 * @comm: pattern of names
 */
struct fxt_bpf_trigger {
	__u64 limit[FXT_SCHED_CAUSES];
	__u64 after;
	__u32 pid;
	__u32 by_comm;
	__u32 on;
	struct fxt_glob comm;
};

/**
 * struct fxt_bpf_hit - the event that fired the trigger
 * @time: ticks of the record of the switch-in or of the interrupt, or of the change of the run
 *	queue
 * @value: ns of the wait or of the interrupt, or threads on the run queue
 * @thread: id of the thread that waited, was interrupted, or ran
 * @cpu: the CPU that the thread waited for, or that has the interrupt or the run queue
 * @cause: enum fxt_sched_cause
 * @goes_on: the wait was not over at @time, so no record has that time
 * @user: the user whose thread waited; FXT_BPF_NO_USER for other causes
 */
struct fxt_bpf_hit {
	__u64 time;
	__u64 value;
	__u32 thread;
	__u32 cpu;
	__u32 cause;
	__u32 goes_on;
	__u32 user;
};

#define FXT_BPF_NO_USER		(~0U)
#define FXT_BPF_RAISED		FXT_SCHED_LIMITS_MAX

/**
 * struct fxt_bpf_raised - users' own limit of a cause, above that of the trigger
 * @user: the first one's id, to @last_user
 * @limit: in the unit of the cause's limit; 0: this entry is free
 */
struct fxt_bpf_raised {
	__u32 cause;
	__u32 user;
	__u32 last_user;
	__u32 padding;
	__u64 limit;
};

#endif /* BPF_FILTER_H */
