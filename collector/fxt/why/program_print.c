// SPDX-License-Identifier: GPL-2.0-or-later
/* program_print.c - what limits a program, as text and as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "terminal/memory.h"
#include "write/labels.h"
#include "words.h"
#include "liboutput/json.h"

#define NOTABLE_SLEEP	0.30	/* least part of a party's time that it sleeps until one other */
#define NOTABLE_HOLD	0.05	/* least part of the window that a party is delayed through others */
#define ALWAYS		0.85	/* part of its time that a party runs if it waits for no thread */
#define NOTABLE_WAIT	0.20	/* least part of its time that another one waits for that */
#define FINDINGS	10	/* of each kind */

struct page {
	const struct why_print *p;
	const struct program *program;
	struct program_party **by_share;
};

static uint64_t window_of(const struct page *g)
{
	return g->program->to - g->program->from;
}

static const struct program_party *party(const struct page *g, uint32_t number)
{
	return g->program->parties[number];
}

static void print_name(const struct page *g, const struct program_party *of)
{
	out_safe_text(g->p->o, of->name);
	if (of->by.who == WHY_THREAD && of->threads <= 1)
		out_printf(g->p->o, "/%" PRIu64, history_koid(g->p->h, of->by.id));
	else if (of->by.who == WHY_THREAD)
		out_printf(g->p->o, " (%u threads)", of->threads);
}

/* --- findings ----------------------------------------------------------------------------- */

static double part_of(uint64_t ns, uint64_t all)
{
	return all ? (double)ns / all : 0;
}

/* A party that always runs while others wait for it. */
static void print_limit(const struct page *g, const struct program_party *of)
{
	const struct program_edge *e;
	unsigned int waiters = 0;
	size_t i;

	if (!of->is_of_program || part_of(of->run + of->waited, of->life) < ALWAYS)
		return;
	for (i = 0; i < g->program->edge_count; i++) {
		e = g->program->edges[i];
		if (e->to != of->number || e->from == of->number ||
		    part_of(e->ns, party(g, e->from)->life) < NOTABLE_WAIT)
			continue;
		if (!waiters++) {
			print_name(g, of);
			out_printf(g->p->o, " limits this program: it always %s, and",
				   of->waited > of->run ? "wants a CPU" : "runs");
		}
		out_str(g->p->o, waiters > 1 ? ", " : " ");
		print_name(g, party(g, e->from));
	}
	if (waiters)
		out_printf(g->p->o, " sleep%s until it wakes %s\n", waiters > 1 ? "" : "s",
			   waiters > 1 ? "them" : "it");
}

static void print_sleep(const struct page *g, const struct program_edge *e)
{
	const struct program_party *from = party(g, e->from);
	const char *in = why_function(g->p->h, e->turn, false);
	const char *by = why_function(g->p->h, e->turn, true);

	print_name(g, from);
	out_printf(g->p->o, " slept %s, %.0f%% of its time, %s ", time_label(e->own).text,
		   100 * part_of(e->own, from->life),
		   party(g, e->to)->by.who == WHY_THREAD ? "for" : "until");
	print_name(g, party(g, e->to));
	if (by)
		out_printf(g->p->o, ", which was in %s", by);
	if (in)
		out_printf(g->p->o, "; it slept in %s", in);
	out_char(g->p->o, '\n');
}

static void print_hold(const struct page *g, const struct program_hold *h)
{
	print_name(g, party(g, h->last));
	out_str(g->p->o, " holds up ");
	print_name(g, party(g, h->victim));
	if (h->via != h->last) {
		out_str(g->p->o, " through ");
		print_name(g, party(g, h->via));
	}
	out_printf(g->p->o, " for %s, while ", time_label(h->ns).text);
	print_name(g, party(g, h->culprit));
	out_str(g->p->o, " has its CPU\n");
}

static void print_findings(const struct page *g)
{
	const struct program *r = g->program;
	const struct program_edge *e;
	unsigned int told = 0;
	size_t i;

	for (i = 0; i < r->party_count; i++)
		print_limit(g, g->by_share[i]);
	for (i = 0; i < r->hold_count && i < FINDINGS; i++)
		if (part_of(r->holds[i]->ns, window_of(g)) >= NOTABLE_HOLD)
			print_hold(g, r->holds[i]);
	for (i = 0; i < r->edge_count && told < FINDINGS; i++) {
		e = r->edges[i];
		if (!party(g, e->from)->is_of_program || e->from == e->to ||
		    part_of(e->own, party(g, e->from)->life) < NOTABLE_SLEEP)
			continue;
		print_sleep(g, e);
		told++;
	}
}

/* --- tables ------------------------------------------------------------------------------- */

