// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html.c - see html.h.
 *
 * The page is page/report.html with the style, the scripts and the data at its
 * placeholders. The data of the timeline comes last: it is most of a large page, and a
 * browser shows the rest while it still loads:
 *
 *  fxt-report    JSON, as report/json/json.c has it
 *  fxt-timeline  JSON: origin_ns, spans, losses and slices (numbers of them), cpus (those
 *    shown), sources (of slices: [kind, name, number], null if there are none of it), threads (by number: [tid, process, name, is it shown, nth of the tid, nth of the
 *    process], null without activity)
 *  fxt-column-*  columns as spool.h has them. Spans, in the order of their end:
 *    end     since the end of the span before, the first since origin_ns; signed
 *    gap     from the end of this thread's last span, or origin_ns, to its begin;
 *            signed. Idle threads are one thread for each CPU
 *    thread  its number
 *    state   the letter, as in sched/types.h
 *    cpu     1 + CPU; 0: none
 *    waker   4 + number of the thread; 1 hard, 2 soft: an interrupt; 3: an NMI; 0: not
 *            known. Only of state R
 *    slices  of each, in the order of their end: end since that of the one before (the first
 *            since origin_ns; signed), duration, number of its source, CPU, and of work items
 *            1 + number of the thread, else 0
 *    losses  of each: CPU, begin since that of the one before (the first since
 *            origin_ns; signed), duration, records
 *
 * All times are ns. Names of the archive occur only inside JSON.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/json/json.h"
#include "write/spool.h"
#include "html.h"
#include "parts.h"

#define CPUS	65536		/* all values of 16 bits */
#define NO_CPU	0xffff
#define FIRST_THREAD	4ULL	/* in the column of wakers, after enum fxt_sched_irq */

#define COLUMNS(X)								\
	X(END, "end") X(GAP, "gap") X(THREAD, "thread") X(STATE, "state")	\
	X(CPU, "cpu") X(WAKER, "waker") X(LOSSES, "losses")	\
	X(SLICES, "slices")

enum column {
#define COLUMN_ENUM(column, name) COLUMN_##column,
	COLUMNS(COLUMN_ENUM)
	COLUMN_COUNT
};

static const char *const column_names[] = {
#define COLUMN_NAME(column, name) [COLUMN_##column] = name,
	COLUMNS(COLUMN_NAME)
};

/**
 * struct html_thread - a thread, by its number
 * @sched: NULL without activity
 * @end: ns, of its last span
 */
struct html_thread {
	const struct sched_thread *sched;
	uint64_t end;
	bool is_shown;
};

/**
 * struct report_html - the page so far
 * @origin: ns, zero of all times in the page
 * @end: ns, of the last span
 * @loss: ns, begin of the last loss
 * @slice: ns, end of the last slice
 * @sources: what slices are of, by id, NULL if there was none of it
 * @idle_end: ns, of the last span of the idle thread of each CPU
 */
struct report_html {
	struct report_watch watch;
	bool has_origin;
	uint64_t origin;
	uint64_t end;
	uint64_t loss;
	uint64_t spans;
	uint64_t losses;
	uint64_t slice;
	uint64_t slices;
	const struct sched_source **sources;
	size_t source_room;
	struct html_thread *threads;
	size_t room;
	struct spool columns[COLUMN_COUNT];
	uint64_t idle_end[CPUS];
};

/* --- spans and losses --------------------------------------------------------------- */

static void note_origin(struct report_html *h, uint64_t time)
{
	size_t i;

	h->has_origin = true;
	h->origin = h->end = h->loss = h->slice = time;
	for (i = 0; i < CPUS; i++)
		h->idle_end[i] = time;
}

static struct html_thread *thread_of(struct report_html *h, const struct sched_thread *t)
{
	size_t room = h->room ? h->room : 256;
	struct html_thread *more;

	while (room <= t->id)
		room *= 2;
	if (room > h->room) {
		more = reallocarray(h->threads, room, sizeof(*more));
		if (!more)
			return NULL;
		memset(more + h->room, 0, (room - h->room) * sizeof(*more));
		h->threads = more;
		h->room = room;
	}
	if (!h->threads[t->id].sched)
		h->threads[t->id] = (struct html_thread){ .sched = t, .end = h->origin };
	return &h->threads[t->id];
}

