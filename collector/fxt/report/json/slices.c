// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slices.c - what an archive without scheduling has, as JSON.
 *
 *  slices: first_ns, last_ns, slices, async_slices, instants, flows (number of records),
 *    unended (slices without an end), unbegun (ends without a begin), unkept (slices whose self
 *    time is not known), and lists:
 *  names: list of name, async, count, total_ns, self_ns (null of async ones), longest_ns,
 *    longest_at_ns
 *  threads: list of pid, tid, process_name, name, slices, covered_ns (within at least one)
 *  counters: list of pid, name (and that of the series), id, values, min, max, last
 */
#include "sections.h"

static void print_text(struct json *j, const char *key, const char *text, size_t length)
{
	json_key(j, key);
	out_json(j->o, text, length);
}

static void print_object(struct json *j, const char *key, const struct fxt_object *o)
{
	if (o)
		print_text(j, key, o->name, o->length);
	else
		json_null(j, key);
}

static void print_name(struct json *j, const struct slices_name *n)
{
	print_text(j, "name", n->name, n->length);
	json_boolean(j, "async", n->is_async);
	json_number(j, "count", n->count);
	json_number(j, "total_ns", n->total);
	if (n->is_async)
		json_null(j, "self_ns");
	else
		json_number(j, "self_ns", n->self);
	json_number(j, "longest_ns", n->longest);
	json_number(j, "longest_at_ns", n->longest_at);
}

static void print_track(struct json *j, const struct slices *s, const struct slices_track *n)
{
	json_number(j, "pid", n->process);
	json_number(j, "tid", n->thread);
	print_object(j, "process_name", slices_object(s, FXT_CLASS_PROCESS, n->process));
	print_object(j, "name", slices_object(s, FXT_CLASS_THREAD, n->thread));
	json_number(j, "slices", n->slices);
	json_number(j, "covered_ns", n->covered);
}

static void print_value(struct json *j, const char *key, double value)
{
	json_key(j, key);
	out_json_double(j->o, value);
}

static void print_counter(struct json *j, const struct slices_counter *n)
{
	json_number(j, "pid", n->process);
	print_text(j, "name", n->name, n->length);
	json_number(j, "id", n->id);
	json_number(j, "values", n->values);
	print_value(j, "min", n->min);
	print_value(j, "max", n->max);
	print_value(j, "last", n->last);
}

static void print_lists(struct json *j, const struct slices *s, size_t top)
{
	size_t i;

#define LIST(key, count, print, ...)				\
	json_key(j, key);					\
	json_begin(j, '[');					\
	for (i = 0; i < (count) && i < top; i++) {		\
		json_item(j);					\
		json_begin(j, '{');				\
		print(j, __VA_ARGS__);				\
		json_end(j, '}');				\
	}							\
	json_end(j, ']')
	LIST("names", s->name_count, print_name, s->names[i]);
	LIST("threads", s->track_count, print_track, s, s->tracks[i]);
	LIST("counters", s->counter_count, print_counter, s->counters[i]);
#undef LIST
}

void report_json_slices(struct json *j, const struct slices *s, size_t top)
{
	json_boolean(j, "scheduling", !s);
	if (!s)
		return;
	json_key(j, "slices");
	json_begin(j, '{');
	json_number(j, "first_ns", s->first);
	json_number(j, "last_ns", s->last);
	json_number(j, "slices", s->slices);
	json_number(j, "async_slices", s->async);
	json_number(j, "instants", s->instants);
	json_number(j, "flows", s->flows);
	json_number(j, "unended", s->unended);
	json_number(j, "unbegun", s->unbegun);
	json_number(j, "unkept", s->unkept);
	print_lists(j, s, top);
	json_end(j, '}');
}
