// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * data.c - the JSON of the timeline: CPUs, threads, their processes, call stacks.
 *
 * Symbols come last in an archive, so the column of stacks has numbers; the JSON has their
 * functions. Functions have numbers, too, because most stacks share them.
 */
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "data.h"
#include "sched/functions.h"
#include "terminal/memory.h"
#include "walk/scope.h"

void html_begin_at(struct report_html *h, uint64_t time)
{
	size_t i;

	if (h->has_zero)
		return;
	h->has_zero = true;
	h->zero = time;
	for (i = 0; i < HTML_COLUMN_COUNT; i++)
		h->columns[i].last = time;
	for (i = 0; i < HTML_CPUS; i++)
		h->idle_end[i] = time;
}

bool html_has_room(struct report_html *h, uint64_t time)
{
	if (time <= h->begin)
		return false;
	if (!h->cut && h->spans + h->events + h->stack_events >= h->most)
		h->cut = time;
	return !h->cut;
}

void *html_reach(void *list, size_t *room, size_t id, size_t size)
{
	size_t before = *room;

	if (id < before)
		return list;
	for (*room = before ? before : 64; *room <= id; *room *= 2)
		;
	list = must(reallocarray(list, *room, size));
	memset((char *)list + before * size, 0, (*room - before) * size);
	return list;
}

/* --- threads ----------------------------------------------------------------------------- */

struct html_thread *html_thread_of(struct report_html *h, const struct sched_thread *t)
{
	struct html_thread *of;

	h->threads = html_reach(h->threads, &h->thread_room, t->id, sizeof(*h->threads));
	of = &h->threads[t->id];
	if (!of->sched) {
		of->sched = t;
		of->end = h->zero;
	}
	return of;
}

static bool has_process(const struct report_html *h, const struct sched_process *p)
{
	return p && p->id < h->process_room && h->processes[p->id];
}

static void put_thread(const struct report_html *h, struct json *j, const struct html_thread *t)
{
	const struct sched_process *owner = t->sched->owner;

	json_object(j, NULL);
	json_number(j, "tid", t->sched->koid);
	json_number(j, "nth", t->sched->nth);
	json_string(j, "name", t->sched->name);
	json_number(j, "pid", t->sched->process);
	json_number(j, "process_nth", owner ? owner->nth : 0);
	if (has_process(h, owner))
		json_number(j, "owner", owner->id);
	if (t->sched->cpus)
		json_string(j, "cpus", t->sched->cpus);
	json_string(j, "cgroup", scope_cgroup(t->sched));
	json_boolean(j, "isOfReport", t->shown);
	json_end(j, '}');
}

static void put_threads(struct report_html *h, struct json *j, const struct report *r)
{
	size_t i, id;

	for (i = 0; i < r->thread_count; i++) {
		id = r->threads[i]->sched->id;
		if (id < h->thread_room)
			h->threads[id].shown = r->threads[i];
	}
	json_array(j, "threads");
	for (i = 0; i < h->thread_room; i++) {
		if (h->threads[i].sched)
			put_thread(h, j, &h->threads[i]);
		else
			json_null(j, NULL);
	}
	json_end(j, ']');
}

/* --- processes --------------------------------------------------------------------------- */

/* Add the processes of threads, and their ancestors. */
static void note_processes(struct report_html *h)
{
	const struct sched_process *p;
	size_t i;

	for (i = 0; i < h->thread_room; i++) {
		p = h->threads[i].sched ? h->threads[i].sched->owner : NULL;
		/* Up to a process whose ancestors are known; that also ends circles. */
		for (; p && !has_process(h, p); p = p->parent) {
			h->processes = html_reach(h->processes, &h->process_room, p->id,
						  sizeof(*h->processes));
			h->processes[p->id] = p;
		}
	}
}

static void put_process(struct json *j, const struct sched_process *p)
{
	/* Omit the cgroup from a process's name, because it would make chains of ancestors long. */
	const char *name = p->leader && *p->leader->name ? p->leader->name : p->name;

	json_object(j, NULL);
	json_number(j, "pid", p->koid);
	json_string(j, "name", name);
	if (p->parent)
		json_number(j, "parent", p->parent->id);
	else if (p->parent_koid)
		json_number(j, "parentPid", p->parent_koid);
	json_end(j, '}');
}

static void put_processes(const struct report_html *h, struct json *j)
{
	size_t i;

	json_array(j, "processes");
	for (i = 0; i < h->process_room; i++) {
		if (h->processes[i])
			put_process(j, h->processes[i]);
		else
			json_null(j, NULL);
	}
	json_end(j, ']');
}

