// SPDX-License-Identifier: GPL-2.0-or-later
/* path.c - see path.h. */
#include <stdlib.h>

#include "account/wakers.h"
#include "terminal/memory.h"
#include "path.h"
#include "words.h"

#define NOBODY			((struct why_by){ .who = WHY_NOBODY })
#define EDGES_STEP		4	/* links above a part that a receiver looks at in one step */

/* --- the walk's state --------------------------------------------------------------------- */

struct why_walk {
	const struct history *h;
	struct account account;
	struct history_raised *raised;
	struct tape links;

	uint32_t link;		/* number of the current link */
	uint32_t turn;		/* of its thread */
	uint32_t newest;	/* a turn in the walk's part of the tape */
	uint64_t time;		/* ns: later time has been attributed */
	uint64_t to;		/* ns: the end of the window */
	why_part_fn *part;
	void *arg;
};

struct why_walk *why_open(const struct history *h, uint64_t windows, bool sorts)
{
	struct why_walk *w = new_zero(struct why_walk);

	w->h = h;
	tape_open(&w->links, sizeof(struct why_link), TAPE_LITTLE);
	w->raised = history_raised_open(h);
	account_open(&w->account, h, windows, sorts);
	return w;
}

void why_close(struct why_walk *w)
{
	if (!w)
		return;
	account_close(&w->account);
	history_raised_close(w->raised);
	tape_close(&w->links);
	free(w);
}

const struct why_link *why_link(const struct why_walk *w, uint32_t number)
{
	return tape_at(&w->links, number - 1);
}

void why_limit(struct why_walk *w, uint64_t steps)
{
	w->account.steps = (struct steps){ .left = steps };
}

void why_charge(struct why_walk *w, uint64_t steps)
{
	steps_charge(&w->account.steps, steps);
}

const struct history *why_history(const struct why_walk *w)
{
	return w->h;
}

/* --- parts ------------------------------------------------------------------------------- */

static void emit(void *arg, const struct account_part *about, const struct why_by *by, size_t count)
{
	struct why_walk *w = arg;
	const struct why_link *f = why_link(w, w->link);
	struct why_part p = {
		.from = about->from, .to = earlier(about->to, w->to),
		.link = w->link, .thread = f->thread,
		.turn = about->turn, .cpu = about->cpu, .cause = about->cause,
		.detail = about->detail, .stolen = about->stolen,
	};

	steps_charge(&w->account.steps, (f->depth < WHY_NEAR ? f->depth : WHY_NEAR) / EDGES_STEP);
	if (p.from >= p.to)
		return;
	p.memory = history_memory(w->h, p.thread, p.from, p.to);
	w->part(w->arg, w, &p, by, count);
}

/* Emit the part from @from to the walk's position, with one cause. */
static void emit_one(struct why_walk *w, enum why_cause cause, enum why_detail detail,
		     uint64_t from, struct why_by by)
{
	uint64_t to = earlier(w->time, w->to);
	struct account_part a = {
		.from = from, .to = to, .cpu = HISTORY_NO_CPU, .cause = cause, .detail = detail,
		.turn = w->turn,
	};

	by.ns = to > from ? to - from : 0;
	emit(w, &a, &by, by.who != WHY_NOBODY);
	w->time = from;
}

static void emit_unknown(struct why_walk *w, enum why_detail detail, uint64_t from)
{
	const struct history_time *gap = history_gap_before(w->h, w->time);

	if (detail == WHY_LOST && !(gap && gap->to >= from))
		detail = WHY_UNSHOWN;
	emit_one(w, WHY_UNKNOWN, detail, from, NOBODY);
}

/* --- it had a CPU ------------------------------------------------------------------------ */

/*
 * What the hypervisor took goes to the last part of a run, up to its length, then to the one
 * before.
 */
static void emit_own(struct why_walk *w, struct account_part *ran, uint64_t *stolen)
{
	ran->stolen = earlier(*stolen, ran->to - ran->from);
	*stolen -= ran->stolen;
	emit(w, ran, NULL, 0);
}

static void emit_run(struct why_walk *w, const struct history_turn *t, uint64_t from)
{
	struct account_part ran = { .cpu = t->cpu, .cause = WHY_RUNNING, .turn = w->turn };
	struct account_part hit = { .cpu = t->cpu, .cause = WHY_INTERRUPT, .turn = w->turn };
	const struct history_piece *p;
	uint64_t stolen;
	struct why_by by;

	ran.to = earlier(w->time, w->to);
	stolen = ran.to > from ? history_stolen(w->h, t, ran.to - from) : 0;
	while (ran.to > from &&
	       (p = occupants_piece(&w->account.occupants, t->cpu, from, ran.to))) {
		steps_charge(&w->account.steps, 1);
		ran.from = hit.to = earlier(p->to, ran.to);
		hit.from = later(p->from, from);
		emit_own(w, &ran, &stolen);
		by = (struct why_by){ .who = WHY_ORIGIN, .id = p->origin, .ns = hit.to - hit.from };
		emit(w, &hit, &by, 1);
		ran.to = hit.from;
	}
	ran.from = from;
	if (ran.to > from)
		emit_own(w, &ran, &stolen);
	w->time = from;
}

