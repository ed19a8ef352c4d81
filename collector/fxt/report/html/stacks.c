// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks.c - see stacks.h.
 *
 * Symbols come last in an archive, so the column has numbers of stacks; the page has their
 * functions. Each function has a number, too, because most stacks have the same ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "libfxt/map.h"
#include "stacks.h"

static int note_stack(struct report_html *h, const struct sched_stack *stack, bool is_waker)
{
	size_t room = h->stack_room ? h->stack_room : 256;
	struct html_stack *more;

	while (room <= stack->id)
		room *= 2;
	if (room > h->stack_room) {
		more = reallocarray(h->stacks, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + h->stack_room, 0, (room - h->stack_room) * sizeof(*more));
		h->stacks = more;
		h->stack_room = room;
	}
	h->stacks[stack->id] = (struct html_stack){ stack, is_waker };
	return 0;
}

int html_take_stack(struct report_html *h, const struct sched_moment *m)
{
	struct spool *s = &h->columns[HTML_STACKS];

	html_begin_at(h, m->time);
	if (!html_thread_of(h, m->thread) || note_stack(h, m->stack, !m->is_in))
		return -ENOMEM;
	spool_i64(s, m->time - h->stack);
	spool_u64(s, m->thread->id);
	spool_u64(s, 2 * (uint64_t)m->stack->id + m->is_in);
	h->stack = m->time;
	h->stack_events++;
	return 0;
}

/* --- functions --------------------------------------------------------------------------- */

struct function {
	struct map_node node;
	uint32_t number;
	bool is_kernel;
	char name[];
};

struct functions {
	struct map map;
	const struct function **list;	/* in the order of their numbers */
	size_t room;
};

static uint64_t hash_of(const char *name, bool is_kernel)
{
	return map_hash(fxt_hash_bytes(name, strlen(name)), is_kernel);
}

static struct function *new_function(struct functions *f, const char *name, bool is_kernel)
{
	size_t bytes = strlen(name) + 1, room = f->room ? 2 * f->room : 256;
	struct function *function = malloc(sizeof(*function) + bytes);
	const struct function **more;

	if (function && f->map.count == f->room) {
		more = reallocarray(f->list, room, sizeof(*more));
		if (!more) {
			free(function);
			return NULL;
		}
		f->list = more;
		f->room = room;
	}
	if (!function || map_reserve(&f->map)) {
		free(function);
		return NULL;
	}
	function->number = f->map.count;
	function->is_kernel = is_kernel;
	memcpy(function->name, name, bytes);
	f->list[function->number] = function;
	return function;
}

/* Return: the number of a function, -ENOMEM. */
static int64_t function_of(struct functions *f, const char *name, bool is_kernel)
{
	uint64_t hash = hash_of(name, is_kernel);
	struct function *function;
	struct map_node *n;

	for (n = map_first(&f->map, hash); n; n = map_next(n, hash)) {
		function = map_entry(n, struct function, node);
		if (function->is_kernel == is_kernel && !strcmp(function->name, name))
			return function->number;
	}
	function = new_function(f, name, is_kernel);
	if (!function)
		return -ENOMEM;
	map_add(&f->map, &function->node, hash);
	return function->number;
}

static void free_functions(struct functions *f)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&f->map, &from)))
		free(map_entry(n, struct function, node));
	map_free(&f->map);
	free(f->list);
}

/* --- the page ------------------------------------------------------------------------------ */

/* Numbers of functions, innermost first. */
static int print_stack(struct out *o, const struct report_stacks *r, struct functions *f,
		       const struct html_stack *h)
{
	const struct sched_stack *stack = h->stack;
	const char *between = "";
	uint32_t i, end;
	int64_t number;
	char text[20];

	report_stack_range(r, stack, h->is_waker, &i, &end);
	out_char(o, '[');
	for (; i < end; i++) {
		/* Frame pointers may end with it. */
		if (!stack->frames[i])
			continue;
		number = function_of(f, report_recorded_name(r, stack, i, text),
				     fxt_sched_is_kernel(stack->frames[i]));
		if (number < 0)
			return number;
		out_str(o, between);
		out_u64(o, number);
		between = ",";
	}
	out_char(o, ']');
	return 0;
}

static void print_functions(struct out *o, const struct functions *f)
{
	size_t i;

	out_str(o, ",\"functions\":[");
	for (i = 0; i < f->map.count; i++) {
		out_str(o, i ? ",[" : "[");
		out_json(o, f->list[i]->name, strlen(f->list[i]->name));
		out_str(o, f->list[i]->is_kernel ? ",true]" : ",false]");
	}
	out_char(o, ']');
}

int html_print_stacks(const struct report_html *h, struct out *o, const struct report_stacks *r)
{
	struct functions f = { 0 };
	int ret = 0;
	size_t i;

	out_str(o, ",\"stack_events\":");
	out_json_u64(o, h->stack_events);
	out_str(o, ",\"stacks\":[");
	for (i = 0; i < h->stack_room && !ret; i++) {
		out_str(o, i ? "," : "");
		if (h->stacks[i].stack)
			ret = print_stack(o, r, &f, &h->stacks[i]);
		else
			out_str(o, "null");
	}
	out_char(o, ']');
	print_functions(o, &f);
	free_functions(&f);
	return ret;
}
