/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto.h - which records of an archive Perfetto would drop or misdraw.
 *
 * In: the records of an archive, before and after they are decoded.
 * Out: anomalies, as violations where Perfetto would lose or misdraw something, else as
 * notes; and the rows of its table stats, by name, that would not be zero.
 */
#ifndef FXT_CHECK_PERFETTO_H
#define FXT_CHECK_PERFETTO_H

#include "check.h"
#include "libfxt/fxt_reader.h"
#include "walk/koids.h"

#define IMPORTER_STRINGS	(1U << 22)	/* names remembered, at most: 200 MiB */

/* Why a record is dropped. */
enum importer_reason {
	IMPORTER_KEPT,
	IMPORTER_PROVIDER,	/* it follows a section of an unknown provider */
	IMPORTER_STRING,	/* a string was not registered */
	IMPORTER_SHORT,		/* a field reaches beyond the end of the record */
	IMPORTER_TIME,		/* more than 63 bits of ns */
	IMPORTER_DURATION,	/* the end is before the begin */
	IMPORTER_WEIGHT,	/* a weight is not an Int32 */
	IMPORTER_WAKER,		/* a waker is not a koid */
	IMPORTER_PROCESS,	/* the process of a thread is not a koid */
};

/**
 * struct importer_result - what becomes of a record
 * @is_read: Perfetto reads it as a record at all
 * @is_astray: by its size, the record before ends elsewhere; the rest is not predicted
 * @is_section: it is a section of an unknown provider
 * @strings: references to unregistered strings that drop nothing
 * @numbers: arguments of a counter that are dropped, because they are not numbers
 */
struct importer_result {
	bool is_read;
	bool is_astray;
	bool is_section;
	enum importer_reason reason;
	unsigned int strings;
	unsigned int numbers;
};

/**
 * struct importer - what Perfetto knows of the archive so far; begins with importer_begin()
 * @strings: by provider and index: its index in FXT_SCHED_STRINGS, or 0
 * @providers: by id, numbers of providers; each record that introduces a provider assigns a new one
 * @rates: by number of the provider: its ticks per second, if not 10^9
 * @last: the number that was assigned last
 * @provider: number of the current one; 0: it is not known
 * @rate: its ticks per second
 * @next: where the next record begins, in bytes; @number: of the record before
 * @has_ended: Perfetto stops reading, or its result cannot be predicted
 */
struct importer {
	struct koids strings;
	struct koids providers;
	struct koids rates;
	uint64_t last;
	uint64_t provider;
	uint64_t rate;
	uint64_t next;
	uint64_t number;
	bool has_ended;
};

/* Rows of its table stats. */
#define CHECK_STATS(X)						\
	X(STAT_INVALID_STRING_REF,	"fuchsia_invalid_string_ref")		\
	X(STAT_RECORD_READ_ERROR,	"fuchsia_record_read_error")		\
	X(STAT_INVALID_EVENT,		"fuchsia_invalid_event")		\
	X(STAT_INVALID_EVENT_ARG_TYPE,	"fuchsia_invalid_event_arg_type")	\
	X(STAT_NON_NUMERIC_COUNTERS,	"fuchsia_non_numeric_counters")		\
	X(STAT_TIMESTAMP_OVERFLOW,	"fuchsia_timestamp_overflow")		\
	X(STAT_SLICE_OVERLAP,		"slice_drop_overlapping_complete_event")	\
	X(STAT_SLICE_DEPTH,	"slice_max_depth_exceeded")		\
	X(STAT_FLOW_NO_SLICE,		"flow_no_enclosing_slice")		\
	X(STAT_FLOW_TWICE,		"flow_duplicate_id")			\
	X(STAT_FLOW_STEP,		"flow_step_without_start")		\
	X(STAT_FLOW_END,		"flow_end_without_start")

enum check_stat_number {
#define CHECK_STAT_ENUM(number, name) number,
	CHECK_STATS(CHECK_STAT_ENUM)
#undef CHECK_STAT_ENUM
	STAT_COUNT
};

