// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spans.c - the columns of spans, which are most of a page.
 *
 * In:  spans, in the order of their end.
 * Out: columns that html.c describes; page/spans.js reads them.
 * Must hold: page/spans.js makes the same kinds and keeps the same lists of what follows.
 *
 * A span is of a kind: all of it but its times. Few kinds follow one another on a CPU, so a span is
 * usually a small number, that of its kind among those that followed there last; and then the time
 * since the span before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "libfxt/array.h"

#define NO_CPU		0xffff
/* In the column of wakers, after enum fxt_sched_irq. */
#define BY_IDLE		4
#define FIRST_THREAD	5ULL

/*
 * Numbers in the column of kinds, after those of recent followers; higher ones are ages of kinds.
 */
enum { SPAN_ELSEWHERE = HTML_FOLLOWERS, SPAN_NEW, SPAN_KNOWN };

/* How the times of a span relate to earlier ones. */
enum {
	SPAN_LATER = 1,		/* it ends after the span before */
	SPAN_EARLIER = 2,	/* it ends before that one */
	SPAN_APART = 4,		/* it does not begin where the last one of its thread ends */
	SPAN_MARKED = 8,	/* no switch began it */
};

/**
 * struct html_kind - what spans of a kind have in common
 * @id: from 1
 * @cpu: 1 + CPU; 0: none
 * @waker: as in its column
 * @relation: SPAN_*
 * @followers: kinds that followed on the same CPU, the newest first; 0: fewer did
 */
struct html_kind {
	struct map_node node;
	uint32_t id;
	uint32_t thread;
	uint64_t waker;
	uint32_t cpu;
	char state;
	uint8_t relation;
	uint32_t followers[HTML_FOLLOWERS];
};

static bool is_same(const struct html_kind *a, const struct html_kind *b)
{
	return a->thread == b->thread && a->waker == b->waker && a->cpu == b->cpu &&
	       a->state == b->state && a->relation == b->relation;
}

static uint64_t hash_of(const struct html_kind *k)
{
	return map_hash(map_hash(k->thread, k->waker),
			(uint64_t)k->cpu << 32 | (uint64_t)k->relation << 8 | (unsigned char)k->state);
}

static struct html_kind *add_kind(struct html_spans *s, const struct html_kind *like, uint64_t hash)
{
	struct html_kind *kind = malloc(sizeof(*kind));

	if (!kind || array_grow(s->kinds, s->kind_count) || map_reserve(&s->map)) {
		free(kind);
		return NULL;
	}
	*kind = *like;
	s->kinds[s->kind_count++] = kind;
	kind->id = s->kind_count;
	map_add(&s->map, &kind->node, hash);
	return kind;
}

/* Set @kind to the kind that is @like, a new one if there is none. Return: is it new?; -ENOMEM */
static int find_kind(struct html_spans *s, const struct html_kind *like, struct html_kind **kind)
{
	uint64_t hash = hash_of(like);
	struct map_node *n;

	for (n = map_first(&s->map, hash); n; n = map_next(n, hash)) {
		*kind = map_entry(n, struct html_kind, node);
		if (is_same(*kind, like))
			return 0;
	}
	*kind = add_kind(s, like, hash);
	return *kind ? 1 : -ENOMEM;
}

/* Move a kind to the head. Return: its place before, HTML_FOLLOWERS if it was not there. */
static unsigned int move_to_front(uint32_t *followers, uint32_t id)
{
	unsigned int i = 0;

	while (i < HTML_FOLLOWERS && followers[i] != id)
		i++;
	memmove(followers + 1, followers,
		(i < HTML_FOLLOWERS ? i : HTML_FOLLOWERS - 1) * sizeof(*followers));
	followers[0] = id;
	return i;
}

/* The kinds that followed the last one of a CPU. */
static uint32_t *followers_on(struct html_spans *s, uint32_t cpu)
{
	uint32_t last = s->last[cpu];

	return last ? s->kinds[last - 1]->followers : s->first;
}

/* Is the next span likely to end together with the last one, and so to be on the same CPU? */
static bool is_at_once(struct html_spans *s)
{
	uint32_t next = followers_on(s, s->cpu)[0];

	return next && !(s->kinds[next - 1]->relation & (SPAN_LATER | SPAN_EARLIER));
}

