/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data.h - what the parts of the model share. The API is model.h.
 *
 * model.c takes records in, ledger.c knows whose they are and what
 * was lost, session.c what the collector says of the recording,
 * order.c keeps events until their turn has come, state.c leads CPUs
 * and threads through them, unknown.c does so where a record hides something,
 * span.c tells in which states they were, end.c where that ends,
 * judge.c says what cannot be, threads.c holds the threads, lives.c
 * knows which of those that had one id after the other is meant, and names them.
 */
#ifndef FXT_SCHED_DATA_H
#define FXT_SCHED_DATA_H

#include <fxt/fxt_unknown.h>

#include "model.h"

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

#define SCHED_NO_CPU	0xffff
#define SCHED_NOBODY	UINT64_MAX	/* no koid that a quick way may take for granted */

/*
 * Clocks of two CPUs may differ by as much as the kernel's fast clocks can step
 * back at a tick, when NTP has changed their rate. Of events of one thread that
 * are so close, in streams of different CPUs, the order that makes sense counts.
 */
#define SCHED_CLOCK_STEP	500	/* ns */

enum sched_event_kind {
	SCHED_EVENT_SWITCH,	/* 0: @a goes out, @b comes in */
	SCHED_EVENT_WAKEUP,	/* 1: @a is woken by @b, or by an interrupt of it */
	SCHED_EVENT_GAP,	/* @b records of the stream are lost until @a (ns) */
	SCHED_EVENT_LEAVE,	/* @a goes out, and who comes in is unknown */
};

/**
 * struct sched_event - what waits for its turn
 * @offset: of its record, bytes
 * @state: of switches, the letter of the outgoing thread; of wakeups SCHED_UNKNOWN if
 *	nothing says how long the woken thread waits
 * @weight: of the thread that comes in or is woken
 * @irq: of wakeups, enum fxt_sched_irq; if it is one, @b is whom that interrupted
 * @has_b: @b is known, and no interrupt woke @a
 */
struct sched_event {
	uint64_t time;		/* ns */
	uint64_t offset;
	uint64_t a;		/* koid */
	uint64_t b;		/* koid */
	int32_t weight;
	int32_t out_weight;
	uint16_t cpu;
	uint8_t kind;
	char state;
	uint8_t irq;
	bool has_weight;
	bool has_out_weight;
	bool has_b;
};

/* Events of one stream lie in a list of these. */
struct sched_block {
	struct sched_block *next;
	struct sched_block *previous;
	struct sched_event events[];
};

/* Streams of records outside all ledgers: one per CPU, and one for wakeups. */
#define SCHED_STREAM_WAKEUPS	0x10000U
#define SCHED_STREAMS		0x10001U

/**
 * struct sched_stream - what one producer wrote in order
 * @id: CPU, FXT_LEDGER_STREAM_NAMES or SCHED_STREAM_WAKEUPS
 * @has_ledger: it has one; else it only keeps events in order
 * @is_closed: nothing more comes
 * @is_opened: nothing but an opening ledger has come
 * @is_told: @slice holds a loss that no ledger has shown yet
 * @check_next: the next record must be at the time that the ledger said
 * @has_gone: some of its events are in memory no longer
 * @in: koid that the last switch took onto its CPU, with @in_weight, which can be;
 *	else SCHED_NOBODY
 * @tail_ns: time of the last event that was added
 * @last_ticks: of the last record, as it stands there
 * @stored: records, those that stand in other parts of the recording included
 * @head_written: as the head of its sub-buffer has it, like @head_lost; the newest
 *	ledger may be an opening one, which counts further
 * @opened: ns, from when on the archive has all of it; 0 if no opening ledger says
 * @recording_end: ns, of the last event of its provider's streams; 0 until all of them
 *	are closed, or if there is none
 */
struct sched_stream {
	uint32_t id;
	bool has_ledger;
	bool is_closed;
	bool is_opened;
	bool is_told;
	bool check_next;
	bool has_gone;
	bool is_busy;		/* its first event waits for others */

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
	uint64_t head_written;
	uint64_t head_lost;
	uint64_t opened;
	uint64_t recording_end;
	uint32_t provider;		/* of its newest ledger */
	struct fxt_ledger ledger;	/* the newest one */
	uint64_t ledger_offset;
	uint32_t next_sequence;

	struct {
		uint64_t from;		/* ticks */
		uint64_t to;		/* ticks */
		uint64_t records;
		uint64_t offset;
	} slice;
};

