/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internal.h - shared by the parts of the report's engine.
 *
 * engine.c takes events in, cpus.c what begins and ends on CPUs, kernel.c those of interrupts and the like, syscalls.c system
 * calls, acts.c what else threads did, levels.c counters of CPUs, quotas.c those of cgroups.
 * threads.c holds the threads, load.c counts what is busy at once, worst.c keeps the worst
 * latencies, sleeps.c sums up sleeps, watch.c hands events on to an observer. When the archive
 * has ended, sum.c makes the report; group.c sums up processes and names, by waits.c;
 * findings.c judges the sums.
 */
#ifndef FXT_REPORT_INTERNAL_H
#define FXT_REPORT_INTERNAL_H

#include <fxt/fxt_glob.h>

#include "libfxt/map.h"
#include "meter.h"
#include "report.h"
#include "sched/usage.h"

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

#define REPORT_CPUS	65536		/* all values of 16 bits */

/** struct report_run - @thread was switched in; NULL: unknown */
struct report_run {
	uint64_t from;		/* ns */
	struct report_thread *thread;
};

enum engine_cpu_load { CPU_UNSEEN, CPU_IDLE, CPU_BUSY };	/* unseen: or offline */

/**
 * struct engine_cpu - one CPU
 * @usage: its thread now, of which nothing is counted yet
 * @idle: ns that it was idle until then, whatever time is selected
 * @load: CPU_BUSY also if its thread is unknown
 * @team: of its thread; NULL if unknown
 * @alone_before: engine_alone() when its thread was switched in
 * @run_count: entries ever added to @runs, which is a ring
 */
struct engine_cpu {
	struct report_cpu c;
	struct sched_usage usage;
	uint64_t idle;
	enum engine_cpu_load load;
	struct report_team *team;
	uint64_t alone_before;
	uint64_t run_count;
	struct report_run runs[SCHED_RUNS];
};

/** struct report_worst - the worst latencies: a heap, the smallest first */
struct report_worst {
	struct report_wait *heap;
	size_t count;
	size_t room;
};

struct report_slab;
struct kernel_stats;

/**
 * struct report_engine - all of it
 * @from: ns, the requested limit, like @to
 * @is_narrow: there are limits, or not all CPUs count
 * @by_thread: each thread has its own worst latencies, because only some are shown
 * @gap_to: ns, up to which records of some CPU are lost
 * @busy: of the selected CPUs in the selected time, like @free, those that are idle
 * @has_ended: the selected time has, and open waits were counted
 * @has_cpus: all CPUs that were known at the first event are in @cpus
 * @blind: of @busy.one, until another CPU became known
 * @mark: of the newest search in worst.c
 * @levels: by CPU, NULL without any
 * @pairs: of CPUs of which one interrupted the other
 * @stacks: of threads; @functions likewise, by functions
 * @wakings: what ended sleeps whose stack is known
 */
struct report_engine {
	const struct report_options *options;
	struct sched_model *model;
	uint64_t from;
	uint64_t to;
	bool is_narrow;
	bool by_thread;
	struct fxt_glob comm;
	uint64_t gap_to;
	uint64_t mark;
	struct report_meter busy;
	struct report_meter free;
	bool has_ended;
	bool has_cpus;
	uint64_t blind;
	struct engine_cpu *cpus[REPORT_CPUS];
	struct report_slab *slabs;
	size_t slab_used;
	struct report_worst worst;
	struct report_worst longest_sleeps[REPORT_LISTED_SLEEPS];
	struct kernel_stats *kernel;
	struct report_levels *levels[REPORT_CPUS];
	struct map pairs;
	size_t quota_room;
	struct map stacks;
	struct sched_stacks functions;
	struct map wakings;
	struct slices slices;
	struct report report;
};

/* --- selection --------------------------------------------------------------- */

static inline bool engine_has_cpu(const struct report_engine *e, uint16_t cpu)
{
	return !e->options->filter.by_cpu || filter_has_cpu(&e->options->filter, cpu);
}

