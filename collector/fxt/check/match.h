/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - do slices, asynchronous events and flows begin, end and nest?
 *
 * In: events, in the order of the file.
 * Out: anomalies of the class format, violations where the specification says "must", else
 * notes; of the class perfetto, parts of flows that Perfetto drops. All of them are notes
 * where something explains that a part is missing: losses, a part of an archive, skipped
 * records.
 *
 * Events are judged in the order of time. For that, MATCH_EVENTS of them are kept; an event that is
 * even further out of order is judged at its place in the file. Memory also grows with threads that
 * have slices, with slices and ids that are open at the same time, up to MATCH_OPEN, and with
 * anomalies, up to MATCH_ANOMALIES. What exceeds these limits is only counted.
 */
#ifndef FXT_CHECK_MATCH_H
#define FXT_CHECK_MATCH_H

#include "libfxt/map.h"
#include "perfetto.h"
#include "walk/ids.h"

#define MATCH_EVENTS	(256UL << 10)	/* 20 MiB */
#define MATCH_OPEN	(1UL << 21)	/* 192 MiB; slices count twice */
#define MATCH_ANOMALIES	(1UL << 18)	/* 10 MiB */

/*
 * Kinds of anomalies, in addition to the reader's deviations. V: a violation.
 *
 * begin-without-end, async-begin-without-end, flow-begin-without-end: V.
 * async-instant-outside: no begin precedes it, or an end lies between: V.
 * end-without-begin, async-end-without-begin, flow-without-begin: likewise.
 * end-other-name, async-end-other-name: category or name differs from the begin's.
 * not-nested: two slices of a thread overlap, and neither contains the other.
 * flow-without-slice: no slice of its thread encloses it.
 * not-judged: events beyond the limits.
 */
#define CHECK_MATCH_KINDS(X)						\
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
	X(MATCH_NOT_JUDGED,	"not-judged")

enum check_match_kind {
#define CHECK_MATCH_ENUM(kind, name) kind,
	CHECK_MATCH_KINDS(CHECK_MATCH_ENUM)
#undef CHECK_MATCH_ENUM
	MATCH_KINDS,
	/* Slices and parts of flows that Perfetto drops, and why. */
	MATCH_PERFETTO_OVERLAP = MATCH_KINDS,
	MATCH_PERFETTO_DEPTH,
	MATCH_PERFETTO_NO_SLICE,
	MATCH_PERFETTO_NO_BEGIN,
	MATCH_PERFETTO_AMBIGUOUS,
	MATCH_PERFETTO_TWICE,
	MATCH_ALL_KINDS
};

_Static_assert(FXT_DEV_COUNT + MATCH_KINDS <= CHECK_KINDS, "they are one class");

struct match_event;
struct match_group;
struct match_anomaly;

/**
 * struct check_match - one archive
 * @perfetto: counts what Perfetto drops
 * @events: waiting, @count of them
 * @judged: ns, time of the latest event that was judged
 * @late: events that came after later ones had been judged
 * @groups: threads and ids with something open
 * @open: what has begun and not ended
 * @flows: flows as Perfetto knows them; the depth is 1 if a slice began it
 * @is_part: the archive is marked as a part of another
 * @anomalies: kept until the end, because later records may explain them
 * @more: anomalies beyond MATCH_ANOMALIES, counted by kind
 * @not_judged: events beyond the other limits; @last_not_judged: record of the last one
 */
struct check_match {
	struct check_perfetto *perfetto;
	struct match_event *events;
	size_t count;
	uint64_t judged;
	uint64_t late;
	struct map groups;
	size_t open;
	struct ids flows;
	bool is_part;
	struct match_anomaly *anomalies;
	size_t anomaly_count;
	struct check_sum more[MATCH_ALL_KINDS];
	struct check_sum not_judged;
	uint64_t last_not_judged;
};

/** check_match_begin() - start; ends with check_match_end() */
void check_match_begin(struct check_match *m, struct check_perfetto *perfetto);

/** check_match_content() - feed a record; 0 or -ENOMEM */
int check_match_content(struct check_match *m, const struct fxt_record *rec,
			const struct fxt_content *c);

/**
 * check_match_end() - report all anomalies, and free everything
 * @m: the archive
 * @report: receives anomalies of classes in @only
 * @only: the classes to report, by enum check_class
 * @is_excused: the archive itself says that something is missing
 */
void check_match_end(struct check_match *m, struct check_report *report, const bool *only,
		     bool is_excused);

#endif /* FXT_CHECK_MATCH_H */
