/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - what each thread and each CPU did, kept so that one can go back in it.
 *
 * In: all records of an archive, in one walk.
 * Out: turns. A turn of a thread is the time in which it was runnable and then had a CPU. The
 * turns of a thread, and those of a CPU, are chained from the last one backwards; between two turns
 * of a thread it slept, or what it did is unknown. A turn that was woken names the turn of the
 * waker that was going on then: following these one goes back from effects to causes.
 *
 * What the archive does not prove is unknown: time in which records of any CPU were lost (a thread
 * may have been anywhere meanwhile), time before the first event of a thread, and what came too
 * late to be merged.
 *
 * Times are ns. Turns and pieces are in temporary files (tape.h): memory grows with threads, CPUs,
 * losses and throttled times, not with switches.
 */
#ifndef FXT_HISTORY_HISTORY_H
#define FXT_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "sched/model.h"
#include "sched/usage.h"
#include "tape.h"
#include "walk/archive.h"

#define HISTORY_CPUS	65536		/* all values of 16 bits */
#define HISTORY_NO_CPU	0xffff
#define HISTORY_OPEN	UINT64_MAX	/* a time that has not come */
#define HISTORY_NONE	0		/* no turn; they are counted from 1 */

/* How a turn began. */
enum history_begin {
	HISTORY_WOKEN,		/* at @ready; before, it slept */
	HISTORY_PREEMPTED,	/* at @ready, at which its turn before ended */
	HISTORY_MOVED,		/* at @ready, to the run queue of another CPU */
	HISTORY_UNSEEN,		/* it has the CPU; since when it was runnable is unknown */
};

/**
 * struct history_turn - a thread was runnable, then had a CPU
 * @ready: ns, since which it was runnable
 * @from: ns, since which it had @cpu; HISTORY_OPEN: it never had
 * @to: ns, until when; HISTORY_OPEN while it goes on
 * @thread: its id (struct sched_thread)
 * @before: its turn before, or HISTORY_NONE
 * @cpu_before: the turn that had @cpu before
 * @waker: of HISTORY_WOKEN: id of the thread that woke it, or that @irq hit, plus 1; 0: none, or
 *	unknown
 * @waker_turn: the waker's last turn then, or HISTORY_NONE; it may have left its CPU by then
 * @stack: id of the stack of the sleep before the turn, plus 1; 0: unknown
 * @waker_stack: id of the stack that woke it, plus 1; 0: unknown
 * @cpu: the CPU of the turn
 * @ready_cpu: on whose run queue it was; HISTORY_NO_CPU if unknown
 * @irq_cpu: CPU of the interrupt that woke it; HISTORY_NO_CPU if unknown
 * @begin: enum history_begin
 * @state: letter of the state that it was left in, SCHED_RUNNING if it still ran at the end of the
 *	archive, SCHED_UNKNOWN
 * @irq: enum fxt_sched_irq, of the interrupt that woke it
 * @by_idle: it was woken while a CPU was idle, by an interrupt of which nothing more is known
 * @ran_unseen: after that it had a CPU, and nothing says since when
 */
struct history_turn {
	uint64_t ready;
	uint64_t from;
	uint64_t to;
	uint32_t thread;
	uint32_t before;
	uint32_t cpu_before;
	uint32_t waker;
	uint32_t waker_turn;
	uint32_t stack;
	uint32_t waker_stack;
	uint16_t cpu;
	uint16_t ready_cpu;
	uint16_t irq_cpu;
	uint8_t begin;
	char state;
	uint8_t irq;
	uint8_t by_idle;
	uint8_t ran_unseen;
};

/** struct history_piece - a part of an interrupt; @before: the one before it on its CPU, or 0 */
struct history_piece {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	uint32_t origin;	/* id, struct sched_origin */
	uint32_t before;
};

/** struct history_time - a part of time, ns; @origin: id of what throttled, of such times */
struct history_time {
	uint64_t from;
	uint64_t to;
	uint32_t origin;
};

/** struct history_point - where a CPU's chains are entered for times before @from (ns) */
struct history_point {
	uint64_t from;
	uint32_t turn;
	uint32_t piece;
};

#define HISTORY_POINT_RUNS	64	/* from one point to the next */

/**
 * struct history_cpu - one CPU
 * @last: its last turn
 * @running: its turn now, only while events are taken
 * @piece: its last piece, or 0
 * @runs: how many turns it had
 * @points: in the order of time
 * @throttled: when cgroups were throttled on it, in the order of the ends
 */
