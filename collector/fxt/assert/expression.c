// SPDX-License-Identifier: GPL-2.0-or-later
/* expression.c - see expression.h. A recursive descent parser, at most DEPTH deep. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "expression.h"

#define DEPTH		64	/* limit of nested parentheses */
#define NODES		1000	/* limit for an expression */
#define WAITS		(1U << REPORT_WOKEN | 1U << REPORT_PREEMPTED | 1U << REPORT_HELD)
#define SLEEPS		((1U << REPORT_SLEEPS) - 1)

/* --- words --------------------------------------------------------------------------------- */

static const struct quantity quantities[] = {
	{ "wait", "a thread was runnable and had no CPU", CLASS_WAITS, .waits = WAITS },
	{ "wakeup", "the same, after a wakeup", CLASS_WAITS, .waits = 1U << REPORT_WOKEN },
	{ "preempted", "the same, after a preemption", CLASS_WAITS,
	  .waits = 1U << REPORT_PREEMPTED },
	{ "held", "the same for 1 ms or more, while its CPU was idle", CLASS_WAITS,
	  .waits = 1U << REPORT_HELD },
	{ "sleep", "a thread slept, in any state", CLASS_SLEEPS, .sleeps = SLEEPS },
	{ "uninterruptible", "a thread slept in state D", CLASS_SLEEPS,
	  .sleeps = 1U << REPORT_UNINTERRUPTIBLE },
	{ "run", "a thread had a CPU", CLASS_RUN, .waits = 0 },
	{ "switches", "a thread was switched out", CLASS_EVENTS,
	  .offset = offsetof(struct report_counts, switches) },
	{ "preemptions", "the same, while it was runnable", CLASS_EVENTS,
	  .offset = offsetof(struct report_counts, preempted) },
	{ "migrations", "a thread was switched in on another CPU than before", CLASS_EVENTS,
	  .offset = offsetof(struct report_counts, migrations) },
	{ "wakeups", "a thread was woken", CLASS_EVENTS,
	  .offset = offsetof(struct report_counts, wakeups) },
	{ "losses", "a record was lost", CLASS_LOSSES, .waits = 0 },
};

#define QUANTITIES	(sizeof(quantities) / sizeof(quantities[0]))
#define BIT(function)	(1U << FUNCTION_##function)
#define OF_NUMBERS	(BIT(COUNT) | BIT(RATE))

static const unsigned int functions_of[] = {
	[CLASS_WAITS] = BIT(P50) | BIT(P90) | BIT(P95) | BIT(P99) | BIT(P999) | BIT(MIN) |
			BIT(MAX) | BIT(MEAN) | BIT(SUM) | OF_NUMBERS,
	[CLASS_SLEEPS] = BIT(MAX) | BIT(SUM) | OF_NUMBERS,
	[CLASS_RUN] = BIT(SUM) | BIT(SHARE),
	[CLASS_EVENTS] = OF_NUMBERS,
	[CLASS_LOSSES] = OF_NUMBERS,
};

static const char *const function_names[FUNCTIONS] = {
	"p50", "p90", "p95", "p99", "p999", "min", "max", "mean", "sum", "count", "rate", "share",
};

static bool quantity_word(unsigned int i, struct option_word *w)
{
	if (i >= QUANTITIES)
		return false;
	w->name = quantities[i].name;
	w->what = quantities[i].what;
	return true;
}

static bool function_word(unsigned int i, struct option_word *w)
{
	if (i >= FUNCTIONS)
		return false;
	w->name = function_names[i];
	return true;
}

/* --- the text ------------------------------------------------------------------------------ */

struct parser {
	struct expression *e;
	const char *at;		/* the next byte; after an error the end of the text */
	unsigned int depth;	/* open parentheses */
};

/* Keep the first error. The rest of the text does not matter. */
static __attribute__((format(printf, 3, 4))) void wrong(struct parser *p, const char *at,
							const char *format, ...)
{
	va_list args;

	if (*p->e->why)
		return;
	p->e->at = at - p->e->text;
	va_start(args, format);
	vsnprintf(p->e->why, sizeof(p->e->why), format, args);
	va_end(args);
	p->at += strlen(p->at);
}

