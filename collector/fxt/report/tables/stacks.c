// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks.c - the tables of call stacks, and of the functions in them.
 *
 * Stacks are lists of functions, innermost first: FILE+0xOFFSET without a name, addresses outside
 * of files. A sleep lasts until the wakeup; the time of a waker is that of the sleeps that it ended.
 */
#include "liboutput/json.h"
#include "sched/functions.h"
#include "tables.h"

OF_REPORT(bool, has_stacks, r->stacks.has)

COLUMN_VALUE(waker_name, struct report_waking, w, value_text(w->by ? w->by->sched->name : NULL))
COLUMN_VALUE(waker_irq, struct report_waking, w,
	     value_text(w->irq ? report_irq_name(w->irq) : NULL))

static struct value stack_at(const void *field, size_t size)
{
	(void)size;
	return value_pointer(*(const void *const *)field);
}

static void put_functions(struct json *j, const char *key, const void *all, const struct value *v)
{
	const struct report *r = all;
	const struct fxt_call_stack *stack = v->pointer;
	char text[SCHED_ADDRESS_BYTES];
	uint32_t i;

	json_array(j, key);
	for (i = 0; i < stack->count; i++)
		json_string(j, NULL, sched_function_name(r->stacks.symbols, stack, i, text));
	json_end(j, ']');
}

static const struct schema function[] = { { .is = IS_TEXT }, { 0 } };

/* A field that is a struct fxt_call_stack; only in JSON. */
static const struct column_type type_functions = {
	.read = stack_at, .json = put_functions,
	.schema = SCHEMA_OF(IS_LIST | OR_NULL, .of = function),
};

#define FIELD(field)	COLUMN_FIELD(struct report_waking, field)

static const struct column columns_waking[] = {
	{ "total_ns", &column_time, FIELD(ns) },
	{ "count", &column_count, FIELD(count) },
	{ "longest_ns", &column_time, FIELD(longest) },
	{ "name", &column_name, .get = waker_name,
	  .about = "of threads; null of an interrupt or an idle CPU, or if it is not known" },
	{ "irq", &column_text, .get = waker_irq, .about = "hard, soft or nmi" },
	{ "functions", &type_functions, FIELD(from),
	  .about = "null if they are not known" },
	COLUMNS_END
};
#undef FIELD

static const void *next_waking(const void *all, const void *row, size_t *at)
{
	const struct report *r = all;
	const struct report_stack *s = row;
	size_t count;
	const struct report_waking *w = report_wakings_of(&r->stacks, s->stack, &count);

	return *at < count ? &w[(*at)++] : NULL;
}

static bool has_slept(const void *all)
{
	const struct report *r = all;

	return fxt_cause_has_thread(r->cause) && r->cause != FXT_SCHED_CAUSE_LATENCY;
}

#define FIELD(field)	COLUMN_FIELD(struct report_trigger_stacks, field), .is_in = has_slept

const struct column columns_trigger_stacks[] = {
	{ "slept_in", &type_functions, FIELD(slept),
	  .about = "of a sleep or a wait for a lock; null if they are not known" },
	{ "woken_from", &type_functions, FIELD(woken), .about = "likewise" },
	{ "held_in", &type_functions, FIELD(held),
	  .about = "where the holder of the lock slept meanwhile" },
	COLUMNS_END
};
#undef FIELD

COLUMN_VALUE(longest_id, struct report_times, s, value_of(s->longest_thread->sched->koid))
COLUMN_VALUE(longest_name, struct report_times, s, value_text(s->longest_thread->sched->name))

#define FIELD(field)	COLUMN_FIELD(struct report_times, field)

static const struct column columns_longest_time[] = {
	{ "longest_ns", &column_time, FIELD(longest), SHOWN(4, 8, "longest") },
	{ "longest_time_ns", &column_seconds, FIELD(longest_time), .page = "at" },
	{ "longest_thread", &column_id, .get = longest_id, .about = "its id" },
	{ "longest_name", &column_name, .get = longest_name },
	COLUMNS_END
};
#undef FIELD

COLUMN_VALUE(stack_sum, struct report_stack, s, value_pointer(&s->sum))

#define FIELD(field)	COLUMN_FIELD(struct report_stack, field)
#define FUNCTIONS_OF_STACK								\
	{ "functions", &type_functions, FIELD(stack),				\
	  .about = "innermost first; without a name FILE+0xOFFSET, outside of files an address" }

