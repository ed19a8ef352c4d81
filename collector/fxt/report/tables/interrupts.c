// SPDX-License-Identifier: GPL-2.0-or-later
/* interrupts.c - the tables of interrupts, idle states, work items, interrupts between CPUs. */
#include "libfxt/array.h"
#include "table/text.h"
#include "tables.h"

TABLE_HAS(work_items, WORK)

struct rows table_origins(const struct report *r, enum kernel_event_what first,
			  enum kernel_event_what last)
{
	struct report_origin *const *origins = r->kernel.origins;
	size_t from = 0, to;

	/* The list is sorted by kind. */
	while (from < r->kernel.origin_count &&
	       (origins[from]->of->what < first || origins[from]->of->what > last))
		from++;
	for (to = from; to < r->kernel.origin_count; to++)
		if (origins[to]->of->what < first || origins[to]->of->what > last)
			break;
	return ROWS_OF_POINTERS(origins + from, to - from);
}

COLUMN_VALUE(kind, struct report_origin, s, value_text(kernel_event_name(s->of->what)))

COLUMN_VALUE(name, struct report_origin, s, value_text(report_origin_name(s)))
COLUMN_VALUE(number, struct report_origin, s,
	     s->of->what == KERNEL_WORK || s->of->number == KERNEL_EVENT_NO_NUMBER ?
	     value_unknown() : value_of(s->of->number))

static const void *next_cpu(const void *all, const void *row, size_t *at)
{
	const struct report_kernel *k = &((const struct report *)all)->kernel;
	const struct report_origin *origin = row;

	if (!*at)
		*at = array_front(k->share_count, i,
				  k->shares[i].origin->of->id < origin->of->id);
	return *at < k->share_count && k->shares[*at].origin == origin ? &k->shares[(*at)++] : NULL;
}

static unsigned int print_origin(const struct text *t, const struct value *v, unsigned int width)
{
	return table_print_origin(t, v->pointer, width);
}

static unsigned int print_victim(const struct text *t, const struct value *v, unsigned int width)
{
	const struct report_origin *s = v->pointer;

	text_thread(t, s->most->sched, width);
	out_printf(t->o, " %s", time_label(s->most_ns).text);
	return width;
}

static const struct column_type type_origin = { .print = print_origin };
static const struct column_type type_victim = { .print = print_victim };

#define FIELD(field)	COLUMN_FIELD(struct report_origin, field)

const struct column columns_origin_name[] = {
	{ "kind", &column_event, .get = kind },
	{ "name", &column_name, .get = name, .page = "name" },
	{ "number", &column_id, .get = number },
	COLUMNS_END
};

const struct column columns_longest[] = {
	{ "longest_ns", &column_time, FIELD(longest), .page = "longest" },
	{ "longest_time_ns", &column_seconds, FIELD(longest_time) },
	{ "longest_cpu", &column_count, FIELD(longest_cpu) },
	COLUMNS_END
};

static const struct column columns_origin_cpu[] = {
	{ "cpu", &column_count, COLUMN_FIELD(struct report_share, cpu) },
	{ "count", &column_count, COLUMN_FIELD(struct report_share, count) },
	{ "total_ns", &column_time, COLUMN_FIELD(struct report_share, total) },
	COLUMNS_END
};

const struct column columns_origin_cpus[] = {
	{ "cpus", &column_list, .of = columns_origin_cpu, .next = next_cpu },
	COLUMNS_END
};

TABLE_ROWS(idle_rows, table_origins(r, KERNEL_IDLE, KERNEL_IDLE))

static const struct column columns_idle[] = {
	{ .type = &column_same, .of = columns_origin_name },
	{ "count", &column_count, FIELD(count), .page = "count" },
	{ "total_ns", &column_time, FIELD(total), .page = "time" },
	{ .type = &column_same, .of = columns_longest },
	{ .type = &column_same, .of = columns_origin_cpus },
	COLUMNS_END
};

const struct table table_idle_states = {
	.key = "idle_states", .page = "Idle states",
	.hint = "The time includes interrupts meanwhile.",
	.is_in = has_idle_states,
	.rows = idle_rows, .columns = columns_idle,
};

