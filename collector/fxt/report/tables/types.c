// SPDX-License-Identifier: GPL-2.0-or-later
/* types.c - types of columns whose values are made of several members of a row. */
#include <stdio.h>
#include <string.h>

#include <linux/fxt_sched.h>

#include "liboutput/json.h"
#include "sched/functions.h"
#include "table/text.h"
#include "tables.h"

#define PERCENT		5	/* columns */
#define NOTABLE_CALL	0.01	/* of the time in calls; a row names calls above */

/* --- threads ----------------------------------------------------------------------------- */

static struct value thread_at(const void *field, size_t size)
{
	const struct report_thread *t = *(const struct report_thread *const *)field;

	(void)size;
	return value_pointer(t ? t->sched : NULL);
}

static unsigned int print_thread(const struct text *t, const struct value *v, unsigned int width)
{
	if (!v->pointer)
		return text_name(t, "?", width);
	return text_thread(t, v->pointer, width);
}

const struct column_type column_report_thread = {
	.kind = COLUMN_OF_THREAD, .page = "thread", .read = thread_at, .print = print_thread,
};
const struct column_type column_report_thread_nth = {
	.kind = COLUMN_OF_THREAD_NTH, .page = "thread", .read = thread_at, .print = print_thread,
};

const char *table_irq_name(uint8_t irq)
{
	switch (irq) {
	case FXT_SCHED_IRQ_SOFT:
		return "a soft interrupt";
	case FXT_SCHED_IRQ_NMI:
		return "an NMI";
	}
	return "an interrupt";
}

const char *table_signal_name(uint32_t signal)
{
	static const char *const names[] = {
		NULL, "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1",
		"SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP",
		"TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR",
		"SYS",
	};

	return signal < sizeof(names) / sizeof(names[0]) ? names[signal] : NULL;
}

/* --- interrupts, ends of threads, signals ------------------------------------------------ */

unsigned int table_print_origin(const struct text *t, const struct report_origin *s, unsigned int width)
{
	struct label number = count_label(s->of->number);
	unsigned int room = width > 16 ? width - 12 : width;

	if (s->of->what != KERNEL_IRQ)
		return text_name(t, s->of->name, width);
	room = text_name(t, s->of->name, room);
	out_printf(t->o, " (irq %s)", number.text);
	return room + 7 + strlen(number.text);
}

static unsigned int print_origin(const struct text *t, const struct value *v, unsigned int width)
{
	return table_print_origin(t, v->pointer, width);
}

static unsigned int print_ending(const struct text *t, const struct value *v, unsigned int width)
{
	const struct report_origin *s = v->pointer;
	uint32_t signal = sched_exit_signal(s->of->number);
	const char *name = table_signal_name(signal);
	char text[32];

	(void)width;
	if (signal)
		snprintf(text, sizeof(text), "signal %u%s%s%s", signal, name ? " (" : "",
			 name ? name : "", name ? ")" : "");
	else
		snprintf(text, sizeof(text), "code %u", sched_exit_code(s->of->number));
	out_str(t->o, text);
	return strlen(text);
}

static unsigned int print_sender(const struct text *t, const struct value *v, unsigned int width)
{
	const struct report_signal *s = v->pointer;

	if (s->sender)
		return text_thread(t, s->sender->sched, width);
	return text_name(t, table_irq_name(FXT_SCHED_IRQ_HARD), width);
}

static unsigned int print_victim(const struct text *t, const struct value *v, unsigned int width)
{
	const struct report_origin *s = v->pointer;

	text_thread(t, s->most->sched, width);
	out_printf(t->o, " %s", time_label(s->most_ns).text);
	return width;
}

const struct column_type column_report_origin = { .print = print_origin };
const struct column_type column_report_victim = { .print = print_victim };
const struct column_type column_report_ending = { .page = "ending", .print = print_ending };
const struct column_type column_report_sender = { .page = "sender", .print = print_sender };

/* --- what threads did -------------------------------------------------------------------- */

static unsigned int print_calls(const struct text *t, const struct value *v, unsigned int room)
{
	const struct activity *a = v->pointer;
	const struct report_calls *calls = a->calls;
	unsigned int taken = 0, i;

	for (i = 0; i < calls->count; i++) {
		const struct report_call *call = &calls->list[i];
		size_t length = strlen(call->of->name);

		if (i && (taken + 2 + length + PERCENT > room ||
			  call->total < NOTABLE_CALL * a->n->in_calls))
			break;
		out_str(t->o, i ? ", " : "");
		taken += 2 + PERCENT + text_name(t, call->of->name, room - PERCENT);
		out_printf(t->o, " %.0f%%",
			   percent_of(call->total, a->n->in_calls));
	}
	return room;
}

