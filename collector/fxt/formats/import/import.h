/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - an archive of what another tracer of Linux has recorded.
 *
 * In: events in the order of time; counts of lost events.
 * Out: an archive like those of fxt-collect: streams of CPUs and of names, in chunks that begin
 * with a ledger, and losses where they happened.
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
 * The archive: records, in the order of time on each CPU, and counts of lost events.
 *
 * When the chunk of one stream is full, the chunks of all are written, so that readers do not wait
 * long for the events of a quiet CPU.
 */

#define TRACE_CPUS		8192U	/* Linux's limit */
#define TRACE_CHUNK_WORDS	2048U
#define TRACE_RECORD_WORDS	FXT_SCHED_STACK_WORDS	/* what trace_archive_room() provides */
#define TRACE_TICKS_PER_SECOND	1000000000ULL

struct trace_stream {
	struct fxt_progress p;	/* before the chunk; but its thread is the one after it */
	__u64 *words;		/* the chunk */
	uint32_t used;		/* words */
	uint32_t records;	/* in the chunk */
	uint64_t time;		/* ns, of its first record */
	uint64_t chunk_last;	/* ns, of its last record */
	uint64_t pending;	/* events lost since the last record */
};

/* Initialize with zeros. */
struct trace_archive {
	struct fxt_writer *w;
	int error;		/* the first write error, after which nothing is written */
	uint64_t first;		/* ns, of the earliest record */
	uint64_t last;		/* ns, of the latest record */
	uint64_t lost;		/* events, on all CPUs */
	struct fxt_loss_names loss_names;
	/* Set before trace_archive_open(): */
	bool is_part;		/* the file already is an archive */
	const char *clock;	/* clock of the times, "mono" or "boot"; NULL if unknown */
	uint32_t count;		/* the highest CPU number so far, plus one */
	struct trace_stream streams[TRACE_CPUS + 1];	/* by CPU; the last one has the names */
};

/* @from: what is converted, e.g. "ftrace text" */
void trace_archive_open(struct trace_archive *a, int fd, const char *from);
void trace_archive_end(struct trace_archive *a);

/*
 * Add a record that belongs to no stream: a program's mark, or after trace_archive_end() a kernel
 * object that is not an event. In the stream of names, readers would take its thread for a new one.
 */
void trace_archive_record(struct trace_archive *a, const void *rec, uint32_t words);

/* Returns 0 or the first write error. */
int trace_archive_close(struct trace_archive *a);

/* Room for TRACE_RECORD_WORDS of a CPU, or if @cpu is TRACE_CPUS of names. */
__u64 *trace_archive_room(struct trace_archive *a, uint32_t cpu);

/* Add @records of @words from the room. @ns: of the last one */
void trace_archive_add(struct trace_archive *a, uint32_t cpu, uint64_t ns, uint32_t words,
		       uint32_t records);

/* Write the mark from the room: a CPU without records so far begins here. */
void trace_archive_begin(struct trace_archive *a, uint32_t cpu, uint64_t ns, uint32_t words);

/* The tracer lost @events on a CPU after its last record. */
void trace_archive_lost(struct trace_archive *a, uint32_t cpu, uint64_t events);

/* Set the thread that runs on a CPU from now on; 0: the idle thread. */
static inline void trace_archive_runs(struct trace_archive *a, uint32_t cpu, uint32_t tid,
				      int32_t weight)
{
	a->streams[cpu].p.has = (struct fxt_owner){ tid, weight, true };
}

/* The thread that runs on a CPU is unknown from now on. */
static inline void trace_archive_hides(struct trace_archive *a, uint32_t cpu)
{
	a->streams[cpu].p.has = (struct fxt_owner){ 0 };
}

/* --------------------------------------------------------------------
 * Functions of call chains. Each is a symbol at the end of the archive.
 *
 * Texts have functions' names without addresses, other formats addresses of kernel functions. A
 * function of a text gets made-up addresses.
 */

#define TRACE_SYMBOLS	65536U		/* limit of functions, and of frames, that have names */
#define TRACE_SYMBOL_BYTES	16U	/* addresses of a function of a text */
#define TRACE_FUNCTION_BYTES	256U	/* of a name; longer ones are truncated */

/* Initialize with zeros, except for @base. */
struct trace_symbols {
	struct map map;
	struct map frames;
	uint64_t base;		/* of made-up addresses */
	uint64_t unnamed;	/* frames without a name, because there are too many functions */
};

