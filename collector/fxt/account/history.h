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
 * Times are ns. Turns and pieces are on tapes (tape.h): beyond their room, memory grows with threads,
 * CPUs, losses, throttled times, waits for locks, times of the hypervisor, reclaims and compactions,
 * not with switches.
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

/** struct history_turn - a thread was runnable, then had a CPU */
struct history_turn {
	uint64_t ready;		/* ns, when it became runnable */
	uint64_t from;		/* ns, when it got @cpu, if it @has_run */
	uint64_t to;		/* ns, when it left @cpu, or its wait ended without one, if it @is_over */
	uint32_t thread;	/* id, struct sched_thread */
	uint32_t before;	/* its previous turn, or HISTORY_NONE; smaller, as is @waker_turn */
	uint32_t cpu_before;	/* the turn that got @cpu before; a turn does once: there is no circle */
	uint32_t waker;		/* HISTORY_WOKEN: 1 + id of who woke it or was hit by @irq; 0: unknown */
	uint32_t waker_turn;	/* its last one then, or HISTORY_NONE; it may have left its CPU already */
	int32_t weight;		/* when it had the CPU, or became runnable; 0: unknown */
	uint16_t cpu;		/* that it had, or was moved from; HISTORY_NO_CPU: neither happened */
	uint16_t ready_cpu;	/* of its run queue; HISTORY_NO_CPU: unknown */
	uint16_t irq_cpu;	/* of the interrupt that woke it; HISTORY_NO_CPU: unknown */
	uint16_t state : 7;	/* letter, after it; SCHED_RUNNING at the end of the archive, SCHED_UNKNOWN */
	uint16_t begin : 3;	/* enum history_begin */
	uint16_t irq : 2;	/* enum fxt_sched_irq, of the interrupt that woke it */
	uint16_t has_run : 1;	/* it got a CPU */
	uint16_t is_over : 1;	/* it left the CPU, or its wait ended without one */
	uint16_t by_idle : 1;	/* an unknown interrupt woke it while its CPU was idle */
	uint16_t ran_unseen : 1; /* after the turn it had a CPU, but it is unknown since when */
};

/** struct history_stacks - of a turn: 1 + id of each stack; 0: unknown */
struct history_stacks {
	uint32_t slept;		/* of the sleep before the turn */
	uint32_t waker;		/* of what ended that sleep */
};

/** struct history_piece - a part of an interrupt; @before: the previous one on its CPU, or 0 */
struct history_piece {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	uint32_t origin;	/* id, struct sched_origin */
	uint32_t before;
};

/** struct history_done - a request of a block device was completed */
struct history_done {
	uint64_t time;		/* ns */
	uint64_t issued;	/* ns */
	uint64_t queued;	/* ns; 0: it was not, or that is unknown */
	uint32_t origin;	/* id, struct sched_origin */
	uint32_t device;	/* likewise, of the device alone */
	uint32_t thread;	/* 1 + id of the thread that submitted it; 0: unknown */
	uint32_t bytes;
	uint16_t cpu;		/* on which it was completed */
};

/** struct history_expiry - a timer expired */
struct history_expiry {
	uint64_t time;		/* ns */
	uint32_t origin;	/* id, struct sched_origin: its function */
	uint32_t thread;	/* 1 + id of the thread for whose sleep it was set; 0: none, or unknown */
	uint16_t cpu;
};

/** struct history_sample - a thread ran at a time */
struct history_sample {
	uint64_t time;		/* ns */
	uint32_t thread;	/* id */
	uint32_t stack;		/* id */
	uint32_t ns;		/* what it weighs */
	uint16_t cpu;
};

/** struct history_data - a socket had data for a thread that waited */
struct history_data {
	uint64_t time;		/* ns */
	uint32_t origin;	/* id, struct sched_origin: all data of a service */
	uint32_t protocol;
	uint32_t bytes;		/* 0: unknown */
	uint32_t turn;		/* that began with the first wakeup after it on its CPU, or 0 */
	uint16_t local_port;	/* 0: unknown, like the next one */
	uint16_t remote_port;
	uint16_t cpu;
};

