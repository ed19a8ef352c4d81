// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * streams.c - see streams.h.
 *
 * Must hold: a ledger is written only when the next record is known. The head of a sub-buffer has
 * the time of its first record, so it waits for the first record that is kept; a loss waits for the
 * next ledger of its stream. A mark of a beginning waits for a ledger, one of an end until
 * something follows: where the two meet, parts of a recording join, and both are omitted.
 */
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_mark.h>

#include "libfxt/text.h"
#include "sched/kernel_event.h"
#include "terminal/memory.h"
#include "streams.h"

/* --- providers ------------------------------------------------------------------- */

struct providers_entry {
	uint32_t id;
	uint64_t ticks_per_second;
};

/*
 * Swap two strings. In a recorder's archive, the index of a system call's name tells its number;
 * here it does not, and the swap tells readers so.
 */
static uint16_t string_at(uint16_t place)
{
	return place == FXT_STR_SYSCALL ? FXT_STR_RET :
	       place == FXT_STR_RET ? FXT_STR_SYSCALL : place;
}

static void introduce(struct providers *p, const struct fxt_provider *provider)
{
	char name[FXT_MAX_PROVIDER_NAME];
	struct rewrite *f = p->f;
	struct fxt_content info = {
		.kind = FXT_KIND_PROVIDER_INFO,
		.provider_id = provider->id,
		.name = { .bytes = name, .length = provider->name.length },
	};

	rewrite_clean(name, &provider->name);
	rewrite_written(f, fxt_writer_record(f->w, &info));
	rewrite_written(f, fxt_writer_initialization(f->w, provider->ticks_per_second));
	if (!fxt_text_is(&provider->name, FXT_SCHED_PROVIDER_NAME))
		return;
#define REGISTER(index, text) \
	rewrite_written(f, fxt_writer_register(f->w, fxt_known_text(string_at(index)).bytes));
	FXT_SCHED_STRINGS(REGISTER)
#undef REGISTER
}

static size_t find_provider(const struct providers *p, uint32_t id)
{
	uint64_t number = p->count;

	if (p->count && p->list[p->now].id == id)
		return p->now;
	koids_get(&p->numbers, id, &number);
	return number;
}

/* Like providers_enter(), for a provider that was entered before. */
static void return_to(struct providers *p, uint32_t id)
{
	struct fxt_content section = {
		.kind = FXT_KIND_PROVIDER_SECTION, .provider_id = id,
	};
	size_t i = find_provider(p, id);

	if (i == p->now || i == p->count)
		return;
	p->now = i;
	rewrite_written(p->f, fxt_writer_record(p->f->w, &section));
}

bool providers_is_now(const struct providers *p, const struct fxt_provider *provider)
{
	return p->count && p->list[p->now].id == provider->id &&
	       p->list[p->now].ticks_per_second == provider->ticks_per_second;
}

void providers_enter(struct providers *p, const struct fxt_provider *provider)
{
	size_t i;

	if (providers_is_now(p, provider))
		return;
	i = find_provider(p, provider->id);
	if (i == p->count) {
		array_more(p->list, p->count);
		koids_set(&p->numbers, provider->id, i);
		p->list[i] = (struct providers_entry){ provider->id, provider->ticks_per_second };
		p->now = p->count++;
		introduce(p, provider);
		return;
	}
	return_to(p, provider->id);
	if (p->list[i].ticks_per_second == provider->ticks_per_second)
		return;
	p->list[i].ticks_per_second = provider->ticks_per_second;
	rewrite_written(p->f, fxt_writer_initialization(p->f->w, provider->ticks_per_second));
}

void providers_free(struct providers *p)
{
	free(p->list);
	koids_free(&p->numbers);
	p->list = NULL;
	p->count = 0;
}

/* --- streams --------------------------------------------------------------------- */

/** struct stream - a stream that is read and written */
struct stream {
	struct streams_range range;	/* of the result */
	struct fxt_progress in;		/* of reading */
	struct fxt_progress out;	/* of writing */
	uint64_t head_written;		/* from the head of the newest sub-buffer */
	uint64_t head_lost;
	uint64_t stopped;		/* ticks of the newest closing ledger, 0 if there is none */
	uint64_t untold;		/* lost records in the range, not reported yet */
	struct streams_mark begin;	/* marks that wait */
	struct streams_mark end;
	bool has_passed;	/* the mark at the end of the range is written, or there is none */
	bool has_ledger;		/* the result has a ledger of the stream */
	bool is_part;			/* the archive has an opening ledger of it */
	bool has_head;			/* @head_written is known */
	bool is_fresh;		/* the newest sub-buffer has no ledger in the result yet */
	bool has_begun;			/* the result has at least its opening ledger */
	bool has_ended;			/* its closing ledger is written */
	struct stream *next;		/* the stream of names of another provider */
};

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* --- writing ------------------------------------------------------------------- */

