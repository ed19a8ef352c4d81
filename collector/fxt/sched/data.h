/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data.h - struct sched_model, private to its parts. The API is model.h.
 *
 * Its parts, from the top down:
 *
 *	model		records in
 *	streams		the streams of records, their edges and losses
 *	order, queue	events wait for their turn
 *	session		the description of the recording
 *	state		an event whose turn has come changes CPUs and threads
 *	cpus		the same where one switch does not follow from the other
 *	events		migrations, frequencies, work items, and what else is no switch
 *	interrupts, syscalls, cgroups, stacks
 *			the same for these
 *	origins		what events are of: interrupts, functions, system calls
 *	symbols		the functions that stacks are in, or places in files
 *	threads		threads and processes by koid, their names, their time in each state
 *	anomalies	what does not fit, and what may explain it
 */
#ifndef FXT_SCHED_DATA_H
#define FXT_SCHED_DATA_H

#include <fxt/fxt_unknown.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"
#include "libfxt/stacks.h"
#include "origins.h"
#include "symbols.h"
#include "types.h"

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

#define SCHED_NO_CPU	0xffff
#define SCHED_NOBODY	UINT64_MAX	/* in place of a koid: the fast path must not assume any */

/*
 * How far clocks of two CPUs may differ: as much as the kernel's fast clocks can step back at a
 * tick after NTP has changed their rate. Events of one thread in streams of different CPUs that are
 * this close are applied in the consistent order.
 */
#define SCHED_CLOCK_STEP	500	/* ns */

enum sched_event_kind {
	SCHED_EVENT_SWITCH,	/* 0: @a is switched out, @b is switched in */
	SCHED_EVENT_WAKEUP,	/* 1: @a is woken by @b, or by an interrupt that hit @b */
	SCHED_EVENT_GAP,	/* @b records of the stream are lost until @a (ns) */
	SCHED_EVENT_LEAVE,	/* @a is switched out, the next thread is unknown */
	SCHED_EVENT_KERNEL,	/* an event of @what: see kernel_event.h */
	SCHED_EVENT_BEGIN,	/* @a has the CPU, without a switch: see streams.c */
	SCHED_EVENT_END,	/* @a has had it until now */
	SCHED_EVENT_RUN,	/* struct sched_run: @a is switched out, at last @in in */
};

/**
 * struct sched_event - an event that waits for its turn
 * @offset: byte offset of its record; a run has @busy in its place
 * @state: of switches, the letter of the outgoing thread; of wakeups SCHED_UNKNOWN if
 *	the length of the wait that follows is unknown
 * @weight: of the thread that is switched in or woken
 * @irq: of wakeups, enum fxt_sched_irq; with an interrupt, @b is the interrupted thread
 * @mark: kind of a mark (<fxt/fxt_mark.h>); 0: a beginning that follows from the stream
 * @by_idle: of wakeups: an idle thread woke @a
 * @has_b: @b is known, and no interrupt woke @a
 * @irq_cpu: of wakeups before a part: 1 + the interrupted CPU
 * @begin: ns, of a slice
 * @error: errno of a system call that failed
 * @args: of other events of the kernel except backtraces
 * @stack: of a backtrace
 * @origin: id of a slice's origin, or of what interrupted CPUs have to call
 * @what: enum kernel_event_what
 */
struct sched_event {
	uint64_t time;		/* ns */
	union {
		uint64_t offset;
		uint64_t busy;	/* ns */
	};
	uint64_t a;		/* koid */
	union {
		struct {
			uint64_t b;	/* koid */
			int32_t weight;
			union {
				int32_t out_weight;
				uint32_t irq_cpu;
			};
		};
		struct {
			uint64_t in;	/* koid: @b of a run */
			uint64_t until;	/* ns, of its last switch */
		};
		struct {
			uint64_t begin;
			uint32_t error;
		};
		union kernel_args args;
		const struct fxt_call_stack *stack;
	};
	uint16_t cpu;
	union {
		struct {
			bool has_weight;
			union {
				bool has_out_weight;
				bool by_idle;
			};
		};
		uint16_t origin;
	};
	uint8_t kind;
	char state;
	union {
		uint8_t irq;
		uint8_t what;
		uint8_t mark;
	};
	bool has_b;
};

