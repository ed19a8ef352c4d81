// SPDX-License-Identifier: GPL-2.0-or-later
/* undefined.c - see undefined.h. */
#include <inttypes.h>
#include <stdio.h>

#include <fxt/fxt_blob.h>
#include <fxt/fxt_event.h>
#include <fxt/fxt_metadata.h>
#include <fxt/fxt_profiler.h>
#include <fxt/fxt_scheduling.h>

#include "match_data.h"
#include "undefined.h"

#define KIND	(FXT_DEV_COUNT + MATCH_KINDS)	/* of findings, beside those of match.h */

_Static_assert(KIND < CHECK_KINDS, "they are one class");

static void count(struct check_undefined *u, const struct fxt_record *rec,
		  enum undefined_number what, unsigned int number)
{
	struct undefined_count *n = &u->counts[what][number];

	if (!n->count++) {
		n->offset = rec->offset;
		n->record = rec->number;
	}
}

/* Which of its numbers is not defined? */
void check_undefined_record(struct check_undefined *u, const struct fxt_reader *r,
			    const struct fxt_record *rec)
{
	uint64_t header = fxt_record_word(r, rec, 0);
	unsigned int metadata = fxt_get(FXT_METADATA_TYPE, header);
	unsigned int large = fxt_get(FXT_LARGE_TYPE, header);

	switch (rec->type) {
	case FXT_RECORD_METADATA:
		if (metadata == FXT_METADATA_TRACE_INFO)
			count(u, rec, UNDEFINED_TRACE_INFO, fxt_get(FXT_TRACE_INFO_TYPE, header));
		else
			count(u, rec, UNDEFINED_METADATA, metadata);
		break;
	case FXT_RECORD_EVENT:
		count(u, rec, UNDEFINED_EVENT, fxt_get(FXT_EVENT_TYPE, header));
		break;
	case FXT_RECORD_SCHEDULING:
		count(u, rec, UNDEFINED_SCHEDULING, fxt_get(FXT_SCHEDULING_TYPE, header));
		break;
	case FXT_RECORD_PROFILER:
		count(u, rec, UNDEFINED_PROFILER, fxt_get(FXT_PROFILER_TYPE, header));
		break;
	case FXT_RECORD_LARGE:
		if (large == FXT_LARGE_BLOB)
			count(u, rec, UNDEFINED_LARGE_BLOB, fxt_get(FXT_LARGE_BLOB_FORMAT, header));
		else
			count(u, rec, UNDEFINED_LARGE, large);
		break;
	default:
		count(u, rec, UNDEFINED_RECORD, rec->type & 15);
	}
}

void check_undefined_args(struct check_undefined *u, const struct fxt_record *rec,
			  const struct fxt_content *c)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].type > FXT_ARG_BLOB)
			count(u, rec, UNDEFINED_ARGUMENT, c->args[i].type & 15);
}

void check_undefined_end(const struct check_undefined *u, struct check_report *report)
{
	static const char * const names[UNDEFINED_NUMBERS][2] = {
		[UNDEFINED_RECORD] = { "record", "record type" },
		[UNDEFINED_METADATA] = { "record", "metadata type" },
		[UNDEFINED_TRACE_INFO] = { "record", "trace info type" },
		[UNDEFINED_EVENT] = { "record", "event type" },
		[UNDEFINED_SCHEDULING] = { "record", "scheduling record type" },
		[UNDEFINED_PROFILER] = { "record", "profiler record type" },
		[UNDEFINED_LARGE] = { "record", "large record type" },
		[UNDEFINED_LARGE_BLOB] = { "record", "large BLOB format" },
		[UNDEFINED_ARGUMENT] = { "argument", "argument type" },
	};
	const struct undefined_count *n;
	unsigned int what, number;
	char text[200];

	for (what = 0; what < UNDEFINED_NUMBERS; what++) {
		for (number = 0; number < 16; number++) {
			n = &u->counts[what][number];
			if (!n->count)
				continue;
			snprintf(text, sizeof(text), "byte %" PRIu64 ": record %" PRIu64 ": %s %u is not defined: %" PRIu64 " %s%s",
				 n->offset, n->record, names[what][1], number, n->count,
				 names[what][0], n->count == 1 ? "" : "s");
			check_report_add(report, &(struct check_finding){
				.class = CHECK_FORMAT,
				.number = KIND,
				.kind = "undefined",
				.count = n->count,
				.offset = n->offset,
				.record = n->record,
				.time = CHECK_NO_NUMBER,
				.text = text,
			});
		}
	}
}