struct history_cpu {
	struct sched_usage usage;
	uint32_t last;
	uint32_t running;
	uint32_t piece;
	uint64_t runs;
	struct history_point *points;
	size_t point_count;
	struct history_time *throttled;
	size_t throttled_count;
};

/**
 * struct history_thread - one thread
 * @sched: as the model has it
 * @last: its last turn
 * @waker_stack: of the wakeup that follows, plus 1; 0: none
 * @end: ns, when a recording ended that it was in, and others go on; 0: none did
 */
struct history_thread {
	struct sched_thread *sched;
	uint32_t last;
	uint32_t waker_stack;
	uint64_t end;
};

/**
 * struct history - all of it
 * @first: ns, before which nothing is known; valid at the end, like @last
 * @now: ns, of the newest switch or wakeup, only while events are taken, as @gap
 * @gap: the newest of @gaps
 * @gaps: times in which records of some CPU were lost, sorted, without overlap
 * @thread_count: of threads by the model's ids
 * @has: by enum kernel_event_what: there are such events
 */
struct history {
	struct sched_model *model;
	struct tape turns;
	struct tape pieces;
	uint64_t first;
	uint64_t last;
	uint64_t now;
	struct history_time gap;
	struct history_time *gaps;
	size_t gap_count;
	struct history_cpu *cpus[HISTORY_CPUS];
	struct history_thread **threads;
	size_t thread_count;
	const struct fxt_call_stack **stacks;
	size_t stack_count;
	bool has[KERNEL_EVENTS];
	uint64_t violations;
};

/** history_open() - begin. Return: 0 or a negative errno */
int history_open(struct history **h);
void history_close(struct history *h);

/** history_next() - fxt_reader_next() of the records that history_record() needs */
int history_next(struct history *h, struct fxt_reader *r, struct fxt_record *rec);

/** history_record() - take a record in. Return: as sched_model_record(), or that of tape.h */
int history_record(struct history *h, struct fxt_reader *r, const struct fxt_record *rec);

/** history_read() - take all records of an archive in. Return: 0, or the error that ended the walk */
int history_read(struct history *h, struct archive *a);

/** history_finish() - the archive has ended. Return: 0 or a negative errno */
int history_finish(struct history *h);

/** history_turn() - a turn by its number */
static inline struct history_turn *history_turn(const struct history *h, uint32_t number)
{
	return tape_at(&h->turns, number - 1);
}

/** history_piece() - a piece by its number */
static inline struct history_piece *history_piece(const struct history *h, uint32_t number)
{
	return tape_at(&h->pieces, number - 1);
}

/** history_has_run() - has it had a CPU in this turn? */
static inline bool history_has_run(const struct history_turn *t)
{
	return t->from != HISTORY_OPEN;
}

/**
 * history_turn_end() - ns, until when a turn is known to go on
 * @h: the history
 * @t: the turn
 *
 * One that never had a CPU goes on until its thread is moved or lost, or to the end of the
 * recording.
 */
static inline uint64_t history_turn_end(const struct history *h, const struct history_turn *t)
{
	const struct history_thread *thread = h->threads[t->thread];

	if (t->to != HISTORY_OPEN)
		return t->to;
	return thread->end ? thread->end : h->last;
}

/** history_name() - the name of a thread; "?" if it has none */
const char *history_name(const struct history *h, uint32_t thread);

/** history_koid() - the koid of a thread */
uint64_t history_koid(const struct history *h, uint32_t thread);

/** history_origin() - an interrupt or a cgroup, by its id */
const struct sched_origin *history_origin(const struct history *h, uint32_t origin);

struct history_raised;

/** history_raised_open() - prepare history_raised_by(). Return: NULL without memory */
struct history_raised *history_raised_open(const struct history *h);
void history_raised_close(struct history_raised *r);

/**
 * history_raised_by() - did a thread raise a soft interrupt?
 * @r: from history_raised_open()
 * @turn: of the thread, in which the soft interrupt hit it
 * @until: ns, when it was seen
 *
 * Return: whether that is proven; false without memory.
 */
bool history_raised_by(struct history_raised *r, const struct history_turn *turn, uint64_t until);

#endif /* FXT_HISTORY_HISTORY_H */
