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

/** verdict_name() - "holds", "fails", "unknown" */
const char *verdict_name(enum verdict v);

/**
 * struct recording - a report, and how much of the recording it may lack
 * @r: the report of the selected CPUs
 * @skipped: records of the archive could not be read
 * @hidden: switches that the kernel hid
 * @trusts: take the archive as all that happened
 */
struct recording {
	const struct report *r;
	bool skipped;
	uint64_t hidden;
	bool trusts;
};

/*
 * Why a value is not known. Doubts from DOUBT_LATE on have a count, DOUBT_TIME a number of ns.
 */
#define DOUBTS(X)								\
	X(THREADS, "no such thread took part in the recording")			\
	X(CPUS, "the archive lacks one of these CPUs")				\
	X(NOTHING, "no wait, sleep or run to judge")					\
	X(FOREIGN, "another program recorded it, and does not report its losses")	\
	X(TRUNCATED, "the archive is truncated")			\
	X(SKIPPED, "records could not be read")					\
	X(VIOLATIONS, "the archive contradicts itself; run fxt check")		\
	X(FILTERED, "the recording was filtered")				\
	X(PRECISION, "percentiles are accurate to 1/32")				\
	X(LATE, "events too late to be put in order")				\
	X(LOST, "records lost")							\
	X(NAMES, "records of names lost")					\
	X(HIDDEN, "switches hidden by the kernel")				\
	X(NAMELESS, "threads that may or may not be selected")	\
	X(BEGIN, "began before the archive or in a loss")	\
	X(END, "not over at the end of the archive")			\
	X(HELD, "waits beside an idle CPU, after a wakeup or a preemption")	\
	X(TIME, "unknown time of CPUs")

enum doubt {
#define DOUBT_ENUM(name, text) DOUBT_##name,
	DOUBTS(DOUBT_ENUM)
#undef DOUBT_ENUM
	DOUBT_COUNT
};

/** doubt_text() - in words */
const char *doubt_text(enum doubt d);

/**
 * struct judgement - the result of one comparison
 * @low: the smallest possible value, in its unit; @high: the largest, which may be INFINITY
 * @threads: number of selected threads
 * @items: waits, sleeps, or events that were seen
 * @doubts: bits by enum doubt: why @low and @high differ; @numbers: the count of each
 * @worst: the thread with the longest wait or most of the quantity; NULL: none
 * @worst_value: ns or a number
 * @wait: the longest wait (CLASS_WAITS) or sleep (CLASS_SLEEPS): thread, kind, time, CPU, length
 *	and what else is known
 */
struct judgement {
	enum verdict verdict;
	double low;
	double high;
	uint64_t threads;
	uint64_t items;
	unsigned int doubts;
	uint64_t numbers[DOUBT_COUNT];
	const struct report_thread *worst;
	uint64_t worst_value;
	struct report_wait wait;
};

/** judge() - judge a comparison. Return: 0 or -ENOMEM */
int judge(const struct recording *recording, const struct comparison *c, struct judgement *j);

/** judge_join() - combine the verdicts of comparisons, one per node, into that of the expression */
enum verdict judge_join(const struct expression *e, const struct judgement *of);

#endif /* FXT_ASSERT_JUDGE_H */
