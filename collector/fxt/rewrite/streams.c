// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * streams.c - see streams.h.
 *
 * Must hold: a ledger is written only when the next record is known. The head of a sub-buffer has
 * the time of its first record, so it waits for the first record that is kept; a loss waits for the
 * next ledger of its stream.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_mark.h>
#include <fxt/fxt_unknown.h>

#include "libfxt/array.h"
#include "libfxt/text.h"
#include "sched/kernel_event.h"
#include "streams.h"

/* --------------------------------------------------------------------
 * Marks at the edges of a recording.
 */

/* Do two parts meet? Parts made by fxt cut begin one tick after the end of the one before. */
static bool joins(const struct edges_mark *end, const struct fxt_switch *sw, uint64_t ticks)
{
	return end->kind == FXT_STR_END && sw->unknown == FXT_STR_BEGIN &&
	       ticks - end->time <= 1 && end->thread == sw->in;
}

/**
 * edges_take() - take a mark that was read. Return: true if it is held in @begin or @end,
 * replacing the one before
 */
static bool edges_take(struct edges *e, const struct streams_range *range,
		       const struct fxt_switch *sw, uint64_t ticks)
{
	bool is_begin = fxt_mark_is_begin(sw->unknown);
	struct edges_mark *mark = is_begin ? &e->begin : &e->end;

	if (ticks < range->from || ticks > range->to)
		return false;
	if (joins(&e->end, sw, ticks)) {
		e->end.kind = 0;
		return false;
	}
	*mark = (struct edges_mark){
		.kind = sw->unknown, .time = ticks, .thread = is_begin ? sw->in : sw->out,
		.weight = is_begin ? sw->in_weight : sw->out_weight,
	};
	if (is_begin ? !sw->has_in_weight : !sw->has_out_weight)
		mark->weight = FXT_SCHED_WEIGHT_NONE;
	return true;
}

static void add_weight(struct fxt_content *c, uint16_t name, int32_t weight)
{
	if (weight != FXT_SCHED_WEIGHT_NONE)
		c->args[c->arg_count++] = (struct fxt_arg){
			.name = fxt_known_text(name), .type = FXT_ARG_INT32, .i64 = weight,
		};
}

/** edges_content() - make the record of a mark on its CPU */
static void edges_content(const struct edges_mark *mark, uint16_t cpu, struct fxt_content *c)
{
	bool is_begin = fxt_mark_is_begin(mark->kind);
	struct fxt_switch sw = {
		.time = mark->time,
		.out = is_begin ? 0 : mark->thread,
		.in = is_begin ? mark->thread : 0,
		.out_weight = is_begin ? FXT_SCHED_WEIGHT_IDLE : mark->weight,
		.in_weight = is_begin ? mark->weight : FXT_SCHED_WEIGHT_IDLE,
		.cpu = cpu,
		.state = is_begin || !mark->thread ? FXT_THREAD_NEW : FXT_SCHED_STATE_UNKNOWN,
		.has_out_weight = is_begin || mark->weight != FXT_SCHED_WEIGHT_NONE,
		.has_in_weight = !is_begin || mark->weight != FXT_SCHED_WEIGHT_NONE,
		.unknown = mark->kind,
	};

	*c = (struct fxt_content){ .kind = FXT_KIND_CONTEXT_SWITCH, .time = mark->time, .sw = sw };
	add_weight(c, FXT_STR_OUTGOING_WEIGHT, sw.out_weight);
	add_weight(c, FXT_STR_INCOMING_WEIGHT, sw.in_weight);
	c->args[c->arg_count++] = (struct fxt_arg){
		.name = fxt_known_text(FXT_STR_UNKNOWN), .type = FXT_ARG_STRING,
		.text = fxt_known_text(mark->kind),
	};
}

/* --------------------------------------------------------------------
 * Providers.
 */

struct providers_entry {
	uint32_t id;
	uint64_t ticks_per_second;
};

