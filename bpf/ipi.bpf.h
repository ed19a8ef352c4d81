/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ipi.bpf.h - interrupts that a CPU sends to others, or to itself.
 *
 * In:  ipi_send_cpu, ipi_send_cpumask.
 * Out: instants on the thread that the sending CPU runs, in the ring of that CPU.
 *
 * Context: interrupts may be on or off, and locks of the scheduler may be held. When a program
 * wakes the consumer (fxt_ring.ringing), the CPU interrupts itself; that interrupt is not recorded,
 * because the tracer caused it. Interrupts that are sent from an NMI are only counted, because the
 * NMI may have interrupted another program in the middle of a record.
 */
#ifndef BPF_IPI_BPF_H
#define BPF_IPI_BPF_H

#include <bpf/bpf_core_read.h>

#include "context.bpf.h"
#include "events.bpf.h"
#include "fxt/fxt_sched.h"
#include "label.bpf.h"
#include "nested.bpf.h"

#define CPUS_PER_WORD	64

const volatile __u32 mask_words;	/* words in a set of CPUs */

/**
 * struct ipi - an interrupt that is sent now
 * @at: where its record goes
 * @flags: of nested_begin()
 * @has_name: the function that the others have to call has a name, or there is no function
 * @name: that name
 */
struct ipi {
	struct place at;
	unsigned long flags;
	bool has_name;
	struct fxt_sched_label name;
};

/* Begin a record. Return: 0, to be followed by nested_end(); or -1 if it is not recorded. */
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
		label_bound(&ipi->name);
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

/* The number of CPUs in a set, which other CPUs may change meanwhile. */
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

#endif /* BPF_IPI_BPF_H */
