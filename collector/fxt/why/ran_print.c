// SPDX-License-Identifier: GPL-2.0-or-later
/* ran_print.c - what ran in the parts of windows, as text, as JSON and for flame graphs. */
#include <stdlib.h>

#include "answer.h"
#include "liboutput/json.h"
#include "write/folded.h"
#include "write/labels.h"

/* --- text ---------------------------------------------------------------------------------- */

static void print_row(const struct why_print *p, const struct why_ran_row *row, uint64_t all)
{
	out_printf(p->o, "%8s %5.1f%% %8s %8s  ", time_label(row->self_ns).text,
		   percent_of(row->self_ns, all), time_label(row->ns).text,
		   count_label(row->count).text);
	out_safe_text(p->o, row->function);
	out_str(p->o, ", ");
	out_safe_text(p->o, row->thread);
	out_char(p->o, '\n');
}

static void print_list(const struct why_print *p, const char *title, const char *about,
		       enum why_ran_kind kind)
{
	const struct why_ran_list l = why_ran_list(p->ran, kind);
	size_t i;

	if (!l.count)
		return;
	out_printf(p->o, "\n%s, by function (%s sample%s%s)\n"
		   "  itself            total  samples  function, thread\n",
		   title, count_label(l.count).text, l.count == 1 ? "" : "s", about);
	for (i = 0; i < l.row_count && i < p->top; i++)
		print_row(p, l.rows[i], l.ns);
	if (l.row_count > p->top)
		out_printf(p->o, "%zu more; --top %zu shows all\n", l.row_count - p->top, l.row_count);
}

void why_text_ran(const struct why_print *p, const char *title, const char *about)
{
	print_list(p, title, about, WHY_RAN_CHAIN);
	print_list(p, "What had the CPU instead", about, WHY_RAN_CPU);
}

/* --- JSON ---------------------------------------------------------------------------------- */

static const struct schema row[] = {
	MEMBER("name", IS_TEXT, .about = "of the function; without a name FILE+0xOFFSET or an address"),
	MEMBER("thread", IS_TEXT, .about = "name of the threads that ran"),
	MEMBER("cause", IS_WORD,
	       .about = "running: as one of the chain; runnable: it had the CPU that one of the chain wanted",
	       .words = "running|runnable"),
	MEMBER("self_ns", IS_NS, .about = "of the samples of which the function is innermost"),
	MEMBER("self_count", IS_NUMBER, .about = "of samples"),
	MEMBER("total_ns", IS_NS, .about = "of those that it is in"),
	MEMBER("count", IS_NUMBER, .about = "of samples"),
	{ 0 }
};

const struct schema why_schema_ran[] = {
	MEMBER("ran", IS_LIST | OR_ABSENT,
	       .about = "what ran meanwhile, if the archive has samples; each counts once for each window, "
			"with --program for each thread that slept or was runnable", .of = row),
	{ 0 }
};

static void json_row(struct json *j, const struct why_ran_row *r, const char *cause)
{
	json_object(j, NULL);
	json_text(j, "name", r->function);
	json_text(j, "thread", r->thread);
	json_text(j, "cause", cause);
	json_number(j, "self_ns", r->self_ns);
	json_number(j, "self_count", r->self_count);
	json_number(j, "total_ns", r->ns);
	json_number(j, "count", r->count);
	json_end(j, '}');
}

void why_json_ran(struct json *j, const struct why_print *p)
{
	static const char *const causes[WHY_RAN_KINDS] = {
		[WHY_RAN_CHAIN] = "running",
		[WHY_RAN_CPU] = "runnable",
	};
	unsigned int kind;

	if (!p->ran)
		return;
	json_array(j, "ran");
	for (kind = 0; kind < WHY_RAN_KINDS; kind++) {
		const struct why_ran_list l = why_ran_list(p->ran, kind);
		size_t i;

		for (i = 0; i < l.row_count; i++)
			json_row(j, l.rows[i], causes[kind]);
	}
	json_end(j, ']');
}

/* --- flame graphs -------------------------------------------------------------------------- */

static void print_stacks(const struct why_print *p, const char *above, enum why_ran_kind kind)
{
	size_t count, i;
	struct why_ran_stack *s = why_ran_stacks(p->ran, kind, &count);

	for (i = 0; i < count; i++) {
		out_str(p->o, above);
		folded_line(p->o, s[i].thread, sched_model_symbols(p->h->model), s[i].stack, s[i].ns);
	}
	free(s);
}

void why_folded(const struct why_print *p)
{
	print_stacks(p, "", WHY_RAN_CHAIN);
	print_stacks(p, "(had the CPU instead);", WHY_RAN_CPU);
}
