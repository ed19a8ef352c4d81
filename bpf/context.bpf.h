/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * context.bpf.h - the waker: the current thread, or the interrupt that it is in.
 *
 * The preempt count tells them apart, on PREEMPT_RT with a count of the thread. Each architecture
 * has it elsewhere, and not every kernel lets programs refer to it. User space finds it
 * (source/bpf/load.c).
 */
#ifndef BPF_CONTEXT_BPF_H
#define BPF_CONTEXT_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "config.h"
#include "fxt/fxt_sched.h"
#include "kernel_types.h"
#include "map.bpf.h"
#include "threads.bpf.h"

const volatile __u32 context;		/* enum fxt_bpf_context */
const volatile __s64 context_distance;	/* from this CPU's run queue to the variable */

#define PF_EXITING	0x00000004
#define PF_KTHREAD	0x00200000

/* Address of each CPU's preempt count; 0 until it was looked up. */
CPU_ARRAY(preempt_counts, 1, __u64);

/* In 6.2 to 6.14 the variable is a struct of several counts. */
static __always_inline __u64 count_offset(void)
{
	if (bpf_core_field_exists(((struct pcpu_hot *)0)->preempt_count))
		return bpf_core_field_offset(((struct pcpu_hot *)0)->preempt_count);
	return 0;
}

static __always_inline __u32 count_of_variable(void)
{
	const void *variable;

	asm volatile("%0 = %1 ll" : "=r"(variable) : "i"(FXT_BPF_MARK_PREEMPT_COUNT));
	variable = bpf_this_cpu_ptr(variable);
	if (bpf_core_field_exists(((struct pcpu_hot *)0)->preempt_count))
		return ((const struct pcpu_hot *)variable)->preempt_count;
	return *(const __u32 *)variable;
}

/*
 * Find the preempt count from the run queue of the current thread. Both are per-CPU variables of
 * the kernel, at the same distance on each CPU.
 */
static __noinline __u64 find_count(void)
{
	struct task_struct *thread = (void *)bpf_get_current_task();
	__u64 runqueue = (__u64)BPF_CORE_READ(thread, se.cfs_rq, rq);

	return runqueue ? runqueue + context_distance + count_offset() : 0;
}

static __always_inline __u32 count_by_runqueue(void)
{
	__u32 zero = 0, count = 0;
	__u64 *address = bpf_map_lookup_elem(&preempt_counts, &zero);

	if (!address)
		return 0;
	if (!*address)
		*address = find_count();
	bpf_probe_read_kernel(&count, sizeof(count), (void *)*address);
	return count;
}

static __always_inline __u32 count_of_thread(void)
{
	struct task_struct *thread = (void *)bpf_get_current_task();

	return BPF_CORE_READ_BITFIELD_PROBED(thread, thread_info.preempt_count);
}

/* PREEMPT_RT keeps the soft interrupts of the preempt count in the thread. */
static __always_inline __u32 softirqs_of_thread(void)
{
	struct task_struct *thread = NULL;

	if (!bpf_core_field_exists(thread->softirq_disable_cnt))
		return 0;
	thread = (void *)bpf_get_current_task();
	return BPF_CORE_READ(thread, softirq_disable_cnt) & FXT_LINUX_SERVING_SOFTIRQ;
}

/* @kind: context */
static __always_inline __u32 read_preempt_count(__u32 kind)
{
	switch (kind) {
	case FXT_BPF_CONTEXT_VARIABLE:
		return count_of_variable() | softirqs_of_thread();
	case FXT_BPF_CONTEXT_RUNQUEUE:
		return count_by_runqueue() | softirqs_of_thread();
	case FXT_BPF_CONTEXT_THREAD:
		return count_of_thread() | softirqs_of_thread();
	}
	return 0;
}

/*
 * Compare letters without branches: with them the verifier would check what follows once per letter
 * that may differ.
 */
#define DIFFERS(comm, start) ({							\
	const char start_[] = start;						\
	__u32 i_, differs_ = 0;							\
										\
	for (i_ = 0; i_ < sizeof(start_) - 1; i_++)				\
		differs_ |= (comm)[i_] ^ start_[i_];				\
	differs_;								\
})

/* Does the current thread exist to serve soft interrupts? These then count as its work. */
static __noinline int serves_softirqs(void)
{
	struct task_struct *thread = (void *)bpf_get_current_task();
	char comm[TASK_COMM_LEN];

	if (!(BPF_CORE_READ(thread, flags) & PF_KTHREAD) ||
	    bpf_get_current_comm(comm, sizeof(comm)))
		return 0;
	return !DIFFERS(comm, FXT_SCHED_KSOFTIRQD) || !DIFFERS(comm, FXT_SCHED_KTIMERS) ||
	       !DIFFERS(comm, FXT_SCHED_IRQ_THREAD);
}

/* fxt_sched_waker(). @kind: context */
static __always_inline __u32 current_waker(__u32 kind)
{
	__u32 irq = fxt_sched_irq(read_preempt_count(kind));

	if (irq == FXT_SCHED_IRQ_SOFT && serves_softirqs())
		irq = FXT_SCHED_IRQ_NONE;
	return fxt_sched_waker((__u32)bpf_get_current_pid_tgid(), irq);
}

#endif /* BPF_CONTEXT_BPF_H */
