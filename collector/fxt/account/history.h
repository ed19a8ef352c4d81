/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - what each thread and each CPU did, kept for walks back in time.
 *
 * In: all records of an archive, in one walk.
 * Out: turns. In a turn, a thread was runnable and then had a CPU. The turns of a thread, and those
 * of a CPU, are chained from the last one backwards; between two turns, a thread slept, or what it
 * did is unknown. A turn that began with a wakeup names the waker's turn at that time, which leads
 * back from effects to causes.
 *
 * Unknown is what the archive does not prove: time in which records of any CPU were lost (a thread
 * may have been anywhere), time before the first event of a thread, events that came too late.
 *
 * Times are ns. Turns and pieces are on tapes (tape.h): beyond these, memory grows with threads,
 * CPUs, losses, throttled times, waits for locks, times of the hypervisor, reclaims and
 * compactions, not with switches.
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

enum history_begin {
	HISTORY_WOKEN,		/* woken at @ready; it slept before */
	HISTORY_PREEMPTED,	/* preempted at @ready, where its previous turn ended */
	HISTORY_MOVED,		/* moved at @ready to the run queue of another CPU */
	HISTORY_UNSEEN,		/* it has the CPU; it is unknown since when it was runnable */
	HISTORY_SEEN,		/* runnable at @ready, perhaps since long before */
};

/* A thread was runnable, then had a CPU. */
struct history_turn {
	uint64_t ready;		/* ns, when it became runnable */
	uint64_t from;		/* ns, when it got @cpu, if it @has_run */
	uint64_t to;		/* ns, if @is_over: left @cpu, or its wait ended without one */
	uint32_t thread;	/* id, struct sched_thread */
	uint32_t before;	/* its previous turn, or HISTORY_NONE; smaller, like @waker_turn */
	uint32_t cpu_before;	/* the turn that got @cpu before; a turn does once: there is no circle */
	uint32_t waker;		/* HISTORY_WOKEN: 1 + id: woke it or was hit by @irq; 0: unknown */
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

/* Of a turn: 1 + id of each stack; 0: unknown. */
struct history_stacks {
	uint32_t slept;		/* of the sleep before the turn */
	uint32_t waker;		/* at the end of that sleep */
};

struct history_piece {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	uint32_t origin;	/* id, struct sched_origin */
	uint32_t before;	/* the previous one on its CPU, or 0 */
};

struct history_done {
	uint64_t time;		/* ns */
	uint64_t issued;	/* ns */
	uint64_t queued;	/* ns; 0: it was not, or unknown */
	uint32_t origin;	/* id, struct sched_origin */
	uint32_t device;	/* likewise, of the device alone */
	uint32_t thread;	/* 1 + id of the submitter; 0: unknown */
	uint32_t bytes;
	uint16_t cpu;		/* where it was completed */
};

struct history_expiry {
	uint64_t time;		/* ns */
	uint32_t origin;	/* id, struct sched_origin: its function */
	uint32_t thread;	/* 1 + id of the thread for whose sleep it was set; 0: none, or unknown */
	uint16_t cpu;
};

struct history_sample {
	uint64_t time;		/* ns */
	uint32_t thread;	/* id */
	uint32_t stack;		/* id */
	uint32_t ns;		/* weight */
	uint16_t cpu;
};

/* A socket had data for a thread that waited. */
struct history_data {
	uint64_t time;		/* ns */
	uint32_t origin;	/* id, struct sched_origin: all data of a service */
	uint32_t protocol;
	uint32_t bytes;		/* 0: unknown */
	uint32_t turn;		/* began with the first wakeup after it on its CPU; or 0 */
	uint16_t local_port;	/* 0: unknown, like the next one */
	uint16_t remote_port;
	uint16_t cpu;
};

struct history_work {
	uint64_t to;		/* ns */
	uint64_t from;		/* ns */
	uint32_t origin;	/* id, struct sched_origin: its function */
	uint32_t thread;	/* id */
};

struct history_time {
	uint64_t from;		/* ns, like @to */
	uint64_t to;
	uint32_t origin;	/* id of the throttled cgroup */
};

struct history_reclaim {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	uint64_t before;	/* ns of all earlier ones */
	size_t first;		/* of successive ones up to this one that have its origin */
	uint32_t origin;	/* id */
};

/* What the hypervisor has taken of a CPU up to a time, both in ns. */
struct history_steal {
	uint64_t time;
	uint64_t sum;		/* since the first record of the CPU */
};

/*
 * A thread waited for a lock, or slept for another futex. In a wait for a lock of the kernel it may
 * have slept several times.
 */
struct history_lock {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	uint32_t origin;	/* id of the lock */
	uint32_t holder;	/* 1 + id of the holder; 0: unknown */
	uint32_t waker;		/* 1 + id: woke the thread through the futex; 0: unknown */
};

/* An entry into a CPU's chains for times before @from (ns). */
struct history_point {
	uint64_t from;
	uint32_t turn;
	uint32_t piece;
};

#define HISTORY_POINT_EACH	64	/* turns and pieces from one point to the next */

struct history_cpu {
	struct sched_usage usage;
	uint32_t last;			/* its last turn */
	uint32_t running;		/* its current turn, only while events are taken */
	uint32_t piece;			/* its last piece, or 0 */
	uint64_t entries;		/* number of its turns and pieces */
	struct history_point *points;	/* sorted by time */
	size_t point_count;
	struct history_time *throttled;	/* cgroups on it, sorted by end */
	size_t throttled_count;
	/* 1 + index of data before the next wakeup, or 0; only while events are taken */
	uint64_t data;
	struct history_steal *steals;	/* where the sum has grown, sorted by time */
	size_t steal_count;
};

struct history_thread {
	struct sched_thread *sched;
	uint32_t id;		/* of @sched */
	uint32_t last;		/* its last turn */
	uint32_t waker_stack;	/* 1 + id of the stack of the next wakeup; 0: none */
	uint32_t asleep_stack;	/* likewise, of a sleep that fired a trigger and went on */
	uint16_t moved_to;
	uint64_t moved;		/* ns, its last move, to the run queue of @moved_to */
	uint64_t end;		/* ns, end of its recording, if others continue; else 0 */
	struct history_lock *locks;	/* for which it waited or slept, sorted by time */
	size_t lock_count;
	struct history_reclaim *memory;	/* likewise, without overlap */
	size_t memory_count;
};

/* Makes the data of a thread, and points @sched->user there. */
typedef void history_make_fn(void *arg, struct sched_thread *sched);

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
	uint64_t first;			/* ns; all before is unknown; valid at the end */
	uint64_t last;			/* ns, likewise */
	uint64_t now;			/* ns, the newest switch or wakeup, while events are taken */
	uint64_t begun;			/* ns, since when the newest CPU is recorded, likewise */
	struct history_time gap;	/* the newest of @gaps, likewise */
	struct history_time *gaps;	/* records of any CPU were lost; sorted, without overlap */
	size_t gap_count;
	struct history_cpu *cpus[HISTORY_CPUS];
	struct history_thread **threads; /* by the model's ids */
	size_t thread_count;
	const struct fxt_call_stack **stacks;
	size_t stack_count;
	bool has[KERNEL_EVENTS];	/* by enum kernel_event_what: does the archive have such events? */
	uint64_t violations;
};

