/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads.h - the threads of a trace: names, processes, and whether they sleep.
 *
 * In: what events say about threads, in the order of time.
 * Out: kernel object records in the stream of names.
 *
 * A thread's record waits until its process is known, but at most until the thread has another
 * name, a new thread has its id, or the trace ends.
 */
#ifndef FXT_FORMATS_IMPORT_THREADS_H
#define FXT_FORMATS_IMPORT_THREADS_H

#include "archive.h"
#include "event.h"

#define TRACE_PAGE_THREADS	1024U

enum trace_state {
	TRACE_STATE_UNKNOWN,
	TRACE_STATE_AWAKE,	/* runs or waits for a CPU */
	TRACE_STATE_ASLEEP,
};

/**
 * struct trace_thread - a thread
 * @name: terminated
 * @tgid: of its process, 0 if unknown; @later_tgid: as a later event will show it, likewise
 * @parent: id of the thread that forked it, 0 if unknown
 * @what: the event that gave it the name, as in struct fxt_sched_event; @time: its ns, or when
 *	the name was first seen
 * @left: ns, when it was switched out
 * @frames: call chain of @frame_count addresses, where it was switched out, or NULL
 * @waker: fxt_sched_waker(), if @is_waking
 * @prio: the kernel's priority, if @has_prio
 * @state: enum trace_state; @losses: as in struct trace_wakeups, when the state was seen
 * @is_leader: other threads are of the process that has its id: so is this one
 * @has_name: @name is set; @is_weak: and perhaps newer than the events so far
 * @is_found: the name was found beside events: that of a worker ends with its work queue
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

/** struct trace_threads - all threads; begins as zeros. @long_names: that were truncated */
struct trace_threads {
	struct trace_archive *a;
	struct trace_thread *pages[TRACE_PIDS / TRACE_PAGE_THREADS];
	uint64_t long_names;
};

/** trace_thread() - find or create one; @tid is below TRACE_PIDS. Return: NULL: no memory */
struct trace_thread *trace_thread(struct trace_threads *t, uint32_t tid);

/**
 * trace_thread_named() - an event shows the name of a thread
 * @t: the threads
 * @tid: the thread
 * @name: perhaps empty; NULL if it shows none
 * @what: FXT_STR_EXEC or FXT_STR_RENAME if it is an event of that kind, else 0
 * @ns: its time
 *
 * Return: 0 or a negative errno.
 */
int trace_thread_named(struct trace_threads *t, uint32_t tid, const char *name, uint32_t what,
		       uint64_t ns);

/** trace_thread_found() - a thread was there before the trace, with that name. Return: 0 or an errno */
int trace_thread_found(struct trace_threads *t, uint32_t tid, const char *name);

/** trace_thread_called() - the tracer has this name for a thread, of any time. Return: 0 or -ENOMEM */
int trace_thread_called(struct trace_threads *t, uint32_t tid, const char *name);

/** trace_thread_of() - the process of a thread is known. Return: 0 or a negative errno */
int trace_thread_of(struct trace_threads *t, uint32_t tid, uint32_t tgid, uint64_t ns);

/** trace_thread_later() - a later event shows the process of a thread. Return: 0 or -ENOMEM */
int trace_thread_later(struct trace_threads *t, uint32_t tid, uint32_t tgid);

/** trace_thread_process() - the process of a thread; its own id if another one is unknown */
uint32_t trace_thread_process(struct trace_threads *t, uint32_t tid);

/**
 * trace_thread_forked() - a new thread has an id
 * @t: the threads
 * @tid: of the new thread
 * @parent: id of the thread that created it
 * @tgid: of its process, 0 if unknown
 * @name: its name
 * @ns: the time
 *
 * Return: 0 or a negative errno.
 */
int trace_thread_forked(struct trace_threads *t, uint32_t tid, uint32_t parent, uint32_t tgid,
			const char *name, uint64_t ns);

/**
 * trace_thread_weight() - the weight of a thread
 * @thread: the thread
 * @tid: its id
 * @prio: the kernel's priority now; if that is TRACE_PRIO_UNKNOWN, the one it had last, or nice 0
 */
int32_t trace_thread_weight(struct trace_thread *thread, uint32_t tid, int32_t prio);

/** trace_threads_end() - write all records that wait, and end the archive. Return: 0 or an errno */
int trace_threads_end(struct trace_threads *t);

void trace_threads_close(struct trace_threads *t);

#endif /* FXT_FORMATS_IMPORT_THREADS_H */