static void print_shares(const struct page *g)
{
	const struct program_party *of;
	size_t i, rows = 0;

	out_str(g->p->o, "\nIts time on CPUs: each instant is divided among the threads that run "
		"then\n"
		" divided            alone      run  threads  name\n");
	for (i = 0; i < g->program->party_count && rows < g->p->top; i++) {
		of = g->by_share[i];
		if (!of->is_of_program)
			continue;
		out_printf(g->p->o, "%8s %5.1f%% %8s %8s %8u  ", time_label(of->share).text,
			   100 * part_of(of->share, g->program->active),
			   time_label(of->alone).text, time_label(of->run).text,
			   of->threads);
		out_safe_text(g->p->o, of->name);
		out_char(g->p->o, '\n');
		rows++;
	}
}

static void print_edges(const struct page *g)
{
	const struct program_edge *e;
	size_t i;

	if (!g->program->edge_count)
		return;
	out_str(g->p->o, "\nWho sleeps until whom, including the sleeps of those\n"
		"    time   itself    times  longest  who, until whom\n");
	for (i = 0; i < g->program->edge_count && i < g->p->top; i++) {
		e = g->program->edges[i];
		out_printf(g->p->o, "%8s %8s %8s %8s  ", time_label(e->ns).text,
			   time_label(e->own).text, count_label(e->count).text,
			   time_label(e->longest).text);
		print_name(g, party(g, e->from));
		out_str(g->p->o, ", until ");
		print_name(g, party(g, e->to));
		out_char(g->p->o, '\n');
	}
	if (g->program->other_edges.count)
		out_printf(g->p->o, "%8s in pairs of threads beyond the first %zu\n",
			   time_label(g->program->other_edges.ns).text, g->program->edge_count);
}

static void print_limits(const struct page *g)
{
	if (g->program->beyond)
		out_printf(g->p->o, "\n%s of the threads' time was not analysed: there are too many "
			   "threads and events; --thread explains some of them\n",
			   time_label(g->program->beyond).text);
}

static void print_knots(const struct page *g)
{
	const struct program *r = g->program;
	size_t i, k;
	bool is_more;

	if (!r->knot_count)
		return;
	out_str(g->p->o, "\nWhere these chains end: look there first. Times are sleeps of "
		"others, not savings\n");
	for (k = 0; k < r->knot_count && k < g->p->top; k++) {
		out_printf(g->p->o, "%8s  ", time_label(r->knots[k].ns).text);
		print_name(g, party(g, r->knots[k].first));
		is_more = r->knots[k].members > 1;
		for (i = 0; i < r->party_count && is_more; i++) {
			if (party(g, i)->knot != party(g, r->knots[k].first)->knot ||
			    i == r->knots[k].first)
				continue;
			out_str(g->p->o, ", ");
			print_name(g, party(g, i));
		}
		out_str(g->p->o, r->knots[k].members > 1 ? ", which sleep until each other\n" : "\n");
	}
}

void why_text_program(const struct why_print *p, const struct program *program)
{
	struct page g = { p, program, program_by_share(program) };

	out_printf(p->o, "%u threads from ", program->threads);
	out_seconds(p->o, program->from);
	out_str(p->o, " s to ");
	out_seconds(p->o, program->to);
	out_printf(p->o, " s: at least one of them ran for %s (%.0f%%)\n",
		   time_label(program->active).text,
		   100 * part_of(program->active, window_of(&g)));
	print_findings(&g);
	print_shares(&g);
	print_edges(&g);
	print_limits(&g);
	print_knots(&g);
	why_text_ran(p, "What ran while others waited for it",
		     "; each counts for each thread that waited");
	free(g.by_share);
}

/* --- JSON --------------------------------------------------------------------------------- */

static const struct schema share[] = {
	MEMBER("name", IS_TEXT | OR_NULL, .about = "of all its threads"),
	MEMBER("tid", IS_NUMBER, .about = "of one of them"),
	MEMBER("threads", IS_NUMBER),
	MEMBER("share_ns", IS_NS,
	       .about = "of the program's time: each instant is divided among those that run"),
	MEMBER("alone_ns", IS_NS, .about = "in which no other thread of the program ran"),
	MEMBER("run_ns", IS_NS),
	MEMBER("waited_ns", IS_NS, .about = "for a CPU"),
	MEMBER("life_ns", IS_NS),
	{ 0 }
};

static const struct schema edge[] = {
	MEMBER("from", IS_TEXT | OR_NULL, .about = "who slept"),
	MEMBER("to", IS_TEXT | OR_NULL, .about = "who woke it in the end"),
	MEMBER("ns", IS_NS),
	MEMBER("own_ns", IS_NS, .about = "of ns, outside of sleeps until others"),
	MEMBER("count", IS_NUMBER),
	MEMBER("longest_ns", IS_NS),
	{ 0 }
};

static const struct schema hold[] = {
	MEMBER("victim", IS_TEXT | OR_NULL, .about = "who is delayed because last has no CPU"),
	MEMBER("via", IS_TEXT | OR_NULL, .about = "for whom it waits"),
	MEMBER("last", IS_TEXT | OR_NULL,
	       .about = "who is runnable; in short chains the same as via"),
	MEMBER("culprit", IS_TEXT | OR_NULL, .about = "who has the CPU meanwhile"),
	MEMBER("ns", IS_NS),
	{ 0 }
};