/** engine_counts() - does something at this time on this CPU count? */
static inline bool engine_counts(const struct report_engine *e, uint64_t time, uint16_t cpu)
{
	return likely(!e->is_narrow) ||
	       (time >= e->from && time <= e->to && engine_has_cpu(e, cpu));
}

/** engine_narrow() - what counts of some time on a CPU. Return: false: nothing of it */
static inline bool engine_narrow(const struct report_engine *e, uint16_t cpu, uint64_t *from,
				 uint64_t *to)
{
	*from = *from < e->from ? e->from : *from;
	*to = *to > e->to ? e->to : *to;
	return *from < *to && engine_has_cpu(e, cpu);
}

/* --- load.c -------------------------------------------------------------------- */

/** engine_alone() - ns, in which exactly one CPU was busy, until @time */
static inline uint64_t engine_alone(struct report_engine *e, uint64_t time)
{
	meter_go_on(&e->busy, time, e->from, e->to);
	return e->busy.one;
}

/** engine_free() - ns, in which at least one CPU was idle, until @time */
static inline uint64_t engine_free(struct report_engine *e, uint64_t time)
{
	meter_go_on(&e->free, time, e->from, e->to);
	return e->free.one + e->free.more;
}

/** engine_team() - find the team of a thread if its process is known. Return: 0 or -ENOMEM */
int engine_team(struct report_thread *t);

/** engine_load() - @in runs on a CPU from @time on, NULL: unknown. Return: 0 or -ENOMEM */
int engine_load(struct report_engine *e, struct engine_cpu *cpu, struct report_thread *in,
		uint64_t time);

/** engine_load_offline() - a CPU is offline from @time on */
void engine_load_offline(struct report_engine *e, struct engine_cpu *cpu, uint64_t time);
void engine_load_free(struct report_engine *e);

/* --- findings.c ----------------------------------------------------------------- */

/** engine_findings() - at last, from all the rest of the report. Return: 0 or -ENOMEM */
int engine_findings(struct report_engine *e);

/* --- kernel.c ----------------------------------------------------------------- */

int engine_kernel_open(struct report_engine *e);
void engine_kernel_close(struct report_engine *e);

/* Callbacks of the model; @arg is the engine. */
int engine_take_piece(void *arg, const struct sched_piece *piece);
int engine_take_slice(void *arg, const struct sched_slice *slice);
int engine_take_move(void *arg, const struct sched_move *move);

/** engine_source() - the report's data of a source; NULL: no memory */
struct report_source *engine_source(struct sched_source *s);

/** engine_kernel_during() - what interrupts took on a CPU during a wait, after a search */
void engine_kernel_during(struct report_engine *e, uint16_t cpu, struct report_wait *wait);

/** engine_kernel_finish() - complete struct report_kernel. Return: 0 or -ENOMEM */
int engine_kernel_finish(struct report_engine *e);

/* --- syscalls.c ------------------------------------------------------------------ */

int engine_take_call(void *arg, const struct sched_slice *call);

/** engine_calls_finish() - sort; add up those of the threads to be shown. Return: 0 or -ENOMEM */
int engine_calls_finish(struct report_engine *e);

/* --- acts.c ------------------------------------------------------------------- */

int engine_take_moment(void *arg, const struct sched_moment *moment);

/** engine_acts_finish() - list the CPUs that were interrupted. Return: 0 or -ENOMEM */
int engine_acts_finish(struct report_engine *e);
void engine_acts_free(struct report_engine *e);

/* --- watch.c: as struct sched_ops says -------------------------------------------- */

int engine_show_span(void *arg, const struct sched_span *span);
int engine_show_moment(void *arg, const struct sched_moment *moment);
int engine_show_move(void *arg, const struct sched_move *move);
int engine_show_frequency(void *arg, const struct sched_frequency *frequency);

/* --- priorities.c ------------------------------------------------------------- */

int engine_take_priority(struct report_engine *e, const struct sched_moment *moment);

/** engine_priorities_finish() - list the threads to be shown. Return: 0 or -ENOMEM */
int engine_priorities_finish(struct report_engine *e);
void engine_priorities_free(struct report_engine *e);