static int take_span(void *arg, const struct sched_span *span)
{
	struct spool *column = ((struct report_html *)arg)->columns;
	struct report_html *h = arg;
	struct html_thread *t;
	uint64_t *end;

	if (!h->has_origin)
		note_origin(h, span->from);
	if (span->waker && !thread_of(h, span->waker))
		return -ENOMEM;
	t = thread_of(h, span->thread);
	if (!t)
		return -ENOMEM;
	end = span->thread->koid ? &t->end : &h->idle_end[span->cpu];
	spool_i64(&column[COLUMN_END], span->to - h->end);
	spool_i64(&column[COLUMN_GAP], span->from - *end);
	spool_u64(&column[COLUMN_THREAD], span->thread->id);
	spool_u64(&column[COLUMN_STATE], span->state);
	spool_u64(&column[COLUMN_CPU], span->cpu == NO_CPU ? 0 : span->cpu + 1);
	if (span->state == 'R')
		spool_u64(&column[COLUMN_WAKER], span->waker ? span->waker->id + FIRST_THREAD :
							       span->irq);
	*end = h->end = span->to;
	h->spans++;
	return 0;
}

static int take_gap(void *arg, const struct sched_gap *gap)
{
	struct report_html *h = arg;
	struct spool *s = &h->columns[COLUMN_LOSSES];

	if (!h->has_origin)
		note_origin(h, gap->from);
	spool_u64(s, gap->cpu);
	spool_i64(s, gap->from - h->loss);
	spool_u64(s, gap->to > gap->from ? gap->to - gap->from : 0);
	spool_u64(s, gap->records);
	h->loss = gap->from;
	h->losses++;
	return 0;
}

static int note_source(struct report_html *h, const struct sched_source *source)
{
	size_t room = h->source_room ? h->source_room : 64;
	const struct sched_source **more;

	while (room <= source->id)
		room *= 2;
	if (room > h->source_room) {
		more = reallocarray(h->sources, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + h->source_room, 0, (room - h->source_room) * sizeof(*more));
		h->sources = more;
		h->source_room = room;
	}
	h->sources[source->id] = source;
	return 0;
}

static int take_slice(void *arg, const struct sched_slice *slice)
{
	bool is_work = slice->source->what == KERNEL_WORK;
	struct report_html *h = arg;
	struct spool *s = &h->columns[COLUMN_SLICES];

	if (!h->has_origin)
		note_origin(h, slice->from);
	if (note_source(h, slice->source) || (is_work && !thread_of(h, slice->thread)))
		return -ENOMEM;
	spool_i64(s, slice->to - h->slice);
	spool_u64(s, slice->to - slice->from);
	spool_u64(s, slice->source->id);
	spool_u64(s, slice->cpu);
	spool_u64(s, is_work ? slice->thread->id + 1 : 0);
	h->slice = slice->to;
	h->slices++;
	return 0;
}

/* --- the page ------------------------------------------------------------------------- */

static void print_thread(struct out *o, const struct html_thread *t)
{
	if (!t->sched) {
		out_str(o, "null");
		return;
	}
	out_char(o, '[');
	out_json_u64(o, t->sched->koid);
	out_char(o, ',');
	out_json_u64(o, t->sched->process);
	out_char(o, ',');
	out_json(o, t->sched->name, strlen(t->sched->name));
	out_str(o, t->is_shown ? ",true," : ",false,");
	out_json_u64(o, t->sched->nth);
	out_char(o, ',');
	out_json_u64(o, t->sched->owner ? t->sched->owner->nth : 0);
	out_char(o, ']');
}

static void print_sources(const struct report_html *h, struct out *o)
{
	const struct sched_source *source;
	size_t i;

	out_str(o, ",\"slices\":");
	out_json_u64(o, h->slices);
	out_str(o, ",\"sources\":[");
	for (i = 0; i < h->source_room; i++) {
		source = h->sources[i];
		out_str(o, i ? "," : "");
		if (!source) {
			out_str(o, "null");
			continue;
		}
		out_printf(o, "[\"%s\",", kernel_event_name(source->what));
		out_json(o, source->name, strlen(source->name));
		out_char(o, ',');
		out_u64(o, source->number);
		out_char(o, ']');
	}
	out_char(o, ']');
}

