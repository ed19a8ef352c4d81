/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data.h - the data of a page besides the report, which html.c describes: columns of numbers, and
 * the JSON of the block fxt-timeline.
 */
#ifndef FXT_REPORT_HTML_DATA_H
#define FXT_REPORT_HTML_DATA_H

#include "account/history.h"
#include "liboutput/json.h"
#include "report/stats/report.h"
#include "spool.h"

#define HTML_CPUS	65536		/* all values of 16 bits */
#define HTML_NO_CPU	0xffff

/*
 * Number of the first source that is an origin; those of slices come after the origins. A multiple
 * of the number of hues in page/colours.js, where a source has the hue of its number.
 */
#define HTML_FIRST_ORIGIN	32

#define HTML_COLUMNS(X)								\
	X(END, "end") X(GAP, "gap") X(THREAD, "thread") X(CPU, "cpu") X(STATE, "state")	\
	X(WAKER, "waker") X(HIT, "hit") X(WAITS, "waits") X(WAKERS, "wakers")	\
	X(HIDDEN, "hidden") X(LOSSES, "losses")	\
	X(EVENT_END, "eventEnd") X(EVENT_TIME, "eventTime") X(EVENT_SOURCE, "eventSource")	\
	X(EVENT_CPU, "eventCpu") X(EVENT_THREAD, "eventThread") X(EVENT_FIRST, "eventFirst")	\
	X(EVENT_SECOND, "eventSecond") X(STACKS, "stacks") X(SAMPLES, "samples")

enum html_column {
#define HTML_COLUMN_ENUM(column, name) HTML_##column,
	HTML_COLUMNS(HTML_COLUMN_ENUM)
	HTML_COLUMN_COUNT
};

/* A thread, by its number. */
struct html_thread {
	const struct sched_thread *sched;	/* NULL without activity */
	const struct report_thread *shown;	/* NULL: the report does not cover it */
	uint64_t end;				/* ns, of its last span */
	uint64_t since;				/* ns, of @state before its first event */
	char state;				/* letter; 0: unknown */
};

struct html_stack {
	const struct fxt_call_stack *stack;	/* NULL for a number that no stack has */
	enum report_stack_kind kind;		/* of a sleep or preemption, a waker, or a sample */
};

/* State of a page that is being made. */
struct report_html {
	struct report_watch watch;
	const struct history *history;	/* of the archive, from its end on */
	bool has_zero;
	bool has_signals;
	uint64_t zero;		/* ns, of all times in the page */
	uint64_t begin;		/* ns: spans and events that end earlier are not in the timeline */
	uint64_t most;		/* slices and events */
	uint64_t cut;		/* ns: when this limit was exceeded first; 0: never */
	uint64_t spans;
	uint64_t events;
	uint64_t stack_events;
	/* By id: */
	struct html_thread *threads;
	size_t thread_room;
	struct html_stack *stacks;
	size_t stack_room;
	const struct sched_origin **origins;	/* of slices and events; NULL if none occurred */
	size_t origin_room;
	const struct sched_process **processes;	/* those of threads, and ancestors */
	size_t process_room;
	/* Without scheduling: slices, and the koids of their processes, sorted. */
	const struct slices *slices;
	uint64_t *pids;
	size_t pid_count;
	uint64_t idle_end[HTML_CPUS];	/* ns, of the last span of each CPU's idle thread */
	uint32_t next[HTML_CPUS];	/* number of the thread whose wait for the CPU ended last */
	uint16_t last_cpu;		/* of the last span */
	struct spool columns[HTML_COLUMN_COUNT];
	struct spool text;		/* of a packed part of the page */
};

/* Set the zero of the page's times, unless it is set. */
void html_begin_at(struct report_html *h, uint64_t time);

/* May another slice or event, which ends at this time, be in the timeline? */
bool html_has_room(struct report_html *h, uint64_t time);

/* An array with an element @id; new elements are zero; @room: their number. */
void *html_reach(void *list, size_t *room, size_t id, size_t size);

/* Find or add a thread of the page. */
struct html_thread *html_thread_of(struct report_html *h, const struct sched_thread *t);

/*
 * Add the span of what a thread did before its first event, or the end of the archive, at @to (ns),
 * if that is known.
 */
void html_end_seen(struct report_html *h, struct sched_thread *thread, uint64_t to);

/* The number that a slice's or event's origin has in the page. */
uint64_t html_source_of(struct report_html *h, const struct sched_origin *origin);

/* Add the waits and wakers that are not as most are. */
void html_add_waits(struct report_html *h);

/* Times are ns. */
struct html_event {
	uint64_t from;
	uint64_t to;
	uint64_t source;
	const struct sched_thread *thread;	/* or NULL: */
	uint32_t track;		/* 1 + number of a thread of html_put_tracks(), or 0 */
	uint16_t cpu;
	int32_t first;		/* values, which depend on the kind */
	int32_t second;
};

/* Return: 0 */
int html_put_event(struct report_html *h, const struct html_event *e);

/* An element of "sources"; @name has @length bytes. */
void html_put_source(struct json *j, const char *kind, const char *name, size_t length, uint64_t number);

/* Of an archive without scheduling: slices and counters, by their end. */
void html_add_slices(struct report_html *h);

/* Likewise, the elements of field "sources". */
void html_put_slice_sources(const struct report_html *h, struct json *j);

/* Likewise, the fields "undrawn", "threads" and "processes". */
void html_put_tracks(const struct report_html *h, struct json *j);

/* Callbacks of struct report_watch; @arg is the page. Return: 0. */
int html_add_span(void *arg, const struct sched_span *span);
int html_note_sight(void *arg, const struct sched_sight *sight);
void html_add_hidden(void *arg, const struct sched_step *step);
int html_add_gap(void *arg, const struct sched_gap *gap);
int html_add_slice(void *arg, const struct sched_slice *slice);
int html_add_moment(void *arg, const struct sched_moment *moment);
int html_add_move(void *arg, const struct sched_move *move);
int html_add_request(void *arg, const struct sched_request *r);
int html_add_frequency(void *arg, const struct sched_frequency *frequency);

/* The elements of field "sources", but for those of slices. */
void html_put_sources(const struct report_html *h, struct json *j);

void html_put_signal_results(const struct report_html *h, struct json *j);

/* The fields "threads" and "processes". */
void html_put_threads(struct report_html *h, struct json *j, const struct report *r);

/* The other fields of the block fxt-timeline. */
void html_put_timeline(struct report_html *h, struct json *j, const struct report *r);

#endif /* FXT_REPORT_HTML_DATA_H */
