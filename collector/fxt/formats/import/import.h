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

#include "libfxt/writer/losses.h"
#include "event.h"

struct fxt_writer;

/* --------------------------------------------------------------------
 * The archive.
 *
 * In: finished records, in the order of time on each CPU; counts of lost events.
 * Out: streams of CPUs and a stream of names.
 *
 * When the chunk of one stream is full, the chunks of all are written, so that readers never
 * wait long for the events of a quiet CPU.
 */

#define TRACE_CPUS		8192U	/* Linux's limit */
#define TRACE_CHUNK_WORDS	2048U
#define TRACE_RECORD_WORDS	FXT_SCHED_STACK_WORDS	/* what trace_archive_room() gives */
#define TRACE_TICKS_PER_SECOND	1000000000ULL

/**
 * struct trace_stream - the records of a CPU, or the names
 * @words: the chunk
 * @used: words of it
 * @records: number of records in the chunk
 * @time: ns, of its first record; @chunk_last: of its last one
 * @last: ns, of the last record before the chunk, 0 if there is none
 * @written: records before the chunk, including lost ones; @lost: how many were lost
 * @pending: events lost since the last record
 * @sequence: number of the next sub-buffer
 * @in: id of the thread switched in last, 0 if it is idle or unknown; @in_weight: its weight
 * @has_in: the thread switched in is known
 */
struct trace_stream {
	uint64_t *words;
	uint32_t used;
	uint32_t records;
	uint64_t time;
	uint64_t chunk_last;
	uint64_t last;
	uint64_t written;
	uint64_t lost;
	uint64_t pending;
	uint32_t sequence;
	uint32_t in;
	int32_t in_weight;
	bool has_in;
};

/**
 * struct trace_archive - an archive that is being written; initialize with zeros
 * @is_part: set before trace_archive_open() if the file already is an archive
 * @clock: set likewise: the clock of the times, "mono" or "boot"; NULL if it is unknown
 * @first: ns, of the earliest record; @last: of the latest
 * @lost: events lost on all CPUs
 * @streams: of CPUs by number; the last one has the names
 * @count: the highest CPU number so far, plus one
 */
struct trace_archive {
	struct fxt_writer *w;
	uint64_t first;
	uint64_t last;
	uint64_t lost;
	struct fxt_loss_names loss_names;
	bool is_part;
	const char *clock;
	uint32_t count;
	struct trace_stream streams[TRACE_CPUS + 1];
};

/**
 * trace_archive_open() - begin an archive
 * @a: zeros
 * @fd: where to write it
 * @from: what is converted, e.g. "ftrace text"
 *
 * Return: 0 or a negative errno; call trace_archive_close() in either case.
 */
int trace_archive_open(struct trace_archive *a, int fd, const char *from);

/** trace_archive_end() - end all streams. Return: 0 or a negative errno of writing */
int trace_archive_end(struct trace_archive *a);

/**
 * trace_archive_object() - add a kernel object that is not an event, after trace_archive_end()
 * @a: the archive
 * @rec: its records
 * @words: length of @rec
 *
 * It belongs to no stream: if a thread first occurs in the stream of names, readers take it for a
 * new thread.
 *
 * Return: 0 or a negative errno of writing.
 */
int trace_archive_object(struct trace_archive *a, const void *rec, uint32_t words);

/** trace_archive_close() - free the archive. Return: 0 or a negative errno of writing */
int trace_archive_close(struct trace_archive *a);

/**
 * trace_archive_room() - room for a record
 * @a: the archive
 * @cpu: below TRACE_CPUS, or TRACE_CPUS for the stream of names
 *
 * Return: room for TRACE_RECORD_WORDS, or NULL without memory.
 */
uint64_t *trace_archive_room(struct trace_archive *a, uint32_t cpu);

/**
 * trace_archive_add() - add the records that the caller has put into the room
 * @a: the archive
 * @cpu: as in trace_archive_room()
 * @ns: the time of the last record
 * @words: length of all records
 * @records: number of records
 *
 * Return: 0 or a negative errno of writing.
 */
int trace_archive_add(struct trace_archive *a, uint32_t cpu, uint64_t ns, uint32_t words,
		      uint32_t records);

/** trace_archive_lost() - the tracer lost @events on a CPU after its last record */
int trace_archive_lost(struct trace_archive *a, uint32_t cpu, uint64_t events);

