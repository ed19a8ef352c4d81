/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - an archive of what another tracer of Linux has recorded.
 *
 * In: events in the order of time; counts of lost events.
 * Out: an archive like those of fxt-collect: streams of CPUs and a stream of names, in chunks
 * that begin with a ledger, and losses where they happened.
 */
#ifndef FXT_FORMATS_IMPORT_IMPORT_H
#define FXT_FORMATS_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_stack.h>

#include "libfxt/map.h"
#include "libfxt/writer/losses.h"
#include "event.h"

struct fxt_writer;

/* --------------------------------------------------------------------
 * The archive: finished records, in the order of time on each CPU, and counts of lost events.
 *
 * When the chunk of one stream is full, the chunks of all are written, so that readers never
 * wait long for the events of a quiet CPU.
 */

#define TRACE_CPUS		8192U	/* Linux's limit */
#define TRACE_CHUNK_WORDS	2048U
#define TRACE_RECORD_WORDS	FXT_SCHED_STACK_WORDS	/* what trace_archive_room() gives */
#define TRACE_TICKS_PER_SECOND	1000000000ULL

/** struct trace_stream - the records of a CPU, or the names */
struct trace_stream {
	struct fxt_progress p;	/* before the chunk; its thread is that after it */
	__u64 *words;		/* the chunk */
	uint32_t used;		/* words of it */
	uint32_t records;	/* in the chunk */
	uint64_t time;		/* ns, of its first record */
	uint64_t chunk_last;	/* ns, of its last one */
	uint64_t pending;	/* events lost since the last record */
};

/** struct trace_archive - an archive that is being written; initialize with zeros */
struct trace_archive {
	struct fxt_writer *w;
	int error;		/* the first one of writing; then stop */
	uint64_t first;		/* ns, of the earliest record */
	uint64_t last;		/* ns, of the latest one */
	uint64_t lost;		/* events lost on all CPUs */
	struct fxt_loss_names loss_names;
	/* Set before trace_archive_open(): */
	bool is_part;		/* the file already is an archive */
	const char *clock;	/* clock of the times, "mono" or "boot"; NULL if it is unknown */
	uint32_t count;		/* the highest CPU number so far, plus one */
	struct trace_stream streams[TRACE_CPUS + 1];	/* by CPU; the last one has the names */
};

/** trace_archive_open() - begin an archive; @from: what is converted, e.g. "ftrace text" */
void trace_archive_open(struct trace_archive *a, int fd, const char *from);

/** trace_archive_end() - end all streams */
void trace_archive_end(struct trace_archive *a);

/**
 * trace_archive_record() - add a record that belongs to no stream
 *
 * These are marks of programs, and after trace_archive_end() kernel objects that are no events: if a
 * thread first occurs in the stream of names, readers take it for a new thread.
 */
void trace_archive_record(struct trace_archive *a, const void *rec, uint32_t words);

/** trace_archive_close() - free the archive. Return: 0 or the first error of writing */
int trace_archive_close(struct trace_archive *a);

/** trace_archive_room() - room for TRACE_RECORD_WORDS of a CPU, or with TRACE_CPUS of names */
__u64 *trace_archive_room(struct trace_archive *a, uint32_t cpu);

/** trace_archive_add() - add @records of @words that are in the room; @ns: of the last one */
void trace_archive_add(struct trace_archive *a, uint32_t cpu, uint64_t ns, uint32_t words,
		       uint32_t records);

/** trace_archive_begin() - write the mark in the room: the CPU, without records so far, begins here */
void trace_archive_begin(struct trace_archive *a, uint32_t cpu, uint64_t ns, uint32_t words);

/** trace_archive_lost() - the tracer lost @events on a CPU after its last record */
void trace_archive_lost(struct trace_archive *a, uint32_t cpu, uint64_t events);

/** trace_archive_runs() - set the thread that runs on a CPU from now on; 0: the idle thread */
static inline void trace_archive_runs(struct trace_archive *a, uint32_t cpu, uint32_t tid,
				      int32_t weight)
{
	a->streams[cpu].p.has = (struct fxt_owner){ tid, weight, true };
}

/** trace_archive_hides() - the thread that runs on a CPU is unknown from now on */
static inline void trace_archive_hides(struct trace_archive *a, uint32_t cpu)
{
	a->streams[cpu].p.has = (struct fxt_owner){ 0 };
}

