/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internal.h - shared by the parts of the report's engine.
 *
 * engine.c receives events. When the archive has ended, sums.c makes the report, by waits.c;
 * losses.c asks the history what kept threads from running (losses.h), and findings.c judges it
 * (judge.h). The other files count one thing each.
 */
#ifndef FXT_REPORT_INTERNAL_H
#define FXT_REPORT_INTERNAL_H

#include <stdint.h>
#include <stdlib.h>

#include <fxt/fxt_glob.h>

#include "account/waits.h"
#include "libfxt/map.h"
#include "report.h"
#include "sched/usage.h"
#include "terminal/arena.h"

/* How long one of several was busy, or more at once. */
struct report_meter {
	unsigned int busy;	/* how many are, since @at (ns) */
	enum { METER_NONE, METER_ONE, METER_MORE, METER_LEVELS } level;	/* which of @ns goes on */
	uint64_t at;
	uint64_t ns[METER_LEVELS];	/* in which none was, one, more */
	uint64_t first;		/* ns, when the first became busy; 0: none was */
	uint64_t last;		/* ns, of the last change */
};

/* How the threads of one process run together. */
struct report_team {
	struct report_meter running;	/* of its threads that have a CPU */
	uint64_t inner;			/* wakeups of its threads by its threads */
};

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

#define REPORT_CPUS	65536		/* all values of 16 bits */

enum engine_cpu_load { CPU_UNSEEN, CPU_IDLE, CPU_BUSY };	/* unseen: or offline */

struct engine_cpu {
	struct report_cpu c;
	struct sched_usage usage;	/* its current thread, whose run is not counted yet */
	uint64_t idle;			/* ns that it was idle, selected or not */
	enum engine_cpu_load load;	/* CPU_BUSY also if its thread is unknown */
	struct report_team *team;	/* of its thread; NULL if unknown */
	uint64_t alone_before;		/* engine_alone() when its thread was switched in */
	uint64_t steal_time;		/* ns, of the newest value of the kernel's count; 0: none */
};

/* The worst latencies: a heap, the smallest first. */
struct report_worst {
	struct report_wait *heap;
	size_t count;
	uint64_t enough;	/* ns, that the next one must have */
};

#define ENGINE_LATENCIES	8

/* That of a wait, to be counted in a bucket. */
struct engine_latency {
	struct report_hist *hist;	/* NULL: there is none */
	uint64_t ns;
};

struct kernel_stats;
struct engine_placement;

/* The state behind a report. */
struct report_engine {
	const struct report_options *options;
	struct arena arena;		/* what is made for the report and lives as long */
	struct sched_ops ops;
	struct sched_model *model;
	uint64_t from;		/* ns, the requested start */
	uint64_t to;		/* ns, the requested end */
	bool is_narrow;		/* limits were requested, or not all CPUs are selected */
	bool by_thread;		/* threads keep own worst latencies: perhaps not all are shown */
	uint64_t gap_to;	/* ns, up to which records of some CPU are lost */
	uint64_t mark;		/* of the newest search in worst.c */
	struct history *history;	/* what each thread did; NULL for only sums */
	struct account account;		/* complete at the end */
	struct report_meter busy;	/* of the selected CPUs in the selected time */
	struct report_meter free;	/* likewise, of idle ones */
	bool has_ended;		/* the selected time has, and open waits were counted */
	bool has_cpus;		/* all CPUs that were known at the first event are in @cpus */
	/* 1 + the largest number in any table by CPU: touching the rest would cost page faults. */
	unsigned int cpu_end;
	uint64_t blind;	/* ns in which one CPU was @busy, until another CPU became known */
	struct engine_cpu *cpus[REPORT_CPUS];
	struct report_waits *waits;	/* all of them */
	struct engine_latency latencies[ENGINE_LATENCIES];
	unsigned int next_latency;
	struct report_worst worst;
	struct report_worst longest_sleeps[REPORT_LISTED_SLEEPS];
	struct kernel_stats *kernel;
	struct engine_placement *placement;	/* NULL without the topology */
	struct report_levels *levels[REPORT_CPUS];	/* by CPU, NULL without any */
	struct map locks;	/* by waiter and holder */
	struct map pairs;	/* of CPUs of which one interrupted the other */
	struct map signals;	/* by sender, target, number and result */
	struct map requests;	/* by origin */
	struct map stacks;	/* sums of stacks by thread */
	struct fxt_call_stacks functions;	/* by function */
	struct map wakings;	/* what ended sleeps whose stack is known */
	struct slices slices;
	struct report report;
	struct report unscoped;		/* the same before it was known which threads are shown */
};

