// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * before.c - see before.h.
 *
 * In: BLOBs with the last events of threads before the part.
 * Out: the same events in the streams of their CPUs, before all records of the part. They count
 * nowhere, and spans begin where the part does.
 */
#include <string.h>

#include <fxt/fxt_before.h>

#include "before.h"
#include "order.h"
#include "stream.h"

static enum sched_event_kind kind_of(uint64_t word)
{
	switch (fxt_get(FXT_BEFORE_RUN, word)) {
	case FXT_BEFORE_RUN_BEGIN:
		return SCHED_EVENT_BEGIN;
	case FXT_BEFORE_RUN_END:
		return SCHED_EVENT_END;
	default:
		return fxt_get(FXT_BEFORE_STATE, word) ? SCHED_EVENT_LEAVE : SCHED_EVENT_WAKEUP;
	}
}

static void add(struct sched_model *m, const struct fxt_record *rec, const uint64_t *w)
{
	uint32_t cpu = fxt_get(FXT_BEFORE_CPU, w[3]);
	char state = fxt_get(FXT_BEFORE_STATE, w[3]);
	struct sched_stream *s = sched_stream_get(m, cpu);
	struct sched_event *e = s ? sched_order_room(m, s) : NULL;
	uint64_t ns = fxt_ticks_to_ns(w[0], rec->provider->ticks_per_second);

	if (!e) {
		m->error = -ENOMEM;
		return;
	}
	if (!m->cpus[cpu])
		sched_cpu_add(m, cpu);
	*e = (struct sched_event){
		.time = ns > s->tail_ns ? ns : s->tail_ns, .offset = rec->offset, .a = w[1],
		.b = w[2], .cpu = cpu, .state = state,
		.kind = kind_of(w[3]),
	};
	if (e->kind == SCHED_EVENT_WAKEUP) {
		e->irq = fxt_get(FXT_BEFORE_IRQ, w[3]);
		e->by_idle = fxt_get(FXT_BEFORE_BY_IDLE, w[3]);
		e->has_b = w[2] && !e->irq;
		e->irq_cpu = fxt_get(FXT_BEFORE_IRQ_CPU, w[3]);
	}
	sched_queue_added(s, e->time);
}

int sched_take_before(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	uint64_t head[FXT_BEFORE_HEAD_WORDS], w[FXT_BEFORE_WORDS];
	uint64_t rate = rec->provider->ticks_per_second;
	const char *at = c->blob.data, *end = at + c->blob.bytes;

	/* The words of another byte order are not read. */
	if (c->blob.bytes < sizeof(head) || m->totals.ledgers)
		return 0;
	memcpy(head, at, sizeof(head));
	if (head[0] != FXT_BEFORE_VERSION)
		return 0;
	m->begins = fxt_ticks_to_ns(head[1], rate);
	m->totals.begins = m->begins;
	m->totals.complete = fxt_ticks_to_ns(head[2], rate);
	for (at += sizeof(head); end - at >= (ptrdiff_t)sizeof(w) && !m->error; at += sizeof(w)) {
		memcpy(w, at, sizeof(w));
		if ((!w[1] && !fxt_get(FXT_BEFORE_RUN, w[3])) ||
		    fxt_ticks_to_ns(w[0], rate) >= m->begins)
			continue;
		/* Even if it begins within a loss. */
		m->totals.first = m->begins;
		add(m, rec, w);
	}
	return m->error;
}
