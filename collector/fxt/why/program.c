// SPDX-License-Identifier: GPL-2.0-or-later
/* program.c - see program.h. */
#include <stdlib.h>
#include <string.h>

#include "libfxt/heap.h"
#include "terminal/memory.h"
#include "program.h"
#include "words.h"

#define ROWS_LEAST	65536	/* edges, or holds, besides one for each turn */
#define KNOT_PARTIES	256	/* parties considered, those most waited for */
#define KNOT_PART	50	/* an edge of less than 1/50 of the window ties no threads */

/* --- parties ------------------------------------------------------------------------------ */

static const char *name_of(const struct history *h, const struct why_by *by)
{
	const char *words = why_origin_words(h, by);

	return words ? words : why_by_name(h, by);
}

/* The program's own threads are separate from others of the same name. */
static struct program_party *party_of(struct program *p, const struct why_by *by)
{
	bool is_in = by->who == WHY_THREAD && p->is_in[by->id];
	const char *name = name_of(p->h, by);
	uint64_t hash = map_hash(fxt_hash_bytes(name, strlen(name)), is_in * 2 + (by->who == WHY_THREAD));
	struct program_party *party;

	if (!map_get(&p->party_map, hash, party,
		     party->is_of_program == is_in && !strcmp(party->name, name) &&
		     (party->by.who == WHY_THREAD) == (by->who == WHY_THREAD)))
		return party;
	party->number = p->party_count;
	party->by = *by;
	party->is_of_program = is_in;
	party->name = name;
	array_more(p->parties, p->party_count);
	p->parties[p->party_count++] = party;
	return party;
}

/* Cache the parties of threads, which are looked up often. */
static struct program_party *party_of_thread(struct program *p, uint32_t thread)
{
	struct program_party *party;

	if (p->party_of[thread])
		return p->parties[p->party_of[thread] - 1];
	party = party_of(p, &(struct why_by){ .who = WHY_THREAD, .id = thread });
	p->party_of[thread] = party->number + 1;
	return party;
}

/* --- who has the time --------------------------------------------------------------------- */

/*
 * Goes backwards through the runs of all CPUs, side by side: a heap has the CPUs, the one with the
 * latest next change on top.
 */
struct shares_cpu {
	uint32_t turn;		/* the next turn, or the current one */
	bool runs;
};

struct shares {
	struct program *p;
	struct shares_cpu *cpus;
	uint32_t *heap;
	size_t count;
	uint64_t time;
	unsigned int running;
	double each;		/* ns that each running thread has had since the end, so far */
	double *begun;		/* by CPU: @each when its run was entered */
	uint64_t alone;
	uint64_t *alone_begun;
};

static uint64_t change_of(const struct shares *s, uint32_t cpu)
{
	const struct history_turn *t = history_turn(s->p->h, s->cpus[cpu].turn);

	return s->cpus[cpu].runs ? t->from : t->to;
}

static bool is_later(const struct shares *s, uint32_t a, uint32_t b)
{
	return change_of(s, a) > change_of(s, b);
}

/* Go back in time to @time: running threads have run since then. */
static void go_back(struct shares *s, uint64_t time)
{
	uint64_t from = time > s->p->from ? time : s->p->from;
	uint64_t to = s->time < s->p->to ? s->time : s->p->to;

	if (s->running && from < to) {
		s->each += (double)(to - from) / s->running;
		s->alone += s->running == 1 ? to - from : 0;
		s->p->active += to - from;
	}
	s->time = time;
}

static void leave(struct shares *s, uint32_t cpu, const struct history_turn *t)
{
	struct program_party *party = party_of_thread(s->p, t->thread);

	party->share += s->each - s->begun[cpu] + 0.5;
	party->alone += s->alone - s->alone_begun[cpu];
	s->running--;
}

static void change(struct shares *s)
{
	uint32_t cpu = s->heap[0];
	struct shares_cpu *c = &s->cpus[cpu];
	const struct history_turn *t = history_turn(s->p->h, c->turn);

	go_back(s, change_of(s, cpu));
	if (!c->runs && s->p->is_in[t->thread] && t->to > t->from) {
		c->runs = true;
		s->running++;
		s->begun[cpu] = s->each;
		s->alone_begun[cpu] = s->alone;
	} else {
		if (c->runs)
			leave(s, cpu, t);
		c->runs = false;
		c->turn = t->cpu_before;
	}
	if (c->turn)
		heap_set_top(s->heap, s->count, cpu, is_later, s);
	else
		heap_pop(s->heap, s->count, is_later, s);
}