/* A table by CPU has an entry for this one from now on. */
static inline void engine_cpu_seen(struct report_engine *e, uint16_t number)
{
	if (number >= e->cpu_end)
		e->cpu_end = number + 1;
}

/* --- selection --------------------------------------------------------------- */

static inline bool engine_has_cpu(const struct report_engine *e, uint16_t cpu)
{
	return !e->options->filter.by_cpu || filter_has_cpu(&e->options->filter, cpu);
}

/* Are this time and this CPU selected? */
static inline bool engine_counts(const struct report_engine *e, uint64_t time, uint16_t cpu)
{
	return likely(!e->is_narrow) ||
	       (time >= e->from && time <= e->to && engine_has_cpu(e, cpu));
}

/* Limit a time on a CPU to its selected part. Return: false if there is none */
static inline bool engine_narrow(const struct report_engine *e, uint16_t cpu, uint64_t *from,
				 uint64_t *to)
{
	*from = *from < e->from ? e->from : *from;
	*to = *to > e->to ? e->to : *to;
	return *from < *to && engine_has_cpu(e, cpu);
}

/* --- meters ------------------------------------------------------------------- */

/* Count the selected part of the time up to @time, in which nothing has changed. */
static inline void meter_count(const struct report_engine *e, struct report_meter *m, uint64_t time)
{
	uint64_t begin = m->at, end = time;

	if (time <= begin)
		return;
	m->at = time;
	if (unlikely(e->is_narrow)) {
		begin = begin > e->from ? begin : e->from;
		end = end < e->to ? end : e->to;
		if (begin >= end)
			return;
	}
	m->ns[m->level] += end - begin;
}

/* @by more are busy from @time on. */
static inline void meter_change(const struct report_engine *e, struct report_meter *m,
				uint64_t time, int by)
{
	meter_count(e, m, time);
	m->busy += by;
	m->level = m->busy < METER_MORE ? m->busy : METER_MORE;
	if (unlikely(!m->first))
		m->first = time;
	m->last = time;
}

/* --- threads.c --------------------------------------------------------------------------- */

/* Zeroed memory in the arena, on cache lines of its own. */
void *engine_lines(struct report_engine *e, size_t size);

/* The data of a thread of the model. */
struct report_thread *engine_thread_slow(struct report_engine *e, struct sched_thread *s);

static inline struct report_thread *engine_thread(struct report_engine *e,
						  struct sched_thread *s)
{
	struct report_thread *t = (struct report_thread *)(uintptr_t)s->user;

	return likely(t) ? t : engine_thread_slow(e, s);
}

/* The next thread that has data, *@i is 0 at first. Return: NULL at the end */
struct report_thread *engine_next_thread(const struct report_engine *e, size_t *i);

/* Find what is shown; after sched_model_finish(), once all runs were counted. */
void engine_find_scope(struct report_engine *e, const struct filter *asked);

/* Is this thread to be shown, if it took part? */
bool engine_selects(const struct report_engine *e, const struct report_thread *t);

/* --- cpus.c: busy CPUs, levels ----------------------------------------------------------- */

/* ns until @time in which exactly one CPU was busy. */
static inline uint64_t engine_alone(struct report_engine *e, uint64_t time)
{
	meter_count(e, &e->busy, time);
	return e->busy.ns[METER_ONE];
}

/* ns until @time in which at least one CPU was idle. */
static inline uint64_t engine_free(struct report_engine *e, uint64_t time)
{
	meter_count(e, &e->free, time);
	return e->free.ns[METER_ONE] + e->free.ns[METER_MORE];
}

