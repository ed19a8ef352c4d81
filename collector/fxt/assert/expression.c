// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * expression.c - see expression.h. A recursive descent parser of the grammar there, at most DEPTH
 * deep.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"

#define DEPTH		64	/* nested parentheses, at most */
#define NODES		1000	/* of an expression */
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

/* Which functions a class has. */
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

bool expression_quantity(unsigned int i, struct option_word *w)
{
	if (i >= QUANTITIES)
		return false;
	w->name = quantities[i].name;
	w->what = quantities[i].what;
	return true;
}

bool expression_function(unsigned int i, struct option_word *w)
{
	if (i >= FUNCTIONS)
		return false;
	w->name = function_names[i];
	return true;
}

/* --- the text ------------------------------------------------------------------------------ */

/* @at: the next byte; @depth: parentheses that are open */
struct parser {
	struct expression *e;
	const char *at;
	unsigned int depth;
};

static __attribute__((format(printf, 3, 4))) int wrong(struct parser *p, const char *at,
						       const char *format, ...)
{
	va_list args;

	p->e->at = at - p->e->text;
	va_start(args, format);
	vsnprintf(p->e->why, sizeof(p->e->why), format, args);
	va_end(args);
	return -EINVAL;
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

static bool takes(struct parser *p, const char *what)
{
	size_t n = strlen(what);

	skip_blanks(p);
	if (strncmp(p->at, what, n) || (is_letter(*what) && is_letter(p->at[n])))
		return false;
	p->at += n;
	return true;
}

static int expects(struct parser *p, const char *what)
{
	return takes(p, what) ? 0 : wrong(p, p->at, "expected %s here", what);
}

/* The index of the next word in a list, or -EINVAL. */
static int take_word(struct parser *p, const char *kind, option_words *words)
{
	const struct option_row row = { .value = kind, .words = words };
	char why[OPTION_TEXT];
	size_t n;
	int i;

	skip_blanks(p);
	n = word_length(p->at);
	i = n ? option_find_word(words, p->at, n) : -1;
	if (i < 0)
		return wrong(p, p->at, "%s", option_wrong_word(why, sizeof(why), &row, p->at, n));
	p->at += n;
	return i;
}

/* --- selectors ----------------------------------------------------------------------------- */

enum selector { SELECT_COMM, SELECT_PID, SELECT_TID, SELECT_CGROUP, SELECT_CPU };

static bool selector_word(unsigned int i, struct option_word *w)
{
	static const char *const names[] = { "comm", "pid", "tid", "cgroup", "cpu" };

	if (i >= sizeof(names) / sizeof(names[0]))
		return false;
	w->name = names[i];
	return true;
}

/*
 * Return: the length of a value. A quoted value ends at the quote, another at a comma or
 * parenthesis; but a comma before a digit belongs to a list of numbers.
 */
static size_t value_length(const char *at, bool is_list)
{
	size_t n = 0;

	for (; at[n] && at[n] != ')' && at[n] != ' '; n++)
		if (at[n] == ',' && !(is_list && at[n + 1] >= '0' && at[n + 1] <= '9'))
			break;
	return n;
}

/* Set @value to a copy of the value, which the caller frees. Return: 0, -EINVAL or -ENOMEM. */
static int take_value(struct parser *p, bool is_list, char **value)
{
	char quote;
	size_t n;

	skip_blanks(p);
	quote = *p->at == '"' || *p->at == '\'' ? *p->at : '\0';
	if (quote) {
		const char *end = strchr(p->at + 1, quote);

		if (!end)
			return wrong(p, p->at, "this quote is never closed");
		*value = strndup(p->at + 1, end - p->at - 1);
		p->at = end + 1;
		return *value ? 0 : -ENOMEM;
	}
	n = value_length(p->at, is_list);
	if (!n)
		return wrong(p, p->at, "expected a value here");
	*value = strndup(p->at, n);
	p->at += n;
	return *value ? 0 : -ENOMEM;
}

static const char *const wrong_value[] = {
	[SELECT_COMM] = FILTER_PATTERN_WRONG,
	[SELECT_PID] = "invalid list of process ids; use e.g. 1 or 1,20",
	[SELECT_TID] = "invalid list of thread ids; use e.g. 1 or 1,20",
	[SELECT_CGROUP] = FILTER_CGROUP_WRONG,
	[SELECT_CPU] = "invalid list of CPUs; use e.g. 0 or 0,2-5",
};

/* Return: 0; -EINVAL if the value is wrong; -ENOMEM. */
static int set_selector(struct comparison *c, int selector, const char *value)
{
	switch (selector) {
	case SELECT_COMM:
		c->comm = strdup(value);
		return c->comm ? filter_set_comm(&c->filter, c->comm) : -ENOMEM;
	case SELECT_PID:
		return filter_add_ids(&c->filter.pids, value);
	case SELECT_TID:
		return filter_add_ids(&c->filter.tids, value);
	case SELECT_CPU:
		return filter_add_cpus(&c->filter, value);
	}
	c->cgroup = strdup(value);
	return c->cgroup ? filter_set_cgroup(&c->filter, c->cgroup) : -ENOMEM;
}

static int take_selector(struct parser *p, struct comparison *c, unsigned int *seen)
{
	int selector = take_word(p, "SELECTOR", selector_word), ret;
	char *value = NULL;
	const char *at;

	if (selector < 0)
		return selector;
	if (*seen & 1U << selector)
		return wrong(p, p->at, "this selector is given twice");
	*seen |= 1U << selector;
	ret = expects(p, "=");
	if (ret)
		return ret;
	skip_blanks(p);
	at = p->at;
	ret = take_value(p, selector != SELECT_COMM && selector != SELECT_CGROUP, &value);
	if (ret)
		return ret;
	if (c->quantity->class == CLASS_LOSSES)
		ret = wrong(p, at, "losses takes no selectors: the threads of lost records are "
			"unknown");
	else
		ret = set_selector(c, selector, value);
	if (ret == -EINVAL && c->quantity->class != CLASS_LOSSES)
		ret = wrong(p, at, "%s", wrong_value[selector]);
	free(value);
	return ret;
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

static int take_unit(struct parser *p, struct comparison *c)
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
		return 0;
	}
	/* Zero is the same in all units. */
	return !n && c->limit == 0 ? 0 : wrong(p, at, "%s", unit_wrong[c->unit]);
}

