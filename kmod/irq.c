// SPDX-License-Identifier: GPL-2.0
/*
 * irq.c - slices of interrupts, hard and soft.
 *
 * In:  irq_handler_entry and _exit; on x86 the entries and exits of the vectors that have no
 * handler; on arm64 those of interrupts from other CPUs, inside the one handler that these
 * share; softirq_entry and _exit.
 * Out: records in the stream of the CPU.
 *
 * Context of hard interrupts: irqs off. The probes must not sleep, wake a thread or take a lock.
 *
 * Context of soft interrupts: irqs on, so hard interrupts nest in them. They do not nest in each
 * other, but on PREEMPT_RT a thread that serves one can be preempted by a thread that serves
 * another. If a kernel allows that for the same vector, only the inner one is recorded. None
 * moves to another CPU, so its beginning can be kept with irqs on.
 */
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/irq_vectors.h>
#include <asm/trace/irq_vectors.h>
#endif
#include <trace/events/irq.h>
#ifdef CONFIG_ARM64
#include <trace/events/ipi.h>
#endif

#include <fxt/fxt_vectors.h>

#include "event.h"
#include "label.h"
#include "probes.h"
#include "util.h"

/* --- hard interrupts: the slow path, see record.h --- */

static void fxt_hard_push(struct fxt_event_cpu *e, u64 now)
{
	if (!e->hard) {
		e->hard = now;
		return;
	}
	if (e->hard != FXT_HARD_NESTS) {
		e->nested[0] = e->hard;
		e->depth = 1;
		e->hard = FXT_HARD_NESTS;
	}
	if (likely(e->depth < FXT_HARD_NESTED))
		e->nested[e->depth] = now;
	e->depth++;
}

static void fxt_hard_begin(struct fxt_session *ss)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);

	lockdep_assert_irqs_disabled();
	fxt_hard_push(&s->open, fxt_stream_now(s, &ss->clock));
}

/*
 * Take the innermost hard interrupt.
 *
 * Return: ticks of its beginning; 0 if there is nothing to record.
 */
static u64 fxt_hard_pop(struct fxt_session *ss)
{
	struct fxt_event_cpu *e = &this_cpu_ptr(ss->cpus)->open;
	u64 begin = e->hard;

	lockdep_assert_irqs_disabled();
	if (likely(begin != FXT_HARD_NESTS)) {
		/* 0 if the probes were registered after it began. */
		e->hard = 0;
		return begin;
	}
	if (likely(--e->depth < FXT_HARD_NESTED)) {
		begin = e->nested[e->depth];
	} else {
		fxt_event_lose(ss);
		begin = 0;
	}
	if (e->depth == 1)
		e->hard = e->nested[0];
	return begin;
}

/* The handler of an interrupt ends now. */
static void fxt_write_handler(struct fxt_session *ss, u64 begin, u32 irq,
			      const struct irqaction *action)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 end = fxt_event_end(ss, s, begin), *rec;
	struct fxt_sched_label label;

	if (!fxt_recording_covers_slice(&ss->recording, begin, end) ||
	    !fxt_event_keeps_here(ss, s))
		return;
	rec = fxt_event_reserve(s, end, FXT_SCHED_IRQ_WORDS);
	if (unlikely(!rec))
		return;
	fxt_label_set(&label, action->name);
	fxt_stream_commit(s, rec, end,
			  fxt_sched_put_irq(rec, begin, end, s->id, irq, &label));
	fxt_trigger_interrupt(&ss->trigger, &ss->recording, FXT_SCHED_CAUSE_IRQ, s->id,
			      begin, end);
}

/* A handler can run in an NMI, on arm64. x86's NMIs have no handlers of this kind. */
static __always_inline bool fxt_handler_in_nmi(void)
{
	return !IS_ENABLED(CONFIG_X86) && in_nmi();
}

