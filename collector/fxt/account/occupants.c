// SPDX-License-Identifier: GPL-2.0-or-later
/* occupants.c - see occupants.h. */
#include <stdlib.h>

#include "occupants.h"
#include "terminal/memory.h"

#define STEPS_LEAST		(1U << 22)	/* for all walks, besides those for each turn */
#define STEPS_SUM		4	/* for a sum that the receiver of a part keeps */

/* Half of the steps are for windows that need many. */
void steps_open(struct steps *s, const struct history *h, uint64_t windows)
{
	s->left = STEPS_LEAST / 2 + h->turns.count * ACCOUNT_QUEUE;
	s->window = s->left / (int64_t)(windows ? windows : 1) + 1;
}

#define OCCUPANTS_BESIDES	2	/* entries besides threads and origins: unknown, others */

/* Find a CPU's position at or a little after a time. */
static struct occupants_at at_time(const struct history_cpu *cpu, uint64_t time)
{
	const struct history_point *point = history_point_at(cpu, time);

	if (!point)
		return (struct occupants_at){ cpu->last, cpu->piece, 0 };
	return (struct occupants_at){ point->turn, point->piece, 0 };
}

void occupants_rewind(struct occupants *o, uint64_t time)
{
	o->round++;
	o->time = time;
}

/* The position where a CPU was left since it was rewound. */
static struct occupants_at *place_of(struct occupants *o, uint16_t cpu)
{
	struct occupants_at *at = &o->at[cpu];

	if (at->round != o->round) {
		*at = o->h->cpus[cpu] ? at_time(o->h->cpus[cpu], o->time) :
					(struct occupants_at){ 0 };
		at->round = o->round;
	}
	return at;
}

void occupants_start(struct occupants *o, const struct history_turn *t)
{
	struct occupants_at *at = &o->at[t->cpu];
	const struct history_cpu *cpu = o->h->cpus[t->cpu];

	if (at->round == o->round || !cpu)
		return;
	at->turn = t->cpu_before;
	at->piece = cpu->piece ? at_time(cpu, o->time).piece : HISTORY_NONE;
	at->round = o->round;
}

uint32_t occupants_turn(struct occupants *o, uint16_t cpu)
{
	return place_of(o, cpu)->turn;
}

void occupants_open(struct occupants *o, const struct history *h, struct steps *steps, bool sorts)
{
	size_t ids;

	sched_model_origins(h->model, &o->origins);
	ids = h->thread_count + o->origins + OCCUPANTS_BESIDES;
	o->h = h;
	o->steps = steps;
	o->sorts = sorts;
	o->at = must(calloc(HISTORY_CPUS, sizeof(*o->at)));
	o->slots = must(calloc(ids, sizeof(*o->slots)));
	occupants_rewind(o, UINT64_MAX);
}

void occupants_close(struct occupants *o)
{
	free(o->at);
	free(o->slots);
	free(o->by);
}

/* Idle threads of all CPUs share an entry, and so does unknown time. Returns NULL without time. */
static struct why_by *add(struct occupants *o, enum why_who who, uint32_t id, int32_t weight,
			  uint64_t ns)
{
	struct occupants_slot *slot;
	size_t number = id;

	if (!ns)
		return NULL;
	if (who == WHY_ORIGIN)
		number += o->h->thread_count;
	else if (who == WHY_NOBODY || who == WHY_OTHERS)
		number = o->h->thread_count + o->origins + (who == WHY_OTHERS);
	slot = &o->slots[number];
	if (slot->mark != o->mark) {
		array_hold(o->by, o->room, o->count + 1);
		*slot = (struct occupants_slot){ o->mark, o->count };
		o->by[o->count++] = (struct why_by){ .who = who, .id = id, .weight = weight };
	}
	o->by[slot->place].ns += ns;
	return &o->by[slot->place];
}

const struct history_piece *occupants_piece(struct occupants *o, uint16_t cpu, uint64_t from,
					    uint64_t to)
{
	struct occupants_at *at = place_of(o, cpu);
	const struct history_piece *p;

	while (at->piece) {
		p = history_piece(o->h, at->piece);
		if (p->from < to)
			return p->to > from ? p : NULL;
		at->piece = p->before;
		steps_charge(o->steps, 1);
	}
	return NULL;
}

/*
 * Add the interrupts in a thread's time on the CPU, and the thread's time without them. When no
 * steps are left, earlier interrupts are not looked at.
 */
static void add_run(struct occupants *o, uint16_t cpu, const struct history_turn *t, uint64_t from,
		    uint64_t to)
{
	enum why_who who = o->h->threads[t->thread]->sched->koid ? WHY_THREAD : WHY_IDLE;
	const struct history_piece *p;
	uint64_t end = to, begin, own = 0;
	struct why_by *by;

	while (end > from && (p = occupants_piece(o, cpu, from, end))) {
		if (!steps_spend(o->steps)) {
			add(o, WHY_OTHERS, 0, 0, end - from);
			end = from;
			break;
		}
		begin = later(p->from, from);
		own += end - earlier(p->to, end);
		add(o, WHY_ORIGIN, p->origin, 0, earlier(p->to, end) - begin);
		end = begin;
	}
	own += end > from ? end - from : 0;
	by = add(o, who, t->thread, t->weight, own);
	if (by)
		by->stolen += history_stolen(o->h, t, own);
}

static int by_time(const void *a, const void *b)
{
	const struct why_by *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->who != y->who ? x->who - y->who : x->id < y->id ? -1 : x->id > y->id;
}

static void sort(struct occupants *o)
{
	struct why_by first;
	size_t i, most = 0;

	if (o->sorts && o->count > 1)
		qsort(o->by, o->count, sizeof(*o->by), by_time);
	if (o->sorts || !o->count)
		return;
	for (i = 1; i < o->count; i++)
		if (by_time(&o->by[i], &o->by[most]) < 0)
			most = i;
	first = o->by[most];
	o->by[most] = o->by[0];
	o->by[0] = first;
}

void occupants_find(struct occupants *o, uint16_t cpu, uint64_t from, uint64_t to)
{
	struct occupants_at *at = place_of(o, cpu);
	const struct history_turn *t;
	enum why_who who = WHY_NOBODY;
	uint64_t end = to, begin;

	o->mark++;
	o->count = 0;
	while (at->turn && end > from) {
		t = history_turn(o->h, at->turn);
		if (t->to <= from)
			break;
		if (!steps_spend(o->steps)) {
			who = WHY_OTHERS;
			break;
		}
		if (t->from < end) {
			begin = later(t->from, from);
			add(o, WHY_NOBODY, 0, 0, end - earlier(t->to, end));
			end = earlier(t->to, end);
			add_run(o, cpu, t, begin, end);
			end = begin;
		}
		if (t->from < from)
			break;
		at->turn = t->cpu_before;
	}
	if (end > from)
		add(o, who, 0, 0, end - from);
	steps_charge(o->steps, STEPS_SUM * (uint64_t)o->count);
	sort(o);
}
