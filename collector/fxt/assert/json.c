// SPDX-License-Identifier: GPL-2.0-or-later
/* json.c - judgements for programs: one object per archive, on one line. */
#include <math.h>
#include <string.h>

#include "claims.h"
#include "liboutput/json.h"

/* --- the schema ---------------------------------------------------------------------------- */

#define VERDICTS	"holds|fails|unknown"

static const struct schema occupant[] = {
	MEMBER("tid", IS_NUMBER),
	MEMBER("name", IS_TEXT | OR_NULL),
	MEMBER("ns", IS_NS),
	{ 0 }
};

static const struct schema worst[] = {
	MEMBER("tid", IS_NUMBER),
	MEMBER("name", IS_TEXT | OR_NULL),
	MEMBER("value", IS_NUMBER, .about = "ns, or a number"),
	MEMBER("from_ns", IS_TIME | OR_ABSENT,
	       .about = "of a wait or a sleep, like the next members"),
	MEMBER("to_ns", IS_TIME | OR_ABSENT),
	MEMBER("cpu", IS_NUMBER | OR_ABSENT),
	MEMBER("open", IS_FLAG | OR_ABSENT, .about = "it was not over by then"),
	MEMBER("by", IS_LIST | OR_ABSENT, .about = "who had the CPU", .of = occupant),
	{ 0 }
};

static const struct schema doubt[] = {
	MEMBER("text", IS_TEXT),
	MEMBER("remedy", IS_TEXT),
	MEMBER("number", IS_NUMBER | OR_NULL),
	{ 0 }
};

static const struct schema comparison[] = {
	MEMBER("text", IS_TEXT),
	MEMBER("verdict", IS_WORD, .words = VERDICTS),
	MEMBER("low", IS_FRACTION | OR_NULL,
	       .about = "the least possible value; null: there is no bound"),
	MEMBER("high", IS_FRACTION | OR_NULL),
	MEMBER("limit", IS_FRACTION | OR_NULL),
	MEMBER("unit", IS_WORD, .about = "share: of 1", .words = "ns|number|per_second|share"),
	{ .is = IS_HERE, .of = schema_command },
	MEMBER("threads", IS_NUMBER),
	MEMBER("items", IS_NUMBER,
	       .about = "waits, sleeps, events, or ns of run time that were seen"),
	MEMBER("doubts", IS_LIST, .about = "why low and high differ", .of = doubt),
	MEMBER("worst", IS_OBJECT | OR_NULL, .of = worst),
	{ 0 }
};

static const struct schema expression[] = {
	MEMBER("text", IS_TEXT),
	MEMBER("verdict", IS_WORD, .words = VERDICTS),
	MEMBER("comparisons", IS_LIST, .of = comparison),
	{ 0 }
};

const struct schema claims_schema[] = {
	MEMBER("file", IS_TEXT),
	MEMBER("verdict", IS_WORD, .about = "of all expressions", .words = VERDICTS),
	MEMBER("from_ns", IS_TIME),
	MEMBER("to_ns", IS_TIME),
	MEMBER("cpus", IS_NUMBER),
	MEMBER("lost", IS_NUMBER, .about = "records"),
	MEMBER("expressions", IS_LIST, .of = expression),
	{ 0 }
};

/* --- the document -------------------------------------------------------------------------- */

static void print_double(struct json *j, const char *name, double value)
{
	if (isinf(value)) {
		json_null(j, name);
		return;
	}
	json_double(j, name, value);
}

static void print_thread(struct json *j, const struct report_thread *t)
{
	json_number(j, "tid", t->sched->koid);
	json_text(j, "name", t->sched->koid ? t->sched->name : report_name(t));
}

static void print_occupants(struct json *j, const struct report_wait *w)
{
	unsigned int i;

	json_array(j, "by");
	for (i = 0; i < w->occupant_count; i++) {
		json_object(j, NULL);
		print_thread(j, w->occupants[i].thread);
		json_number(j, "ns", w->occupants[i].ns);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void print_worst(struct json *j, const struct judgement *of)
{
	const struct report_wait *w = &of->wait;

	if (!of->worst) {
		json_null(j, "worst");
		return;
	}
	json_object(j, "worst");
	print_thread(j, of->worst);
	json_number(j, "value", of->worst_value);
	if (w->thread) {
		json_number(j, "from_ns", w->time - w->latency);
		json_number(j, "to_ns", w->time);
		json_number(j, "cpu", w->from_cpu);
		json_boolean(j, "open", w->is_open);
		print_occupants(j, w);
	}
	json_end(j, '}');
}

static void print_doubts(struct json *j, const struct judgement *of)
{
	unsigned int d;

	json_array(j, "doubts");
	for (d = 0; d < DOUBT_COUNT; d++) {
		if (!(of->doubts & 1U << d))
			continue;
		json_object(j, NULL);
		json_string(j, "text", doubt_texts[d].text);
		json_string(j, "remedy", doubt_texts[d].remedy);
		json_number_if(j, "number", d >= DOUBT_LATE, of->numbers[d]);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void print_comparison(struct json *j, const struct comparison *c,
			     const struct judgement *of)
{
	static const char *const units[] = { "ns", "number", "per_second", "share" };

	json_begin(j, '{');
	json_string_of(j, "text", c->text, c->length);
	json_string(j, "verdict", verdict_name(of->verdict));
	print_double(j, "low", of->low);
	print_double(j, "high", of->high);
	print_double(j, "limit", c->limit);
	json_string(j, "unit", units[c->unit]);
	scope_print_json(j, &of->scope, of->threads);
	json_number(j, "threads", of->threads);
	json_number(j, "items", of->items);
	print_doubts(j, of);
	print_worst(j, of);
	json_end(j, '}');
}

static void print_claim(struct json *j, const struct claim *claim)
{
	const struct expression *e = &claim->e;
	size_t i;

	json_begin(j, '{');
	json_string(j, "text", e->text);
	json_string(j, "verdict", verdict_name(claim->verdict));
	json_array(j, "comparisons");
	for (i = 0; i < e->count; i++) {
		if (e->nodes[i].kind != NODE_COMPARISON)
			continue;
		json_item(j);
		print_comparison(j, e->nodes[i].comparison, &claim->of[i]);
	}
	json_end(j, ']');
	json_end(j, '}');
}

void claims_print_json(struct out *o, const struct archive_claims *a)
{
	const struct report_totals *n = &a->r->totals;
	struct json j = { .o = o };
	size_t i;

	json_begin(&j, '{');
	json_string(&j, "file", a->path);
	json_string(&j, "verdict", verdict_name(a->verdict));
	json_number(&j, "from_ns", n->from);
	json_number(&j, "to_ns", n->to);
	json_number(&j, "cpus", n->cpus);
	json_number(&j, "lost", n->archive->lost);
	json_array(&j, "expressions");
	for (i = 0; i < a->count; i++) {
		json_item(&j);
		print_claim(&j, &a->claims[i]);
	}
	json_end(&j, ']');
	json_end(&j, '}');
	out_char(o, '\n');
}