static void fxt_probe_handler_entry_slow(void *data, int irq, struct irqaction *action)
{
	if (!fxt_handler_in_nmi())
		fxt_hard_begin(data);
}

static void fxt_probe_handler_exit_slow(void *data, int irq, struct irqaction *action, int ret)
{
	u64 begin;

	if (fxt_handler_in_nmi())
		return;
	begin = fxt_hard_pop(data);
	if (begin)
		fxt_write_handler(data, begin, irq, action);
}

/* --- hard interrupts: the fast path --- */

/* Return: false if the slow path has to handle it. */
static __always_inline bool fxt_hard_begin_fast(struct fxt_session *ss,
						const clockid_t clock)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 now;

	lockdep_assert_irqs_disabled();
	if (unlikely(s->open.hard) || !fxt_clock_read(&ss->clock, clock, &now) ||
	    unlikely(now < s->last))
		return false;
	s->open.hard = now;
	return true;
}

static __always_inline bool fxt_probe_handler_entry_fast(struct fxt_session *ss, int irq,
							 struct irqaction *action,
							 const clockid_t clock)
{
	return !unlikely(fxt_handler_in_nmi()) && fxt_hard_begin_fast(ss, clock);
}

/*
 * Do everything that does not depend on the clock before reading it: the clock needs three
 * registers.
 */
static __always_inline bool fxt_probe_handler_exit_fast(struct fxt_session *ss, int irq,
							struct irqaction *action, int ret,
							const clockid_t clock)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 *rec = s->pos, *after, begin, end, bytes;

	lockdep_assert_irqs_disabled();
	if (unlikely(fxt_handler_in_nmi()) || !fxt_fast_fits(s, FXT_SCHED_IRQ_WORDS))
		return false;
	/* Nothing of the record is read before the commit. */
	bytes = action->name ? fxt_label_put(rec + FXT_SCHED_EVENT_HEAD, action->name) : 0;
	if (unlikely(!bytes))
		return false;
	after = rec + fxt_sched_irq_words(bytes);
	fxt_sched_put_irq_around(rec, after, fxt_sched_irq_header(bytes), irq, s->open.hard,
				 s->id);
	/* If interrupts nest, this one seems to end before it began. */
	if (!fxt_fast_slice_ends(ss, s, &s->open.hard, &end, clock))
		return false;
	/* 0, if the probes have come after it began, is before the recording. */
	begin = s->open.hard;
	s->open.hard = 0;
	if (!fxt_recording_covers_slice(&ss->recording, begin, end))
		return true;
	s->events++;
	fxt_sched_put_slice_end(after, end);
	fxt_stream_commit_until(s, after, end);
	return true;
}

DEFINE_FXT_PROBES(fxt_probe_handler_entry,
		  TP_PROTO(int irq, struct irqaction *action), TP_ARGS(irq, action))

/* Neither uses @ret, and a constant takes no register. */
DEFINE_FXT_PROBES(fxt_probe_handler_exit,
		  TP_PROTO(int irq, struct irqaction *action, int ret), TP_ARGS(irq, action, 0))

/* --- vectors of x86 --- */

#ifdef CONFIG_X86_LOCAL_APIC

static_assert(FXT_LINUX_LOCAL_TIMER == LOCAL_TIMER_VECTOR);
static_assert(FXT_LINUX_DEFERRED == DEFERRED_ERROR_VECTOR);
static_assert(FXT_LINUX_IRQ_WORK == IRQ_WORK_VECTOR);
static_assert(FXT_LINUX_X86_PLATFORM == X86_PLATFORM_IPI_VECTOR);
static_assert(FXT_LINUX_THRESHOLD == THRESHOLD_APIC_VECTOR);
static_assert(FXT_LINUX_THERMAL == THERMAL_APIC_VECTOR);
static_assert(FXT_LINUX_CALL_SINGLE == CALL_FUNCTION_SINGLE_VECTOR);
static_assert(FXT_LINUX_CALL == CALL_FUNCTION_VECTOR);
static_assert(FXT_LINUX_RESCHEDULE == RESCHEDULE_VECTOR);
static_assert(FXT_LINUX_ERROR == ERROR_APIC_VECTOR);
static_assert(FXT_LINUX_SPURIOUS == SPURIOUS_APIC_VECTOR);

