// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * classes.c - see classes.h.
 *
 * A lower class that merely keeps the CPU may run code that cannot be preempted. But if a switch
 * begins its turn while the thread is runnable in the CPU's run queue, the thread might not run: a
 * deadline thread has used up its runtime; real-time threads, or those of its cgroup, have used up
 * sched_rt_runtime_us; or the fair server, since Linux 6.12, runs threads of the fair class. For
 * real-time threads it also counts if that switch took the CPU from another runnable one.
 */
#include <fxt/fxt_sched_thread.h>

#include "classes.h"

#define LEAST_NS	1000000		/* shorter times may be those of the switches themselves */
#define WAKING_NS	1000000		/* from sched_waking until the thread is in a run queue */
#define SERVER_NS	50000000	/* of each second, unless it is configured */
#define TICK_NS		10000000	/* the fair server may run this much longer */

const char *account_limit_name(enum why_limit why)
{
	static const char *const names[WHY_LIMITS] = {
		[WHY_BUDGET] = "its deadline budget",
		[WHY_RT_THROTTLED] = "real-time throttling",
		[WHY_FAIR_SERVER] = "the fair server",
		[WHY_RT_LIMIT] = "real-time throttling or the fair server",
	};

	return names[why];
}

static bool is_idle(const struct history *h, const struct history_turn *t)
{
	return !h->threads[t->thread]->sched->koid;
}

static enum sched_class class_of(const struct history *h, const struct history_turn *t)
{
	return sched_class_of(sched_model_totals(h->model), t->weight);
}

/* A time in which threads of a lower class had the CPU, going back. */
struct lower {
	uint64_t from;
	uint64_t to;
	const struct history_turn *first;
	bool is_chosen;		/* a turn began while the thread was runnable */
	bool has_idle;		/* the CPU was idle in a part of it */
};

/* Has the first turn taken the CPU from a runnable real-time thread? */
static bool took_over(const struct history *h, const struct lower *l)
{
	const struct history_turn *before;

	if (!l->first->cpu_before)
		return false;
	before = history_turn(h, l->first->cpu_before);
	return before->to == l->first->from && before->state == '+' &&
	       class_of(h, before) == SCHED_CLASS_RT;
}

static bool is_limit(const struct history *h, const struct lower *l, enum sched_class class)
{
	if (!l->first || l->to - l->from < LEAST_NS)
		return false;
	return l->is_chosen || (class == SCHED_CLASS_RT && took_over(h, l));
}

static enum why_limit reason(const struct history *h, const struct lower *l, enum sched_class class)
{
	const struct sched_limits *limits = &sched_model_totals(h->model)->limits;
	uint64_t server = limits->server_runtime_ns ? limits->server_runtime_ns : SERVER_NS;
	bool throttles = !limits->lacks_groups ||
			 (limits->rt_runtime_us >= 0 && !limits->server_period_ns);
	bool serves;

	if (class == SCHED_CLASS_DL)
		return WHY_BUDGET;
	if (limits->differ)
		return WHY_RT_LIMIT;
	/* At most the end of one period of the server, and the begin of the next. */
	serves = !limits->lacks_server && !l->has_idle && l->to - l->from <= 2 * server + TICK_NS;
	return throttles == serves ? WHY_RT_LIMIT : throttles ? WHY_RT_THROTTLED : WHY_FAIR_SERVER;
}

static void extend(struct lower *l, const struct history *h, const struct history_turn *t,
		   uint64_t from, uint64_t to, uint64_t since)
{
	if (!l->first)
		l->to = to;
	l->from = from;
	l->first = t;
	l->is_chosen |= t->from >= since;
	l->has_idle |= is_idle(h, t);
}

/* Since when is a switch a choice between the thread and others? */
static uint64_t choice_since(const struct history *h, const struct history_turn *t)
{
	if (t->begin != HISTORY_WOKEN)
		return t->ready;
	return t->ready + (sched_model_totals(h->model)->has_wakings ? WAKING_NS : 1);
}

/* Has a turn had the CPU that the class should have had? The idle thread is below all classes. */
static bool is_lower(const struct history *h, const struct history_turn *t, enum sched_class class)
{
	enum sched_class of = class_of(h, t);

	return is_idle(h, t) || (of != SCHED_CLASS_NONE && of < class);
}

bool account_limited(struct occupants *o, uint32_t turn, uint16_t cpu, uint64_t from, uint64_t to,
		     struct account_limit *limit)
{
	const struct history *h = o->h;
	const struct history_turn *t = history_turn(h, turn);
	struct lower l = { .from = to };
	enum sched_class class;
	uint32_t number;
	uint64_t since;
	bool ends;

	if (to - from < LEAST_NS)
		return false;
	class = class_of(h, t);
	if (class < SCHED_CLASS_RT)
		return false;
	since = choice_since(h, t);
	number = occupants_turn(o, cpu);
	for (; number && l.from > from && steps_spend(o->steps); number = t->cpu_before) {
		t = history_turn(h, number);
		if (t->from >= l.from)
			continue;
		/* Unknown time, or another class. */
		ends = t->to < l.from || !is_lower(h, t, class);
		if (t->to <= from || (ends && is_limit(h, &l, class)))
			break;
		if (ends)
			l = (struct lower){ .from = earlier(t->to, l.from) };
		if (is_lower(h, t, class))
			extend(&l, h, t, later(t->from, from), l.from, since);
		else
			l.from = later(t->from, from);
	}
	if (!is_limit(h, &l, class))
		return false;
	*limit = (struct account_limit){ l.from, l.to, reason(h, &l, class) };
	return true;
}