_Static_assert(sizeof(struct sched_event) == 48, "waiting events take most of the memory");

/* A block of the list of one stream's events. */
struct sched_block {
	struct sched_block *next;
	struct sched_block *previous;
	struct sched_event events[];
};

/** struct sched_slab - memory of blocks; one that is large enough consists of huge pages */
struct sched_slab {
	struct sched_slab *next;
	char blocks[];
};

/* Streams for records outside of ledgers: one per CPU, and one for wakeups. */
#define SCHED_STREAM_WAKEUPS	0x10000U
#define SCHED_STREAMS		0x10001U

/**
 * struct sched_stream - records that one producer wrote in order
 * @id: CPU, FXT_LEDGER_STREAM_NAMES or SCHED_STREAM_WAKEUPS
 * @has_ledger: it has ledgers; otherwise it only keeps events in order
 * @is_closed: no more records follow
 * @is_opened: only an opening ledger was seen so far
 * @is_told: @slice holds a reported loss that no ledger has shown yet
 * @check_next: the next record must have the same time as the ledger
 * @has_gone: some of its events are no longer in memory
 * @in: koid of the thread that the last switch switched in, if @in_weight is valid; else
 *	SCHED_NOBODY
 * @tail_ns: time of the last event that was added
 * @last_ticks: time stamp of the last record
 * @stored: number of records, including those of other parts of the recording
 * @head_written: counts in the head of its sub-buffer, like @head_lost; the newest ledger may be an
 *	opening one with higher counts
 * @opened: ns, since when the stream is complete; 0 without an opening ledger
 * @recording_end: ns, of the last event in its provider's streams; 0 until all are closed, or if
 *	there are no events
 * @base: @stored before its first record
 * @mark: kind of the newest mark, 0 if there is none; @mark_stored: @stored at that time, and
 *	@last_ticks was @before_mark
 * @first_run: event that waits for the first switch, which names the thread that has had the CPU
 *	since the stream began; NULL: unknown or not needed
 * @nest: the interrupts and idle states of its CPU so far; NULL if there are none
 */
struct sched_stream {
	uint32_t id;
	bool has_ledger;
	bool is_closed;
	bool is_opened;
	bool is_told;
	bool check_next;
	bool has_gone;
	bool is_busy;		/* its first event waits for other events */

	/* Events: from @first in @head to @end in @tail. */
	struct sched_block *head;
	struct sched_block *tail;
	uint32_t first;
	uint32_t end;
	uint32_t blocks;
	uint64_t tail_ns;

	uint64_t in;
	int32_t in_weight;
	uint64_t last_ticks;
	uint64_t stored;
	uint64_t base;
	uint64_t mark_stored;
	uint64_t before_mark;
	uint8_t mark;
	struct sched_event *first_run;
	uint64_t head_written;
	uint64_t head_lost;
	uint64_t opened;
	uint64_t recording_end;
	uint32_t provider;		/* values of its newest ledger */
	struct fxt_ledger ledger;	/* the newest one */
	uint64_t ledger_offset;
	uint32_t next_sequence;
	struct sched_nest *nest;

	struct {
		uint64_t from;		/* ticks */
		uint64_t to;		/* ticks */
		uint64_t records;
		uint64_t offset;
	} slice;
};

