// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * program.c - what limits a program: who waits for whom, and who delays whom.
 *
 * In: sleeps and waits of threads, when they end; at last, the threads that are shown.
 * Out: findings: a thread that always runs while others sleep until it; one that sleeps most of its
 * time until another one; one that has no CPU while another one sleeps until it, perhaps through
 * others.
 * Must hold: memory grows with threads, time with wakeups by a constant. So only the last long
 * sleeps and waits of each thread are known, and times of chains are lower bounds; fxt why
 * --program has exact ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "libfxt/array.h"

#define PAST		8	/* sleeps and waits of a thread that are remembered */
#define PAST_NS		1000000	/* ns; shorter ones are forgotten */
#define CHAIN		4	/* threads in a chain, beginning with the one that was woken */
#define STEPS		64	/* of one search */
#define RUNS		1024	/* runs on a CPU that are looked at for one wait */
#define HOLDS		16384	/* waits kept; more would be short */

#define NOTABLE_NS	20000000
#define NOTABLE_HOLD	0.05	/* of the selected time */
#define NOTABLE_SLEEP	0.30	/* of a thread's time that it sleeps until one other */
#define NOTABLE_TURN	0.20	/* of its time that it sleeps until the one that limits it */
#define ALWAYS		0.85	/* of its time that it has a CPU, or waits for one */
#define TURNS		4	/* fewer sleeps may be a single wait for another program's end */

/** struct report_spell - a thread slept until @by woke it, or waited for @cpu, if @is_wait */
struct report_spell {
	uint64_t from;
	uint64_t to;
	struct report_thread *by;	/* of a wait: who had the CPU, once that was searched for */
	uint16_t cpu;
	bool is_wait;
	bool was_sought;
};

struct report_past {
	struct report_spell ring[PAST];
	uint32_t count;			/* number of spells ever added */
};

/**
 * struct report_hold - @victim slept until @via woke it, which depended on @last, whose CPU
 * @culprit had
 */
struct report_hold {
	struct map_node node;
	const struct report_thread *victim;
	const struct report_thread *via;
	const struct report_thread *last;
	const struct report_thread *culprit;
	uint64_t ns;
};

/* --- during the walk ----------------------------------------------------------------------- */

static int remember(struct report_thread *t, const struct report_spell *s)
{
	if (!t->past)
		t->past = calloc(1, sizeof(*t->past));
	if (!t->past)
		return -ENOMEM;
	t->past->ring[t->past->count++ % PAST] = *s;
	return 0;
}

int engine_past_wait(struct report_engine *e, struct report_thread *t, uint16_t cpu, uint64_t to)
{
	if (!e->by_thread || to < t->since + PAST_NS)
		return 0;
	return remember(t, &(struct report_spell){
		.from = t->since, .to = to, .cpu = cpu, .is_wait = true,
	});
}

/*
 * Return: the thread that had the CPU longest in the last runs of a wait, NULL if unknown or none.
 */
static struct report_thread *culprit_of(struct report_engine *e, struct report_spell *s)
{
	const struct engine_cpu *cpu = e->cpus[s->cpu];
	uint64_t i, left, to = UINT64_MAX, begin, end;
	struct report_thread *t, *most = NULL;

	if (s->was_sought || !cpu)
		return s->by;
	s->was_sought = true;
	left = cpu->run_count < SCHED_RUNS ? cpu->run_count : SCHED_RUNS;
	left = left < RUNS ? left : RUNS;
	e->mark++;
	for (i = cpu->run_count; left-- && to > s->from; to = cpu->runs[i % SCHED_RUNS].from) {
		t = cpu->runs[--i % SCHED_RUNS].thread;
		begin = cpu->runs[i % SCHED_RUNS].from > s->from ? cpu->runs[i % SCHED_RUNS].from :
								     s->from;
		end = to < s->to ? to : s->to;
		if (!t || begin >= end)
			continue;
		t->marked = t->mark == e->mark ? t->marked : 0;
		t->mark = e->mark;
		t->marked += end - begin;
		most = most && most->marked >= t->marked ? most : t;
	}
	s->by = most && !most->is_idle ? most : NULL;
	return s->by;
}

static int add_hold(struct report_engine *e, const struct report_hold *of)
{
	uint64_t hash = map_hash(map_hash((uintptr_t)of->victim, (uintptr_t)of->via),
				 map_hash((uintptr_t)of->last, (uintptr_t)of->culprit));
	struct report_hold *hold;
	struct map_node *n;

	for (n = map_first(&e->holds, hash); n; n = map_next(n, hash)) {
		hold = map_entry(n, struct report_hold, node);
		if (hold->victim == of->victim && hold->via == of->via &&
		    hold->last == of->last && hold->culprit == of->culprit) {
			hold->ns += of->ns;
			return 0;
		}
	}
	if (e->holds.count >= HOLDS)
		return 0;
	hold = map_reserve(&e->holds) ? NULL : malloc(sizeof(*hold));
	if (!hold)
		return -ENOMEM;
	*hold = *of;
	map_add(&e->holds, &hold->node, hash);
	return 0;
}

