/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace.h - the scheduling of an archive as text of Linux's ftrace.
 *
 * In: the records of an archive, twice. The first walk reads only names of threads, because a name
 * may come after the thread's events.
 * Out: lines of switches, wakeups, renames, interrupts, idle states, migrations, frequencies and
 * work items, in the order of time.
 */
#ifndef FXT_FORMATS_FTRACE_FTRACE_H
#define FXT_FORMATS_FTRACE_FTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "walk/order.h"
#include "libfxt/map.h"
#include "sched/kernel_event.h"
#include "sched/origins.h"
#include "liboutput/out.h"

#define FTRACE_ORDER_EVENTS	(1U << 20)	/* in memory, if out of order */

enum ftrace_event_kind {
	FTRACE_SWITCH,
	FTRACE_WAKEUP,
	FTRACE_MARK,		/* the thread on a CPU whose recording begins or ends */
	FTRACE_RENAME,
	FTRACE_ENTRY,		/* begin of a slice of the kernel */
	FTRACE_EXIT,		/* its end */
	FTRACE_MOMENT,		/* another event of the kernel */
};

struct ftrace_event {
	union {
		uint64_t ns;
		struct order_key key;
	};
	uint64_t thread;	/* koid: outgoing, woken, renamed, of a mark */
	union {
		struct {
			union {
				/* koid: incoming, waker, or hit by the waking interrupt */
				uint64_t other;
				void *name;	/* of renames: a struct ftrace_rename */
			};
			int32_t prio;		/* the kernel's priority of @thread */
			int32_t other_prio;	/* of the incoming thread */
		};
		union kernel_args args;		/* of the kernel's other events */
	};
	uint16_t cpu;		/* where it happened, or whose value it is */
	uint16_t origin;	/* if @has_origin: of a slice, or of an interrupt sent to CPUs */
	uint8_t kind;
	char state;		/* of switches, as in sched/types.h; of wakeups, SCHED_UNKNOWN if
				 * the length of the wait is unknown
				 */
	union {
		uint8_t irq;	/* of wakeups, enum fxt_sched_irq */
		uint8_t what;	/* enum kernel_event_what; of marks, their kind */
	};
	bool has_origin : 1;
	bool has_other : 1;	/* the incoming thread, the waker, or that of @args is known */
};

/* --------------------------------------------------------------------
 * Lines of ftrace's text, and the state of threads that they need.
 *
 * In: events in the order of time.
 * Out: lines as in tracefs with the option record-tgid, but with nine decimals in times, which
 * readers accept.
 */

#define FTRACE_COMM	64	/* bytes, including the 0 */
#define FTRACE_HEAD_NAME	16	/* columns of a name at the head of a line */
#define FTRACE_HEAD	(2 * FTRACE_COMM + 48)	/* with two numbers of 64 bits */

struct ftrace_comm {
	uint8_t length;			/* of @name */
	uint8_t text_length;
	char name[FTRACE_COMM];		/* terminated, truncated between characters */
	char text[2 * FTRACE_COMM];	/* the form to write */
};

struct ftrace_thread {
	struct map_node node;
	uint64_t koid;
	uint64_t tgid;		/* koid of its process, 0 if unknown */
	uint16_t cpu;		/* where it runs or last ran, if @has_cpu */
	bool has_cpu;
	bool runs;		/* on @cpu now */
	int32_t prio;		/* the kernel's priority, as last seen */
	uint64_t woken_ns;	/* its latest wakeup */
	uint64_t waker;		/* koid: of that; 0: no thread, or unknown */
	bool noted;		/* the first walk found an object record of it */
	bool taken;		/* the second walk did */
	bool born;		/* the archive shows that it was a new thread */
	bool seen;		/* an event referred to it */
	bool named;		/* @comm is its name; else "<...>", as in ftrace */
	uint8_t head_length;
	struct ftrace_comm comm;
	char head[FTRACE_HEAD];	/* the beginning of its lines */
	char told[FTRACE_COMM];	/* its name in the latest record, perhaps ahead of time */
	uint64_t told_tgid;
	struct ftrace_rename *renames;	/* in order, to apply when it runs next */
	struct ftrace_rename *last_rename;
};

struct ftrace_rename {
	struct ftrace_rename *next;
	uint64_t tgid;
	bool is_fork;		/* a new thread gets the id */
	struct ftrace_comm comm;
};

#define FTRACE_RECENT	4096

struct ftrace_text {
	const struct ftrace_sink *sink;
	void *arg;			/* for the sink */
	struct out *o;
	bool json;			/* the text is inside a JSON string */
	bool weight_is_prio;		/* the archive's weights are the kernel's priorities */
	bool has_wakings;		/* wakeups are those of sched_waking */
	struct map threads;
	struct ftrace_thread *recent[FTRACE_RECENT];	/* by koid, to avoid keyed hashes */
	struct ftrace_thread *runs[1 << 16];	/* by CPU; NULL if unknown */
	struct sched_origins origins;
};

