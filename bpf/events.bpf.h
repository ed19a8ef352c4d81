/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * events.bpf.h - what all groups of events share; and instants: migrations, frequencies, lives of
 * threads, signals, interrupts that a CPU sends.
 *
 * In:  the tracepoints of a group of events; programs of other groups are not loaded.
 * Out: records of fxt_sched_event.h in the ring of the CPU on which the event happens, which need
 *      not be the CPU that it names.
 *
 * struct fxt_ring keeps the beginning of a slice until its end. A slice counts only if it began
 * after the recording had begun or been resumed.
 */
#ifndef BPF_EVENTS_BPF_H
#define BPF_EVENTS_BPF_H

#include <bpf/bpf_core_read.h>

#include "context.bpf.h"
#include "filter.bpf.h"
#include "fxt/fxt_sched.h"
#include "kernel_types.h"
#include "label.bpf.h"
#include "nested.bpf.h"
#include "ring.bpf.h"

/* --- slices -------------------------------------------------------------------------- */

/* Also called before the recording. The slice's end then shows that it does not count. */
static __always_inline int begin_slice(__u64 *begin)
{
	*begin = clock_now_inline();
	return 0;
}

/* Return: false if the slice that ends does not count. */
static __always_inline bool consume_counting(__u64 *from, __u64 *begin)
{
	*begin = *from;
	*from = 0;
	/* "since" is never 0; a slice without a beginning has 0. */
	return *begin >= *(volatile __u64 *)&since;
}

/* Return: ticks; 0 if the slice that ends does not count. */
static __always_inline __u64 consume_begin(__u64 *from)
{
	__u64 begin;

	return consume_counting(from, &begin) ? begin : 0;
}

/* A clock may have stepped back by some ns. */
static __always_inline __u64 begin_before(__u64 begin, __u64 end)
{
	return begin < end ? begin : end;
}

/* The interrupted thread must match the filter. Idle threads never do. */
static __always_inline bool keeps_interrupt(const struct place *at)
{
	__u32 tid;

	if (!filter.on)
		return true;
	if (!filter_has_cpu(at->cpu) || !filter.threads)
		return filter_has_cpu(at->cpu);
	tid = bpf_get_current_pid_tgid();
	return tid && filter_has_thread((void *)bpf_get_current_task(), find_thread(tid), PROBED);
}

/* Thread and CPU must match the filter. */
static __always_inline bool keeps_thread(struct task_struct *thread)
{
	if (!filter.on)
		return true;
	return filter_has_cpu(bpf_get_smp_processor_id()) &&
	       (!filter.threads ||
		filter_has_thread(thread, find_thread(BPF_CORE_READ(thread, pid)), PROBED));
}

/* For events whose thread only readers can tell. A filter by threads keeps all of them. */
static __always_inline bool keeps_of_any(const struct place *at)
{
	return !filter.on || filter_has_cpu(at->cpu);
}

static __always_inline bool keeps_cpu(__u32 cpu)
{
	return !filter.on || (!filter.threads && filter_has_cpu(cpu));
}

/* --- migrations: a run queue is locked, interrupts are off ------------------------------- */

const volatile __u32 all_moves;		/* also those of threads that are being woken */

/*
 * A migration of a thread that is being woken is part of its wakeup. @from: the CPU that the thread
 * is on, as in read_cpu()
 */
static __always_inline int on_migrate(struct task_struct *p, __u32 from, __u32 to)
{
	__u32 tid = p->pid;
	struct place at;

	if (!is_recording() || (!all_moves && is_asleep(p, DIRECT)))
		return 0;
	if (filter.on && ((!filter_has_cpu(from) && !filter_has_cpu(to)) ||
			  (filter.threads && !filter_has_thread(p, find_thread(tid), DIRECT))))
		return 0;
	if (ring_of_cpu(&at, extras))
		return 0;
	RING_EVENT(&at, rec, fxt_sched_put_migrate(rec, at.time, tid, p->tgid, from, to));
	return 0;
}

/* --- frequencies: in threads or under a run queue's lock ------------------------------------ */

