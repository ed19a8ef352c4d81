// SPDX-License-Identifier: GPL-2.0-or-later
/* path.c - see path.h. */
#include <errno.h>
#include <stdlib.h>

#include "libfxt/array.h"
#include "path.h"
#include "words.h"

#define STEPS_LEAST		(1U << 22)	/* of all walks, besides those for each turn */
#define STEPS_SUM		4	/* for a sum that the receiver of a part keeps */
#define EDGES_STEP		4	/* frames above a part that a receiver looks at in one step */
#define THROTTLED_SEARCH	256	/* times of other cgroups to skip, at most */
#define MOVES_SEARCH		256	/* moves of a thread between two runs, at most */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* A time later than all that may be up to @time, which may be the latest one that there is. */
static uint64_t just_after(uint64_t time)
{
	return time == UINT64_MAX ? time : time + 1;
}

/**
 * struct steps - how much all walks may still look at
 * @left: steps, of which a window adds @window; the windows before it may leave some, or owe some
 */
struct steps {
	int64_t left;
	int64_t window;
};

/* Half of the steps are there for those windows that need many. */
static void steps_open(struct steps *s, const struct history *h, uint64_t windows)
{
	s->left = STEPS_LEAST / 2 + h->turns.count * WHY_QUEUE;
	s->window = s->left / (int64_t)(windows ? windows : 1) + 1;
}

/* Return: false if there are none left. */
static bool take_step(struct steps *s)
{
	if (__builtin_expect(s->left <= 0, 0))
		return false;
	s->left--;
	return true;
}

/* Something has taken steps that were not asked for. */
static void take_steps(struct steps *s, uint64_t count)
{
	s->left -= (int64_t)count;
}

/* --- who had a CPU in some time, going back ----------------------------------------------- */

/**
 * struct occupants_at - where a CPU's turns and pieces have been left; 0 in both: nothing is left
 * @round: of the times asked for: it is of those before the last occupants_rewind() unless it is
 *	the same
 */
struct occupants_at {
	uint32_t turn;
	uint32_t piece;
	uint64_t round;
};

/**
 * struct occupants - private, but for @by and @count
 * @round: number of the last occupants_rewind(), to @time (ns)
 * @slots: of each thread and then each origin, its place in @by if @mark is that of @marks
 */
struct occupants {
	const struct history *h;
	struct steps *steps;
	bool sorts;
	uint64_t round;
	uint64_t time;
	struct occupants_at *at;
	uint32_t *marks;
	uint32_t *slots;
	uint32_t mark;
	size_t origins;
	struct why_by *by;
	size_t room;
	size_t count;
};

#define OCCUPANTS_BESIDES	2	/* entries besides threads and origins: unknown, others */

/* Find a CPU's position at or a little after a time. */
static struct occupants_at at_time(const struct history_cpu *cpu, uint64_t time)
{
	const struct history_point *point = history_point_at(cpu, time);

	if (!point)
		return (struct occupants_at){ cpu->last, cpu->piece, 0 };
	return (struct occupants_at){ point->turn, point->piece, 0 };
}

/* The next request ends at @time (ns) or earlier. */
static void occupants_rewind(struct occupants *o, uint64_t time)
{
	o->round++;
	o->time = time;
}

/* Return: the position where a CPU was left since it was rewound. */
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

static int occupants_open(struct occupants *o, const struct history *h, struct steps *steps)
{
	size_t ids;

	sched_model_origins(h->model, &o->origins);
	ids = h->thread_count + o->origins + OCCUPANTS_BESIDES;
	o->h = h;
	o->steps = steps;
	o->at = calloc(HISTORY_CPUS, sizeof(*o->at));
	o->marks = calloc(ids, sizeof(*o->marks));
	o->slots = calloc(ids, sizeof(*o->slots));
	if (!o->at || !o->marks || !o->slots)
		return -ENOMEM;
	occupants_rewind(o, UINT64_MAX);
	return 0;
}

static void occupants_close(struct occupants *o)
{
	free(o->at);
	free(o->marks);
	free(o->slots);
	free(o->by);
}