/** trace_archive_runs() - set the thread that runs on a CPU from now on; 0: the idle thread */
static inline void trace_archive_runs(struct trace_archive *a, uint32_t cpu, uint32_t tid,
				      int32_t weight)
{
	a->streams[cpu].in = tid;
	a->streams[cpu].in_weight = weight;
	a->streams[cpu].has_in = true;
}

/** trace_archive_hides() - the thread that runs on a CPU is unknown from now on */
static inline void trace_archive_hides(struct trace_archive *a, uint32_t cpu)
{
	a->streams[cpu].in = 0;
	a->streams[cpu].has_in = false;
}

/** trace_archive_filter() - the tracer recorded only events that match @filter. Return: as above */
int trace_archive_filter(struct trace_archive *a, const char *filter);

/** trace_archive_wakings() - the wakeups that follow are those of sched_waking. Return: as above */
int trace_archive_wakings(struct trace_archive *a);

/** trace_archive_process() - name a process that stands for a kind of events, e.g. interrupts */
int trace_archive_process(struct trace_archive *a, uint64_t koid, const char *name);

/** trace_archive_track() - name a thread of such a process */
int trace_archive_track(struct trace_archive *a, uint64_t koid, uint64_t process,
			const char *name);

/* --------------------------------------------------------------------
 * Interrupts, soft interrupts and idle states: a slice from entry to exit.
 */

/**
 * struct trace_cpu_slices - the open slices of a CPU
 * @irq: number of the interrupt that it serves, valid if @irq_name is not empty
 * @irq_begin: ns, when that began, as are @softirq_begin and @idle_begin
 * @softirq: vector, valid if @in_softirq
 * @idle: state, valid if @is_idle
 */
struct trace_cpu_slices {
	uint64_t irq_begin;
	uint64_t softirq_begin;
	uint64_t idle_begin;
	uint32_t irq;
	uint32_t softirq;
	uint32_t idle;
	bool in_softirq;
	bool is_idle;
	struct trace_name irq_name;
};

/** struct trace_slices - the open slices of all CPUs; initialize with zeros */
struct trace_slices {
	struct trace_archive *a;
	struct trace_cpu_slices *cpus;
	bool is_named[3];	/* the processes of the tracks */
	uint8_t tracks[TRACE_CPUS];	/* those that have a name, as bits */
};

/* --------------------------------------------------------------------
 * The threads of a trace: names, processes, and whether they sleep.
 *
 * In: what events say about threads, in the order of time.
 * Out: kernel object records in the stream of names.
 *
 * A thread's record waits until its process is known, but at most until the thread has another
 * name, a new thread has its id, or the trace ends.
 */

#define TRACE_PAGE_THREADS	1024U

enum trace_state {
	TRACE_STATE_UNKNOWN,
	TRACE_STATE_AWAKE,	/* runs or waits for a CPU */
	TRACE_STATE_ASLEEP,
};

/**
 * struct trace_thread - a thread
 * @name: terminated
 * @tgid: id of its process; @later_tgid: the one that a later event will show; 0 if unknown
 * @parent: id of the thread that forked it, 0 if unknown
 * @what: the event that gave it the name, as in struct fxt_sched_event; @time: its ns, or when
 *	the name was first seen
 * @left: ns, when it was switched out
 * @frames: call chain of @frame_count addresses, where it was switched out, or NULL
 * @waker: fxt_sched_waker(), if @is_waking
 * @prio: the kernel's priority, if @has_prio
 * @state: enum trace_state; @losses: as in struct trace_wakeups, when the state was seen
 * @is_leader: other threads belong to the process with its id, so it belongs there, too
 * @has_name: @name is set; @is_weak: @name may be newer than the events so far
 * @is_found: the tracer found the name in /proc, where that of a worker also has its work queue
 * @is_pending: its record is not written yet
 * @is_new: it was forked, and has not run yet
 * @is_waking: its wakeup has begun
 */
struct trace_thread {
	char name[FXT_SCHED_COMM_SIZE];
	uint64_t time;
	uint64_t left;
	uint64_t *frames;
	uint32_t tgid;
	uint32_t later_tgid;
	uint32_t parent;
	uint32_t waker;
	uint32_t losses;
	int32_t prio;
	uint8_t what;
	uint8_t state;
	uint8_t frame_count;
	bool has_prio : 1;
	bool is_leader : 1;
	bool has_name : 1;
	bool is_weak : 1;
	bool is_found : 1;
	bool is_pending : 1;
	bool is_new : 1;
	bool is_waking : 1;
};

