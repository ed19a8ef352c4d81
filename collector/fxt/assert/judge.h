/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge.h - does a comparison hold in a recording?
 *
 * In: a report of the recording, a comparison.
 * Out: the smallest and the largest value that fit all that the archive says: what it has, what
 * it lost, what began before it and was not over at its end. The comparison holds if it does for
 * all values between them, and fails if it does for none.
 */
#ifndef FXT_ASSERT_JUDGE_H
#define FXT_ASSERT_JUDGE_H

#include "expression.h"

enum verdict { VERDICT_HOLDS, VERDICT_FAILS, VERDICT_UNKNOWN };

/** verdict_name() - "holds", "fails", "unknown" */
const char *verdict_name(enum verdict v);

/**
 * struct recording - what a report says of all threads
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
 * What keeps a value from being known. Those from DOUBT_LATE on have a number, DOUBT_TIME one of ns.
 */
#define DOUBTS(X)								\
	X(THREADS, "no such thread took part in the recording")			\
	X(CPUS, "the archive lacks one of these CPUs")				\
	X(NOTHING, "there is no wait to judge")					\
	X(FOREIGN, "another program recorded it, and does not report its losses")	\
	X(TRUNCATED, "the archive has no end: it is truncated")			\
	X(SKIPPED, "records could not be read")					\
	X(VIOLATIONS, "the archive contradicts itself; run fxt check")		\
	X(FILTERED, "the recording was filtered")				\
	X(PRECISION, "a percentile is known to 1/32")				\
	X(LATE, "events too late to be put in order")				\
	X(LOST, "records lost")							\
	X(NAMES, "records of names lost")					\
	X(HIDDEN, "switches hidden by the kernel")				\
	X(NAMELESS, "threads that may be meant or not")	\
	X(BEGIN, "begun before it or in a loss")	\
	X(END, "not over at its end")			\
	X(HELD, "beside an idle CPU, begun either way")	\
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
 * @doubts: bits by enum doubt: what separates @low and @high; @numbers of each
 * @worst: the thread that has the largest wait, or most of the quantity; NULL: none
 * @worst_value: ns or a number
 * @wait: of CLASS_WAITS, the longest wait: its thread, kind, time, CPU and length, and what else is
 *	known; of CLASS_SLEEPS the longest sleep
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

/** judge_join() - the verdict of an expression, by that of its comparisons, one for each node */
enum verdict judge_join(const struct expression *e, const struct judgement *of);

#endif /* FXT_ASSERT_JUDGE_H */