/* --------------------------------------------------------------------
 * Interrupts, soft interrupts, idle states and work items: a slice from entry to exit.
 */

struct trace_threads;
struct trace_wakeups;

/** struct trace_cpu_slices - the open slices of a CPU, and when they began (ns) */
struct trace_cpu_slices {
	uint64_t irq_begin;
	uint64_t vector_begin;
	uint64_t softirq_begin;
	uint64_t idle_begin;
	uint32_t irq;		/* number, valid if @irq_name is not empty */
	uint32_t vector;	/* FXT_STR_VECTOR_*, 0: none */
	uint32_t softirq;	/* vector, valid if @in_softirq */
	uint32_t idle;		/* state, valid if @is_idle */
	bool in_softirq;
	bool is_idle;
	struct trace_name irq_name;
};

/** struct trace_slices - the open slices of all CPUs; initialize with zeros */
struct trace_slices {
	struct trace_archive *a;
	struct trace_threads *threads;
	const struct trace_wakeups *wakeups;	/* counts the losses */
	struct trace_cpu_slices *cpus;
	bool is_named[3];	/* the processes of the tracks */
	uint8_t tracks[TRACE_CPUS];	/* those that have a name, as bits */
};

/**
 * trace_slice() - take an event that begins or ends a slice, or of a missed idle state
 *
 * An exit without an entry ends a slice that began before the trace, and is ignored.
 */
void trace_slice(struct trace_slices *s, const struct trace_event *e);

/** trace_label() - the name of a function or handler, for a record */
struct fxt_sched_label trace_label(const struct trace_name *name);

/* --------------------------------------------------------------------
 * Functions of call chains. Each is a symbol at the end of the archive.
 *
 * Texts have names of functions without addresses, others addresses of the kernel's functions. A
 * function of a text gets addresses of its own, which say nothing about where it is in memory.
 */

#define TRACE_SYMBOLS	65536U		/* more functions, or frames of them, have no names */
#define TRACE_SYMBOL_BYTES	16U	/* addresses of a function of a text */
#define TRACE_FUNCTION_BYTES	256U	/* of a name; longer ones are truncated */

/** struct trace_symbols - initialize with zeros, except for @base */
struct trace_symbols {
	struct map map;
	struct map frames;
	uint64_t base;		/* of the addresses of functions without an address */
	uint64_t unnamed;	/* frames whose function has no name, because there are too many */
};

/** trace_symbol() - a frame of a function that is known by its name; 0 if there are too many */
uint64_t trace_symbol(struct trace_symbols *s, uint32_t process, const char *name, size_t length);

/** trace_symbol_at() - note that the kernel's function at @start is that of a frame */
void trace_symbol_at(struct trace_symbols *s, uint64_t start, uint64_t frame, const char *name);

/** trace_symbol_name() - the name of the function of a frame; NULL if it is unknown */
const char *trace_symbol_name(const struct trace_symbols *s, uint64_t frame);

/** trace_symbols_write() - write them all, and free them */
void trace_symbols_write(struct trace_symbols *s, struct fxt_writer *w);

/* --------------------------------------------------------------------
 * The threads of a trace: names, processes, and whether they sleep, as kernel object records in the
 * stream of names.
 *
 * A thread's record waits until its process is known, but at most until the thread has another
 * name, a new thread has its id, or the trace ends.
 */

#define TRACE_PAGE_THREADS	1024U

/** struct trace_work - a work item that a kernel worker executes */
struct trace_work {
	uint64_t begin;		/* ns */
	uint32_t losses;	/* as in struct trace_wakeups, when it began */
	struct trace_name function;
};

enum trace_state {
	TRACE_STATE_UNKNOWN,
	TRACE_STATE_AWAKE,	/* runs or waits for a CPU */
	TRACE_STATE_ASLEEP,
};

