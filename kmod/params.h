/* SPDX-License-Identifier: GPL-2.0 */
/*
 * params.h - the module's parameters, of which each session takes a copy.
 */
#ifndef FXT_KMOD_PARAMS_H
#define FXT_KMOD_PARAMS_H

#include <linux/cpumask.h>
#include <linux/types.h>

#include <linux/fxt_sched.h>

struct seq_file;

enum fxt_weight {
	FXT_WEIGHT_WEIGHT,
	FXT_WEIGHT_PRIO,
};

/**
 * struct fxt_pids - process ids
 * @count: how many; 0 means all processes
 * @ids: the ids
 */
struct fxt_pids {
	unsigned int count;
	pid_t ids[FXT_SCHED_FILTER_PIDS_MAX];
};

/**
 * struct fxt_params - the module's parameters
 * @subbuf_size: bytes
 * @subbuf_count: sub-buffers per CPU
 * @clock: enum fxt_clock_id
 * @weight: enum fxt_weight
 * @overwrite: the newest records replace the oldest
 * @trigger_latency: ns; 0 for no trigger
 * @trigger_after: ns
 * @trigger_comm: pattern; empty for all threads
 * @trigger_pid: process id; 0 for all
 * @filter_cpus: empty for all CPUs
 * @filter_pids: see struct fxt_pids
 * @filter_comm: pattern; empty for all threads
 * @filter_cgroup: path; empty for all threads
 */
struct fxt_params {
	unsigned int subbuf_size;
	unsigned int subbuf_count;
	int clock;
	int weight;
	bool overwrite;
	u64 trigger_latency;
	u64 trigger_after;
	char trigger_comm[FXT_SCHED_PATTERN_SIZE];
	pid_t trigger_pid;
	struct cpumask filter_cpus;
	struct fxt_pids filter_pids;
	char filter_comm[FXT_SCHED_PATTERN_SIZE];
	char filter_cgroup[FXT_SCHED_CGROUP_SIZE];
};

extern const char * const fxt_clock_names[];	/* by enum fxt_clock_id; NULL at the end */
extern const char * const fxt_weight_names[];	/* by enum fxt_weight; NULL at the end */

void fxt_params_get(struct fxt_params *params);
void fxt_params_show(struct seq_file *m, const struct fxt_params *params);

#endif /* FXT_KMOD_PARAMS_H */