/* A frame of a function that is known by its name; 0 if there are too many. */
uint64_t trace_symbol(struct trace_symbols *s, uint32_t process, const char *name, size_t length);

/* Note that @frame is in the kernel's function at @start. */
void trace_symbol_at(struct trace_symbols *s, uint64_t start, uint64_t frame, const char *name);

/* The function of a frame; NULL if unknown. */
const char *trace_symbol_name(const struct trace_symbols *s, uint64_t frame);
void trace_symbols_write(struct trace_symbols *s, struct fxt_writer *w);

/* --------------------------------------------------------------------
 * The threads of a trace: names, processes and states, as kernel object records in the stream of
 * names. A thread's record waits until its process is known, but at most until the thread has
 * another name, a new thread has its id, or the trace ends.
 */

#define TRACE_PAGE_THREADS	1024U

struct trace_work {
	uint64_t begin;		/* ns */
	uint32_t losses;	/* as in struct trace, at the begin */
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
	uint32_t depth;		/* open slices of its marks */
	uint32_t tgid;		/* id of its process, 0 if unknown */
	uint32_t later_tgid;	/* the one that a later event will show */
	uint32_t parent;	/* id of the thread that forked it, 0 if unknown */
	uint32_t waker;		/* fxt_sched_waker(), if @is_waking */
	uint32_t losses;	/* as in struct trace, when the state was seen */
	int32_t prio;		/* the kernel's priority, if @has_prio */
	uint8_t what;		/* the event that gave the name, as in struct fxt_sched_event */
	uint8_t state;		/* enum trace_state */
	uint8_t frame_count;
	bool has_prio : 1;
	bool is_leader : 1;	/* it is in the process with its id, and so are other threads */
	bool has_name : 1;
	bool is_weak : 1;	/* the name may be newer than the events so far */
	bool is_found : 1;	/* from /proc, where a worker's name includes its work queue */
	bool is_pending : 1;	/* its record is not written yet */
	bool is_new : 1;	/* forked, has not run yet */
	bool is_waking : 1;	/* its wakeup has begun */
	bool is_early : 1;	/* woken before it left the CPU, perhaps without effect */
};

/* --- the events of another tracer as an archive --- */

/* The open slices of a CPU, and when they began (ns). */
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

/* The event of a CPU whose call chain may follow. */
struct trace_stack_owner {
	uint32_t thread;	/* switched out, or woken */
	bool is_switch;
	bool is_wakeup;
	bool is_known;		/* it is a switch or wakeup, even if it needs no stack */
};

/* A waiting wakeup, if @is_held. */
struct trace_held {
	uint64_t ns;
	uint32_t thread;
	uint32_t target;
	uint32_t waker;
	int32_t weight;
	bool is_held;
};

#define TRACE_OTHER_KINDS	64U

struct trace {
	struct trace_archive a;
	struct trace_thread *pages[TRACE_PIDS / TRACE_PAGE_THREADS];
	uint64_t long_names;		/* truncated ones */
	struct {
		struct trace_cpu_slices *cpus;
		bool is_named[3];	/* processes of the tracks */
		uint8_t tracks[TRACE_CPUS];	/* those with a name, as bits */
	} slices;
	struct {
		bool has_events;	/* the trace has sched_wakeup */
		bool has_wakings;	/* records are those of sched_waking, as the archive states */
		bool has_stacks;	/* call chains follow the events */
		uint32_t losses;	/* states of threads from before the latest one are uncertain */
		struct trace_held *held;	/* by CPU of the waker */
		struct trace_stack_owner *owners;	/* by CPU, if @has_stacks */
	} wakeups;
	struct {
		struct map operations;	/* open ones */
		uint64_t last_id;	/* of an operation */
		uint64_t truncated;	/* names */
		uint64_t unbegun;	/* ends without a begin */
		uint64_t begun;		/* begins of open operations */
		uint64_t too_many;	/* begins beyond TRACE_OPERATIONS */
		uint64_t too_long;	/* texts that are not marks, because they were truncated */
	} marks;
	struct trace_symbols symbols;
	/* Events of kinds that do not become records. */
	struct trace_others {
		struct {
			struct trace_name name;
			uint64_t count;
		} kinds[TRACE_OTHER_KINDS];	/* the first kinds of the trace */
		unsigned int kind_count;
		uint64_t count;		/* of all events */
	} others;
	bool has_renames;		/* the trace has task_rename */
	bool is_filtered;		/* some events were not recorded */
	bool loses_more;		/* lost events are not counted; each loss counts as one */
	bool has_ended;			/* trace_end() was called */
	uint64_t taken;			/* events of known kinds */
	uint64_t uncertain_stacks;	/* of threads whose later switches may be missing */
	uint64_t late;			/* events that came too late; also counted as lost */
	uint64_t misplaced;		/* events of CPUs or threads beyond Linux's limits */
};

