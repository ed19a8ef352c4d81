// SPDX-License-Identifier: GPL-2.0
/*
 * softirq.c - slices of soft interrupts.
 *
 * In:  softirq_entry, softirq_exit. Out: records in the stream of the CPU.
 *
 * Context: soft interrupts run with irqs on, so hard interrupts nest in them. They do not
 * nest in each other, but on PREEMPT_RT a thread that serves one can be preempted by a
 * thread that serves another. If a kernel allows that for the same vector, only the inner
 * one is recorded. None moves to another CPU, so its beginning can be kept with irqs on.
 */
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <trace/events/irq.h>

#include "event.h"
#include "probes.h"

static_assert(FXT_STR_SOFTIRQ_LAST - FXT_STR_SOFTIRQ_FIRST + 1 == NR_SOFTIRQS);

/* --- the slow path, see record.h ------------------------------------------ */

static void fxt_probe_softirq_entry_slow(void *data, unsigned int vector)
{
	struct fxt_session *ss = data;
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);

	if (likely(vector < NR_SOFTIRQS))
		s->open.softirq[vector] = fxt_stream_now(s, &ss->clock);
}

static void fxt_probe_softirq_exit_slow(void *data, unsigned int vector)
{
	struct fxt_session *ss = data;
	struct fxt_event_cpu *e;
	unsigned long flags;
	u64 begin;

	if (unlikely(vector >= NR_SOFTIRQS))
		return;
	local_irq_save(flags);
	e = &this_cpu_ptr(ss->cpus)->open;
	begin = e->softirq[vector];
	e->softirq[vector] = 0;
	if (begin)
		fxt_event_write_slice(ss, begin, FXT_SCHED_KOID_SOFTIRQ, FXT_STR_SOFTIRQ,
				      FXT_STR_SOFTIRQ_FIRST + vector);
	local_irq_restore(flags);
}

/* --- the fast path ------------------------------------------------------- */

/* fxt_sched_cpu_slice_header() of each: costs less than to compute it. */
static u64 fxt_softirq_headers[NR_SOFTIRQS] __ro_after_init;

/**
 * fxt_softirq_headers_fill() - prepare what the probes need
 *
 * Context: when the module is loaded.
 */
void __init fxt_softirq_headers_fill(void)
{
	unsigned int i;

	for (i = 0; i < NR_SOFTIRQS; i++)
		fxt_softirq_headers[i] = fxt_sched_cpu_slice_header(FXT_STR_SOFTIRQ,
								    FXT_STR_SOFTIRQ_FIRST + i);
}

static __always_inline bool fxt_probe_softirq_entry_fast(struct fxt_session *ss,
							 unsigned int vector,
							 const clockid_t clock)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 now;

	if (unlikely(vector >= NR_SOFTIRQS) || !fxt_clock_read(&ss->clock, clock, &now) ||
	    unlikely(now < s->last))
		return false;
	s->open.softirq[vector] = now;
	return true;
}

static __always_inline bool fxt_probe_softirq_exit_fast(struct fxt_session *ss,
							unsigned int vector,
							const clockid_t clock)
{
	struct fxt_stream *s;
	unsigned long flags;
	u64 begin, end;

	if (unlikely(vector >= NR_SOFTIRQS))
		return false;
	local_irq_save(flags);
	s = this_cpu_ptr(ss->cpus);
	if (!fxt_fast_slice_ends(ss, s, &s->open.softirq[vector], &end, clock) ||
	    !fxt_fast_fits(s, FXT_SCHED_CPU_SLICE_WORDS)) {
		local_irq_restore(flags);
		return false;
	}
	begin = s->open.softirq[vector];
	s->open.softirq[vector] = 0;
	/* 0, if the probes have come after it began, is before the recording. */
	fxt_fast_slice_write(ss, s, begin, end, FXT_SCHED_KOID_SOFTIRQ,
			     fxt_softirq_headers[vector]);
	local_irq_restore(flags);
	return true;
}

DEFINE_FXT_PROBES(fxt_probe_softirq_entry, TP_PROTO(unsigned int vector), TP_ARGS(vector))

DEFINE_FXT_PROBES(fxt_probe_softirq_exit, TP_PROTO(unsigned int vector), TP_ARGS(vector))

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_softirq(void)
{
	check_trace_callback_type_softirq_entry(fxt_probe_softirq_entry_slow);
	check_trace_callback_type_softirq_entry(fxt_probe_softirq_entry_boot);
	check_trace_callback_type_softirq_exit(fxt_probe_softirq_exit_slow);
	check_trace_callback_type_softirq_exit(fxt_probe_softirq_exit_boot);
}

static struct fxt_probe fxt_softirq_probes[] = {
	FXT_EVENT_PROBE("softirq_exit", fxt_probe_softirq_exit),
	FXT_EVENT_PROBE("softirq_entry", fxt_probe_softirq_entry),
};

const struct fxt_group fxt_softirq_group =
	FXT_GROUP(FXT_SCHED_EVENTS_IRQ, fxt_softirq_probes);