/** struct history_work - a thread executed a work item */
struct history_work {
	uint64_t to;		/* ns */
	uint64_t from;		/* ns */
	uint32_t origin;	/* id, struct sched_origin: its function */
	uint32_t thread;	/* id */
};

/** struct history_time - a time, ns */
struct history_time {
	uint64_t from;
	uint64_t to;
	uint32_t origin;	/* id of the throttled cgroup */
};

/** struct history_reclaim - a thread reclaimed or compacted memory */
struct history_reclaim {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	uint64_t before;	/* ns of all before it */
	size_t first;		/* of those up to this one that have its origin and follow each other */
	uint32_t origin;	/* id */
};

/** struct history_steal - what the hypervisor has taken of a CPU up to a time, both in ns */
struct history_steal {
	uint64_t time;
	uint64_t sum;		/* since the first record of the CPU */
};

/**
 * struct history_lock - a thread waited for a lock, or slept for another futex; for a lock of the kernel
 * it may have slept several times meanwhile
 */
struct history_lock {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	uint32_t origin;	/* id of the lock */
	uint32_t holder;	/* 1 + id of who held it; 0: unknown */
	uint32_t waker;		/* 1 + id of who woke the thread through the futex; 0: unknown */
};

/** struct history_point - entry into a CPU's chains for times before @from (ns) */
struct history_point {
	uint64_t from;
	uint32_t turn;
	uint32_t piece;
};

#define HISTORY_POINT_EACH	64	/* turns and pieces from one point to the next */

/** struct history_cpu - one CPU */
struct history_cpu {
	struct sched_usage usage;
	uint32_t last;			/* its last turn */
	uint32_t running;		/* its current turn, only while events are taken */
	uint32_t piece;			/* its last piece, or 0 */
	uint64_t entries;		/* number of its turns and pieces */
	struct history_point *points;	/* in order of time */
	size_t point_count;
	struct history_time *throttled;	/* cgroups on it, sorted by end */
	size_t throttled_count;
	uint64_t data;			/* 1 + index of data before the next wakeup, or 0, only while events are taken */
	struct history_steal *steals;	/* where it has grown, in order of time */
	size_t steal_count;
};

/** struct history_thread - one thread */
struct history_thread {
	struct sched_thread *sched;
	uint32_t id;		/* of @sched */
	uint32_t last;		/* its last turn */
	uint32_t waker_stack;	/* 1 + id of the stack of the next wakeup; 0: none */
	uint32_t asleep_stack;	/* likewise, of a sleep that fired a trigger and went on */
	uint16_t moved_to;
	uint64_t moved;		/* ns, its last move, which was to the run queue of @moved_to */
	uint64_t end;		/* ns, end of its recording, if others go on; else 0 */
	struct history_lock *locks;	/* for which it waited or slept, in order of time */
	size_t lock_count;
	struct history_reclaim *memory;	/* likewise, without overlap */
	size_t memory_count;
};

/** history_make_fn - makes the data of a thread, and points @sched->user there */
typedef void history_make_fn(void *arg, struct sched_thread *sched);

/** struct history - turns and pieces of all threads and CPUs */
struct history {
	struct sched_model *model;
	bool has_own_model;
	history_make_fn *make;
	void *arg;
	size_t offset;
	struct tape turns;
	struct tape pieces;
	struct tape turn_stacks;	/* of the turns up to the last one that has a stack */
	struct tape done;		/* requests, by time */
	struct tape expiries;		/* of timers, by time */
	struct tape data;		/* of sockets, by time */
	struct tape works;		/* by end */
	struct tape samples;		/* by time */
	uint64_t first;			/* ns; nothing is known before; valid at the end */
	uint64_t last;			/* ns, likewise */
	uint64_t now;			/* ns, the newest switch or wakeup, while events are taken */
	uint64_t begun;			/* ns, since when the newest CPU is recorded, likewise */
	struct history_time gap;	/* the newest of @gaps, likewise */
	struct history_time *gaps;	/* records of some CPU were lost; sorted, without overlap */
	size_t gap_count;
	struct history_cpu *cpus[HISTORY_CPUS];
	struct history_thread **threads; /* by the model's ids */
	size_t thread_count;
	const struct fxt_call_stack **stacks;
	size_t stack_count;
	bool has[KERNEL_EVENTS];	/* by enum kernel_event_what: does the archive have such events? */
	uint64_t violations;
};

