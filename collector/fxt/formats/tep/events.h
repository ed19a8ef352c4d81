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

#define TEP_EVENT_IDS	65536
#define TEP_FIELDS	8

/**
 * struct tep_kind - how to read the events of an id
 * @what: enum trace_what
 * @fields: NULL at the end
 * @wrong: fields are missing
 */
struct tep_kind {
	uint8_t what;
	bool wrong;
	struct tep_format_field *fields[TEP_FIELDS];
};

/**
 * struct tep_events - initialize with zeros, except for @tep
 * @tep: has the formats
 * @states: of sched_switch, once a kind with states was found
 */
struct tep_events {
	struct tep_handle *tep;
	struct trace_states states;
	struct tep_kind *kinds[TEP_EVENT_IDS];
};

/**
 * tep_events_take() - read a record
 * @t: the formats
 * @rec: the record; its time and CPU are valid, and @size bytes of its data can be read
 * @e: set to the event
 *
 * Return: 0; -EBADMSG if the record is too short for its format, or has none; -ENOMEM.
 */
int tep_events_take(struct tep_events *t, const struct tep_record *rec, struct trace_event *e);

/** tep_events_what() - the kind of a record. Return: enum trace_what, or as tep_events_take() */
int tep_events_what(struct tep_events *t, const struct tep_record *rec);

void tep_events_close(struct tep_events *t);

#endif /* FXT_FORMATS_TEP_EVENTS_H */