static __always_inline int put_frequency(__u32 cpu, __u32 khz, __u32 max_khz)
{
	struct place at;

	ring_find(&at);
	if (is_recording() && keeps_cpu(cpu))
		RECORD_EVENT(&at, rec, fxt_sched_put_frequency(rec, at.time, cpu, khz, max_khz));
	return 0;
}

static __always_inline int on_limits(const struct cpufreq_policy *policy)
{
	return put_frequency(BPF_CORE_READ(policy, cpu), BPF_CORE_READ(policy, min),
			     BPF_CORE_READ(policy, max));
}

/* --- lives of threads: forks, ends, inherited priorities ---------------------------- */

/*
 * Context: the creator is current; interrupts are on. Workers of io_uring and vhost have no such
 * event.
 */
static __always_inline int on_forked(struct task_struct *parent, struct task_struct *child)
{
	__u32 tid = BPF_CORE_READ(parent, pid), tgid = BPF_CORE_READ(parent, tgid);
	__u32 new = BPF_CORE_READ(child, pid);
	struct place at;

	ring_find(&at);
	if (is_recording() && keeps_thread(parent))
		RECORD_EVENT(&at, rec, fxt_sched_put_fork(rec, at.time, tid, tgid, new));
	return 0;
}

/* Context: the thread is current; interrupts are on. */
static __always_inline int on_ended(struct task_struct *p)
{
	__u32 tid = BPF_CORE_READ(p, pid), tgid = BPF_CORE_READ(p, tgid);
	__u32 status = BPF_CORE_READ(p, exit_code);
	struct place at;

	ring_find(&at);
	if (is_recording() && keeps_thread(p))
		RECORD_EVENT(&at, rec, fxt_sched_put_exit(rec, at.time, tid, tgid, status));
	return 0;
}

/*
 * The new priority is computed as in the kernel's own record. Context: the thread's run queue is
 * locked, interrupts are off.
 */
static __always_inline int on_inherited(struct task_struct *p, struct task_struct *donor)
{
	__s32 to = BPF_CORE_READ(p, normal_prio), of_donor = to;
	struct place at;

	if (!is_recording() || !keeps_thread(p) || ring_of_cpu(&at, extras))
		return 0;
	if (donor)
		of_donor = BPF_CORE_READ(donor, prio);
	RING_EVENT(&at, rec, fxt_sched_put_priority(rec, at.time, BPF_CORE_READ(p, pid),
						    BPF_CORE_READ(p, tgid), BPF_CORE_READ(p, prio),
						    of_donor < to ? of_donor : to));
	return 0;
}

/*
 * --- signals ---
 *
 * Context: the lock of the receiver's signals is held. So interrupts are off, except on PREEMPT_RT.
 */

/* Like a wakeup, a signal counts for its sender and its receiver. */
static __always_inline int on_signal_sent(__u32 signal, struct task_struct *target, __u32 result)
{
	/* A hard interrupt may send a signal, too. Nothing interrupts that. */
	bool nested = fxt_sched_irq(read_preempt_count(context)) != FXT_SCHED_IRQ_HARD;
	struct task_struct *sender = (void *)bpf_get_current_task();
	__u64 id = bpf_get_current_pid_tgid();
	unsigned long flags;
	struct place at;

	if (!is_recording() || !(keeps_thread(sender) || keeps_thread(target)))
		return 0;
	ring_find(&at);
	if (nested ? nested_begin(&at, &flags) : ring_begin(&at, extras))
		return 0;
	RING_EVENT(&at, rec, fxt_sched_put_signal(rec, at.time, id, id >> 32, signal,
						  BPF_CORE_READ(target, pid), result,
						  fxt_get(FXT_SCHED_WAKER_IRQ,
							  current_waker(context))));
	if (nested)
		nested_end(&at, &flags);
	return 0;
}

#define SEND_SIG_NOINFO	0		/* in place of an address, e.g. of SIGKILL */
#define SEND_SIG_PRIV	1
#define SI_USER		0
#define SI_KERNEL	0x80

/* As in the kernel's own record. */
static __always_inline __s32 signal_code(struct kernel_siginfo *info)
{
	switch ((__u64)info) {
	case SEND_SIG_NOINFO:
		return SI_USER;
	case SEND_SIG_PRIV:
		return SI_KERNEL;
	default:
		return BPF_CORE_READ(info, si_code);
	}
}

