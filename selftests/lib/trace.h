/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An archive of fxt-collect in arrays, by stream, in file order, and the rules for every archive.
 * Functions return 0, or -1 with a line that describes the error and its place.
 */
#ifndef SELFTESTS_TRACE_H
#define SELFTESTS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched_stack.h>
#include <fxt/fxt_unknown.h>

#include "libfxt/fxt_reader.h"

#include "symbol_lines.h"

#define TRACE_NAME_SIZE		64	/* bytes; longer names are truncated */

/* the line that a failed check leaves */
struct why {
	char text[512];
};

/* Write the line; returns -1. */
int complain(struct why *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct trace_event {
	uint64_t offset;	/* bytes */
	uint64_t time;		/* ticks */
	uint32_t stream;	/* number of its stream */
	bool after_loss;	/* records between it and the one before it were lost */
	bool is_wakeup;	/* selects the valid one of @wakeup and @sw */
	union {
		struct fxt_switch sw;
		struct fxt_wakeup wakeup;
	};
};

#define TRACE_ARGS	5	/* the most that an event of a group has */

/*
 * An event of a group (interrupts, idle states, migrations, ...); or a counter of a cgroup, which
 * belongs to no stream.
 */
struct trace_group_event {
	uint64_t offset;	/* bytes */
	uint64_t begin;	/* ticks; equal to @time if it is not a slice */
	uint64_t time;	/* ticks; for a slice, its end */
	enum fxt_kind kind;	/* kind of its record */
	uint32_t stream;	/* number of its stream */
	uint64_t process;
	uint64_t thread;
	uint64_t id;		/* of counters and operations */
	uint16_t category;	/* enum fxt_sched_string */
	uint16_t name;	/* likewise; 0 if only @text has it */
	char text[TRACE_NAME_SIZE];
	uint64_t args[TRACE_ARGS];	/* the values of its arguments, in their order */
	unsigned int arg_count;
};

struct trace_stack {
	uint64_t offset;	/* bytes */
	uint64_t time;		/* ticks */
	uint32_t stream;
	/* byte offset of the switch or wakeup before it in its stream, 0 if there is none */
	uint64_t after;
	uint64_t process;
	uint64_t thread;
	uint32_t sample_ns;	/* what a sample weighs; 0: it is none */
	uint32_t count;
	/* addresses, innermost first; @count of them */
	uint64_t frames[2 * FXT_SCHED_STACK_FRAMES];
};

struct trace_ledger {
	uint64_t offset;
	struct fxt_ledger l;	/* its content */
	uint64_t stored;	/* number of records of its stream before it */
	size_t events;	/* number of switches and wakeups among these */
	uint64_t before;	/* ticks of the record before it, 0 if it has none */
	uint64_t after;	/* ticks of the record after it, 0 if it has none */
};

struct trace_stream {
	uint32_t id;	/* CPU, or FXT_LEDGER_STREAM_NAMES */
	bool closed;	/* its closing ledger was seen */
	bool after_loss;	/* while it is loaded: the next switch or wakeup follows a gap */
	uint64_t stored;	/* records, ledgers not counted */
	uint64_t last;	/* ticks of the newest record */
	/* offset of the first record that is earlier than the one before it; 0: none */
	uint64_t backwards;
	struct fxt_switch begin;	/* its first mark (<fxt/fxt_mark.h>); @unknown is 0: none */
	struct fxt_switch end;	/* likewise, its last one */
	bool is_torn;	/* it has a mark of a CPU that goes offline or comes online */
	/* its opening ledger; all zero if the archive has all of the stream */
	struct fxt_ledger opening;
	struct trace_event *events;
	size_t event_count;
	struct trace_ledger *ledgers;
	size_t ledger_count;
};

/* a mark (<fxt/fxt_mark.h>), in file order */
struct trace_edge {
	uint64_t offset;
	struct fxt_switch sw;	/* its record */
	size_t ledgers;	/* number of ledgers of its stream before it */
	/* number of records of its stream before it; @events of these are switches and wakeups */
	uint64_t stored;
	size_t events;
	uint64_t last;	/* ticks of the last of these records, 0 if there is none */
};

/* a kernel object record; all are kept, in file order */
struct trace_name {
	uint64_t koid;
	uint64_t process;	/* of threads */
	uint64_t parent;	/* of main threads, 0 if unknown */
	uint64_t offset;
	uint8_t type;		/* enum fxt_object_type */
	uint16_t event;		/* as in struct fxt_sched_event, 0 for none */
	uint64_t event_time;	/* ticks */
	char text[TRACE_NAME_SIZE];
	char cpus[TRACE_NAME_SIZE];	/* as in "0-3,8"; "": all */
};

/* an exec (@before is empty then) or a rename */
struct trace_instant {
	uint64_t offset;
	uint16_t what;		/* FXT_STR_EXEC or FXT_STR_RENAME */
	uint64_t time;		/* ticks */
	uint64_t thread;
	uint64_t process;
	char before[TRACE_NAME_SIZE];
	char after[TRACE_NAME_SIZE];
};

/* a counter event of a CPU, in file order */
struct trace_counter {
	uint64_t time;		/* ticks */
	uint64_t cpu;
	int64_t runnable;
	int64_t rate;		/* switches per second */
};

struct trace_loss {
	uint32_t stream;
	uint64_t from;		/* ticks */
	uint64_t to;		/* ticks */
	uint64_t records;
};

/* an instant on the track of fxt-sched */
struct trace_mark {
	uint16_t name;	/* FXT_STR_TRIGGER or FXT_STR_COMPLETE */
	uint64_t time;		/* ticks */
	uint64_t thread;	/* for triggers only, like the fields after it */
	uint64_t cpu;
	uint64_t latency;	/* ns */
	bool goes_on;	/* the wait was not over at @time */
};

struct trace {
	uint64_t bytes;
	bool torn;		/* the archive ends in the middle of a record */
	uint64_t ticks_per_second;
	uint64_t provider_events;
	char session[1024];
	struct trace_stream *streams;
	size_t stream_count;
	struct trace_name *names;
	size_t name_count;
	struct trace_loss *losses;
	size_t loss_count;
	struct fxt_switch *ends;	/* switches that stand for losses */
	size_t end_count;
	struct trace_edge *edges;
	size_t edge_count;
	struct trace_mark *marks;
	size_t mark_count;
	struct trace_instant *instants;
	size_t instant_count;
	struct trace_counter *counters;
	size_t counter_count;
	struct trace_group_event *group_events;	/* of a stream in its order */
	size_t group_event_count;
	struct symbol_lines symbols;
	struct trace_stack *stacks;	/* of a stream in its order */
	size_t stack_count;
	struct trace_group_event *quotas;	/* counters of cgroups with a quota */
	size_t quota_count;
};

/*
 * Read an archive. @torn_ok: it may end in the middle of a record, and without closing ledgers.
 *
 * Refuses everything that an archive of fxt-collect must not have: deviations that the strict
 * reader reports, types of records that fxt-collect does not write, records that belong to no
 * stream; and, unless it may be torn, findings of fxt check. trace_free() frees @t, also after a
 * failure.
 */
int trace_load(struct trace *t, const char *path, bool torn_ok, struct why *why);
void trace_free(struct trace *t);

const struct trace_stream *trace_stream(const struct trace *t, uint32_t id);

/* the last one; NULL if there is none */
const struct trace_name *trace_find_name(const struct trace *t, uint8_t type, uint64_t koid);

/* of all streams, since the start of the archive */
uint64_t trace_lost(const struct trace *t);

/* from the description of the recording, -1 if there is none */
long trace_session_number(const struct trace *t, const char *key);

const struct trace_mark *trace_find_mark(const struct trace *t, uint16_t name);

#define trace_for_each_event(t, s, e)						\
	for ((s) = (t)->streams; (s) < (t)->streams + (t)->stream_count; (s)++)	\
		for ((e) = (s)->events; (e) < (s)->events + (s)->event_count; (e)++)

/* Fill in @e, the newest mark, while the trace is loaded. */
void trace_add_edge(struct trace *t, struct trace_edge *e, uint64_t offset,
		    const struct fxt_switch *sw);

/*
 * The threads that the running kernel hides from every tracer. On some machines the kernel runs no
 * tracing program while a thread of process 1 is current. A switch to such a thread is seen; the
 * switch away from it and the wakeups by it are not. hidden_find() decides whether this is such a
 * machine. $FXT_HIDDEN_PID1 (0 or 1) decides if it is set. Otherwise it is one, unless the trace
 * has a switch away from process 1, or the machine is a guest of the tests ($FXT_GUEST), where no
 * thread is hidden.
 */
struct hidden {
	bool on;	/* it hides some */
	uint64_t *tids;	/* the threads; no event is seen while one of them runs */
	size_t count;
};

void hidden_find(struct hidden *h, const struct trace *t);
bool hidden_has(const struct hidden *h, uint64_t tid);

/*
 * The checks, each 0 or -1 with @why filled in.
 *
 * trace_check_extras: counters and instants agree with the records, as far as the archive has them.
 * trace_check_records: the above; times of a stream never go back, weights and states are valid, a
 *	switch is in the stream of its CPU.
 * trace_check_ledgers: sequences without a gap; at every ledger written = stored + lost; one
 *	closing ledger per stream; losses recorded in both ways.
 * trace_check_chain: on each CPU the outgoing thread is the one that was switched in, except at a
 *	loss, or after a hidden thread.
 * trace_check_edges: marks are where their streams begin, end or continue, and have the same thread
 *	as the switch next to them. If any stream has marks, each has both.
 * trace_check_threads: a thread runs on one CPU at a time, is woken only when blocked, and exactly
 *	once before it runs again. For traces without loss.
 * trace_check_kept: all of these, as far as the losses allow.
 * trace_check_all: all of these, and that nothing was lost.
 */
int trace_check_extras(const struct trace *t, struct why *why);
int trace_check_records(const struct trace *t, struct why *why);
int trace_check_ledgers(const struct trace *t, struct why *why);
int trace_check_edges(const struct trace *t, struct why *why);
int trace_check_chain(const struct trace *t, struct why *why);
int trace_check_threads(const struct trace *t, struct why *why);
int trace_check_kept(const struct trace *t, struct why *why);
int trace_check_all(const struct trace *t, struct why *why);

#endif /* SELFTESTS_TRACE_H */