/* Begin a history with its own model. */
struct history *history_open(void);
void history_close(struct history *h);

/* Like fxt_reader_next(), for records that history_record() needs. */
int history_next(struct history *h, struct fxt_reader *r, struct fxt_record *rec);

/* Take a record. Returns like sched_model_record(). */
int history_record(struct history *h, struct fxt_reader *r, const struct fxt_record *rec);

/* Take all records of an archive. Returns 0, or the error that ended the walk. */
int history_read(struct history *h, struct archive *a);

/* Complete it at the end of the archive. Returns like sched_model_finish(). */
int history_finish(struct history *h);

/*
 * For a caller with a model of its own: its callbacks pass each event on to those of the same name,
 * with the history as argument, and it completes the history instead of finishing it. It closes
 * the history before the model.
 */
extern const struct sched_ops history_ops;

/*
 * Begin a history of the caller's model. @make makes the data of a thread of the model, which have
 * a struct history_thread at @offset (bytes).
 */
struct history *history_attach(struct sched_model *m, history_make_fn *make, void *arg,
			       size_t offset);

/* Complete it after sched_model_finish(). */
void history_complete(struct history *h);

/* The last gap that begins before a time (ns), or NULL. */
const struct history_time *history_gap_before(const struct history *h, uint64_t time);

/* A CPU's first point from a time (ns) on, NULL after the last one. */
const struct history_point *history_point_at(const struct history_cpu *cpu, uint64_t time);

static inline struct history_turn *history_turn(const struct history *h, uint32_t number)
{
	return tape_at_size(&h->turns, number - 1, sizeof(struct history_turn));
}

static inline struct history_piece *history_piece(const struct history *h, uint32_t number)
{
	return tape_at(&h->pieces, number - 1);
}

/*
 * The end of a turn (ns), as far as known. A turn without a CPU ends when the thread is moved or
 * lost, or at the end of the recording.
 */
static inline uint64_t history_turn_end(const struct history *h, const struct history_turn *t)
{
	const struct history_thread *thread = h->threads[t->thread];

	if (t->is_over)
		return t->to;
	return thread->end ? thread->end : h->last;
}

/* The previous turn of the thread, or HISTORY_NONE, for a walk that does not return. */
static inline uint32_t history_back(const struct history *h, uint32_t number)
{
	uint32_t before = history_turn(h, number)->before;

	if (tape_passed(number, before))
		tape_leave(&h->turns, number);
	return before;
}