static void find_shares(struct program *p)
{
	struct shares s = { .p = p, .time = UINT64_MAX };
	size_t i;

	s.cpus = must(calloc(HISTORY_CPUS, sizeof(*s.cpus)));
	s.heap = must(calloc(HISTORY_CPUS, sizeof(*s.heap)));
	s.begun = must(calloc(HISTORY_CPUS, sizeof(*s.begun)));
	s.alone_begun = must(calloc(HISTORY_CPUS, sizeof(*s.alone_begun)));
	for (i = 0; i < HISTORY_CPUS; i++) {
		if (!p->h->cpus[i] || !p->h->cpus[i]->last)
			continue;
		s.cpus[i].turn = p->h->cpus[i]->last;
		heap_push(s.heap, s.count, i, is_later, &s);
	}
	while (s.count && s.time > p->from)
		change(&s);
	/* Several may have had a CPU when the window begins. */
	for (i = 0; i < HISTORY_CPUS; i++)
		if (s.cpus[i].runs)
			leave(&s, i, history_turn(p->h, s.cpus[i].turn));
	free(s.cpus);
	free(s.heap);
	free(s.begun);
	free(s.alone_begun);
}

static bool is_full(const struct program *p, size_t count)
{
	return count >= ROWS_LEAST + p->h->turns.count;
}

/* --- who waits for whom ------------------------------------------------------------------- */

/* The edge between two parties, @other_edges if there are too many. */
static struct program_edge *edge_between(struct program *p, const struct program_party *from,
					 const struct program_party *to)
{
	uint64_t hash = map_hash(from->number, to->number);
	struct program_edge *e;

	if (map_find(&p->edge_map, hash, e, e->from == from->number && e->to == to->number))
		return e;
	if (is_full(p, p->edge_count))
		return &p->other_edges;
	e = new_zero(struct program_edge);
	e->from = from->number;
	e->to = to->number;
	map_put(&p->edge_map, &e->node, hash);
	array_more(p->edges, p->edge_count);
	p->edges[p->edge_count++] = e;
	return e;
}

static void add_edge(struct program *p, struct program_edge *e, uint64_t ns, uint32_t turn, bool is_own)
{
	e->ns += ns;
	e->own += is_own ? ns : 0;
	e->count++;
	if (e != &p->other_edges)
		p->parties[e->to]->slept_on += ns;
	if (ns > e->longest) {
		e->longest = ns;
		e->turn = turn;
	}
}

static struct program_edge *edge_of_link(struct program *p, const struct why_walk *w, uint32_t number)
{
	const struct why_link *f = why_link(w, number);

	while (p->link_count <= number) {
		array_more(p->edge_of, p->link_count);
		p->edge_of[p->link_count++] = NULL;
	}
	if (!p->edge_of[number])
		p->edge_of[number] = edge_between(p,
			party_of_thread(p, why_link(w, f->parent)->thread), party_of_thread(p, f->thread));
	return p->edge_of[number];
}

/*
 * Meanwhile, each thread of the chain slept until the next one woke it. Of long chains, the edges
 * next to the sleeper count.
 */
static void add_chain(struct program *p, const struct why_walk *w, const struct why_part *part)
{
	const struct why_link *f = why_link(w, part->link);
	uint32_t number = f->depth ? f->near : part->link;

	for (f = why_link(w, number); f->parent; number = f->parent, f = why_link(w, number))
		add_edge(p, edge_of_link(p, w, number), part->to - part->from, f->turn, f->depth == 1);
}

