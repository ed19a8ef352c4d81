/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields.h - names in archives for parts of the Trace Event Format that FXT cannot express.
 */
#ifndef FXT_FORMATS_JSON_FIELDS_H
#define FXT_FORMATS_JSON_FIELDS_H

#define JSON_PROVIDER	"Trace Event Format"	/* the provider of records that are its events */
#define JSON_PROVIDER_ID	2U		/* not FXT_SCHED_PROVIDER_ID */
#define JSON_FUCHSIA	"fuchsia"		/* the provider of scheduling in the same file */
#define JSON_FUCHSIA_ID	3U
#define JSON_FIELD	"json."			/* the prefix of fields' names */
#define JSON_METADATA	"json.metadata"		/* the blob of a metadata event other than a name */
#define JSON_SYSTEM	"systemTraceEvents"	/* the member with ftrace's text */
#define JSON_NAMED	"named"			/* marks a name that only repeats an id's text */
#define JSON_BOUND	"bound"			/* marks a part of a flow that was not an event */
#define JSON_MOVED	"moved"			/* ns from the time of a flow's end to its slice */
#define JSON_REST	"args"			/* the field of arguments that do not fit */

/*
 * Perfetto cannot read an archive with a large blob, so longer texts are several blobs of one name.
 * A blob of this size is continued by the next one, which may be empty.
 */
#define JSON_PART_BYTES	32000U

/* Kinds of records that mean exactly an event of this phase. */
#define JSON_PHASES(PHASE)			\
	PHASE(FXT_KIND_INSTANT, 'i')		\
	PHASE(FXT_KIND_COUNTER, 'C')		\
	PHASE(FXT_KIND_DURATION_BEGIN, 'B')	\
	PHASE(FXT_KIND_DURATION_END, 'E')	\
	PHASE(FXT_KIND_DURATION_COMPLETE, 'X')	\
	PHASE(FXT_KIND_ASYNC_BEGIN, 'b')	\
	PHASE(FXT_KIND_ASYNC_INSTANT, 'n')	\
	PHASE(FXT_KIND_ASYNC_END, 'e')		\
	PHASE(FXT_KIND_FLOW_BEGIN, 's')		\
	PHASE(FXT_KIND_FLOW_STEP, 't')		\
	PHASE(FXT_KIND_FLOW_END, 'f')

#endif /* FXT_FORMATS_JSON_FIELDS_H */
