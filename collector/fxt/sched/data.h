/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data.h - struct sched_model, private to its parts. The API is model.h. Its parts, from the top:
 *
 *	model		takes records
 *	streams		streams of records, their edges and losses
 *	order, queue	waiting events
 *	session, marks	the description of the recording, the marks of a snapshot
 *	state		applies an event to CPUs and threads
 *	cpus		likewise, where one switch does not follow from the other
 *	events		migrations, frequencies, work items, and other events
 *	interrupts, syscalls, cgroups, stacks, requests
 *			these events
 *	origins		event origins: interrupts, functions, system calls
 *	symbols		functions of stacks, or places in files
 *	threads		threads and processes by koid, their names, their time in each state
 *	anomalies	contradictions, and what may explain them
 */
#ifndef FXT_SCHED_DATA_H
#define FXT_SCHED_DATA_H

#include <fxt/fxt_unknown.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"
#include "libfxt/stacks.h"
#include "terminal/memory.h"
#include "origins.h"
#include "symbols.h"
#include "types.h"

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

/* Report an event if the caller wants this kind and has returned no error. */
#define sched_report(m, kind, event)						\
	do {									\
		if ((m)->ops->kind && !(m)->error)				\
			(m)->error = (m)->ops->kind((m)->arg, event);		\
	} while (0)

#define SCHED_NO_CPU	0xffff
#define SCHED_NOBODY	UINT64_MAX	/* unknown; no koid has this value */

/*
 * Limit of the difference between the clocks of two CPUs: the kernel's fast clocks can step back
 * this much at a tick after NTP has changed their rate. Events of one thread on different CPUs that
 * are this close are applied in the consistent order.
 */
#define SCHED_CLOCK_STEP	500	/* ns */

enum sched_event_kind {
	SCHED_EVENT_SWITCH,	/* 0: @a is switched out, @b is switched in */
	SCHED_EVENT_WAKEUP,	/* 1: @a is woken by @b, or by an interrupt that hit @b */
	SCHED_EVENT_GAP,	/* @b records of the stream are lost until @a (ns) */
	SCHED_EVENT_LEAVE,	/* @a is switched out, the next thread is unknown */
	SCHED_EVENT_KERNEL,	/* an event of @what: see kernel_event.h */
	SCHED_EVENT_BEGIN,	/* @a has the CPU, without a switch: see streams.c */
	SCHED_EVENT_END,	/* @a has had the CPU until now */
	SCHED_EVENT_RUN,	/* struct sched_run: @a is switched out, at last @in in */
};

struct sched_event {
	uint64_t time;		/* ns */
	union {
		uint64_t offset;	/* of its record, in bytes */
		uint64_t busy;		/* of a run; ns */
	};
	uint64_t a;		/* koid; of KERNEL_REQUEST the id of the request */
	union {
		struct {
			uint64_t b;	/* koid */
			int32_t weight;	/* of the thread switched in or woken */
			union {
				int32_t out_weight;
				uint32_t irq_cpu;	/* of wakeups before a part: 1 + the CPU */
			};
		};
		struct {
			uint64_t in;	/* koid: @b of a run */
			uint64_t until;	/* ns, of its last switch */
		};
		struct {
			uint64_t begin;	/* ns, of a slice */
			/*
			 * errno of a failed system call; koid of a lock's holder; reclaimed pages
			 */
			uint32_t error;
			/*
			 * koid: ended a sleep for a futex; 0: unknown; if it @has_alias the id of a
			 * struct sched_alias
			 */
			uint32_t waker;
		};
		union kernel_args args;	/* of all others except backtraces */
		struct {
			const struct fxt_call_stack *stack;
			uint32_t sample_ns;
		};
	};
	uint16_t cpu;
	union {
		struct {
			bool has_weight;
			union {
				bool has_out_weight;
				bool by_idle;	/* an idle thread woke @a */
			};
		};
		uint16_t origin;	/* id: of a slice, or of what other CPUs must call */
	};
	uint8_t kind;
	/*
	 * Of switches, the letter of the outgoing thread. Of wakeups, SCHED_UNKNOWN if the length
	 * of the following wait is unknown.
	 */
	char state;
	union {
		uint8_t irq;		/* enum fxt_sched_irq; if any, it hit thread @b */
		uint8_t what;		/* enum kernel_event_what */
		uint8_t mark;		/* its kind; 0: a beginning that follows from the stream */
	};
	union {
		bool has_b;	/* @b is known, and no interrupt woke @a */
		bool has_alias;	/* of a slice: @waker has the futex elsewhere */
	};
};

