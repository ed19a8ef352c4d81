/* SPDX-License-Identifier: GPL-2.0 */
/*
 * handler.bpf.h - the records of interrupt handlers.
 *
 * In:  irqaction.name.
 * Out: the whole record.
 *
 * The helper that copies a name out of the kernel's memory takes more instructions than the rest
 * of the record. So each CPU caches the names of its last handlers, but only for a millisecond,
 * because a driver can free its handler, and another handler can get the same address.
 */
#ifndef BPF_HANDLER_BPF_H
#define BPF_HANDLER_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "fxt/fxt_sched_event.h"
#include "kernel_types.h"
#include "label.bpf.h"
#include "ring.h"

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
 * Find the common part of the records of a handler, not older than FXT_RING_HANDLER_NS. Several
 * handlers can share an interrupt, but a handler never serves two interrupts. @ctx: as for
 * on_irq_exit().
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

/**
 * handler_put() - write the slice of a handler
 * @rec: room for the record of an event
 * @known: handler_find()
 * @begin: ticks
 * @end: ticks
 *
 * Like fxt_sched_put_irq().
 *
 * Return: words written.
 */
static __always_inline __u64 handler_put(__u64 *rec, const struct fxt_ring_handler *known,
					 __u64 begin, __u64 end)
{
	/* The verifier must see a bound: there is room for two records. */
	__u64 at = known->argument_at & (15 * FXT_WORD);
	__u64 *name = rec + FXT_SCHED_EVENT_HEAD;

	fxt_sched_put_event_head(rec, known->header, begin, FXT_SCHED_KOID_IRQ, known->thread);
	/* Copy all words; the rest of the record overwrites those after the name. */
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

#endif /* BPF_HANDLER_BPF_H */