/* --- it was runnable --------------------------------------------------------------------- */

static void emit_ready(struct why_walk *w, uint64_t from)
{
	uint64_t end = earlier(w->time, w->to);

	if (end > from)
		account_turn(&w->account, w->turn, from, end, emit, w);
	w->time = from;
}

/* --- it slept ---------------------------------------------------------------------------- */

/*
 * Continue with what the waker did since @from; the sleep began at @slept. The waker's turn began
 * before the one that it woke, so there is no circle, even if threads wake each other at one time.
 */
static void push(struct why_walk *w, const struct history_turn *t, uint32_t waker_turn,
		 uint64_t from, uint64_t slept)
{
	struct why_link *f = tape_add(&w->links);
	const struct why_link *parent = why_link(w, w->link);

	*f = (struct why_link){
		.parent = w->link, .thread = t->waker - 1, .turn = w->turn,
		.depth = parent->depth + 1, .next = t->before, .from = from, .slept = slept,
		.via = parent->depth ? parent->via : w->links.count,
		.near = parent->depth < WHY_NEAR ? w->links.count : parent->near,
	};
	w->link = w->links.count;
	w->turn = waker_turn;
}

/* The parent's sleep is explained as far as possible: continue before it. */
static void pop(struct why_walk *w)
{
	const struct why_link *f = why_link(w, w->link);
	uint64_t from = later(f->slept, why_link(w, f->parent)->from);

	w->link = f->parent;
	w->turn = f->turn;
	if (w->time > from)
		emit_unknown(w, WHY_LOST, from);
	w->turn = f->next;
}

static struct why_by origin_by(uint32_t origin)
{
	return (struct why_by){ .who = WHY_ORIGIN, .id = origin };
}

/* A request ended the sleep; @from: since when it slept */
static struct why_by request_by(const struct why_walk *w, const struct history_done *done,
				uint64_t from)
{
	struct why_by by = origin_by(done->origin);
	uint64_t to = earlier(earlier(w->time, w->to), done->issued);

	from = later(from, done->queued);
	by.queued = done->queued && to > from ? to - from : 0;
	return by;
}

/*
 * What ended a sleep: the completed request, the expired timer, the arrived data, or the interrupt,
 * by its name if it was recorded. The archive does not have the CPU of an interrupt that hit an
 * idle CPU; it is that of the run queue, unless the CPU with the interrupt only asked that one to
 * run the thread.
 */
static void emit_interrupted(struct why_walk *w, const struct history_turn *t, uint64_t from)
{
	bool is_known = t->irq_cpu != HISTORY_NO_CPU;
	uint16_t cpu = is_known ? t->irq_cpu : t->ready_cpu;
	const struct history_ended ended = history_ended_by(w->h, t);
	const struct history_piece *p = NULL;

	if (ended.request || ended.timer || ended.data) {
		emit_one(w, WHY_ASLEEP, ended.is_own ? WHY_OWN : WHY_PLAIN, from,
			 ended.timer ? origin_by(ended.timer->origin) :
			 ended.data ? origin_by(ended.data->origin) :
				      request_by(w, ended.request, from));
		return;
	}
	if (w->h->cpus[cpu])
		p = occupants_piece(&w->account.occupants, cpu, t->ready, t->ready + (t->ready != UINT64_MAX));
	if (p && (is_known || !why_is_message(history_origin(w->h, p->origin))))
		emit_one(w, WHY_ASLEEP, WHY_PLAIN, from, origin_by(p->origin));
	else
		emit_one(w, WHY_ASLEEP, WHY_PLAIN, from,
			 (struct why_by){ .who = WHY_IRQ, .id = t->irq });
}

/*
 * What ended the sleep explains it. The waker is not the cause of time after it left its CPU; the thread
 * waits for a CPU only from the wakeup on. @from: since when it slept, for certain
 */
static void emit_ended(struct why_walk *w, const struct history_turn *t, uint64_t from,
		       uint64_t slept)
{
	struct account_waker waker = account_waker(&w->account, w->raised, t);

	switch (waker.by) {
	case ENDED_BY_THREAD:
		if (waker.left < t->ready)
			emit_one(w, WHY_ASLEEP, WHY_WAKING, later(waker.left, from),
				 (struct why_by){ .who = WHY_THREAD, .id = t->waker - 1 });
		push(w, t, waker.turn, from, slept);
		break;
	case ENDED_BY_INTERRUPT:
		emit_interrupted(w, t, from);
		break;
	default:
		emit_unknown(w, t->waker ? WHY_UNSEEN : WHY_UNWOKEN, from);
	}
}

