/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.h - the parts of fxt check, and its output as text or as JSON.
 *
 * In: the anomalies in one archive, as they occur, then the totals.
 * Out: text.
 * Must hold: counts are exact, however few of the anomalies are reported one by one.
 */
#ifndef FXT_CHECK_CHECK_H
#define FXT_CHECK_CHECK_H

#include "libfxt/map.h"
#include "sched/model.h"
#include "sched/symbols.h"
#include "liboutput/json.h"

enum check_class {
	CHECK_FORMAT,		/* the specification of the format */
	CHECK_SCHED,		/* impossible for any scheduler */
	CHECK_PERFETTO,		/* Perfetto loses it or draws it wrong */
	CHECK_CLASSES
};

/* Names of classes, as in --only and the output. */
const char *check_class_name(enum check_class class);

#define CHECK_KINDS	32	/* kinds per class, at most */
#define CHECK_UNMAPPED	SCHED_ANOMALY_COUNT	/* kind of addresses.c, after those of the model */

_Static_assert(CHECK_UNMAPPED < CHECK_KINDS, "both share a class");
#define CHECK_NO_NUMBER	UINT64_MAX

/**
 * struct check_anomaly - a violation or a note
 * @number: of the kind in its class
 * @kind: its name
 * @count: how many times
 * @offset: bytes, offset of the (first) record or wrong word, in bytes
 * @record: number of the record; CHECK_NO_NUMBER if not known
 * @time: ns; CHECK_NO_NUMBER if it has none
 * @text: one line, not escaped
 */
struct check_anomaly {
	enum check_class class;
	unsigned int number;
	const char *kind;
	bool violation;
	uint64_t count;
	uint64_t offset;
	uint64_t record;
	uint64_t time;
	const char *text;
};

/* Options of the output, for all archives. */
struct check_style {
	bool json;
	bool quiet;
	bool all;		/* report every anomaly */
};

struct check_kind {
	const char *name;
	uint64_t count[2];	/* of notes, of violations */
	uint64_t told[2];	/* of these, reported one by one */
	unsigned int lines[2];
};

/* A note, which is reported after all violations. */
struct check_note {
	struct check_note *next;
	struct check_anomaly f;
	char text[];
};

/** struct check_report - of one archive; the functions below fill it in */
struct check_report {
	const struct check_style *style;
	struct out *o;
	const char *path;
	uint64_t violations;
	uint64_t notes;
	struct check_kind kinds[CHECK_CLASSES][CHECK_KINDS];
	struct json j;
	struct check_note *first;
	struct check_note **last;
	size_t kept;		/* bytes used by notes */
};

/* A row of Perfetto's table stats that would not be zero. */
struct check_stat {
	const char *name;
	uint64_t count;
};

/**
 * struct check_end - the results when an archive has been read
 * @error: why it could not be read to its end, NULL if it was
 * @stats: @stat_count of them
 */
struct check_end {
	const char *error;
	const char *compression;
	uint64_t records;
	uint64_t bytes;
	const struct sched_totals *totals;
	const struct check_stat *stats;
	unsigned int stat_count;
};

void check_report_begin(struct check_report *r, const struct check_style *style,
			struct out *o, const char *path);
void check_report_add(struct check_report *r, const struct check_anomaly *f);
void check_report_end(struct check_report *r, const struct check_end *end);

/** check_report_summary() - print a last line if there were several archives */
void check_report_summary(const struct check_style *style, struct out *o,
			  unsigned int files, unsigned int clean,
			  unsigned int unreadable);

/* --- the format (format.c) --------------------------------------------------------------- */

/** check_limits() - check one record */
void check_limits(struct check_report *report, const struct fxt_record *rec,
		  const struct fxt_content *c);

/* Which number of a record is not defined. */
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

/** struct undefined_count - with @offset and @record of the first one */
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

/* --- addresses of stacks that are outside of every mapping (addresses.c) ----------------- */

#define ADDRESSES_MOST	(1UL << 19)	/* 32 MiB */

struct check_mapping;

/**
 * struct check_addresses - addresses of one archive; all zero before the first record
 * @known: the addresses seen, each one once
 * @mappings: in the order of the archive, @mapping_count of them
 * @more: addresses beyond ADDRESSES_MOST; @more_offset and @more_record: of the first of them
 */
struct check_addresses {
	struct map known;
	struct check_mapping *mappings;
	size_t mapping_count;
	struct sched_symbols symbols;
	uint64_t more;
	uint64_t more_offset;
	uint64_t more_record;
};

/** check_addresses_content() - feed a record; 0 or -ENOMEM */
int check_addresses_content(struct check_addresses *a, const struct fxt_record *rec,
			    const struct fxt_content *c);

/**
 * check_addresses_end() - report, and free everything
 * @a: the archive
 * @report: NULL to report nothing
 *
 * Return: 0 or -ENOMEM.
 */
int check_addresses_end(struct check_addresses *a, struct check_report *report);

#endif /* FXT_CHECK_CHECK_H */
