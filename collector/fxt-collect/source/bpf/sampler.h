/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampler.h - perf events whose timers run the program that takes samples.
 *
 * In:  CPUs that are online.
 * Out: an event for each, which fires at regular times while the CPU is not idle.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_SAMPLER_H
#define FXT_COLLECT_SOURCE_BPF_SAMPLER_H

#include <stdint.h>

#include "source/source.h"

/** struct sampler - the events of all CPUs; initialized with zeros */
struct sampler {
	int *events;		/* descriptors by CPU, @cpu_count of them; -1: none */
	unsigned int cpu_count;
	int program;		/* descriptor of the BPF program */
	uint64_t period;	/* ns between two samples of a CPU */
	int error;		/* why a CPU that has come online has no event, a negative errno */
};

/**
 * sampler_open() - begin to sample all CPUs that are online; takes CAP_PERFMON
 * @program: descriptor of a BPF program
 * @period: ns
 * @cpu_count: possible CPUs
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int sampler_open(struct sampler *s, int program, uint64_t period, unsigned int cpu_count,
		 struct error *e);

/* Follow CPUs that have come online or gone offline; without an open sampler, do nothing. */
void sampler_follow(struct sampler *s);

/* Close an open sampler, or none. */
void sampler_close(struct sampler *s);

#endif /* FXT_COLLECT_SOURCE_BPF_SAMPLER_H */