static void write_ledger(struct streams *st, struct stream *s, enum fxt_ledger_kind kind,
			 uint64_t time)
{
	struct fxt_progress p = s->out;

	if (kind == FXT_LEDGER_CONTINUED) {
		p.written = s->head_written;
		p.lost = s->head_lost;
		p.next--;
	}
	return_to(st->p, p.provider);
	s->has_ledger = true;
	s->out.next += kind == FXT_LEDGER_HEAD;
	st->now = kind == FXT_LEDGER_HEAD || kind == FXT_LEDGER_CONTINUED ? s : NULL;
	rewrite_written(st->p->f, fxt_ledger_write(st->p->f->w, &p, kind, time));
}

static void write_loss(struct streams *st, struct stream *s, uint64_t to)
{
	if (!s->untold)
		return;
	return_to(st->p, s->out.provider);
	st->losses++;
	rewrite_written(st->p->f, fxt_loss_write(st->p->f->w, &s->out, s->untold, to, &st->named));
	s->untold = 0;
}

/* --- marks ----------------------------------------------------------------------- */

static void put_mark(struct streams *st, struct stream *s, struct streams_mark *waits)
{
	struct streams_mark mark;

	if (!waits->kind)
		return;
	mark = *waits;
	waits->kind = 0;
	if (st->edges.shows &&
	    !st->edges.shows(st->edges.arg, s->out.stream, mark.owner.thread, mark.time))
		return;
	s->out.has = fxt_mark_is_begin(mark.kind) ? mark.owner : (struct fxt_owner){ 0 };
	st->marks++;
	return_to(st->p, s->out.provider);
	rewrite_written(st->p->f, fxt_mark_write(st->p->f->w, s->out.stream, mark.kind, mark.time,
						 &mark.owner));
}

/* Like put_mark(), but first writes an opening ledger if there is no ledger yet. */
static void put_first(struct streams *st, struct stream *s, struct streams_mark *mark)
{
	if (mark->kind && !s->has_ledger) {
		s->is_part = true;
		s->out.begun = mark->time;
		write_ledger(st, s, FXT_LEDGER_OPENING, mark->time);
	}
	put_mark(st, s, mark);
}

/* After the range, only slices that began in it follow. */
static void pass(struct streams *st, struct stream *s)
{
	put_first(st, s, &s->end);
	if (s->has_passed)
		return;
	s->has_passed = true;
	if (!st->edges.find)
		return;
	s->end = st->edges.find(st->edges.arg, s->out.stream, true);
	put_first(st, s, &s->end);
}

/* Do two parts meet? Parts made by fxt cut begin one tick after the end of the one before. */
static bool joins(const struct streams_mark *end, const struct fxt_switch *sw, uint64_t ticks)
{
	return end->kind == FXT_STR_END && sw->unknown == FXT_STR_BEGIN &&
	       ticks - end->time <= 1 && end->owner.thread == sw->in;
}

static struct fxt_owner outgoing(const struct fxt_switch *sw)
{
	return (struct fxt_owner){
		sw->out, sw->has_out_weight ? sw->out_weight : FXT_SCHED_WEIGHT_NONE, true,
	};
}

static struct fxt_owner incoming(const struct fxt_switch *sw)
{
	return (struct fxt_owner){
		sw->in, sw->has_in_weight ? sw->in_weight : FXT_SCHED_WEIGHT_NONE, true,
	};
}

/* Return: true if a mark that was read waits now, in the place of the one before. */
static bool hold_mark(struct stream *s, const struct fxt_switch *sw, uint64_t ticks)
{
	bool is_begin = fxt_mark_is_begin(sw->unknown);

	if (ticks < s->range.from || ticks > s->range.to)
		return false;
	if (joins(&s->end, sw, ticks)) {
		s->end.kind = 0;
		return false;
	}
	*(is_begin ? &s->begin : &s->end) = (struct streams_mark){
		sw->unknown, ticks, is_begin ? incoming(sw) : outgoing(sw),
	};
	return true;
}

/* --- how streams begin --------------------------------------------------------- */

static struct stream *new_stream(const struct fxt_ledger *l, uint32_t provider,
				 const struct streams_range *range)
{
	struct stream *s = new_zero(struct stream);

	s->in.stream = s->out.stream = l->stream;
	s->in.provider = s->out.provider = provider;
	s->range = *range;
	if (l->kind != FXT_LEDGER_OPENING)
		return s;
	s->is_part = true;
	s->in.begun = max(l->time, l->last);
	s->in.written = l->written;
	s->in.lost = l->lost;
	s->in.last = l->last;
	s->in.next = l->sequence;
	return s;
}