_Static_assert(sizeof(struct sched_event) == 48, "waiting events take most of the memory");

struct sched_block {
	struct sched_block *next;
	struct sched_block *previous;
	struct sched_event events[];
};

/* Memory of blocks; a large one consists of huge pages. */
struct sched_slab {
	struct sched_slab *next;
	char blocks[];
};

/* Streams for records outside of ledgers: one per CPU, one for wakeups. */
#define SCHED_STREAM_WAKEUPS	0x10000U
#define SCHED_STREAMS		0x10001U

/* Records that one producer wrote in order. */
struct sched_stream {
	uint32_t id;		/* CPU, FXT_LEDGER_STREAM_NAMES or SCHED_STREAM_WAKEUPS */
	bool has_ledger;	/* otherwise it only keeps events in order */
	bool is_closed;		/* no more records follow */
	bool is_opened;		/* only an opening ledger was seen so far */
	bool is_told;		/* @slice reports a loss that no ledger has shown yet */
	bool check_next;	/* the next record must have the same time as the ledger */
	bool has_gone;		/* some of its events have left memory */
	bool is_busy;		/* its first event waits for other events */
	bool ends_run;		/* an event was skipped after the last run */

	/* Events: from @first in @head to @end in @tail. */
	struct sched_block *head;
	struct sched_block *tail;
	uint32_t first;
	uint32_t end;
	uint32_t blocks;
	uint64_t tail_ns;	/* time of the last event */
	uint64_t stolen;	/* ns, the hypervisor's count, if @has_stolen */
	bool has_stolen;

	uint64_t in;		/* koid: of the last switch; SCHED_NOBODY if it has no @in_weight */
	int32_t in_weight;
	uint64_t last_ticks;	/* time stamp of the last record */
	uint64_t stored;	/* records, including those of other parts of the recording */
	uint64_t base;		/* @stored before its first record */
	uint64_t mark_stored;	/* @stored at the newest mark, when @last_ticks was @before_mark */
	uint64_t before_mark;
	uint8_t mark;		/* kind of the newest mark, 0 if there is none */
	/*
	 * Waits for the first switch, which names the thread that has had the CPU since the stream
	 * began. NULL: unknown, or not needed.
	 */
	struct sched_event *first_run;
	/* In the head of its sub-buffer; a newer opening ledger may have higher counts. */
	uint64_t head_written;
	uint64_t head_lost;
	uint64_t opened;	/* ns, since when it is complete; 0 without an opening ledger */
	/* ns, of its provider's last event; 0 until all of the provider's streams are closed */
	uint64_t recording_end;
	uint32_t provider;	/* of its newest ledger, like @ledger_offset */
	struct fxt_ledger ledger;
	uint64_t ledger_offset;
	uint32_t next_sequence;
	struct sched_nest *nest;	/* interrupts and idle states so far; NULL: none */

	struct {
		uint64_t from;		/* ticks */
		uint64_t to;		/* ticks */
		uint64_t records;
		uint64_t offset;
	} slice;
};

struct sched_cpu {
	struct sched_thread *current;	/* NULL if unknown */
	/*
	 * Of @current, here to avoid a miss on the thread's second cache line; SCHED_NOBODY until
	 * the first switch confirms that @current had the CPU before.
	 */
	uint64_t koid;
	uint64_t since;		/* ns, of the switch that switched it in */
	uint64_t covered;	/* ns, start of the recording, if @current may have had it before */
	uint64_t offset;	/* of the switch at @since */
	uint64_t shown;		/* ns, begin of the span of @current, if that is the idle thread */
	uint64_t gone;		/* ns, when it last went offline; set once it has come back */
	struct sched_thread *before;	/* has it just before a part, NULL if unknown */
	bool has_ended;		/* its recording has ended without another event */
	bool by_mark;		/* the span at @shown began with a mark, not with a switch */
	uint16_t number;
	struct sched_cpu *next;		/* of CPUs with switches */
};