static unsigned int print_waker(const struct text *t, const struct activity *a,
				const struct report_waker *w, unsigned int width)
{
	if (!w->thread)
		return text_name(t, table_irq_name(w->irq), width);
	/* Wakers of a name are names, too. */
	return a->process || a->thread ? text_thread(t, w->thread->sched, width) :
					 text_name(t, report_name(w->thread), width);
}

static unsigned int print_wakers(const struct text *t, const struct value *v, unsigned int width)
{
	const struct activity *a = v->pointer;
	unsigned int i, taken = 0;

	for (i = 0; i < a->waker_count && i < 2; i++) {
		const struct report_waker *w = &a->wakers[i];

		/* Omit wakers that mainly took over the counters of others. */
		if (i && (w->count - w->over) * 100 < a->n->wakeups)
			break;
		if (i)
			text_pad(t, taken, width);
		out_printf(t->o, " %c%3.0f%% ", w->over ? '>' : ' ',
			   (w->count - w->over) * 100.0 / a->n->wakeups);
		taken = print_waker(t, a, w, width);
	}
	return width;
}

const struct column_type column_report_calls = { .print = print_calls };
const struct column_type column_report_wakers = {
	.page = "wakers", .print = print_wakers, .has_blanks = true,
};

/* --- histograms, stacks ------------------------------------------------------------------ */

/* One character for a count, with a height relative to the largest. */
static void print_level(const struct text *t, uint64_t count, uint64_t most)
{
	static const char *const blocks[] = {
		" ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587",
		"\u2588",
	};
	unsigned int level = count ? 1 + (unsigned int)(7.0 * count / most) : 0;

	if (t->has_utf8)
		out_str(t->o, blocks[level]);
	else
		out_char(t->o, " .:-=+*#@"[level]);
}

/* A character for each class of latencies. */
static unsigned int print_hist(const struct text *t, const struct value *v, unsigned int width)
{
	uint64_t counts[REPORT_CLASSES], most = 1;
	unsigned int i;

	report_classes(v->pointer, counts);
	for (i = 0; i < REPORT_CLASSES; i++)
		most = counts[i] > most ? counts[i] : most;
	text_shade(t, SHADE_BAR);
	for (i = 0; i < REPORT_CLASSES; i++)
		print_level(t, counts[i], most);
	text_shade(t, SHADE_NONE);
	return width;
}

void json_histogram(struct json *j, const char *key, const struct report_hist *h)
{
	struct report_bucket b;
	unsigned int at = 0;

	json_array(j, key);
	while (!j->is_brief && report_hist_next(h, &at, &b)) {
		json_array(j, NULL);
		json_item(j);
		out_json_u64(j->o, b.low);
		json_item(j);
		out_json_u64(j->o, b.high);
		json_item(j);
		out_json_u64(j->o, b.count);
		json_end(j, ']');
	}
	json_end(j, ']');
}

static const struct schema number[] = { { .is = IS_NUMBER }, { 0 } };
static const struct schema bucket[] = { { .is = IS_LIST, .of = number }, { 0 } };

const struct schema schema_histogram[] = {
	MEMBER("histogram", IS_LIST,
	       .about = "lists of the first and the last ns of a bucket, and its count",
	       .of = bucket),
	{ 0 }
};

static void put_hist(struct json *j, const char *key, const void *all, const struct value *v)
{
	(void)all;
	json_histogram(j, key, v->pointer);
}

static struct value hist_at(const void *field, size_t size)
{
	(void)size;
	return value_pointer(field);
}

const struct column_type column_report_histogram = {
	.read = hist_at, .json = put_hist, .print = print_hist,
	.schema = schema_histogram,
};

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

const struct column_type column_report_functions = {
	.read = stack_at, .json = put_functions,
	.schema = SCHEMA_OF(IS_LIST | OR_NULL, .of = function),
};

/* --- what only the page shows ------------------------------------------------------------ */

const struct column_type column_report_cpus = { .page = "cpus" };
const struct column_type column_report_woken_by = { .page = "waker" };
const struct column_type column_report_occupants = { .page = "occupants" };
const struct column_type column_report_parent = { .page = "parent" };
const struct column_type column_report_lost = { .page = "lost" };
const struct column_type column_report_lost_time = { .page = "lost time" };