/* Replace invalid UTF-8 by '?', as everywhere in the result. */
static void copy_name(char *to, const struct fxt_text *name)
{
	const unsigned char *s = (const unsigned char *)name->bytes;
	uint32_t i, n;

	for (i = 0; i < name->length; i += n ? n : 1) {
		n = fxt_utf8_length(s + i, name->length - i);
		if (n)
			memcpy(to + i, s + i, n);
		else
			to[i] = '?';
	}
}

static int introduce(struct providers *p, const struct fxt_provider *provider)
{
	char name[FXT_MAX_PROVIDER_NAME];
	struct fxt_writer *w = p->f->w;
	struct fxt_content info = {
		.kind = FXT_KIND_PROVIDER_INFO,
		.provider_id = provider->id,
		.name = { .bytes = name, .length = provider->name.length },
	};
	int ret;

	copy_name(name, &provider->name);
	ret = fxt_writer_record(w, &info);
	if (!ret)
		ret = fxt_writer_initialization(w, provider->ticks_per_second);
	if (!fxt_text_is(&provider->name, FXT_SCHED_PROVIDER_NAME))
		return rewrite_written(p->f, ret);
#define REGISTER(index, text) ret = ret ? ret : fxt_writer_register(w, text);
	FXT_SCHED_STRINGS(REGISTER)
#undef REGISTER
	return rewrite_written(p->f, ret);
}

static size_t find_provider(const struct providers *p, uint32_t id)
{
	uint64_t number = p->count;

	if (p->count && p->list[p->now].id == id)
		return p->now;
	koids_get(&p->numbers, id, &number);
	return number;
}

static int add_provider(struct providers *p, const struct fxt_provider *provider)
{
	if (array_grow(p->list, p->count) ||
	    koids_set(&p->numbers, provider->id, p->count))
		return -ENOMEM;
	p->list[p->count] = (struct providers_entry){
		provider->id, provider->ticks_per_second,
	};
	p->now = p->count++;
	return introduce(p, provider);
}

/** providers_go_on() - like providers_enter(), for a provider that was entered before, by its id */
static int providers_go_on(struct providers *p, uint32_t id)
{
	struct fxt_content section = {
		.kind = FXT_KIND_PROVIDER_SECTION, .provider_id = id,
	};
	size_t i = find_provider(p, id);

	if (i == p->now || i == p->count)
		return 0;
	p->now = i;
	return rewrite_written(p->f, fxt_writer_record(p->f->w, &section));
}

int providers_enter(struct providers *p, const struct fxt_provider *provider)
{
	size_t i = find_provider(p, provider->id);
	int ret;

	if (i == p->count)
		return add_provider(p, provider);
	ret = providers_go_on(p, provider->id);
	if (ret || p->list[i].ticks_per_second == provider->ticks_per_second)
		return ret;
	p->list[i].ticks_per_second = provider->ticks_per_second;
	return rewrite_written(p->f, fxt_writer_initialization(p->f->w,
							       provider->ticks_per_second));
}

void providers_free(struct providers *p)
{
	free(p->list);
	koids_free(&p->numbers);
	p->list = NULL;
	p->count = 0;
}

/* --------------------------------------------------------------------
 * See streams.h.
 */

/* How far a stream has been read or written. */
struct counts {
	uint64_t written;
	uint64_t lost;
	uint64_t last;		/* ticks of the last record, 0 if there was none */
	uint32_t next;		/* number of the next sub-buffer */
};

/** struct stream - a stream that is read and written */
struct stream {
	uint32_t id;
	uint32_t provider;
	struct streams_range range;	/* the time range of the result */
	struct counts in;		/* progress of reading */
	struct counts out;		/* progress of writing */
	uint64_t head_written;	/* from the head of the newest sub-buffer; @head_lost likewise */
	uint64_t head_lost;
	uint64_t opened;		/* ticks, since when the stream is complete */
	uint64_t stopped;		/* ticks of the newest closing ledger, 0 if there is none */
	uint64_t untold;		/* lost records in the range, not reported yet */
	struct fxt_switch ran;	/* the last switch written, if its incoming thread is known */
	struct edges edges;		/* marks that are held */
	bool has_passed;	/* the mark at the end of the range is written, or there is none */
	bool has_ledger;		/* the result has a ledger of the stream */
	bool is_part;			/* the archive has an opening ledger of it */
	bool has_head;			/* @head_written is known */
	bool is_fresh;			/* the newest sub-buffer has no ledger in the result yet */
	bool has_begun;			/* the result has at least its opening ledger */
	bool has_ended;			/* its closing ledger is written */
	bool loss_named;
	struct stream *next;	/* the stream of names of another provider */
};

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct fxt_text text_of(const char *s)
{
	return (struct fxt_text){ .bytes = s, .length = strlen(s) };
}