/**
 * struct sched_cpu - one CPU
 * @current: the thread that runs on it; NULL if unknown
 * @koid: of @current, here to avoid a miss on the thread's second cache line; SCHED_NOBODY until
 *	the first switch has confirmed that @current had the CPU before
 * @since: ns, of the switch that switched it in
 * @covered: ns, start of the CPU's recording, if that is @since: @current may have had the CPU
 *	before
 * @offset: of the switch at @since
 * @shown: ns, begin of the span of @current, if that is the idle thread
 * @by_mark: that span began with a mark, not with a switch
 * @gone: ns, when it last went offline; set only once it has come back
 * @before: the thread that has it just before a part, NULL if unknown
 * @has_ended: its recording has ended without another event
 * @number: of the CPU
 * @next: the next one that has switched
 */
struct sched_cpu {
	struct sched_thread *current;
	uint64_t koid;
	uint64_t since;
	uint64_t covered;
	uint64_t offset;
	uint64_t shown;
	uint64_t gone;
	struct sched_thread *before;
	bool has_ended;
	bool by_mark;
	uint16_t number;
	struct sched_cpu *next;
};

/* An event that contradicts a state, kept until it can be judged at the end of the archive. */
struct sched_misfit {
	enum sched_anomaly_kind kind;
	uint16_t cpu;
	char state;			/* of the thread before the event */
	char out_state;			/* the state that a switch leaves it in */
	uint16_t state_cpu;
	bool self;			/* @thread (chain: @before) may be hidden */
	bool others;			/* a hidden thread may have done it */
	bool reused;			/* the running thread had died, and its id was free */
	bool exec;			/* an old leader after an execve(), folded since */
	bool going;			/* a CPU that went offline may have done it */
	uint64_t leaving;		/* likewise, if its switch at this byte was its last */
	uint64_t offset;
	uint64_t time;			/* ns */
	uint64_t last_offset;
	uint64_t last_event;		/* ns, of @thread */
	uint64_t since;			/* ns, when @before was switched in */
	struct sched_thread *thread;
	struct sched_thread *before;	/* chain: the thread that was switched in */
};

#define SCHED_MISFITS_PER_KIND	1000
#define SCHED_BREAKS_KEPT	4	/* after each thread that may be hidden */
#define SCHED_LOOK_CPUS		1024	/* events searched for the reason of a misfit */
#define SCHED_MISFIT_KINDS	(SCHED_NOT_WOKEN + 1)

/* Anomalies that are reported as one, with the first of them. */
struct sched_sum {
	uint64_t count;
	uint64_t offset;
	uint64_t time;			/* ns */
};

/**
 * struct sched_mark - a mark of a snapshot: its trigger, or the time of completeness
 * @is_trigger: the mark is a trigger: @thread was switched in on @cpu at @time, @value ns late; or
 *	an interrupt took @cpu from it for @value ns until @time; or it ran when @value threads were
 *	runnable there. Otherwise all CPUs are covered from @time on
 * @cause: enum fxt_sched_cause of a trigger
 * @goes_on: @thread was not switched in, but has waited for @value ns by then
 * @is_found: that switch is in the archive, or, if the wait was not over, the wakeup @value ns
 *	before @time
 * @is_over: the wait was said not to be over, but the thread is switched in before @time
 * @is_gone: the switch may have left memory before the mark was seen
 */
struct sched_mark {
	uint64_t time;			/* ns */
	uint64_t offset;
	uint64_t thread;		/* koid */
	uint64_t value;
	uint32_t provider;
	uint16_t cpu;
	uint8_t cause;
	bool is_trigger;
	bool goes_on;
	bool is_found;
	bool is_over;
	bool is_gone;
};

#define SCHED_MARKS	8		/* marks that are checked; a snapshot has two */

struct sched_name;
struct sched_nest;
struct sched_page;

struct sched_threads {
	struct sched_thread **pages[1 << 12];	/* koids below 2^22, 2^10 a page */
	struct map others;			/* koids of 2^22 and more */
	struct sched_thread **list;		/* by id */
	size_t count;
	struct sched_page *slabs;
	size_t slab_used;

	struct sched_process **processes;	/* by id */
	size_t process_count;
	struct map processes_by_koid;
};

