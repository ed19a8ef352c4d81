/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.h - the parts of fxt check, and its output as text or as JSON.
 *
 * In: the records of an archive, then its end.
 * Out: anomalies, then the totals.
 * Must hold: counts are exact, however few of the anomalies are reported one by one.
 */
#ifndef FXT_CHECK_CHECK_H
#define FXT_CHECK_CHECK_H

#include "liboutput/json.h"
#include "sched/model.h"
#include "table/schema.h"

enum check_class {
	CHECK_FORMAT,		/* the specification of the format */
	CHECK_SCHED,		/* impossible for any scheduler */
	CHECK_PERFETTO,		/* Perfetto loses or misdraws it */
	CHECK_CLASSES
};

/*
 * Kinds of the class format besides the reader's deviations. V: a violation.
 *
 * begin-without-end, async-begin-without-end, flow-begin-without-end: V.
 * async-instant-outside: no begin precedes it, or an end lies between: V.
 * end-without-begin, async-end-without-begin, flow-without-begin: likewise, but notes.
 * end-other-name, async-end-other-name: category or name differs from the begin's.
 * not-nested: two slices of a thread overlap, and neither contains the other.
 * flow-without-slice: no slice of its thread encloses it.
 * not-judged: events beyond the limits of match.c.
 * undefined: the specification does not define a number.
 */
#define CHECK_FORMAT_KINDS(X)						\
	X(MATCH_BEGIN,		"begin-without-end")		/* V */	\
	X(MATCH_ASYNC_BEGIN,	"async-begin-without-end")	/* V */	\
	X(MATCH_FLOW_BEGIN,	"flow-begin-without-end")	/* V */	\
	X(MATCH_ASYNC_INSTANT,	"async-instant-outside")	/* V */	\
	X(MATCH_END,		"end-without-begin")			\
	X(MATCH_ASYNC_END,	"async-end-without-begin")		\
	X(MATCH_FLOW,		"flow-without-begin")			\
	X(MATCH_END_NAME,	"end-other-name")			\
	X(MATCH_ASYNC_NAME,	"async-end-other-name")			\
	X(MATCH_NESTING,	"not-nested")				\
	X(MATCH_NO_SLICE,	"flow-without-slice")			\
	X(MATCH_NOT_JUDGED,	"not-judged")				\
	X(FORMAT_UNDEFINED,	"undefined")

enum check_format_kind {
#define CHECK_ENUM(kind, name) kind,
	CHECK_FORMAT_KINDS(CHECK_ENUM)
	CHECK_FORMAT_COUNT
};

/*
 * Kinds of the class perfetto. N: a note.
 *
 * magic, byte-order: the file is not recognized.
 * size-zero: the load ends there.
 * large-record: a record with more words than an ordinary one can have: the load ends, or continues
 * at
 *	any place.
 * astray: it continues where no record begins; the result is not predicted.
 * provider: a section of a provider that was not introduced; its records are lost. Provider 0 is
 *	introduced from the beginning.
 * string-ref, read-error, argument-type, time: the record is dropped, for the first of these
 * reasons.
 *	string-ref: or the process of a thread is not known by this string.
 * counter: a value of a counter is dropped.
 * cpu: a CPU number of 4096 or more ends the load.
 * idle: an idle thread's weight is not INT32_MIN: it is drawn as a thread.
 * woken-running: the picture ends the thread's running state there.
 * slice: a slice is dropped that begins in another one of its thread, or with it, and ends after
 * it; or
 *	that is inside of 512 others.
 * flow: a part of a flow is dropped: no slice is open in its thread, or its id was not begun, or
 * was
 *	begun in several other processes.
 * loss-unseen: a loss reported only as a provider event is invisible.
 * koid: koids of more than 32 bits are truncated.
 * unnamed: threads without a kernel object have neither name nor process.
 * renamed: a thread's last name is shown all the time, and no instant shows an earlier name.
 */