static void skip_blanks(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n')
		p->at++;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static size_t word_length(const char *at)
{
	size_t n = 0;

	while (is_letter(at[n]))
		n++;
	return n;
}

static bool accepts(struct parser *p, const char *what)
{
	size_t n = strlen(what);

	skip_blanks(p);
	if (strncmp(p->at, what, n) || (is_letter(*what) && is_letter(p->at[n])))
		return false;
	p->at += n;
	return true;
}

static void expects(struct parser *p, const char *what)
{
	if (!accepts(p, what))
		wrong(p, p->at, "expected %s here", what);
}

/* The index of the next word in a list; 0 after an error. */
static unsigned int parse_word(struct parser *p, const char *kind, option_words *words)
{
	const struct option_row row = { .value = kind, .words = words };
	char why[OPTION_TEXT];
	size_t n;
	int i;

	skip_blanks(p);
	n = word_length(p->at);
	i = n ? option_find_word(words, p->at, n) : -1;
	if (i < 0) {
		wrong(p, p->at, "%s", option_wrong_word(why, sizeof(why), &row, p->at, n));
		return 0;
	}
	p->at += n;
	return i;
}

/* --- selectors ----------------------------------------------------------------------------- */

static const struct {
	const char *name;
	bool is_list;		/* of numbers */
	size_t at;		/* what @set sets in the filter */
	option_setter *set;
} selectors[] = {
	{ "comm", false, 0, filter_set_comm },
	{ "pid", true, offsetof(struct filter, pids), filter_add_ids },
	{ "tid", true, offsetof(struct filter, tids), filter_add_ids },
	{ "cgroup", false, 0, filter_set_cgroup },
	{ "cpu", true, 0, filter_add_cpus },
};

#define SELECTORS	(sizeof(selectors) / sizeof(selectors[0]))

static bool selector_word(unsigned int i, struct option_word *w)
{
	w->name = i < SELECTORS ? selectors[i].name : NULL;
	return w->name;
}

/*
 * Length of a value. A quoted value ends at the quote, another at a comma or parenthesis; but a
 * comma before a digit belongs to a list of numbers.
 */
static size_t value_length(const char *at, bool is_list)
{
	size_t n = 0;

	for (; at[n] && at[n] != ')' && at[n] != ' '; n++)
		if (at[n] == ',' && !(is_list && at[n + 1] >= '0' && at[n + 1] <= '9'))
			break;
	return n;
}

/* A copy of the value; NULL after an error. */
static char *parse_value(struct parser *p, bool is_list)
{
	const char *begin, *end;
	bool is_quoted;

	skip_blanks(p);
	begin = p->at;
	is_quoted = *begin == '"' || *begin == '\'';
	end = is_quoted ? strchr(begin + 1, *begin) : begin + value_length(begin, is_list);
	if (!end || end == begin) {
		wrong(p, begin, end ? "expected a value here" : "this quote is never closed");
		return NULL;
	}
	p->at = end + is_quoted;
	return must(strndup(begin + is_quoted, end - begin - is_quoted));
}

static void parse_selector(struct parser *p, struct comparison *c)
{
	unsigned int selector = parse_word(p, "SELECTOR", selector_word);
	const char *at, *why = NULL;

	if (c->values[selector])
		wrong(p, p->at, "this selector is given twice");
	expects(p, "=");
	skip_blanks(p);
	at = p->at;
	if (*p->e->why)
		return;
	c->values[selector] = parse_value(p, selectors[selector].is_list);
	if (c->quantity->class == CLASS_LOSSES)
		why = "losses takes no selectors: the threads of lost records are unknown";
	else if (c->values[selector])
		why = selectors[selector].set((char *)&c->filter + selectors[selector].at,
					      c->values[selector]);
	if (why)
		wrong(p, at, "%s", why);
}

/* --- limits -------------------------------------------------------------------------------- */

static enum unit unit_of(const struct comparison *c)
{
	switch (c->function) {
	case FUNCTION_SHARE:
		return UNIT_SHARE;
	case FUNCTION_COUNT:
		return UNIT_NUMBER;
	case FUNCTION_RATE:
		return UNIT_PER_SECOND;
	default:
		return UNIT_NS;
	}
}

static const struct {
	enum unit unit;
	const char *name;
	double factor;
} units[] = {
	{ UNIT_NS, "ns", 1 }, { UNIT_NS, "us", 1e3 }, { UNIT_NS, "ms", 1e6 }, { UNIT_NS, "s", 1e9 },
	{ UNIT_SHARE, "%", 0.01 }, { UNIT_NUMBER, "", 1 }, { UNIT_PER_SECOND, "/s", 1 },
	{ UNIT_PER_SECOND, "", 1 },
};

static const char *const unit_wrong[] = {
	[UNIT_NS] = "this is compared with a time: use ns, us, ms or s, e.g. 2ms",
	[UNIT_NUMBER] = "this is compared with a number without a unit",
	[UNIT_PER_SECOND] = "this is compared with a number per second, e.g. 100/s",
	[UNIT_SHARE] = "this is compared with a percentage, e.g. 20%",
};

static void parse_unit(struct parser *p, struct comparison *c)
{
	const char *at = p->at;
	size_t n, i;

	n = *at == '%' ? 1 : *at == '/' ? 1 + word_length(at + 1) : word_length(at);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (units[i].unit != c->unit || strlen(units[i].name) != n ||
		    strncmp(units[i].name, at, n))
			continue;
		c->limit *= units[i].factor;
		p->at += n;
		return;
	}
	/* Zero is the same in all units. */
	if (n || c->limit)
		wrong(p, at, "%s", unit_wrong[c->unit]);
}