/* The thread was woken for turn @t: walk back to where it went to sleep. */
static void emit_sleep(struct why_walk *w, const struct history_turn *t)
{
	const struct why_link *f = why_link(w, w->link);
	const struct history_turn *before = t->before ? history_turn(w->h, t->before) : NULL;
	uint64_t slept = before ? history_turn_end(w->h, before) : w->h->first;
	uint64_t from = later(slept, f->from);
	const struct history_time *gap = history_gap_before(w->h, w->time);

	if (from >= w->time)
		w->turn = t->before;
	else if (before && before->state == SCHED_UNKNOWN)
		emit_unknown(w, WHY_LOST, from);
	else if (w->account.lacks_cpus)
		emit_unknown(w, WHY_FILTERED, from);
	/* A wakeup explains the sleep since the last loss. */
	else if (w->time < t->ready || (gap && gap->to >= w->time))
		emit_unknown(w, WHY_LOST, from);
	else
		emit_ended(w, t, gap ? later(gap->to, from) : from, slept);
}

/* --- the walk ---------------------------------------------------------------------------- */

/* The thread's last turn is over, and no turn follows. */
static void emit_rest(struct why_walk *w, const struct history_turn *t, uint64_t from)
{
	bool sleeps = t->state != SCHED_UNKNOWN && t->state != '+' && t->has_run &&
		      !t->ran_unseen;
	const struct history_time *gap = history_gap_before(w->h, w->time);

	if (!sleeps || w->h->threads[t->thread]->end || (gap && gap->to > from))
		emit_unknown(w, WHY_LOST, from);
	else
		emit_one(w, WHY_ASLEEP, WHY_OPEN, from, NOBODY);
}

/* The time before @t is unknown. */
static void emit_unseen(struct why_walk *w, const struct history_turn *t)
{
	const struct history_turn *before = t->before ? history_turn(w->h, t->before) : NULL;
	uint64_t since = before ? history_turn_end(w->h, before) : 0;

	since = later(earlier(since, w->time), why_link(w, w->link)->from);
	if (since < w->time)
		emit_unknown(w, before ? WHY_LOST : WHY_EARLY, since);
	w->turn = t->before;
}

/* One step back in time, or to another turn. */
static void step(struct why_walk *w)
{
	uint64_t least = why_link(w, w->link)->from;
	const struct history_turn *t;
	uint64_t end;

	if (!w->turn) {
		emit_unknown(w, WHY_EARLY, least);
		return;
	}
	if (w->turn < w->newest && tape_passed(w->turn, w->newest)) {
		tape_leave(&w->h->turns, w->newest);
		w->newest = w->turn;
	}
	t = history_turn(w->h, w->turn);
	end = history_turn_end(w->h, t);
	if (end < w->time)
		emit_rest(w, t, later(end, least));
	else if (t->has_run && t->from < w->time)
		emit_run(w, t, later(t->from, least));
	else if (t->begin != HISTORY_UNSEEN && t->ready < w->time)
		emit_ready(w, later(t->ready, least));
	else if (t->begin == HISTORY_WOKEN)
		emit_sleep(w, t);
	else if (t->begin == HISTORY_UNSEEN || t->begin == HISTORY_SEEN)
		emit_unseen(w, t);
	else
		w->turn = t->before;
}

/* Earlier time is not looked at. */
static void give_up(struct why_walk *w)
{
	w->link = 1;
	w->turn = HISTORY_NONE;
	emit_unknown(w, WHY_BEYOND, why_link(w, 1)->from);
}

/*
 * The turn to begin with: the last one that begins no later than the window ends; or the one after
 * it, if that shows what ended the sleep in which the window ends.
 */
static uint32_t first_turn(struct why_walk *w, const struct why_window *window, uint64_t *time)
{
	uint32_t number = window->turn, after = HISTORY_NONE;
	const struct history_turn *t;

	number = number ? number : w->h->threads[window->thread]->last;
	for (; number; after = number, number = t->before) {
		t = history_turn(w->h, number);
		if (t->ready < window->to)
			break;
		if (tape_passed(number, t->before))
			tape_leave(&w->h->turns, number);
	}
	*time = window->to;
	if (!after || (number && history_turn_end(w->h, history_turn(w->h, number)) >= window->to))
		return number;
	t = history_turn(w->h, after);
	*time = later(t->ready, window->to);
	return after;
}

void why_go(struct why_walk *w, const struct why_window *window, why_part_fn *part, void *arg)
{
	struct why_link *root;

	tape_empty(&w->links);
	root = tape_add(&w->links);
	*root = (struct why_link){ .thread = window->thread, .from = window->from };
	w->link = 1;
	w->part = part;
	w->arg = arg;
	w->to = window->to;
	w->turn = first_turn(w, window, &w->time);
	w->newest = w->turn;
	account_rewind(&w->account, w->time);
	for (;;) {
		if (w->time <= why_link(w, w->link)->from) {
			if (w->link == 1)
				return;
			pop(w);
		} else if (steps_spend(&w->account.steps)) {
			step(w);
		} else {
			give_up(w);
		}
	}
}