/* An event that contradicts a state, kept to be judged at the end of the archive. */
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

/* Anomalies that are reported as one; place and time are the first one's. */
struct sched_sum {
	uint64_t count;
	uint64_t offset;
	uint64_t time;			/* ns */
};

/* A mark of a snapshot: a trigger, or the time since when all CPUs are covered. */
struct sched_mark {
	uint64_t time;			/* ns */
	uint64_t offset;
	uint64_t thread;		/* koid, of a trigger; see struct sched_trigger */
	uint64_t value;
	char lock_kind[SCHED_SOURCE_BYTES];	/* empty: none */
	uint64_t lock_address;
	const struct sched_origin *lock;	/* known at the end */
	uint64_t holder;
	uint64_t last_in;		/* switches of @thread before @time; of an open wait for a lock */
	uint64_t last_out;
	uint32_t provider;
	uint16_t cpu;
	uint8_t cause;
	bool is_trigger;
	bool goes_on;
	bool is_found;			/* the event at its end, or if @goes_on at its beginning */
	bool is_over;			/* the wait that should go on ends before @time */
	bool is_gone;			/* it may have left memory before the mark was seen */
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
	bool is_rt;			/* a thread has a name that only PREEMPT_RT gives */
};

struct sched_heap_entry {
	uint64_t time;
	uint64_t place;		/* offset of the event if no ledger orders its stream, else 0 */
	struct sched_stream *stream;
};

struct sched_model {
	const struct sched_ops *ops;
	void *arg;
	int error;		/* the first one that a callback returned; it ended the walk */
	struct sched_totals totals;

	struct sched_stream *stream;	/* of the next records, or NULL */
	struct sched_stream *streams[SCHED_STREAMS];
	struct sched_stream **stream_list;
	size_t stream_count;
	uint64_t stray;			/* events outside all streams */
	uint64_t stray_offset;
	bool has_others;		/* events of foreign providers */
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
	uint32_t recordings;			/* that name their source */
	uint32_t with_moves;			/* of these */
	uint32_t with_all_moves;		/* of these */
	uint32_t with_v2;			/* of these */
	uint32_t *ksoftirqd;			/* NULL until requested */
	struct sched_topology *topology;	/* NULL without one */
	uint8_t shares;			/* bits of enum sched_share in the topology */
	bool has_topologies;		/* of several machines */
	bool has_command;
	bool lacks_names;		/* only tasks of a pid namespace could be named */
	struct sched_mark marks[SCHED_MARKS];
	unsigned int mark_count;

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
	uint64_t now;			/* ns, of the latest emitted event */
	uint64_t run_until;		/* ns, of the latest record that takes part in runs */
	uint64_t next_end;		/* ns, of a recording; UINT64_MAX if unknown */
	uint64_t begins;		/* ns, of a part, if events before it are known; else 0 */

	struct sched_cpu *cpus[1 << 16];
	struct sched_cpu *cpu_list;
	bool spans;			/* are requested */
	bool has_ended;			/* all events were applied */
	struct sched_threads threads;
	struct map forks;	/* announced ones, see threads.c */
	unsigned int depth;		/* of events that wait for others */
	uint64_t gap_to;		/* ns, up to which some stream lost records */
	uint64_t hidden_until;		/* ns, up to which a thread ran that may be hidden */

	struct sched_origins origins;
	struct fxt_call_stacks stacks;
	struct sched_symbols symbols;
	struct map throttled;
	struct map cgroups;
	struct map quotas;		/* by cgroup */
	struct map requests;		/* open ones, by id */
	uint64_t kernel_events;