/* fxt_sched_cpu_slice_header() of each vector: costs less than to compute it. */
static u64 fxt_vector_headers[NR_VECTORS] __ro_after_init;

static void __init fxt_vector_headers_fill(void)
{
	unsigned int i;

	for (i = 0; i < NR_VECTORS; i++)
		fxt_vector_headers[i] = fxt_sched_cpu_slice_header(FXT_STR_IRQ,
								   fxt_vector_name(i));
}

static void fxt_probe_vector_entry_slow(void *data, int vector)
{
	fxt_hard_begin(data);
}

static void fxt_probe_vector_exit_slow(void *data, int vector)
{
	u64 begin = fxt_hard_pop(data);

	if (begin)
		fxt_event_write_slice(data, begin, FXT_SCHED_KOID_IRQ, FXT_STR_IRQ,
				      fxt_vector_name(vector));
}

static __always_inline bool fxt_probe_vector_entry_fast(struct fxt_session *ss, int vector,
							const clockid_t clock)
{
	return fxt_hard_begin_fast(ss, clock);
}

static __always_inline bool fxt_probe_vector_exit_fast(struct fxt_session *ss, int vector,
						       const clockid_t clock)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 begin, end;

	lockdep_assert_irqs_disabled();
	/* If interrupts nest, this one seems to end before it began. */
	if (!fxt_fast_slice_ends(ss, s, &s->open.hard, &end, clock) ||
	    !fxt_fast_fits(s, FXT_SCHED_CPU_SLICE_WORDS))
		return false;
	begin = s->open.hard;
	s->open.hard = 0;
	fxt_fast_slice_write(ss, s, begin, end, FXT_SCHED_KOID_IRQ,
			     fxt_vector_headers[(u8)vector]);
	return true;
}

DEFINE_FXT_PROBES(fxt_probe_vector_entry, TP_PROTO(int vector), TP_ARGS(vector))

DEFINE_FXT_PROBES(fxt_probe_vector_exit, TP_PROTO(int vector), TP_ARGS(vector))

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_vectors(void)
{
	check_trace_callback_type_local_timer_entry(fxt_probe_vector_entry_slow);
	check_trace_callback_type_local_timer_entry(fxt_probe_vector_entry_boot);
	check_trace_callback_type_local_timer_exit(fxt_probe_vector_exit_slow);
	check_trace_callback_type_local_timer_exit(fxt_probe_vector_exit_boot);
}

#else

static void __init fxt_vector_headers_fill(void)
{
}

#endif

/* --- interrupts from other CPUs on arm64 --- */

#ifdef CONFIG_ARM64

static void fxt_probe_ipi_entry(void *data, const char *reason)
{
	if (fxt_ipi_name(*reason))
		fxt_hard_begin(data);
}

static void fxt_probe_ipi_exit(void *data, const char *reason)
{
	u32 name = fxt_ipi_name(*reason);
	u64 begin = name ? fxt_hard_pop(data) : 0;

	if (begin)
		fxt_event_write_slice(data, begin, FXT_SCHED_KOID_IRQ, FXT_STR_IRQ, name);
}

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_received(void)
{
	check_trace_callback_type_ipi_entry(fxt_probe_ipi_entry);
	check_trace_callback_type_ipi_exit(fxt_probe_ipi_exit);
}

#endif

/* --- soft interrupts --- */

static_assert(FXT_STR_SOFTIRQ_LAST - FXT_STR_SOFTIRQ_FIRST + 1 == NR_SOFTIRQS);

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