/* Like trace_archive_open(). @t: zeros */
void trace_open(struct trace *t, int fd, const char *from);
void trace_add(struct trace *t, const struct trace_event *e);
void trace_lost(struct trace *t, uint32_t cpu, uint64_t events);

/* The tracer recorded only events that match @filter. */
void trace_filtered(struct trace *t, const char *filter);
void trace_late(struct trace *t, uint32_t cpu);

/* Can Linux have the CPU and the threads of an event? */
bool trace_is_possible(const struct trace_event *e);

/*
 * Write the rest. Then only modules, mappings and symbols may be added, with the archive's writer.
 */
void trace_end(struct trace *t);

/* Call trace_end() if necessary, and free. Returns 0 or a write error. */
int trace_close(struct trace *t);
void trace_report(const struct trace *t, const char *path);

/* --- records ---------------------------------------------------------------- */

/* Room for a record of the CPU of an event. */
static inline __u64 *trace_room(struct trace *t, const struct trace_event *e)
{
	return trace_archive_room(&t->a, e->cpu);
}

/* Add the record in that room, at the time of the event. */
static inline void trace_put(struct trace *t, const struct trace_event *e, uint32_t words)
{
	trace_archive_add(&t->a, e->cpu, e->ns, words, 1);
}

/*
 * Take the begin or end of a slice (interrupt, soft interrupt, idle state, work item), or a missed
 * idle state. An exit without an entry ends a slice that began before the trace, and is ignored.
 */
void trace_slice(struct trace *t, const struct trace_event *e);
struct fxt_sched_label trace_label(const struct trace_name *name);

/* Take a thread's sleep, just before its wakeup. */
void trace_blocked(struct trace *t, const struct trace_event *e);

/* --- threads ---------------------------------------------------------------- */

/* Find or create a thread; @tid is below TRACE_PIDS. */
struct trace_thread *trace_thread(struct trace *t, uint32_t tid);

/*
 * Take the name of a thread from an event at @ns. @name: may be empty; NULL if the event has none;
 * @what: FXT_STR_EXEC or FXT_STR_RENAME for these events, else 0
 */
void trace_thread_named(struct trace *t, uint32_t tid, const char *name, uint32_t what, uint64_t ns);

/*
 * Take a name that may be older than the trace, unless one is known. @parent: of its process, or 0
 */
void trace_thread_found(struct trace *t, uint32_t tid, const char *name, uint32_t parent);

/* Take a thread's name of an unknown time. */
void trace_thread_called(struct trace *t, uint32_t tid, const char *name);
void trace_thread_of(struct trace *t, uint32_t tid, uint32_t tgid, uint64_t ns);

/* Set the process that a later event shows. */
void trace_thread_later(struct trace *t, uint32_t tid, uint32_t tgid);

/* The process of a thread; its own id if the process is unknown. */
uint32_t trace_thread_process(struct trace *t, uint32_t tid);

/* From now on, @tid is a new thread; @tgid: 0 if unknown */
void trace_thread_forked(struct trace *t, uint32_t tid, uint32_t parent, uint32_t tgid,
			 const char *name, uint64_t ns);

/* The weight for @prio; if that is unknown, for the last one, or of nice 0. */
int32_t trace_thread_weight(struct trace_thread *thread, uint32_t tid, int32_t prio);
void trace_threads_end(struct trace *t);
void trace_threads_close(struct trace *t);

/* --------------------------------------------------------------------
 * Call chains: of the current thread in switches and wakeups, or in an event that follows these on
 * their CPU.
 *
 * They become backtraces (<fxt/fxt_sched_stack.h>). That of a thread that slept or was preempted
 * follows the switch that switches it in; that of a waker precedes the wakeup.
 */

/* Keep the call chain of a thread switched out. */
void trace_stack_keep(struct trace_thread *thread, const struct trace_event *e);