COLUMN_VALUE(short_kind, struct report_origin, s,
	     value_text(s->of->what == KERNEL_IRQ ? "irq" :
			s->of->what == KERNEL_VECTOR ? "cpu" : "soft"))
REPORT_VALUE(share, struct report_origin, s, value_fraction(report_share(r, s->total)))

COLUMN_VALUE(victim, struct report_origin, s, s->most ? value_pointer(s) : value_absent())

TABLE_ROWS(interrupt_rows, table_origins(r, KERNEL_IRQ, KERNEL_SOFTIRQ))

static const struct column columns_interrupt[] = {
	{ NULL, &column_event, .get = short_kind, TEXT(1, 6, "kind") },
	{ "kind", &column_event, .get = kind, .page = "kind", .about = "irq, vector or softirq" },
	{ "name", &column_name, .get = name, .page = "name" },
	{ "number", &column_id, .get = number, .page = "number" },
	{ "count", &column_count, FIELD(count), SHOWN(2, 8, "count") },
	{ "total_ns", &column_time, FIELD(total), SHOWN(3, 6, "took") },
	{ NULL, &column_share, .get = share, TEXT(4, 6, "share") },
	{ NULL, &column_time, FIELD(longest), TEXT(5, 6, "longest") },
	{ NULL, &type_origin, TEXT(6, 24, "name") },
	{ .type = &column_same, .of = columns_longest },
	{ "most_", &column_report_thread_nth, FIELD(most), .page = "took most from",
	  .about = "the thread that lost most" },
	{ "most_ns", &column_time, FIELD(most_ns), .page = "how much" },
	{ NULL, &type_victim, .get = victim, TEXT_NAME(7, 16, 1, "took most from") },
	{ .type = &column_same, .of = columns_origin_cpus },
	COLUMNS_END
};

const struct table table_interrupts = {
	.key = "interrupts", .title = "Interrupts",
	.hint = "Times exclude other interrupts: an interrupt inside another one counts only for "
		"itself.",
	.is_in = has_interrupts,
	.rows = interrupt_rows, .columns = columns_interrupt,
};

TABLE_ROWS(work_rows, table_origins(r, KERNEL_WORK, KERNEL_WORK))

static const struct column columns_work[] = {
	{ "kind", &column_event, .get = kind },
	{ "name", &column_name, .get = name, SHOWN_NAME(4, 50, 1, "function") },
	{ "number", &column_id, .get = number },
	{ "count", &column_count, FIELD(count), SHOWN(1, 8, "count") },
	{ "total_ns", &column_time, FIELD(total), SHOWN(2, 6, "took") },
	{ NULL, &column_time, FIELD(longest), TEXT(3, 7, "longest") },
	{ .type = &column_same, .of = columns_longest },
	COLUMNS_END
};

const struct table table_work_items = {
	.key = "work_items", .section = "work", .title = "Work items",
	.is_in = has_work_items,
	.rows = work_rows, .columns = columns_work,
};

COLUMN_VALUE(called, struct report_ipi, ipi, value_text(ipi->of->name))

TABLE_ROWS(ipi_rows, ROWS(r->kernel.ipis, r->kernel.ipi_count))

static const struct column columns_ipi[] = {
	{ "name", &column_name, .get = called, SHOWN_NAME(4, 50, 1, "function"),
	  .about = "what the interrupted CPU has to call" },
	{ "from_cpu", &column_count, COLUMN_FIELD(struct report_ipi, from), TEXT(2, 6, "from"),
	  .page = "from CPU" },
	{ "to_cpu", &column_cpu, COLUMN_FIELD(struct report_ipi, to), TEXT(3, 6, "to"),
	  .page = "to CPU", .about = "null: beyond the first 64" },
	{ "count", &column_count, COLUMN_FIELD(struct report_ipi, count), SHOWN(1, 8, "count") },
	COLUMNS_END
};

const struct table table_ipis = {
	.key = "ipis", .title = "Interrupts that CPUs sent to others",
	.is_in = has_ipis,
	.rows = ipi_rows, .columns = columns_ipi,
};