/* --- blocked.c ----------------------------------------------------------------- */

/** engine_off_begin() - a thread is switched out */
static inline void engine_off_begin(struct report_thread *t, const struct sched_step *s)
{
	bool has_gone = s->state == 'Z' || s->state == 'X' || s->state == SCHED_UNKNOWN;

	t->off.since = s->time;
	t->off.woken = 0;
	t->off.waker = NULL;
	t->off.has_ended = false;
	t->off.state = has_gone || s->is_late ? 0 : s->state;
}

/** engine_off_end() - it is switched in. Return: 0 or -ENOMEM */
int engine_off_end(struct report_engine *e, struct report_thread *t, const struct sched_step *s);

/** engine_take_stack() - its stack, after that, or that of its waker. Return: 0 or -ENOMEM */
int engine_take_stack(struct report_engine *e, const struct sched_moment *m);

/** engine_stacks_finish() - after engine_sum(): those of the threads shown. Return: likewise */
int engine_stacks_finish(struct report_engine *e);
void engine_stacks_free(struct report_engine *e);

/* --- frames.c ------------------------------------------------------------------ */

/**
 * engine_stack_functions() - the same stack, by functions
 *
 * Return: what report_stack_range() keeps of it, NULL without memory.
 */
const struct sched_stack *engine_stack_functions(struct report_engine *e,
						 const struct sched_stack *stack, bool is_waker);

/* --- woken.c ------------------------------------------------------------------- */

/** engine_take_waking() - what woke a thread whose sleep has ended. Return: 0 or -ENOMEM */
int engine_take_waking(struct report_engine *e, const struct report_thread *t,
		       const struct sched_stack *stack);

/** engine_wakings_finish() - of the threads shown. Return: likewise */
int engine_wakings_finish(struct report_engine *e);
void engine_wakings_free(struct report_engine *e);

/* --- functions.c --------------------------------------------------------------- */

/** engine_functions_sum() - add up the stacks of a kind. Return: 0 or -ENOMEM */
int engine_functions_sum(struct report_stacks *r, enum report_stack_kind kind);
void engine_functions_free(struct report_stacks *r);

/* --- levels.c ------------------------------------------------------------------ */

int engine_take_frequency(void *arg, const struct sched_frequency *frequency);

/** engine_take_load() - the length of a run queue, or the load of a CPU. Return: 0 or -ENOMEM */
int engine_take_load(struct report_engine *e, const struct sched_moment *moment);

/** engine_levels_unknown() - records of the CPU are lost from @time on */
void engine_levels_unknown(struct report_engine *e, uint16_t cpu, uint64_t time);

/** engine_levels_finish() - complete those of all CPUs; @last: ns, when the archive ends */
void engine_levels_finish(struct report_engine *e, uint64_t last);
void engine_levels_free(struct report_engine *e);

/* --- quotas.c ------------------------------------------------------------------ */

int engine_take_quota(void *arg, struct sched_quota *quota);

/** engine_quotas_finish() - subtract the bases, and sort */
void engine_quotas_finish(struct report_engine *e);

/* --- threads.c -------------------------------------------------------------- */

/** engine_thread() - the data of a thread of the model; NULL: no memory */
struct report_thread *engine_thread_slow(struct report_engine *e, struct sched_thread *s);

static inline struct report_thread *engine_thread(struct report_engine *e,
						  struct sched_thread *s)
{
	struct report_thread *t = (struct report_thread *)(uintptr_t)s->user;

	return likely(t) ? t : engine_thread_slow(e, s);
}

void engine_threads_free(struct report_engine *e);

/* --- worst.c ---------------------------------------------------------------- */

/** engine_is_worst() - is a latency among the worst? */
static inline bool engine_is_worst(const struct report_engine *e,
				   const struct report_worst *worst, uint64_t latency)
{
	return worst->count < e->options->worst ||
	       (worst->count && latency > worst->heap[0].latency);
}

