/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields.h - where an archive has what FXT has no place for in the Trace Event Format.
 */
#ifndef FXT_FORMATS_JSON_FIELDS_H
#define FXT_FORMATS_JSON_FIELDS_H

#define JSON_PROVIDER	"Trace Event Format"	/* of all records that are events of it */
#define JSON_PROVIDER_ID	2U		/* not FXT_SCHED_PROVIDER_ID */
#define JSON_FUCHSIA	"fuchsia"		/* of scheduling in the same file */
#define JSON_FUCHSIA_ID	3U
#define JSON_FIELD	"json."			/* before names of fields */
#define JSON_METADATA	"json.metadata"		/* the blob of a metadata event that names nothing */
#define JSON_SYSTEM	"systemTraceEvents"	/* the member that is ftrace's text */
#define JSON_NAMED	"named"			/* the field of a name that is only an id's text */
#define JSON_REST	"args"			/* the field of arguments that do not fit */

/*
 * Longer texts are several blobs of one name, because Perfetto cannot read an archive with a
 * large blob. A blob of this size is continued by the next one, which may be empty.
 */
#define JSON_PART_BYTES	32000U

#endif /* FXT_FORMATS_JSON_FIELDS_H */
