// SPDX-License-Identifier: GPL-2.0-or-later
/* occupants.c - see occupants.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/array.h"
#include "occupants.h"

/* Where a CPU is at or after a time, not far from it. */
static struct occupants_at at_time(const struct history_cpu *cpu, uint64_t time)
{
	size_t low = 0, high = cpu->point_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (cpu->points[middle].from < time)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == cpu->point_count)
		return (struct occupants_at){ cpu->last, cpu->piece };
	return (struct occupants_at){ cpu->points[low].turn, cpu->points[low].piece };
}

void occupants_rewind(struct occupants *o, uint64_t time)
{
	size_t i;

	for (i = 0; i < HISTORY_CPUS; i++)
		if (o->h->cpus[i])
			o->at[i] = at_time(o->h->cpus[i], time);
}

int occupants_open(struct occupants *o, const struct history *h)
{
	size_t ids;

	sched_model_sources(h->model, &o->sources);
	ids = h->thread_count + o->sources + 1;
	o->h = h;
	o->at = calloc(HISTORY_CPUS, sizeof(*o->at));
	o->marks = calloc(ids, sizeof(*o->marks));
	o->slots = calloc(ids, sizeof(*o->slots));
	if (!o->at || !o->marks || !o->slots)
		return -ENOMEM;
	occupants_rewind(o, UINT64_MAX);
	return 0;
}

void occupants_close(struct occupants *o)
{
	free(o->at);
	free(o->marks);
	free(o->slots);
	free(o->by);
}

struct occupants_at occupants_keep(const struct occupants *o, uint16_t cpu)
{
	return o->at[cpu];
}

void occupants_restore(struct occupants *o, uint16_t cpu, struct occupants_at at)
{
	o->at[cpu] = at;
}

/* Idle threads of all CPUs, and time of which nothing is known, are one each. */
static int add(struct occupants *o, enum why_who who, uint32_t id, uint64_t ns)
{
	uint32_t slot = who == WHY_SOURCE ? o->h->thread_count + id : id;

	if (!ns)
		return 0;
	if (who == WHY_NOBODY)
		slot = o->h->thread_count + o->sources;
	if (o->marks[slot] != o->mark) {
		if (array_reserve(o->by, o->room, o->count + 1))
			return -ENOMEM;
		o->marks[slot] = o->mark;
		o->slots[slot] = o->count;
		o->by[o->count++] = (struct why_by){ .who = who, .id = id };
	}
	o->by[o->slots[slot]].ns += ns;
	return 0;
}

const struct history_piece *occupants_piece(struct occupants *o, uint16_t cpu, uint64_t from,
					    uint64_t to)
{
	const struct history_piece *p;

	while (o->at[cpu].piece) {
		p = history_piece(o->h, o->at[cpu].piece);
		if (p->from < to)
			return p->to > from ? p : NULL;
		o->at[cpu].piece = p->before;
	}
	return NULL;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* A thread had the CPU, and within that time interrupts had it. */
static int add_run(struct occupants *o, uint16_t cpu, uint32_t thread, uint64_t from, uint64_t to)
{
	enum why_who who = o->h->threads[thread]->sched->koid ? WHY_THREAD : WHY_IDLE;
	const struct history_piece *p;
	uint64_t end = to, begin, own = 0;
	int ret = 0;

	while (!ret && end > from && (p = occupants_piece(o, cpu, from, end))) {
		begin = later(p->from, from);
		own += end - earlier(p->to, end);
		ret = add(o, WHY_SOURCE, p->source, earlier(p->to, end) - begin);
		end = begin;
	}
	return ret ? ret : add(o, who, thread, own + (end > from ? end - from : 0));
}

static int by_time(const void *a, const void *b)
{
	const struct why_by *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->who != y->who ? x->who - y->who : x->id < y->id ? -1 : x->id > y->id;
}

int occupants_find(struct occupants *o, uint16_t cpu, uint64_t from, uint64_t to)
{
	struct occupants_at *at = &o->at[cpu];
	const struct history_turn *t;
	uint64_t end = to, begin;
	int ret = 0;

	o->mark++;
	o->count = 0;
	while (!ret && at->turn && end > from) {
		t = history_turn(o->h, at->turn);
		if (t->to <= from)
			break;
		if (t->from < end) {
			begin = later(t->from, from);
			ret = add(o, WHY_NOBODY, 0, end - earlier(t->to, end));
			end = earlier(t->to, end);
			ret = ret ? ret : add_run(o, cpu, t->thread, begin, end);
			end = begin;
		}
		if (t->from < from)
			break;
		at->turn = t->cpu_before;
	}
	if (!ret && end > from)
		ret = add(o, WHY_NOBODY, 0, end - from);
	if (!ret && o->count > 1)
		qsort(o->by, o->count, sizeof(*o->by), by_time);
	return ret;
}