	/* Waiting names: a heap, the earliest first. */
	struct sched_name **names;
	size_t name_count;
	uint64_t name_number;		/* of the next one */
	size_t sights;			/* of these: what a thread did */
	uint64_t name_due;		/* ns, of the first; UINT64_MAX if none waits */
	uint64_t name_latest;		/* ns, of all names so far */
	struct sched_name *held;	/* of a process, until the next record is known */
	bool has_forks;			/* a record describes a fork */

	struct sched_misfit *misfits[SCHED_MISFIT_KINDS];
	size_t misfit_count[SCHED_MISFIT_KINDS];
	uint64_t misfit_more[SCHED_MISFIT_KINDS];
	struct sched_misfit first_more[SCHED_MISFIT_KINDS];
	uint64_t last_more[SCHED_MISFIT_KINDS];	/* the latest @last_event of these */
	struct sched_sum after_loss, late, early, filtered, coming, execs, idle_inside;
};

/* Largest weight of the fair class: nice -20. */
#define FAIR_WEIGHT_MAX	88761

/*
 * The next thread and state are random, so branches would be mispredicted: the checks of each
 * record are combined without branches.
 */
static inline bool sched_weight_is_sane(uint64_t koid, int32_t weight)
{
	/* The kernel's priorities, which may be recorded as weights, are -1 to 139. */
	bool fair = (uint32_t)weight + 1 <= FAIR_WEIGHT_MAX + 1;
	bool rt = (uint32_t)weight - FXT_SCHED_WEIGHT_RT < FXT_SCHED_MAX_RT_PRIO;
	bool other = (weight == FXT_SCHED_WEIGHT_DL) | (weight == FXT_SCHED_WEIGHT_IDLE);

	return (fair | rt | other) & (!koid == (weight == FXT_SCHED_WEIGHT_IDLE));
}

/* Is the weight of a switch or wakeup one that our producers write, or omit? */
static inline bool sched_weight_fits(const struct sched_model *m, uint64_t koid, int32_t weight,
				     bool has_weight, bool is_bad)
{
	/* An omitted weight is 0, which the idle thread's is not. */
	return sched_weight_is_sane(koid, weight) &
	       (has_weight | (m->totals.lacks_weights & !is_bad));
}

static inline bool sched_is_dead(char state)
{
	return state == 'Z' || state == 'X';
}

static inline bool sched_is_runnable(char state)
{
	return state == 'R' || state == '+';
}

/* The state of a thread that is switched out, if only enum fxt_thread_state is known. */
static inline char sched_state_letter(uint8_t state)
{
	return "++TSZX??????????"[state & 15];
}

/* --- the description of the recording (session.c) ---------------------------------------- */

void sched_parse_session(struct sched_model *m, const struct fxt_record *rec,
			 const struct fxt_content *c);

/* --- marks of a snapshot (marks.c) -------------------------------------------------------- */

/* Take an instant, which may be a mark. */
void sched_add_mark(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_content *c);

void sched_marks_look(struct sched_model *m, const struct sched_block *block,
		      uint32_t events) __attribute__((cold));

/* See sched_model_trigger(). */
bool sched_marks_trigger(const struct sched_model *m, struct sched_trigger *t);

void sched_marks_finish(struct sched_model *m);

/* --- streams and CPUs, and what goes into them (streams.c) ------------------------------- */

/* Does nothing for a known CPU. */
void sched_cpu_add(struct sched_model *m, uint16_t number) __attribute__((cold));

void sched_apply_ledger(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_content *c);
void sched_note_slice(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c);

/* Take a record whose time does not fit its stream. */
void sched_time_misfit(struct sched_model *m, struct sched_stream *s,
		       const struct fxt_record *rec, uint64_t ticks);

/* Check at the end that all streams are closed and all losses reported. */
void sched_ledgers_finish(struct sched_model *m);

void sched_add_edge(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_switch *sw) __attribute__((cold));

/*
 * Take the first switch of a stream whose @first_run waits, or a mark of its end. The outgoing
 * thread has had the CPU until @ns.
 */