struct trace_thread {
	char name[FXT_SCHED_COMM_SIZE];	/* terminated */
	uint64_t time;		/* ns, of the event that gave the name, or when it was first seen */
	uint64_t left;		/* ns, when it was switched out */
	uint64_t woken;		/* ns, of the wakeup, if @is_early */
	uint64_t *frames;	/* call chain where it was switched out, or NULL */
	struct trace_work *work;	/* that it executes, or NULL */
	uint32_t depth;		/* slices that its marks have begun and not ended */
	uint32_t tgid;		/* id of its process, 0 if unknown */
	uint32_t later_tgid;	/* the one that a later event will show */
	uint32_t parent;	/* id of the thread that forked it, 0 if unknown */
	uint32_t waker;		/* fxt_sched_waker(), if @is_waking */
	uint32_t losses;	/* as in struct trace_wakeups, when the state was seen */
	int32_t prio;		/* the kernel's priority, if @has_prio */
	uint8_t what;		/* the event that gave the name, as in struct fxt_sched_event */
	uint8_t state;		/* enum trace_state */
	uint8_t frame_count;
	bool has_prio : 1;
	bool is_leader : 1;	/* other threads belong to the process with its id, as it does */
	bool has_name : 1;
	bool is_weak : 1;	/* the name may be newer than the events so far */
	bool is_found : 1;	/* it is from /proc, where a worker's has its work queue, too */
	bool is_pending : 1;	/* its record is not written yet */
	bool is_new : 1;	/* it was forked, and has not run yet */
	bool is_waking : 1;	/* its wakeup has begun */
	bool is_early : 1;	/* a wakeup came before it left the CPU, perhaps without effect */
};

/** struct trace_threads - all threads; initialize with zeros */
struct trace_threads {
	struct trace_archive *a;
	struct trace_thread *pages[TRACE_PIDS / TRACE_PAGE_THREADS];
	uint64_t long_names;	/* that were truncated */
};

/** trace_thread() - find or create one; @tid is below TRACE_PIDS */
struct trace_thread *trace_thread(struct trace_threads *t, uint32_t tid);

/**
 * trace_thread_named() - take the name of a thread from an event at @ns
 * @name: may be empty; NULL if the event has none
 * @what: FXT_STR_EXEC or FXT_STR_RENAME if it is an event of that kind, else 0
 */
void trace_thread_named(struct trace_threads *t, uint32_t tid, const char *name, uint32_t what,
			uint64_t ns);

/**
 * trace_thread_found() - take a name that may be older than the trace, unless one is known
 * @parent: parent of its process; 0 if unknown
 */
void trace_thread_found(struct trace_threads *t, uint32_t tid, const char *name, uint32_t parent);

/** trace_thread_called() - take a thread's name of an unknown time */
void trace_thread_called(struct trace_threads *t, uint32_t tid, const char *name);

/** trace_thread_of() - set the process of a thread */
void trace_thread_of(struct trace_threads *t, uint32_t tid, uint32_t tgid, uint64_t ns);

/** trace_thread_later() - set the process that a later event shows */
void trace_thread_later(struct trace_threads *t, uint32_t tid, uint32_t tgid);

/** trace_thread_process() - the process of a thread; its own id if the process is unknown */
uint32_t trace_thread_process(struct trace_threads *t, uint32_t tid);

/** trace_thread_forked() - let an id belong to a new thread; @tgid: 0 if unknown */
void trace_thread_forked(struct trace_threads *t, uint32_t tid, uint32_t parent, uint32_t tgid,
			 const char *name, uint64_t ns);

/** trace_thread_weight() - its weight; without @prio: by its last one, or that of nice 0 */
int32_t trace_thread_weight(struct trace_thread *thread, uint32_t tid, int32_t prio);

/** trace_threads_end() - write all records that wait, and end the archive */
void trace_threads_end(struct trace_threads *t);

void trace_threads_close(struct trace_threads *t);

/* --------------------------------------------------------------------
 * The call chains of a trace, as stacks: that of the current thread in switches and wakeups, or in
 * an event that follows them on their CPU.
 *
 * They become backtraces as <fxt/fxt_sched_stack.h> defines them. That of a thread that slept or
 * was preempted follows the switch that switches it in; that of a waker precedes the wakeup.
 */

/** trace_stack_keep() - keep the call chain of a thread switched out */
void trace_stack_keep(struct trace_thread *thread, const struct trace_event *e);

/** trace_stack_drop() - drop the call chain that was kept: the thread may have left that place */
void trace_stack_drop(struct trace_thread *thread);

/** trace_stack_in() - write the stack of @in, which the switch @e has just switched in */
void trace_stack_in(struct trace_archive *a, struct trace_threads *t, const struct trace_event *e,
		    struct trace_thread *in);

