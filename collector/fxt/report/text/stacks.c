// SPDX-License-Identifier: GPL-2.0-or-later
/* stacks.c - call stacks as text. */
#include <string.h>

#include "sched/functions.h"
#include "sections.h"

#define INDENT		10	/* columns before functions */
#define WAKINGS		3	/* wakers listed for each stack, at most */
#define BETWEEN		" < "	/* between a function and its caller */

void text_functions(const struct text *t, const struct fxt_call_stack *stack, unsigned int column,
		    int indent)
{
	unsigned int width;
	const char *name;
	char text[SCHED_ADDRESS_BYTES];
	uint32_t i;

	if (!stack->count)
		out_str(t->o, "(unknown)");
	for (i = 0; i < stack->count; i++) {
		name = sched_function_name(text_report(t)->stacks.symbols, stack, i, text);
		width = strlen(name) + (i ? strlen(BETWEEN) : 0);
		if (i && column + width > t->columns) {
			out_printf(t->o, "\n%*s", indent - 1, "");
			column = indent - 1;
		}
		if (i)
			out_str(t->o, BETWEEN);
		out_str(t->o, name);
		column += width;
	}
	out_char(t->o, '\n');
}

static void print_wakings(const struct text *t, const struct fxt_call_stack *stack)
{
	size_t count, i;
	const struct report_waking *w = report_wakings_of(&text_report(t)->stacks, stack, &count);

	for (i = 0; i < count && i < WAKINGS; i++) {
		if (!w[i].by && !w[i].irq && !w[i].from)
			continue;
		out_printf(t->o, "%*swoken by ", INDENT, "");
		if (w[i].by)
			text_name(t, w[i].by->sched->name, text_width(t, 20, 1));
		else
			out_str(t->o, w[i].irq ? table_irq_name(w[i].irq) : "an idle CPU");
		out_printf(t->o, " (%s sleep%s, %s)", count_label(w[i].count).text,
			   w[i].count == 1 ? "" : "s", time_label(w[i].ns).text);
		if (w[i].from) {
			out_printf(t->o, ":\n%*s", INDENT + 2, "");
			text_functions(t, w[i].from, INDENT + 2, INDENT + 2);
		} else {
			out_char(t->o, '\n');
		}
	}
}

/* Threads are woken only from the stacks in which they slept, which may be in several lists. */
static void print_list(const struct text *t, const char *title, enum report_stack_kind kind)
{
	const struct report_stack_list *l = &text_report(t)->stacks.together[kind];
	const struct report_stack *s;

	if (!l->count)
		return;
	text_title(t, title, l->count);
	text_heading(t, "   total    count  longest  of");
	for (s = l->all; s < l->all + l->count && s < l->all + t->top; s++) {
		out_printf(t->o, "%8s %8s %8s  ", time_label(s->sum.ns).text,
			   count_label(s->sum.count).text,
			   time_label(s->sum.longest).text);
		text_thread(t, s->sum.longest_thread->sched, text_width(t, 40, 1));
		out_str(t->o, " at ");
		out_seconds(t->o, s->sum.longest_time);
		out_str(t->o, " s\n");
		out_printf(t->o, "%*s", INDENT, "");
		text_functions(t, s->stack, INDENT, INDENT);
		if (kind == REPORT_STACK_SLEPT)
			print_wakings(t, s->stack);
	}
}

static void print_samples(const struct text *t, const struct report_stack_list *l)
{
	const struct report_stack *s;

	if (!l->count)
		return;
	text_title(t, "What threads ran", l->count);
	text_heading(t, "   total  samples  in");
	for (s = l->all; s < l->all + l->count && s < l->all + t->top; s++) {
		out_printf(t->o, "%8s %8s  ", time_label(s->sum.ns).text, count_label(s->sum.count).text);
		text_functions(t, s->stack, INDENT + 9, INDENT + 9);
	}
}

/* They only wait for work, and would fill most of the list. */
static void print_idle(const struct text *t, const struct report_stack_list *l)
{
	uint64_t count = 0, ns = 0;
	size_t i;

	for (i = 0; i < l->count; i++) {
		count += l->all[i].sum.count;
		ns += l->all[i].sum.ns;
	}
	if (count)
		out_printf(t->o, "not listed: idle kernel threads, %s sleep%s, %s\n",
			   count_label(count).text, count == 1 ? "" : "s",
			   time_label(ns).text);
}

void text_stacks(const struct text *t)
{
	const struct report_stack_list *l = text_report(t)->stacks.together;

	print_list(t, "Where threads blocked", REPORT_STACK_SLEPT);
	print_idle(t, &l[REPORT_STACK_IDLE]);
	text_table(t, &table_functions[REPORT_STACK_SLEPT]);
	print_list(t, "Where threads were preempted", REPORT_STACK_PREEMPTED);
	text_table(t, &table_functions[REPORT_STACK_PREEMPTED]);
	print_list(t, "What woke threads, and how long they had slept", REPORT_STACK_WAKER);
	text_table(t, &table_functions[REPORT_STACK_WAKER]);
	print_samples(t, &l[REPORT_STACK_RAN]);
	text_table(t, &table_functions[REPORT_STACK_RAN]);
}