/**
 * struct sched_cpu - one CPU
 * @current: runs on it; NULL if not known
 * @koid: of @current, beside it so that the thread's second line is not needed
 * @since: ns, of the switch that it came in by
 * @offset: of that switch
 * @shown: ns that the span of @current begins at, if that is its idle thread
 * @gone: ns, when it went offline for the last time, as far as it has come back
 * @has_ended: so has its recording, and nothing came after that
 * @number: of the CPU
 * @next: the next one that has switched
 */
struct sched_cpu {
	struct sched_thread *current;
	uint64_t koid;
	uint64_t since;
	uint64_t offset;
	uint64_t shown;
	uint64_t gone;
	bool has_ended;
	uint16_t number;
	struct sched_cpu *next;
};

/* What does not fit, until the archive's end tells what to think of it. */
struct sched_misfit {
	enum sched_finding_kind kind;
	uint16_t cpu;
	char state;			/* of the thread before the event */
	char out_state;			/* that a switch leaves it in */
	uint16_t state_cpu;
	bool self;			/* @thread (chain: @before) may be hidden */
	bool others;			/* a hidden thread may have done it */
	bool reused;			/* who was running had died, and its id was free */
	bool exec;			/* an old leader after an execve(), folded since */
	bool going;			/* a CPU that went offline may have done it */
	uint64_t leaving;		/* so may one, if its switch at this byte was the last */
	uint64_t offset;
	uint64_t time;			/* ns */
	uint64_t last_offset;
	uint64_t last_event;		/* ns, of @thread */
	uint64_t since;			/* ns, when @before had come in */
	struct sched_thread *thread;
	struct sched_thread *before;	/* chain: that had come in */
};

#define SCHED_MISFITS_PER_KIND	1000
#define SCHED_LOOK_CPUS		1024	/* whose threads are looked at for a misfit */
#define SCHED_MISFIT_KINDS	(SCHED_NOT_WOKEN + 1)

/* Findings that are told in sum, and the first of them. */
struct sched_sum {
	uint64_t count;
	uint64_t offset;
	uint64_t time;			/* ns */
};

/**
 * struct sched_mark - what a snapshot says of itself
 * @is_trigger: that @thread came in on @cpu at @time, @latency ns late; else that all is there from
 *	@time on
 * @is_found: that switch stands in the archive
 * @is_gone: it may have stood among what was in memory no longer when the mark came
 */
struct sched_mark {
	uint64_t time;			/* ns */
	uint64_t offset;
	uint64_t thread;		/* koid */
	uint64_t latency;
	uint32_t provider;
	uint16_t cpu;
	bool is_trigger;
	bool is_found;
	bool is_gone;
};

#define SCHED_MARKS	8		/* that are looked at; a snapshot has two */

struct sched_name;
struct sched_page;

struct sched_threads {
	struct sched_thread **pages[1 << 12];	/* koids below 2^22, 2^10 a page */
	struct sched_thread **hash;		/* the others */
	size_t hash_size;
	size_t hash_used;
	struct sched_thread **list;		/* by id */
	size_t count;
	size_t room;
	struct sched_page *slabs;
	size_t slab_used;

	struct sched_process **processes;	/* by id */
	size_t process_count;
	size_t process_room;
	struct sched_process **process_hash;
	size_t process_hash_size;
};

struct sched_heap_entry {
	uint64_t time;
	struct sched_stream *stream;
};

struct sched_model {
	const struct sched_ops *ops;
	void *arg;
	int error;		/* the first that the walk ended with */
	struct sched_totals totals;

	/* Records in. */
	struct sched_stream *stream;	/* that records belong to now, or NULL */
	struct sched_stream *streams[SCHED_STREAMS];
	struct sched_stream **stream_list;
	size_t stream_count;
	size_t stream_room;
	uint64_t stray;			/* events outside all streams */
	uint64_t stray_offset;
	bool has_others;		/* events of providers that are not ours */
	uint64_t told_events;		/* provider events not matched by a ledger yet */
	uint64_t lost_names;
	bool is_part;			/* some stream has an opening ledger */
	struct fxt_content content;

	/* What the collector says of the recording. */
	struct {
		bool cpus;		/* only some CPUs are recorded */
		bool threads;		/* only some threads are */
		uint64_t offset;	/* of the record that says so */
		char text[160];
	} filter;
	struct sched_mark marks[SCHED_MARKS];
	unsigned int mark_count;