/* The stack of the sleep before a turn, or of its waker; NULL: unknown. */
const struct fxt_call_stack *history_stack(const struct history *h, uint32_t turn, bool of_waker);

/* The stack of the sleep of a thread that fired a trigger; NULL: unknown. */
const struct fxt_call_stack *history_asleep_stack(const struct history *h, uint32_t thread);

/*
 * The lock, or other futex, for which a thread slept before a turn (or HISTORY_NONE). NULL if it
 * slept for something else, or if waits for locks were not recorded.
 */
const struct history_lock *history_lock_before(const struct history *h, uint32_t turn);

/*
 * The most that the hypervisor can have taken of @ns of a turn. When in the turn that was is
 * unknown: the kernel's count is recorded at its end.
 */
uint64_t history_stolen(const struct history *h, const struct history_turn *turn, uint64_t ns);

/* Did a turn end with a move, with which the thread's next turn begins? */
static inline bool history_was_moved(const struct history_turn *t)
{
	return t->is_over && !t->has_run && t->cpu != HISTORY_NO_CPU;
}

/* "?" if the thread has no name. */
const char *history_name(const struct history *h, uint32_t thread);

uint64_t history_koid(const struct history *h, uint32_t thread);

/* An interrupt, cgroup or lock by its id; of a futex the one that stands for it. */
const struct sched_origin *history_origin(const struct history *h, uint32_t origin);

/* Find which threads a command is about; see walk/scope.h. */
void history_find_scope(const struct history *h, struct scope *s);

bool history_is_in(const struct history *h, const struct scope *s, uint32_t thread);

/* What ended a sleep; at most one of the three is known. */
struct history_ended {
	const struct history_done *request;	/* completed */
	const struct history_expiry *timer;
	const struct history_data *data;	/* arrived */
	bool is_own;				/* the thread had set @timer for its sleep */
};

/*
 * What ended the sleep before @turn.
 *
 * What happens just before a wakeup in the same interrupt on the same CPU is its cause. If the
 * interrupt is not recorded, a request is the cause if the woken thread submitted it, and it was
 * completed there at most 50 us before the wakeup, while the thread slept; or if a thread
 * completed the request and then woke the other, as far as interrupts are recorded, which may have
 * completed it otherwise. A timer that was set for the sleep of this thread is the cause if it
 * expired while the thread slept, on any CPU.
 *
 * The tick of the kernel is not recorded: kernel threads that it wakes after a timer, in the same
 * interrupt, seem to be woken by the timer. Data only end the first sleep after them. If they end
 * none, a wakeup in the same interrupt for another reason, e.g. room to send, seems to be theirs.
 * Another CPU may record the wakeup after that interrupt: then no other soft interrupt must have
 * come since, and the interrupted thread must have had the CPU when the data arrived; if an idle
 * CPU was interrupted, they must have arrived on an idle one at most 50 us before.
 */
struct history_ended history_ended_by(const struct history *h, const struct history_turn *turn);

/*
 * The work item in which a thread ended the sleep before @turn, or NULL. This takes up to 1024
 * steps, so it is for what is printed.
 */
const struct history_work *history_waker_work(const struct history *h,
					      const struct history_turn *turn);

#define HISTORY_AHEAD	256U	/* limit of completed requests that history_ahead_of() looks at */

struct history_ahead {
	uint32_t count;
	uint32_t most;		/* of these, submitted by @thread */
	uint32_t thread;	/* 1 + id: submitted more than half of them; 0: nobody known */
	uint32_t looked;	/* completed requests of any device that were looked at */
	bool is_part;		/* there may be more */
};

/*
 * The requests that one was behind: while it was in a queue or in the device, the driver had them
 * before it on the same device, and they were completed before it.
 */
struct history_ahead history_ahead_of(const struct history *h, const struct history_done *done);

struct history_memory {
	uint64_t ns;
	uint32_t origin;	/* 1 + id; 0: none, or several kinds */
};

void history_memory_add(struct history_memory *to, const struct history_memory *from);

/* What a thread did between two times, ns. */
struct history_memory history_memory(const struct history *h, uint32_t thread, uint64_t from,
				     uint64_t to);

/*
 * 1 + id of the origin of the reclaim or compaction inside of which a thread slept before @turn; 0:
 * none.
 */
uint32_t history_memory_asleep(const struct history *h, const struct history_turn *turn);

/* Its name, such as "direct reclaim". */
const char *history_memory_name(const struct history *h, uint32_t origin);

struct history_raised;

struct history_raised *history_raised_open(const struct history *h);
void history_raised_close(struct history_raised *r);

/*
 * Is it proven that the thread of @turn raised the soft interrupt that hit it in this turn, seen at
 * @until (ns)?
 */
bool history_raised_by(struct history_raised *r, const struct history_turn *turn, uint64_t until);

#endif /* FXT_ACCOUNT_HISTORY_H */