static void add_hold(struct program *p, const struct why_walk *w, const struct why_part *part,
		     const struct why_by *by)
{
	const struct why_link *f = why_link(w, part->link);
	uint32_t last = party_of_thread(p, f->thread)->number;
	uint32_t via = party_of_thread(p, why_link(w, f->via)->thread)->number;
	uint32_t victim = party_of_thread(p, why_link(w, 1)->thread)->number;
	uint32_t culprit = party_of_thread(p, by->id)->number;
	uint64_t hash = map_hash(map_hash(victim, via), map_hash(last, culprit));
	struct program_hold *hold;

	if (map_find(&p->hold_map, hash, hold, hold->victim == victim && hold->via == via &&
		     hold->last == last && hold->culprit == culprit)) {
		hold->ns += by->ns;
		return;
	}
	if (is_full(p, p->hold_count)) {
		p->other_holds += by->ns;
		return;
	}
	hold = new_zero(struct program_hold);
	*hold = (struct program_hold){
		.victim = victim, .via = via, .last = last, .culprit = culprit, .ns = by->ns,
	};
	map_put(&p->hold_map, &hold->node, hash);
	array_more(p->holds, p->hold_count);
	p->holds[p->hold_count++] = hold;
}

static void add_part(void *arg, const struct why_walk *w, const struct why_part *part,
		     const struct why_by *by, size_t count)
{
	struct program *p = arg;
	struct program_party *party = party_of_thread(p, part->thread);
	uint64_t ns = part->to - part->from;

	if (part->cause == WHY_UNKNOWN && part->detail == WHY_BEYOND)
		p->beyond += ns;
	if (part->link == 1) {
		party->run += part->cause == WHY_RUNNING ? ns : 0;
		party->waited += part->cause == WHY_RUNNABLE || part->cause == WHY_THROTTLED ||
				 part->cause == WHY_LIMITED ? ns : 0;
	}
	why_ran_add(p->ran, part, count);
	add_chain(p, w, part);
	if (part->cause == WHY_ASLEEP && count)
		add_edge(p, edge_between(p, party, party_of(p, by)), ns, part->turn,
			 part->link == 1);
	if (part->link > 1 && part->cause == WHY_RUNNABLE && count && by->who == WHY_THREAD)
		add_hold(p, w, part, by);
}

/* --- knots -------------------------------------------------------------------------------- */

/* Bits: the parties that can be reached from a party. */
struct knots {
	size_t count;
	uint32_t numbers[KNOT_PARTIES];
	uint64_t reaches[KNOT_PARTIES][KNOT_PARTIES / 64];
};

static bool reaches(const struct knots *k, size_t a, size_t b)
{
	return k->reaches[a][b / 64] >> (b % 64) & 1;
}

static int by_slept_on(const void *a, const void *b)
{
	const struct program_party *x = *(struct program_party *const *)a;
	const struct program_party *y = *(struct program_party *const *)b;

	return array_order(y->slept_on, x->slept_on) ?: array_order(x->number, y->number);
}

/* The parties that others wait for most. */
static void choose_parties(struct program *p, struct knots *k)
{
	struct program_party **sorted = must(calloc(p->party_count + 1, sizeof(*sorted)));
	size_t i;

	memcpy(sorted, p->parties, p->party_count * sizeof(*sorted));
	if (p->party_count)
		qsort(sorted, p->party_count, sizeof(*sorted), by_slept_on);
	for (i = 0; i < p->party_count && i < KNOT_PARTIES; i++)
		k->numbers[k->count++] = sorted[i]->number;
	free(sorted);
}

static size_t place_of(const struct knots *k, uint32_t number)
{
	size_t i;

	for (i = 0; i < k->count && k->numbers[i] != number; i++)
		;
	return i;
}

/* Collect the edges that matter, and close them transitively. */
static void find_reach(const struct program *p, struct knots *k)
{
	uint64_t least = (p->to - p->from) / KNOT_PART;
	size_t i, a, b, word;

	for (i = 0; i < p->edge_count; i++) {
		a = place_of(k, p->edges[i]->from);
		b = place_of(k, p->edges[i]->to);
		if (p->edges[i]->ns >= least && a < k->count && b < k->count)
			k->reaches[a][b / 64] |= 1ULL << (b % 64);
	}
	for (b = 0; b < k->count; b++)
		for (a = 0; a < k->count; a++)
			for (word = 0; reaches(k, a, b) && word < KNOT_PARTIES / 64; word++)
				k->reaches[a][word] |= k->reaches[b][word];
}

/* Can @a be reached from everything that can be reached from @a? */
static bool is_sink(const struct knots *k, size_t a)
{
	size_t b;

	for (b = 0; b < k->count; b++)
		if (b != a && reaches(k, a, b) && !reaches(k, b, a))
			return false;
	return true;
}

