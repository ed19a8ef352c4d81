/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge.h - does a comparison hold in a recording?
 *
 * In: a report of the recording, a comparison.
 * Out: the smallest and the largest value that the archive allows, given its records, its losses,
 * and what began before it or was not over at its end. The comparison holds if it does for all
 * values between them, and fails if it does for none.
 */
#ifndef FXT_ASSERT_JUDGE_H
#define FXT_ASSERT_JUDGE_H

#include "expression.h"

enum verdict { VERDICT_HOLDS, VERDICT_FAILS, VERDICT_UNKNOWN };

const char *verdict_name(enum verdict v);

/* A report, and how much of the recording it may lack. */
struct recording {
	const struct report *r;	/* of the selected CPUs */
	bool skipped;		/* records of the archive could not be read */
	bool deviates;		/* records deviate from the format */
	bool is_whole;		/* all of its time is judged, from its very begin */
	uint64_t hidden;	/* switches that the kernel hid */
	bool trusts;		/* assume that the archive is complete */
	struct scope scope;	/* of the comparison */
};

#define RECORD_AGAIN	"record again; fxt check lists what is wrong"
#define RECORD_MORE	"record with a larger --buffer, or fewer events"

/*
 * Why a value is unknown, and what would make it known. Doubts from DOUBT_LATE on have a count,
 * those from DOUBT_TIME on a number of ns.
 */
#define DOUBTS(X)								\
	X(THREADS, "no such thread took part in the recording",			\
	  "select threads that fxt report lists, or record while they run")	\
	X(CPUS, "the archive lacks one of these CPUs", "record these CPUs")	\
	X(NOTHING, "no wait, sleep or run to judge", "record for longer")	\
	X(FOREIGN, "another program recorded it, and does not report its losses",	\
	  "record with fxt-collect, or use --assume-complete if nothing was lost")	\
	X(TRUNCATED, "the archive is truncated", "record until the end")	\
	X(SKIPPED, "records could not be read", RECORD_AGAIN)			\
	X(DAMAGED, "the archive is damaged", RECORD_AGAIN)			\
	X(VIOLATIONS, "the archive contradicts itself", RECORD_AGAIN)		\
	X(FILTERED, "the recording was filtered",				\
	  "record without a filter, or with the selection of the claim as its filter")	\
	X(PRECISION, "percentiles are accurate to 1/32",			\
	  "use a limit that differs more, or max")				\
	X(LATE, "events too late to be put in order", RECORD_AGAIN)		\
	X(LOST, "records lost", RECORD_MORE)					\
	X(NAMES, "records of names lost", "select threads by tid")		\
	X(HIDDEN, "switches hidden by the kernel",				\
	  "record with a kernel that shows all threads")			\
	X(NAMELESS, "threads that may or may not be selected", "select threads by tid")	\
	X(BEGIN, "began before the archive or in a loss",			\
	  "start the recording before the load, and lose no record")		\
	X(END, "not over at the end of the archive", "record for longer")	\
	X(HELD, "waits beside an idle CPU, after a wakeup or a preemption",	\
	  "use wait, which includes both")					\
	X(TIME, "unknown time of CPUs", "record all threads and CPUs, from before the load on")	\
	X(RENAMED, "time under an earlier name, which the filter excludes",	\
	  "record without a filter, or with --pid")

enum doubt {
#define DOUBT_ENUM(name, text, remedy) DOUBT_##name,
	DOUBTS(DOUBT_ENUM)
#undef DOUBT_ENUM
	DOUBT_COUNT
};

/* Doubts whether what was read is what happened: then nothing is known, in either direction. */
#define DOUBTS_OF_DAMAGE	(1U << DOUBT_SKIPPED | 1U << DOUBT_DAMAGED | 1U << DOUBT_VIOLATIONS)

extern const struct doubt_texts {
	const char *text;
	const char *remedy;	/* what would make the value known */
} doubt_texts[];

struct judgement {
	const struct report *r;	/* of the selected CPUs */
	struct scope scope;	/* the selected threads */
	enum verdict verdict;
	double low;		/* the smallest possible value, in its unit */
	double high;		/* the largest, which may be INFINITY */
	uint64_t threads;	/* selected ones */
	bool hides_threads;	/* the recording's filter may have hidden others */
	uint64_t items;		/* waits, sleeps, or events that were seen */
	unsigned int doubts;	/* bits by enum doubt: why @low and @high differ */
	uint64_t numbers[DOUBT_COUNT];	/* the count of each */
	const struct report_thread *worst;	/* longest wait, or most of the quantity; or NULL */
	uint64_t worst_value;	/* ns or a number */
	struct report_wait wait;	/* the longest wait (CLASS_WAITS) or sleep (CLASS_SLEEPS) */
};

void judge(const struct recording *recording, const struct comparison *c, struct judgement *j);

/* Combine the verdicts of comparisons, one per node, into that of the expression. */
enum verdict judge_join(const struct expression *e, const struct judgement *of);

#endif /* FXT_ASSERT_JUDGE_H */
