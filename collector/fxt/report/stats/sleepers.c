// SPDX-License-Identifier: GPL-2.0-or-later
/* sleepers.c - findings: sleeps until others: one limits them, they take turns, or one is slow. */
#include <stdlib.h>
#include <string.h>

#include "account/occupants.h"
#include "judge.h"
#include "why/words.h"

#define LIMIT_SHARE	0.20	/* of its time, a thread sleeps until the one that limits it */
#define LIMIT_ACTIVE	0.85	/* of its time, that one runs, or waits for a CPU */
#define SLEPT_SHARE	0.30	/* of its time, a thread sleeps until one that waits for a device */

#define REQUEST_SHARE	0.20	/* of its time, a thread sleeps for requests of block devices */

#define CONVOY_LOCK	0.50	/* of what a convoy lost, its threads waited for the lock */
#define CONVOY_LOCKS	64	/* locks that are looked at */

/* One of several threads is slow if all of this holds. */
#define SLOW_THREADS	3
#define SLOW_SHARE	0.10	/* of its time, it sleeps until interrupts */
#define SLOW_TIMES	4	/* times longer than any other one */

/* The finding that a group limits others, maybe new. */
static struct candidate *limit_of(struct judge *j, const struct loss_group *g)
{
	struct candidate *c;
	size_t i;

	for (i = 0; i < j->count; i++)
		if (j->all[i].f.kind == REPORT_FINDING_LIMIT && j->all[i].group == g)
			return &j->all[i];
	c = finding_add(j, REPORT_FINDING_LIMIT);
	c->group = g;
	c->f.victim = finding_party(g, g->run + g->waited, g->life);
	c->f.is_part = j->l.beyond;
	return c;
}

/* Did others sleep while a group ran, which always ran, or waited for a CPU? */
static void find_limits(struct judge *j)
{
	struct candidate *c;
	struct report_party p;
	size_t i;

	for (i = 0; i < j->l.loss_count; i++) {
		const struct loss *loss = j->l.losses[i];
		const struct loss_group *of = j->l.groups[loss->victim], *by;

		if (loss->cause != LOSS_RUN)
			continue;
		by = j->l.groups[loss->by];
		if (by == of || !by->is_victim || !of->is_victim ||
		    by->run + by->waited < LIMIT_ACTIVE * by->life ||
		    loss->ns < LIMIT_SHARE * of->life || !is_notable(j, loss->ns))
			continue;
		c = limit_of(j, by);
		p = finding_party(of, loss->ns, of->life);
		finding_relate(&p, of, by);
		finding_add_party(c->f.sleepers, &c->f.sleeper_count, &p);
		c->f.count += loss->count;
		c->rank = more(c->rank, ratio(loss->ns, of->life));
	}
}

/* A thread of a process. */
struct member {
	const struct report_thread *thread;
	uint32_t group;		/* 1 + number of its group; 0: none */
};

/* Of one process. */
struct members {
	const struct member *list;
	size_t count;
};

ARRAY_COMPARE(by_process, struct member, x, y,
	      array_order((uintptr_t)x->thread->process, (uintptr_t)y->thread->process) ?:
	      array_order(x->group, y->group))

/* Selected ns that the threads of a process waited for a lock. */
static uint64_t waited_for(const struct judge *j, struct members of, const struct report_lock *lock)
{
	const struct history_lock *wait;
	uint64_t ns = 0, from, to;
	size_t i, k;

	for (i = 0; i < of.count; i++) {
		const struct history_thread *t = &of.list[i].thread->account;

		for (k = 0; k < t->lock_count; k++) {
			wait = &t->locks[k];
			from = later(wait->from, j->e->from);
			to = earlier(wait->to, j->e->to);
			if (history_origin(j->l.h, wait->origin) == lock->of && to > from)
				ns += to - from;
		}
	}
	return ns;
}

/*
 * The first lock of a list for which the threads of a process waited so long, or NULL. The row of
 * those that are not distinguished is no lock.
 */
static const struct report_lock *find_lock(const struct judge *j, struct members of,
					   const struct report_lock *list, size_t count, uint64_t ns)
{
	size_t i;

	/* Those with most waiting time come first. */
	for (i = 0; i < count && i < CONVOY_LOCKS && list[i].total >= ns; i++)
		if (!list[i].of->is_others && waited_for(j, of, &list[i]) >= ns)
			return &list[i];
	return NULL;
}

