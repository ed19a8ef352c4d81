/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge.h - shared by the files that make candidates of findings, from the sums of all threads and
 * the history, which losses.c sums up. findings.c reports the largest.
 */
#ifndef FXT_REPORT_STATS_JUDGE_H
#define FXT_REPORT_STATS_JUDGE_H

#include "losses.h"
#include "report_findings.h"
#include "terminal/memory.h"

#define STEPS_LEAST	(1U << 18)	/* of all walks */

/* Less than any of these is not reported. */
#define NOTABLE_NS	20000000	/* the kernel needs some ms to balance */
#define NOTABLE_PART	0.01	/* of the selected time */
#define NOTABLE_SHARE	0.05	/* of the victim's time */

#define CONVOY_THREADS	3	/* two are a dialogue, such as a client and a server */

/* A finding, with what decides about it. */
struct candidate {
	struct report_finding f;
	double rank;			/* the largest first */
	const struct loss_group *group;	/* of the victim */
	const struct loss_group *by_group;	/* of the culprit, NULL if it is no thread */
	uint32_t by;			/* culprit of most of it, as in struct loss */
};

/* What threads of one name lost to one origin: a lock, or a kind of reclaim. */
struct finding_sum {
	struct map_node node;
	const struct loss_group *group;
	uint32_t origin;		/* id */
	struct report_party victim;	/* its thread is the one with @most */
	uint64_t most;			/* ns */
	uint64_t count;
	uint64_t longest;		/* ns, which began at @longest_from */
	uint64_t longest_from;
};

struct judge {
	struct report_engine *e;
	struct report *r;
	struct losses l;
	struct candidate *all;
	size_t count;
};

static inline double more(double a, double b)
{
	return a > b ? a : b;
}

static inline double ratio(uint64_t ns, uint64_t of)
{
	return of ? (double)ns / of : 0;
}

static inline bool is_notable(const struct judge *j, uint64_t ns)
{
	return ns >= NOTABLE_NS && ns >= NOTABLE_PART * report_window(j->r);
}

static inline struct candidate *finding_add(struct judge *j, enum report_finding_kind kind)
{
	array_more(j->all, j->count);
	j->all[j->count] = (struct candidate){ .f = { .kind = kind, .cpu = REPORT_NO_CPU } };
	return &j->all[j->count++];
}

static inline struct finding_sum *finding_sum_of(struct map *sums, const struct loss_group *g,
						 uint32_t origin)
{
	struct finding_sum *s;

	if (map_get(sums, map_hash(g->number, origin), s, s->group == g && s->origin == origin)) {
		s->group = g;
		s->origin = origin;
	}
	return s;
}

/* @t lost @ns of its @life to the origin of a sum. */
static inline void finding_sum_add(struct finding_sum *s, const struct report_thread *t,
				   uint64_t ns, const struct why_window *life)
{
	s->victim.threads++;
	s->victim.ns += ns;
	s->victim.of += life->to - life->from;
	if (ns > s->most || !s->victim.thread)
		s->victim.thread = t;
	s->most = ns > s->most ? ns : s->most;
}

static inline struct candidate *finding_add_sum(struct judge *j, enum report_finding_kind kind,
						const struct finding_sum *s)
{
	struct candidate *c = finding_add(j, kind);

	c->f.victim = s->victim;
	c->f.count = s->count;
	c->f.longest = s->longest;
	c->f.longest_from = s->longest_from;
	c->group = s->group;
	return c;
}

/* --- what finds candidates, in this order ------------------------------------------------ */

/* Find who may have lost time, then sum up what they lost, until the steps are used up. */
void finding_victims(struct judge *j);
void finding_look(struct judge *j);

/* What a group of threads lost. */
void finding_group(struct judge *j, const struct loss_group *g);
/* Threads that sleep for requests of block devices; until others. */
void finding_requests(struct judge *j);
void finding_sleepers(struct judge *j);
/* Threads that sleep for a lock. What other findings are about does not count. */
void finding_locks(struct judge *j);

/* Make one finding for victims of one culprit; of each other. */
void finding_join(struct judge *j);
void finding_join_mutual(struct judge *j);

/* The wait of the trigger; the most unusual wait. */
void finding_trigger(struct judge *j);
void finding_memory(struct judge *j);
void finding_spike(struct judge *j);
/* One CPU was busy alone; the host of the virtual machine had a CPU. */
void finding_serial(struct judge *j);
void finding_steal(struct judge *j);

/* --- shared by these --------------------------------------------------------------------- */

/* The selected time in which a thread lived. */
struct why_window finding_life(const struct judge *j, const struct report_thread *t);
/* Do the threads of a process run one at a time? */
bool finding_takes_turns(const struct judge *j, const struct report_process *p);

struct report_party finding_party(const struct loss_group *g, uint64_t ns, uint64_t of);
/* Note how a party, which is of the group @g, is related to another group. */
void finding_relate(struct report_party *p, const struct loss_group *g,
		    const struct loss_group *victim);
/* Count a side, and keep it if it is among those with most. */
void finding_add_party(struct report_party *to, size_t *count, const struct report_party *p);
/* Add the finding of a cause, which the caller has found notable. */
struct candidate *finding_loss(struct judge *j, const struct loss_group *g, enum loss_cause cause,
			       enum report_finding_kind kind);
/* A thread's cgroup; NULL if it is the root, which has no limits. */
const char *finding_cgroup(const struct report_thread *t);
/* ns in which others of a convoy ran while one slept, and how often. */
uint64_t finding_turns(const struct judge *j, const struct loss_group *g, uint64_t *count);
/* The part of its time that the victim lost. */
double finding_share(const struct candidate *c);

#endif /* FXT_REPORT_STATS_JUDGE_H */
