/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_types.h - the fields of kernel structs that the programs read.
 *
 * Only names and types matter: because of preserve_access_index, the loader looks up each field in
 * the running kernel's BTF and puts its offset into the program. So one object runs on all kernels,
 * and the build needs no BTF. Programs check with bpf_core_field_exists() for fields of some
 * kernels only, which the comments name. A field whose size differs between kernels is unsigned
 * here, even if the kernel's is signed: the loader adjusts the width of a load for unsigned fields
 * only.
 */
#ifndef BPF_KERNEL_TYPES_H
#define BPF_KERNEL_TYPES_H

#include <linux/types.h>
#include <stdbool.h>

#include "fxt/fxt_sched_block.h"

#define TASK_COMM_LEN	16

#pragma clang attribute push(__attribute__((preserve_access_index)), \
			     apply_to = record)

struct thread_info {
	__u32 cpu;			/* SMP, from 5.16 on (arm64: earlier) */
	unsigned int preempt_count;	/* not x86, s390; 8 bytes on arm64 */
	unsigned long flags;
	__u32 status;			/* x86 */
};

struct pt_regs {
	unsigned long sp;
	unsigned long ip;		/* x86 */
	unsigned long cs;		/* x86 */
	unsigned long bp;		/* x86 */
	unsigned long di;		/* x86 */
	unsigned long si;		/* x86 */
	unsigned long dx;		/* x86 */
	unsigned long orig_ax;		/* x86 */
	__u64 regs[31];			/* arm64 */
	__u64 pc;			/* arm64 */
	__u64 orig_x0;			/* arm64 */
	__s32 syscallno;		/* arm64 */
};

struct pcpu_hot {
	__u32 preempt_count;		/* x86, 6.2 to 6.14 */
};

struct rq;

struct sched_avg {
	unsigned long load_avg;
	unsigned long runnable_avg;
	unsigned long util_avg;
};

struct list_head {
	struct list_head *next;
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
};

struct task_group {
	struct cgroup_subsys_state css;
	struct task_group *parent;
};

/* runtime_enabled and what follows: CFS_BANDWIDTH. */
struct cfs_rq {
	struct sched_avg avg;		/* SMP */
	struct rq *rq;			/* FAIR_GROUP_SCHED */
	struct task_group *tg;		/* likewise */
	int runtime_enabled;
	__s64 runtime_remaining;
	__u64 throttled_clock;
	struct list_head throttled_limbo_list;	/* from 6.18 on */
};

struct task_struct;

struct rq {
	unsigned int nr_running;
	struct task_struct *curr;
	struct cfs_rq cfs;
	__u64 clock;
	int cpu;			/* SMP */
	__u64 prev_steal_time_rq;	/* CONFIG_PARAVIRT_TIME_ACCOUNTING */
};

struct kernel_cpustat {
	__u64 cpustat[8];
};

struct load_weight {
	unsigned long weight;		/* nice 0 is 1024 << 10 on 64 bits */
};

struct sched_entity {
	struct load_weight load;
	unsigned char sched_delayed;	/* from 6.12 on */
	struct cfs_rq *cfs_rq;		/* FAIR_GROUP_SCHED */
	struct cfs_rq *my_q;		/* likewise; NULL for a thread */
	struct sched_avg avg;		/* SMP */
};

struct kernfs_node {
	__u64 id;
};

struct cgroup_root;

struct cgroup {
	int level;			/* 0 is the root */
	struct cgroup_root *root;	/* of its hierarchy */
	struct kernfs_node *kn;
	struct cgroup *ancestors[];	/* by level, from 6.1 on */
};

struct cgroup___old {
	__u64 ancestor_ids[0];		/* up to 6.0 */
};

typedef struct {
	long counter;
} atomic_long_t;

struct mutex {
	atomic_long_t owner;		/* not on PREEMPT_RT */
};

struct rw_semaphore {
	atomic_long_t owner;		/* likewise */
};

struct rt_mutex_base {
	struct task_struct *owner;	/* from 5.15 on */
};

struct rt_lock {
	void *owner;
};

struct rt_spinlock {
	struct rt_lock lock;		/* PREEMPT_RT only */
};

struct bpf_ringbuf___rt {
	struct rt_spinlock spinlock;	/* raw from 6.12 on: has no field "lock" */
};

struct css_set {
	struct cgroup *dfl_cgrp;	/* the cgroup of version 2 */
};

struct pid;

struct thread_struct {
	unsigned long sp;		/* x86 */
};

/* No member is used. The first word is 0 if nobody holds the lock. */
struct raw_spinlock {
	unsigned int magic;
};

typedef struct {
	unsigned int val;
} kuid_t;

struct cred {
	kuid_t uid;
};

struct task_struct {
	struct raw_spinlock pi_lock;
	struct thread_info thread_info;	/* THREAD_INFO_IN_TASK */
	void *stack;
	unsigned int __state;		/* from 5.14 on */
	unsigned int flags;
	unsigned int on_cpu;		/* SMP; a byte in 7.2 */
	unsigned int cpu;		/* SMP, up to 5.15 */
	unsigned int on_rq;		/* a byte in 7.2 */
	int prio;
	int normal_prio;		/* without inherited priority */
	struct sched_entity se;
	void *mm;			/* NULL: kernel threads, and those that have ended */
	int exit_state;
	struct thread_struct thread;
	int exit_code;			/* as wait(2) reports it */
	int pid;
	int tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct pid *thread_pid;		/* NULL once the thread has been released */
	const struct cred *cred;
	char comm[TASK_COMM_LEN];
	struct css_set *cgroups;
	struct task_group *sched_task_group; /* CGROUP_SCHED */
	int softirq_disable_cnt;	/* PREEMPT_RT only */
};

/* The loader ignores ___ and what follows it in the name of a type. */
struct task_struct___old {
	long state;			/* up to 5.13 */
};

struct kernel_siginfo {
	int si_code;
};

struct sigaction {
	void *sa_handler;		/* 0: SIG_DFL */
};

struct k_sigaction {
	struct sigaction sa;
};

struct irqaction {
	const char *name;
};

struct cpufreq_policy {
	unsigned int cpu;
	unsigned int min;
	unsigned int max;
};

struct hrtimer {
	void *function;
};

struct hrtimer_sleeper {
	struct task_struct *task;
};

struct timer_list {
	void *function;
};

struct wait_queue_head {
	struct list_head head;
};

struct socket_wq {
	struct wait_queue_head wait;
};

struct sock_common {
	unsigned short skc_family;
	unsigned char skc_state;
	__u16 skc_num;
	__u16 skc_dport;		/* big endian */
	unsigned long skc_flags;
};

struct sock {
	struct sock_common __sk_common;
	struct socket_wq *sk_wq;
	__u16 sk_type;
	__u16 sk_protocol;
};

struct tcp_sock {
	__u32 rcv_nxt;
	__u32 copied_seq;
};

struct sk_buff {
	unsigned int len;
	unsigned char *data;
};

struct gendisk {
	int major;
	int first_minor;
	char disk_name[32];
};

struct request_queue {
	struct gendisk *disk;		/* from 5.15 on */
};

struct bio;

enum mq_rq_state {
	MQ_RQ_IDLE = FXT_LINUX_RQ_IDLE,
};

struct request {
	struct request_queue *q;
	unsigned int cmd_flags;
	unsigned int __data_len;
	__u64 __sector;
	struct bio *bio;
	struct bio *biotail;
	enum mq_rq_state state;
};

struct request___old {
	struct gendisk *rq_disk;	/* up to 5.15 */
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#pragma clang attribute pop

#endif /* BPF_KERNEL_TYPES_H */