/* Drop the kept call chain: the thread may have left that place. */
void trace_stack_drop(struct trace_thread *thread);

/* Write the stack of @in, which the switch @e has switched in. */
void trace_stack_in(struct trace *t, const struct trace_event *e, struct trace_thread *in);

/* --------------------------------------------------------------------
 * Wakeups: one record for each time that a thread becomes runnable.
 *
 * The kernel has two events for a wakeup. At sched_waking, the current thread or interrupt is the
 * waker; at sched_wakeup the thread becomes runnable, perhaps by an interrupt of another CPU. The
 * record is written at sched_wakeup, with the waker of sched_waking. If a trace has only one of
 * them, the record is written there.
 *
 * sched_waking names the CPU on which the thread ran. If the kernel chooses another one, it moves
 * the thread before anything else happens on the waker's CPU. So a record of sched_waking waits for
 * the next event there. If that is the move, it is written first, with the time of sched_waking,
 * because the thread waits on the new CPU from then on.
 *
 * If call chains are events (TRACE_STACK), each record waits for the next event of its CPU, because
 * the stack of a waker precedes the wakeup.
 */

void trace_wakeup(struct trace *t, const struct trace_event *e);

/*
 * Write the wakeup of @in, which was woken while it was switched out; the switch @e switches it in.
 * Its wakeup precedes the switch out, from which on it is runnable: sched_waking at any time, but
 * sched_wakeup only by the difference of two CPUs' clocks, because it may have had no effect.
 */
void trace_wakeup_early(struct trace *t, const struct trace_event *e, struct trace_thread *in);
void trace_wakeups_before(struct trace *t, const struct trace_event *e);

/*
 * The time of a migration in ns: that of the wakeup that moves the thread, or else of the event.
 * Called after trace_wakeups_before().
 */
uint64_t trace_wakeup_move(struct trace *t, const struct trace_event *e);

/* Take a call chain that follows its event. Returns false if it is not needed. */
bool trace_wakeups_stack(struct trace *t, const struct trace_event *e);

/* Note the event whose call chain may follow: a switch or a wakeup. */
void trace_wakeups_owner(struct trace *t, const struct trace_event *e, bool is_switch);
void trace_wakeups_lost(struct trace *t, uint32_t cpu);
void trace_wakeups_end(struct trace *t);
void trace_wakeups_close(struct trace *t);

/* --------------------------------------------------------------------
 * Marks of programs, as Android's atrace writes them to trace_marker: slices and instants of
 * threads, asynchronous operations and counters of processes.
 *
 *	B|PROCESS|NAME			E|PROCESS or E
 *	I|PROCESS|NAME			C|PROCESS|NAME|VALUE
 *	S|PROCESS|NAME|COOKIE		F|PROCESS|NAME|COOKIE
 *	G|PROCESS|TRACK|NAME|COOKIE	H|PROCESS|TRACK|COOKIE
 *	N|PROCESS|TRACK|NAME
 *
 * Operations of a process with different names may have the same cookie, so their ids count from 1.
 * As in Perfetto, S of an open operation, and the end of one that is not open, are omitted.
 */

#define TRACE_MARK_BYTES	4096U	/* read of a text; the kernel takes no more */
#define TRACE_OPERATIONS	65536U	/* limit of open ones */

/* Not terminated. */
struct trace_text {
	const char *at;
	size_t bytes;
};

struct trace_mark {
	char phase;
	uint32_t process;	/* 0: not given */
	struct trace_text name;
	struct trace_text track;
	int64_t value;		/* of a counter, or the cookie */
};

/* Returns false if the text is not a mark. */
bool trace_mark_parse(const char *text, size_t bytes, struct trace_mark *mark);

/* Is the process of a mark that of the thread that wrote it? */
static inline bool trace_mark_is_of_thread(const struct trace_mark *mark)
{
	return mark->phase == 'B' || mark->phase == 'E' || mark->phase == 'I';
}

/* Set the process and the text of a mark; anything else is an event that fxt does not convert. */
void trace_event_mark(struct trace_event *e, const char *text, size_t length);
void trace_mark(struct trace *t, const struct trace_event *e);
void trace_marks_report(const struct trace *t, const char *path);
void trace_marks_close(struct trace *t);

#endif /* FXT_FORMATS_IMPORT_IMPORT_H */
