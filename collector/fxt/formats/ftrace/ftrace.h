/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace.h - the scheduling of an archive as text of Linux's ftrace.
 *
 * In: the records of an archive, twice. The first walk reads only names of threads,
 * because a name may come after the thread's events.
 * Out: sched_switch, sched_waking, sched_wakeup and task_rename lines, and those of
 * interrupts, idle states, migrations, frequencies and work items, in the order of time.
 */
#ifndef FXT_FORMATS_FTRACE_FTRACE_H
#define FXT_FORMATS_FTRACE_FTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/map.h"
#include "sched/kernel_event.h"
#include "sched/origins.h"
#include "liboutput/out.h"

/* --------------------------------------------------------------------
 * Events in the order of time.
 *
 * In: events in file order, in which the streams of CPUs follow one another chunk by chunk.
 * Out: the earliest of the events in memory. So all events come in order if none follows
 * FTRACE_ORDER_EVENTS or more events after one of a later time; that number also bounds
 * memory.
 */

#define FTRACE_ORDER_EVENTS	(1U << 20)	/* 52 MiB, 12 more if each is earlier than the one before */
#define FTRACE_ORDER_RUNS	8		/* runs that events can be added to */

enum ftrace_event_kind {
	FTRACE_SWITCH,
	FTRACE_WAKEUP,
	FTRACE_MARK,		/* the thread on a CPU whose recording begins or ends */
	FTRACE_RENAME,
	FTRACE_ENTRY,		/* a slice of the kernel begins */
	FTRACE_EXIT,		/* it ends */
	FTRACE_MOMENT,		/* another event of the kernel */
};

/* The order of events of the same time: slices that end later begin earlier. */
enum ftrace_rank {
	FTRACE_FIRST,		/* in file order */
	FTRACE_BEGINS,		/* in reverse file order: a slice is written when it ends */
	FTRACE_ENDS,		/* of slices that end when they begin, in file order */
};

/**
 * struct ftrace_event - an event
 * @number: its place in file order, by which events of the same time are sorted
 * @thread: koid: outgoing, woken, renamed; of marks, the thread that has the CPU
 * @other: koid: incoming thread, waker, or the thread interrupted by the waking interrupt
 * @name: of renames, the new name; the owner of the heap frees it
 * @prio: the kernel's priority of @thread
 * @other_prio: the kernel's priority of the incoming thread
 * @state: of switches, a letter as in sched/types.h; of wakeups SCHED_UNKNOWN if
 *	the length of the wait is unknown
 * @irq: of wakeups, enum fxt_sched_irq
 * @args: of the kernel's other events
 * @cpu: the CPU where it happened, or whose value it has
 * @origin: if @has_origin, the id of the handler or work function that a slice shows, or of the
 *	function that interrupted CPUs call
 * @what: of the kernel's other events, enum kernel_event_what; of marks, their kind
 * @rank: enum ftrace_rank
 * @has_other: @other, or that of @args, is known; else the incoming thread, or the waker, is
 *	unknown
 */
struct ftrace_event {
	uint64_t ns;
	uint64_t number;
	uint64_t thread;
	union {
		struct {
			union {
				uint64_t other;
				void *name;
			};
			int32_t prio;
			int32_t other_prio;
		};
		union kernel_args args;
	};
	uint16_t cpu;
	uint16_t origin;
	uint8_t kind;
	char state;
	union {
		uint8_t irq;
		uint8_t what;
	};
	uint8_t rank : 6;
	bool has_origin : 1;
	bool has_other : 1;
};

/**
 * struct ftrace_order - the events in memory; all zero is empty
 * @events: each stays at its place; places are numbered from 1
 * @next: for each place, the next one in the same run or list of free places; 0: none
 * @free: the first place in the list of places that events have left
 * @used: places that were ever used, of @room
 * @heap: the places of the first events of runs, the earliest at the top
 * @recent: the places of the last events of the runs that grew lately, the latest first
 * @count: events
 *
 * A run is a list of events that are in order. An archive consists of chunks in order, so runs are
 * few, and most events cost one comparison when they come, and a few when they go.
 */
struct ftrace_order {
	struct ftrace_event *events;
	uint32_t *next;
	uint32_t free;
	uint32_t used;
	uint32_t room;
	uint32_t *heap;
	uint32_t runs;
	uint32_t run_room;
	uint32_t recent[FTRACE_ORDER_RUNS];
	size_t count;
};

