/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.h - an archive in arrays, and what must hold in every one of them.
 *
 * In:  the path of an archive that fxt-collect wrote.
 * Out: its records by stream, in the order in which they stand in the file; and from the
 *      checks 0, or -1 with a line that says what is wrong and where.
 */
#ifndef SELFTESTS_TRACE_H
#define SELFTESTS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_unknown.h>

#include "libfxt/fxt_reader.h"

#define TRACE_NAME_SIZE		64	/* bytes; longer names are cut */

/** struct why - the line that a failed check leaves */
struct why {
	char text[512];
};

/** complain() - write the line; returns -1 */
int complain(struct why *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * struct trace_event - a context switch or a wakeup
 * @stream: number of the stream that it stands in
 * @after_loss: records before it, and after the one before it, were lost
 * @is_wakeup: says which of @wakeup and @sw is valid
 */
struct trace_event {
	uint64_t offset;	/* bytes */
	uint64_t time;		/* ticks */
	uint32_t stream;
	bool after_loss;
	bool is_wakeup;
	union {
		struct fxt_switch sw;
		struct fxt_wakeup wakeup;
	};
};

/**
 * struct trace_ledger - a ledger where it stands
 * @l: what it says
 * @stored: records of its stream that stand before it
 */
struct trace_ledger {
	uint64_t offset;
	struct fxt_ledger l;
	uint64_t stored;
};

/**
 * struct trace_stream - what one producer wrote
 * @id: CPU, or FXT_LEDGER_STREAM_NAMES
 * @stored: records, ledgers not counted
 * @opening: its opening ledger; all zero where the archive has all of the stream
 * @closed: its closing ledger was seen
 */
struct trace_stream {
	uint32_t id;
	bool closed;
	uint64_t stored;
	struct fxt_ledger opening;
	struct trace_event *events;
	size_t event_count;
	struct trace_ledger *ledgers;
	size_t ledger_count;
};

/** struct trace_name - a kernel object record; all are kept, in file order */
struct trace_name {
	uint64_t koid;
	uint64_t process;	/* of threads */
	uint64_t offset;
	uint8_t type;		/* enum fxt_object_type */
	uint16_t event;		/* as in struct fxt_sched_event, 0 for none */
	uint64_t event_time;	/* ticks */
	char text[TRACE_NAME_SIZE];
};

/** struct trace_instant - an exec (@before is empty then) or a rename */
struct trace_instant {
	uint64_t offset;
	uint16_t what;		/* FXT_STR_EXEC or FXT_STR_RENAME */
	uint64_t time;		/* ticks */
	uint64_t thread;
	uint64_t process;
	char before[TRACE_NAME_SIZE];
	char after[TRACE_NAME_SIZE];
};

/** struct trace_counter - what was counted of a CPU, in file order */
struct trace_counter {
	uint64_t time;		/* ticks */
	uint64_t cpu;
	int64_t runnable;
	int64_t rate;		/* switches per second */
};

/** struct trace_loss - a slice on a track of losses */
struct trace_loss {
	uint32_t stream;
	uint64_t from;		/* ticks */
	uint64_t to;		/* ticks */
	uint64_t records;
};

/**
 * struct trace_mark - an instant on the track that is ours
 * @name: FXT_STR_TRIGGER or FXT_STR_COMPLETE
 * @thread: of triggers, like the others
 * @latency: ns
 */
struct trace_mark {
	uint16_t name;
	uint64_t time;		/* ticks */
	uint64_t thread;
	uint64_t cpu;
	uint64_t latency;
};

struct trace {
	uint64_t bytes;
	bool torn;		/* ends within a record */
	uint64_t ticks_per_second;
	uint64_t provider_events;
	char session[1024];
	struct trace_stream *streams;
	size_t stream_count;
	struct trace_name *names;
	size_t name_count;
	struct trace_loss *losses;
	size_t loss_count;
	struct fxt_switch *ends;	/* that stand for losses */
	size_t end_count;
	struct trace_mark *marks;
	size_t mark_count;
	struct trace_instant *instants;
	size_t instant_count;
	struct trace_counter *counters;
	size_t counter_count;
};

/**
 * trace_load() - read an archive
 * @t: filled in; trace_free() frees it, also after a failure
 * @path: of the archive
 * @torn_ok: it may end within a record, and without closing ledgers
 * @why: says what is wrong
 *
 * Refuses what no archive of fxt-collect may have: whatever the strict reader
 * does not like, types of records that it does not write, records that belong
 * to no stream; and, unless it may be torn, whatever fxt check does not like.
 *
 * Return: 0 or -1.
 */
int trace_load(struct trace *t, const char *path, bool torn_ok, struct why *why);
void trace_free(struct trace *t);

const struct trace_stream *trace_stream(const struct trace *t, uint32_t id);

/** trace_find_name() - the last name of a thread or process, NULL if it has none */
const struct trace_name *trace_find_name(const struct trace *t, uint8_t type,
					 uint64_t koid);

/** trace_lost() - records lost, of all streams, since the archive begins */
uint64_t trace_lost(const struct trace *t);

/** trace_find_mark() - the mark of that name, NULL if there is none */
const struct trace_mark *trace_find_mark(const struct trace *t, uint16_t name);

/** trace_for_each_event() - all switches and wakeups, stream by stream */
#define trace_for_each_event(t, s, e)						\
	for ((s) = (t)->streams; (s) < (t)->streams + (t)->stream_count; (s)++)	\
		for ((e) = (s)->events; (e) < (s)->events + (s)->event_count; (e)++)

/**
 * struct hidden - what the running kernel hides from every tracer
 * @on: it does
 * @tids: the threads while which run no event is seen
 *
 * There are machines whose kernel runs no tracing program while a thread of
 * process 1 is current: a switch to such a thread is seen, the one away from it
 * is not, nor what it wakes. hidden_find() says whether this is one of them:
 * $FXT_HIDDEN_PID1 (0 or 1) decides; else it may be, unless process 1 is seen to be
 * switched away from, and in a guest of ours ($FXT_GUEST), where nothing is hidden.
 */
struct hidden {
	bool on;
	uint64_t *tids;
	size_t count;
};

void hidden_find(struct hidden *h, const struct trace *t);
void hidden_free(struct hidden *h);
bool hidden_has(const struct hidden *h, uint64_t tid);

/*
 * The checks, each 0 or -1 with @why filled in.
 *
 * trace_check_extras: counters and instants are what the records make of them, as
 *	far as the archive has these.
 * trace_check_records: that; times of a stream never go back, weights and states are
 *	such as there are, a switch stands in the stream of its CPU.
 * trace_check_ledgers: sequences without a hole; at every ledger written =
 *	stored + lost; one closing ledger per stream; losses told in both ways.
 * trace_check_chain: on each CPU the outgoing thread is the one that came in,
 *	but at a loss, or behind a hidden thread.
 * trace_check_threads: a thread runs on one CPU at a time, is woken only when
 *	blocked, and exactly once before it runs again. For traces without loss.
 * trace_check_kept: all of these, as far as what was lost lets them be checked.
 * trace_check_all: all of these, and that nothing was lost.
 */
int trace_check_extras(const struct trace *t, struct why *why);
int trace_check_records(const struct trace *t, struct why *why);
int trace_check_ledgers(const struct trace *t, struct why *why);
int trace_check_chain(const struct trace *t, struct why *why);
int trace_check_threads(const struct trace *t, struct why *why);
int trace_check_kept(const struct trace *t, struct why *why);
int trace_check_all(const struct trace *t, struct why *why);

#endif /* SELFTESTS_TRACE_H */
