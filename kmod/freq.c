// SPDX-License-Identifier: GPL-2.0
/*
 * freq.c - counters of the CPUs' frequencies and of their limits.
 *
 * In:  cpu_frequency, cpu_frequency_limits. Out: records in the stream of the CPU that they
 * fire on, which need not be the one whose frequency changes.
 *
 * Context: any but NMI.
 */
#include <linux/cpufreq.h>
#include <linux/irqflags.h>
#include <trace/events/power.h>

#include "event.h"
#include "probes.h"

/* @max_khz: as for fxt_sched_put_frequency() */
static void fxt_write_frequency(struct fxt_session *ss, u32 cpu, u32 khz, u32 max_khz)
{
	struct fxt_stream *s;
	unsigned long flags;
	u64 now, *rec;

	if (cpu >= nr_cpu_ids || !per_cpu_ptr(ss->cpus, cpu)->cpu_traced)
		return;
	local_irq_save(flags);
	s = this_cpu_ptr(ss->cpus);
	now = fxt_stream_now(s, &ss->clock);
	if (fxt_recording_covers(&ss->recording, now)) {
		rec = fxt_event_reserve(s, now, FXT_SCHED_FREQUENCY_WORDS);
		if (likely(rec))
			fxt_stream_commit(s, rec, now,
					  fxt_sched_put_frequency(rec, now, cpu, khz,
								  max_khz));
	}
	local_irq_restore(flags);
}

static void fxt_probe_frequency(void *data, unsigned int khz, unsigned int cpu)
{
	fxt_write_frequency(data, cpu, khz, 0);
}

/* Of all CPUs of the policy; the record names the first, as the tracepoint does. */
static void fxt_probe_frequency_limits(void *data, struct cpufreq_policy *policy)
{
	/* A limit of 0 would make it the record of a frequency. */
	fxt_write_frequency(data, policy->cpu, policy->min, max(policy->max, 1U));
}

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_freq(void)
{
	check_trace_callback_type_cpu_frequency(fxt_probe_frequency);
	check_trace_callback_type_cpu_frequency_limits(fxt_probe_frequency_limits);
}

static struct fxt_probe fxt_freq_probes[] = {
	FXT_PROBE("cpu_frequency", fxt_probe_frequency),
	FXT_OPTIONAL_PROBE("cpu_frequency_limits", fxt_probe_frequency_limits),
};

const struct fxt_group fxt_freq_group = {
	.events = FXT_SCHED_EVENTS_FREQ,
	.probes = fxt_freq_probes,
	.count = ARRAY_SIZE(fxt_freq_probes),
	.threadless = true,
};
