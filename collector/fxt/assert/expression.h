/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression.h - parses what fxt assert claims of a recording.
 *
 * In: text such as "p99(wait, comm=db*) < 2ms and count(losses) == 0".
 * Out: a tree of comparisons; or the error and its column.
 *
 *	claim		= all { "or" all }
 *	all		= one { "and" one }
 *	one		= "(" claim ")" | comparison
 *	comparison	= function "(" quantity { "," selector } ")" relation limit
 *	selector	= ( "comm" | "pid" | "tid" | "cgroup" | "cpu" ) "=" value
 *	relation	= "<" | "<=" | ">" | ">=" | "==" | "!="
 *	limit		= number with a unit: ns, us, ms, s of times, % of shares, none of numbers
 */
#ifndef FXT_ASSERT_EXPRESSION_H
#define FXT_ASSERT_EXPRESSION_H

#include "libopt/option.h"
#include "report/stats/report.h"

enum function {
	FUNCTION_P50, FUNCTION_P90, FUNCTION_P95, FUNCTION_P99, FUNCTION_P999,
	FUNCTION_MIN, FUNCTION_MAX, FUNCTION_MEAN, FUNCTION_SUM, FUNCTION_COUNT, FUNCTION_RATE,
	FUNCTION_SHARE,
	FUNCTIONS
};

enum quantity_class { CLASS_WAITS, CLASS_SLEEPS, CLASS_RUN, CLASS_EVENTS, CLASS_LOSSES };

struct quantity {
	const char *name;	/* as in an expression */
	const char *what;	/* in words */
	enum quantity_class class;
	unsigned int waits;	/* of CLASS_WAITS: bits, by enum report_wait_kind */
	unsigned int sleeps;	/* of CLASS_SLEEPS: likewise, by enum report_sleep_kind */
	size_t offset;		/* of CLASS_EVENTS: of the number in struct report_counts */
};

enum relation { LESS, AT_MOST, GREATER, AT_LEAST, EQUAL, UNEQUAL };

enum unit { UNIT_NS, UNIT_NUMBER, UNIT_PER_SECOND, UNIT_SHARE };

/* "p99(wait, comm=db*) < 2ms" */
struct comparison {
	const char *text;
	size_t length;
	enum function function;
	const struct quantity *quantity;
	struct filter filter;	/* what the selectors select */
	char *values[5];	/* of the selectors */
	enum relation relation;
	enum unit unit;
	double limit;		/* in @unit; a share is of 1 */
};

enum node_kind { NODE_COMPARISON, NODE_AND, NODE_OR };

struct node {
	enum node_kind kind;
	size_t a, b;		/* numbers of the nodes that it joins */
	struct comparison *comparison;	/* of a leaf, else NULL */
};

struct expression {
	const char *text;
	struct node *nodes;	/* the last is the root; operands precede the node that joins them */
	size_t count;
	size_t at;		/* the byte where the text is wrong */
	char why[OPTION_TEXT];	/* the error there; "": none */
};

/*
 * Parse a claim, whose text the caller keeps. Returns false with @e->why if it is invalid. Call
 * expression_free() in both cases.
 */
bool expression_parse(struct expression *e, const char *text);
void expression_free(struct expression *e);

/* Does a quantity count only some kinds of waits? */
bool quantity_has_kind(const struct quantity *q);

/*
 * Does the filter of the recording keep all that a comparison needs? A filter by name keeps what
 * threads did while they had the name, so the caller has to add what they did under earlier names.
 */
bool comparison_is_covered(const struct report *r, const struct comparison *c);

#endif /* FXT_ASSERT_EXPRESSION_H */
