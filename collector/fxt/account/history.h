/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - what each thread and each CPU did, kept for walks back in time.
 *
 * In: all records of an archive, in one walk.
 * Out: turns. A turn of a thread is the time in which it was runnable and then had a CPU. The
 * turns of a thread, and those of a CPU, are chained from the last one backwards; between two turns
 * of a thread it slept, or what it did is unknown. A turn that began with a wakeup names the
 * waker's turn at that time, which leads back from effects to causes.
 *
 * Whatever the archive does not prove is unknown: time in which records of any CPU were lost (a
 * thread may have been anywhere), time before the first event of a thread, and events that came too
 * late to be merged.
 *
 * Times are ns. Turns and pieces are in temporary files (tape.h): memory grows with threads, CPUs,
 * losses and throttled times, not with switches.
 */
#ifndef FXT_ACCOUNT_HISTORY_H
#define FXT_ACCOUNT_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "sched/model.h"
#include "sched/usage.h"
#include "tape.h"
#include "walk/archive.h"
#include "walk/scope.h"

#define HISTORY_CPUS	65536		/* all values of 16 bits */
#define HISTORY_NO_CPU	0xffff
#define HISTORY_NONE	0		/* no turn; numbers start at 1 */

/* How a turn began. */
enum history_begin {
	HISTORY_WOKEN,		/* woken at @ready; it slept before */
	HISTORY_PREEMPTED,	/* preempted at @ready, where its previous turn ended */
	HISTORY_MOVED,		/* moved at @ready to the run queue of another CPU */
	HISTORY_UNSEEN,		/* it has the CPU; it is unknown since when it was runnable */
	HISTORY_SEEN,		/* runnable at @ready, perhaps since long before */
};

/**
 * struct history_turn - a thread was runnable, then had a CPU
 * @ready: ns, when it became runnable
 * @from: ns, when it got @cpu, if it @has_run
 * @to: ns, when it left @cpu, or when its wait ended without one, if it @is_over
 * @thread: its id (struct sched_thread)
 * @before: its previous turn, or HISTORY_NONE; its number is smaller, as is that of @waker_turn
 * @cpu_before: the turn that got @cpu before this one, which a turn does once, so that no chain is
 *	a circle
 * @waker: of HISTORY_WOKEN: 1 + id of the thread that woke it or that @irq hit; 0: none or unknown
 * @waker_turn: the waker's last turn at that time, or HISTORY_NONE; the waker may have left its CPU
 *	already
 * @stack: 1 + id of the stack of the sleep before the turn; 0: unknown
 * @waker_stack: 1 + id of the waker's stack; 0: unknown
 * @cpu: the CPU of the turn, or from which the thread was moved to another run queue;
 *	HISTORY_NO_CPU if neither happened
 * @ready_cpu: CPU of its run queue; HISTORY_NO_CPU if unknown
 * @irq_cpu: CPU of the interrupt that woke it; HISTORY_NO_CPU if unknown
 * @weight: of the thread when it had the CPU, or became runnable, as archives have it; 0: unknown
 * @state: letter of its state after the turn; SCHED_RUNNING if it still ran at the end of the
 *	archive, or SCHED_UNKNOWN
 * @begin: enum history_begin
 * @irq: enum fxt_sched_irq, of the interrupt that woke it
 * @has_run: it got a CPU
 * @is_over: it left the CPU, or its wait ended without one
 * @by_idle: an unknown interrupt woke it while its CPU was idle
 * @ran_unseen: after the turn it had a CPU, but it is unknown since when
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
	int32_t weight;
	uint16_t cpu;
	uint16_t ready_cpu;
	uint16_t irq_cpu;
	uint16_t state : 7;
	uint16_t begin : 3;
	uint16_t irq : 2;
	uint16_t has_run : 1;
	uint16_t is_over : 1;
	uint16_t by_idle : 1;
	uint16_t ran_unseen : 1;
};

/** struct history_piece - a part of an interrupt; @before: the previous one on its CPU, or 0 */
struct history_piece {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	uint32_t origin;	/* id, struct sched_origin */
	uint32_t before;
};

/**
 * struct history_time - a time from @from to @to (ns); @origin: id of the throttled cgroup, if it
 * is about one
 */
struct history_time {
	uint64_t from;
	uint64_t to;
	uint32_t origin;
};

/** struct history_point - entry into a CPU's chains for times before @from (ns) */
struct history_point {
	uint64_t from;
	uint32_t turn;
	uint32_t piece;
};

#define HISTORY_POINT_RUNS	64	/* turns from one point to the next */

/**
 * struct history_cpu - one CPU
 * @last: its last turn
 * @running: its current turn, only while events are taken
 * @piece: its last piece, or 0
 * @runs: number of its turns
 * @points: entry points, in order of time
 * @throttled: times in which cgroups were throttled on it, sorted by end
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
 * @sched: its thread in the model
 * @last: its last turn
 * @waker_stack: 1 + id of the stack of the next wakeup; 0: none
 * @end: ns, end of its recording, if others go on; else 0
 * @moved: ns, its last move, which was to the run queue of @moved_to
 */