#define CHECK_PERFETTO_KINDS(X)					\
	X(PERFETTO_MAGIC,		"magic")		\
	X(PERFETTO_BYTE_ORDER,		"byte-order")		\
	X(PERFETTO_SIZE_ZERO,		"size-zero")		\
	X(PERFETTO_LARGE,		"large-record")		\
	X(PERFETTO_ASTRAY,		"astray")		\
	X(PERFETTO_PROVIDER,		"provider")		\
	X(PERFETTO_STRING_REF,		"string-ref")		\
	X(PERFETTO_READ_ERROR,		"read-error")		\
	X(PERFETTO_ARGUMENT_TYPE,	"argument-type")	\
	X(PERFETTO_TIME,		"time")			\
	X(PERFETTO_COUNTER,		"counter")		\
	X(PERFETTO_CPU,			"cpu")			\
	X(PERFETTO_IDLE,		"idle")			\
	X(PERFETTO_WOKEN_RUNNING,	"woken-running")	\
	X(PERFETTO_SLICE,		"slice")	/* N */	\
	X(PERFETTO_FLOW,		"flow")			\
	X(PERFETTO_LOSS_UNSEEN,		"loss-unseen")		\
	X(PERFETTO_KOID,		"koid")		/* N */	\
	X(PERFETTO_UNNAMED,		"unnamed")	/* N */	\
	X(PERFETTO_RENAMED,		"renamed")	/* N */

enum check_perfetto_kind {
	CHECK_PERFETTO_KINDS(CHECK_ENUM)
	PERFETTO_KINDS
};

#define CHECK_KINDS	32			/* limit of kinds per class */
#define CHECK_UNMAPPED	SCHED_ANOMALY_COUNT	/* kind of addresses.c, after those of the model */

_Static_assert(CHECK_UNMAPPED < CHECK_KINDS, "both share a class");
_Static_assert(FXT_DEV_COUNT + CHECK_FORMAT_COUNT <= CHECK_KINDS, "they are one class");

#define CHECK_NO_NUMBER	UINT64_MAX

struct check_anomaly {
	enum check_class class;
	unsigned int number;	/* of the kind in its class */
	const char *kind;	/* its name */
	bool violation;
	uint64_t count;		/* of occurrences */
	uint64_t offset;	/* of the (first) record or wrong word, in bytes */
	uint64_t record;	/* its number; CHECK_NO_NUMBER if unknown */
	uint64_t time;		/* ns; CHECK_NO_NUMBER if it has none */
	const char *text;	/* one line, not escaped */
};

/* A note without a time. @number, @kind: of the kind in its class */
static inline struct check_anomaly check_note(enum check_class class, unsigned int number,
					      const char *kind, uint64_t count, uint64_t offset,
					      uint64_t record)
{
	return (struct check_anomaly){
		.class = class, .number = number, .kind = kind, .count = count,
		.offset = offset, .record = record, .time = CHECK_NO_NUMBER,
	};
}

/* Number of anomalies of a kind, and the first one. */
struct check_sum {
	uint64_t count;
	uint64_t offset;	/* bytes */
	uint64_t record;	/* number */
};

static inline void check_sum_add(struct check_sum *sum, uint64_t offset, uint64_t record)
{
	if (!sum->count++) {
		sum->offset = offset;
		sum->record = record;
	}
}

/* --- output (report.c) ------------------------------------------------------------------- */

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

struct check_note;

/* For one archive; the functions below fill it in. */
struct check_report {
	const struct check_style *style;
	struct out *o;
	const char *path;
	uint64_t violations;
	struct check_kind kinds[CHECK_CLASSES][CHECK_KINDS];
	struct json j;
	struct check_note *first;	/* notes are reported after all violations */
	struct check_note **last;
	size_t kept;			/* bytes used by notes */
};

/* A row of Perfetto's table stats that would not be zero. */
struct check_stat {
	const char *name;
	uint64_t count;
};

/* Results when an archive has been read. */
struct check_end {
	const char *error;		/* why it could not be read to its end, or NULL */
	const char *compression;
	uint64_t records;
	uint64_t bytes;
	const struct sched_totals *totals;
	const struct check_stat *stats;
	unsigned int stat_count;
};

/* As in --only and the output. */
const char *check_class_name(enum check_class class);

void check_report_begin(struct check_report *r, const struct check_style *style,
			struct out *o, const char *path);
void check_report_add(struct check_report *r, const struct check_anomaly *f);