/** history_open() - begin a history with a model of its own */
struct history *history_open(void);
void history_close(struct history *h);

/** history_next() - like fxt_reader_next(), for records that history_record() needs */
int history_next(struct history *h, struct fxt_reader *r, struct fxt_record *rec);

/** history_record() - take a record. Return: as sched_model_record() */
int history_record(struct history *h, struct fxt_reader *r, const struct fxt_record *rec);

/** history_read() - take all records of an archive. Return: 0, or the error that ended the walk */
int history_read(struct history *h, struct archive *a);

/** history_finish() - complete it at the end of the archive. Return: as sched_model_finish() */
int history_finish(struct history *h);

/*
 * For a caller that has a model already and takes events itself: it passes each of them on to the
 * callback of history_ops of the same name, with the history as argument, and completes the
 * history instead of finishing it. The history is closed before the model.
 */
extern const struct sched_ops history_ops;

/**
 * history_attach() - begin a history of a model of the caller
 * @make: makes the data of a thread of the model; at @offset (bytes) they have a struct history_thread
 * @arg: passed to it
 */
struct history *history_attach(struct sched_model *m, history_make_fn *make, void *arg,
			       size_t offset);

/** history_complete() - complete it after sched_model_finish() */
void history_complete(struct history *h);

/** history_gap_before() - the last gap that begins before a time (ns), NULL if there is none */
const struct history_time *history_gap_before(const struct history *h, uint64_t time);

/** history_point_at() - a CPU's first point from a time (ns) on, NULL after the last one */
const struct history_point *history_point_at(const struct history_cpu *cpu, uint64_t time);

/** history_turn() - a turn by its number */
static inline struct history_turn *history_turn(const struct history *h, uint32_t number)
{
	return tape_at_size(&h->turns, number - 1, sizeof(struct history_turn));
}

/** history_piece() - a piece by its number */
static inline struct history_piece *history_piece(const struct history *h, uint32_t number)
{
	return tape_at(&h->pieces, number - 1);
}

/**
 * history_turn_end() - the end of a turn, as far as it is known (ns)
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

/** history_back() - the turn of the thread before one, or HISTORY_NONE, for a walk that does not return */
static inline uint32_t history_back(const struct history *h, uint32_t number)
{
	uint32_t before = history_turn(h, number)->before;

	if (tape_passed(number, before))
		tape_leave(&h->turns, number);
	return before;
}

/** history_stack() - the stack of the sleep before a turn, or of its waker; NULL: unknown */
const struct fxt_call_stack *history_stack(const struct history *h, uint32_t turn, bool of_waker);

/** history_asleep_stack() - the stack of the sleep of a thread that fired a trigger; NULL: unknown */
const struct fxt_call_stack *history_asleep_stack(const struct history *h, uint32_t thread);

/**
 * history_lock_before() - the lock, or other futex, for which a thread slept before a turn
 * @turn: number of the turn, or HISTORY_NONE
 *
 * Return: NULL if it slept for something else, or if waits for locks were not recorded.
 */
const struct history_lock *history_lock_before(const struct history *h, uint32_t turn);

/**
 * history_stolen() - the most that the hypervisor can have taken of @ns of a turn
 *
 * Where in the turn's time on the CPU that was is not known: the kernel's count is recorded at its end.
 */
uint64_t history_stolen(const struct history *h, const struct history_turn *turn, uint64_t ns);