/** ftrace_order_add() - add an event. Return: 0 or -ENOMEM */
int ftrace_order_add(struct ftrace_order *q, const struct ftrace_event *e);

/** ftrace_order_take() - take the earliest event. Return: false if there is none */
bool ftrace_order_take(struct ftrace_order *q, struct ftrace_event *e);

/** ftrace_order_free() - free the memory; events are lost */
void ftrace_order_free(struct ftrace_order *q);

static inline bool ftrace_order_is_full(const struct ftrace_order *q)
{
	return q->count == FTRACE_ORDER_EVENTS;
}

/* --------------------------------------------------------------------
 * Lines of ftrace's text, and the state of threads that they need.
 *
 * In: scheduling events in the order of time.
 * Out: lines as in the kernel's tracefs with the option record-tgid, except that times have
 * nine decimals: readers accept any number of them, and archives have nanoseconds.
 */

#define FTRACE_COMM	64	/* bytes, the 0 included */
#define FTRACE_HEAD_NAME	16	/* columns of a name at the head of a line */
#define FTRACE_HEAD	(2 * FTRACE_COMM + 48)	/* with two numbers of 64 bits */

/**
 * struct ftrace_comm - a thread's name, as written in lines
 * @name: as in the archive, terminated, truncated between characters
 * @length: bytes of @name
 * @text: the form to write
 */
struct ftrace_comm {
	uint8_t length;
	uint8_t text_length;
	char name[FTRACE_COMM];
	char text[2 * FTRACE_COMM];
};

/**
 * struct ftrace_thread - one thread
 * @named: @comm is its name; else it is "<...>", as ftrace calls such threads
 * @tgid: koid of its process, 0 if unknown
 * @head: the beginning of its lines, made of @koid, @named, @comm and @tgid
 * @told: its name in the latest record in file order, which may be ahead of time
 * @told_tgid: its process in that record
 * @cpu: the CPU that it runs on or ran on last
 * @has_cpu: @cpu is known
 * @runs: it runs on @cpu now
 * @prio: the kernel's priority, as last seen
 * @renames: names to apply when it runs next, in their order
 * @noted: the first walk found an object record of it
 * @born: the archive shows that it was a new thread
 * @seen: some event named it
 * @taken: the second walk found an object record of it
 */
struct ftrace_thread {
	struct map_node node;
	uint64_t koid;
	uint64_t tgid;
	uint16_t cpu;
	bool has_cpu;
	bool runs;
	int32_t prio;
	bool noted;
	bool born;
	bool seen;
	bool taken;
	bool named;
	uint8_t head_length;
	struct ftrace_comm comm;
	char head[FTRACE_HEAD];
	uint64_t told_tgid;
	char told[FTRACE_COMM];
	struct ftrace_rename *renames;
	struct ftrace_rename *last_rename;
	struct ftrace_thread *next;	/* of all threads */
};

/**
 * struct ftrace_rename - a thread's name from some time on
 * @is_fork: a new thread gets the id
 */
struct ftrace_rename {
	struct ftrace_rename *next;
	uint64_t tgid;
	bool is_fork;
	struct ftrace_comm comm;
};

#define FTRACE_RECENT	4096

/**
 * struct ftrace_text - one text, or another result of the same events
 * @sink: writes it
 * @o: the output
 * @json: the text is written inside a JSON string
 * @arg: data of the sink
 * @weight_is_prio: the archive has the kernel's priorities as weights
 * @has_wakings: its wakeups are those of sched_waking
 * @all: threads, as a list
 * @recent: found last, by koid: a search of @threads costs a keyed hash
 * @runs: by CPU: the thread that runs on it, NULL if unknown
 * @origins: handlers, work functions and other origins of the kernel's events
 */
struct ftrace_text {
	const struct ftrace_sink *sink;
	struct out *o;
	bool json;
	void *arg;
	bool weight_is_prio;
	bool has_wakings;
	struct ftrace_thread *all;
	struct map threads;
	struct ftrace_thread *recent[FTRACE_RECENT];
	struct ftrace_thread *runs[1 << 16];
	struct sched_origins origins;
};

/** ftrace_origin() - the origin of an event with @has_origin */
static inline const struct sched_origin *ftrace_origin(const struct ftrace_text *t,
						       const struct ftrace_event *e)
{
	return t->origins.list[e->origin];
}