static void find_convoy(struct judge *j, const struct report_process *p, struct members of)
{
	struct report_finding f = {
		.kind = REPORT_FINDING_CONVOY, .cpu = REPORT_NO_CPU, .is_part = j->l.beyond,
	};
	const struct report_kernel *k = &j->r->kernel;
	uint64_t ns, count, most = 0;
	const struct loss_group *g;
	struct candidate *c;
	size_t i;

	for (i = 0; i < of.count; i++) {
		if (!of.list[i].group || (i && of.list[i].group == of.list[i - 1].group))
			continue;
		g = j->l.groups[of.list[i].group - 1];
		count = 0;
		ns = g->is_victim && g->thread->process == p ? finding_turns(j, g, &count) : 0;
		if (!ns)
			continue;
		if (g->run >= most)
			f.victim.thread = g->thread;
		most = g->run > most ? g->run : most;
		f.victim.threads += g->threads;
		f.victim.ns += ns + g->total[LOSS_TURN].ns;
		f.victim.of += g->life;
		f.count += count + g->total[LOSS_TURN].count;
		f.longest = more(f.longest, more(g->total[LOSS_RUN].longest,
						       g->total[LOSS_TURN].longest));
	}
	if (f.victim.threads < CONVOY_THREADS)
		return;
	f.lock = find_lock(j, of, k->locks, k->lock_count, CONVOY_LOCK * f.victim.ns);
	if (!f.lock)
		f.lock = find_lock(j, of, k->futexes, k->futex_count, CONVOY_LOCK * f.victim.ns);
	c = finding_add(j, REPORT_FINDING_CONVOY);
	c->f = f;
	c->rank = ratio(f.victim.ns, f.victim.of);
}

static void find_slept(struct judge *j, const struct loss_group *g)
{
	const struct loss *total = &g->total[LOSS_IO];
	struct candidate *c;

	if (!g->is_victim || !is_notable(j, total->ns) || total->ns < SLEPT_SHARE * g->life)
		return;
	c = finding_loss(j, g, LOSS_IO, REPORT_FINDING_SLEPT);
	c->f.function = why_function(j->l.h, total->turn, true);
	c->rank = finding_share(c);
}

/* A thread that waits for its own requests does so because of what it does itself. */
static void find_request(struct judge *j, const struct loss_group *g)
{
	const struct loss *total = &g->total[LOSS_REQUEST];
	struct candidate *c;

	if (!g->is_victim || !is_notable(j, total->ns) || total->ns < REQUEST_SHARE * g->life)
		return;
	c = finding_loss(j, g, LOSS_REQUEST, REPORT_FINDING_REQUEST);
	c->rank = c->f.is_own ? finding_share(c) / 2 : finding_share(c);
}

void finding_requests(struct judge *j)
{
	size_t i;

	for (i = 0; i < j->l.group_count; i++)
		find_request(j, j->l.groups[i]);
}

/* Length of a name without the number at its end. */
static size_t stem(const char *name)
{
	size_t length = strlen(name);

	while (length && strchr("0123456789-_/:.#", name[length - 1]))
		length--;
	return length;
}

static int by_pool(const void *a, const void *b)
{
	const struct report_thread *x = *(struct report_thread *const *)a;
	const struct report_thread *y = *(struct report_thread *const *)b;
	size_t length = stem(x->sched->name);

	return array_order(x->process->koid, y->process->koid) ?:
	       array_order(x->process->nth, y->process->nth) ?:
	       array_order(length, stem(y->sched->name)) ?:
	       strncmp(x->sched->name, y->sched->name, length);
}

struct slept {
	uint64_t ns;
	uint64_t times;
};

static void add_slept(const struct judge *j, const struct history_turn *turn, struct slept *to)
{
	const struct history_turn *before = history_turn(j->l.h, turn->before);
	const struct history_time *gap = history_gap_before(j->l.h, turn->ready);
	uint64_t from = history_turn_end(j->l.h, before);

	if (gap && gap->to > from)
		return;
	from = later(from, j->e->from);
	to->ns += turn->ready > from ? turn->ready - from : 0;
	to->times++;
}

/* Sleeps until a timer of its own are its choice; but timers must be recorded. */
static struct slept slept_but_by_choice(const struct judge *j, const struct report_thread *t)
{
	const struct history *h = j->l.h;
	const struct history_turn *turn;
	struct slept slept = { 0 };
	uint32_t i;

	for (i = t->account.last; i; i = history_back(h, i)) {
		turn = history_turn(h, i);
		if (turn->begin == HISTORY_WOKEN && turn->irq && turn->before &&
		    engine_counts(j->e, turn->ready, turn->ready_cpu) &&
		    !history_ended_by(h, turn).is_own)
			add_slept(j, turn, &slept);
	}
	return slept;
}