/* Parse digits, a point, digits. */
static int take_limit(struct parser *p, struct comparison *c)
{
	double scale = 1;
	bool is_number;

	skip_blanks(p);
	is_number = *p->at >= '0' && *p->at <= '9';
	for (; *p->at >= '0' && *p->at <= '9'; p->at++)
		c->limit = c->limit * 10 + (*p->at - '0');
	if (*p->at == '.' && is_number)
		for (p->at++; *p->at >= '0' && *p->at <= '9'; p->at++)
			c->limit += (*p->at - '0') * (scale /= 10);
	return is_number ? take_unit(p, c) : wrong(p, p->at, "expected a number here, e.g. 2ms");
}

static int take_relation(struct parser *p, struct comparison *c)
{
	/* Longer relations first, so that "<=" is not taken for "<". */
	static const struct { const char *text; enum relation relation; } all[] = {
		{ "<=", AT_MOST }, { ">=", AT_LEAST }, { "==", EQUAL }, { "!=", UNEQUAL },
		{ "<", LESS }, { ">", GREATER },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (takes(p, all[i].text)) {
			c->relation = all[i].relation;
			return 0;
		}
	}
	return wrong(p, p->at, "expected <, <=, >, >=, == or != here");
}

/* --- comparisons and what joins them ------------------------------------------------------- */

static int add_node(struct parser *p, struct node node, size_t *number)
{
	struct expression *e = p->e;
	struct node *more;

	if (e->count == NODES)
		return wrong(p, p->at, "the expression is too long");
	more = reallocarray(e->nodes, e->count + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	e->nodes = more;
	*number = e->count;
	more[e->count++] = node;
	return 0;
}

/* Return: 0; -EINVAL if this quantity has no such function. */
static int take_quantity(struct parser *p, struct comparison *c, const char *function)
{
	int quantity = take_word(p, "QUANTITY", expression_quantity);

	if (quantity < 0)
		return quantity;
	c->quantity = &quantities[quantity];
	if (functions_of[c->quantity->class] & 1U << c->function)
		return 0;
	return wrong(p, function, "%s has no %s", c->quantity->name, function_names[c->function]);
}

static int take_comparison(struct parser *p, struct comparison *c)
{
	unsigned int seen = 0;
	int ret;

	skip_blanks(p);
	c->text = p->at;
	ret = take_word(p, "FUNCTION", expression_function);
	if (ret < 0)
		return ret;
	c->function = ret;
	c->unit = unit_of(c);
	ret = expects(p, "(");
	if (!ret)
		ret = take_quantity(p, c, c->text);
	while (!ret && takes(p, ","))
		ret = take_selector(p, c, &seen);
	if (!ret)
		ret = expects(p, ")");
	if (!ret)
		ret = take_relation(p, c);
	if (!ret)
		ret = take_limit(p, c);
	c->length = p->at - c->text;
	return ret;
}

static int take_claim(struct parser *p, size_t *number);

static int take_one(struct parser *p, size_t *number)
{
	struct comparison *c;
	int ret;

	if (takes(p, "(")) {
		if (++p->depth > DEPTH)
			return wrong(p, p->at, "more than %d nested parentheses", DEPTH);
		ret = take_claim(p, number);
		p->depth--;
		return ret ? ret : expects(p, ")");
	}
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	ret = add_node(p, (struct node){ .kind = NODE_COMPARISON, .comparison = c }, number);
	if (ret)
		free(c);
	return ret ? ret : take_comparison(p, c);
}

static int take_all(struct parser *p, size_t *number)
{
	int ret = take_one(p, number);
	size_t next;

	while (!ret && takes(p, "and")) {
		ret = take_one(p, &next);
		if (!ret)
			ret = add_node(p, (struct node){ NODE_AND, *number, next, NULL }, number);
	}
	return ret;
}

static int take_claim(struct parser *p, size_t *number)
{
	int ret = take_all(p, number);
	size_t next;

	while (!ret && takes(p, "or")) {
		ret = take_all(p, &next);
		if (!ret)
			ret = add_node(p, (struct node){ NODE_OR, *number, next, NULL }, number);
	}
	return ret;
}

int expression_parse(struct expression *e, const char *text)
{
	struct parser p = { .e = e, .at = text };
	size_t root;
	int ret;

	*e = (struct expression){ .text = text };
	ret = take_claim(&p, &root);
	skip_blanks(&p);
	if (!ret && *p.at)
		ret = wrong(&p, p.at, "expected and, or, or the end here");
	return ret;
}

void expression_free(struct expression *e)
{
	struct comparison *c;
	size_t i;

	for (i = 0; i < e->count; i++) {
		c = e->nodes[i].comparison;
		if (!c)
			continue;
		filter_free(&c->filter);
		free(c->cgroup);
		free(c->comm);
		free(c);
	}
	free(e->nodes);
}