/* --------------------------------------------------------------------
 * The wakeups of a trace: one record for each time that a thread becomes runnable.
 *
 * The kernel has two events for a wakeup. At sched_waking, the current thread or interrupt is
 * the waker; at sched_wakeup the thread becomes runnable, perhaps by an interrupt of another CPU.
 * The record is written at sched_wakeup, with the waker of sched_waking. If a trace has only one
 * of them, the record is written there.
 *
 * sched_waking names the CPU on which the thread has run. If the kernel chooses another one, it
 * moves the thread before anything else happens on the CPU of the waker. So a record of
 * sched_waking waits for the next event there. If that event is the move, the move is written
 * first, with the time of sched_waking, because the thread waits on the new CPU from then on.
 *
 * If call chains are events of their own (TRACE_STACK), each record waits for the next event of its
 * CPU, because the stack of a waker precedes the wakeup.
 */

/** struct trace_stack_owner - the event of a CPU whose call chain may follow */
struct trace_stack_owner {
	uint32_t thread;	/* switched out, or woken */
	bool is_switch;
	bool is_wakeup;
	bool is_known;		/* the event is a switch or wakeup, with or without use for a stack */
};

/* A wakeup that waits, if @is_held. */
struct trace_held {
	uint64_t ns;
	uint32_t thread;
	uint32_t target;
	uint32_t waker;
	int32_t weight;
	bool is_held;
};

/** struct trace_wakeups - initialize with zeros, except for @a and @threads */
struct trace_wakeups {
	struct trace_archive *a;
	struct trace_threads *threads;
	bool has_events;	/* the trace has events of sched_wakeup */
	bool has_wakings;	/* the records are those of sched_waking; the archive says so */
	bool has_stacks;	/* call chains follow the events */
	uint32_t losses;	/* states of threads from before the latest one are uncertain */
	struct trace_held *held;	/* the waiting wakeup of the waker's CPU, by CPU */
	struct trace_stack_owner *owners;	/* by CPU, if @has_stacks */
};

/** trace_wakeup() - take an event of a wakeup */
void trace_wakeup(struct trace_wakeups *w, const struct trace_event *e);

/**
 * trace_wakeup_early() - write the wakeup of @in, which was woken while it was switched out
 *
 * @e is the switch that switches it in. Its wakeup precedes the switch out, and the thread is
 * runnable from that on: sched_waking at any time, but sched_wakeup only by the difference of two
 * CPUs' clocks, because it may have had no effect.
 */
void trace_wakeup_early(struct trace_wakeups *w, const struct trace_event *e,
			struct trace_thread *in);

/** trace_wakeups_before() - prepare for the next event of a CPU */
void trace_wakeups_before(struct trace_wakeups *w, const struct trace_event *e);

/**
 * trace_wakeup_move() - the time of a migration (ns), after trace_wakeups_before()
 *
 * Return: the time of the wakeup that moves the thread, or else that of the event.
 */
uint64_t trace_wakeup_move(struct trace_wakeups *w, const struct trace_event *e);

/** trace_wakeups_stack() - take a call chain that follows its event. Return: is it of use? */
bool trace_wakeups_stack(struct trace_wakeups *w, const struct trace_event *e);

/** trace_wakeups_owner() - note the event whose call chain may follow; @is_switch: or a wakeup */
void trace_wakeups_owner(struct trace_wakeups *w, const struct trace_event *e, bool is_switch);

/** trace_wakeups_lost() - note that a CPU lost events */
void trace_wakeups_lost(struct trace_wakeups *w, uint32_t cpu);

/** trace_wakeups_end() - write the waiting wakeups, at the end */
void trace_wakeups_end(struct trace_wakeups *w);

void trace_wakeups_close(struct trace_wakeups *w);

/* --------------------------------------------------------------------
 * Marks of programs, as Android's atrace writes them to the file trace_marker: slices and instants
 * of threads, asynchronous operations and counters of processes.
 *
 *	B|PROCESS|NAME			E|PROCESS or E
 *	I|PROCESS|NAME			C|PROCESS|NAME|VALUE
 *	S|PROCESS|NAME|COOKIE		F|PROCESS|NAME|COOKIE
 *	G|PROCESS|TRACK|NAME|COOKIE	H|PROCESS|TRACK|COOKIE
 *	N|PROCESS|TRACK|NAME
 *
 * Several operations of a process may have the same cookie, if their names differ: so their ids are
 * numbers that count from 1. S of an operation that is open is left out, as in Perfetto, and so is an
 * end of one that is not.
 */

