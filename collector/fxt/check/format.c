// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * format.c - rules of the specification that the reader does not check.
 *
 * In: the records of an archive, decoded ones and unknown ones.
 * Out: notes of the class format. Readers, such as Perfetto, can only skip undefined records.
 */
#include <inttypes.h>

#include <fxt/fxt_blob.h>
#include <fxt/fxt_event.h>
#include <fxt/fxt_metadata.h>
#include <fxt/fxt_profiler.h>
#include <fxt/fxt_scheduling.h>

#include "check.h"

/* --- rules that no reader depends on ----------------------------------------------------- */

/* An anomaly of this record; the kind is one of the reader's. */
static struct check_anomaly note_of(const struct fxt_record *rec, enum fxt_deviation_kind kind)
{
	return check_note(CHECK_FORMAT, kind, fxt_deviation_name(kind), 1, rec->offset,
			  rec->number);
}

static void check_length(struct check_report *report, const struct fxt_record *rec,
			 const char *field, uint32_t length)
{
	if (length > FXT_MAX_STRING)
		check_report_addf(report, note_of(rec, FXT_DEV_LIMIT),
				  "%s: a string of %u bytes, more than %u", field, length,
				  FXT_MAX_STRING);
}

/* Only inline strings: the string table was checked when it was read. */
static void check_inline(struct check_report *report, const struct fxt_record *rec,
			 const char *field, const struct fxt_text *text)
{
	if (text->ref & FXT_STRING_REF_INLINE)
		check_length(report, rec, field, text->length);
}

void check_limits(struct check_report *report, const struct fxt_record *rec,
		  const struct fxt_content *c)
{
	unsigned int i;

	if (c->kind == FXT_KIND_STRING)
		check_length(report, rec, "string length", c->name.length);
	else
		check_inline(report, rec, "name", &c->name);
	check_inline(report, rec, "category", &c->category);
	for (i = 0; i < c->arg_count; i++) {
		check_inline(report, rec, "argument name", &c->args[i].name);
		if (c->args[i].type == FXT_ARG_STRING)
			check_inline(report, rec, "argument value", &c->args[i].text);
	}
	/* Modules and mappings belong to a whole process. */
	if ((c->kind == FXT_KIND_MODULE || c->kind == FXT_KIND_MMAP) && c->thread.thread)
		check_report_addf(report, note_of(rec, FXT_DEV_VALUE),
				  "thread id: %" PRIu64 ", but the format requires 0",
				  c->thread.thread);
}

/* --- what the format does not define ----------------------------------------------------- */

static void count_undefined(struct check_undefined *u, const struct fxt_record *rec,
			    enum undefined_number what, unsigned int number)
{
	check_sum_add(&u->counts[what][number], rec->offset, rec->number);
}

void check_undefined_record(struct check_undefined *u, const struct fxt_reader *r,
			    const struct fxt_record *rec)
{
	uint64_t header = fxt_record_word(r, rec, 0);
	unsigned int metadata = fxt_get(FXT_METADATA_TYPE, header);
	unsigned int large = fxt_get(FXT_LARGE_TYPE, header);

	switch (rec->type) {
	case FXT_RECORD_METADATA:
		if (metadata == FXT_METADATA_TRACE_INFO)
			count_undefined(u, rec, UNDEFINED_TRACE_INFO, fxt_get(FXT_TRACE_INFO_TYPE, header));
		else
			count_undefined(u, rec, UNDEFINED_METADATA, metadata);
		break;
	case FXT_RECORD_EVENT:
		count_undefined(u, rec, UNDEFINED_EVENT, fxt_get(FXT_EVENT_TYPE, header));
		break;
	case FXT_RECORD_SCHEDULING:
		count_undefined(u, rec, UNDEFINED_SCHEDULING, fxt_get(FXT_SCHEDULING_TYPE, header));
		break;
	case FXT_RECORD_PROFILER:
		count_undefined(u, rec, UNDEFINED_PROFILER, fxt_get(FXT_PROFILER_TYPE, header));
		break;
	case FXT_RECORD_LARGE:
		if (large == FXT_LARGE_BLOB)
			count_undefined(u, rec, UNDEFINED_LARGE_BLOB, fxt_get(FXT_LARGE_BLOB_FORMAT, header));
		else
			count_undefined(u, rec, UNDEFINED_LARGE, large);
		break;
	default:
		count_undefined(u, rec, UNDEFINED_RECORD, rec->type & 15);
	}
}

void check_undefined_args(struct check_undefined *u, const struct fxt_record *rec,
			  const struct fxt_content *c)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].type > FXT_ARG_BLOB)
			count_undefined(u, rec, UNDEFINED_ARGUMENT, c->args[i].type & 15);
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
	const struct check_sum *n;
	struct check_anomaly note;
	unsigned int what, number;

	for (what = 0; what < UNDEFINED_NUMBERS; what++) {
		for (number = 0; number < 16; number++) {
			n = &u->counts[what][number];
			if (!n->count)
				continue;
			note = check_note(CHECK_FORMAT, FXT_DEV_COUNT + FORMAT_UNDEFINED, "undefined",
					  n->count, n->offset, n->record);
			check_report_addf(report, note, "%s %u is not defined: %" PRIu64 " %s%s",
					  names[what][1], number, n->count, names[what][0],
					  n->count == 1 ? "" : "s");
		}
	}
}