/* Parse digits, a point, digits. */
static void parse_limit(struct parser *p, struct comparison *c)
{
	double scale = 1;

	skip_blanks(p);
	if (*p->at < '0' || *p->at > '9')
		wrong(p, p->at, "expected a number here, e.g. 2ms");
	for (; *p->at >= '0' && *p->at <= '9'; p->at++)
		c->limit = c->limit * 10 + (*p->at - '0');
	if (*p->at == '.')
		for (p->at++; *p->at >= '0' && *p->at <= '9'; p->at++)
			c->limit += (*p->at - '0') * (scale /= 10);
	parse_unit(p, c);
}

static void parse_relation(struct parser *p, struct comparison *c)
{
	/* Longer relations first, so that "<=" is not taken for "<". */
	static const struct { const char *text; enum relation relation; } all[] = {
		{ "<=", AT_MOST }, { ">=", AT_LEAST }, { "==", EQUAL }, { "!=", UNEQUAL },
		{ "<", LESS }, { ">", GREATER },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (accepts(p, all[i].text)) {
			c->relation = all[i].relation;
			return;
		}
	}
	wrong(p, p->at, "expected <, <=, >, >=, == or != here");
}

/* --- comparisons and what joins them ------------------------------------------------------- */

/* Returns the number of the node; 0 after an error. */
static size_t add_node(struct parser *p, struct node node)
{
	struct expression *e = p->e;

	if (e->count == NODES) {
		wrong(p, p->at, "the expression is too long");
		free(node.comparison);
		return 0;
	}
	array_more(e->nodes, e->count);
	e->nodes[e->count] = node;
	return e->count++;
}

static void parse_quantity(struct parser *p, struct comparison *c)
{
	c->quantity = &quantities[parse_word(p, "QUANTITY", quantity_word)];
	if (!(functions_of[c->quantity->class] & 1U << c->function))
		wrong(p, c->text, "%s has no %s", c->quantity->name, function_names[c->function]);
}

static size_t parse_comparison(struct parser *p)
{
	struct comparison *c = new_zero(struct comparison);
	size_t number = add_node(p, (struct node){ .kind = NODE_COMPARISON, .comparison = c });

	skip_blanks(p);
	c->text = p->at;
	c->function = parse_word(p, "FUNCTION", function_word);
	c->unit = unit_of(c);
	expects(p, "(");
	parse_quantity(p, c);
	while (accepts(p, ","))
		parse_selector(p, c);
	expects(p, ")");
	parse_relation(p, c);
	parse_limit(p, c);
	c->length = p->at - c->text;
	return number;
}

static size_t parse_claim(struct parser *p);

static size_t parse_one(struct parser *p)
{
	size_t number;

	if (!accepts(p, "("))
		return parse_comparison(p);
	if (++p->depth > DEPTH)
		wrong(p, p->at, "more than %d nested parentheses", DEPTH);
	number = parse_claim(p);
	p->depth--;
	expects(p, ")");
	return number;
}

static size_t parse_and(struct parser *p)
{
	size_t number = parse_one(p);

	while (accepts(p, "and"))
		number = add_node(p, (struct node){ NODE_AND, number, parse_one(p), NULL });
	return number;
}

static size_t parse_claim(struct parser *p)
{
	size_t number = parse_and(p);

	while (accepts(p, "or"))
		number = add_node(p, (struct node){ NODE_OR, number, parse_and(p), NULL });
	return number;
}

bool expression_parse(struct expression *e, const char *text)
{
	struct parser p = { .e = e, .at = text };

	*e = (struct expression){ .text = text };
	parse_claim(&p);
	skip_blanks(&p);
	if (*p.at)
		wrong(&p, p.at, "expected and, or, or the end here");
	return !*e->why;
}

void expression_free(struct expression *e)
{
	struct comparison *c;
	size_t i, k;

	for (i = 0; i < e->count; i++) {
		c = e->nodes[i].comparison;
		for (k = 0; c && k < SELECTORS; k++)
			free(c->values[k]);
		if (c)
			filter_free(&c->filter);
		free(c);
	}
	free(e->nodes);
}