/* @place: byte offset of the event if no ledger orders its stream, else 0 */
struct sched_heap_entry {
	uint64_t time;
	uint64_t place;
	struct sched_stream *stream;
};

struct sched_model {
	const struct sched_ops *ops;
	void *arg;
	int error;		/* the first error, which ended the walk */
	struct sched_totals totals;

	/* Records in. */
	struct sched_stream *stream;	/* that the next records belong to, or NULL */
	struct sched_stream *streams[SCHED_STREAMS];
	struct sched_stream **stream_list;
	size_t stream_count;
	uint64_t stray;			/* events outside all streams */
	uint64_t stray_offset;
	bool has_others;		/* events of providers that are not ours */
	uint64_t told_events;		/* provider events not matched by a ledger yet */
	uint64_t lost_names;
	uint64_t marked;		/* ns, of the latest mark that begins a stream */
	struct fxt_content content;

	/* From the description of the recording. */
	struct {
		bool cpus;		/* only some CPUs are recorded */
		bool threads;		/* only some threads are */
		uint64_t offset;	/* of the record with the description */
		char text[160];
	} filter;
	uint32_t recordings;			/* that say which source they are from */
	uint32_t with_moves;			/* of these */
	uint32_t with_all_moves;		/* of these */
	uint32_t *ksoftirqd;			/* NULL until it is asked for */
	struct sched_topology *topology;	/* NULL without one */
	uint8_t shares;			/* bits of enum sched_share that it has */
	bool has_topologies;		/* of several machines */
	bool has_command;
	bool lacks_names;		/* only tasks of a pid namespace could be named */
	struct sched_mark marks[SCHED_MARKS];
	unsigned int mark_count;

	/* Order. */
	uint32_t block_events;
	uint32_t blocks_per_stream;
	uint32_t blocks_total;
	uint32_t blocks_used;
	struct sched_block *free_blocks;
	struct sched_slab *slabs;
	struct sched_heap_entry *heap;
	size_t heap_count;
	size_t heap_room;
	bool is_moving;			/* events have been emitted */
	bool is_reordered;		/* the heap's times are outdated */
	uint64_t drained;		/* events before the last drain */
	uint64_t now;			/* ns, the latest that was emitted */
	uint64_t run_until;		/* ns, of the latest record that takes part in runs */
	uint64_t next_end;		/* ns, of a recording; UINT64_MAX if none is known */
	uint64_t begins;		/* ns, of a part, with events before; 0: none are known */

	/* CPUs, threads. */
	struct sched_cpu *cpus[1 << 16];
	struct sched_cpu *cpu_list;
	bool spans;			/* are requested */
	bool has_ended;			/* all events were applied */
	struct sched_threads threads;
	unsigned int depth;		/* of events that others wait for */
	uint64_t gap_to;		/* ns, up to which some stream lost records */
	uint64_t hidden_until;		/* ns, up to which a thread ran that may be hidden */

	/* What events of the kernel are of; until when cgroups were throttled; their paths. */
	struct sched_origins origins;
	struct fxt_call_stacks stacks;
	struct sched_symbols symbols;
	struct map throttled;
	struct map cgroups;
	struct map quotas;		/* by cgroup */
	uint64_t kernel_events;

	/* Names whose time has not come: a heap, the earliest of them first. */
	struct sched_name **names;
	size_t name_count;
	uint64_t name_number;		/* of the next one */
	size_t sights;			/* of these: what a thread did */
	uint64_t name_due;		/* ns, of the first; UINT64_MAX if none waits */
	uint64_t name_latest;		/* ns, of all names so far */
	struct sched_name *held;	/* of a process, until the next record is known */
	bool has_forks;			/* some record describes a fork */

	/* Misfits. */
	struct sched_misfit *misfits[SCHED_MISFIT_KINDS];
	size_t misfit_count[SCHED_MISFIT_KINDS];
	uint64_t misfit_more[SCHED_MISFIT_KINDS];
	struct sched_misfit first_more[SCHED_MISFIT_KINDS];
	uint64_t last_more[SCHED_MISFIT_KINDS];	/* the latest of their @last_event */
	struct sched_sum after_loss, late, early, filtered, coming, execs;
};

