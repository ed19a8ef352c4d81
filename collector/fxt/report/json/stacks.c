// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks.c - call stacks in the JSON report.
 *
 *  stacks: slept (where threads slept), preempted, wakers (what woke threads, with the sleeps
 *    that it ended): list of total_ns, count, longest_ns, longest_time_ns, longest_thread (id),
 *    longest_name, functions (innermost first; "FILE+0xOFFSET" of those without a name, addresses outside of files), those with
 *    most time first; those of slept have wakers: list of total_ns, count, longest_ns, name (of
 *    threads, null of an interrupt, an idle CPU, or if it is not known), irq ("hard", "soft",
 *    "nmi" or null), functions (null if they are unknown), likewise. A sleep lasts until the
 *    wakeup.
 *    slept_functions, preempted_functions, wakers_functions: list of name (or address), self_ns
 *    and self_count (of the stacks of which it is innermost), total_ns, count, longest_ns,
 *    longest_time_ns, longest_thread, longest_name (of those that it is in)
 */
#include <stdio.h>

#include "sections.h"

static void print_functions(struct json *j, const struct report *r,
			    const struct fxt_call_stack *stack)
{
	const char *name;
	char text[20];
	uint32_t i;

	json_key(j, "functions");
	json_begin(j, '[');
	for (i = 0; i < stack->count; i++) {
		json_item(j);
		name = report_frame_name(&r->stacks, stack, i, text);
		out_json(j->o, name, strlen(name));
	}
	json_end(j, ']');
}

static void print_waking(struct json *j, const struct report *r, const struct report_waking *w)
{
	json_item(j);
	json_begin(j, '{');
	json_number(j, "total_ns", w->ns);
	json_number(j, "count", w->count);
	json_number(j, "longest_ns", w->longest);
	json_text(j, "name", w->by ? w->by->sched->name : NULL);
	json_text(j, "irq", w->irq ? report_irq_name(w->irq) : NULL);
	if (w->from)
		print_functions(j, r, w->from);
	else
		json_null(j, "functions");
	json_end(j, '}');
}

static void print_longest(struct json *j, uint64_t ns, uint64_t time,
			  const struct sched_thread *thread)
{
	json_number(j, "longest_ns", ns);
	json_number(j, "longest_time_ns", time);
	json_number(j, "longest_thread", thread->koid);
	json_text(j, "longest_name", thread->name);
}

static void print_stack(struct json *j, const struct report *r, const struct report_stack *s,
			bool has_wakers)
{
	const struct report_waking *w;
	size_t count, i;

	json_item(j);
	json_begin(j, '{');
	json_number(j, "total_ns", s->ns);
	json_number(j, "count", s->count);
	print_longest(j, s->longest, s->longest_time, s->longest_thread->sched);
	print_functions(j, r, s->stack);
	if (has_wakers) {
		w = report_wakings_of(&r->stacks, s->stack, &count);
		json_key(j, "wakers");
		json_begin(j, '[');
		for (i = 0; i < count; i++)
			print_waking(j, r, &w[i]);
		json_end(j, ']');
	}
	json_end(j, '}');
}

static void print_function(struct json *j, const struct report_function *f)
{
	json_item(j);
	json_begin(j, '{');
	json_text(j, "name", f->name);
	json_number(j, "self_ns", f->self_ns);
	json_number(j, "self_count", f->self_count);
	json_number(j, "total_ns", f->ns);
	json_number(j, "count", f->count);
	print_longest(j, f->longest, f->longest_time, f->longest_thread->sched);
	json_end(j, '}');
}

static void print_sums(struct json *j, const char *kind, const struct report_function_list *l,
		       size_t top)
{
	char key[32];
	size_t i;

	snprintf(key, sizeof(key), "%s_functions", kind);
	json_key(j, key);
	json_begin(j, '[');
	for (i = 0; i < l->count && i < top; i++)
		print_function(j, &l->all[i]);
	json_end(j, ']');
}

void report_json_stacks(struct json *j, const struct report *r, size_t top)
{
	static const char * const names[REPORT_STACK_KINDS] = {
		[REPORT_STACK_SLEPT] = "slept", [REPORT_STACK_IDLE] = "idle",
		[REPORT_STACK_PREEMPTED] = "preempted", [REPORT_STACK_WAKER] = "wakers",
	};
	unsigned int kind;
	size_t i;

	if (!r->stacks.has)
		return;
	json_key(j, "stacks");
	json_begin(j, '{');
	for (kind = 0; kind < REPORT_STACK_KINDS; kind++) {
		const struct report_stack_list *l = &r->stacks.together[kind];

		json_key(j, names[kind]);
		json_begin(j, '[');
		for (i = 0; i < l->count && i < top; i++)
			print_stack(j, r, &l->all[i], kind == REPORT_STACK_SLEPT);
		json_end(j, ']');
		print_sums(j, names[kind], &r->stacks.functions[kind], top);
	}
	json_end(j, '}');
}
