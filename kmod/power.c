// SPDX-License-Identifier: GPL-2.0
/*
 * power.c - slices of idle states, instants where another state would have been better, and
 * counters of the CPUs' frequencies and of their limits.
 *
 * In:  cpu_idle, whose state is PWR_EVENT_EXIT at the end; cpu_idle_miss; cpu_frequency,
 * cpu_frequency_limits. Out: records in the stream of the CPU. The former fire on the CPU that
 * they name, the latter need not.
 *
 * Context of idle states: the idle thread. The tracepoints leave irqs on in some idle loops. On
 * old kernels RCU may not be watching in others, so nothing here uses RCU; the tracepoints see to
 * their own use of it.
 *
 * Context of frequencies: any but NMI.
 */
#include <linux/cpufreq.h>
#include <linux/irqflags.h>
#include <trace/events/power.h>

#include "compat.h"
#include "event.h"
#include "probes.h"

/* --- idle states: the slow path, see record.h --- */

static void fxt_idle_end(struct fxt_session *ss, u64 begin, u32 state)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 end = fxt_event_end(ss, s, begin), *rec;

	if (!s->cpu_traced || !fxt_recording_covers_slice(&ss->recording, begin, end))
		return;
	rec = fxt_event_reserve(s, end, FXT_SCHED_IDLE_WORDS);
	if (likely(rec))
		fxt_stream_commit(s, rec, end,
				  fxt_sched_put_idle(rec, begin, end, s->id, state));
}

static void fxt_probe_idle_slow(void *data, unsigned int state, unsigned int cpu)
{
	struct fxt_session *ss = data;
	struct fxt_event_cpu *e;
	struct fxt_stream *s;
	unsigned long flags;

	local_irq_save(flags);
	s = this_cpu_ptr(ss->cpus);
	e = &s->open;
	if (e->idle)
		fxt_idle_end(ss, e->idle, e->idle_state);
	e->idle = 0;
	if (state != (u32)PWR_EVENT_EXIT) {
		e->idle = fxt_stream_now(s, &ss->clock);
		e->idle_state = state;
	}
	local_irq_restore(flags);
}

static void fxt_probe_idle_miss(void *data, unsigned int cpu, unsigned int state, bool below)
{
	struct fxt_session *ss = data;
	struct fxt_stream *s;
	unsigned long flags;
	u64 now, *rec;

	local_irq_save(flags);
	s = this_cpu_ptr(ss->cpus);
	now = fxt_stream_now(s, &ss->clock);
	if (s->cpu_traced && fxt_recording_covers(&ss->recording, now)) {
		rec = fxt_event_reserve(s, now, FXT_SCHED_IDLE_MISS_WORDS);
		if (likely(rec))
			fxt_stream_commit(s, rec, now,
					  fxt_sched_put_idle_miss(rec, now, s->id, state,
								  below));
	}
	local_irq_restore(flags);
}

/* --- idle states: the fast path --- */

/* Context: irqs off. */
static __always_inline bool fxt_fast_idle_begin(struct fxt_session *ss, u32 state,
						const clockid_t clock)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 now;

	if (unlikely(s->open.idle) || !fxt_clock_read(&ss->clock, clock, &now) ||
	    unlikely(now < s->last))
		return false;
	s->open.idle = now;
	s->open.idle_state = state;
	return true;
}

/* Context: irqs off. */
static __always_inline bool fxt_fast_idle_end(struct fxt_session *ss,
					      const clockid_t clock)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 begin, end;

	if (!fxt_fast_slice_ends(ss, s, &s->open.idle, &end, clock) ||
	    !fxt_fast_fits(s, FXT_SCHED_IDLE_WORDS))
		return false;
	begin = s->open.idle;
	s->open.idle = 0;
	/* 0, if the probe has come after it began, is before the recording. */
	if (!fxt_recording_covers_slice(&ss->recording, begin, end))
		return true;
	s->events++;
	fxt_sched_put_idle(s->pos, begin, end, s->id, s->open.idle_state);
	fxt_stream_commit(s, s->pos, end, FXT_SCHED_IDLE_WORDS);
	return true;
}

static __always_inline bool fxt_probe_idle_fast(struct fxt_session *ss, unsigned int state,
						unsigned int cpu,
						const clockid_t clock)
{
	unsigned long flags;
	bool fast;

	local_irq_save(flags);
	fast = state == (u32)PWR_EVENT_EXIT ? fxt_fast_idle_end(ss, clock) :
					      fxt_fast_idle_begin(ss, state, clock);
	local_irq_restore(flags);
	return fast;
}

DEFINE_FXT_PROBES(fxt_probe_idle, TP_PROTO(unsigned int state, unsigned int cpu),
		  TP_ARGS(state, cpu))

/* --- frequencies --- */

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

/* --- the groups --- */

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_power(void)
{
	check_trace_callback_type_cpu_idle(fxt_probe_idle_slow);
	check_trace_callback_type_cpu_idle(fxt_probe_idle_boot);
	FXT_CHECK_IDLE_MISS(fxt_probe_idle_miss);
	check_trace_callback_type_cpu_frequency(fxt_probe_frequency);
	check_trace_callback_type_cpu_frequency_limits(fxt_probe_frequency_limits);
}

static struct fxt_probe fxt_idle_probes[] = {
	FXT_EVENT_PROBE("cpu_idle", fxt_probe_idle),
	FXT_OPTIONAL_PROBE("cpu_idle_miss", fxt_probe_idle_miss),
};

const struct fxt_group fxt_idle_group = {
	.events = FXT_SCHED_EVENTS_IDLE,
	.probes = fxt_idle_probes,
	.count = ARRAY_SIZE(fxt_idle_probes),
	.threadless = true,
};

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