static const struct schema members[] = { { .is = IS_TEXT }, { 0 } };

static const struct schema knot[] = {
	MEMBER("ns", IS_NS, .about = "of sleeps until the members woke the sleeper"),
	MEMBER("members", IS_LIST, .about = "who sleep until one another only", .of = members),
	{ 0 }
};

const struct schema why_schema_program[] = {
	MEMBER("archive", IS_TEXT),
	{ .is = IS_HERE, .of = schema_command },
	MEMBER("threads", IS_NUMBER, .about = "of the program"),
	MEMBER("from_ns", IS_TIME),
	MEMBER("to_ns", IS_TIME),
	MEMBER("active_ns", IS_NS, .about = "in which any of them ran"),
	MEMBER("shares", IS_LIST, .about = "by name", .of = share),
	MEMBER("edges", IS_LIST, .about = "who slept until whom", .of = edge),
	MEMBER("holds", IS_LIST,
	       .about = "who is delayed because someone for whom it waits has no CPU", .of = hold),
	MEMBER("knots", IS_LIST, .about = "at whom chains end", .of = knot),
	{ .is = IS_HERE, .of = why_schema_ran },
	MEMBER("edges_left_out_ns", IS_NS, .about = "of edges that are too many"),
	MEMBER("holds_left_out_ns", IS_NS, .about = "of holds that are too many"),
	MEMBER("not_looked_at_ns", IS_NS, .about = "of all threads, because it takes too long"),
	{ 0 }
};

static void json_shares(struct json *j, const struct page *g)
{
	const struct program_party *of;
	size_t i;

	json_array(j, "shares");
	for (i = 0; i < g->program->party_count; i++) {
		of = g->by_share[i];
		if (!of->is_of_program)
			continue;
		json_object(j, NULL);
		json_text(j, "name", of->name);
		json_number(j, "tid", history_koid(g->p->h, of->by.id));
		json_number(j, "threads", of->threads);
		json_number(j, "share_ns", of->share);
		json_number(j, "alone_ns", of->alone);
		json_number(j, "run_ns", of->run);
		json_number(j, "waited_ns", of->waited);
		json_number(j, "life_ns", of->life);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void json_edges(struct json *j, const struct page *g)
{
	const struct program_edge *e;
	size_t i;

	json_array(j, "edges");
	for (i = 0; i < g->program->edge_count; i++) {
		e = g->program->edges[i];
		json_object(j, NULL);
		json_text(j, "from", party(g, e->from)->name);
		json_text(j, "to", party(g, e->to)->name);
		json_number(j, "ns", e->ns);
		json_number(j, "own_ns", e->own);
		json_number(j, "count", e->count);
		json_number(j, "longest_ns", e->longest);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void json_holds(struct json *j, const struct page *g)
{
	const struct program_hold *h;
	size_t i;

	json_array(j, "holds");
	for (i = 0; i < g->program->hold_count; i++) {
		h = g->program->holds[i];
		json_object(j, NULL);
		json_text(j, "victim", party(g, h->victim)->name);
		json_text(j, "via", party(g, h->via)->name);
		json_text(j, "last", party(g, h->last)->name);
		json_text(j, "culprit", party(g, h->culprit)->name);
		json_number(j, "ns", h->ns);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void json_knots(struct json *j, const struct page *g)
{
	const struct program *r = g->program;
	size_t i, k;

	json_array(j, "knots");
	for (k = 0; k < r->knot_count; k++) {
		json_object(j, NULL);
		json_number(j, "ns", r->knots[k].ns);
		json_array(j, "members");
		for (i = 0; i < r->party_count; i++)
			if (party(g, i)->knot == party(g, r->knots[k].first)->knot)
				json_string(j, NULL, party(g, i)->name);
		json_end(j, ']');
		json_end(j, '}');
	}
	json_end(j, ']');
}

void why_json_program(const struct why_print *p, const struct program *program)
{
	struct json j = { .o = p->o };
	struct page g = { p, program, program_by_share(program) };

	json_begin(&j, '{');
	json_text(&j, "archive", p->path);
	scope_print_json(&j, p->scope, p->threads);
	json_number(&j, "threads", program->threads);
	json_number(&j, "from_ns", program->from);
	json_number(&j, "to_ns", program->to);
	json_number(&j, "active_ns", program->active);
	json_shares(&j, &g);
	json_edges(&j, &g);
	json_holds(&j, &g);
	json_knots(&j, &g);
	why_json_ran(&j, p);
	json_number(&j, "edges_left_out_ns", program->other_edges.ns);
	json_number(&j, "holds_left_out_ns", program->other_holds);
	json_number(&j, "not_looked_at_ns", program->beyond);
	json_end(&j, '}');
	out_char(p->o, '\n');
	free(g.by_share);
}