static void put_cpu(struct report_html *h, uint32_t cpu)
{
	struct html_spans *s = &h->span_kinds;
	bool is_likely = is_at_once(s);

	if (is_likely && cpu != s->cpu)
		spool_split(&h->columns[HTML_WHAT0], SPAN_ELSEWHERE);
	if (!is_likely || cpu != s->cpu)
		spool_u64(&h->columns[HTML_CPU], cpu);
	s->cpu = cpu;
}

static void put_kind(struct report_html *h, const struct html_kind *kind, bool is_new)
{
	struct html_spans *s = &h->span_kinds;
	uint32_t *followers = followers_on(s, kind->cpu);
	unsigned int place;

	put_cpu(h, kind->cpu);
	place = move_to_front(followers, kind->id);
	s->last[kind->cpu] = kind->id;
	if (place < HTML_FOLLOWERS) {
		spool_split(&h->columns[HTML_WHAT0], place);
		return;
	}
	spool_split(&h->columns[HTML_WHAT0],
		    is_new ? (uint64_t)SPAN_NEW : SPAN_KNOWN + s->kind_count - kind->id);
	if (!is_new)
		return;
	spool_u64(&h->columns[HTML_THREAD], kind->thread);
	spool_u64(&h->columns[HTML_STATE], kind->state);
	spool_u64(&h->columns[HTML_WAKER], kind->waker);
	spool_u64(&h->columns[HTML_RELATION], kind->relation);
}

int html_end_seen(struct report_html *h, struct sched_thread *thread, uint64_t to)
{
	struct html_seen *seen = thread->id < h->seen_room ? &h->seen[thread->id] : NULL;
	struct sched_span span = { .thread = thread, .to = to, .cpu = NO_CPU };

	if (!seen || !seen->state)
		return 0;
	span.from = seen->since;
	span.state = seen->state;
	seen->state = 0;
	return span.from < to ? html_take_span(h, &span) : 0;
}

int html_take_span(void *arg, const struct sched_span *span)
{
	struct report_html *h = arg;
	struct html_kind like, *kind;
	struct html_thread *t;
	uint64_t *end;
	int is_new;

	if (html_end_seen(h, span->thread, span->from))
		return -ENOMEM;
	if (!html_has_room(h, span->to))
		return 0;
	html_begin_at(h, span->from);
	if (span->waker && !html_thread_of(h, span->waker))
		return -ENOMEM;
	t = html_thread_of(h, span->thread);
	if (!t)
		return -ENOMEM;
	end = span->thread->koid ? &t->end : &h->idle_end[span->cpu];
	like = (struct html_kind){
		.thread = span->thread->id,
		.state = span->state,
		.cpu = span->cpu == NO_CPU ? 0 : span->cpu + 1,
		.relation = (span->to > h->end ? SPAN_LATER : span->to < h->end ? SPAN_EARLIER : 0) |
			    (span->from != *end ? SPAN_APART : 0) |
			    (span->by_mark ? SPAN_MARKED : 0),
	};
	if (span->state == 'R')
		like.waker = span->waker ? span->waker->id + FIRST_THREAD :
			     span->by_idle ? BY_IDLE : span->irq;
	is_new = find_kind(&h->span_kinds, &like, &kind);
	if (is_new < 0)
		return is_new;
	put_kind(h, kind, is_new);
	if (like.relation & (SPAN_LATER | SPAN_EARLIER))
		spool_split(&h->columns[HTML_END0], like.relation & SPAN_LATER ? span->to - h->end :
										   h->end - span->to);
	if (like.relation & SPAN_APART)
		spool_i64(&h->columns[HTML_GAP], span->from - *end);
	if (span->irq == FXT_SCHED_IRQ_SOFT)
		spool_u64(&h->columns[HTML_HIT], span->hit ? span->hit->id + 1 : 0);
	*end = h->end = span->to;
	h->spans++;
	return 0;
}

void html_free_spans(struct report_html *h)
{
	struct html_spans *s = &h->span_kinds;
	size_t i;

	for (i = 0; i < s->kind_count; i++)
		free(s->kinds[i]);
	free(s->kinds);
	map_free(&s->map);
}