/** struct link - @thread ended a sleep that lasted from @from to @to */
struct link {
	struct report_thread *thread;
	uint64_t from;
	uint64_t to;
};

/* Find what a thread of the chain did during the sleep that it ended. */
static int follow(struct report_engine *e, struct report_hold *hold, struct link *chain,
		  unsigned int *count, unsigned int at)
{
	struct report_past *past = chain[at].thread->past;
	unsigned int left = past && past->count < PAST ? past->count : PAST, i;
	struct report_spell *s;
	uint64_t from, to;

	for (i = past ? past->count : 0; i && left--; i--) {
		s = &past->ring[(i - 1) % PAST];
		from = s->from > chain[at].from ? s->from : chain[at].from;
		to = s->to < chain[at].to ? s->to : chain[at].to;
		if (from >= to)
			continue;
		if (!s->is_wait && s->by && *count < STEPS) {
			chain[(*count)++] = (struct link){ s->by, from, to };
		} else if (s->is_wait && culprit_of(e, s)) {
			hold->last = chain[at].thread;
			hold->culprit = s->by;
			hold->ns = to - from;
			if (add_hold(e, hold))
				return -ENOMEM;
		}
	}
	return 0;
}

int engine_past_sleep(struct report_engine *e, struct report_thread *t, const struct report_wait *s)
{
	struct report_thread *by = (struct report_thread *)(uintptr_t)s->waker;
	struct report_hold hold = { .victim = t, .via = by };
	unsigned int count = 0, at, level, next;
	struct link chain[STEPS];
	int ret = 0;

	if (!e->by_thread || !by || s->latency < PAST_NS)
		return 0;
	chain[count++] = (struct link){ by, s->time - s->latency, s->time };
	for (at = level = 0; level < CHAIN && at < count && !ret; level++)
		for (next = count; at < next && !ret; at++)
			ret = follow(e, &hold, chain, &count, at);
	return ret ? ret : remember(t, &(struct report_spell){
		.from = s->time - s->latency, .to = s->time, .by = by,
	});
}

void engine_slept(struct report_thread *t, const struct report_wait *s)
{
	unsigned int i;

	for (i = 0; i < t->waker_count; i++)
		if (t->wakers[i].thread == s->waker && t->wakers[i].irq == s->irq) {
			t->wakers[i].slept += s->latency;
			return;
		}
}

/* --- findings ------------------------------------------------------------------------------ */

/** struct party - all threads of a name that are shown. @life: ns that they could have run */
struct party {
	struct report_thread *const *threads;
	size_t count;
	uint64_t life;
	uint64_t active;	/* ns that they ran or waited for a CPU */
};

/** struct edge - a party slept until threads of a name woke it */
struct edge {
	const struct party *from;
	const struct party *to;		/* NULL: not shown */
	const struct report_thread *by;
	uint64_t by_count;
	uint64_t ns;
	uint64_t count;
	bool is_told;
};

struct program {
	struct report_thread **threads;
	struct party *parties;
	size_t party_count;
	struct edge *edges;
	size_t edge_count;
};

static const char *name_of(const struct report_thread *t)
{
	return t->sched->name;
}

static int by_name(const void *a, const void *b)
{
	const struct report_thread *x = *(struct report_thread *const *)a;
	const struct report_thread *y = *(struct report_thread *const *)b;
	int order = strcmp(name_of(x), name_of(y));

	return order ? order : x->sched->id < y->sched->id ? -1 : x->sched->id > y->sched->id;
}

static int by_waker_name(const void *a, const void *b)
{
	const struct report_waker *x = *(const struct report_waker *const *)a;
	const struct report_waker *y = *(const struct report_waker *const *)b;

	return strcmp(name_of(x->thread), name_of(y->thread));
}

/* For how much of the selected time did the thread exist? */
static uint64_t life_of(const struct report *r, const struct report_thread *t)
{
	const struct sched_thread *s = t->sched;
	uint64_t from = r->totals.from, to = r->totals.to;

	from = s->is_forked && s->begin > from ? s->begin : from;
	to = (s->state == 'X' || s->state == 'Z') && s->last_event < to ? s->last_event : to;
	return to > from ? to - from : 0;
}