static __always_inline int on_signal_taken(__u32 signal, struct kernel_siginfo *info,
					   struct k_sigaction *action)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct place at;

	if (!is_recording() || !keeps_thread((void *)bpf_get_current_task()))
		return 0;
	ring_find(&at);
	RECORD_EVENT(&at, rec, fxt_sched_put_delivery(rec, at.time, id, id >> 32, signal,
						      signal_code(info),
						      !!BPF_CORE_READ(action, sa.sa_handler)));
	return 0;
}

/*
 * --- interrupts that a CPU sends to others, or to itself ---
 *
 * Context: interrupts may be on or off, and locks of the scheduler may be held. When a program
 * wakes the consumer (fxt_ring.ringing), the CPU interrupts itself; that is not recorded, because
 * the tracer caused it. Interrupts sent from an NMI are only counted, because the NMI may have
 * interrupted another program in the middle of a record.
 */

#define CPUS_PER_WORD	64

const volatile __u32 mask_words;	/* in a set of CPUs */

struct ipi {
	struct place at;
	unsigned long flags;		/* of nested_begin() */
	/* @name is valid, or there is no function */
	bool has_name;
	struct fxt_sched_label name;	/* of the function that the others call */
};

/* Return: 0, to be followed by nested_end(); or -1 if it is not recorded. */
static __always_inline int ipi_begin(struct ipi *ipi, __u64 function)
{
	ring_find(&ipi->at);
	if (!is_recording() || ipi->at.ring->ringing ||
	    !keeps_thread((void *)bpf_get_current_task()))
		return -1;
	if (read_preempt_count(context) & FXT_LINUX_NMI) {
		ipi->at.ring->missed++;
		return -1;
	}
	ipi->has_name = function;
	if (function) {
		label_of_function(&ipi->name, function);
		label_bound(&ipi->name, FXT_SCHED_LABEL_BYTES);
	}
	return nested_begin(&ipi->at, &ipi->flags);
}

static __always_inline int on_ipi(__u32 cpu, __u64 function)
{
	__u64 ids = bpf_get_current_pid_tgid(), *rec;
	struct ipi ipi;

	if (ipi_begin(&ipi, function))
		return 0;
	rec = ring_reserve(&ipi.at, FXT_RING_EVENTS);
	if (rec && ipi.has_name)
		ring_commit(&ipi.at, fxt_sched_put_ipi(rec, ipi.at.time, ids, ids >> 32, cpu,
						       &ipi.name));
	else if (rec)
		ring_commit(&ipi.at, fxt_sched_put_ipi(rec, ipi.at.time, ids, ids >> 32, cpu,
						       NULL));
	nested_end(&ipi.at, &ipi.flags);
	return 0;
}

/* Other CPUs may change the set meanwhile. */
static __always_inline __u32 count_cpus(const __u64 *mask)
{
	__u32 count = 0, i;
	__u64 word;

	for (i = 0; i < mask_words && i < FXT_BPF_CPUS / CPUS_PER_WORD; i++)
		if (!bpf_probe_read_kernel(&word, sizeof(word), mask + i))
			count += __builtin_popcountll(word);
	return count;
}

static __always_inline int on_ipi_mask(const __u64 *mask, __u64 function)
{
	__u64 ids = bpf_get_current_pid_tgid(), first = 0, *rec;
	__u32 targets = count_cpus(mask);
	struct ipi ipi;

	bpf_probe_read_kernel(&first, sizeof(first), mask);
	if (ipi_begin(&ipi, function))
		return 0;
	rec = ring_reserve(&ipi.at, FXT_RING_EVENTS);
	if (rec && ipi.has_name)
		ring_commit(&ipi.at, fxt_sched_put_ipi_mask(rec, ipi.at.time, ids, ids >> 32,
							    targets, first, &ipi.name));
	else if (rec)
		ring_commit(&ipi.at, fxt_sched_put_ipi_mask(rec, ipi.at.time, ids, ids >> 32,
							    targets, first, NULL));
	nested_end(&ipi.at, &ipi.flags);
	return 0;
}

#endif /* BPF_EVENTS_BPF_H */