	/* Order. */
	uint32_t block_events;
	uint32_t blocks_per_stream;
	uint32_t blocks_total;
	uint32_t blocks_used;
	struct sched_block *free_blocks;
	struct sched_heap_entry *heap;
	size_t heap_count;
	size_t heap_room;
	bool is_moving;			/* events have been emitted */
	bool is_reordered;		/* the heap's times are old */
	uint64_t drained;		/* switches and wakeups before the last drain */
	uint64_t now;			/* ns, the latest that was emitted */
	uint64_t next_end;		/* ns, of a recording; UINT64_MAX if none is known */

	/* CPUs, threads. */
	struct sched_cpu *cpus[1 << 16];
	struct sched_cpu *cpu_list;
	bool spans;			/* are asked for */
	struct sched_threads threads;
	unsigned int depth;		/* of events that others wait for */
	uint64_t gap_to;		/* ns: until then some stream lost records */
	uint64_t hidden_until;		/* ns: until then a thread ran that may be hidden */

	/* Names whose time has not come: a heap, the earliest of them first. */
	struct sched_name **names;
	size_t name_count;
	size_t name_room;
	uint64_t name_number;		/* of the next one */
	uint64_t name_due;		/* ns, of the first; UINT64_MAX: none waits */
	uint64_t name_latest;		/* ns, of all that were ever told */
	struct sched_name *held;	/* of a process, until it is known what comes next */
	bool has_forks;			/* some record tells of one */

	/* What does not fit. */
	struct sched_misfit *misfits[SCHED_MISFIT_KINDS];
	size_t misfit_count[SCHED_MISFIT_KINDS];
	uint64_t misfit_more[SCHED_MISFIT_KINDS];
	struct sched_misfit first_more[SCHED_MISFIT_KINDS];
	uint64_t last_more[SCHED_MISFIT_KINDS];	/* the latest of their @last_event */
	struct sched_sum after_loss, late, early, filtered, coming, execs;
};

/* --- model.c, usual.c ------------------------------------------ */

/* The largest weight of the fair class: nice -20. */
#define FAIR_WEIGHT_MAX	88761

/*
 * Which thread is idle, and which state comes next, no CPU can guess: so what is
 * looked at for each record is put together without branches.
 */
static inline bool sched_weight_is_sane(uint64_t koid, int32_t weight)
{
	/* The kernel's priorities, which may stand in its place, are -1 to 139. */
	bool fair = (uint32_t)weight + 1 <= FAIR_WEIGHT_MAX + 1;
	bool rt = (uint32_t)weight - FXT_SCHED_WEIGHT_RT < FXT_SCHED_MAX_RT_PRIO;
	bool other = (weight == FXT_SCHED_WEIGHT_DL) | (weight == FXT_SCHED_WEIGHT_IDLE);

	return (fair | rt | other) & (!koid == (weight == FXT_SCHED_WEIGHT_IDLE));
}

/* By enum fxt_thread_state alone; of a thread that goes out. */
static inline char sched_state_letter(uint8_t state)
{
	return "++TSZX??????????"[state & 15];
}

/* --- threads.c ------------------------------------------------------- */

int sched_threads_open(struct sched_threads *t);
void sched_threads_close(struct sched_threads *t);

/* A thread or process by koid, made if it was not seen yet; NULL: no memory. */
struct sched_thread *sched_thread_slow(struct sched_threads *t, uint64_t koid);
struct sched_process *sched_process_get(struct sched_threads *t, uint64_t koid);
struct sched_process *sched_process_find(const struct sched_threads *t, uint64_t koid);
struct sched_thread *sched_thread_find(const struct sched_threads *t, uint64_t koid);

static inline struct sched_thread *sched_thread_get(struct sched_threads *t,
						    uint64_t koid)
{
	struct sched_thread **page, *thread;

	if (koid >> 22)
		return sched_thread_slow(t, koid);
	page = t->pages[koid >> 10];
	thread = page ? page[koid & 1023] : NULL;
	return thread ? thread : sched_thread_slow(t, koid);
}

/* --- ledger.c -------------------------------------------------------- */

/** sched_stream_get() - a stream, made if it was not seen yet; NULL: no memory */
struct sched_stream *sched_stream_get(struct sched_model *m, uint32_t id);

int sched_take_ledger(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c);
void sched_take_slice(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c);