/* Largest weight of the fair class: nice -20. */
#define FAIR_WEIGHT_MAX	88761

/*
 * Branches would be mispredicted, because the next thread and state are random. So the checks of
 * each record are combined without branches.
 */
static inline bool sched_weight_is_sane(uint64_t koid, int32_t weight)
{
	/* The kernel's priorities, which may be recorded instead of weights, are -1 to 139. */
	bool fair = (uint32_t)weight + 1 <= FAIR_WEIGHT_MAX + 1;
	bool rt = (uint32_t)weight - FXT_SCHED_WEIGHT_RT < FXT_SCHED_MAX_RT_PRIO;
	bool other = (weight == FXT_SCHED_WEIGHT_DL) | (weight == FXT_SCHED_WEIGHT_IDLE);

	return (fair | rt | other) & (!koid == (weight == FXT_SCHED_WEIGHT_IDLE));
}

/* Is the weight of a switch or wakeup one that our producers write, or omit? */
static inline bool sched_weight_fits(const struct sched_model *m, uint64_t koid, int32_t weight,
				     bool has_weight, bool is_bad)
{
	/* What is missing is 0, which the idle thread's is not. */
	return sched_weight_is_sane(koid, weight) &
	       (has_weight | (m->totals.lacks_weights & !is_bad));
}

static inline bool sched_is_dead(char state)
{
	return state == 'Z' || state == 'X';
}

/* The state of a thread that is switched out, if only enum fxt_thread_state is known. */
static inline char sched_state_letter(uint8_t state)
{
	return "++TSZX??????????"[state & 15];
}

/* --- the description of the recording (session.c) ---------------------------------------- */

/** sched_take_limits() - take a line of the description, if it is about limits of classes */
void sched_take_limits(struct sched_limits *l, const char *line, size_t length);

/** sched_take_session() - take the record that describes the recording */
void sched_take_session(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_content *c);

/** sched_take_mark() - take an instant, which may be a mark */
void sched_take_mark(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c);

/** sched_marks_look() - search a block's events for the switches of marks */
void sched_marks_look(struct sched_model *m, const struct sched_block *block,
		      uint32_t events) __attribute__((cold));

/** sched_marks_finish() - judge the marks, after all events were applied */
void sched_marks_finish(struct sched_model *m);

/** sched_marks_trigger() - see sched_model_trigger() */
bool sched_marks_trigger(const struct sched_model *m, struct sched_trigger *t);

/* --- streams and CPUs, and what goes into them (streams.c) ------------------------------- */

/** sched_cpu_add() - add a CPU, unless it is known; sets m->error without memory */
void sched_cpu_add(struct sched_model *m, uint16_t number) __attribute__((cold));

int sched_take_ledger(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c);
void sched_take_slice(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c);

/* Does the time of a record fit its stream? If not, call sched_time_misfit(). */
static inline bool sched_time_fits(const struct sched_stream *s, uint64_t ticks)
{
	return !s->check_next && ticks >= s->last_ticks;
}

void sched_time_misfit(struct sched_model *m, struct sched_stream *s,
		       const struct fxt_record *rec, uint64_t ticks);

/** sched_ledgers_finish() - check at the end that all streams are closed and all losses reported */
void sched_ledgers_finish(struct sched_model *m);

/** sched_take_edge() - take a mark. Return: 0 or a negative errno */
int sched_take_edge(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_switch *sw) __attribute__((cold));

/**
 * sched_first_run() - take the first switch of a stream, or a mark of its end
 * @s: the stream, whose @first_run waits
 * @ns: time of the switch
 * @sw: the switch, whose outgoing thread has had the CPU until then
 */
void sched_first_run(struct sched_stream *s, uint64_t ns, const struct fxt_switch *sw)
	__attribute__((cold));

