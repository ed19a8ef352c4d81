/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - binary records of tracepoints become events, by libtraceevent and the formats in
 * tracefs.
 */
#ifndef FXT_FORMATS_TEP_EVENTS_H
#define FXT_FORMATS_TEP_EVENTS_H

#include <stdbool.h>

#include <event-parse.h>

#include "formats/import/event.h"

#define TEP_EVENT_IDS	65536

struct tep_kind {
	uint8_t what;	/* enum trace_what */
	bool wrong;	/* fields are missing */
	const char *name;	/* of an event that is not converted; NULL: unknown */
	struct tep_format_field *fields[TRACE_FIELDS];	/* NULL at the end */
};

/* Initialize with zeros, except for @tep. */
struct tep_events {
	struct tep_handle *tep;		/* has the formats */
	struct trace_symbols *symbols;	/* get the functions that the file names */
	struct trace_states states;	/* of sched_switch, once its format was found */
	struct tep_kind *kinds[TEP_EVENT_IDS];
};

/*
 * Read a record, whose time, CPU and @size bytes of data are valid, into @e. The caller frees @e by
 * trace_event_free(). Returns 0; -EBADMSG, with nothing to free, if the record is too short for its
 * format, or has no format.
 */
int tep_events_read(struct tep_events *t, const struct tep_record *rec, struct trace_event *e);

/* Returns enum trace_what, or -EBADMSG like tep_events_read(). */
int tep_events_what(struct tep_events *t, const struct tep_record *rec);
void tep_events_close(struct tep_events *t);

#endif /* FXT_FORMATS_TEP_EVENTS_H */