/* Does the time of a record fit its stream? If not, sched_time_misfit() tells why. */
static inline bool sched_time_fits(const struct sched_stream *s, uint64_t ticks)
{
	return !s->check_next && ticks >= s->last_ticks;
}

void sched_time_misfit(struct sched_model *m, struct sched_stream *s,
		       const struct fxt_record *rec, uint64_t ticks);

/** sched_ledgers_finish() - are all streams closed, all losses told? */
void sched_ledgers_finish(struct sched_model *m);

/* --- session.c ------------------------------------------------------- */

/** sched_take_session() - what the collector says of the recording */
void sched_take_session(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_content *c);

/** sched_take_mark() - an instant, which may be a mark */
void sched_take_mark(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c);

/** sched_marks_look() - is what a mark tells of among the events of a block? */
void sched_marks_look(struct sched_model *m, const struct sched_block *block,
		      uint32_t events) __attribute__((cold));

/** sched_marks_finish() - all events have gone: are the marks right? */
void sched_marks_finish(struct sched_model *m);

/* --- order.c --------------------------------------------------------- */

struct sched_event *sched_order_slow(struct sched_model *m, struct sched_stream *s);

/** sched_order_has_room() - without another block */
static inline bool sched_order_has_room(const struct sched_model *m,
					const struct sched_stream *s)
{
	return s->tail && s->end != m->block_events;
}

/** sched_order_room() - room for one more event at a stream's end; NULL: m->error */
static inline struct sched_event *sched_order_room(struct sched_model *m,
						   struct sched_stream *s)
{
	if (unlikely(!sched_order_has_room(m, s)))
		return sched_order_slow(m, s);
	return &s->tail->events[s->end];
}

/* The event is filled in, and no earlier than the one before it. */
static inline void sched_order_added(struct sched_stream *s, uint64_t time)
{
	s->end++;
	s->tail_ns = time;
}

/** sched_order_insert() - the same for streams that are not in order of time */
void sched_order_insert(struct sched_model *m, struct sched_stream *s, uint64_t time);

/** sched_order_head() - the first event of a stream, NULL if it has none */
static inline const struct sched_event *sched_order_head(const struct sched_stream *s)
{
	return s->head ? &s->head->events[s->first] : NULL;
}

/** sched_order_after() - the event after @e, and its block; NULL if it is the last */
const struct sched_event *sched_order_after(const struct sched_model *m,
					    const struct sched_stream *s,
					    const struct sched_block **block,
					    const struct sched_event *e);

/** sched_order_drain() - emit what no stream can deliver anything before */
void sched_order_drain(struct sched_model *m);

/** sched_order_finish() - emit all */
void sched_order_finish(struct sched_model *m);

/** sched_order_step() - emit the first event of a stream, whatever its time */
void sched_order_step(struct sched_model *m, struct sched_stream *s);

/** sched_order_close() - free what waits */
void sched_order_close(struct sched_model *m);

/* --- state.c --------------------------------------------------------- */

/** sched_apply() - an event's turn has come */
void sched_apply(struct sched_model *m, struct sched_stream *s,
		 const struct sched_event *e);

/** sched_touch() - a thread was named by this event */
static inline void sched_touch(struct sched_thread *t, const struct sched_event *e)
{
	if (unlikely(!t->last_offset)) {
		t->first_offset = e->offset;
		t->begin = t->is_forked ? t->begin : e->time;
	}
	t->last_event = e->time;
	t->last_offset = e->offset;
}

/** sched_leave_unknown() - nobody knows what has become of the thread that had come in */
void sched_leave_unknown(struct sched_model *m, struct sched_cpu *cpu);

/**
 * sched_break_chain() - who goes out is not who had come in, or nobody knows who had
 *
 * Return: who goes out, or NULL: m->error.
 */
struct sched_thread *sched_break_chain(struct sched_model *m, struct sched_cpu *cpu,
				       const struct sched_event *e)
	__attribute__((cold, noinline));

/* --- unknown.c --------------------------------------------------------- */

/** sched_unknown_fault() - what of such a switch no producer can have written, or NULL */
const char *sched_unknown_fault(const struct fxt_switch *sw) __attribute__((cold));

/** sched_take_stand_in() - a switch that no producer wrote: it stands for a loss */
int sched_take_stand_in(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_switch *sw) __attribute__((cold));

/** sched_apply_leave() - the turn of a SCHED_EVENT_LEAVE has come */
void sched_apply_leave(struct sched_model *m, const struct sched_event *e, bool is_late)
	__attribute__((cold));

