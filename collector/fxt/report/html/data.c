// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * data.c - the data of a page besides the report: threads, their processes, call stacks and events.
 *
 * Symbols come last in an archive, so the column of stacks has numbers; the page has their
 * functions. Functions have numbers, too, because most stacks share them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "data.h"
#include "libfxt/array.h"
#include "libfxt/map.h"

/* --- threads ----------------------------------------------------------------------------- */

void html_begin_at(struct report_html *h, uint64_t time)
{
	size_t i;

	if (h->has_origin)
		return;
	h->has_origin = true;
	h->zero = h->end = h->loss = h->slice = h->moment = h->counter = h->stack = time;
	for (i = 0; i < HTML_CPUS; i++)
		h->idle_end[i] = time;
}

bool html_has_room(struct report_html *h, uint64_t time)
{
	if (time <= h->begin)
		return false;
	if (!h->cut && h->spans + h->slices + h->moments + h->counters + h->stack_events >= h->most)
		h->cut = time;
	return !h->cut;
}

/* Room for the element with number @id, filled with zeros. Return: 0 or -ENOMEM. */
static int reach(void **list, size_t *room, size_t id, size_t size)
{
	size_t more = *room ? *room : 64;
	char *bigger;

	if (id < *room)
		return 0;
	while (more <= id)
		more *= 2;
	bigger = reallocarray(*list, more, size);
	if (!bigger)
		return -ENOMEM;
	memset(bigger + *room * size, 0, (more - *room) * size);
	*list = bigger;
	*room = more;
	return 0;
}

struct html_thread *html_thread_of(struct report_html *h, const struct sched_thread *t)
{
	if (reach((void **)&h->threads, &h->room, t->id, sizeof(*h->threads)))
		return NULL;
	if (!h->threads[t->id].sched)
		h->threads[t->id] = (struct html_thread){ .sched = t, .end = h->zero };
	return &h->threads[t->id];
}

int html_take_sight(void *arg, const struct sched_sight *sight)
{
	struct report_html *h = arg;

	if (reach((void **)&h->seen, &h->seen_room, sight->thread->id, sizeof(*h->seen)))
		return -ENOMEM;
	h->seen[sight->thread->id] = (struct html_seen){ sight->time, sight->state };
	return 0;
}

/* --- processes --------------------------------------------------------------------------- */

bool html_has_process(const struct report_html *h, const struct sched_process *p)
{
	return p && p->id < h->process_room && h->processes[p->id];
}

int html_note_processes(struct report_html *h)
{
	const struct sched_process *p;
	size_t i;

	for (i = 0; i < h->room; i++) {
		p = h->threads[i].sched ? h->threads[i].sched->owner : NULL;
		if (!p || !p->parent_koid)
			continue;
		/*
		 * Walk up to a process whose ancestors are known already; that also ends circles.
		 */
		for (; p && !html_has_process(h, p); p = p->parent) {
			if (reach((void **)&h->processes, &h->process_room, p->id,
				  sizeof(*h->processes)))
				return -ENOMEM;
			h->processes[p->id] = p;
		}
	}
	return 0;
}

static void print_process(struct out *o, const struct sched_process *p)
{
	/* Omit the cgroup from a process's name, because it would make chains of ancestors long. */
	const char *name = p->leader && *p->leader->name ? p->leader->name : p->name;

	out_char(o, '[');
	out_json_u64(o, p->koid);
	out_char(o, ',');
	out_json(o, name, strlen(name));
	if (p->parent) {
		out_char(o, ',');
		out_u64(o, p->parent->id);
	} else if (p->parent_koid) {
		out_str(o, ",null,");
		out_json_u64(o, p->parent_koid);
	}
	out_char(o, ']');
}

void html_print_processes(const struct report_html *h, struct out *o)
{
	size_t i;

	out_str(o, ",\"processes\":[");
	for (i = 0; i < h->process_room; i++) {
		out_str(o, i ? "," : "");
		if (h->processes[i])
			print_process(o, h->processes[i]);
		else
			out_str(o, "null");
	}
	out_char(o, ']');
}

/* --- soft interrupts --------------------------------------------------------------------- */

void html_print_ksoftirqd(const struct report *r, struct out *o)
{
	const char *between = "";
	uint32_t cpu;

	if (!r->ksoftirqd)
		return;
	out_str(o, ",\"ksoftirqd\":[");
	for (cpu = 0; cpu < HTML_CPUS; cpu++) {
		if (!r->ksoftirqd[cpu])
			continue;
		out_printf(o, "%s%u,%u", between, cpu, r->ksoftirqd[cpu] - 1);
		between = ",";
	}
	out_char(o, ']');
}