static int put_content(struct streams *st, const struct fxt_content *c)
{
	return rewrite_written(st->p->f, fxt_writer_record(st->p->f->w, c));
}

/* --- writing ------------------------------------------------------------------- */

static int write_ledger(struct streams *st, struct stream *s, enum fxt_ledger_kind kind,
			uint32_t sequence, uint64_t time)
{
	bool goes_on = kind == FXT_LEDGER_CONTINUED;
	struct fxt_ledger l = {
		.stream = s->id,
		.kind = kind,
		.sequence = sequence,
		.time = time,
		.last = s->out.last,
		.written = goes_on ? s->head_written : s->out.written,
		.lost = goes_on ? s->head_lost : s->out.lost,
	};
	__u64 words[FXT_LEDGER_WORDS];
	struct fxt_content c = {
		.kind = FXT_KIND_BLOB,
		.name = fxt_known_text(FXT_STR_LEDGER),
		.blob = { words + 1, FXT_LEDGER_BYTES },
		.blob_held = FXT_LEDGER_BYTES,
		.blob_type = FXT_BLOB_DATA,
	};
	int ret = providers_go_on(st->p, s->provider);

	s->has_ledger = true;
	fxt_sched_put_ledger(words, &l);
	st->now = kind == FXT_LEDGER_HEAD || goes_on ? s : NULL;
	return ret ? ret : put_content(st, &c);
}

static int name_track(struct streams *st, struct stream *s)
{
	char name[32];
	struct fxt_content process = {
		.kind = FXT_KIND_KERNEL_OBJECT,
		.name = text_of(FXT_SCHED_PROVIDER_NAME),
		.object = FXT_SCHED_KOID_LOSS,
		.object_type = FXT_OBJECT_PROCESS,
	}, thread = {
		.kind = FXT_KIND_KERNEL_OBJECT,
		.object = fxt_sched_loss_koid(s->id),
		.object_type = FXT_OBJECT_THREAD,
		.arg_count = 1,
	};
	int ret = st->loss_named ? 0 : put_content(st, &process);

	if (s->id == FXT_LEDGER_STREAM_NAMES)
		snprintf(name, sizeof(name), "lost names");
	else
		snprintf(name, sizeof(name), "lost on cpu %" PRIu32, s->id);
	thread.name = text_of(name);
	thread.args[0] = (struct fxt_arg){
		.name = fxt_known_text(FXT_STR_PROCESS), .type = FXT_ARG_KOID,
		.u64 = FXT_SCHED_KOID_LOSS,
	};
	st->loss_named = s->loss_named = true;
	return ret ? ret : put_content(st, &thread);
}

/* Like fxt-collect: after a loss it is unknown whether the last thread still runs. */
static int end_run(struct streams *st, struct stream *s)
{
	struct fxt_content c = {
		.kind = FXT_KIND_CONTEXT_SWITCH,
		.time = s->out.last,
		.sw = {
			.time = s->out.last,
			.out = s->ran.in,
			.cpu = s->ran.cpu,
			.state = FXT_SCHED_STATE_UNKNOWN,
			.unknown = FXT_STR_LOST,
		},
	};

	if (!s->ran.in)
		return 0;
	s->ran.in = 0;
	if (s->ran.has_in_weight)
		add_weight(&c, FXT_STR_OUTGOING_WEIGHT, s->ran.in_weight);
	add_weight(&c, FXT_STR_INCOMING_WEIGHT, FXT_SCHED_WEIGHT_IDLE);
	c.args[c.arg_count++] = (struct fxt_arg){ .name = fxt_known_text(FXT_STR_UNKNOWN),
						  .type = FXT_ARG_STRING,
						  .text = fxt_known_text(FXT_STR_LOST) };
	return put_content(st, &c);
}