void sched_first_run(struct sched_stream *s, uint64_t ns, const struct fxt_switch *sw)
	__attribute__((cold));

/* The fault of a switch's weights, or NULL. */
const char *sched_weights_fault(const struct sched_model *m, const struct fxt_switch *sw)
	__attribute__((cold));

/* Why no producer can have written such a switch; NULL if it can. */
const char *sched_unknown_fault(const struct sched_model *m, const struct fxt_switch *sw)
	__attribute__((cold));

/* Take a switch that represents a loss. */
void sched_check_stand_in(struct sched_model *m, const struct fxt_record *rec,
			  const struct fxt_switch *sw) __attribute__((cold));

void sched_read_before(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_content *c) __attribute__((cold));

static inline bool sched_is_of_cpu(const struct sched_stream *s)
{
	return s && s->id != FXT_LEDGER_STREAM_NAMES;
}

static inline uint64_t sched_ns_of(const struct fxt_record *rec, uint64_t ticks)
{
	return fxt_ticks_to_ns(ticks, rec->provider->ticks_per_second);
}

/*
 * Count a record of a stream with ledgers. Returns its time in ns, adjusted so that the stream is
 * in order.
 */
static inline uint64_t sched_count_in_order(struct sched_model *m, struct sched_stream *s,
					    const struct fxt_record *rec, uint64_t ticks)
{
	uint64_t time = sched_ns_of(rec, ticks);

	if (unlikely(s->check_next || ticks < s->last_ticks))
		sched_time_misfit(m, s, rec, ticks);
	s->last_ticks = ticks;
	s->stored++;
	m->totals.stored++;
	return time < s->tail_ns ? s->tail_ns : time;
}

/*
 * Does the caller need no events of a stream but runs? Without a mark, or before a part, what a
 * thread has done decides whether it had the CPU when the stream began.
 */
static inline bool sched_accepts_runs(const struct sched_model *m, const struct sched_stream *s)
{
	return unlikely(m->ops->run) && sched_is_of_cpu(s) && s->mark && !m->begins;
}

/* @first and @last: ns, of records without an event, or of a run */
static inline void sched_note_times(struct sched_model *m, uint64_t first, uint64_t last)
{
	m->totals.first = first < m->totals.first ? first : m->totals.first;
	m->run_until = last > m->run_until ? last : m->run_until;
}

/* Take a record of a stream that accepts runs without an event of its own. @time: ns */
static inline void sched_take_unqueued(struct sched_model *m, struct sched_stream *s,
				       uint64_t time)
{
	s->tail_ns = time;
	sched_note_times(m, time, time);
}

/* The stream of a record outside of ledgers, or among those of names. */
struct sched_stream *sched_stray_stream(struct sched_model *m, const struct fxt_record *rec,
					uint32_t id) __attribute__((cold));

void sched_queue_event(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_content *c, const struct kernel_event *e);

/* --- an event whose turn has come (state.c) ---------------------------------------------- */

void sched_apply(struct sched_model *m, struct sched_stream *s,
		 const struct sched_event *e);

/* --- which thread has a CPU (cpus.c) ----------------------------------------------------- */

/*
 * The thread that was switched in is unknown from now on; if @is_refuted, since its switch, because
 * the CPU turns out to have had another one later.
 */
void sched_leave_unknown(struct sched_model *m, struct sched_cpu *cpu, bool is_refuted);

/*
 * Handle a switch that does not switch out the thread switched in last, or when that is unknown.
 * Returns the outgoing thread.
 */
struct sched_thread *sched_break_chain(struct sched_model *m, struct sched_cpu *cpu,
				       const struct sched_event *e)
	__attribute__((cold, noinline));

static inline bool sched_is_edge(const struct sched_event *e)
{
	return e->kind == SCHED_EVENT_BEGIN || e->kind == SCHED_EVENT_END;
}

void sched_apply_edge(struct sched_model *m, struct sched_stream *s,
		      const struct sched_event *e, bool is_late) __attribute__((cold));

void sched_end_recordings(struct sched_model *m, uint64_t time)
	__attribute__((cold, noinline));