/* --- call stacks ------------------------------------------------------------------------- */

static int note_stack(struct report_html *h, const struct fxt_call_stack *stack, bool is_waker)
{
	if (reach((void **)&h->stacks, &h->stack_room, stack->id, sizeof(*h->stacks)))
		return -ENOMEM;
	h->stacks[stack->id] = (struct html_stack){ stack, is_waker };
	return 0;
}

/* Take the stack of a moment. Return: 0 or -ENOMEM. */
static int take_stack(struct report_html *h, const struct sched_moment *m)
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
};

static uint64_t hash_of(const char *name, bool is_kernel)
{
	return map_hash(fxt_hash_bytes(name, strlen(name)), is_kernel);
}

static struct function *new_function(struct functions *f, const char *name, bool is_kernel)
{
	size_t bytes = strlen(name) + 1;
	struct function *function = malloc(sizeof(*function) + bytes);

	if (!function || array_grow(f->list, f->map.count) || map_reserve(&f->map)) {
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
	const struct fxt_call_stack *stack = h->stack;
	const char *between = "";
	uint32_t i, end;
	int64_t number;
	char text[20];

	report_stack_range(r, stack, h->is_waker, &i, &end);
	out_char(o, '[');
	for (; i < end; i++) {
		/* A zero may end a stack walked by frame pointers. */
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

int html_print_stacks(const struct report_html *h, struct out *o,
		      const struct report_stacks *r)
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

/* --- events of the kernel ---------------------------------------------------------------- */

/* In the column of moments, and in page/events.js. */
enum moment_kind {
	MOMENT_FORK, MOMENT_EXIT, MOMENT_PRIORITY, MOMENT_IPI, MOMENT_MOVE, MOMENT_SIGNAL,
	MOMENT_DELIVERY
};

/* In the column of counters, and in page/events.js. */
enum counter_kind { COUNTER_RUN_QUEUE, COUNTER_UTILIZATION, COUNTER_FREQUENCY };

int html_note_origin(struct report_html *h, const struct sched_origin *origin)
{
	if (reach((void **)&h->origins, &h->origin_room, origin->id, sizeof(*h->origins)))
		return -ENOMEM;
	h->origins[origin->id] = origin;
	return 0;
}

int html_take_slice(void *arg, const struct sched_slice *slice)
{
	uint8_t what = slice->origin->what;
	bool is_of_thread = what == KERNEL_WORK || what == KERNEL_SYSCALL;
	struct report_html *h = arg;
	struct spool *s = &h->columns[HTML_SLICES];

	if (!html_has_room(h, slice->to))
		return 0;
	html_begin_at(h, slice->from);
	if (html_note_origin(h, slice->origin) ||
	    (is_of_thread && !html_thread_of(h, slice->thread)))
		return -ENOMEM;
	spool_i64(s, slice->to - h->slice);
	spool_u64(s, slice->to - slice->from);
	spool_u64(s, slice->origin->id);
	spool_u64(s, slice->cpu);
	spool_u64(s, is_of_thread ? slice->thread->id + 1 : 0);
	h->slice = slice->to;
	h->slices++;
	return 0;
}

/* --- moments ---------------------------------------------------------------------------- */

static int put_moment(struct report_html *h, uint64_t time, enum moment_kind kind, uint16_t cpu,
		      const struct sched_thread *thread)
{
	struct spool *s = &h->columns[HTML_MOMENTS];

	html_begin_at(h, time);
	if (!html_thread_of(h, thread))
		return -ENOMEM;
	spool_i64(s, time - h->moment);
	spool_u64(s, kind);
	spool_u64(s, cpu);
	spool_u64(s, thread->id);
	h->moment = time;
	h->moments++;
	return 0;
}

static int take_ipi(struct report_html *h, const struct sched_moment *m)
{
	struct spool *s = &h->columns[HTML_MOMENTS];

	if (html_note_origin(h, m->origin) || put_moment(h, m->time, MOMENT_IPI, m->cpu, m->thread))
		return -ENOMEM;
	spool_i64(s, m->args.ipi.cpu == KERNEL_EVENT_NO_CPU ? 0 : m->args.ipi.cpu + 1);
	spool_i64(s, m->args.ipi.count);
	spool_u64(s, m->origin->id);
	return 0;
}

static int take_thread_moment(struct report_html *h, const struct sched_moment *m, enum moment_kind kind,
			      int32_t before, int32_t after)
{
	struct spool *s = &h->columns[HTML_MOMENTS];

	if (put_moment(h, m->time, kind, m->cpu, m->thread))
		return -ENOMEM;
	spool_i64(s, before);
	spool_i64(s, after);
	return 0;
}

static int take_signal(struct report_html *h, const struct sched_moment *m)
{
	int32_t what = m->args.signal.number | m->args.signal.result << 8 |
		       m->args.signal.is_by_irq << 16;

	if (!html_thread_of(h, m->target))
		return -ENOMEM;
	h->has_signals = true;
	return take_thread_moment(h, m, MOMENT_SIGNAL, what, m->target->id);
}

int html_take_move(void *arg, const struct sched_move *move)
{
	struct report_html *h = arg;
	struct spool *s = &h->columns[HTML_MOMENTS];

	if (!html_has_room(h, move->time))
		return 0;
	if (put_moment(h, move->time, MOMENT_MOVE, move->to, move->thread))
		return -ENOMEM;
	spool_i64(s, move->from);
	spool_i64(s, move->to);
	return 0;
}

/* --- counters ----------------------------------------------------------------------------- */

static int put_counter(struct report_html *h, uint64_t time, enum counter_kind kind, uint16_t cpu,
		       uint32_t value)
{
	struct spool *s = &h->columns[HTML_COUNTERS];

	html_begin_at(h, time);
	spool_i64(s, time - h->counter);
	spool_u64(s, kind);
	spool_u64(s, cpu);
	spool_u64(s, value);
	h->counter = time;
	h->counters++;
	return 0;
}

int html_take_frequency(void *arg, const struct sched_frequency *f)
{
	if (!html_has_room(arg, f->time))
		return 0;
	return put_counter(arg, f->time, COUNTER_FREQUENCY, f->cpu, f->khz);
}

int html_take_moment(void *arg, const struct sched_moment *m)
{
	if (!html_has_room(arg, m->time))
		return 0;
	switch (m->what) {
	case KERNEL_RUN_QUEUE:
		return put_counter(arg, m->time, COUNTER_RUN_QUEUE, m->cpu,
				   m->args.run_queue.threads);
	case KERNEL_PELT:
		return put_counter(arg, m->time, COUNTER_UTILIZATION, m->cpu, m->args.pelt.util);
	case KERNEL_IPI:
		return take_ipi(arg, m);
	case KERNEL_FORK:
		return take_thread_moment(arg, m, MOMENT_FORK, 0, 0);
	case KERNEL_EXIT:
		return take_thread_moment(arg, m, MOMENT_EXIT, m->args.exit.code,
					  m->args.exit.signal);
	case KERNEL_PRIORITY:
		return take_thread_moment(arg, m, MOMENT_PRIORITY, m->args.priority.before,
					  m->args.priority.after);
	case KERNEL_SIGNAL:
		return take_signal(arg, m);
	case KERNEL_DELIVERY:
		return take_thread_moment(arg, m, MOMENT_DELIVERY, m->args.delivery.number,
					  m->args.delivery.is_handled);
	case KERNEL_STACK:
		return take_stack(arg, m);
	default:
		return 0;
	}
}

/* --- the page ------------------------------------------------------------------------------ */

static void print_origin(struct out *o, const struct sched_origin *origin)
{
	const char *name = origin->path ? origin->path : origin->name;

	out_printf(o, "[\"%s\",", kernel_event_name(origin->what));
	out_json(o, name, strlen(name));
	out_char(o, ',');
	out_json_u64(o, origin->number);
	out_char(o, ']');
}

static void print_results(struct out *o)
{
	const char *name;
	uint8_t i;

	out_str(o, ",\"signal_results\":[");
	for (i = 0; (name = report_signal_result(i)); i++) {
		out_str(o, i ? "," : "");
		out_json(o, name, strlen(name));
	}
	out_char(o, ']');
}

void html_print_events(const struct report_html *h, struct out *o)
{
	size_t i;

	out_str(o, ",\"slices\":");
	out_json_u64(o, h->slices);
	out_str(o, ",\"moments\":");
	out_json_u64(o, h->moments);
	out_str(o, ",\"counters\":");
	out_json_u64(o, h->counters);
	if (h->has_signals)
		print_results(o);
	out_str(o, ",\"sources\":[");
	for (i = 0; i < h->origin_room; i++) {
		out_str(o, i ? "," : "");
		if (h->origins[i])
			print_origin(o, h->origins[i]);
		else
			out_str(o, "null");
	}
	out_char(o, ']');
}