static void add_thread(const struct report *r, struct party *p, const struct report_thread *t)
{
	unsigned int kind;

	p->count++;
	p->life += life_of(r, t);
	p->active += t->n.run;
	for (kind = 0; kind < REPORT_WAITS; kind++)
		p->active += t->waits[kind] ? t->waits[kind]->hist.sum : 0;
}

static int find_parties(const struct report *r, struct program *p)
{
	size_t i;

	p->threads = calloc(r->thread_count + 1, sizeof(*p->threads));
	if (!p->threads)
		return -ENOMEM;
	memcpy(p->threads, r->threads, r->thread_count * sizeof(*p->threads));
	qsort(p->threads, r->thread_count, sizeof(*p->threads), by_name);
	for (i = 0; i < r->thread_count; i++) {
		if (!i || strcmp(name_of(p->threads[i - 1]), name_of(p->threads[i]))) {
			if (array_grow(p->parties, p->party_count))
				return -ENOMEM;
			p->parties[p->party_count++] = (struct party){ .threads = p->threads + i };
		}
		add_thread(r, &p->parties[p->party_count - 1], p->threads[i]);
	}
	return 0;
}

static const struct party *party_of(const struct program *p, const char *name)
{
	size_t low = 0, high = p->party_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(name_of(p->parties[middle].threads[0]), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->party_count && !strcmp(name_of(p->parties[low].threads[0]), name) ?
	       &p->parties[low] : NULL;
}

/* Keep only edges with much time: a server may have thousands of clients. */
static int add_edge(struct program *p, const struct edge *e)
{
	if (e->count < TURNS || e->ns < NOTABLE_NS || e->ns < NOTABLE_TURN * e->from->life)
		return 0;
	if (array_grow(p->edges, p->edge_count))
		return -ENOMEM;
	p->edges[p->edge_count++] = *e;
	return 0;
}

static int find_edges(struct program *p, const struct party *from)
{
	const struct report_waker **all = calloc(from->count, REPORT_WAKERS * sizeof(*all));
	struct edge e = { .from = from };
	size_t count = 0, i, j;
	int ret = 0;

	if (!all)
		return -ENOMEM;
	for (i = 0; i < from->count; i++)
		for (j = 0; j < from->threads[i]->waker_count; j++)
			if (from->threads[i]->wakers[j].thread)
				all[count++] = &from->threads[i]->wakers[j];
	qsort(all, count, sizeof(*all), by_waker_name);
	for (i = 0; i < count && !ret; i++) {
		e.by_count += e.by != all[i]->thread;
		e.by = all[i]->thread;
		e.ns += all[i]->slept;
		e.count += all[i]->count;
		if (i + 1 < count && !by_waker_name(&all[i], &all[i + 1]))
			continue;
		e.to = party_of(p, name_of(e.by));
		ret = e.to == from ? 0 : add_edge(p, &e);
		e = (struct edge){ .from = from };
	}
	free(all);
	return ret;
}

/* Add a finding if a party always ran or waited for a CPU while others slept until it woke them. */
static void find_limit(struct report *r, struct program *p, const struct party *of)
{
	struct report_finding f = {
		.kind = REPORT_FINDING_LIMIT, .thread = of->threads[0], .threads = of->count,
		.ns = of->active, .of = of->life, .cpu = REPORT_NO_CPU,
	};
	size_t i;

	if (of->active < ALWAYS * of->life)
		return;
	for (i = 0; i < p->edge_count; i++) {
		if (p->edges[i].to != of || p->edges[i].is_told)
			continue;
		p->edges[i].is_told = true;
		f.part_ns += p->edges[i].ns;
		if (f.count < REPORT_PARTIES)
			f.parties[f.count] = (struct report_party){ p->edges[i].from->threads[0],
								    p->edges[i].from->count };
		f.count++;
	}
	if (f.count)
		report_add_finding(r, &f);
}

/* Does the other party sleep until this one wakes it as well? Then neither is at fault. */
static bool is_dialogue(const struct program *p, const struct edge *e)
{
	size_t i;

	for (i = 0; i < p->edge_count; i++)
		if (p->edges[i].from == e->to && p->edges[i].to == e->from)
			return true;
	return false;
}

static void find_slept(struct report *r, const struct program *p, const struct edge *of)
{
	struct report_finding f = {
		.kind = REPORT_FINDING_SLEPT, .thread = of->from->threads[0],
		.threads = of->from->count, .ns = of->ns, .of = of->from->life, .count = of->count,
		.parties = { { of->by, of->by_count } }, .cpu = REPORT_NO_CPU,
	};

	if (!of->is_told && of->ns >= NOTABLE_SLEEP * of->from->life && !is_dialogue(p, of))
		report_add_finding(r, &f);
}

/* --- who is held up ------------------------------------------------------------------------ */

static int by_names(const void *a, const void *b)
{
	const struct report_hold *x = *(struct report_hold *const *)a;
	const struct report_hold *y = *(struct report_hold *const *)b;
	int order = strcmp(name_of(x->victim), name_of(y->victim));

	order = order ? order : strcmp(name_of(x->via), name_of(y->via));
	order = order ? order : strcmp(name_of(x->last), name_of(y->last));
	order = order ? order : strcmp(name_of(x->culprit), name_of(y->culprit));
	return order;
}

/* A thread is named by its id only if no other thread has its name. */
static void join_party(struct report_party *p, const struct report_thread *t)
{
	if (!p->threads || p->thread != t)
		p->threads++;
	p->thread = t;
}

static void tell_edges(struct program *p, const struct report_hold *h)
{
	size_t i;

	for (i = 0; i < p->edge_count; i++)
		if (!strcmp(name_of(p->edges[i].from->threads[0]), name_of(h->victim)) &&
		    !strcmp(name_of(p->edges[i].by), name_of(h->via)))
			p->edges[i].is_told = true;
}

/* Add up all holds between the same names. */
static struct report_finding join_holds(const struct report *r, struct report_hold *const *holds,
					size_t count)
{
	struct report_finding f = {
		.kind = REPORT_FINDING_HOLD, .of = report_window(r), .cpu = REPORT_NO_CPU,
	};
	struct report_party last = { NULL, 0 };
	size_t i;

	for (i = 0; i < count; i++) {
		join_party(&last, holds[i]->last);
		join_party(&f.parties[0], holds[i]->victim);
		join_party(&f.parties[1], holds[i]->via);
		join_party(&f.parties[2], holds[i]->culprit);
		f.ns += holds[i]->ns;
	}
	f.thread = last.thread;
	f.threads = last.threads;
	return f;
}

/* Is @f only the last part of a longer chain, which has a finding of its own? */
static bool is_part_of(const struct report_finding *f, const struct report_finding *longer)
{
	return longer->ns >= f->ns / 2 &&
	       !strcmp(name_of(longer->thread), name_of(f->thread)) &&
	       !strcmp(name_of(longer->parties[2].thread), name_of(f->parties[2].thread)) &&
	       strcmp(name_of(longer->parties[0].thread), name_of(f->parties[0].thread)) &&
	       !strcmp(name_of(longer->parties[1].thread), name_of(f->parties[0].thread));
}

static void add_holds(struct report *r, const struct report_finding *all, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < count && !is_part_of(&all[i], &all[j]); j++)
			;
		if (j == count)
			report_add_finding(r, &all[i]);
	}
}

