// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks.c - call stacks in the JSON report.
 *
 *  stacks: slept (where threads slept), preempted, wakers (what woke threads, with the sleeps
 *    that it ended): list of total_ns, count, longest_ns, longest_time_ns, longest_thread (id),
 *    longest_name, functions (innermost first; addresses of those without a name), those with
 *    most time first. A sleep lasts until the wakeup.
 */
#include "stacks.h"

static void print_stack(struct json *j, const struct report *r, const struct report_stack *s)
{
	const char *name;
	char text[20];
	uint32_t i;

	json_item(j);
	json_begin(j, '{');
	json_number(j, "total_ns", s->ns);
	json_number(j, "count", s->count);
	json_number(j, "longest_ns", s->longest);
	json_number(j, "longest_time_ns", s->longest_time);
	json_number(j, "longest_thread", s->longest_thread->sched->koid);
	json_text(j, "longest_name", s->longest_thread->sched->name);
	json_key(j, "functions");
	json_begin(j, '[');
	for (i = 0; i < s->stack->count; i++) {
		json_item(j);
		name = report_frame_name(&r->stacks, s->stack, i, text);
		out_json(j->o, name, strlen(name));
	}
	json_end(j, ']');
	json_end(j, '}');
}

void report_json_stacks(struct json *j, const struct report *r, size_t top)
{
	static const char * const names[REPORT_STACK_KINDS] = {
		[REPORT_STACK_SLEPT] = "slept", [REPORT_STACK_PREEMPTED] = "preempted",
		[REPORT_STACK_WAKER] = "wakers",
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
			print_stack(j, r, &l->all[i]);
		json_end(j, ']');
	}
	json_end(j, '}');
}