/* Count records before the range as records of another part. */
static void begin_stream(struct streams *st, struct stream *s)
{
	s->has_begun = true;
	s->out = s->in;
	s->out.next -= s->is_fresh && s->out.next;
	if (!s->range.from && !s->is_part)
		return;
	s->is_part = true;
	s->out.begun = max(max(s->range.from, s->in.begun), s->in.last);
	write_ledger(st, s, FXT_LEDGER_OPENING, s->out.begun);
	if (s->range.from && st->edges.find)
		s->begin = st->edges.find(st->edges.arg, s->out.stream, false);
	put_mark(st, s, &s->begin);
}

/* --- reading ------------------------------------------------------------------- */

/* Count the records that a head or closing ledger adds. */
static void count_growth(struct streams *st, struct stream *s, const struct fxt_ledger *l)
{
	uint64_t more = l->written - s->in.written;
	uint64_t lost = l->lost > s->in.lost ? l->lost - s->in.lost : 0;

	if ((!more && !lost) || l->time < s->range.from)
		return;
	if (!s->has_begun)
		begin_stream(st, s);
	if (s->in.last > s->range.to)
		return;
	s->out.written += more;
	s->untold += lost;
}

static void apply_ledger(struct streams *st, struct stream *s, const struct fxt_ledger *l)
{
	/* An opening ledger of a known stream continues it. */
	if (l->kind == FXT_LEDGER_OPENING || (l->kind == FXT_LEDGER_CONTINUED && s->has_head))
		return;
	if (l->kind != FXT_LEDGER_CONTINUED) {
		count_growth(st, s, l);
		s->in.written = l->written;
		s->in.lost = l->lost;
	}
	if (l->kind == FXT_LEDGER_CLOSING) {
		s->stopped = max(l->time, 1);
		return;
	}
	s->head_written = l->written;
	s->head_lost = l->lost;
	s->has_head = true;
	if (l->kind == FXT_LEDGER_HEAD) {
		s->in.next = l->sequence + 1;
		s->is_fresh = true;
	}
}

/* Of a stream of names, keep only the number of losses and the time of the last one. */
static void note_names(struct streams *st, const struct fxt_ledger *l, uint32_t provider,
		       const struct streams_range *range)
{
	struct stream **names = &st->names, *s;

	while (*names && (*names)->in.provider != provider)
		names = &(*names)->next;
	if (!*names) {
		*names = new_stream(l, provider, range);
		(*names)->has_begun = true;
	}
	s = *names;
	if (l->kind == FXT_LEDGER_HEAD || l->kind == FXT_LEDGER_CLOSING)
		s->untold += l->lost > s->in.lost ? l->lost - s->in.lost : 0;
	s->in.lost = max(s->in.lost, l->lost);
	s->stopped = max(s->stopped, l->time);
}

struct stream *streams_ledger(struct streams *st, const struct fxt_ledger *l, uint32_t provider,
			      const struct streams_range *range)
{
	struct stream **s;

	if (l->stream == FXT_LEDGER_STREAM_NAMES) {
		note_names(st, l, provider, range);
		return NULL;
	}
	s = &st->streams[l->stream];
	if (!*s)
		*s = new_stream(l, provider, range);
	apply_ledger(st, *s, l);
	return l->kind == FXT_LEDGER_HEAD || l->kind == FXT_LEDGER_CONTINUED ? *s : NULL;
}

bool streams_counts(const struct fxt_provider *provider, const struct fxt_content *c)
{
	return c->kind == FXT_KIND_CONTEXT_SWITCH || c->kind == FXT_KIND_THREAD_WAKEUP ||
	       (kernel_event_is_one(provider, c) && !kernel_event_is_outside(c)) ||
	       kernel_event_is_custom(provider, c);
}

uint32_t streams_number(const struct stream *stream)
{
	return stream->out.stream;
}

/* Write what comes before a record at @ticks. */
static void prepare(struct streams *st, struct stream *s, uint64_t ticks)
{
	if (s->is_fresh) {
		write_loss(st, s, ticks);
		s->head_written = s->out.written;
		s->head_lost = s->out.lost;
		s->is_fresh = false;
		write_ledger(st, s, FXT_LEDGER_HEAD, ticks);
	} else if (st->now != s) {
		write_ledger(st, s, FXT_LEDGER_CONTINUED, ticks);
	}
	put_mark(st, s, &s->begin);
	if (ticks > s->range.to)
		pass(st, s);
	else
		put_mark(st, s, &s->end);
}

void streams_record(struct streams *st, struct stream *s, const struct fxt_content *c, bool stays)
{
	uint64_t ticks = c->kind == FXT_KIND_DURATION_COMPLETE ? c->end : c->time;

	if (!s->has_begun && ticks >= s->range.from)
		begin_stream(st, s);
	if (!s->has_begun)
		s->is_fresh = false;	/* its head is in another part */
	if (stays) {
		prepare(st, s, ticks);
		s->out.written++;
		s->out.last = ticks;
		if (c->kind == FXT_KIND_CONTEXT_SWITCH)
			s->out.has = incoming(&c->sw);
	}
	s->in.written++;
	s->in.last = ticks;
}