/**
 * struct ftrace_sink - writes events, in the order of time
 * @begin: before the first one; may be NULL
 * @put_switch: @thread is switched out, @other is switched in; NULL if unknown
 * @put_wakeup: @waker may be NULL
 * @put_mark: @thread has the CPU when the CPU's recording begins or ends, without a switch
 * @put_newtask: @parent forked @thread, which is about to run for the first time; may be NULL
 * @put_rename: before the thread has the name @comm
 * @put_kernel: a FTRACE_ENTRY, FTRACE_EXIT or FTRACE_MOMENT. @thread matters for events that a
 *	thread causes, @other for those that have one, e.g. the new thread of a fork
 * @takes: can the sink write an event?
 */
struct ftrace_sink {
	void (*begin)(struct ftrace_text *t);
	void (*put_switch)(struct ftrace_text *t, const struct ftrace_event *e,
			   const struct ftrace_thread *thread, const struct ftrace_thread *other);
	void (*put_wakeup)(struct ftrace_text *t, const struct ftrace_event *e,
			   const struct ftrace_thread *thread, const struct ftrace_thread *waker);
	void (*put_mark)(struct ftrace_text *t, const struct ftrace_event *e,
			 const struct ftrace_thread *thread);
	void (*put_newtask)(struct ftrace_text *t, uint64_t ns, const struct ftrace_thread *thread,
			    const struct ftrace_thread *parent);
	void (*put_rename)(struct ftrace_text *t, uint64_t ns, const struct ftrace_thread *thread,
			   const struct ftrace_comm *comm);
	void (*put_kernel)(struct ftrace_text *t, const struct ftrace_event *e,
			   const struct ftrace_thread *thread, const struct ftrace_thread *other);
	bool (*takes)(const struct kernel_event *e);
};

/** ftrace_thread() - find or create a thread by koid. Return: NULL if there is no memory */
struct ftrace_thread *ftrace_thread(struct ftrace_text *t, uint64_t koid);
void ftrace_threads_free(struct ftrace_text *t);

/** ftrace_thread_changed() - renew @head after a change of the thread's name or process */
void ftrace_thread_changed(struct ftrace_thread *thread);

/** ftrace_comm() - make a name ready for this text */
void ftrace_comm(const struct ftrace_text *t, struct ftrace_comm *comm,
		 const char *name, size_t length);

/* --- lines: see struct ftrace_sink --- */

/** ftrace_prio() - the kernel's priority of a thread (task_struct.prio) by its weight */
int32_t ftrace_prio(const struct ftrace_text *t, bool has_weight, int32_t weight);

/* --------------------------------------------------------------------
 * Lines of ftrace's text: interrupts and other events beside switches and wakeups.
 */

/** ftrace_lines - the sink that writes ftrace's text */
extern const struct ftrace_sink ftrace_lines;

/* --- ftrace.h */

struct ftrace;
struct ftrace_sink;

/**
 * ftrace_open() - begin without names
 * @f: set to the new conversion
 * @sink: writes it
 * @json: the text will be the inside of a JSON string
 *
 * Return: 0 or -ENOMEM.
 */
int ftrace_open(struct ftrace **f, const struct ftrace_sink *sink, bool json);
void ftrace_close(struct ftrace *f);

/**
 * ftrace_note() - take a record in the first walk
 * @f: the conversion
 * @c: its content
 * @r: the reader
 * @rec: the record
 *
 * Return: 0 or -ENOMEM.
 */
int ftrace_note(struct ftrace *f, const struct fxt_content *c,
		const struct fxt_reader *r, const struct fxt_record *rec);

/**
 * ftrace_begin() - begin the text, and the second walk
 * @f: the conversion
 * @o: the output
 * @arg: for the sink
 */
void ftrace_begin(struct ftrace *f, struct out *o, void *arg);

/**
 * ftrace_record() - take the reader's last record in the second walk
 * @f: a struct ftrace
 * @r: the reader
 * @rec: the record
 *
 * Return: 0; -ENOMEM; an error of fxt_reader_content().
 */
int ftrace_record(void *f, struct fxt_reader *r, const struct fxt_record *rec);

/**
 * ftrace_finish() - write all remaining lines
 * @f: the conversion
 * @late: set to the number of lines out of order
 *
 * Return: 0 or -ENOMEM.
 */
int ftrace_finish(struct ftrace *f, uint64_t *late);

/** ftrace_report_late() - report on standard error the number of lines out of order */
void ftrace_report_late(const char *path, uint64_t late);

#endif /* FXT_FORMATS_FTRACE_FTRACE_H */