/** sched_weights_fault() - the fault of the weights of a switch, or NULL */
const char *sched_weights_fault(const struct sched_model *m, const struct fxt_switch *sw)
	__attribute__((cold));

/** sched_unknown_fault() - why no producer can have written such a switch; NULL if it can */
const char *sched_unknown_fault(const struct sched_model *m, const struct fxt_switch *sw)
	__attribute__((cold));

/** sched_take_stand_in() - take a switch that represents a loss, which no producer wrote */
int sched_take_stand_in(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_switch *sw) __attribute__((cold));

/** sched_take_before() - take a BLOB of events before a part. Return: 0 or a negative errno */
int sched_take_before(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c) __attribute__((cold));

static inline bool sched_is_of_cpu(const struct sched_stream *s)
{
	return s && s->id != FXT_LEDGER_STREAM_NAMES;
}

static inline uint64_t sched_ns_of(const struct fxt_record *rec, uint64_t ticks)
{
	return fxt_ticks_to_ns(ticks, rec->provider->ticks_per_second);
}

/**
 * sched_take_in_order() - count a record of a stream with ledgers
 *
 * Return: its time in ns, adjusted so that the stream is in order.
 */
static inline uint64_t sched_take_in_order(struct sched_model *m, struct sched_stream *s,
					   const struct fxt_record *rec, uint64_t ticks)
{
	uint64_t time = sched_ns_of(rec, ticks);

	if (unlikely(!sched_time_fits(s, ticks)))
		sched_time_misfit(m, s, rec, ticks);
	s->last_ticks = ticks;
	s->stored++;
	m->totals.stored++;
	return time < s->tail_ns ? s->tail_ns : time;
}

/**
 * sched_stray_stream() - the stream of a record outside of ledgers, or among those of names
 *
 * Return: NULL without memory; m->error is set then.
 */
struct sched_stream *sched_stray_stream(struct sched_model *m, const struct fxt_record *rec,
					uint32_t id) __attribute__((cold));

/** sched_take_event() - take an event of the kernel. Return: 0 or a negative errno */
int sched_take_event(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c, const struct kernel_event *e);

/* --- an event whose turn has come (state.c) ---------------------------------------------- */

/** sched_apply() - apply an event to CPUs and threads */
void sched_apply(struct sched_model *m, struct sched_stream *s,
		 const struct sched_event *e);

/* --- which thread has a CPU (cpus.c) ----------------------------------------------------- */

/**
 * sched_leave_unknown() - make the state of the thread that was switched in unknown
 * @is_refuted: since then, because the CPU turns out to have had another one later
 */
void sched_leave_unknown(struct sched_model *m, struct sched_cpu *cpu, bool is_refuted);

/**
 * sched_break_chain() - handle a switch that switches out a thread other than the one switched in,
 * or when the latter is unknown
 *
 * Return: the thread that is switched out, or NULL: m->error.
 */
struct sched_thread *sched_break_chain(struct sched_model *m, struct sched_cpu *cpu,
				       const struct sched_event *e)
	__attribute__((cold, noinline));

static inline bool sched_is_edge(const struct sched_event *e)
{
	return e->kind == SCHED_EVENT_BEGIN || e->kind == SCHED_EVENT_END;
}

/** sched_apply_edge() - apply a SCHED_EVENT_BEGIN or SCHED_EVENT_END */
void sched_apply_edge(struct sched_model *m, struct sched_stream *s,
		      const struct sched_event *e, bool is_late) __attribute__((cold));

/** sched_end_recordings() - end the recordings that ended before @time */
void sched_end_recordings(struct sched_model *m, uint64_t time)
	__attribute__((cold, noinline));

/** sched_apply_leave() - apply a SCHED_EVENT_LEAVE */
void sched_apply_leave(struct sched_model *m, const struct sched_event *e, bool is_late)
	__attribute__((cold));

