// SPDX-License-Identifier: GPL-2.0-or-later
/* types.c - types of columns whose values are made of several members of a row. */
#include <stdio.h>
#include <string.h>

#include <linux/fxt_sched.h>

#include "liboutput/json.h"
#include "table/text.h"
#include "tables.h"

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

/* --- histograms -------------------------------------------------------------------------- */

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

const struct column_type column_report_cpus = { .page = "cpus" };
