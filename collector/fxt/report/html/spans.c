// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spans.c - the columns of spans, in the order of their end, which are most of a page; and of
 * losses.
 */
#include <string.h>

#include "data.h"

/* In the column of states, added to the place of the letter in this list: STATES of page/data.js. */
static const char letters[] = "OR+DSITtPZX?";

enum {
	SPAN_AT_ONCE = 0x10,	/* it ends where the span before ended, on the same CPU */
	SPAN_FOLLOWS = 0x20,	/* it begins where the last span of its thread ends */
	SPAN_NEXT = 0x40,	/* its thread is that of the last wait that ended on its CPU */
	SPAN_BY_MARK = 0x80,	/* no switch began it */
};

/* In the column of wakers, after enum fxt_sched_irq. */
#define BY_IDLE		4
#define FIRST_THREAD	5ULL

int html_note_sight(void *arg, const struct sched_sight *sight)
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
		html_add_span(h, &span);
}

static void put_waker(struct report_html *h, const struct sched_span *span)
{
	spool_u64(&h->columns[HTML_WAKER], span->waker ? span->waker->id + FIRST_THREAD :
					   span->by_idle ? BY_IDLE : span->irq);
	if (span->irq == FXT_SCHED_IRQ_SOFT)
		spool_u64(&h->columns[HTML_HIT], span->hit ? span->hit->id + 1 : 0);
}

static void put_columns(struct report_html *h, const struct sched_span *span, uint64_t end)
{
	bool is_at_once = span->to == h->columns[HTML_END].last && span->cpu == h->last_cpu;
	bool is_next = span->state == 'O' && span->thread->id == h->next[span->cpu];
	const char *letter = strchr(letters, span->state);

	spool_u64(&h->columns[HTML_STATE],
		  ((letter ? letter : strchr(letters, '?')) - letters) |
		  (is_at_once ? SPAN_AT_ONCE : 0) | (span->from == end ? SPAN_FOLLOWS : 0) |
		  (is_next ? SPAN_NEXT : 0) | (span->by_mark ? SPAN_BY_MARK : 0));
	if (!is_at_once) {
		spool_delta(&h->columns[HTML_END], span->to);
		spool_u64(&h->columns[HTML_CPU], span->cpu == HTML_NO_CPU ? 0 : span->cpu + 1);
	}
	if (span->from != end)
		spool_i64(&h->columns[HTML_GAP], span->from - end);
	if (!is_next)
		spool_u64(&h->columns[HTML_THREAD], span->thread->id);
	if (span->state == 'R')
		put_waker(h, span);
	if (span->state == 'R' || span->state == '+')
		h->next[span->cpu] = span->thread->id;
	h->last_cpu = span->cpu;
}

int html_add_span(void *arg, const struct sched_span *span)
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
	put_columns(h, span, *end);
	*end = span->to;
	h->spans++;
	return 0;
}

void html_add_hidden(void *arg, const struct sched_step *step)
{
	struct report_html *h = arg;

	if (!html_has_room(h, step->time))
		return;
	html_begin_at(h, step->time);
	spool_delta(&h->columns[HTML_HIDDEN], step->time);
}

int html_add_gap(void *arg, const struct sched_gap *gap)
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
