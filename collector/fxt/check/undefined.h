/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * undefined.h - records and arguments that the format does not define.
 *
 * In: the records of an archive.
 * Out: a note for each number of a type or sub-type that is not defined. A reader can only skip
 * such a record, and Perfetto does.
 */
#ifndef FXT_CHECK_UNDEFINED_H
#define FXT_CHECK_UNDEFINED_H

#include "report.h"

/* What the number is of that is not defined. */
enum undefined_number {
	UNDEFINED_RECORD,
	UNDEFINED_METADATA,
	UNDEFINED_TRACE_INFO,
	UNDEFINED_EVENT,
	UNDEFINED_SCHEDULING,
	UNDEFINED_PROFILER,
	UNDEFINED_LARGE,
	UNDEFINED_LARGE_BLOB,
	UNDEFINED_ARGUMENT,
	UNDEFINED_NUMBERS
};

/** struct undefined_count - @offset, @record: of the first one */
struct undefined_count {
	uint64_t count;
	uint64_t offset;
	uint64_t record;
};

/** struct check_undefined - of one archive; all zero before the first record */
struct check_undefined {
	struct undefined_count counts[UNDEFINED_NUMBERS][16];
};

/** check_undefined_record() - feed a record of FXT_KIND_UNKNOWN */
void check_undefined_record(struct check_undefined *u, const struct fxt_reader *r,
			    const struct fxt_record *rec);

/** check_undefined_args() - feed the arguments of a record */
void check_undefined_args(struct check_undefined *u, const struct fxt_record *rec,
			  const struct fxt_content *c);

/** check_undefined_end() - report */
void check_undefined_end(const struct check_undefined *u, struct check_report *report);

#endif /* FXT_CHECK_UNDEFINED_H */
