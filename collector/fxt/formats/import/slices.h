/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices.h - interrupts, soft interrupts and idle states: a slice from entry to exit.
 */
#ifndef FXT_FORMATS_IMPORT_SLICES_H
#define FXT_FORMATS_IMPORT_SLICES_H

#include "archive.h"
#include "event.h"

/**
 * struct trace_cpu_slices - what a CPU is in
 * @irq: number of the interrupt that it serves, valid if @irq_name is not empty
 * @irq_begin: ns; the others likewise
 * @softirq: vector, valid if @in_softirq
 * @idle: state, valid if @is_idle
 */
struct trace_cpu_slices {
	uint64_t irq_begin;
	uint64_t softirq_begin;
	uint64_t idle_begin;
	uint32_t irq;
	uint32_t softirq;
	uint32_t idle;
	bool in_softirq;
	bool is_idle;
	struct trace_name irq_name;
};

/** struct trace_slices - of all CPUs; begins as zeros */
struct trace_slices {
	struct trace_archive *a;
	struct trace_cpu_slices *cpus;
	bool is_named[3];	/* the processes of the tracks */
	uint8_t tracks[TRACE_CPUS];	/* those that have a name, as bits */
};

/** trace_slice() - take an event of TRACE_IRQ_ENTRY to TRACE_IDLE. Return: 0 or a negative errno */
int trace_slice(struct trace_slices *s, const struct trace_event *e);

/** trace_slices_lost() - events of a CPU were lost: what it is in is unknown */
void trace_slices_lost(struct trace_slices *s, uint32_t cpu);

void trace_slices_close(struct trace_slices *s);

#endif /* FXT_FORMATS_IMPORT_SLICES_H */
