// SPDX-License-Identifier: GPL-2.0-or-later
/* slices.c - the tables of an archive without scheduling. */
#include "tables.h"

OF_REPORT(bool, has_slices, r->slices)

COLUMN_VALUE(name_text, struct slices_name, n, value_bytes(n->name, n->length))
COLUMN_VALUE(self, struct slices_name, n,
	     n->is_async ? value_unknown() : value_of(n->self))

#define FIELD(field)	COLUMN_FIELD(struct slices_name, field)
#define BOTH		(PART_1 | PART_2)

/* PART_2 has async slices, which belong to no thread and do not nest. */
static const struct column columns_name[] = {
	{ "name", &column_bytes, .get = name_text, SHOWN_IN(BOTH, 6, 29, 1, "name") },
	{ "async", &column_flag, FIELD(is_async), .page = "async" },
	{ "count", &column_count, FIELD(count), SHOWN_IN(BOTH, 1, 8, 0, "count") },
	{ "total_ns", &column_time, FIELD(total), SHOWN_IN(BOTH, 2, 6, 0, "total") },
	{ "self_ns", &column_time, .get = self, SHOWN(3, 6, "self"),
	  .about = "null of async ones" },
	{ "longest_ns", &column_time, FIELD(longest), SHOWN_IN(BOTH, 4, 7, 0, "longest") },
	{ "longest_at_ns", &column_seconds, FIELD(longest_at), SHOWN_IN(BOTH, 5, 18, 0, "at") },
	COLUMNS_END
};
#undef FIELD

static const void *thread_slices(const void *all, const void *element, union row_room *room)
{
	const struct slices_name *n = element;

	(void)all;
	(void)room;
	return n->is_async ? NULL : n;
}

static const void *async_slices(const void *all, const void *element, union row_room *room)
{
	return thread_slices(all, element, room) ? NULL : element;
}

TABLE_ROWS(name_rows, ROWS_OF_POINTERS(r->slices->names, r->slices->name_count))

const struct table table_slice_names = {
	.within = "slices", .key = "names", .page = "Slices by name",
	.is_in = has_slices,
	.rows = name_rows, .columns = columns_name,
};

const struct table table_thread_slices = {
	.title = "Slices by name",
	.rows = name_rows, .row = thread_slices, .columns = columns_name,
};

static const struct part parts_async[] = { { .bit = PART_2 }, { .bit = 0 } };

const struct table table_async_slices = {
	.title = "Async slices by name",
	.rows = name_rows, .row = async_slices, .columns = columns_name, .parts = parts_async,
};

static struct value object_name(const struct report *r, enum fxt_object_class class, uint64_t koid)
{
	const struct fxt_object *o = slices_object(r->slices, class, koid);

	return o ? value_bytes(o->name, o->length) : value_unknown();
}

REPORT_VALUE(process_name, struct slices_track, t, object_name(r, FXT_CLASS_PROCESS, t->process))
REPORT_VALUE(thread_name, struct slices_track, t, object_name(r, FXT_CLASS_THREAD, t->thread))

TABLE_ROWS(thread_rows, ROWS_OF_POINTERS(r->slices->tracks, r->slices->track_count))

#define FIELD(field)	COLUMN_FIELD(struct slices_track, field)

static const struct column columns_thread[] = {
	{ "pid", &column_id, FIELD(process), SHOWN(1, 8, "pid") },
	{ "tid", &column_id, FIELD(thread), SHOWN(2, 8, "tid") },
	{ "process_name", &column_bytes, .get = process_name, SHOWN_NAME(6, 20, 2, "process") },
	{ "name", &column_bytes, .get = thread_name, SHOWN_NAME(5, 20, 2, "thread") },
	{ "slices", &column_count, FIELD(slices), SHOWN(3, 8, "slices") },
	{ "covered_ns", &column_time, FIELD(covered), SHOWN(4, 9, "in slices"),
	  .about = "within at least one slice" },
	COLUMNS_END
};
#undef FIELD

const struct table table_slice_threads = {
	.within = "slices", .key = "threads",
	.title = "Threads that have slices",
	.is_in = has_slices,
	.rows = thread_rows, .columns = columns_thread,
};

COLUMN_VALUE(counter_name, struct slices_counter, c, value_bytes(c->name, c->length))
COLUMN_VALUE(least, struct slices_counter, c, value_fraction(c->min))
COLUMN_VALUE(most, struct slices_counter, c, value_fraction(c->max))
COLUMN_VALUE(last, struct slices_counter, c, value_fraction(c->last))

TABLE_ROWS(counter_rows, ROWS_OF_POINTERS(r->slices->counters, r->slices->counter_count))

#define FIELD(field)	COLUMN_FIELD(struct slices_counter, field)

static const struct column columns_counter[] = {
	{ "pid", &column_id, FIELD(process), SHOWN(1, 8, "pid") },
	{ "name", &column_bytes, .get = counter_name, SHOWN_NAME(6, 24, 1, "name"),
	  .about = "and that of the series" },
	{ "id", &column_id, FIELD(id) },
	{ "values", &column_count, FIELD(values), SHOWN(2, 8, "values") },
	{ "min", &column_number, .get = least, SHOWN(3, 12, "least") },
	{ "max", &column_number, .get = most, SHOWN(4, 11, "most") },
	{ "last", &column_number, .get = last, SHOWN(5, 11, "last") },
	COLUMNS_END
};

const struct table table_counters = {
	.within = "slices", .key = "counters", .title = "Counters",
	.is_in = has_slices,
	.rows = counter_rows, .columns = columns_counter,
};