/* Add an anomaly; its text is "byte N: record N: " and @format. */
void check_report_addf(struct check_report *r, struct check_anomaly f, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void check_report_end(struct check_report *r, const struct check_end *end);

extern const struct schema check_schema[];

/* Print a last line if there were several archives. */
void check_report_summary(const struct check_style *style, struct out *o,
			  unsigned int files, unsigned int clean,
			  unsigned int unreadable);

/* --- the format (format.c) --------------------------------------------------------------- */

void check_limits(struct check_report *report, const struct fxt_record *rec,
		  const struct fxt_content *c);

/* Numbers of a record that may be undefined. */
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

/* For one archive; initialize with zeros. */
struct check_undefined {
	struct check_sum counts[UNDEFINED_NUMBERS][16];
};

/* Feed a record of FXT_KIND_UNKNOWN. */
void check_undefined_record(struct check_undefined *u, const struct fxt_reader *r,
			    const struct fxt_record *rec);

void check_undefined_args(struct check_undefined *u, const struct fxt_record *rec,
			  const struct fxt_content *c);
void check_undefined_end(const struct check_undefined *u, struct check_report *report);

/* --- addresses of stacks that are outside of every mapping (addresses.c) ----------------- */

struct check_addresses *check_addresses_open(void);
void check_addresses_content(struct check_addresses *a, const struct fxt_record *rec,
			     const struct fxt_content *c);

/* Report, and free everything. @report: NULL to report nothing */
void check_addresses_end(struct check_addresses *a, struct check_report *report);

/* --- what Perfetto would drop or misdraw (perfetto.c) ------------------------------------ */

/* Rows of Perfetto's table stats. */
#define CHECK_STATS(X)						\
	X(STAT_INVALID_STRING_REF,	"fuchsia_invalid_string_ref")		\
	X(STAT_RECORD_READ_ERROR,	"fuchsia_record_read_error")		\
	X(STAT_INVALID_EVENT,		"fuchsia_invalid_event")		\
	X(STAT_INVALID_EVENT_ARG_TYPE,	"fuchsia_invalid_event_arg_type")	\
	X(STAT_NON_NUMERIC_COUNTERS,	"fuchsia_non_numeric_counters")		\
	X(STAT_TIMESTAMP_OVERFLOW,	"fuchsia_timestamp_overflow")		\
	X(STAT_SLICE_OVERLAP,		"slice_drop_overlapping_complete_event")	\
	X(STAT_MISPLACED_END,		"misplaced_end_event")			\
	X(STAT_SLICE_DEPTH,	"slice_max_depth_exceeded")		\
	X(STAT_FLOW_NO_SLICE,		"flow_no_enclosing_slice")		\
	X(STAT_FLOW_TWICE,		"flow_duplicate_id")			\
	X(STAT_FLOW_STEP,		"flow_step_without_start")		\
	X(STAT_FLOW_END,		"flow_end_without_start")

enum check_stat_number {
	CHECK_STATS(CHECK_ENUM)
	STAT_COUNT
};
#undef CHECK_ENUM

struct check_perfetto;

/* Begin an archive. @report: NULL if anomalies are not wanted */
struct check_perfetto *check_perfetto_open(struct check_report *report);

/* Perfetto does not read the archive. @why: the text before the consequence */
void check_perfetto_refused(struct check_perfetto *p, enum check_perfetto_kind kind,
			    const char *why);

/* Hot records before one with an anomaly other than an idle thread's weight. */
size_t check_perfetto_hot(const struct check_perfetto *p, const struct fxt_hot_run *run);

/* Feed a record before it is decoded, except those. */
void check_perfetto_record(struct check_perfetto *p, const struct fxt_record *rec);

/* Call one of these after decoding. */
void check_perfetto_switch(struct check_perfetto *p, const struct fxt_record *rec,
			   const struct fxt_switch *sw);
void check_perfetto_wakeup(struct check_perfetto *p, const struct fxt_record *rec,
			   const struct fxt_wakeup *w);
void check_perfetto_content(struct check_perfetto *p, const struct fxt_record *rec,
			    const struct fxt_content *c);

bool check_perfetto_drops(const struct check_perfetto *p);

void check_perfetto_count(struct check_perfetto *p, enum check_stat_number stat);

bool check_perfetto_has_losses(const struct check_perfetto *p);

void check_perfetto_deviation(struct check_perfetto *p, const struct fxt_deviation *d);

void check_perfetto_anomaly(struct check_perfetto *p, const struct sched_anomaly *f);

/* A kernel object gives a thread another name. */
void check_perfetto_renamed(struct check_perfetto *p, const struct fxt_record *rec,
			    uint64_t thread);

/* Report the sums. Returns the number of @stats, which are not zero. */
unsigned int check_perfetto_end(struct check_perfetto *p, struct check_stat stats[STAT_COUNT]);
void check_perfetto_close(struct check_perfetto *p);

/* --- slices, asynchronous events and flows (match.c) ------------------------------------- */

struct check_match *check_match_open(struct check_perfetto *perfetto);
void check_match_content(struct check_match *m, const struct fxt_record *rec,
			 const struct fxt_content *c);

/*
 * Report all anomalies, and free everything. @only: the classes to report; @is_excused: the archive
 * itself states that something is missing
 */
void check_match_end(struct check_match *m, struct check_report *report, const bool *only,
		     bool is_excused);

#endif /* FXT_CHECK_CHECK_H */
