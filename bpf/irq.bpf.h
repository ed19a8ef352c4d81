/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * irq.bpf.h - interrupts, hard and soft.
 *
 * In:  entries and exits of handlers, of vectors without a handler, and of soft interrupts.
 * Out: slices in the ring of the CPU.
 */
#ifndef BPF_IRQ_BPF_H
#define BPF_IRQ_BPF_H

#include <bpf/bpf_core_read.h>

#include "events.bpf.h"
#include "fast.bpf.h"
#include "fxt/fxt_sched_event.h"
#include "fxt/fxt_vectors.h"
#include "kernel_types.h"
#include "label.bpf.h"
#include "nested.bpf.h"
#include "ring.h"
#include "trigger.bpf.h"

#define SOFTIRQS_MASK	(FXT_RING_SOFTIRQS - 1)

/*
 * --- the records of handlers ---
 *
 * The helper that copies a name from the kernel's memory takes more instructions than the rest of
 * the record. So each CPU caches the names of its last handlers, but only for a millisecond,
 * because a driver can free its handler, and another handler can get the same address.
 */

static __noinline int handler_keep(struct fxt_ring_handler *known, __u32 irq, const char *name,
				   __u64 now)
{
	__u32 words;

	label_of_handler(&known->name, name);
	words = fxt_sched_irq_words(known->name.bytes);
	known->until = now + FXT_RING_HANDLER_NS;
	known->header = fxt_sched_irq_header(known->name.bytes);
	known->thread = fxt_sched_cpu_track(FXT_SCHED_KOID_IRQ, bpf_get_smp_processor_id());
	known->argument = fxt_sched_irq_argument(irq);
	known->argument_at = (words - FXT_SCHED_IRQ_TAIL) * FXT_WORD;
	known->words = words;
	return 0;
}

/*
 * The common part of a handler's records, at most FXT_RING_HANDLER_NS old. Handlers can share an
 * interrupt, but none serves two. @ctx: as for on_irq_exit().
 */
static __always_inline const struct fxt_ring_handler *
handler_find(struct fxt_ring *ring, const volatile __u64 *ctx, __u64 now)
{
	__u64 at = (ctx[0] & (FXT_RING_HANDLERS - 1)) * sizeof(ring->handlers[0]);
	struct fxt_ring *shifted = (void *)ring + at;
	struct irqaction *action = (void *)ctx[1];
	struct fxt_ring_handler *known;

	/* Otherwise the compiler computes the address again after the call. */
	barrier_var(shifted);
	known = shifted->handlers;
	if (known->action != (__u64)action || now > known->until) {
		known->action = (__u64)action;
		handler_keep(known, ctx[0], BPF_CORE_READ(action, name), now);
	}
	return known;
}

/*
 * Write the slice of a handler, like fxt_sched_put_irq(). @known: of handler_find(). @begin, @end:
 * ticks. Return: words written.
 */
static __always_inline __u64 handler_put(__u64 *rec, const struct fxt_ring_handler *known,
					 __u64 begin, __u64 end)
{
	/* The verifier must see a bound. There is room for two records. */
	__u64 at = known->argument_at & (15 * FXT_WORD);
	__u64 *name = rec + FXT_SCHED_EVENT_HEAD;

	fxt_sched_put_event_head(rec, known->header, begin, FXT_SCHED_KOID_IRQ, known->thread);
	/* Copy all words. The rest of the record overwrites those after the name. */
	name[0] = known->name.words[0];
	if (at > (FXT_SCHED_EVENT_HEAD + 1) * FXT_WORD) {
		name[1] = known->name.words[1];
		name[2] = known->name.words[2];
		name[3] = known->name.words[3];
	}
	rec = (void *)rec + at;
	rec[0] = known->argument;
	rec[1] = end;
	return known->words;
}

/* --- interrupts: those of devices and of the CPU run with interrupts off -------------- */

static __always_inline int on_irq_entry(void)
{
	struct place at;

	ring_find(&at);
	return begin_slice(&at.ring->irq_begin);
}

/* For a handler that the fast path cannot write: filter, trigger, queues. */
static __noinline int put_handler(struct fxt_ring *ring, __u64 begin, __u32 irq, const char *name)
{
	struct place at = { .ring = ring, .cpu = bpf_get_smp_processor_id() };
	struct fxt_sched_label label;
	__u64 *rec;

	if (!keeps_interrupt(&at) || ring_begin(&at, extras))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (!rec)
		return 0;
	label_of_handler(&label, name);
	label_bound(&label, FXT_SCHED_LABEL_BYTES);
	ring_commit(&at, fxt_sched_put_irq(rec, begin_before(begin, at.time), at.time, at.cpu,
					   irq, &label));
	trigger_interrupt(FXT_SCHED_CAUSE_IRQ, begin, at.time);
	return 0;
}

/* @ctx: the interrupt's number and its handler, which are read only when they are needed. */
static __always_inline int on_irq_exit(const volatile __u64 *ctx)
{
	const struct fxt_ring_handler *known;
	struct irqaction *action;
	struct fast_slice slice;
	struct place at;
	__u64 begin;

	ring_find(&at);
	if (!consume_counting(&at.ring->irq_begin, &begin))
		return 0;
	if (!fast_slice_ends(&slice, at.ring, begin)) {
		action = (void *)ctx[1];
		return put_handler(at.ring, begin, ctx[0], BPF_CORE_READ(action, name));
	}
	known = handler_find(at.ring, ctx, slice.end);
	fast_slice_commit(&slice, at.ring, handler_put(slice.rec, known, begin, slice.end));
	return 0;
}