/* Find the team of a thread if its process is known. */
void engine_team(struct report_engine *e, struct report_thread *t);

/* The load of a CPU is about to become @is. */
void engine_placement_load(struct report_engine *e, uint16_t cpu, enum engine_cpu_load was,
			   enum engine_cpu_load is, uint64_t time);

/* A CPU runs @in from @time on; NULL: unknown. */
static inline void engine_load(struct report_engine *e, struct engine_cpu *cpu,
			      struct report_thread *in, uint64_t time)
{
	enum engine_cpu_load was = cpu->load, is = in && in->is_idle ? CPU_IDLE : CPU_BUSY;
	struct report_team *team = NULL;

	if (unlikely(e->is_narrow && !engine_has_cpu(e, cpu->c.number)))
		return;
	if (in && is == CPU_BUSY && unlikely(!in->team))
		engine_team(e, in);
	if (in && is == CPU_BUSY)
		team = in->team;
	if (was != is) {
		if (e->placement)
			engine_placement_load(e, cpu->c.number, was, is, time);
		meter_change(e, &e->busy, time, (is == CPU_BUSY) - (was == CPU_BUSY));
		meter_change(e, &e->free, time, (is == CPU_IDLE) - (was == CPU_IDLE));
		cpu->load = is;
	}
	cpu->alone_before = engine_alone(e, time);
	if (team == cpu->team)
		return;
	if (cpu->team)
		meter_change(e, &cpu->team->running, time, -1);
	if (team)
		meter_change(e, &team->running, time, 1);
	cpu->team = team;
}

/* --- worst.c ---------------------------------------------------------------- */

/* Would a latency be among the worst so far? */
static inline bool engine_is_worst(const struct report_worst *worst, uint64_t latency)
{
	return latency >= worst->enough;
}

/* Add a wait if it is among the worst. */
void engine_worst_keep(struct report_engine *e, struct report_worst *worst,
		      const struct report_wait *wait);

/*
 * The worst waits of the threads that are shown, the worst first: those of @list, and, if each
 * thread has own ones, these. @kind: of sleeps; REPORT_SLEEPS: waits for a CPU
 */
struct report_longest engine_worst_shown(struct report_engine *e, const struct report_worst *list,
					 enum report_sleep_kind kind);

/* Find another CPU that was idle during a wait; account_rewind() was called for it. */
void engine_idle_meanwhile(struct report_engine *e, struct report_wait *w);

/* --- sleeps.c ---------------------------------------------------------------- */

/* enum report_sleep_kind + 1 by the letter of a state; 0: that is no sleep. */
extern const uint8_t engine_sleep_kinds[256];

/* A thread was switched out neither runnable nor dead. */
static inline void engine_sleep_begin(struct report_thread *t, const struct sched_step *s)
{
	t->sleep = s->is_late ? 0 : engine_sleep_kinds[(unsigned char)s->state];
	t->since = s->time;
}

/* @waker: NULL if no thread woke it. */
void engine_sleep_end(struct report_engine *e, struct report_thread *t,
		     const struct sched_waking *w, const struct report_thread *waker);

/* Drop the sleep of a thread that was switched in without a wakeup. */
void engine_sleep_lost(struct report_engine *e, struct report_thread *t,
		       const struct sched_step *s);

/* Cut the sleeps that go on at @time of threads that left @cpu, or of all. */
void engine_sleep_cut(struct report_engine *e, uint16_t cpu, uint64_t time);

/* --- sections: what an event of the model adds to each ----------------------------------- */