/*
 * Kinds of anomalies; N: a note.
 *
 * magic, byte-order: the file is not recognized at all.
 * size-zero: the load ends there.
 * large-record: a record with more words than an ordinary one can have: the load ends, or goes on
 *	at any place.
 * astray: it reads on at a place where no record begins; the result is not predicted.
 * provider: a section of a provider that was not introduced; its records are lost. Provider 0 is
 *	introduced from the beginning.
 * string-ref, read-error, argument-type, time: the record is dropped, for the first of these
 *	reasons (enum importer_reason). string-ref: or the process of a thread is not known by this
 *	string.
 * counter: a value of a counter is dropped.
 * cpu: a CPU number of 4096 or more ends the load.
 * idle: an idle thread's weight is not INT32_MIN: it is drawn as a thread.
 * woken-running: the thread's running state ends there in the picture.
 * slice: a slice that begins in another one of its thread, or with it, and ends after it is
 *	dropped, and so is one in 512 others.
 * flow: a part of a flow is dropped: no slice is open in its thread, or its id was not begun, in no
 *	other process or in several (match.h).
 * loss-unseen: a loss reported only as a provider event is invisible.
 * koid: koids of more than 32 bits are cut.
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
#define CHECK_PERFETTO_ENUM(kind, name) kind,
	CHECK_PERFETTO_KINDS(CHECK_PERFETTO_ENUM)
#undef CHECK_PERFETTO_ENUM
	PERFETTO_KINDS
};

/* A kind that is reported only as a sum. */
struct check_sum {
	uint64_t count;
	uint64_t offset;	/* offset of the first one; @record: its number */
	uint64_t record;
};

/**
 * struct check_perfetto - what is known so far
 * @renames: by thread: renames that no instant has shown yet; @renamed: their sum, and the first of
 *	them
 * @importer: state of the importer; @is_dropped: it drops the current record
 */
struct check_perfetto {
	struct check_report *report;	/* NULL: anomalies are not wanted */
	uint64_t stats[STAT_COUNT];
	struct check_sum woken;
	struct check_sum koids;
	struct check_sum unnamed;
	struct check_sum renamed;
	struct koids renames;
	struct check_sum provider_events;
	uint64_t loss_slices;
	struct importer importer;
	bool is_dropped;
};

/** check_perfetto_kind_name() - the name of a kind, from CHECK_PERFETTO_KINDS */
const char *check_perfetto_kind_name(enum check_perfetto_kind kind);

/** check_perfetto_begin() - begin an archive; @report: receives anomalies, may be NULL */
void check_perfetto_begin(struct check_perfetto *p, struct check_report *report);

/* The archive has the other byte order; it does not begin with the magic number. */
void check_perfetto_swapped(struct check_perfetto *p);
void check_perfetto_no_magic(struct check_perfetto *p);

/** check_perfetto_record() - feed a record before it is decoded, except frequent ones */
void check_perfetto_record(struct check_perfetto *p, const struct fxt_record *rec);

/* After it was decoded, call one of these. */
void check_perfetto_switch(struct check_perfetto *p, const struct fxt_record *rec,
			   const struct fxt_switch *sw);
void check_perfetto_wakeup(struct check_perfetto *p, const struct fxt_record *rec,
			   const struct fxt_wakeup *w);
void check_perfetto_content(struct check_perfetto *p, const struct fxt_record *rec,
			    const struct fxt_content *c);

/** check_perfetto_deviation() - feed a deviation that the reader found */
void check_perfetto_deviation(struct check_perfetto *p, const struct fxt_deviation *d);

/** check_perfetto_anomaly() - feed an anomaly that the model of the scheduler found */
void check_perfetto_anomaly(struct check_perfetto *p, const struct sched_anomaly *f);

/** check_perfetto_renamed() - note that a kernel object gives a thread another name */
void check_perfetto_renamed(struct check_perfetto *p, const struct fxt_record *rec,
			    uint64_t thread);

/** check_perfetto_end() - report the sums and free everything */
void check_perfetto_end(struct check_perfetto *p);

/** check_perfetto_stats() - get the rows of stats that are not zero. Return: their number */
unsigned int check_perfetto_stats(const struct check_perfetto *p,
				  struct check_stat stats[STAT_COUNT]);

#define PERFETTO_CPUS	4096

/*
 * True if the hot record at @w has no anomalies, provided that idle threads have the required
 * weight.
 */
static inline bool check_perfetto_is_hot(const struct check_perfetto *p, const uint64_t *w)
{
	uint64_t threads = w[2] | w[fxt_hot_is_wakeup(w) ? 5 : 3];

	return fxt_get(FXT_SWITCH_CPU, w[0]) < PERFETTO_CPUS && w[1] <= INT64_MAX &&
	       threads <= UINT32_MAX && p->importer.provider && p->importer.rate;
}

#endif /* FXT_CHECK_PERFETTO_H */