void sched_apply_leave(struct sched_model *m, const struct sched_event *e, bool is_late)
	__attribute__((cold));

/* Wake a thread whose wait will have an unknown length. */
void sched_wake_unknown(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

/* --- the other events of the kernel (events.c) ------------------------------------------- */

void sched_apply_event(struct sched_model *m, struct sched_stream *s,
		       const struct sched_event *e, bool is_late) __attribute__((cold));

/* --- interrupts and idle states (interrupts.c) ------------------------------------------- */

/* Report an idle state of a CPU that runs a thread. @cpu: NULL if unknown */
void sched_check_idle(struct sched_model *m, const struct sched_cpu *cpu,
		      const struct sched_event *e);

/* Report a switch inside a hard interrupt. @cpu: NULL if unknown */
void sched_check_irq(struct sched_model *m, const struct sched_cpu *cpu,
		     const struct sched_event *e);

/* End an interrupt or idle state: report its pieces, set its own time. */
void sched_nest_add(struct sched_model *m, struct sched_stream *s, const struct sched_event *e,
		    struct sched_slice *slice);

/* Remember the run since @since of the thread that is switched out. */
void sched_nest_left(struct sched_stream *s, const struct sched_thread *t, uint64_t since,
		     uint64_t until) __attribute__((cold));

/* --- system calls and exits (syscalls.c) ------------------------------------------------- */

/* Report a system call that the thread cannot have made. */
void sched_check_syscall(struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e, struct sched_thread *t);

/* A thread ends; report it if it has ended already. */
void sched_note_exit(struct sched_model *m, const struct sched_stream *s,
		     const struct sched_event *e, struct sched_thread *t);

/* Forget an exit, because its id has a new thread. */
void sched_note_fork(struct sched_model *m, const struct sched_event *e);

/* The origin of a failed end, by the thread's name; NULL if its code is 0. */
struct sched_origin *sched_exit_failure(struct sched_model *m, const struct sched_event *e,
					const struct sched_thread *t);

/* --- stacks that wait for a wakeup (stacks.c) -------------------------------------------- */

/* Take the stack of the waker of @t; the next wakeup of @t must follow. */
void sched_pair_stack(struct sched_model *m, const struct sched_event *e,
		      struct sched_thread *t);

/* Pair a wakeup of @t with the stack before it. @t->has_stack must be set. */
void sched_pair_wakeup(struct sched_model *m, struct sched_thread *t);

/* Compare the thread of a sample with the one that has its CPU. */
void sched_match_sample(struct sched_model *m, const struct sched_stream *s,
			const struct sched_event *e, struct sched_thread *t);

/* Does the stack of @e belong to the switch before it? */
bool sched_stack_came_in(const struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e, const struct sched_thread *t);

/* Report stacks without a wakeup, at the end of the archive. */
void sched_pairs_finish(struct sched_model *m);

/* --- requests of block devices (requests.c) ---------------------------------------------- */

void sched_apply_request(struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e);

/* Records of any request may be missing here. */
void sched_requests_forget(struct sched_model *m);

/* Find out at the end of the archive which futexes are one. */
void sched_join_futexes(struct sched_model *m);

/* Find the locks that the marks of triggers name. */
void sched_find_locks(struct sched_model *m);

void sched_requests_finish(struct sched_model *m);
void sched_requests_close(struct sched_model *m);

/* --- cgroups (cgroups.c) ----------------------------------------------------------------- */

/* Report a cgroup that was throttled on that CPU already. */
void sched_check_throttle(struct sched_model *m, const struct sched_event *e);

/* Keep the name of a cgroup's track. */
void sched_set_cgroup(struct sched_model *m, const struct fxt_content *object);

/* Name cgroups after their tracks, at the end of the archive. */
void sched_name_cgroups(struct sched_model *m);

void sched_cgroups_close(struct sched_model *m);

/* Take a counter for which kernel_event_counts_cgroup() holds. */
void sched_set_quota(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c);

#endif /* FXT_SCHED_DATA_H */