#define TRACE_MARK_BYTES	4096U	/* of a text that are read; the kernel takes no more */
#define TRACE_OPERATIONS	65536U	/* open ones; more are left out */

/** struct trace_mark - a mark; texts are not terminated */
struct trace_mark {
	char phase;
	uint32_t process;	/* 0: not given */
	const char *name;
	size_t name_bytes;
	const char *track;
	size_t track_bytes;
	int64_t value;		/* of a counter, or the cookie */
};

/** struct trace_marks - initialize with zeros, except for @a and @threads */
struct trace_marks {
	struct trace_archive *a;
	struct trace_threads *threads;
	struct map operations;	/* that are open */
	uint64_t last_id;	/* of an operation */
	uint64_t truncated;	/* names */
	uint64_t unbegun;	/* ends without a begin */
	uint64_t begun;		/* begins of what is open */
	uint64_t too_many;	/* begins beyond TRACE_OPERATIONS */
	uint64_t too_long;	/* texts that TRACE_MARK_BYTES cut to what is no mark */
};

/** trace_mark_parse() - parse a text. Return: is it a mark? */
bool trace_mark_parse(const char *text, size_t bytes, struct trace_mark *mark);

/** trace_mark_is_of_thread() - is the process of a mark that of the thread that wrote it? */
static inline bool trace_mark_is_of_thread(const struct trace_mark *mark)
{
	return mark->phase == 'B' || mark->phase == 'E' || mark->phase == 'I';
}

/** trace_mark() - take an event TRACE_MARK */
void trace_mark(struct trace_marks *m, const struct trace_event *e);

/** trace_marks_report() - report on standard error what is left out */
void trace_marks_report(const struct trace_marks *m, const char *path);

void trace_marks_close(struct trace_marks *m);

#define TRACE_OTHER_KINDS	64U

/** struct trace_others - events of kinds that do not become records */
struct trace_others {
	struct {
		struct trace_name name;
		uint64_t count;
	} kinds[TRACE_OTHER_KINDS];	/* the first kinds of the trace */
	unsigned int kind_count;
	uint64_t count;			/* of all events */
};

/* --------------------------------------------------------------------
 * The events of another tracer as an archive.
 */

/** struct trace - a trace that is being converted */
struct trace {
	struct trace_archive a;
	struct trace_threads threads;
	struct trace_slices slices;
	struct trace_wakeups wakeups;
	struct trace_marks marks;
	struct trace_symbols symbols;
	bool has_renames;		/* the trace has task_rename */
	bool is_filtered;		/* some events were not recorded */
	bool loses_more;		/* events of a loss are not counted, but one at least is lost */
	bool has_ended;			/* trace_end() was called */
	uint64_t taken;			/* events of known kinds */
	struct trace_others others;
	uint64_t uncertain_stacks;	/* of threads whose later switches may be missing */
	uint64_t late;			/* events that came too late; counted as lost as well */
	uint64_t misplaced;		/* events of CPUs or threads beyond Linux's limits */
};

/** trace_open() - begin a trace, as trace_archive_open(); @t: zeros */
void trace_open(struct trace *t, int fd, const char *from);

/** trace_add() - take the next event */
void trace_add(struct trace *t, const struct trace_event *e);

/** trace_lost() - the tracer lost events on a CPU */
void trace_lost(struct trace *t, uint32_t cpu, uint64_t events);

/** trace_filtered() - the tracer recorded only events that match @filter */
void trace_filtered(struct trace *t, const char *filter);

/** trace_late() - an event of a CPU came too late to be sorted */
void trace_late(struct trace *t, uint32_t cpu);

/** trace_is_possible() - can Linux have the CPU and the threads of an event? */
bool trace_is_possible(const struct trace_event *e);

/**
 * trace_end() - write the rest
 *
 * After that, only modules, mappings and symbols may be added, with the writer of the archive.
 */
void trace_end(struct trace *t);

/** trace_close() - trace_end(), unless it was called, and free. Return: 0 or an error of writing */
int trace_close(struct trace *t);

/** trace_report() - report on standard error what the archive of @path lacks */
void trace_report(const struct trace *t, const char *path);

/** trace_known() - the kind of an event by its name; TRACE_NOTHING: another kind */
enum trace_what trace_known(const char *name, size_t length);

#endif /* FXT_FORMATS_IMPORT_IMPORT_H */