/** engine_worst() - add a latency that is among the worst. Return: 0 or -ENOMEM */
int engine_worst(struct report_engine *e, struct report_worst *worst,
		 const struct report_wait *wait);

/** engine_worst_keep() - add one as it is if it is among the worst. Return: 0 or -ENOMEM */
int engine_worst_keep(struct report_engine *e, struct report_worst *worst,
		      const struct report_wait *wait);

/** engine_worst_sort() - the worst first */
void engine_worst_sort(struct report_worst *worst);

/** engine_worst_finish() - sort the worst latencies of the threads that are shown */
int engine_worst_finish(struct report_engine *e);

/* --- sleeps.c ---------------------------------------------------------------- */

/** engine_sleep_begin() - a thread was switched out, neither runnable nor dead */
void engine_sleep_begin(struct report_thread *t, const struct sched_step *s);

/** engine_sleep_end() - a thread was woken by @waker, if any. Return: 0 or -ENOMEM */
int engine_sleep_end(struct report_engine *e, struct report_thread *t,
		     const struct sched_waking *w, const struct report_thread *waker);

/** engine_sleep_lost() - a thread was switched in without a wakeup */
void engine_sleep_lost(struct report_engine *e, struct report_thread *t,
		       const struct sched_step *s);

/**
 * engine_sleep_cut() - cut the sleeps that go on at @time
 * @cpu: of threads that left this CPU; REPORT_NO_CPU: of all
 * @time: ns, when its recording or the selected time ends
 *
 * Return: 0 or -ENOMEM.
 */
int engine_sleep_cut(struct report_engine *e, uint16_t cpu, uint64_t time);

/** engine_sleep_finish() - the archive ended at @last. Return: 0 or -ENOMEM */
int engine_sleep_finish(struct report_engine *e, uint64_t last);

/** engine_sleep_lists() - the longest sleeps of the threads that are shown. Return: 0 or -ENOMEM */
int engine_sleep_lists(struct report_engine *e);

/* --- sum.c ------------------------------------------------------------------ */

/** engine_selects() - is a thread to be shown if it took part? */
bool engine_selects(const struct report_engine *e, const struct report_thread *t);

/** engine_sum() - processes, selection, order. Return: 0 or -ENOMEM */
int engine_sum(struct report_engine *e);
void engine_sum_free(struct report_engine *e);

/* --- waits.c ---------------------------------------------------------------- */

void report_counts_add(struct report_counts *to, const struct report_counts *n);

void report_waits_free(struct report_waits **waits);

/** report_waits_merge() - add other waits. Return: 0 or -ENOMEM */
int report_waits_merge(struct report_waits **waits, struct report_waits *const *other);

/** report_sleeps_add() - add one, whose kind it names. Return: 0 or -ENOMEM */
int report_sleeps_add(struct report_sleeps **sleeps, const struct report_wait *s, bool is_cut);

/** report_sleeps_merge() - add other sleeps. Return: 0 or -ENOMEM */
int report_sleeps_merge(struct report_sleeps **sleeps, struct report_sleeps *const *other);

void report_sleeps_free(struct report_sleeps **sleeps);

/* --- group.c ---------------------------------------------------------------- */

/** report_waker_order() - for qsort(): the waker with the most certain wakeups first */
int report_waker_order(const void *a, const void *b);

/** engine_cgroup() - path of a thread's cgroup, "" if it is unknown; after sched_model_finish() */
const char *engine_cgroup(const struct report_thread *t);

/** engine_add_processes() - of all threads, in any order. Return: 0 or -ENOMEM */
int engine_add_processes(struct report_engine *e, struct report_thread **threads,
			 size_t count);

/** engine_add_comms() - likewise, by name; after the processes */
int engine_add_comms(struct report_engine *e, struct report_thread **threads, size_t count);

/** engine_add_cgroups() - likewise, by cgroup, if the archive has any */
int engine_add_cgroups(struct report_engine *e, struct report_thread **threads, size_t count);

/** report_sum_free() - free what it contains */
void report_sum_free(struct report_sum *sum);

#endif /* FXT_REPORT_INTERNAL_H */