/** struct trace_threads - all threads; initialize with zeros. @long_names: that were truncated */
struct trace_threads {
	struct trace_archive *a;
	struct trace_thread *pages[TRACE_PIDS / TRACE_PAGE_THREADS];
	uint64_t long_names;
};

/** trace_thread() - find or create one; @tid is below TRACE_PIDS. Return: NULL without memory */
struct trace_thread *trace_thread(struct trace_threads *t, uint32_t tid);

/**
 * trace_thread_named() - take the name of a thread from an event
 * @t: the threads
 * @tid: the thread
 * @name: may be empty; NULL if the event has none
 * @what: FXT_STR_EXEC or FXT_STR_RENAME if it is an event of that kind, else 0
 * @ns: its time
 *
 * Return: 0 or a negative errno.
 */
int trace_thread_named(struct trace_threads *t, uint32_t tid, const char *name, uint32_t what,
		       uint64_t ns);

/** trace_thread_found() - take a name that is older than the trace. Return: 0 or an errno */
int trace_thread_found(struct trace_threads *t, uint32_t tid, const char *name);

/** trace_thread_called() - take a thread's name of an unknown time. Return: 0 or -ENOMEM */
int trace_thread_called(struct trace_threads *t, uint32_t tid, const char *name);

/** trace_thread_of() - set the process of a thread. Return: 0 or a negative errno */
int trace_thread_of(struct trace_threads *t, uint32_t tid, uint32_t tgid, uint64_t ns);

/** trace_thread_later() - set the process that a later event shows. Return: 0 or -ENOMEM */
int trace_thread_later(struct trace_threads *t, uint32_t tid, uint32_t tgid);

/** trace_thread_process() - the process of a thread; its own id if the process is unknown */
uint32_t trace_thread_process(struct trace_threads *t, uint32_t tid);

/**
 * trace_thread_forked() - let an id belong to a new thread
 * @t: the threads
 * @tid: of the new thread
 * @parent: id of the thread that created it
 * @tgid: of its process, 0 if unknown
 * @name: of the new thread, from the event
 * @ns: when it was created
 *
 * Return: 0 or a negative errno.
 */
int trace_thread_forked(struct trace_threads *t, uint32_t tid, uint32_t parent, uint32_t tgid,
			const char *name, uint64_t ns);

/**
 * trace_thread_weight() - the weight of a thread
 * @thread: the thread
 * @tid: its id
 * @prio: the kernel's priority now; TRACE_PRIO_UNKNOWN: take its last one, or that of nice 0
 */
int32_t trace_thread_weight(struct trace_thread *thread, uint32_t tid, int32_t prio);

/** trace_threads_end() - write all records that wait, and end the archive. Return: 0 or an errno */
int trace_threads_end(struct trace_threads *t);

void trace_threads_close(struct trace_threads *t);

/* --------------------------------------------------------------------
 * The call chains of a trace, as stacks.
 *
 * In: the call chain of the current thread in switches and wakeups.
 * Out: backtraces as <fxt/fxt_sched_stack.h> defines them. That of a thread that slept or was
 * preempted follows the switch that switches it in; that of a waker precedes the wakeup.
 */

/** trace_stack_keep() - keep the call chain of a thread switched out. Return: 0 or -ENOMEM */
int trace_stack_keep(struct trace_thread *thread, const struct trace_event *e);

/** trace_stack_drop() - drop the call chain that was kept: the thread may have left that place */
void trace_stack_drop(struct trace_thread *thread);

/**
 * trace_stack_in() - write the stack of a thread that was just switched in
 * @a: the archive, with the switch
 * @t: the threads
 * @e: the switch
 * @in: the thread, @e->other
 *
 * Return: 0 or a negative errno.
 */
int trace_stack_in(struct trace_archive *a, struct trace_threads *t, const struct trace_event *e,
		   struct trace_thread *in);

/* --------------------------------------------------------------------
 * The wakeups of a trace.
 *
 * In: sched_waking, sched_wakeup, sched_wakeup_new and sched_migrate_task, in the order of time.
 * Out: one record for each time that a thread becomes runnable.
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
 */

/* A wakeup that waits, if @is_held. */
struct trace_held {
	uint64_t ns;
	uint32_t thread;
	uint32_t target;
	uint32_t waker;
	int32_t weight;
	bool is_held;
};