/** sched_wake_unknown() - wake a thread whose wait will have an unknown length */
void sched_wake_unknown(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

/* --- the other events of the kernel (events.c) ------------------------------------------- */

/** sched_apply_event() - apply another event of the kernel */
void sched_apply_event(struct sched_model *m, struct sched_stream *s,
		       const struct sched_event *e, bool is_late) __attribute__((cold));

/* --- interrupts and idle states (interrupts.c) ------------------------------------------- */

/** sched_check_idle() - report an idle state of a CPU that runs a thread; @cpu: NULL if unknown */
void sched_check_idle(struct sched_model *m, const struct sched_cpu *cpu,
		      const struct sched_event *e);

/** sched_check_irq() - report a switch inside a hard interrupt; @cpu: NULL if unknown */
void sched_check_irq(struct sched_model *m, const struct sched_cpu *cpu,
		     const struct sched_event *e);

/** sched_nest_take() - end an interrupt or idle state: report its pieces, set its own time */
void sched_nest_take(struct sched_model *m, struct sched_stream *s, const struct sched_event *e,
		     struct sched_slice *slice);

/** sched_nest_left() - remember the run since @since of the CPU's thread, which is switched out */
void sched_nest_left(struct sched_stream *s, const struct sched_thread *t, uint64_t since,
		     uint64_t until) __attribute__((cold));

/* --- system calls and exits (syscalls.c) ------------------------------------------------- */

/** sched_check_syscall() - report a system call that the thread cannot have made */
void sched_check_syscall(struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e, struct sched_thread *t);

/** sched_note_exit() - note that a thread ends; report it if it has ended already */
void sched_note_exit(struct sched_model *m, const struct sched_stream *s,
		     const struct sched_event *e, struct sched_thread *t);

/** sched_note_fork() - forget an exit, because its id has a new thread */
void sched_note_fork(struct sched_model *m, const struct sched_event *e);

/**
 * sched_exit_failure() - the origin of an end with a code or signal, by the thread's name
 *
 * Return: NULL if the thread ended with code 0, or without memory (m->error is set then).
 */
struct sched_origin *sched_exit_failure(struct sched_model *m, const struct sched_event *e,
					const struct sched_thread *t);

/* --- stacks that wait for a wakeup (stacks.c) -------------------------------------------- */

/**
 * sched_pair_stack() - take the stack of the waker of @t, which the next wakeup of @t must follow
 */
void sched_pair_stack(struct sched_model *m, const struct sched_event *e,
		      struct sched_thread *t);

/** sched_pair_wakeup() - pair a wakeup of @t with the stack before it; @t->has_stack holds */
void sched_pair_wakeup(struct sched_model *m, struct sched_thread *t);

/** sched_stack_came_in() - does the stack of @e belong to the switch before it? */
bool sched_stack_came_in(const struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e, const struct sched_thread *t);

/** sched_pairs_finish() - report stacks without a wakeup, at the end of the archive */
void sched_pairs_finish(struct sched_model *m);

/* --- cgroups (cgroups.c) ----------------------------------------------------------------- */

/** sched_check_throttle() - report a cgroup that was throttled on that CPU already */
void sched_check_throttle(struct sched_model *m, const struct sched_event *e);

/** sched_take_cgroup() - keep the name of a cgroup's track. Return: 0 or -ENOMEM */
int sched_take_cgroup(struct sched_model *m, const struct fxt_content *object);

/** sched_name_cgroups() - at the end of the archive: name cgroups after their tracks */
void sched_name_cgroups(struct sched_model *m);

void sched_throttle_close(struct sched_model *m);

/**
 * sched_take_quota() - take a counter of a cgroup
 * @m: the model
 * @rec: the record
 * @c: its content: kernel_event_counts_cgroup() holds
 *
 * Return: 0, or a negative errno that ends the walk.
 */
int sched_take_quota(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c);

void sched_quotas_close(struct sched_model *m);

#endif /* FXT_SCHED_DATA_H */
