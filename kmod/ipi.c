// SPDX-License-Identifier: GPL-2.0
/*
 * ipi.c - instants at which a CPU interrupts others, or itself.
 *
 * In:  ipi_send_cpu, ipi_send_cpumask. Out: records in the stream of the CPU that sends.
 *
 * The module interrupts its own CPU, too, to wake readers: see util.h. An NMI may have
 * interrupted another probe in the middle of a record, so what it sends is only counted.
 *
 * Context: any; locks of the scheduler may be held.
 */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <trace/events/ipi.h>

#include "compat.h"
#include "event.h"
#include "label.h"
#include "probes.h"
#include "util.h"

/* The mask in a record. */
#define FXT_IPI_MASK_CPUS	64U

/**
 * struct fxt_ipi - an interrupt that is sent now
 * @event: its record
 * @flags: of irqs
 * @function: the name of what the others have to call, or NULL
 * @room: may have that name
 */
struct fxt_ipi {
	struct fxt_event event;
	unsigned long flags;
	const struct fxt_sched_label *function;
	struct fxt_sched_label room;
};

/* Context: an NMI. */
static void fxt_ipi_miss(struct fxt_session *ss)
{
	const struct fxt_stream *s = this_cpu_ptr(ss->cpus);

	if (fxt_recording_covers(&ss->recording, fxt_stream_now(s, &ss->clock)) &&
	    fxt_event_keeps_here(ss, s))
		this_cpu_inc(ss->cpus->missed);
}

/* Count what came in NMIs. Context: irqs off. */
static void fxt_ipi_take_missed(struct fxt_session *ss)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	unsigned long missed;

	if (likely(!READ_ONCE(s->missed)))
		return;
	missed = this_cpu_xchg(ss->cpus->missed, 0);
	s->events += missed;
	s->lost += missed;
}

/* Return: false if there is nothing to write; then fxt_ipi_end() must not be called. */
static bool fxt_ipi_begin(struct fxt_session *ss, struct fxt_ipi *ipi, const void *function,
			  unsigned int words)
{
	if (unlikely(in_nmi())) {
		fxt_ipi_miss(ss);
		return false;
	}
	ipi->function = function ? fxt_function_name(ss->function_names, function, &ipi->room) :
				   NULL;
	local_irq_save(ipi->flags);
	if (!__this_cpu_read(fxt_notifies)) {
		fxt_ipi_take_missed(ss);
		if (fxt_event_begin(ss, &ipi->event, current, words))
			return true;
	}
	local_irq_restore(ipi->flags);
	return false;
}

static void fxt_ipi_end(const struct fxt_ipi *ipi, unsigned int words)
{
	fxt_event_commit(&ipi->event, words);
	local_irq_restore(ipi->flags);
}

static void fxt_probe_ipi_cpu(void *data, unsigned int cpu, unsigned long site, void *function)
{
	struct fxt_ipi ipi;

	if (fxt_ipi_begin(data, &ipi, function, FXT_SCHED_IPI_WORDS))
		fxt_ipi_end(&ipi, fxt_sched_put_ipi(ipi.event.rec, ipi.event.time,
						    current->pid, current->tgid, cpu,
						    ipi.function));
}

/* Other CPUs may change the mask meanwhile. */
static u64 fxt_first_cpus(const struct cpumask *cpus)
{
	unsigned int cpu;
	u64 first = 0;

	for_each_cpu(cpu, cpus) {
		if (cpu >= FXT_IPI_MASK_CPUS)
			break;
		first |= BIT_ULL(cpu);
	}
	return first;
}

static void fxt_probe_ipi_mask(void *data, const struct cpumask *cpus, unsigned long site,
			       void *function)
{
	struct fxt_ipi ipi;

	if (fxt_ipi_begin(data, &ipi, function, FXT_SCHED_IPI_MASK_WORDS))
		fxt_ipi_end(&ipi, fxt_sched_put_ipi_mask(ipi.event.rec, ipi.event.time,
							 current->pid, current->tgid,
							 cpumask_weight(cpus),
							 fxt_first_cpus(cpus), ipi.function));
}

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_ipi(void)
{
	FXT_CHECK_IPI_CPU(fxt_probe_ipi_cpu);
	FXT_CHECK_IPI_MASK(fxt_probe_ipi_mask);
}

static struct fxt_probe fxt_ipi_probes[] = {
	FXT_PROBE("ipi_send_cpu", fxt_probe_ipi_cpu),
	FXT_PROBE("ipi_send_cpumask", fxt_probe_ipi_mask),
};

const struct fxt_group fxt_ipi_group =
	FXT_GROUP(FXT_SCHED_EVENTS_IPI, fxt_ipi_probes);