/** history_was_moved() - did a turn end with a move, with which the thread's next turn begins? */
static inline bool history_was_moved(const struct history_turn *t)
{
	return t->is_over && !t->has_run && t->cpu != HISTORY_NO_CPU;
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

/** struct history_ended - what ended a sleep; at most one of the three is known */
struct history_ended {
	const struct history_done *request;	/* of a block device, which was completed */
	const struct history_expiry *timer;
	const struct history_data *data;	/* of a socket, which arrived */
	bool is_own;				/* the thread had set @timer for its sleep */
};

/**
 * history_ended_by() - what ended a sleep
 * @turn: of the thread that was woken
 *
 * What happens just before a wakeup in the same interrupt on the same CPU is its cause. If the
 * interrupt is not recorded, a request is the cause if the thread that was woken submitted it, and
 * it was completed there at most 50 us before the wakeup, while the thread slept. So it is if a
 * thread completed the request and then woke the other, as far as interrupts are recorded, which may
 * have completed it otherwise. A timer that was set for the sleep of this thread is the cause if it
 * expired while the thread slept, on any CPU.
 *
 * What the tick of the kernel wakes after a timer, in the same interrupt, seems to be woken by the
 * timer: the tick is not recorded. It wakes threads of the kernel only. Data only end the first sleep
 * after them. If they end none, what the same interrupt wakes next for another reason, e.g. because
 * there is room to send, seems to be woken by them. Another CPU may record the wakeup after that
 * interrupt: then no other soft interrupt must have come since, and the interrupted thread must have
 * had the CPU when the data arrived; if an idle CPU was interrupted, they must have arrived on one at
 * most 50 us before.
 */
struct history_ended history_ended_by(const struct history *h, const struct history_turn *turn);

/**
 * history_waker_work() - the work item in which a thread ended a sleep
 * @turn: of the thread that was woken
 *
 * This takes up to 1024 steps, so it is for what is printed. Return: NULL if there is none.
 */
const struct history_work *history_waker_work(const struct history *h,
					      const struct history_turn *turn);

#define HISTORY_AHEAD	256U	/* completed requests that history_ahead_of() looks at, at most */

/** struct history_ahead - requests behind which another one was */
struct history_ahead {
	uint32_t count;
	uint32_t most;		/* of these, that @thread submitted */
	uint32_t thread;	/* 1 + id of who submitted more than half of them; 0: nobody known */
	uint32_t looked;	/* completed requests of any device that were looked at */
	bool is_part;		/* there may be more */
};

/**
 * history_ahead_of() - the requests behind which one was
 *
 * While it was in a queue or in the device, the driver of the same device had them before it, and
 * they were completed before it.
 */
struct history_ahead history_ahead_of(const struct history *h, const struct history_done *done);

/** struct history_memory - reclaim and compaction of memory by a thread, in a part of its time */
struct history_memory {
	uint64_t ns;
	uint32_t origin;	/* 1 + id of the origin; 0: it did neither, or several kinds */
};

/** history_memory_add() - add a part to another one */
void history_memory_add(struct history_memory *to, const struct history_memory *from);

/** history_memory() - what a thread did between two times, ns */
struct history_memory history_memory(const struct history *h, uint32_t thread, uint64_t from,
				     uint64_t to);

/**
 * history_memory_asleep() - the reclaim or compaction inside of which a thread slept
 * @turn: that begins with the end of the sleep
 *
 * Return: 1 + id of its origin; 0: there is none
 */
uint32_t history_memory_asleep(const struct history *h, const struct history_turn *turn);

/** history_memory_name() - its name, such as "direct reclaim" */
const char *history_memory_name(const struct history *h, uint32_t origin);

struct history_raised;

/** history_raised_open() - prepare history_raised_by() */
struct history_raised *history_raised_open(const struct history *h);
void history_raised_close(struct history_raised *r);

/**
 * history_raised_by() - is it proven that a thread raised the soft interrupt that hit it?
 * @turn: the thread's turn that the soft interrupt hit
 * @until: ns, when the soft interrupt was seen
 */
bool history_raised_by(struct history_raised *r, const struct history_turn *turn, uint64_t until);

#endif /* FXT_ACCOUNT_HISTORY_H */