static const struct column columns_stack[] = {
	{ "total_ns", &column_time, FIELD(sum.ns) },
	{ "count", &column_count, FIELD(sum.count) },
	{ .type = &column_same, .get = stack_sum, .of = columns_longest_time },
	FUNCTIONS_OF_STACK,
	COLUMNS_END
};

static const struct column columns_sampled_stack[] = {
	{ "total_ns", &column_time, FIELD(sum.ns) },
	{ "count", &column_count, FIELD(sum.count), .about = "of samples" },
	FUNCTIONS_OF_STACK,
	COLUMNS_END
};

static const struct column columns_woken_stack[] = {
	{ .type = &column_same, .of = columns_stack },
	{ "wakers", &column_list, .of = columns_waking, .next = next_waking,
	  .about = "with the time of the sleeps that they ended" },
	COLUMNS_END
};
#undef FIELD

COLUMN_VALUE(function_sum, struct report_function, f, value_pointer(&f->sum))

#define FIELD(field)	COLUMN_FIELD(struct report_function, field)

static const struct column columns_function[] = {
	{ "name", &column_name, FIELD(name), SHOWN(5, 0, "function"), .about = "or address" },
	{ "self_ns", &column_time, FIELD(self_ns), SHOWN(1, 8, "itself"),
	  .about = "of the stacks of which it is innermost" },
	{ "self_count", &column_count, FIELD(self_count) },
	{ "total_ns", &column_time, FIELD(sum.ns), SHOWN(2, 8, "total"),
	  .about = "of those that it is in" },
	{ "count", &column_count, FIELD(sum.count), SHOWN(3, 8, "count") },
	{ .type = &column_same, .get = function_sum, .of = columns_longest_time },
	COLUMNS_END
};

static const struct column columns_sampled_function[] = {
	{ "name", &column_name, FIELD(name), SHOWN(4, 0, "function"), .about = "or address" },
	{ "self_ns", &column_time, FIELD(self_ns), SHOWN(1, 8, "itself"),
	  .about = "of the samples of which it is innermost" },
	{ "self_count", &column_count, FIELD(self_count), .about = "of samples" },
	{ "total_ns", &column_time, FIELD(sum.ns), SHOWN(2, 8, "total"),
	  .about = "of those that it is in" },
	{ "count", &column_count, FIELD(sum.count), SHOWN(3, 8, "samples") },
	COLUMNS_END
};
#undef FIELD

#define ROWS_OF_KIND(name, kind)						\
	TABLE_ROWS(name##_rows, ROWS(r->stacks.together[kind].all,		\
				     r->stacks.together[kind].count))		\
	TABLE_ROWS(name##_functions, ROWS(r->stacks.functions[kind].all,		\
					  r->stacks.functions[kind].count))
ROWS_OF_KIND(slept, REPORT_STACK_SLEPT)
ROWS_OF_KIND(idle, REPORT_STACK_IDLE)
ROWS_OF_KIND(preempted, REPORT_STACK_PREEMPTED)
ROWS_OF_KIND(wakers, REPORT_STACK_WAKER)
ROWS_OF_KIND(ran, REPORT_STACK_RAN)

#define STACKS(name, of)							\
	{ .within = "stacks", .key = #name, .is_in = has_stacks,		\
	  .rows = name##_rows, .columns = of }

const struct table table_stacks[REPORT_STACK_KINDS] = {
	[REPORT_STACK_SLEPT] = STACKS(slept, columns_woken_stack),
	[REPORT_STACK_IDLE] = STACKS(idle, columns_stack),
	[REPORT_STACK_PREEMPTED] = STACKS(preempted, columns_stack),
	[REPORT_STACK_WAKER] = STACKS(wakers, columns_stack),
	[REPORT_STACK_RAN] = STACKS(ran, columns_sampled_stack),
};

#define FUNCTIONS(name, heading, of)						\
	{ .within = "stacks", .key = #name "_functions", .title = heading,	\
	  .is_in = has_stacks, .rows = name##_functions, .columns = of }

const struct table table_functions[REPORT_STACK_KINDS] = {
	[REPORT_STACK_SLEPT] = FUNCTIONS(slept, "Functions that blocked", columns_function),
	[REPORT_STACK_IDLE] = FUNCTIONS(idle, NULL, columns_function),
	[REPORT_STACK_PREEMPTED] = FUNCTIONS(preempted, "Functions that were preempted",
					     columns_function),
	[REPORT_STACK_WAKER] = FUNCTIONS(wakers, "Functions that woke threads", columns_function),
	[REPORT_STACK_RAN] = FUNCTIONS(ran, "Functions that ran", columns_sampled_function),
};
