/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampler.h - perf events whose timers run a program on each online CPU that the filter keeps, at
 * regular times while the CPU is not idle. The timer also wakes idle CPUs.
 *
 * A CPU that goes offline and comes online again between two calls of sampler_follow(), as in a
 * suspend of the machine, is not sampled any more: the kernel has detached its event.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_SAMPLER_H
#define FXT_COLLECT_SOURCE_BPF_SAMPLER_H

#include <stdint.h>

#include "source/source.h"

/* Initialize with zeros. */
struct sampler {
	int *events;		/* descriptors by CPU; -1: none */
	unsigned int cpu_count;
	const struct source_filter *filter;	/* of the caller */
	int program;		/* descriptor */
	uint64_t period;	/* ns between two samples of a CPU */
};

/**
 * sampler_open() - begin to sample the CPUs that are online; takes CAP_PERFMON
 * @program: descriptor of a BPF program
 * @period: ns
 * @cpu_count: possible CPUs
 * @filter: hides CPUs; stays until sampler_close()
 *
 * Return: 0 or a negative errno.
 */
int sampler_open(struct sampler *s, int program, uint64_t period, unsigned int cpu_count,
		 const struct source_filter *filter, struct error *e);

/*
 * Follow CPUs that have come online or gone offline; ignores a sampler that is not open. Return: 0
 * or a negative errno: some CPUs have no event; the next call tries again
 */
int sampler_follow(struct sampler *s);

void sampler_close(struct sampler *s);

#endif /* FXT_COLLECT_SOURCE_BPF_SAMPLER_H */
