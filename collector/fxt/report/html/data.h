/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data.h - the data of a page besides the report: its columns, threads, processes, stacks, events.
 *
 * In: states, losses and events, as they are reported. html.c describes the columns.
 */
#ifndef FXT_REPORT_HTML_DATA_H
#define FXT_REPORT_HTML_DATA_H

#include "account/history.h"
#include "libfxt/map.h"
#include "liboutput/out.h"
#include "report/stats/report.h"
#include "write/spool.h"

#define HTML_CPUS	65536		/* all values of 16 bits */

/*
 * Name and content (enum spool_content). Each of "what" and "end" is SPOOL_SPLIT columns, one after
 * the other.
 */
#define HTML_COLUMNS(X)								\
	X(WHAT0, "what0", RUNS) X(WHAT1, "what1", NUMBERS) X(WHAT2, "what2", NUMBERS)	\
	X(CPU, "cpu", NUMBERS) X(THREAD, "thread", NUMBERS) X(STATE, "state", NUMBERS)	\
	X(WAKER, "waker", NUMBERS) X(RELATION, "relation", NUMBERS)		\
	X(END0, "end0", RUNS) X(END1, "end1", NUMBERS) X(END2, "end2", RUNS)	\
	X(GAP, "gap", NUMBERS) X(HIT, "hit", NUMBERS) X(WAITS, "waits", NUMBERS)	\
	X(LOSSES, "losses", NUMBERS)						\
	X(SLICES, "slices", NUMBERS) X(MOMENTS, "moments", NUMBERS)		\
	X(COUNTERS, "counters", NUMBERS) X(STACKS, "stacks", NUMBERS)

#define HTML_FOLLOWERS	4	/* recent followers, which small numbers stand for */

enum html_column {
#define HTML_COLUMN_ENUM(column, name, content) HTML_##column,
	HTML_COLUMNS(HTML_COLUMN_ENUM)
	HTML_COLUMN_COUNT
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
 * struct html_seen - what a thread did before its first event
 * @since: ns
 * @state: the letter; 0: unknown
 */
struct html_seen {
	uint64_t since;
	char state;
};

/**
 * struct html_stack - a call stack that the page has
 * @stack: NULL for a number that no stack has
 * @is_waker: the stack is that of a wakeup
 */
struct html_stack {
	const struct fxt_call_stack *stack;
	bool is_waker;
};

/**
 * struct html_spans - the kinds of spans so far
 * @kinds: by id, from 1
 * @cpu: of the last span: 1 + CPU; 0: none
 * @last: id of the last kind on each of these, 0: none yet
 * @first: the kinds that CPUs begin with, like @followers of struct html_kind
 */
struct html_spans {
	struct map map;
	struct html_kind **kinds;
	size_t kind_count;
	uint32_t cpu;
	uint32_t last[HTML_CPUS + 1];
	uint32_t first[HTML_FOLLOWERS];
};

/**
 * struct report_html - state of a page that is being made
 * @zero: ns, zero of all times in the page
 * @end: ns, of the last span
 * @loss: ns, begin of the last loss
 * @slice: ns, end of the last slice
 * @moment: ns, of the last moment
 * @counter: ns, of the last value of a counter
 * @stack: ns, of the last stack
 * @stacks: by id
 * @origins: origins of slices and moments, by id; NULL if none occurred
 * @processes: those with a known parent, and their ancestors, by id, else NULL
 * @idle_end: ns, of the last span of the idle thread of each CPU
 * @history: of the archive, from its end on
 */
struct report_html {
	struct report_watch watch;
	bool has_origin;
	bool has_signals;
	uint64_t begin;		/* ns: spans and events that end earlier are not in the timeline */
	uint64_t most;		/* slices and events */
	uint64_t cut;		/* ns: when this limit was exceeded first; 0: never */
	uint64_t zero;
	uint64_t end;
	uint64_t loss;
	uint64_t spans;
	uint64_t waits;
	uint64_t losses;
	uint64_t slice;
	uint64_t slices;
	uint64_t moment;
	uint64_t moments;
	uint64_t counter;
	uint64_t counters;
	uint64_t stack;
	uint64_t stack_events;
	struct html_stack *stacks;
	size_t stack_room;
	const struct sched_origin **origins;
	size_t origin_room;
	const struct sched_process **processes;
	size_t process_room;
	struct html_thread *threads;
	size_t room;
	struct html_seen *seen;	/* by number of the thread */
	size_t seen_room;
	struct spool columns[HTML_COLUMN_COUNT];
	struct spool text;	/* column of a packed part of the page */
	struct html_spans span_kinds;
	uint64_t idle_end[HTML_CPUS];
	const struct history *history;
};

/** html_begin_at() - set the zero of the page's times, unless it is set */
void html_begin_at(struct report_html *h, uint64_t time);

/** html_has_room() - may another slice or event, which ends at this time, be in the timeline? */
bool html_has_room(struct report_html *h, uint64_t time);

/** html_thread_of() - find or add a thread of the page. Return: NULL: no memory */
struct html_thread *html_thread_of(struct report_html *h, const struct sched_thread *t);

/** html_take_span() - callback of struct report_watch; @arg is the page. Return: 0 or -ENOMEM */
int html_take_span(void *arg, const struct sched_span *span);

/**
 * html_end_seen() - add the span of what a thread did before its first event, if that is known
 * @h: the page
 * @thread: the thread
 * @to: ns, of its first event, or the end of the archive
 *
 * Return: 0 or -ENOMEM.
 */
int html_end_seen(struct report_html *h, struct sched_thread *thread, uint64_t to);

/** html_free_spans() - free the kinds of spans */
void html_free_spans(struct report_html *h);

/** html_note_origin() - the page needs an origin. Return: 0 or -ENOMEM */
int html_note_origin(struct report_html *h, const struct sched_origin *origin);

/** html_take_waits() - add the waits that are not of one part. Return: 0 or a negative errno */
int html_take_waits(struct report_html *h, const struct history *history);

/** html_print_gaps() - field "gaps" */
void html_print_gaps(const struct report_html *h, struct out *o);

/** html_note_processes() - find the processes that the page needs. Return: 0 or -ENOMEM */
int html_note_processes(struct report_html *h);

/** html_has_process() - does the page have a process? Valid after html_note_processes() */
bool html_has_process(const struct report_html *h, const struct sched_process *p);

/** html_print_processes() - field "processes" */
void html_print_processes(const struct report_html *h, struct out *o);

/** html_print_ksoftirqd() - field "ksoftirqd", if who raised soft interrupts can be proven */
void html_print_ksoftirqd(const struct report *r, struct out *o);

/* Callbacks of struct report_watch; @arg is the page. Return: 0 or -ENOMEM. */
int html_take_sight(void *arg, const struct sched_sight *sight);
int html_take_slice(void *arg, const struct sched_slice *slice);
int html_take_moment(void *arg, const struct sched_moment *moment);
int html_take_move(void *arg, const struct sched_move *move);
int html_take_frequency(void *arg, const struct sched_frequency *frequency);

/**
 * html_print_stacks() - fields "stack_events", "functions" and "stacks"
 * @h: the page
 * @o: output
 * @r: its stacks
 *
 * Return: 0 or -ENOMEM.
 */
int html_print_stacks(const struct report_html *h, struct out *o, const struct report_stacks *r);

/** html_print_events() - fields "slices", "moments", "counters" and "sources" */
void html_print_events(const struct report_html *h, struct out *o);

#endif /* FXT_REPORT_HTML_DATA_H */
