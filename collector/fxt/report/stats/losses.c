// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * losses.c - where the time of threads went that they could have used, summed by group of threads,
 * cause and culprit.
 *
 * While a thread sleeps, it loses what the thread that wakes it in the end loses meanwhile, as in
 * fxt why.
 * Must hold: all walks together take a limited number of steps; after that, the sums are lower
 * bounds, and @beyond has the time that was not looked at.
 */
#include <stdlib.h>
#include <string.h>

#include "losses.h"
#include "why/words.h"

#define RECORDER	"fxt-collect"
#define AHEAD_STEP	2	/* requests that are looked at, twice each, in one step */

void losses_open(struct losses *l, struct report_engine *e, uint64_t steps)
{
	*l = (struct losses){ .e = e, .h = e->history };
	l->group_of = must(calloc(l->h->thread_count + 1, sizeof(*l->group_of)));
	l->walk = why_open(l->h, 1, false);
	why_limit(l->walk, steps);
}

void losses_close(struct losses *l)
{
	map_free_all(&l->group_map, struct loss_group);
	map_free_all(&l->loss_map, struct loss);
	free(l->groups);
	free(l->losses);
	free(l->group_of);
	why_close(l->walk);
}

/* --- groups ------------------------------------------------------------------------------ */

static const char *process_name(const struct sched_thread *t)
{
	return t->owner ? t->owner->name : "";
}

static struct loss_group *find_group(struct losses *l, const struct report_thread *t)
{
	const char *process = process_name(t->sched), *name = t->sched->name;
	uint64_t hash = map_hash(fxt_hash_bytes(name, strlen(name)),
				 fxt_hash_bytes(process, strlen(process)));
	struct loss_group *g;
	unsigned int cause;

	if (!map_get(&l->group_map, hash, g, g->thread->is_shown == t->is_shown &&
		     !strcmp(g->thread->sched->name, name) &&
		     !strcmp(process_name(g->thread->sched), process)))
		return g;
	for (cause = 0; cause < LOSS_CAUSES; cause++)
		g->total[cause].cpu = HISTORY_NO_CPU;
	g->thread = t;
	g->is_recorder = !strcmp(process, RECORDER) || !strcmp(name, RECORDER);
	g->number = l->group_count;
	array_more(l->groups, l->group_count);
	l->groups[l->group_count++] = g;
	return g;
}

const struct report_thread *losses_thread(const struct losses *l, uint32_t thread)
{
	size_t count;

	return engine_thread(l->e, sched_model_threads(l->e->model, &count)[thread]);
}

struct loss_group *losses_group(struct losses *l, uint32_t thread)
{
	struct sched_thread *s = l->h->threads[thread]->sched;
	struct loss_group *g;

	while (s->same)
		s = s->same;
	if (l->group_of[s->id])
		return l->groups[l->group_of[s->id] - 1];
	g = find_group(l, losses_thread(l, s->id));
	l->group_of[s->id] = g->number + 1;
	g->threads++;
	return g;
}

/* --- sums -------------------------------------------------------------------------------- */

static struct loss *loss_of(struct losses *l, uint32_t victim, enum loss_cause cause, uint32_t by)
{
	struct loss *loss;

	if (!map_get(&l->loss_map, map_hash((uint64_t)victim << 32 | by, cause), loss,
		     loss->victim == victim && loss->cause == cause && loss->by == by))
		return loss;
	loss->victim = victim;
	loss->cause = cause;
	loss->by = by;
	loss->cpu = HISTORY_NO_CPU;
	array_more(l->losses, l->loss_count);
	l->losses[l->loss_count++] = loss;
	return loss;
}

/* The victim slept until @last meanwhile; of a full list, the least is dropped. */
static void note_last(struct loss *loss, uint32_t last, uint64_t ns)
{
	struct loss_last *least = loss->lasts, *at;

	for (at = loss->lasts; at < loss->lasts + LOSS_LASTS; at++) {
		if (at->ns && at->group == last) {
			at->ns += ns;
			return;
		}
		least = at->ns < least->ns ? at : least;
	}
	if (!least->ns || least->ns < ns)
		*least = (struct loss_last){ last, ns };
}