/* Remember a CPU's position, so that its time can be requested again. */
static struct occupants_at occupants_keep(struct occupants *o, uint16_t cpu)
{
	return *place_of(o, cpu);
}

static void occupants_restore(struct occupants *o, uint16_t cpu, struct occupants_at at)
{
	o->at[cpu] = at;
}

/* Idle threads of all CPUs are one entry, and so is unknown time. */
static int add(struct occupants *o, enum why_who who, uint32_t id, uint64_t ns)
{
	uint32_t slot = who == WHY_ORIGIN ? o->h->thread_count + id : id;

	if (!ns)
		return 0;
	if (who == WHY_NOBODY || who == WHY_OTHERS)
		slot = o->h->thread_count + o->origins + (who == WHY_OTHERS);
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

/* The last piece of an interrupt in a time, or NULL. */
static const struct history_piece *occupants_piece(struct occupants *o, uint16_t cpu, uint64_t from,
					    uint64_t to)
{
	struct occupants_at *at = place_of(o, cpu);
	const struct history_piece *p;

	while (at->piece) {
		p = history_piece(o->h, at->piece);
		if (p->from < to)
			return p->to > from ? p : NULL;
		at->piece = p->before;
		take_steps(o->steps, 1);
	}
	return NULL;
}

/* The time before @end is not looked at; the thread had @own ns of that after it. */
static int add_rest(struct occupants *o, enum why_who who, uint32_t thread, uint64_t own,
		    uint64_t from, uint64_t end)
{
	int ret = add(o, WHY_OTHERS, 0, end - from);

	return ret ? ret : add(o, who, thread, own);
}

/* Add the time of a thread on the CPU, without the interrupts in it, and these interrupts. */
static int add_run(struct occupants *o, uint16_t cpu, uint32_t thread, uint64_t from, uint64_t to)
{
	enum why_who who = o->h->threads[thread]->sched->koid ? WHY_THREAD : WHY_IDLE;
	const struct history_piece *p;
	uint64_t end = to, begin, own = 0;
	int ret = 0;

	while (!ret && end > from && (p = occupants_piece(o, cpu, from, end))) {
		if (!take_step(o->steps))
			return add_rest(o, who, thread, own, from, end);
		begin = later(p->from, from);
		own += end - earlier(p->to, end);
		ret = add(o, WHY_ORIGIN, p->origin, earlier(p->to, end) - begin);
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

/* Set @by and @count: who had a CPU. */
static int occupants_find(struct occupants *o, uint16_t cpu, uint64_t from, uint64_t to)
{
	struct occupants_at *at = place_of(o, cpu);
	const struct history_turn *t;
	enum why_who who = WHY_NOBODY;
	uint64_t end = to, begin;
	int ret = 0;

	o->mark++;
	o->count = 0;
	while (!ret && at->turn && end > from) {
		t = history_turn(o->h, at->turn);
		if (t->to <= from)
			break;
		if (!take_step(o->steps)) {
			who = WHY_OTHERS;
			break;
		}
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
		ret = add(o, who, 0, end - from);
	take_steps(o->steps, STEPS_SUM * (uint64_t)o->count);
	if (!ret)
		sort(o);
	return ret;
}

/* --- the walk's state --------------------------------------------------------------------- */

/**
 * struct why_walk - a walk through a window
 * @frame: number of the frame that it is in
 * @turn: the turn of its thread
 * @newest: a turn in that part of the tape where the walk is
 * @time: ns: what is later has been attributed
 * @to: ns: what is later is not asked for
 * @has_all_moves: moves of threads to other CPUs were recorded, also of those being woken
 */
struct why_walk {
	const struct history *h;
	struct steps steps;
	struct occupants occupants;
	struct history_raised *raised;
	struct tape frames;
	bool lacks_cpus;
	bool has_wakings;
	bool has_all_moves;

	uint32_t frame;
	uint32_t turn;
	uint32_t newest;
	uint64_t time;
	uint64_t to;
	why_part_fn *part;
	void *arg;
};

struct why_walk *why_open(const struct history *h, uint64_t windows, bool sorts)
{
	const struct sched_totals *totals = sched_model_totals(h->model);
	struct why_walk *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->h = h;
	steps_open(&w->steps, h, windows);
	w->lacks_cpus = totals->lacks_cpus;
	w->has_wakings = totals->has_wakings;
	w->has_all_moves = totals->has_all_moves;
	tape_open(&w->frames, sizeof(struct why_frame));
	w->raised = history_raised_open(h);
	w->occupants.sorts = sorts;
	if (!w->raised || occupants_open(&w->occupants, h, &w->steps)) {
		why_close(w);
		return NULL;
	}
	return w;
}

void why_close(struct why_walk *w)
{
	if (!w)
		return;
	occupants_close(&w->occupants);
	history_raised_close(w->raised);
	tape_close(&w->frames);
	free(w);
}

const struct why_frame *why_frame(const struct why_walk *w, uint32_t number)
{
	return tape_at(&w->frames, number - 1);
}

void why_took_steps(struct why_walk *w, unsigned int steps)
{
	take_steps(&w->steps, steps);
}

const struct history *why_history(const struct why_walk *w)
{
	return w->h;
}

/* --- parts ------------------------------------------------------------------------------- */

/* A part without its times. */
struct about {
	uint16_t cpu;
	uint8_t cause;
	uint8_t detail;
	uint32_t turn;
};

static int tell(struct why_walk *w, struct about a, uint64_t from, uint64_t to,
		const struct why_by *by, size_t count)
{
	const struct why_frame *f = why_frame(w, w->frame);
	struct why_part p = {
		.from = from, .to = earlier(to, w->to),
		.frame = w->frame, .thread = f->thread,
		.turn = a.turn, .cpu = a.cpu, .cause = a.cause, .detail = a.detail,
	};

	take_steps(&w->steps, (f->depth < WHY_NEAR ? f->depth : WHY_NEAR) / EDGES_STEP);
	return p.from < p.to ? w->part(w->arg, w, &p, by, count) : 0;
}

/* Emit the part from @from to the walk's position, with one cause. */
static int tell_one(struct why_walk *w, enum why_cause cause, enum why_detail detail,
		    uint64_t from, enum why_who who, uint32_t id)
{
	uint64_t to = earlier(w->time, w->to);
	struct why_by by = { .who = who, .id = id, .ns = to > from ? to - from : 0 };
	struct about a = {
		.cpu = HISTORY_NO_CPU, .cause = cause, .detail = detail, .turn = w->turn,
	};
	int ret = tell(w, a, from, to, &by, who != WHY_NOBODY);

	w->time = from;
	return ret;
}

static int tell_unknown(struct why_walk *w, enum why_detail detail, uint64_t from)
{
	const struct history_time *gap = history_gap_before(w->h, w->time);

	if (detail == WHY_LOST && !(gap && gap->to >= from))
		detail = WHY_UNSHOWN;
	return tell_one(w, WHY_UNKNOWN, detail, from, WHY_NOBODY, 0);
}

/* --- it had a CPU ------------------------------------------------------------------------ */

static int tell_run(struct why_walk *w, const struct history_turn *t, uint64_t from)
{
	struct about ran = { .cpu = t->cpu, .cause = WHY_RUNNING, .turn = w->turn };
	struct about stolen = { .cpu = t->cpu, .cause = WHY_INTERRUPT, .turn = w->turn };
	uint64_t end = earlier(w->time, w->to), begin;
	const struct history_piece *p;
	struct why_by by;
	int ret = 0;

	while (!ret && end > from && (p = occupants_piece(&w->occupants, t->cpu, from, end))) {
		take_steps(&w->steps, 1);
		begin = later(p->from, from);
		ret = tell(w, ran, earlier(p->to, end), end, NULL, 0);
		by = (struct why_by){ WHY_ORIGIN, p->origin, earlier(p->to, end) - begin };
		ret = ret ? ret : tell(w, stolen, begin, earlier(p->to, end), &by, 1);
		end = begin;
	}
	ret = ret || end <= from ? ret : tell(w, ran, from, end, NULL, 0);
	w->time = from;
	return ret;
}

/* --- it was runnable --------------------------------------------------------------------- */

static int tell_wait(struct why_walk *w, uint16_t cpu, uint64_t from, uint64_t to)
{
	struct about a = { .cpu = cpu, .cause = WHY_RUNNABLE, .turn = w->turn };
	int ret;

	if (to <= from)
		return 0;
	ret = occupants_find(&w->occupants, cpu, from, to);
	return ret ? ret : tell(w, a, from, to, w->occupants.by, w->occupants.count);
}

/* Nothing is looked at in this time of a wait. */
static int tell_others(struct why_walk *w, uint16_t cpu, uint64_t from, uint64_t to)
{
	struct about a = { .cpu = cpu, .cause = WHY_RUNNABLE, .turn = w->turn };
	struct why_by by = { .who = WHY_OTHERS, .ns = to - from };

	return to > from ? tell(w, a, from, to, &by, 1) : 0;
}

/* Is it about a cgroup that the thread is in? */
static bool holds(const struct history *h, const struct history_time *t, uint32_t thread)
{
	const struct sched_process *owner = h->threads[thread]->sched->owner;
	const char *path = history_origin(h, t->origin)->path;

	return owner && owner->cgroup && path && sched_is_in_cgroup(owner->cgroup, path);
}

/* Find the first throttled time of a CPU that ends at @time or later; these are sorted by end. */
static size_t throttled_from(const struct history_cpu *cpu, uint64_t time)
{
	size_t low = 0, high = cpu->throttled_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (cpu->throttled[middle].to < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * The last time before @to in which the thread was throttled on a CPU. Those of other cgroups are in
 * between: a few before the one that goes on at @to, or that ended before it.
 */
static const struct history_time *throttled(struct why_walk *w, uint16_t number,
					    uint32_t thread, uint64_t from, uint64_t to)
{
	const struct history *h = w->h;
	const struct history_cpu *cpu = h->cpus[number];
	const struct history_time *t;
	size_t middle, i, tries;

	if (!cpu || !cpu->throttled_count)
		return NULL;
	middle = throttled_from(cpu, to);
	for (i = middle, tries = 0; i < cpu->throttled_count && tries < THROTTLED_SEARCH; i++, tries++) {
		take_steps(&w->steps, 1);
		t = &cpu->throttled[i];
		if (t->from < to && holds(h, t, thread))
			return t;
	}
	for (i = middle, tries = 0; i && tries < THROTTLED_SEARCH; tries++) {
		take_steps(&w->steps, 1);
		t = &cpu->throttled[--i];
		if (t->to <= from)
			return NULL;
		if (holds(h, t, thread))
			return t;
	}
	return NULL;
}

/* Explain a wait during which no record is missing. */
static int tell_known_wait(struct why_walk *w, uint16_t cpu, uint64_t from, uint64_t to)
{
	struct about held = { .cpu = cpu, .cause = WHY_THROTTLED, .turn = w->turn };
	uint32_t thread = why_frame(w, w->frame)->thread;
	const struct history_time *t;
	uint64_t end = to;
	struct why_by by;
	int ret = 0;

	while (!ret && end > from && (t = throttled(w, cpu, thread, from, end))) {
		if (!take_step(&w->steps))
			return tell_others(w, cpu, from, end);
		ret = tell_wait(w, cpu, earlier(t->to, end), end);
		by = (struct why_by){ WHY_ORIGIN, t->origin,
				      earlier(t->to, end) - later(t->from, from) };
		ret = ret ? ret : tell(w, held, later(t->from, from), earlier(t->to, end), &by, 1);
		end = later(t->from, from);
	}
	return ret ? ret : tell_wait(w, cpu, from, end);
}

/* Is this the only CPU that the thread may run on? */
static bool is_bound(const struct sched_thread *t, uint16_t cpu)
{
	char *end;
	unsigned long only = t->cpus ? strtoul(t->cpus, &end, 10) : 0;

	return t->cpus && end != t->cpus && !*end && only == cpu;
}

/*
 * May the thread be in the run queue of another CPU? A wakeup of sched_waking names the CPU where the
 * thread ran last. The kernel chooses another one after that, which only its move shows.
 */
static bool may_be_elsewhere(const struct why_walk *w, const struct history_turn *t)
{
	return w->has_wakings && !w->has_all_moves && t->begin == HISTORY_WOKEN &&
	       !is_bound(w->h->threads[t->thread]->sched, t->ready_cpu);
}

/*
 * Which CPU did the thread wait for? The one of its run queue, unless that was idle most of the
 * time: then the thread must have been moved, without a record, to the one where it ran.
 */
static int choose_cpu(struct why_walk *w, const struct history_turn *t, uint64_t from, uint64_t to,
		      uint16_t *cpu)
{
	const struct why_by *most = NULL;
	struct occupants_at kept;
	int ret;

	*cpu = t->ready_cpu;
	if (!t->has_run && may_be_elsewhere(w, t))
		*cpu = HISTORY_NO_CPU;
	if (!t->has_run || t->cpu == t->ready_cpu || to <= from)
		return 0;
	if (w->has_wakings) {
		*cpu = t->cpu;
		return 0;
	}
	kept = occupants_keep(&w->occupants, *cpu);
	ret = occupants_find(&w->occupants, *cpu, from, to);
	occupants_restore(&w->occupants, *cpu, kept);
	most = w->occupants.count ? w->occupants.by : NULL;
	if (!ret && most && most->who == WHY_IDLE)
		*cpu = t->cpu;
	return ret;
}

/*
 * Explain the time from @from to the walk's position, or until it is uncertain that the thread is
 * runnable.
 */
static int tell_ready(struct why_walk *w, const struct history_turn *t, uint64_t from)
{
	uint64_t end = earlier(w->time, w->to);
	const struct history_time *gap;
	struct about lost = {
		.cpu = HISTORY_NO_CPU, .cause = WHY_UNKNOWN, .detail = WHY_LOST, .turn = w->turn,
	};
	uint16_t cpu;
	int ret = choose_cpu(w, t, from, end, &cpu);

	while (!ret && end > from && (gap = history_gap_before(w->h, end)) && gap->to > from &&
	       take_step(&w->steps)) {
		ret = tell_known_wait(w, cpu, earlier(gap->to, end), end);
		ret = ret ? ret : tell(w, lost, later(gap->from, from), earlier(gap->to, end),
				       NULL, 0);
		end = later(gap->from, from);
	}
	if (!ret && end > from)
		ret = w->steps.left > 0 ? tell_known_wait(w, cpu, from, end) :
				      tell_others(w, cpu, from, end);
	w->time = from;
	return ret;
}

/* --- it slept ---------------------------------------------------------------------------- */

/*
 * Go on with what the waker did since @from; the sleep began at @slept. The waker's turn began before
 * that which it woke, so there is no circle, even if threads wake each other at one time.
 */
static int push(struct why_walk *w, const struct history_turn *t, uint32_t waker_turn,
		uint64_t from, uint64_t slept)
{
	const struct why_frame *parent = why_frame(w, w->frame);
	struct why_frame *f;

	f = tape_add(&w->frames);
	if (!f || w->frames.count > UINT32_MAX)
		return f ? -EOVERFLOW : w->frames.error;
	*f = (struct why_frame){
		.parent = w->frame, .thread = t->waker - 1, .turn = w->turn,
		.depth = parent->depth + 1, .next = t->before, .from = from, .slept = slept,
		.via = parent->depth ? parent->via : w->frames.count,
		.near = parent->depth < WHY_NEAR ? w->frames.count : parent->near,
	};
	w->frame = w->frames.count;
	w->turn = waker_turn;
	return 0;
}

/* The parent's sleep is explained as far as possible: continue before it. */
static int pop(struct why_walk *w)
{
	const struct why_frame *f = why_frame(w, w->frame);
	uint64_t from = later(f->slept, why_frame(w, f->parent)->from);
	int ret = 0;

	w->frame = f->parent;
	w->turn = f->turn;
	if (w->time > from)
		ret = tell_unknown(w, WHY_LOST, from);
	w->turn = f->next;
	return ret;
}

/*
 * The interrupt that ended a sleep, by its name if it was recorded. Of one that hit an idle CPU the
 * archive does not say which; it is that of the run queue, unless that was only asked to run the
 * thread by the CPU that had the interrupt.
 */
static int tell_interrupted(struct why_walk *w, const struct history_turn *t, uint64_t from)
{
	bool is_known = t->irq_cpu != HISTORY_NO_CPU;
	uint16_t cpu = is_known ? t->irq_cpu : t->ready_cpu;
	const struct history_piece *p = NULL;

	if (w->h->cpus[cpu])
		p = occupants_piece(&w->occupants, cpu, t->ready, just_after(t->ready));
	if (p && (is_known || !why_is_message(history_origin(w->h, p->origin))))
		return tell_one(w, WHY_ASLEEP, WHY_PLAIN, from, WHY_ORIGIN, p->origin);
	return tell_one(w, WHY_ASLEEP, WHY_PLAIN, from, WHY_IRQ, t->irq);
}

/*
 * The waker's turn in which it woke @t, or HISTORY_NONE if that is unknown. A wakeup for another
 * CPU is recorded by that CPU, which may be after the waker has left its own, at @left (ns).
 */
static uint32_t waking_turn(struct why_walk *w, const struct history_turn *t, uint64_t *left)
{
	const struct history_time *gap = history_gap_before(w->h, t->ready);
	uint32_t number = t->waker_turn, tries = 0;
	const struct history_turn *turn;
	bool has_run, ran_then;

	*left = t->ready;
	for (; number && tries < MOVES_SEARCH; number = turn->before, tries++) {
		take_steps(&w->steps, 1);
		turn = history_turn(w->h, number);
		has_run = turn->has_run;
		ran_then = has_run && turn->from <= t->ready;
		if (has_run && !ran_then)
			continue;
		if (turn->ran_unseen || (ran_then && history_turn_end(w->h, turn) >= t->ready))
			return number;
		if (!has_run)
			continue;
		if (turn->state == SCHED_UNKNOWN || turn->cpu == t->ready_cpu ||
		    (gap && gap->to > turn->to))
			break;
		*left = turn->to;
		return number;
	}
	return HISTORY_NONE;
}

/* The waker is not the cause of time after it left its CPU, at @left. */
static int tell_woken(struct why_walk *w, const struct history_turn *t, uint32_t number,
		      uint64_t left, uint64_t from, uint64_t slept)
{
	int ret = 0;

	if (!number)
		return tell_unknown(w, WHY_UNSEEN, from);
	if (left < t->ready)
		ret = tell_ready(w, t, later(left, from));
	return ret ? ret : push(w, t, number, from, slept);
}

/* Did the thread that the soft interrupt hit raise it itself, in its turn @number? */
static bool is_own(const struct why_walk *w, const struct history_turn *t, uint32_t number,
		   uint64_t left)
{
	const struct history_turn *turn = number ? history_turn(w->h, number) : NULL;
	const struct history_time *gap = history_gap_before(w->h, left);

	return t->irq == FXT_SCHED_IRQ_SOFT && turn && !turn->ran_unseen &&
	       !(gap && gap->to > turn->from) && history_raised_by(w->raised, turn, left);
}

/* @from: since when it slept, for certain */
static int tell_ended(struct why_walk *w, const struct history_turn *t, uint64_t from,
		      uint64_t slept)
{
	uint64_t left = t->ready;
	uint32_t number = t->waker ? waking_turn(w, t, &left) : HISTORY_NONE;

	if (t->waker && (!t->irq || is_own(w, t, number, left)))
		return tell_woken(w, t, number, left, from, slept);
	if (t->irq || t->by_idle)
		return tell_interrupted(w, t, from);
	return tell_unknown(w, WHY_UNWOKEN, from);
}

/* The thread was woken for turn @t: walk back to where it went to sleep. */
static int tell_sleep(struct why_walk *w, const struct history_turn *t)
{
	const struct why_frame *f = why_frame(w, w->frame);
	const struct history_turn *before = t->before ? history_turn(w->h, t->before) : NULL;
	uint64_t slept = before ? history_turn_end(w->h, before) : w->h->first;
	uint64_t from = later(slept, f->from);
	const struct history_time *gap = history_gap_before(w->h, w->time);

	if (from >= w->time) {
		w->turn = t->before;
		return 0;
	}
	if (before && before->state == SCHED_UNKNOWN)
		return tell_unknown(w, WHY_LOST, from);
	if (w->lacks_cpus)
		return tell_unknown(w, WHY_FILTERED, from);
	/* A wakeup explains the sleep since the last loss. */
	if (w->time < t->ready || (gap && gap->to >= w->time))
		return tell_unknown(w, WHY_LOST, from);
	return tell_ended(w, t, gap ? later(gap->to, from) : from, slept);
}

/* --- the walk ---------------------------------------------------------------------------- */

/* The thread's last turn is over, and no turn follows. */
static int tell_rest(struct why_walk *w, const struct history_turn *t, uint64_t from)
{
	bool sleeps = t->state != SCHED_UNKNOWN && t->state != '+' && t->has_run &&
		      !t->ran_unseen;
	const struct history_time *gap = history_gap_before(w->h, w->time);

	if (!sleeps || w->h->threads[t->thread]->end || (gap && gap->to > from))
		return tell_unknown(w, WHY_LOST, from);
	return tell_one(w, WHY_ASLEEP, WHY_OPEN, from, WHY_NOBODY, 0);
}

/* The time before @t is unknown. */
static int tell_unseen(struct why_walk *w, const struct history_turn *t)
{
	const struct history_turn *before = t->before ? history_turn(w->h, t->before) : NULL;
	uint64_t since = before ? history_turn_end(w->h, before) : 0;
	int ret = 0;

	since = later(earlier(since, w->time), why_frame(w, w->frame)->from);
	if (since < w->time)
		ret = tell_unknown(w, before ? WHY_LOST : WHY_EARLY, since);
	w->turn = t->before;
	return ret;
}

/* One step back in time, or to another turn. */
static int step(struct why_walk *w)
{
	uint64_t least = why_frame(w, w->frame)->from;
	const struct history_turn *t;
	uint64_t end;

	if (!w->turn)
		return tell_unknown(w, WHY_EARLY, least);
	if (w->turn < w->newest && tape_passed(w->turn, w->newest)) {
		tape_leave(&w->h->turns, w->newest);
		w->newest = w->turn;
	}
	t = history_turn(w->h, w->turn);
	end = history_turn_end(w->h, t);
	if (end < w->time)
		return tell_rest(w, t, later(end, least));
	if (t->has_run && t->from < w->time)
		return tell_run(w, t, later(t->from, least));
	if (t->begin != HISTORY_UNSEEN && t->ready < w->time)
		return tell_ready(w, t, later(t->ready, least));
	if (t->begin == HISTORY_WOKEN)
		return tell_sleep(w, t);
	if (t->begin == HISTORY_UNSEEN)
		return tell_unseen(w, t);
	w->turn = t->before;
	return 0;
}

/* Nothing before this time is looked at. */
static int give_up(struct why_walk *w)
{
	w->frame = 1;
	w->turn = HISTORY_NONE;
	return tell_unknown(w, WHY_BEYOND, why_frame(w, 1)->from);
}

/*
 * The turn to begin with: the last one that begins no later than the window ends; or the one after
 * it, if that says what ended the sleep in which the window ends.
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

int why_go(struct why_walk *w, const struct why_window *window, why_part_fn *part, void *arg)
{
	struct why_frame *root;
	int ret = 0;

	tape_empty(&w->frames);
	root = tape_add(&w->frames);
	if (!root)
		return w->frames.error;
	*root = (struct why_frame){ .thread = window->thread, .from = window->from };
	w->frame = 1;
	w->part = part;
	w->arg = arg;
	w->to = window->to;
	w->turn = first_turn(w, window, &w->time);
	w->newest = w->turn;
	occupants_rewind(&w->occupants, just_after(w->time));
	w->steps.left += w->steps.window;
	while (!ret) {
		if (w->time > why_frame(w, w->frame)->from)
			ret = take_step(&w->steps) ? step(w) : give_up(w);
		else if (w->frame > 1)
			ret = pop(w);
		else
			break;
	}
	return ret;
}