static __always_inline int on_vector_entry(void)
{
	struct place at;

	ring_find(&at);
	return begin_slice(&at.ring->vector_begin);
}

/* For a vector that the fast path cannot write. @name: FXT_STR_VECTOR_* */
static __noinline int put_vector(struct fxt_ring *ring, __u32 cpu, __u64 begin, __u32 name)
{
	struct place at = { .ring = ring, .cpu = cpu };
	__u64 *rec;

	if (!keeps_interrupt(&at) || ring_begin(&at, extras))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (!rec)
		return 0;
	ring_commit(&at, fxt_sched_put_cpu_slice(rec, begin_before(begin, at.time), at.time,
						 FXT_SCHED_KOID_IRQ, cpu, FXT_STR_IRQ, name));
	trigger_interrupt(FXT_SCHED_CAUSE_IRQ, begin, at.time);
	return 0;
}

/* @name: FXT_STR_VECTOR_* */
static __always_inline int end_vector(__u32 name)
{
	struct fast_slice slice;
	struct place at;
	__u64 begin;

	ring_find(&at);
	if (!consume_counting(&at.ring->vector_begin, &begin))
		return 0;
	if (!fast_slice_ends(&slice, at.ring, begin))
		return put_vector(at.ring, at.cpu, begin, name);
	fxt_sched_put_cpu_slice(slice.rec, begin, slice.end, FXT_SCHED_KOID_IRQ, at.cpu,
				FXT_STR_IRQ, name);
	fast_slice_commit(&slice, at.ring, FXT_SCHED_CPU_SLICE_WORDS);
	return 0;
}

static __always_inline int on_vector_exit(__u32 vector)
{
	return end_vector(fxt_vector_name(vector));
}

/* An interrupt from another CPU, on arm64. Return: FXT_STR_VECTOR_*; 0 if it is not recorded. */
static __always_inline __u32 received_name(const char *reason)
{
	char first = 0;

	bpf_probe_read_kernel(&first, sizeof(first), reason);
	return fxt_ipi_name(first);
}

static __always_inline int on_received_entry(const char *reason)
{
	return received_name(reason) ? on_vector_entry() : 0;
}

static __always_inline int on_received_exit(const char *reason)
{
	__u32 name = received_name(reason);

	return name ? end_vector(name) : 0;
}

static __always_inline int on_softirq_enter(__u64 vector)
{
	struct place at;

	ring_find(&at);
	return begin_slice(&at.ring->softirq_begin[vector & SOFTIRQS_MASK]);
}

/* @at: nested_begin() has succeeded. */
static __always_inline bool put_softirq_at(struct place *at, __u64 begin, __u32 vector)
{
	__u64 *rec = ring_reserve(at, FXT_RING_EVENTS);

	if (rec)
		ring_commit(at, fxt_sched_put_cpu_slice(rec, begin_before(begin, at->time),
							at->time, FXT_SCHED_KOID_SOFTIRQ,
							at->cpu, FXT_STR_SOFTIRQ,
							FXT_STR_SOFTIRQ_FIRST + vector));
	return rec;
}

/*
 * If the fast path cannot. Inline, because user space puts the calls that turn interrupts off into
 * programs only, not into functions.
 */
static __always_inline int put_softirq(struct fxt_ring *ring, __u32 cpu, __u64 begin, __u32 vector)
{
	struct place at = { .ring = ring, .cpu = cpu };
	unsigned long flags;
	bool is_put;

	if (!keeps_interrupt(&at) || nested_begin(&at, &flags))
		return 0;
	is_put = put_softirq_at(&at, begin, vector);
	nested_end(&at, &flags);
	if (is_put)
		trigger_interrupt(FXT_SCHED_CAUSE_SOFTIRQ, begin, at.time);
	return 0;
}

/* The same after fast_nested_begin(). */
static __noinline int put_softirq_begun(struct fxt_ring *ring, __u32 cpu, __u64 begin,
					__u32 vector, __u64 now)
{
	struct place at = { .ring = ring, .cpu = cpu, .now = now };

	put_softirq_at(&at, begin, vector);
	fast_nested_end(ring, cpu);
	return 0;
}

/* Context: interrupts are on. */
static __always_inline int on_softirq_leave(__u64 vector)
{
	struct fast_slice slice;
	struct place at;
	__u64 begin;

	ring_find(&at);
	vector &= SOFTIRQS_MASK;
	if (!consume_counting(&at.ring->softirq_begin[vector], &begin))
		return 0;
	if (!fast_nested_begin(&slice, at.ring))
		return put_softirq(at.ring, at.cpu, begin, vector);
	if (!fast_slice_has_room(&slice, at.ring) ||
	    !fast_slice_is_in_order(&slice, at.ring, begin))
		return put_softirq_begun(at.ring, at.cpu, begin, vector, slice.end);
	fxt_sched_put_cpu_slice(slice.rec, begin, slice.end, FXT_SCHED_KOID_SOFTIRQ, at.cpu,
				FXT_STR_SOFTIRQ, FXT_STR_SOFTIRQ_FIRST + vector);
	fast_slice_commit(&slice, at.ring, FXT_SCHED_CPU_SLICE_WORDS);
	fast_nested_end(at.ring, at.cpu);
	return 0;
}

#endif /* BPF_IRQ_BPF_H */