/* Is it about a wait that was not over at the end? */
static bool is_open(const struct losses *l, const struct why_part *p)
{
	const struct history_turn *t = p->turn ? history_turn(l->h, p->turn) : NULL;

	return t && !t->has_run && !t->is_over;
}

/*
 * Add a part, or one culprit's time in it. Parts that meet are one wait, because a walk goes back in
 * time; parts of one sleep are one, even if it does not all count.
 */
static void add(struct losses *l, struct loss *loss, const struct why_part *p, uint64_t ns)
{
	const struct why_link *f = why_link(l->walk, p->link);
	uint32_t sleep = f->depth ? why_link(l->walk, f->via)->turn : HISTORY_NONE;

	if (loss->window != l->windows || loss->sleep != sleep ||
	    (!sleep && loss->from != p->to && loss->from != p->from)) {
		loss->count++;
		loss->current = 0;
		loss->goes_on = !sleep && is_open(l, p);
	}
	loss->window = l->windows;
	loss->sleep = sleep;
	loss->from = p->from;
	loss->current += ns;
	loss->ns += ns;
	if (loss->current > loss->longest) {
		loss->longest = loss->current;
		loss->longest_from = p->from;
		loss->is_open = loss->goes_on;
		loss->turn = sleep ? sleep : p->turn;
	}
	if (!f->depth)
		loss->direct += ns;
	else
		note_last(loss, losses_group(l, p->thread)->number, ns);
	loss->cpu = loss->cpu == HISTORY_NO_CPU ? p->cpu : loss->cpu;
	loss->elsewhere += loss->cpu != p->cpu ? ns : 0;
}

/* Add to the victim's sum of the cause, and to the culprit's part in it. */
static void lose(struct losses *l, enum loss_cause cause, const struct why_part *p, uint32_t by,
		 uint32_t thread, uint64_t ns)
{
	struct loss *loss = loss_of(l, l->victim->number, cause, by);

	add(l, &l->victim->total[cause], p, ns);
	if (!loss->ns)
		loss->thread = thread;
	loss->is_several |= loss->thread != thread;
	add(l, loss, p, ns);
}

/* Did the waker of the sleep that the part is in end then? Then the sleeper has joined it. */
static bool is_join(const struct losses *l, const struct why_part *p)
{
	const struct why_link *via = why_link(l->walk, why_link(l->walk, p->link)->via);
	uint32_t turn = history_turn(l->h, via->turn)->waker_turn;
	char state = turn ? history_turn(l->h, turn)->state : SCHED_UNKNOWN;

	return state == 'X' || state == 'Z';
}

/* A quota that was used up on the CPU meanwhile, of whatever cgroup: 1 + its id, or 0. */
static uint32_t quota_near(const struct losses *l, const struct why_part *p)
{
	const struct history_cpu *cpu = p->cpu != HISTORY_NO_CPU ? l->h->cpus[p->cpu] : NULL;
	size_t count = cpu ? cpu->throttled_count : 0;
	size_t n = array_front(count, i, cpu->throttled[i].to <= p->from);

	return n < count && cpu->throttled[n].from < p->to ? cpu->throttled[n].origin + 1 : 0;
}

/* Why does a thread that has the CPU keep the victim from it? */
static enum loss_cause cause_of(const struct losses *l, const struct loss_group *by)
{
	if (by->is_recorder && !l->victim->is_recorder)
		return LOSS_RECORDER;
	return l->victim->takes_turns && by->thread->process == l->victim->thread->process ?
	       LOSS_TURN : LOSS_BEHIND;
}

static void lose_to(struct losses *l, const struct why_part *p, const struct why_by *by)
{
	struct loss_group *g;
	enum loss_cause cause;

	switch (by->who) {
	case WHY_THREAD:
		g = losses_group(l, by->id);
		cause = cause_of(l, g);
		lose(l, cause, p, g->number, by->id, by->ns);
		l->victim->total[cause].host += by->stolen;
		break;
	case WHY_ORIGIN:
		lose(l, LOSS_INTERRUPT, p, by->id, by->id, by->ns);
		break;
	case WHY_IDLE:
		lose(l, LOSS_IDLE, p, quota_near(l, p), 0, by->ns);
		l->victim->total[LOSS_IDLE].host += by->stolen;
		break;
	case WHY_OTHERS:
		add(l, &l->victim->total[LOSS_BEHIND], p, by->ns);
		l->beyond += by->ns;
		break;
	default:
		lose(l, LOSS_UNKNOWN, p, 0, 0, by->ns);
	}
}

