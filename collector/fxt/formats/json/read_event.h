/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_event.h - an event of the Trace Event Format as a record.
 *
 * In: the members of one JSON object.
 * Out: one record. Fields that FXT has no place for are arguments whose names begin with
 * "json."; "json.ph" comes first then, and all fields of the event but name, cat, ts, pid,
 * tid, args and a complete event's dur follow it. Values that are objects or arrays are JSON text,
 * and so are strings that could be taken for such a text.
 */
#ifndef FXT_FORMATS_JSON_READ_EVENT_H
#define FXT_FORMATS_JSON_READ_EVENT_H

#include <json-c/json.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "libfxt/map.h"
#include "element.h"

/* What an event could not be given to a record; names in event.c. */
enum json_loss {
	JSON_LOSS_EVENT,	/* all of it */
	JSON_LOSS_NO_TIME,
	JSON_LOSS_NEGATIVE,
	JSON_LOSS_ARGS,
	JSON_LOSS_LONG,
	JSON_LOSS_UTF8,
	JSON_LOSS_COUNTER,	/* expected: counted, but no deviation */
	JSON_LOSS_COUNT
};

/** struct json_events - what becomes of events */
struct json_events {
	struct fxt_writer *w;
	uint64_t events;
	uint64_t lost[JSON_LOSS_COUNT];
	struct fxt_content c;
	unsigned int fields;		/* arguments that are fields */
	char names[FXT_MAX_ARGS][64];	/* of these */
	struct json_object *trees[FXT_MAX_ARGS];	/* whose text arguments have */
	unsigned int tree_count;
	char counter_id[FXT_MAX_STRING + 1];	/* of a counter, if it is no number; else "" */
	struct map ids;		/* of ids.h */
	char counter[2 * (FXT_MAX_STRING + 1)];	/* name and id */
};

/** json_loss_name() - what was lost, for messages */
const char *json_loss_name(enum json_loss loss);

/** json_event_text() - a text for a record; it stays until the next one */
struct fxt_text json_event_text(struct json_events *e, const struct json_value *v);

/** json_event_take() - write the record of an event. Return: 0, or an error of the writer */
int json_event_take(struct json_events *e, struct json_element *from);

/** json_sample_take() - write the record of an element of "samples". Return: as above */
int json_sample_take(struct json_events *e, struct json_element *from);

/** json_member_take() - keep another member of the whole object as a blob. Return: as above */
int json_member_take(struct json_events *e, const char *name, struct json_object *value);

#endif /* FXT_FORMATS_JSON_READ_EVENT_H */