static int tell_loss(struct streams *st, struct stream *s, uint64_t to)
{
	uint64_t begin = max(s->range.from, s->opened);
	struct fxt_content event = {
		.kind = FXT_KIND_PROVIDER_EVENT,
		.provider_id = s->provider,
		.event = FXT_PROVIDER_EVENT_BUFFER_FULL,
	}, slice = {
		.kind = FXT_KIND_DURATION_COMPLETE,
		.time = s->out.last ? s->out.last : min(begin, to),
		.end = to,
		.thread = { FXT_SCHED_KOID_LOSS, fxt_sched_loss_koid(s->id), 0 },
		.category = fxt_known_text(FXT_STR_CATEGORY),
		.name = fxt_known_text(FXT_STR_LOST),
		.arg_count = 1,
	};
	int ret = providers_go_on(st->p, s->provider);

	if (!s->untold || ret)
		return ret;
	slice.args[0] = (struct fxt_arg){
		.name = fxt_known_text(FXT_STR_RECORDS), .type = FXT_ARG_UINT32,
		.u64 = min(s->untold, UINT32_MAX),
	};
	s->out.lost += s->untold;
	s->untold = 0;
	st->losses++;
	if (!s->loss_named)
		ret = name_track(st, s);
	if (!ret)
		ret = put_content(st, &event);
	if (!ret)
		ret = put_content(st, &slice);
	return ret ? ret : end_run(st, s);
}

/* --- marks ----------------------------------------------------------------------- */

static int put_mark(struct streams *st, struct stream *s, struct edges_mark *mark)
{
	struct fxt_content c;
	int ret;

	if (!mark->kind)
		return 0;
	edges_content(mark, s->id, &c);
	mark->kind = 0;
	if (st->edges.shows && !st->edges.shows(st->edges.arg, s->id, mark->thread, mark->time))
		return 0;
	s->ran = c.sw;
	st->marks++;
	ret = providers_go_on(st->p, s->provider);
	return ret ? ret : put_content(st, &c);
}

/* Like put_mark(), but first writes an opening ledger if there is no ledger yet. */
static int put_first(struct streams *st, struct stream *s, struct edges_mark *mark)
{
	int ret = 0;

	if (mark->kind && !s->has_ledger) {
		s->is_part = true;
		s->opened = mark->time;
		ret = write_ledger(st, s, FXT_LEDGER_OPENING, s->out.next, s->opened);
	}
	return ret ? ret : put_mark(st, s, mark);
}

/* After the range, only slices that began in it follow. */
static int pass(struct streams *st, struct stream *s)
{
	int ret = put_first(st, s, &s->edges.end);

	if (s->has_passed)
		return ret;
	s->has_passed = true;
	if (!st->edges.find)
		return ret;
	s->edges.end = st->edges.find(st->edges.arg, s->id, true);
	return ret ? ret : put_first(st, s, &s->edges.end);
}

/* --- how streams begin --------------------------------------------------------- */

static struct stream *new_stream(const struct fxt_ledger *l, uint32_t provider,
				 const struct streams_range *range)
{
	struct stream *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->id = l->stream;
	s->provider = provider;
	s->range = *range;
	if (l->kind != FXT_LEDGER_OPENING)
		return s;
	s->is_part = true;
	s->opened = max(l->time, l->last);
	s->in = (struct counts){ l->written, l->lost, l->last, l->sequence };
	return s;
}

/* Count records before the range as records of another part. */
static int begin_stream(struct streams *st, struct stream *s)
{
	int ret;

	s->has_begun = true;
	s->out = s->in;
	s->out.next -= s->is_fresh && s->out.next;
	if (!s->range.from && !s->is_part)
		return 0;
	s->is_part = true;
	s->opened = max(max(s->range.from, s->opened), s->in.last);
	ret = write_ledger(st, s, FXT_LEDGER_OPENING, s->out.next, s->opened);
	if (s->range.from && st->edges.find)
		s->edges.begin = st->edges.find(st->edges.arg, s->id, false);
	return ret ? ret : put_mark(st, s, &s->edges.begin);
}