void html_put_threads(struct report_html *h, struct json *j, const struct report *r)
{
	note_processes(h);
	put_threads(h, j, r);
	put_processes(h, j);
}

/* --- CPUs -------------------------------------------------------------------------------- */

/* The group of each CPU, from 1; 0: unknown. Empty without a topology. */
static void put_groups(struct json *j, const struct report *r, const char *key, enum sched_share share)
{
	uint16_t cpu;
	size_t i;

	json_array(j, key);
	for (i = 0; r->topology && i < r->cpu_count; i++) {
		cpu = r->cpus[i]->number;
		json_number(j, NULL, cpu < SCHED_TOPOLOGY_CPUS ? r->topology->groups[share][cpu] :
								 SCHED_SHARE_UNKNOWN);
	}
	json_end(j, ']');
}

static void put_cpus(struct json *j, const struct report *r)
{
	size_t i;

	json_array(j, "cpus");
	for (i = 0; i < r->cpu_count; i++)
		json_number(j, NULL, r->cpus[i]->number);
	json_end(j, ']');
	put_groups(j, r, "nodes", SCHED_NODE);
	put_groups(j, r, "caches", SCHED_CACHE);
}

/* Times without some records: from, to, from, to and so on. */
static void put_gaps(const struct report_html *h, struct json *j)
{
	const struct history *history = h->history;
	size_t i;

	json_array(j, "gaps");
	for (i = 0; i < history->gap_count; i++) {
		json_item(j);
		out_json_i64(j->o, history->gaps[i].from - h->zero);
		json_item(j);
		out_json_i64(j->o, history->gaps[i].to - h->zero);
	}
	json_end(j, ']');
}

/* --- call stacks ------------------------------------------------------------------------- */

struct function {
	struct map_node node;
	uint32_t number;
	bool is_kernel;
	char name[];
};

static uint32_t function_of(struct map *functions, const char *name, bool is_kernel)
{
	size_t bytes = strlen(name) + 1;
	uint64_t hash = map_hash(fxt_hash_bytes(name, bytes), is_kernel);
	struct function *f;

	if (map_find(functions, hash, f, f->is_kernel == is_kernel && !strcmp(f->name, name)))
		return f->number;
	f = must(malloc(sizeof(*f) + bytes));
	f->number = functions->count;
	f->is_kernel = is_kernel;
	memcpy(f->name, name, bytes);
	map_put(functions, &f->node, hash);
	return f->number;
}

/* Numbers of functions, innermost first. */
static void put_stack(struct json *j, const struct report_stacks *r, struct map *functions,
		      const struct html_stack *h)
{
	const struct fxt_call_stack *stack = h->stack;
	uint32_t i = 0, end = stack->count;
	char text[SCHED_ADDRESS_BYTES];

	if (h->kind != REPORT_STACK_RAN)
		report_stack_range(r, stack, h->kind == REPORT_STACK_WAKER, &i, &end);
	json_array(j, NULL);
	for (; i < end; i++) {
		/* A zero may end a stack walked by frame pointers. */
		if (stack->frames[i])
			json_number(j, NULL, function_of(functions, sched_frame_name(r->symbols, stack, i, text),
							 fxt_sched_is_kernel(stack->frames[i])));
	}
	json_end(j, ']');
}

static void put_stacks(const struct report_html *h, struct json *j, const struct report_stacks *r)
{
	struct map functions = { 0 };
	struct function *f;
	size_t i;

	json_array(j, "stacks");
	for (i = 0; i < h->stack_room; i++) {
		if (h->stacks[i].stack)
			put_stack(j, r, &functions, &h->stacks[i]);
		else
			json_null(j, NULL);
	}
	json_end(j, ']');
	json_array(j, "functions");
	map_drain(&functions, f) {
		json_object(j, NULL);
		json_string(j, "name", f->name);
		json_boolean(j, "isKernel", f->is_kernel);
		json_end(j, '}');
		free(f);
	}
	json_end(j, ']');
}

/* --- the block --------------------------------------------------------------------------- */

void html_put_timeline(struct report_html *h, struct json *j, const struct report *r)
{
	json_number(j, "origin_ns", h->zero);
	json_number(j, "epoch_ns", r->totals.archive->epoch);
	json_number(j, "begin_ns", h->begin);
	json_number(j, "most", h->most);
	json_number(j, "cut_ns", h->cut);
	json_number(j, "spans", h->spans);
	json_number(j, "events", h->events);
	json_number(j, "threadsOfReport", r->thread_count);
	put_cpus(j, r);
	put_gaps(h, j);
	put_stacks(h, j, &r->stacks);
}