/* How many of its sleeps until interrupts data of a service ended. */
static uint64_t ended_by_data(const struct judge *j, const struct report_thread *t,
			      const struct sched_origin *data)
{
	const struct history_turn *turn;
	struct history_ended ended;
	uint64_t count = 0;
	uint32_t i;

	for (i = t->account.last; i; i = history_back(j->l.h, i)) {
		turn = history_turn(j->l.h, i);
		if (!turn->irq || !turn->before || !engine_counts(j->e, turn->ready, turn->ready_cpu))
			continue;
		ended = history_ended_by(j->l.h, turn);
		count += ended.data && ended.data->origin == data->id;
	}
	return count;
}

/* The data that ended most of the @sleeps of a thread until interrupts; NULL: others did. */
static const struct sched_origin *data_for(const struct judge *j, const struct report_thread *t,
					   uint64_t sleeps)
{
	const struct report_kernel *k = &j->r->kernel;
	size_t i;

	for (i = 0; i < k->data_count; i++)
		if (k->data[i].thread == t)
			return ended_by_data(j, t, k->data[i].origin) > sleeps / 2 ?
			       k->data[i].origin : NULL;
	return NULL;
}

static struct slept slept_until_interrupts(const struct judge *j, const struct report_thread *t)
{
	struct slept slept = { 0 };
	unsigned int i;

	if (j->l.h->has[KERNEL_TIMER])
		return slept_but_by_choice(j, t);
	for (i = 0; i < t->waker_count; i++) {
		slept.ns += t->wakers[i].irq ? t->wakers[i].slept : 0;
		slept.times += t->wakers[i].irq ? t->wakers[i].count : 0;
	}
	return slept;
}

/* One of these threads may sleep until interrupts while the others hardly do. */
static void find_slow(struct judge *j, struct report_thread *const *pool, size_t count)
{
	const struct report_thread *most = NULL;
	struct slept slept, longest = { 0 };
	uint64_t next = 0;
	struct candidate *c;
	struct why_window life;
	size_t i;

	if (count < SLOW_THREADS)
		return;
	for (i = 0; i < count; i++) {
		slept = slept_until_interrupts(j, pool[i]);
		if (slept.ns > longest.ns) {
			next = longest.ns;
			most = pool[i];
			longest = slept;
		} else {
			next = slept.ns > next ? slept.ns : next;
		}
	}
	if (!is_notable(j, longest.ns) || longest.ns < SLOW_TIMES * next)
		return;
	life = finding_life(j, most);
	if (longest.ns < SLOW_SHARE * (life.to - life.from) || !longest.times)
		return;
	c = finding_add(j, REPORT_FINDING_SLOW);
	c->f.victim = (struct report_party){
		.thread = most, .threads = 1, .ns = longest.ns, .of = life.to - life.from,
	};
	c->f.origin = data_for(j, most, longest.times);
	c->f.count = longest.times;
	c->f.longest = longest.ns / longest.times;
	finding_add_party(c->f.others, &c->f.other_count,
		  &(struct report_party){
				  .thread = pool[0] == most ? pool[1] : pool[0],
				  .threads = count - 1, .ns = next,
			  });
	c->rank = finding_share(c);
}

static void find_pools(struct judge *j)
{
	struct report_thread **all = must(calloc(j->r->thread_count + 1, sizeof(*all)));
	size_t count = 0, i, next;

	for (i = 0; i < j->r->thread_count; i++)
		if (j->r->threads[i]->process &&
		    j->r->threads[i]->process->sum.threads >= SLOW_THREADS)
			all[count++] = j->r->threads[i];
	array_sort(all, count, by_pool);
	for (i = 0; i < count; i = next) {
		for (next = i + 1; next < count && !by_pool(&all[i], &all[next]); next++)
			;
		find_slow(j, all + i, next - i);
	}
	free(all);
}

static void find_convoys(struct judge *j)
{
	struct member *all = must(calloc(j->r->thread_count + 1, sizeof(*all)));
	size_t count = j->r->thread_count, i, first, end;

	for (i = 0; i < count; i++) {
		const struct report_thread *t = j->r->threads[i];

		all[i] = (struct member){ t, j->l.group_of[t->sched->id] };
	}
	array_sort(all, count, by_process);
	for (i = 0; i < j->r->process_count; i++) {
		const struct report_process *p = j->r->processes[i];

		if (!finding_takes_turns(j, p))
			continue;
		first = array_front(count, k, (uintptr_t)all[k].thread->process < (uintptr_t)p);
		end = array_front(count, k, (uintptr_t)all[k].thread->process <= (uintptr_t)p);
		find_convoy(j, p, (struct members){ all + first, end - first });
	}
	free(all);
}

void finding_sleepers(struct judge *j)
{
	size_t i;

	find_convoys(j);
	if (!j->r->is_part)
		return;
	find_limits(j);
	for (i = 0; i < j->l.group_count; i++)
		find_slept(j, j->l.groups[i]);
	find_pools(j);
}