static void add_knot(struct program *p, const struct knots *k, size_t a)
{
	struct program_party *party = p->parties[k->numbers[a]];
	struct program_knot *knot;
	size_t b;

	array_more(p->knots, p->knot_count);
	knot = &p->knots[p->knot_count++];
	*knot = (struct program_knot){ .first = party->number };
	for (b = 0; b < k->count; b++) {
		if (b != a && !(reaches(k, a, b) && reaches(k, b, a)))
			continue;
		party = p->parties[k->numbers[b]];
		party->knot = p->knot_count;
		knot->members++;
		knot->ns += party->slept_on;
	}
}

static int by_weight(const void *a, const void *b)
{
	const struct program_knot *x = a, *y = b;

	return array_order(y->ns, x->ns) ?: array_order(x->first, y->first);
}

static void find_knots(struct program *p)
{
	uint64_t least = (p->to - p->from) / KNOT_PART;
	struct knots *k = new_zero(struct knots);
	size_t a;

	choose_parties(p, k);
	find_reach(p, k);
	for (a = 0; a < k->count; a++)
		if (!p->parties[k->numbers[a]]->knot && p->parties[k->numbers[a]]->slept_on >= least &&
		    is_sink(k, a))
			add_knot(p, k, a);
	if (p->knot_count)
		qsort(p->knots, p->knot_count, sizeof(*p->knots), by_weight);
	free(k);
}

/* --- all of it ---------------------------------------------------------------------------- */

static int by_edge(const void *a, const void *b)
{
	const struct program_edge *x = *(struct program_edge *const *)a;
	const struct program_edge *y = *(struct program_edge *const *)b;

	return array_order(y->ns, x->ns) ?: array_order(x->from, y->from) ?:
	       array_order(x->to, y->to);
}

static int by_hold(const void *a, const void *b)
{
	const struct program_hold *x = *(struct program_hold *const *)a;
	const struct program_hold *y = *(struct program_hold *const *)b;

	return array_order(y->ns, x->ns) ?: array_order(x->last, y->last);
}

static int by_share(const void *a, const void *b)
{
	const struct program_party *x = *(struct program_party *const *)a;
	const struct program_party *y = *(struct program_party *const *)b;

	return array_order(y->share, x->share) ?: array_order(x->number, y->number);
}

struct program_party **program_by_share(const struct program *p)
{
	struct program_party **list = must(calloc(p->party_count + 1, sizeof(*list)));

	if (p->party_count) {
		memcpy(list, p->parties, p->party_count * sizeof(*list));
		qsort(list, p->party_count, sizeof(*list), by_share);
	}
	return list;
}

void program_share(struct program *p, const struct history *h, const struct why_window *windows,
		   size_t count)
{
	struct program_party *party;
	size_t i;

	p->h = h;
	p->from = UINT64_MAX;
	p->threads = count;
	p->is_in = must(calloc(h->thread_count + 1, sizeof(*p->is_in)));
	p->party_of = must(calloc(h->thread_count + 1, sizeof(*p->party_of)));
	for (i = 0; i < count; i++) {
		p->is_in[windows[i].thread] = true;
		p->from = windows[i].from < p->from ? windows[i].from : p->from;
		p->to = windows[i].to > p->to ? windows[i].to : p->to;
	}
	for (i = 0; i < count; i++) {
		party = party_of_thread(p, windows[i].thread);
		party->threads++;
		party->life += windows[i].to - windows[i].from;
	}
	find_shares(p);
}

void program_find(struct program *p, const struct history *h, const struct why_window *windows,
		  size_t count)
{
	struct why_walk *walk = why_open(h, count, false);
	size_t i;

	program_share(p, h, windows, count);
	for (i = 0; i < count; i++) {
		p->link_count = 0;
		why_go(walk, &windows[i], add_part, p);
	}
	why_close(walk);
	find_knots(p);
	if (p->edge_count)
		qsort(p->edges, p->edge_count, sizeof(*p->edges), by_edge);
	if (p->hold_count)
		qsort(p->holds, p->hold_count, sizeof(*p->holds), by_hold);
}

void program_free(struct program *p)
{
	map_free_all(&p->party_map, struct program_party);
	map_free_all(&p->edge_map, struct program_edge);
	map_free_all(&p->hold_map, struct program_hold);
	free(p->parties);
	free(p->edges);
	free(p->edge_of);
	free(p->holds);
	free(p->knots);
	free(p->is_in);
	free(p->party_of);
}