/* Was the sleep before the part's turn one that signals do not end, as for a disk? */
static bool is_blocked(const struct losses *l, const struct why_part *p)
{
	uint32_t before = p->turn ? history_turn(l->h, p->turn)->before : 0;

	return before && history_turn(l->h, before)->state == 'D';
}

/* A timer is no device. Only the kernel sleeps so for data: its device is in the network. */
static bool is_timer(const struct losses *l, const struct why_by *by)
{
	return by->who == WHY_ORIGIN && history_origin(l->h, by->id)->what == KERNEL_TIMER;
}

static bool is_request(const struct losses *l, const struct why_part *p, const struct why_by *by)
{
	return p->cause == WHY_ASLEEP && by->who == WHY_ORIGIN &&
	       history_origin(l->h, by->id)->what == KERNEL_REQUEST;
}

/* In other states than D, a thread without work sleeps, and a request may give it some. */
static void lose_to_request(struct losses *l, const struct why_part *p, const struct why_by *by)
{
	const struct history_done *done = why_ended(l->h, p->turn).request;
	struct history_ahead ahead;
	uint32_t group;

	if (!done || (p->link == 1 && !is_blocked(l, p)))
		return;
	lose(l, LOSS_REQUEST, p, by->id, by->id, by->ns);
	l->victim->total[LOSS_REQUEST].queued += by->queued;
	ahead = history_ahead_of(l->h, done);
	why_charge(l->walk, ahead.looked / AHEAD_STEP);
	if (!ahead.thread)
		return;
	group = losses_group(l, ahead.thread - 1)->number;
	lose(l, LOSS_AHEAD, p, group, ahead.thread - 1, by->ns);
}

static void add_part(void *arg, const struct why_walk *w, const struct why_part *p,
		     const struct why_by *by, size_t count)
{
	struct losses *l = arg;
	uint64_t ns = p->to - p->from;
	bool is_other = p->link > 1;
	const struct loss_group *g;
	size_t i;

	(void)w;
	if (p->cpu != HISTORY_NO_CPU && !engine_has_cpu(l->e, p->cpu))
		return;
	g = losses_group(l, p->thread);
	/* It was runnable, or the thread that it waited for. */
	for (i = 0; p->cause == WHY_RUNNABLE && i < count; i++)
		lose_to(l, p, &by[i]);
	if (p->cause == WHY_THROTTLED || p->cause == WHY_LIMITED || p->cause == WHY_INTERRUPT)
		lose(l, p->cause == WHY_THROTTLED ? LOSS_THROTTLED :
		     p->cause == WHY_LIMITED ? LOSS_LIMITED : LOSS_INTERRUPT, p, by->id, by->id, ns);
	else if (p->cause == WHY_RUNNING && is_other && !is_join(l, p))
		lose(l, LOSS_RUN, p, g->number, p->thread, ns);
	else if (count && is_request(l, p, by))
		lose_to_request(l, p, by);
	else if (p->cause == WHY_ASLEEP && is_other && count && by->who != WHY_THREAD &&
		 is_blocked(l, p) && !is_timer(l, by) && !is_join(l, p))
		lose(l, LOSS_IO, p, g->number, p->thread, ns);
	else if (p->cause == WHY_UNKNOWN && p->detail == WHY_BEYOND)
		l->beyond += ns;
}

void losses_add(struct losses *l, const struct why_window *w)
{
	l->windows++;
	l->victim = losses_group(l, w->thread);
	why_go(l->walk, w, add_part, l);
}

static int by_loss(const void *a, const void *b)
{
	const struct loss *x = *(struct loss *const *)a, *y = *(struct loss *const *)b;

	return array_order(x->victim, y->victim) ?: array_order(x->cause, y->cause) ?:
	       array_order(y->ns, x->ns) ?: array_order(x->by, y->by);
}

void losses_sort(struct losses *l)
{
	array_sort(l->losses, l->loss_count, by_loss);
}
