/* SPDX-License-Identifier: GPL-2.0 */
/*
 * freq.h - the probes of frequencies.
 */
#ifndef FXT_KMOD_FREQ_H
#define FXT_KMOD_FREQ_H

struct cpufreq_policy;

void fxt_probe_frequency(void *data, unsigned int khz, unsigned int cpu);
void fxt_probe_frequency_limits(void *data, struct cpufreq_policy *policy);

#endif /* FXT_KMOD_FREQ_H */