void engine_note_frequency(struct report_engine *e, const struct sched_frequency *frequency);
/* What the hypervisor has taken of a CPU, which @counts if it is selected. */
void engine_note_steal(struct report_engine *e, const struct sched_moment *moment, bool counts);
/* The length of a run queue or the load of a CPU. */
void engine_note_load(struct report_engine *e, const struct sched_moment *moment);
void engine_note_priority(struct report_engine *e, const struct sched_moment *moment);
void engine_note_quota(struct report_engine *e, struct sched_quota *quota);
void engine_note_edge(struct report_engine *e, const struct sched_edge *edge);
void engine_count_gap(struct report_engine *e, const struct sched_gap *gap);
void engine_count_piece(struct report_engine *e, const struct sched_piece *piece);
void engine_count_slice(struct report_engine *e, const struct sched_slice *slice);
void engine_count_move(struct report_engine *e, const struct sched_move *move);
void engine_count_ipi(struct report_engine *e, const struct sched_moment *m);
void engine_count_call(struct report_engine *e, const struct sched_slice *call);
void engine_count_lock(struct report_engine *e, const struct sched_slice *wait);
void engine_count_memory(struct report_engine *e, const struct sched_slice *slice);
void engine_count_signal(struct report_engine *e, const struct sched_moment *m);
void engine_count_request(struct report_engine *e, const struct sched_request *r);
/* A thread's stack, which follows engine_off_end(), or its waker's. */
void engine_add_stack(struct report_engine *e, const struct sched_moment *m);
void engine_add_sample(struct report_engine *e, const struct sched_moment *m);

/* --- sections: from sums to lists of the report ------------------------------------------ */

void engine_kernel_open(struct report_engine *e);
/* At the first CPU that does something. */
void engine_placement_open(struct report_engine *e);

/* After the last event; @last: ns, when the archive ends. */
void engine_cpus_finish(struct report_engine *e, uint64_t last);
void engine_levels_finish(struct report_engine *e, uint64_t last);
void engine_placement_finish(struct report_engine *e, uint64_t last);
void engine_sleep_finish(struct report_engine *e, uint64_t last);
void engine_quotas_finish(struct report_engine *e);
void engine_ipis_finish(struct report_engine *e);
void engine_requests_finish(struct report_engine *e);

/* Once it is known which threads are shown. */
void engine_calls_finish(struct report_engine *e);
void engine_kernel_finish(struct report_engine *e);
void engine_signals_finish(struct report_engine *e);
void engine_locks_finish(struct report_engine *e);
void engine_memory_finish(struct report_engine *e);

/* Sum up processes, names and cgroups, select and sort; then list these. */
void engine_sum(struct report_engine *e);
void engine_priorities_finish(struct report_engine *e);
void engine_worst_finish(struct report_engine *e);
void engine_sleep_lists(struct report_engine *e);
void engine_sockets_finish(struct report_engine *e);
void engine_findings(struct report_engine *e);
void engine_stacks_finish(struct report_engine *e);

void engine_kernel_close(struct report_engine *e);
void engine_signals_free(struct report_engine *e);
void engine_locks_free(struct report_engine *e);
void engine_requests_free(struct report_engine *e);
void engine_stacks_free(struct report_engine *e);
void engine_waits_free(struct report_engine *e);

/* The report's data of an origin. */
struct report_origin *engine_origin(struct report_engine *e, struct sched_origin *s);

/* Add the calls of another thread. */
void report_calls_add(struct arena *arena, struct report_calls *to,
		      const struct report_calls *from);

/* By time, longest first. */
void report_calls_sort(struct report_calls *c);

/* Complete the locks of the report, which are in the order of their origins. */
void engine_holds_finish(struct report_engine *e);

void report_throttled_add(struct report_throttled *t, uint64_t from, uint64_t to);

/* Add the periods in @recent to the sums. */
void report_throttled_end(struct report_throttled *t);

/* --- stacks.c ---------------------------------------------------------------------------- */

static inline void engine_off_begin(struct report_thread *t, const struct sched_step *s)
{
	/* Numbers, not branches, which would often be mispredicted. */
	bool is_out = (s->state != 'Z') & (s->state != 'X') & (s->state != SCHED_UNKNOWN) &
		      !s->is_late;

	t->off.since = s->time;
	t->off.woken = 0;
	t->off.waker = NULL;
	t->off.has_ended = false;
	t->off.state = s->state & -is_out;
}

/* A time off CPU has ended that the code at a stack may have ended. */
void engine_off_woken(struct report_engine *e, struct report_thread *t, uint16_t cpu)
	__attribute__((cold));

