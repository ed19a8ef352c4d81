/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - do slices, asynchronous events and flows begin, end and nest?
 *
 * What flows in: events, in the order of the file. What flows out: findings of the class
 * format, violations where the specification says "must", else notes; of the class
 * perfetto, parts of flows that Perfetto drops. All of them are notes where something
 * explains that a part is missing: losses, a part of an archive, skipped records.
 *
 * Events are judged in the order of time. For that, MATCH_EVENTS of them are kept; what
 * stands further away from its place than that is judged where it stands. Besides that,
 * memory grows with threads that have slices, and with slices and ids that are open at
 * one time, to MATCH_OPEN; with findings, to MATCH_FINDINGS. What goes beyond is counted.
 */
#ifndef FXT_CHECK_MATCH_H
#define FXT_CHECK_MATCH_H

#include "perfetto.h"
#include "report.h"

#define MATCH_EVENTS	(256UL << 10)	/* 20 MiB */
#define MATCH_OPEN	(1UL << 20)	/* 64 MiB */
#define MATCH_FINDINGS	(1UL << 18)	/* 10 MiB */

/*
 * What is found, beside the deviations. V: a violation.
 *
 * begin-without-end, async-begin-without-end, flow-begin-without-end: V.
 * async-instant-outside: there is no begin before it, or an end between: V.
 * end-without-begin, async-end-without-begin, flow-without-begin: likewise.
 * end-other-name, async-end-other-name: category or name is not that of the begin.
 * not-nested: two slices of a thread overlap, and none is within the other.
 * flow-without-slice: no slice of its thread encloses it.
 * not-judged: events that are beyond the limits.
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
	/* Parts of flows that Perfetto drops, and why. */
	MATCH_PERFETTO_NO_SLICE = MATCH_KINDS,
	MATCH_PERFETTO_NO_BEGIN,
	MATCH_PERFETTO_AMBIGUOUS,
	MATCH_PERFETTO_TWICE,
	MATCH_ALL_KINDS
};

_Static_assert(FXT_DEV_COUNT + MATCH_KINDS <= CHECK_KINDS, "they are one class");

struct match_event;
struct match_group;
struct match_finding;

/**
 * struct check_match - one archive
 * @perfetto: whose counters are counted on
 * @events: that wait, @count of them
 * @judged: ns, of the latest that was judged
 * @late: events that came after later ones had been judged
 * @groups: threads and ids with something open, a hash of @room lists
 * @open: what has begun and not ended
 * @is_part: the archive says that it is a part of another
 * @findings: until all is known that may explain them
 * @more: those beyond MATCH_FINDINGS, by kind
 * @not_judged: events that are beyond the other limits
 */
struct check_match {
	struct check_perfetto *perfetto;
	struct match_event *events;
	size_t count;
	uint64_t judged;
	uint64_t late;
	struct match_group **groups;
	size_t room;
	size_t group_count;
	size_t open;
	bool is_part;
	struct match_finding *findings;
	size_t finding_count;
	size_t finding_room;
	struct check_sum more[MATCH_ALL_KINDS];
	struct check_sum not_judged;
};

/** check_match_begin() - ends with check_match_end() */
void check_match_begin(struct check_match *m, struct check_perfetto *perfetto);

/** check_match_content() - a record; 0 or -ENOMEM */
int check_match_content(struct check_match *m, const struct fxt_record *rec,
			const struct fxt_content *c);

/**
 * check_match_end() - tell what was found, and free all
 * @m: the archive
 * @report: where to, if the class is one of @only
 * @only: by enum check_class
 * @is_excused: something is missing, as the archive says itself
 */
void check_match_end(struct check_match *m, struct check_report *report, const bool *only,
		     bool is_excused);

#endif /* FXT_CHECK_MATCH_H */