/* --- reading ------------------------------------------------------------------- */

/* Count the records that a head or closing ledger adds. */
static int take_growth(struct streams *st, struct stream *s, const struct fxt_ledger *l)
{
	uint64_t more = l->written - s->in.written;
	uint64_t lost = l->lost > s->in.lost ? l->lost - s->in.lost : 0;
	int ret = 0;

	if ((!more && !lost) || l->time < s->range.from)
		return 0;
	if (!s->has_begun)
		ret = begin_stream(st, s);
	if (s->in.last > s->range.to)
		return ret;
	s->out.written += more;
	s->untold += lost;
	return ret;
}

static int take_ledger(struct streams *st, struct stream *s, const struct fxt_ledger *l)
{
	int ret;

	/* An opening ledger of a known stream continues it. */
	if (l->kind == FXT_LEDGER_OPENING)
		return 0;
	if (l->kind == FXT_LEDGER_CONTINUED) {
		if (!s->has_head) {
			s->head_written = l->written;
			s->head_lost = l->lost;
			s->has_head = true;
		}
		return 0;
	}
	ret = take_growth(st, s, l);
	s->in.written = l->written;
	s->in.lost = l->lost;
	if (l->kind == FXT_LEDGER_CLOSING) {
		s->stopped = max(l->time, 1);
		return ret;
	}
	s->in.next = l->sequence + 1;
	s->head_written = l->written;
	s->head_lost = l->lost;
	s->has_head = s->is_fresh = true;
	return ret;
}

/* Each provider has one stream of names; these are in a list. */
static struct stream **find_names(struct streams *st, uint32_t provider)
{
	struct stream **s = &st->names;

	while (*s && (*s)->provider != provider)
		s = &(*s)->next;
	return s;
}

/* Of a stream of names, keep only the number of losses and the time of the last one. */
static int take_names(struct streams *st, const struct fxt_ledger *l, uint32_t provider,
		      const struct streams_range *range)
{
	struct stream **names = find_names(st, provider), *s = *names;

	if (!s) {
		s = *names = new_stream(l, provider, range);
		if (!s)
			return -ENOMEM;
		s->has_begun = true;
	}
	if (l->kind == FXT_LEDGER_HEAD || l->kind == FXT_LEDGER_CLOSING)
		s->untold += l->lost > s->in.lost ? l->lost - s->in.lost : 0;
	s->in.lost = max(s->in.lost, l->lost);
	s->stopped = max(s->stopped, l->time);
	return 0;
}

int streams_ledger(struct streams *st, const struct fxt_ledger *l, uint32_t provider,
		   const struct streams_range *range, struct stream **stream)
{
	struct stream **s;

	*stream = NULL;
	if (l->stream == FXT_LEDGER_STREAM_NAMES)
		return take_names(st, l, provider, range);
	s = &st->streams[l->stream];
	if (!*s) {
		*s = new_stream(l, provider, range);
		if (!*s)
			return -ENOMEM;
		if (l->kind == FXT_LEDGER_OPENING)
			return 0;
	}
	if (l->kind == FXT_LEDGER_HEAD || l->kind == FXT_LEDGER_CONTINUED)
		*stream = *s;
	return take_ledger(st, *s, l);
}

bool streams_counts(const struct fxt_provider *provider, const struct fxt_content *c)
{
	struct kernel_event e;

	return c->kind == FXT_KIND_CONTEXT_SWITCH || c->kind == FXT_KIND_THREAD_WAKEUP ||
	       kernel_event_take(&e, provider, c) || kernel_event_is_custom(provider, c);
}

uint32_t streams_number(const struct stream *stream)
{
	return stream->id;
}