/* Only a stack makes use of it. */
static inline void engine_off_end(struct report_engine *e, struct report_thread *t,
				 const struct sched_step *s)
{
	struct report_off *off = &t->off;

	off->until = s->time;
	off->has_ended = !s->is_late;
	off->left = off->state;
	off->state = 0;
	off->from = NULL;
	if (unlikely(off->waker))
		engine_off_woken(e, t, s->cpu);
}

/* --- waits.c ----------------------------------------------------------------------------- */

void report_counts_add(struct report_counts *to, const struct report_counts *n);

/* Those of one kind, maybe new. */
struct report_waits *engine_waits(struct report_engine *e, struct report_waits **of);

/* Add the waits of another thread or sum. */
void report_waits_merge(struct report_engine *e, struct report_waits **waits,
			struct report_waits *const *other);

void report_sleeps_add(struct report_engine *e, struct report_sleeps **sleeps,
		       const struct report_wait *s, bool is_cut);

/* Add the sleeps of another thread or sum. */
void report_sleeps_merge(struct report_engine *e, struct report_sleeps **sleeps,
			 struct report_sleeps *const *other);

/* --- cpus.c: what each CPU does --------------------------------------------------------- */

/* @t, which may be the idle thread, had a CPU in this time. */
static inline void engine_run(struct report_engine *e, struct engine_cpu *cpu,
			      struct report_thread *t, uint64_t from, uint64_t to)
{
	if (unlikely(e->is_narrow && !engine_narrow(e, cpu->c.number, &from, &to)))
		return;
	if (unlikely(from >= to))
		return;
	t->n.run += to - from;
	if (t->is_idle) {
		cpu->c.idle += to - from;
		return;
	}
	cpu->c.busy += to - from;
	t->n.alone += engine_alone(e, to) - cpu->alone_before;
	if (unlikely(to - from > cpu->c.longest)) {
		cpu->c.longest = to - from;
		cpu->c.longest_thread = t;
		cpu->c.longest_from = from;
	}
}

/* ns that a CPU was known to be idle until @time. */
static inline uint64_t engine_idle_until(const struct engine_cpu *cpu, uint64_t time)
{
	if (!cpu)
		return 0;
	if (cpu->usage.thread && !cpu->usage.thread->koid && time > cpu->usage.since)
		return cpu->idle + (time - cpu->usage.since);
	return cpu->idle;
}

void engine_add_offline(struct report_engine *e, struct engine_cpu *cpu,
			const struct sched_spell *spell) __attribute__((cold));

/* Count what a CPU did until now, before engine_load() sets what it does next. */
static inline void engine_spell(struct report_engine *e, struct engine_cpu *cpu,
				const struct sched_spell *spell)
{
	if (unlikely(spell->from >= spell->to))
		return;
	if (unlikely(!spell->thread)) {
		engine_add_offline(e, cpu, spell);
		return;
	}
	if (!spell->thread->koid)
		cpu->idle += spell->to - spell->from;
	/* The thread has data here since it was switched in. */
	engine_run(e, cpu, (struct report_thread *)(uintptr_t)spell->thread->user, spell->from,
		   spell->to);
}

struct engine_cpu *engine_cpu_new(struct report_engine *e, uint16_t number, uint64_t time)
	__attribute__((cold));

/* A CPU that does something at @time, maybe for the first time. */
static inline struct engine_cpu *engine_cpu(struct report_engine *e, uint16_t number,
					    uint64_t time)
{
	return likely(e->cpus[number]) ? e->cpus[number] : engine_cpu_new(e, number, time);
}

/* It is unknown what a CPU does from @time on. */
void engine_cpu_leave(struct report_engine *e, struct engine_cpu *cpu, uint64_t time);

/* --- placement.c: where threads are put -------------------------------------------------- */

/* Begin a wait of @t, which was woken, or (unless @is_woken) preempted. */
void engine_placement_begin(struct report_engine *e, struct report_thread *t, uint64_t time,
			    bool is_woken);

/* End a wait of a thread, which got @cpu (REPORT_NO_CPU: none). */
void engine_placement_end(struct report_engine *e, struct report_thread *t, uint64_t time,
			  uint16_t cpu);

#endif /* FXT_REPORT_INTERNAL_H */