/* For an event with @has_origin. */
static inline const struct sched_origin *ftrace_origin(const struct ftrace_text *t,
						       const struct ftrace_event *e)
{
	return t->origins.list[e->origin];
}

/** struct ftrace_wait - a wait for a lock that has ended, in @args.lock of its event */
struct ftrace_wait {
	uint64_t begin;		/* ns */
	uint64_t releaser;	/* koid: ended the wait if it was the thread's latest waker */
};

static inline struct ftrace_wait ftrace_wait(const struct ftrace_event *e)
{
	return (struct ftrace_wait){ e->args.lock.address, e->args.lock.holder };
}

struct ftrace_sink {
	/* Called first; may be NULL. */
	void (*begin)(struct ftrace_text *t);
	/* @thread is switched out, @other is switched in; NULL if unknown. */
	void (*put_switch)(struct ftrace_text *t, const struct ftrace_event *e,
			   const struct ftrace_thread *thread, const struct ftrace_thread *other);
	/* @waker may be NULL. */
	void (*put_wakeup)(struct ftrace_text *t, const struct ftrace_event *e,
			   const struct ftrace_thread *thread, const struct ftrace_thread *waker);
	/* @thread is on the CPU when the CPU's recording begins or ends, without a switch. */
	void (*put_mark)(struct ftrace_text *t, const struct ftrace_event *e,
			 const struct ftrace_thread *thread);
	/* @parent forked @thread, which will run for the first time; may be NULL. */
	void (*put_newtask)(struct ftrace_text *t, uint64_t ns, const struct ftrace_thread *thread,
			    const struct ftrace_thread *parent);
	/* @thread still has the old name. */
	void (*put_rename)(struct ftrace_text *t, uint64_t ns, const struct ftrace_thread *thread,
			   const struct ftrace_comm *comm);
	/* FTRACE_ENTRY, FTRACE_EXIT or FTRACE_MOMENT; @other: e.g. the new thread of a fork. */
	void (*put_kernel)(struct ftrace_text *t, const struct ftrace_event *e,
			   const struct ftrace_thread *thread, const struct ftrace_thread *other);
	/*
	 * The stack of a sleep that the latest switch ended. Returns @args.other of the
	 * FTRACE_MOMENT that put_kernel() gets just before that switch; 0: none. May be NULL.
	 */
	uint64_t (*slept)(struct ftrace_text *t, uint32_t provider, const struct fxt_content *c);
	/*
	 * put_kernel() gets an FTRACE_MOMENT at the end of each wait for a lock that another thread
	 * may have ended: see ftrace_wait().
	 */
	bool has_waits;
	bool (*accepts)(const struct kernel_event *e);
};

extern const struct ftrace_sink ftrace_lines;

struct ftrace_thread *ftrace_thread(struct ftrace_text *t, uint64_t koid);
void ftrace_threads_free(struct ftrace_text *t);

/* Renew @head after a change of the thread's name or process. */
void ftrace_thread_changed(struct ftrace_thread *thread);
void ftrace_comm(const struct ftrace_text *t, struct ftrace_comm *comm,
		 const char *name, size_t length);

/* The kernel's priority (task_struct.prio) for a weight. */
int32_t ftrace_prio(const struct ftrace_text *t, bool has_weight, int32_t weight);

/* --- the two walks ----------------------------------------------------------------- */

struct ftrace;
struct io;

/* @json: the text is the inside of a JSON string */
struct ftrace *ftrace_open(const struct ftrace_sink *sink, bool json);
void ftrace_close(struct ftrace *f);
void ftrace_note(struct ftrace *f, const struct fxt_content *c,
		 const struct fxt_reader *r, const struct fxt_record *rec);

/* Begin the text and the second walk. @arg: for the sink */
void ftrace_begin(struct ftrace *f, struct out *o, void *arg);

/* Take a record in the second walk. Returns like fxt_reader_content(). */
int ftrace_record(void *f, struct fxt_reader *r, const struct fxt_record *rec);

/* The CPU that the record is from, or KERNEL_EVENT_NO_CPU. */
uint16_t ftrace_stream(const struct ftrace *f);

/* Write what remains. Returns the number of lines out of order. */
uint64_t ftrace_finish(struct ftrace *f);
void ftrace_report_late(const char *path, uint64_t late);

struct ftrace_walks {
	/* For each object record and blob in the first walk; returns like ftrace_record(). */
	int (*note)(void *arg, struct fxt_reader *r, const struct fxt_record *rec);
	/* The second walk, with both ends open; closes them and returns like io_close(). */
	int (*write)(void *arg, struct io *io, struct out *o);
};

/* Convert an archive in two walks. Returns enum verb_exit. */
int ftrace_convert(struct io *io, const struct ftrace_walks *walks, void *arg);

#endif /* FXT_FORMATS_FTRACE_FTRACE_H */
