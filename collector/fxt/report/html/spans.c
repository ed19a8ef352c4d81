// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spans.c - the columns of spans, which are most of a page, and of losses.
 *
 * In:  spans, in the order of their end; losses.
 * Out: columns that html.c describes.
 */
#include "data.h"

#define BY_MARK		0x80	/* in the column of states: no switch began it */
/* In the column of wakers, after enum fxt_sched_irq. */
#define BY_IDLE		4
#define FIRST_THREAD	5ULL

int html_take_sight(void *arg, const struct sched_sight *sight)
{
	struct report_html *h = arg;
	uint32_t id = sight->thread->id;

	h->threads = html_reach(h->threads, &h->thread_room, id, sizeof(*h->threads));
	h->threads[id].since = sight->time;
	h->threads[id].state = sight->state;
	return 0;
}

void html_end_seen(struct report_html *h, struct sched_thread *thread, uint64_t to)
{
	struct html_thread *t = thread->id < h->thread_room ? &h->threads[thread->id] : NULL;
	struct sched_span span = { .thread = thread, .to = to, .cpu = HTML_NO_CPU };

	if (!t || !t->state)
		return;
	span.from = t->since;
	span.state = t->state;
	t->state = 0;
	if (span.from < to)
		html_take_span(h, &span);
}

static void put_waker(struct report_html *h, const struct sched_span *span)
{
	spool_u64(&h->columns[HTML_WAKER], span->waker ? span->waker->id + FIRST_THREAD :
					   span->by_idle ? BY_IDLE : span->irq);
	if (span->irq == FXT_SCHED_IRQ_SOFT)
		spool_u64(&h->columns[HTML_HIT], span->hit ? span->hit->id + 1 : 0);
}

int html_take_span(void *arg, const struct sched_span *span)
{
	struct report_html *h = arg;
	struct html_thread *t;
	uint64_t *end;

	html_end_seen(h, span->thread, span->from);
	if (!html_has_room(h, span->to))
		return 0;
	html_begin_at(h, span->from);
	if (span->waker)
		html_thread_of(h, span->waker);
	t = html_thread_of(h, span->thread);
	end = span->thread->koid ? &t->end : &h->idle_end[span->cpu];
	spool_delta(&h->columns[HTML_END], span->to);
	spool_i64(&h->columns[HTML_GAP], span->from - *end);
	spool_u64(&h->columns[HTML_THREAD], span->thread->id);
	spool_u64(&h->columns[HTML_CPU], span->cpu == HTML_NO_CPU ? 0 : span->cpu + 1);
	spool_u64(&h->columns[HTML_STATE], span->state | (span->by_mark ? BY_MARK : 0));
	if (span->state == 'R')
		put_waker(h, span);
	*end = span->to;
	h->spans++;
	return 0;
}

int html_take_gap(void *arg, const struct sched_gap *gap)
{
	struct report_html *h = arg;
	struct spool *s = &h->columns[HTML_LOSSES];

	html_begin_at(h, gap->from);
	spool_u64(s, gap->cpu);
	spool_delta(s, gap->from);
	spool_u64(s, gap->to > gap->from ? gap->to - gap->from : 0);
	spool_u64(s, gap->records);
	return 0;
}
