// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * raised.c - did a thread raise the soft interrupt that hit it?
 *
 * A soft interrupt runs on the CPU that raised it. If interrupts were recorded and none hit that
 * CPU since the thread got it, and ksoftirqd, which runs what others have raised, slept all that
 * time, then the thread raised it.
 *
 * On PREEMPT_RT, a thread that raised a soft interrupt may be preempted before it serves it. There
 * the proof also needs that the previous thread on the CPU went to sleep, or was the idle thread:
 * what interrupts raise there wakes ksoftirqd.
 */
#include <stdlib.h>

#include "history.h"
#include "terminal/memory.h"

#define PIECES_SEARCH	1024	/* limit of parts of interrupts looked at for one wakeup */
#define SAMPLE_TURNS	64	/* turns from one sample to the next */

/* A turn of ksoftirqd, and when ksoftirqd became runnable for it (ns). */
struct sample {
	uint64_t ready;
	uint32_t turn;
};

/* ksoftirqd of a CPU, which runs soft interrupts that others have raised. */
struct server {
	bool is_sampled;		/* @samples is filled */
	struct sample *samples;		/* the last turn first */
	size_t count;
};

struct history_raised {
	const struct history *h;
	struct server *servers;
	const uint32_t *ksoftirqd;	/* by CPU, from sched_model_ksoftirqd() */
	bool is_rt;			/* PREEMPT_RT */
};

struct history_raised *history_raised_open(const struct history *h)
{
	struct history_raised *r = new_zero(struct history_raised);

	r->servers = must(calloc(HISTORY_CPUS, sizeof(*r->servers)));
	r->h = h;
	r->ksoftirqd = sched_model_ksoftirqd(h->model);
	r->is_rt = sched_model_is_rt(h->model);
	return r;
}

void history_raised_close(struct history_raised *r)
{
	size_t i;

	for (i = 0; i < HISTORY_CPUS; i++)
		free(r->servers[i].samples);
	free(r->servers);
	free(r);
}

/* Find the last piece that begins before a time, or one a little later. */
static uint32_t piece_near(const struct history_cpu *cpu, uint64_t time)
{
	const struct history_point *point = history_point_at(cpu, time);

	return point ? point->piece : cpu->piece;
}

/* May an interrupt other than a soft one have hit the CPU? */
static bool was_hit(const struct history *h, const struct history_cpu *cpu, uint64_t from,
		    uint64_t to)
{
	uint32_t number = piece_near(cpu, to), tries = 0;
	const struct history_piece *p;

	for (; number && tries < PIECES_SEARCH; number = p->before, tries++) {
		p = history_piece(h, number);
		if (p->from < to && p->to <= from)
			return false;
		if (p->from < to && history_origin(h, p->origin)->what != KERNEL_SOFTIRQ)
			return true;
	}
	return number;
}

static void sample(const struct history *h, struct server *s, uint32_t id)
{
	const struct history_thread *thread = h->threads[id];
	uint32_t number = thread ? thread->last : HISTORY_NONE, turns = 0;
	const struct history_turn *t;

	for (; number; number = t->before) {
		t = history_turn(h, number);
		if (turns++ % SAMPLE_TURNS == 0) {
			array_more(s->samples, s->count);
			s->samples[s->count++] = (struct sample){ t->ready, number };
		}
		if (tape_passed(number, t->before))
			tape_leave(&h->turns, number);
	}
	s->is_sampled = true;
}

/* Find a turn of ksoftirqd that begins at @time or a little later, or its last turn. */
static uint32_t turn_near(const struct server *s, uint64_t time)
{
	size_t count = array_front(s->count, i, s->samples[i].ready >= time);

	return s->count ? s->samples[count ? count - 1 : 0].turn : HISTORY_NONE;
}

static bool slept(struct history_raised *r, uint16_t cpu, uint64_t from, uint64_t to)
{
	struct server *s = &r->servers[cpu];
	const struct history *h = r->h;
	bool was_woken = true;		/* for the turn after @to */
	const struct history_turn *t;
	uint32_t number;

	if (!r->ksoftirqd[cpu])
		return false;
	if (!s->is_sampled)
		sample(h, s, r->ksoftirqd[cpu] - 1);
	for (number = turn_near(s, to); number; number = t->before) {
		t = history_turn(h, number);
		if (t->ready < to)
			return was_woken && history_turn_end(h, t) <= from &&
			       t->state != SCHED_UNKNOWN;
		was_woken = t->begin == HISTORY_WOKEN;
	}
	return was_woken;
}

/* Did the turn begin when another thread was preempted, which may have raised a soft interrupt? */
static bool has_preempted(const struct history *h, const struct history_turn *turn)
{
	const struct history_turn *before;

	before = turn->cpu_before ? history_turn(h, turn->cpu_before) : NULL;
	return before && before->to == turn->from && history_koid(h, before->thread) &&
	       (before->state == 'R' || before->state == '+' || before->state == SCHED_UNKNOWN);
}

bool history_raised_by(struct history_raised *r, const struct history_turn *turn,
		       uint64_t until)
{
	const struct history_cpu *cpu;

	if (!r->ksoftirqd || !turn->has_run || turn->begin == HISTORY_UNSEEN)
		return false;
	if (r->is_rt && has_preempted(r->h, turn))
		return false;
	cpu = r->h->cpus[turn->cpu];
	return cpu && !was_hit(r->h, cpu, turn->from, until) &&
	       slept(r, turn->cpu, turn->from, until);
}