static int find_holds(struct report_engine *e, struct report *r, struct program *p)
{
	struct report_hold **all = calloc(e->holds.count + 1, sizeof(*all));
	struct report_finding *found = NULL, f;
	size_t count = 0, notable = 0, i, next;
	struct map_node *n;
	int ret = all ? 0 : -ENOMEM;

	for (n = e->holds.oldest; n && !ret; n = n->newer)
		if (map_entry(n, struct report_hold, node)->victim->is_shown)
			all[count++] = map_entry(n, struct report_hold, node);
	if (!ret)
		qsort(all, count, sizeof(*all), by_names);
	for (i = 0; i < count && !ret; i = next) {
		for (next = i + 1; next < count && !by_names(&all[i], &all[next]); next++)
			;
		f = join_holds(r, all + i, next - i);
		if (f.ns < NOTABLE_NS || f.ns < NOTABLE_HOLD * f.of)
			continue;
		tell_edges(p, all[i]);
		ret = array_grow(found, notable) ? -ENOMEM : 0;
		if (!ret)
			found[notable++] = f;
	}
	if (!ret)
		add_holds(r, found, notable);
	free(found);
	free(all);
	return ret;
}

void engine_program_free(struct report_engine *e)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&e->holds, &from)))
		free(map_entry(n, struct report_hold, node));
	map_free(&e->holds);
}

int engine_program_findings(struct report_engine *e)
{
	struct report *r = &e->report;
	struct program p = { .threads = NULL };
	size_t i;
	int ret;

	if (!r->is_part)
		return 0;
	ret = find_parties(r, &p);
	for (i = 0; i < p.party_count && !ret; i++)
		ret = find_edges(&p, &p.parties[i]);
	ret = ret ? ret : find_holds(e, r, &p);
	for (i = 0; i < p.party_count && !ret; i++)
		find_limit(r, &p, &p.parties[i]);
	for (i = 0; i < p.edge_count && !ret; i++)
		find_slept(r, &p, &p.edges[i]);
	free(p.threads);
	free(p.parties);
	free(p.edges);
	return ret;
}
