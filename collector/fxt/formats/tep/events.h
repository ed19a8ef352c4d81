/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - binary records of tracepoints as events, with libtraceevent.
 *
 * In: the formats of events as in tracefs, and records of them.
 * Out: events.
 */
#ifndef FXT_FORMATS_TEP_EVENTS_H
#define FXT_FORMATS_TEP_EVENTS_H

#include <stdbool.h>

#include <event-parse.h>

#include "formats/import/event.h"
#include "formats/import/fields.h"

#define TEP_EVENT_IDS	65536

/** struct tep_kind - how to read the events of an id */
struct tep_kind {
	uint8_t what;	/* enum trace_what */
	bool wrong;	/* fields are missing */
	const char *name;	/* of what may be left out; NULL: unknown */
	struct tep_format_field *fields[TRACE_FIELDS];	/* NULL at the end */
};

/** struct tep_events - initialize with zeros, except for @tep */
struct tep_events {
	struct tep_handle *tep;		/* has the formats */
	struct trace_symbols *symbols;	/* get the functions that the file names */
	struct trace_states states;	/* of sched_switch, once a kind with states was found */
	struct tep_kind *kinds[TEP_EVENT_IDS];
};

/**
 * tep_events_read() - read a record, whose time, CPU and @size bytes of data are valid, into @e
 *
 * The caller frees it: trace_event_free(). Return: 0; -EBADMSG, with nothing to free, if the record
 * is too short for its format, or has none.
 */
int tep_events_read(struct tep_events *t, const struct tep_record *rec, struct trace_event *e);

/** tep_events_what() - the kind of a record. Return: enum trace_what, or as tep_events_read() */
int tep_events_what(struct tep_events *t, const struct tep_record *rec);

void tep_events_close(struct tep_events *t);

#endif /* FXT_FORMATS_TEP_EVENTS_H */
