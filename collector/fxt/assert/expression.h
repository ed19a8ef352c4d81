/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression.h - parses what fxt assert claims of a recording.
 *
 * In: text, as "p99(wait, comm=db*) < 2ms and count(losses) == 0".
 * Out: a tree of comparisons; or what is wrong with the text, and in which column.
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

/**
 * struct quantity - what is measured
 * @name: as in an expression; @what: in words
 * @waits: bits, by enum report_wait_kind, of CLASS_WAITS
 * @sleeps: likewise by enum report_sleep_kind, of CLASS_SLEEPS
 * @offset: of CLASS_EVENTS: offset of the number in struct report_counts
 */
struct quantity {
	const char *name;
	const char *what;
	enum quantity_class class;
	unsigned int waits;
	unsigned int sleeps;
	size_t offset;
};

enum relation { LESS, AT_MOST, GREATER, AT_LEAST, EQUAL, UNEQUAL };

enum unit { UNIT_NS, UNIT_NUMBER, UNIT_PER_SECOND, UNIT_SHARE };

/**
 * struct comparison - "p99(wait, comm=db*) < 2ms"
 * @text: its text, of @length bytes
 * @filter: names, ids, cgroups and CPUs that it selects; @cgroup and @comm: its texts, or NULL
 * @limit: in @unit: ns, a number, a number per second, or a share of 1
 */
struct comparison {
	const char *text;
	size_t length;
	enum function function;
	const struct quantity *quantity;
	struct filter filter;
	char *cgroup;
	char *comm;
	enum relation relation;
	enum unit unit;
	double limit;
};

enum node_kind { NODE_COMPARISON, NODE_AND, NODE_OR };

/** struct node - @a and @b: numbers of the nodes that it joins; a leaf has @comparison instead */
struct node {
	enum node_kind kind;
	size_t a;
	size_t b;
	struct comparison *comparison;
};

/**
 * struct expression - a claim
 * @nodes: the last is the root; operands precede the node that joins them
 * @why: if the text is wrong: what is wrong at byte @at
 */
struct expression {
	const char *text;
	struct node *nodes;
	size_t count;
	size_t at;
	char why[OPTION_TEXT];
};

/**
 * expression_parse() - parse a claim
 * @e: filled in; ends with expression_free() in all cases
 * @text: the caller keeps it
 *
 * Return: 0; -EINVAL with @e->why and @e->at; -ENOMEM.
 */
int expression_parse(struct expression *e, const char *text);
void expression_free(struct expression *e);

/** expression_quantity() - list all quantities with a description; see option_words */
bool expression_quantity(unsigned int i, struct option_word *w);

/** expression_function() - list all functions; see option_words */
bool expression_function(unsigned int i, struct option_word *w);

/** quantity_has_kind() - does a quantity count only some kinds of waits? */
bool quantity_has_kind(const struct quantity *q);

/**
 * comparison_is_covered() - does the filter of the recording keep all that a comparison asks for?
 *
 * A filter by name keeps what threads did while they had the name, so the caller has to add what
 * they did under earlier names.
 */
bool comparison_is_covered(const struct report *r, const struct comparison *c);

#endif /* FXT_ASSERT_EXPRESSION_H */