int streams_record(struct streams *st, struct stream *s, const struct fxt_content *c,
		   bool stays)
{
	/* Slices are written when they end. */
	uint64_t ticks = c->kind == FXT_KIND_DURATION_COMPLETE ? c->end : c->time;
	int ret = 0;

	if (!s->has_begun && ticks >= s->range.from)
		ret = begin_stream(st, s);
	if (!s->has_begun)
		s->is_fresh = false;	/* its head is in another part */
	if (!ret && stays && s->is_fresh) {
		ret = tell_loss(st, s, ticks);
		s->head_written = s->out.written;
		s->head_lost = s->out.lost;
		s->is_fresh = false;
		if (!ret)
			ret = write_ledger(st, s, FXT_LEDGER_HEAD, s->out.next++, ticks);
	} else if (!ret && stays && st->now != s) {
		ret = write_ledger(st, s, FXT_LEDGER_CONTINUED, s->out.next - 1, ticks);
	}
	if (!ret && stays)
		ret = put_mark(st, s, &s->edges.begin);
	if (!ret && stays && ticks > s->range.to)
		ret = pass(st, s);
	else if (!ret && stays)
		ret = put_mark(st, s, &s->edges.end);
	if (stays) {
		s->out.written++;
		s->out.last = ticks;
		if (c->kind == FXT_KIND_CONTEXT_SWITCH)
			s->ran = c->sw;
	}
	s->in.written++;
	s->in.last = ticks;
	return ret;
}

bool streams_is_mark(const struct fxt_content *c)
{
	return c->kind == FXT_KIND_CONTEXT_SWITCH && fxt_is_mark(c->sw.unknown);
}

int streams_mark(struct streams *st, const struct fxt_content *c)
{
	struct stream *s = st->streams[c->sw.cpu];
	struct edges_mark before;
	int ret = 0;

	if (!s)
		return 1;
	if (!s->has_begun && c->time >= s->range.from)
		ret = begin_stream(st, s);
	ret = ret ? ret : put_first(st, s, &s->edges.begin);
	before = s->edges.end;
	if (ret || !edges_take(&s->edges, &s->range, &c->sw, c->time))
		return ret;
	if (fxt_mark_is_begin(c->sw.unknown))
		s->edges.end.kind = 0;
	ret = put_first(st, s, &before);
	/* The mark of a beginning comes after the first ledger. */
	return ret || !s->has_ledger ? ret : put_mark(st, s, &s->edges.begin);
}

/* --- the end ------------------------------------------------------------------- */

static int finish_stream(struct streams *st, struct stream *s)
{
	uint64_t time = s->stopped ? s->stopped : s->in.last;
	int ret = s->has_begun ? 0 : begin_stream(st, s);

	ret = ret ? ret : put_first(st, s, &s->edges.begin);
	time = max(min(time, s->range.to), max(s->out.last, s->is_part ? s->opened : 0));
	if (!ret)
		ret = tell_loss(st, s, time);
	if (!ret)
		ret = pass(st, s);
	return ret ? ret : write_ledger(st, s, FXT_LEDGER_CLOSING, s->out.next, time);
}

/* All streams of names have the same number, so one ledger ends them. */
static int finish_names(struct streams *st)
{
	struct stream *s, *first = st->names;

	if (!first)
		return 0;
	for (s = first->next; s; s = s->next) {
		first->untold += s->untold;
		first->stopped = max(first->stopped, s->stopped);
	}
	first->is_part = false;
	first->out = (struct counts){ .written = first->untold };
	first->stopped = max(first->stopped, max(first->range.from, first->opened));
	return first->untold ? finish_stream(st, first) : 0;
}

int streams_end(struct streams *st, uint32_t first, uint32_t count)
{
	uint32_t i;
	int ret = 0;

	for (i = first; i < STREAMS && i - first < count && !ret; i++) {
		if (!st->streams[i] || st->streams[i]->has_ended)
			continue;
		ret = finish_stream(st, st->streams[i]);
		st->streams[i]->has_ended = true;
	}
	return ret;
}

int streams_finish(struct streams *st)
{
	int ret = streams_end(st, 0, STREAMS);

	return ret ? ret : finish_names(st);
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