struct history_thread {
	struct sched_thread *sched;
	uint32_t last;
	uint32_t waker_stack;
	uint64_t end;
	uint64_t moved;
	uint16_t moved_to;
};

/**
 * history_make_fn - makes the data of a thread, and points @sched->user there
 *
 * Return: false without memory.
 */
typedef bool history_make_fn(void *arg, struct sched_thread *sched);

/**
 * struct history - turns and pieces of all threads and CPUs
 * @has_own_model: @model was opened by the history
 * @first: ns; nothing is known before; valid at the end, like @last
 * @now: ns, the newest switch or wakeup, only while events are taken, like @gap
 * @begun: ns, since when the newest CPU is recorded, likewise
 * @gap: the newest of @gaps
 * @gaps: times in which records of some CPU were lost, sorted, without overlap
 * @thread_count: size of the list of threads, by the model's ids
 * @has: by enum kernel_event_what: does the archive have such events?
 */
struct history {
	struct sched_model *model;
	bool has_own_model;
	history_make_fn *make;
	void *arg;
	size_t offset;
	struct tape turns;
	struct tape pieces;
	uint64_t first;
	uint64_t last;
	uint64_t now;
	uint64_t begun;
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

/** history_open() - begin a history with a model of its own. Return: 0 or a negative errno */
int history_open(struct history **h);
void history_close(struct history *h);

/** history_next() - like fxt_reader_next(), for records that history_record() needs */
int history_next(struct history *h, struct fxt_reader *r, struct fxt_record *rec);

/** history_record() - take a record. Return: as sched_model_record(), or an error of tape.h */
int history_record(struct history *h, struct fxt_reader *r, const struct fxt_record *rec);

/** history_read() - take all records of an archive. Return: 0, or the error that ended the walk */
int history_read(struct history *h, struct archive *a);

/**
 * history_finish() - complete the history at the end of the archive. Return: 0 or a negative errno
 */
int history_finish(struct history *h);

/*
 * For a caller that has a model already and takes events itself: it passes each of them on to the
 * callback of history_ops of the same name, with the history as argument, and completes the
 * history instead of finishing it. The history is closed before the model.
 */
extern const struct sched_ops history_ops;

/**
 * history_attach() - begin a history of a model of the caller
 * @h: set to the history
 * @m: the model
 * @make: makes the data of a thread of the model, which contain struct history_thread
 * @arg: passed to it
 * @offset: of that in these data, bytes
 *
 * Return: 0 or -ENOMEM.
 */
int history_attach(struct history **h, struct sched_model *m, history_make_fn *make, void *arg,
		   size_t offset);

/** history_complete() - complete it after sched_model_finish(). Return: 0 or a negative errno */
int history_complete(struct history *h);

/** history_error() - the negative errno for which events could not be kept, or 0 */
static inline int history_error(const struct history *h)
{
	return h->turns.error ? h->turns.error : h->pieces.error;
}

/**
 * history_failed() - report that there is no room to answer questions about an archive
 * @path: of the archive
 * @error: negative errno
 *
 * Return: VERB_UNWRITABLE.
 */
int history_failed(const char *path, int error);

/** history_gap_before() - the last gap that begins before a time (ns), NULL if there is none */
const struct history_time *history_gap_before(const struct history *h, uint64_t time);

/** history_point_at() - a CPU's first point from a time (ns) on, NULL after the last one */
const struct history_point *history_point_at(const struct history_cpu *cpu, uint64_t time);

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

/**
 * history_turn_end() - the end of a turn, as far as it is known (ns)
 * @h: the history
 * @t: the turn
 *
 * A turn without a CPU ends when the thread is moved or lost, or at the end of the recording.
 */
static inline uint64_t history_turn_end(const struct history *h, const struct history_turn *t)
{
	const struct history_thread *thread = h->threads[t->thread];

	if (t->is_over)
		return t->to;
	return thread->end ? thread->end : h->last;
}

/** history_name() - the name of a thread; "?" if it has none */
const char *history_name(const struct history *h, uint32_t thread);

/** history_koid() - the koid of a thread */
uint64_t history_koid(const struct history *h, uint32_t thread);

/** history_origin() - an interrupt or cgroup by its id */
const struct sched_origin *history_origin(const struct history *h, uint32_t origin);

/** history_find_scope() - find which threads a command is about; see walk/scope.h */
void history_find_scope(const struct history *h, struct scope *s);

/** history_is_in() - is a thread in a scope? */
bool history_is_in(const struct history *h, const struct scope *s, uint32_t thread);

struct history_raised;

/** history_raised_open() - prepare history_raised_by(). Return: NULL without memory */
struct history_raised *history_raised_open(const struct history *h);
void history_raised_close(struct history_raised *r);

/**
 * history_raised_by() - did a thread raise the soft interrupt that hit it?
 * @r: from history_raised_open()
 * @turn: the thread's turn that the soft interrupt hit
 * @until: ns, when the soft interrupt was seen
 *
 * Return: true if that is proven; false without memory.
 */
bool history_raised_by(struct history_raised *r, const struct history_turn *turn, uint64_t until);

#endif /* FXT_ACCOUNT_HISTORY_H */