bool streams_accept_hot(const struct streams *st, const struct stream *s, uint64_t last, bool stay)
{
	if (stay)
		return s->has_begun && !s->is_fresh && st->now == s && !s->begin.kind &&
		       !s->end.kind && last <= s->range.to;
	return s->has_begun || last < s->range.from;
}

void streams_hot(struct stream *s, const uint64_t *words, size_t count, bool stay)
{
	const uint64_t *last = words + (count - 1) * FXT_HOT_WORDS, *w;
	struct fxt_hot sw;

	if (!s->has_begun)
		s->is_fresh = false;
	s->in.written += count;
	s->in.last = last[1];
	if (!stay)
		return;
	s->out.written += count;
	s->out.last = last[1];
	for (w = last; w >= words && fxt_hot_is_wakeup(w); w -= FXT_HOT_WORDS)
		;
	if (w < words)
		return;
	sw = fxt_hot_get(w, 0, false);
	s->out.has = (struct fxt_owner){ sw.other, sw.weight, true };
}

bool streams_is_mark(const struct fxt_content *c)
{
	return c->kind == FXT_KIND_CONTEXT_SWITCH && fxt_is_mark(c->sw.unknown);
}

bool streams_mark(struct streams *st, const struct fxt_content *c)
{
	struct stream *s = st->streams[c->sw.cpu];
	struct streams_mark before;

	if (!s)
		return false;
	if (!s->has_begun && c->time >= s->range.from)
		begin_stream(st, s);
	put_first(st, s, &s->begin);
	before = s->end;
	if (!hold_mark(s, &c->sw, c->time))
		return true;
	if (fxt_mark_is_begin(c->sw.unknown))
		s->end.kind = 0;
	put_first(st, s, &before);
	/* The mark of a beginning comes after the first ledger. */
	if (s->has_ledger)
		put_mark(st, s, &s->begin);
	return true;
}

/* --- the end ------------------------------------------------------------------- */

static void finish_stream(struct streams *st, struct stream *s)
{
	uint64_t time = s->stopped ? s->stopped : s->in.last;

	if (!s->has_begun)
		begin_stream(st, s);
	put_first(st, s, &s->begin);
	time = max(min(time, s->range.to), max(s->out.last, s->out.begun));
	write_loss(st, s, time);
	pass(st, s);
	write_ledger(st, s, FXT_LEDGER_CLOSING, time);
}

/* All streams of names have the same number, so one ledger ends them. */
static void finish_names(struct streams *st)
{
	struct stream *s, *first = st->names;

	if (!first)
		return;
	for (s = first->next; s; s = s->next) {
		first->untold += s->untold;
		first->stopped = max(first->stopped, s->stopped);
	}
	first->out.written = first->untold;
	first->out.begun = max(first->range.from, first->in.begun);
	first->stopped = max(first->stopped, first->out.begun);
	if (first->untold)
		finish_stream(st, first);
}

void streams_end(struct streams *st, uint32_t first, uint32_t count)
{
	uint32_t i;

	for (i = first; i < STREAMS && i - first < count; i++) {
		if (!st->streams[i] || st->streams[i]->has_ended)
			continue;
		finish_stream(st, st->streams[i]);
		st->streams[i]->has_ended = true;
	}
}

void streams_finish(struct streams *st)
{
	streams_end(st, 0, STREAMS);
	finish_names(st);
}

void streams_free(struct streams *st)
{
	struct stream *s;
	size_t i;

	for (i = 0; i < STREAMS; i++)
		free(st->streams[i]);
	while ((s = st->names)) {
		st->names = s->next;
		free(s);
	}
}

bool streams_is_loss(const struct fxt_content *c)
{
	switch (c->kind) {
	case FXT_KIND_PROVIDER_EVENT:
		return c->event == FXT_PROVIDER_EVENT_BUFFER_FULL;
	case FXT_KIND_DURATION_COMPLETE:
		return c->thread.process == FXT_SCHED_KOID_LOSS &&
		       c->category.known == FXT_STR_CATEGORY && c->name.known == FXT_STR_LOST;
	case FXT_KIND_CONTEXT_SWITCH:
		return c->sw.unknown == FXT_STR_LOST;
	case FXT_KIND_KERNEL_OBJECT:
		return c->object > FXT_SCHED_KOID_LOSS &&
		       c->object <= fxt_sched_loss_koid(FXT_LEDGER_STREAM_NAMES);
	default:
		return false;
	}
}