/** sched_wake_unknown() - a thread is woken, and nothing says how long it then waits */
void sched_wake_unknown(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

/* --- span.c: only where spans are asked for --------------------------- */

/** sched_span_end() - a thread's last state ends now */
void sched_span_end(struct sched_model *m, struct sched_thread *t);

/**
 * sched_span_next() - a thread's state ends now, another begins
 * @end: of a running thread, what it left its CPU for
 */
void sched_span_next(struct sched_model *m, struct sched_thread *t, char end,
		     char state, uint16_t cpu);

/** sched_span_idle() - the same for the idle thread that a CPU ran until now */
void sched_span_idle(struct sched_model *m, const struct sched_cpu *cpu, char end);

void sched_spans_finish(struct sched_model *m);

/* --- end.c ------------------------------------------------------------ */

/** sched_find_end() - a stream of this provider was closed: is its recording's end known? */
void sched_find_end(struct sched_model *m, uint32_t provider);

/** sched_end_recordings() - time has come to here: end those that ended before */
void sched_end_recordings(struct sched_model *m, uint64_t time)
	__attribute__((cold, noinline));

/* --- online.c --------------------------------------------------------- */

/** sched_is_exec() - is it a chain that broke at an execve() by a thread that was no leader? */
bool sched_is_exec(const struct sched_model *m, const struct sched_misfit *f);

/** sched_is_exec_leader() - does an old leader run under the id of such a thread? */
bool sched_is_exec_leader(const struct sched_model *m, const struct sched_misfit *f);

/** sched_fold_execs() - keep of those chains only their number, to make room for others */
void sched_fold_execs(struct sched_model *m);

/** sched_is_offline() - is it a chain that broke because the CPU was offline? */
bool sched_is_offline(const struct sched_misfit *f);

/** sched_is_back_online() - is it a stopper that is woken when its CPU comes back? */
bool sched_is_back_online(const struct sched_misfit *f);

/** sched_find_leaving() - mark a SCHED_NOT_WOKEN that a CPU which went may explain */
void sched_find_leaving(const struct sched_model *m, struct sched_misfit *f);

/**
 * sched_find_coming() - take out what a CPU that comes online explains, and count it
 * @m: the model
 * @e: a CPU's switch that breaks its chain, or its first one
 */
void sched_find_coming(struct sched_model *m, const struct sched_event *e);

/** sched_woken_by_leaving() - at the end: did a CPU that went wake the thread? */
bool sched_woken_by_leaving(const struct sched_model *m, const struct sched_misfit *f);

/* --- judge.c --------------------------------------------------------- */

/** sched_add() - @count more are told in sum; the first of all stands at @offset */
void sched_add(struct sched_sum *sum, uint64_t count, uint64_t offset, uint64_t time);

void sched_tell(struct sched_model *m, enum sched_finding_kind kind, bool violation,
		uint64_t count, uint64_t offset, uint64_t time, const char *format, ...)
	__attribute__((format(printf, 7, 8), cold));

/**
 * sched_misfit() - an event does not fit what is known of a thread
 * @m: the model
 * @kind: which rule
 * @e: the event
 * @t: the thread, in the state that it does not fit
 * @before: SCHED_CHAIN: the thread that had come in, NULL if that is not known
 */
void sched_misfit(struct sched_model *m, enum sched_finding_kind kind,
		  const struct sched_event *e, struct sched_thread *t,
		  struct sched_thread *before) __attribute__((cold));

/**
 * sched_reused() - had a thread's id been given away before it left a CPU?
 * @m: the model
 * @t: the thread, which went off the CPU dead
 * @cpu: that CPU
 *
 * The kernel gives an id away when the parent has been told of the end, and not when
 * the thread has left its CPU for the last time. Until then, who has got the id does
 * what no thread can do that runs. Such misfits become a note by this.
 */
bool sched_reused(struct sched_model *m, const struct sched_thread *t, uint16_t cpu)
	__attribute__((cold));

/** sched_filtered() - what is missing by intent; @count: of what was found */
void sched_filtered(struct sched_model *m, uint64_t count, uint64_t offset,
		    uint64_t time);

void sched_late(struct sched_model *m, const struct sched_event *e)
	__attribute__((cold));

/** sched_judge_finish() - the archive has ended: what to think of all this? */
void sched_judge_finish(struct sched_model *m);

#endif /* FXT_SCHED_DATA_H */
