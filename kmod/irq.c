// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq.c - slices of interrupts, hard and soft.
 *
 * In:  irq_handler_entry and _exit; on x86 the entries and exits of vectors without a handler; on
 *      arm64 those of interrupts from other CPUs, inside the one handler that these share;
 *      softirq_entry and _exit.
 * Out: records in the stream of the CPU.
 *
 * Context of hard interrupts: interrupts are disabled, unless a driver has enabled them in its
 * handler, which the kernel checks only after irq_handler_exit. Then they nest.
 *
 * Context of soft interrupts: interrupts are enabled, so hard interrupts nest in them. They do not
 * nest in each other, but on PREEMPT_RT a thread that serves one can preempt a thread that serves
 * another. If a kernel allows that for the same vector, only the inner one is recorded.
 *
 * None moves to another CPU, so their beginnings need no lock. Each interrupt leaves those of the
 * interrupts below it unchanged.
 */
#include <linux/compiler.h>
#include <linux/interrupt.h>
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

/* Commit a record of @words, and let the trigger see the interrupt. */
static void fxt_interrupt_end(struct fxt_session *ss, const struct fxt_event *e,
			      enum fxt_sched_cause cause, unsigned int words)
{
	fxt_stream_commit(e->s, e->rec, e->time, words);
	fxt_trigger_interrupt(&ss->trigger, &ss->recording, cause, e->s->id, e->begin, e->time);
	local_irq_restore(e->flags);
}

/* --- hard interrupts --- */

static void fxt_hard_begin(struct fxt_session *ss)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u32 depth = s->open.depth++;

	/* An interrupt that nests uses the next place. */
	barrier();
	if (likely(depth < FXT_HARD_NESTED))
		s->open.hard[depth] = fxt_stream_now(s, &ss->clock);
}

/* Context and return: as of fxt_slice_end(). */
static bool fxt_hard_end(struct fxt_session *ss, struct fxt_event *e, unsigned int words)
{
	struct fxt_event_cpu *open = &this_cpu_ptr(ss->cpus)->open;
	u32 depth = open->depth;
	bool due = false;

	/* The probes were registered after it began. */
	if (unlikely(!depth))
		return false;
	if (likely(depth <= FXT_HARD_NESTED))
		due = fxt_slice_end(ss, e, current, &open->hard[depth - 1], words);
	else
		fxt_slice_lose(ss);
	/* As in fxt_hard_begin(). */
	barrier();
	open->depth = depth - 1;
	return due;
}

/* On arm64 a handler can run in an NMI. NMIs of x86 have no handlers of this kind. */
static __always_inline bool fxt_handler_in_nmi(void)
{
	return !IS_ENABLED(CONFIG_X86) && in_nmi();
}

static void fxt_probe_handler_entry(void *data, int irq, struct irqaction *action)
{
	if (!fxt_handler_in_nmi())
		fxt_hard_begin(data);
}

static unsigned int fxt_put_handler(const struct fxt_event *e, u32 irq, const char *name)
{
	struct fxt_sched_label label = { };

	label.bytes = name ? fxt_label_put(label.words, name) : 0;
	if (unlikely(!label.bytes))
		fxt_label_set(&label, name);
	return fxt_sched_put_irq(e->rec, e->begin, e->time, e->s->id, irq, &label);
}

static void fxt_probe_handler_exit(void *data, int irq, struct irqaction *action, int ret)
{
	struct fxt_event e;

	if (!fxt_handler_in_nmi() && fxt_hard_end(data, &e, FXT_SCHED_IRQ_WORDS))
		fxt_interrupt_end(data, &e, FXT_SCHED_CAUSE_IRQ,
				  fxt_put_handler(&e, irq, action->name));
}

/* @name: FXT_STR_VECTOR_* */
static void __maybe_unused fxt_vector_end(struct fxt_session *ss, u32 name)
{
	struct fxt_event e;

	if (fxt_hard_end(ss, &e, FXT_SCHED_CPU_SLICE_WORDS))
		fxt_interrupt_end(ss, &e, FXT_SCHED_CAUSE_IRQ,
				  fxt_sched_put_cpu_slice(e.rec, e.begin, e.time,
							  FXT_SCHED_KOID_IRQ, e.s->id,
							  FXT_STR_IRQ, name));
}

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

static void fxt_probe_vector_entry(void *data, int vector)
{
	fxt_hard_begin(data);
}

static void fxt_probe_vector_exit(void *data, int vector)
{
	fxt_vector_end(data, fxt_vector_name(vector));
}

/* A kernel may lack some of them. All have the same signature. */
#define FXT_VECTOR_PROBES(vector)						\
	FXT_PROBE_LIKE(#vector "_exit", local_timer_exit, fxt_probe_vector_exit,\
		       .optional = true),					\
	FXT_PROBE_LIKE(#vector "_entry", local_timer_entry, fxt_probe_vector_entry,\
		       .optional = true)

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

	if (name)
		fxt_vector_end(data, name);
}

#endif

/* --- soft interrupts --- */

static_assert(FXT_STR_SOFTIRQ_LAST - FXT_STR_SOFTIRQ_FIRST + 1 == NR_SOFTIRQS);

static void fxt_probe_softirq_entry(void *data, unsigned int vector)
{
	struct fxt_session *ss = data;
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);

	if (likely(vector < NR_SOFTIRQS))
		s->open.softirq[vector] = fxt_stream_now(s, &ss->clock);
}

static void fxt_probe_softirq_exit(void *data, unsigned int vector)
{
	struct fxt_session *ss = data;
	struct fxt_event e;

	if (likely(vector < NR_SOFTIRQS) &&
	    fxt_slice_end(ss, &e, current, &this_cpu_ptr(ss->cpus)->open.softirq[vector],
			  FXT_SCHED_CPU_SLICE_WORDS))
		fxt_interrupt_end(ss, &e, FXT_SCHED_CAUSE_SOFTIRQ,
				  fxt_sched_put_cpu_slice(e.rec, e.begin, e.time,
							  FXT_SCHED_KOID_SOFTIRQ, e.s->id,
							  FXT_STR_SOFTIRQ,
							  FXT_STR_SOFTIRQ_FIRST + vector));
}

static struct fxt_probe fxt_irq_probes[] = {
	FXT_PROBE(irq_handler_exit, fxt_probe_handler_exit),
	FXT_PROBE(irq_handler_entry, fxt_probe_handler_entry),
#ifdef CONFIG_X86_LOCAL_APIC
	FXT_VECTOR_PROBES(local_timer),
	FXT_VECTOR_PROBES(reschedule),
	FXT_VECTOR_PROBES(call_function),
	FXT_VECTOR_PROBES(call_function_single),
	FXT_VECTOR_PROBES(irq_work),
	FXT_VECTOR_PROBES(x86_platform_ipi),
	FXT_VECTOR_PROBES(thermal_apic),
	FXT_VECTOR_PROBES(error_apic),
	FXT_VECTOR_PROBES(spurious_apic),
	FXT_VECTOR_PROBES(threshold_apic),
	FXT_VECTOR_PROBES(deferred_error_apic),
#endif
#ifdef CONFIG_ARM64
	FXT_PROBE(ipi_exit, fxt_probe_ipi_exit),
	FXT_PROBE(ipi_entry, fxt_probe_ipi_entry),
#endif
	FXT_PROBE(softirq_exit, fxt_probe_softirq_exit),
	FXT_PROBE(softirq_entry, fxt_probe_softirq_entry),
};

const struct fxt_group fxt_irq_group =
	FXT_GROUP(FXT_SCHED_EVENTS_IRQ, fxt_irq_probes);