/**
 * struct trace_wakeups - initialize with zeros, except for @a and @threads
 * @has_events: the trace has events of sched_wakeup
 * @has_wakings: the records are those of sched_waking, and the archive says so
 * @losses: number of losses so far: states of threads from before them are uncertain
 * @held: the waiting wakeup of each CPU, which is that of the waker
 */
struct trace_wakeups {
	struct trace_archive *a;
	struct trace_threads *threads;
	bool has_events;
	bool has_wakings;
	uint32_t losses;
	struct trace_held *held;
};

/** trace_wakeup() - take an event of a wakeup. Return: 0 or a negative errno */
int trace_wakeup(struct trace_wakeups *w, const struct trace_event *e);

/**
 * trace_wakeup_early() - write the wakeup of a thread that was woken while it was switched out
 * @w: the wakeups
 * @e: the switch that switches the thread in
 * @in: the thread
 *
 * In this case sched_waking precedes the switch out, and the thread is runnable from that on.
 *
 * Return: 0 or a negative errno.
 */
int trace_wakeup_early(struct trace_wakeups *w, const struct trace_event *e,
		       struct trace_thread *in);

/** trace_wakeups_before() - prepare for the next event of a CPU. Return: 0 or a negative errno */
int trace_wakeups_before(struct trace_wakeups *w, const struct trace_event *e);

/**
 * trace_wakeup_move() - the time of a migration, after trace_wakeups_before()
 *
 * Return: ns: the time of the wakeup that moves the thread, or else that of the event.
 */
uint64_t trace_wakeup_move(struct trace_wakeups *w, const struct trace_event *e);

/** trace_wakeups_lost() - note that a CPU lost events. Return: 0 or a negative errno */
int trace_wakeups_lost(struct trace_wakeups *w, uint32_t cpu);

/** trace_wakeups_end() - write the waiting wakeups, at the end. Return: 0 or a negative errno */
int trace_wakeups_end(struct trace_wakeups *w);

void trace_wakeups_close(struct trace_wakeups *w);

/* --------------------------------------------------------------------
 * The events of another tracer as an archive.
 *
 * In: events in the order of time.
 * Out: context switches, wakeups, names, and slices of interrupts and idle states.
 */

/**
 * struct trace - a trace that is being converted
 * @has_renames: the trace has task_rename
 * @is_filtered: some events were not recorded
 * @has_ended: trace_end() was called
 * @taken: events of known kinds
 * @other: events of other kinds
 * @uncertain_stacks: call chains of threads whose later switches may be missing
 * @late: events that came too late to be sorted; they are counted as lost as well
 * @misplaced: events whose CPU or thread is beyond the limits of Linux
 */
struct trace {
	struct trace_archive a;
	struct trace_threads threads;
	struct trace_slices slices;
	struct trace_wakeups wakeups;
	bool has_renames;
	bool is_filtered;
	bool has_ended;
	uint64_t taken;
	uint64_t other;
	uint64_t uncertain_stacks;
	uint64_t late;
	uint64_t misplaced;
};

/** trace_open() - begin a trace, as trace_archive_open(); @t: zeros */
int trace_open(struct trace *t, int fd, const char *from);

/** trace_take() - take the next event. Return: 0 or a negative errno */
int trace_take(struct trace *t, const struct trace_event *e);

/** trace_lost() - the tracer lost events on a CPU. Return: 0 or a negative errno */
int trace_lost(struct trace *t, uint32_t cpu, uint64_t events);

/** trace_filtered() - the tracer recorded only events that match @filter. Return: as above */
int trace_filtered(struct trace *t, const char *filter);

/** trace_late() - an event of a CPU came too late to be sorted. Return: 0 or a negative errno */
int trace_late(struct trace *t, uint32_t cpu);

/** trace_is_possible() - can Linux have the CPU and the threads of an event? */
bool trace_is_possible(const struct trace_event *e);

/**
 * trace_end() - write the rest
 *
 * After that, only modules, mappings and symbols may be added, with the writer of the archive.
 *
 * Return: 0 or a negative errno.
 */
int trace_end(struct trace *t);

/** trace_close() - call trace_end() if the caller did not, and free the trace. Return: as above */
int trace_close(struct trace *t);

/** trace_report() - report on standard error what the archive of @path lacks */
void trace_report(const struct trace *t, const char *path);

/** trace_known() - the kind of an event by its name; TRACE_NOTHING: another kind */
enum trace_what trace_known(const char *name, size_t length);

#endif /* FXT_FORMATS_IMPORT_IMPORT_H */
