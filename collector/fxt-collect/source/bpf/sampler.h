/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampler.h - perf events whose timers run the program that takes samples.
 *
 * In:  CPUs that are online, and the filter of CPUs.
 * Out: an event for each that the filter keeps, which runs the program at regular times while the
 *	CPU is not idle. The timer interrupts, and so wakes, idle CPUs, too.
 *
 * A CPU that goes offline and comes online again between two calls of sampler_follow(), as in a
 * suspend of the machine, is not sampled any more: the kernel has detached its event.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_SAMPLER_H
#define FXT_COLLECT_SOURCE_BPF_SAMPLER_H

#include <stdint.h>

#include "source/source.h"

/** struct sampler - the events of all CPUs; initialized with zeros */
struct sampler {
	int *events;		/* descriptors by CPU, @cpu_count of them; -1: none */
	unsigned int cpu_count;
	const struct source_filter *filter;	/* hides CPUs; of the caller */
	int program;		/* descriptor of the BPF program */
	uint64_t period;	/* ns between two samples of a CPU */
};

/**
 * sampler_open() - begin to sample the CPUs that are online; takes CAP_PERFMON
 * @program: descriptor of a BPF program
 * @period: ns
 * @cpu_count: possible CPUs
 * @filter: hides CPUs; stays until sampler_close()
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int sampler_open(struct sampler *s, int program, uint64_t period, unsigned int cpu_count,
		 const struct source_filter *filter, struct error *e);

/*
 * Follow CPUs that have come online or gone offline; without an open sampler, do nothing. Return: 0
 * or a negative errno: some CPUs have no event; the next call tries again.
 */
int sampler_follow(struct sampler *s);

/* Close an open sampler, or none. */
void sampler_close(struct sampler *s);

#endif /* FXT_COLLECT_SOURCE_BPF_SAMPLER_H */