/* fxt_sched_cpu_slice_header() of each: costs less than to compute it. */
static u64 fxt_softirq_headers[NR_SOFTIRQS] __ro_after_init;

/* Prepare what the probes need, when the module is loaded. */
void __init fxt_irq_headers_fill(void)
{
	unsigned int i;

	for (i = 0; i < NR_SOFTIRQS; i++)
		fxt_softirq_headers[i] = fxt_sched_cpu_slice_header(FXT_STR_SOFTIRQ,
								    FXT_STR_SOFTIRQ_FIRST + i);
	fxt_vector_headers_fill();
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

#ifdef CONFIG_X86_LOCAL_APIC

#define FXT_VECTOR_EXIT(vector)							\
	FXT_OPTIONAL_EVENT_PROBE(vector "_exit", fxt_probe_vector_exit)

#define FXT_VECTOR_ENTRY(vector)						\
	FXT_OPTIONAL_EVENT_PROBE(vector "_entry", fxt_probe_vector_entry)

#endif

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_irq(void)
{
	check_trace_callback_type_irq_handler_entry(fxt_probe_handler_entry_slow);
	check_trace_callback_type_irq_handler_entry(fxt_probe_handler_entry_boot);
	check_trace_callback_type_irq_handler_exit(fxt_probe_handler_exit_slow);
	check_trace_callback_type_irq_handler_exit(fxt_probe_handler_exit_boot);
	check_trace_callback_type_softirq_entry(fxt_probe_softirq_entry_slow);
	check_trace_callback_type_softirq_entry(fxt_probe_softirq_entry_boot);
	check_trace_callback_type_softirq_exit(fxt_probe_softirq_exit_slow);
	check_trace_callback_type_softirq_exit(fxt_probe_softirq_exit_boot);
}

static struct fxt_probe fxt_irq_probes[] = {
	FXT_EVENT_PROBE("irq_handler_exit", fxt_probe_handler_exit),
	FXT_EVENT_PROBE("irq_handler_entry", fxt_probe_handler_entry),
#ifdef CONFIG_X86_LOCAL_APIC
	FXT_VECTOR_EXIT("local_timer"), FXT_VECTOR_ENTRY("local_timer"),
	FXT_VECTOR_EXIT("reschedule"), FXT_VECTOR_ENTRY("reschedule"),
	FXT_VECTOR_EXIT("call_function"), FXT_VECTOR_ENTRY("call_function"),
	FXT_VECTOR_EXIT("call_function_single"), FXT_VECTOR_ENTRY("call_function_single"),
	FXT_VECTOR_EXIT("irq_work"), FXT_VECTOR_ENTRY("irq_work"),
	FXT_VECTOR_EXIT("x86_platform_ipi"), FXT_VECTOR_ENTRY("x86_platform_ipi"),
	FXT_VECTOR_EXIT("thermal_apic"), FXT_VECTOR_ENTRY("thermal_apic"),
	FXT_VECTOR_EXIT("error_apic"), FXT_VECTOR_ENTRY("error_apic"),
	FXT_VECTOR_EXIT("spurious_apic"), FXT_VECTOR_ENTRY("spurious_apic"),
	FXT_VECTOR_EXIT("threshold_apic"), FXT_VECTOR_ENTRY("threshold_apic"),
	FXT_VECTOR_EXIT("deferred_error_apic"), FXT_VECTOR_ENTRY("deferred_error_apic"),
#endif
#ifdef CONFIG_ARM64
	FXT_PROBE("ipi_exit", fxt_probe_ipi_exit),
	FXT_PROBE("ipi_entry", fxt_probe_ipi_entry),
#endif
	FXT_EVENT_PROBE("softirq_exit", fxt_probe_softirq_exit),
	FXT_EVENT_PROBE("softirq_entry", fxt_probe_softirq_entry),
};

const struct fxt_group fxt_irq_group =
	FXT_GROUP(FXT_SCHED_EVENTS_IRQ, fxt_irq_probes);