static void print_timeline(struct report_html *h, struct out *o, const struct report *r)
{
	size_t i;

	for (i = 0; i < r->thread_count; i++)
		if (r->threads[i]->sched->id < h->room)
			h->threads[r->threads[i]->sched->id].is_shown = true;
	out_str(o, "{\"origin_ns\":");
	out_json_u64(o, h->origin);
	out_str(o, ",\"spans\":");
	out_json_u64(o, h->spans);
	out_str(o, ",\"losses\":");
	out_json_u64(o, h->losses);
	print_sources(h, o);
	out_str(o, ",\"cpus\":[");
	for (i = 0; i < r->cpu_count; i++) {
		out_str(o, i ? "," : "");
		out_u64(o, r->cpus[i]->number);
	}
	out_str(o, "],\"threads\":[");
	for (i = 0; i < h->room; i++) {
		out_str(o, i ? "," : "");
		print_thread(o, &h->threads[i]);
	}
	out_str(o, "]}");
}

static void begin_data(struct out *o, const char *type, const char *name)
{
	out_printf(o, "<script type=\"%s\" id=\"fxt-%s\">", type, name);
}

static void end_data(struct out *o)
{
	out_str(o, "</script>\n");
}

static int print_columns(struct report_html *h, struct out *o)
{
	char name[32];
	int i, ret;

	for (i = 0; i < COLUMN_COUNT; i++) {
		snprintf(name, sizeof(name), "column-%s", column_names[i]);
		begin_data(o, "text/plain", name);
		ret = spool_print(&h->columns[i], o);
		if (ret)
			return ret;
		end_data(o);
	}
	return 0;
}

static void print_part(struct out *o, const struct html_part *part)
{
	out_bytes(o, part->begin, part->end - part->begin);
}

static void print_scripts(struct out *o)
{
	static const struct html_part *const scripts[] = {
#define SCRIPT(name) &html_##name##_js,
		HTML_SCRIPTS(SCRIPT)
	};
	size_t i;

	for (i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		out_str(o, "<script>\n");
		print_part(o, scripts[i]);
		out_str(o, "</script>\n");
	}
}

/* Print up to @mark, which must be there; @at then points behind it. */
static void print_until(struct out *o, const char **at, const char *mark)
{
	const char *end = html_report_html.end;
	const char *to = memmem(*at, end - *at, mark, strlen(mark));

	out_bytes(o, *at, to - *at);
	*at = to + strlen(mark);
}

int report_html_print(struct report_html *h, struct out *o, const char *path,
		      const struct report *r, const struct report_options *options,
		      size_t top)
{
	const char *at = html_report_html.begin;
	int ret;

	out_in_html(o);
	print_until(o, &at, "@STYLE@");
	print_part(o, &html_report_css);
	print_until(o, &at, "@REPORT@");
	begin_data(o, "application/json", "report");
	report_print_json(o, path, r, options, top);
	end_data(o);
	print_until(o, &at, "@SCRIPTS@");
	print_scripts(o);
	print_until(o, &at, "@TIMELINE@");
	begin_data(o, "application/json", "timeline");
	print_timeline(h, o, r);
	end_data(o);
	ret = print_columns(h, o);
	if (ret)
		return ret;
	out_bytes(o, at, html_report_html.end - at);
	return 0;
}

/* --- the whole ------------------------------------------------------------------------ */

int report_html_open(struct report_html **out)
{
	struct report_html *h = calloc(1, sizeof(*h));
	int i, ret = 0;

	*out = h;
	if (!h)
		return -ENOMEM;
	h->watch = (struct report_watch){ take_span, take_gap, take_slice, h };
	for (i = 0; i < COLUMN_COUNT && !ret; i++)
		ret = spool_open(&h->columns[i]);
	return ret;
}

const struct report_watch *report_html_watch(struct report_html *h)
{
	return &h->watch;
}

int report_html_end(struct report_html *h)
{
	int i, ret = 0;

	for (i = 0; i < COLUMN_COUNT && !ret; i++)
		ret = spool_end(&h->columns[i]);
	return ret;
}

void report_html_close(struct report_html *h)
{
	int i;

	if (!h)
		return;
	for (i = 0; i < COLUMN_COUNT; i++)
		spool_close(&h->columns[i]);
	free(h->sources);
	free(h->threads);
	free(h);
}
