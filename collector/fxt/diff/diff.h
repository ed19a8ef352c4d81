/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.h - what several recordings have, side by side.
 *
 * In: archives of side A and of side B.
 * Out: rows: a name, a process, a CPU and so on, each with numbers of each run; of each number
 * whether, and by how much, the sides differ; what differs between the recordings themselves.
 */
#ifndef FXT_DIFF_DIFF_H
#define FXT_DIFF_DIFF_H

#include <fxt/fxt_glob.h>

#include "libfxt/map.h"
#include "rank.h"
#include "report/stats/report.h"
#include "walk/archive.h"

/* What a row is of: name in JSON, title in text. */
#define DIFF_KINDS(X)								\
	X(NAME, "name", "Threads by name")					\
	X(PROCESS, "process", "Processes")					\
	X(CGROUP, "cgroup", "Cgroups")						\
	X(CPU, "cpu", "CPUs")							\
	X(PREEMPTION, "preemption", "Preemptions")				\
	X(STACK, "stack", "Stacks of sleeps and preemptions")			\
	X(INTERRUPT, "interrupt", "Interrupts")					\
	X(WORK, "work", "Work items")						\
	X(SYSCALL, "syscall", "System calls")

enum diff_kind {
#define DIFF_KIND_ENUM(kind, name, title) DIFF_##kind,
	DIFF_KINDS(DIFF_KIND_ENUM)
#undef DIFF_KIND_ENUM
	DIFF_KIND_COUNT
};

/*
 * Numbers of a row: name in JSON; before and after the values in text; is it a time; weight: of a
 * time, how much it counts in the order of rows, of others how many ns one of them counts.
 */
#define DIFF_METRICS(X)								\
	X(RUN, "run", "run ", "", true, 1)					\
	X(WOKEN, "woken", "woken ", " times", false, 0)				\
	X(RUNS, "runs", "ran ", " times", false, 20000)				\
	X(WAIT, "wait", "waited ", "", true, 0.1)				\
	X(PREEMPTED, "preempted", "preempted ", " times", false, 0)		\
	X(MIGRATED, "migrated", "migrated ", " times", false, 20000)		\
	X(SLEEP, "sleeping", "slept for ", "", true, 0)				\
	X(UNINTERRUPTIBLE, "uninterruptible", "in state D for ", "", true, 0.1)	\
	X(IDLE_WORKER, "idle_worker", "without work for ", "", true, 0)		\
	X(STOPPED, "stopped", "stopped for ", "", true, 0)			\
	X(TRACED, "traced", "traced for ", "", true, 0)				\
	X(PARKED, "parked", "parked for ", "", true, 0)				\
	X(TIME, "time", "took ", "", true, 1)					\
	X(COUNT, "count", "", " times", false, 1000)				\
	X(FAILED, "failed", "failed ", " times", false, 1000)			\
	X(IDLE, "idle", "idle for ", "", true, 0)				\
	X(INTERRUPTS, "interrupts", "in interrupts for ", "", true, 1)

enum diff_metric {
#define DIFF_METRIC_ENUM(metric, ...) DIFF_##metric,
	DIFF_METRICS(DIFF_METRIC_ENUM)
#undef DIFF_METRIC_ENUM
	DIFF_METRIC_COUNT
};

/** struct diff_metric_info - of DIFF_METRICS */
struct diff_metric_info {
	const char *name;
	const char *before;
	const char *after;
	bool is_time;
	double weight;
};

extern const struct diff_metric_info diff_metrics[DIFF_METRIC_COUNT];

const char *diff_kind_name(enum diff_kind kind);
const char *diff_kind_title(enum diff_kind kind);

/**
 * struct diff_run - one recording
 * @path: of its archive
 * @side: 0: A, 1: B
 * @divisor: its numbers are divided by it: seconds of wall time, or units of work
 * @session: what describes the recording, as walk/session_text.h reads it
 * @skipped: records could not be read
 */
struct diff_run {
	const char *path;
	unsigned int side;
	double divisor;
	uint64_t from;
	uint64_t to;
	unsigned int cpus;
	uint64_t lost;
	uint64_t written;
	uint64_t violations;
	bool is_told;		/* the archive knows what it lost */
	bool is_truncated;
	bool skipped;
	char *session;
	size_t session_bytes;
};

/**
 * struct diff_change - how one number changed
 * @a: median of the runs of side A, in the unit that is printed; @b likewise
 * @effect: how much it counts in the order of rows
 * @is_listed: it differs by more than the thresholds and, as far as known, by more than chance
 * @is_tested: the rank test was made: @p and @q of it, and @shift relative to @a
 */
struct diff_change {
	double a;
	double b;
	double effect;
	bool is_listed;
	bool is_tested;
	double p;
	double q;
	struct rank_shift shift;
};

/** struct diff_waits - of one side, all runs together; as struct report_waits has them */
struct diff_waits {
	struct report_hist hist;
	uint64_t open;
	uint64_t unknown;
	bool max_is_open;
};

/**
 * struct diff_row - one of them
 * @values: by run, then by metric; ns or numbers, as they are in the archives
 * @is_in: a side has it
 * @effect: of all changes that are listed
 * @other: of a name that only one side has: the row that it may be called in the other one
 */
struct diff_row {
	struct map_node node;
	enum diff_kind kind;
	char *name;
	double *values;
	bool is_in[2];
	struct diff_waits waits[2];
	struct diff_change changes[DIFF_METRIC_COUNT];
	double effect;
	const struct diff_row *other;
};

/* How chance is judged. */
enum diff_judge {
	DIFF_ONE_RUN,		/* of one side at least: not at all */
	DIFF_APART,		/* too few runs for the test: the sides must lie apart */
	DIFF_TESTED,
};

/**
 * struct diff - all of it
 * @unit: glob of the name of a thread or system call, or NULL: wall time
 * @is_call: it is a system call
 * @least: relative change that is listed, of 1
 * @runs: @counts[0] of A, then @counts[1] of B
 * @rows: sorted: by kind, then the largest effect first; @row_count of them
 * @basis: numbers per divisor are multiplied by it to be printed
 * @seconds: of wall time, for what is printed as one
 * @judges: by kind, like @tests, the rank tests that count for it
 * @needed: runs a side with which as many tests as for names can tell a single change
 */
struct diff {
	const char *unit;
	struct fxt_glob glob;
	bool is_call;
	double least;
	struct diff_run *runs;
	size_t counts[2];
	struct map map;
	struct diff_row **rows;
	size_t row_count;
	double basis;
	double seconds;
	enum diff_judge judges[DIFF_KIND_COUNT];
	size_t tests[DIFF_KIND_COUNT];
	size_t needed;
};

static inline size_t diff_run_count(const struct diff *d)
{
	return d->counts[0] + d->counts[1];
}

/* The value of a run, in the unit that is printed. */
static inline double diff_value(const struct diff *d, const struct diff_row *row, size_t run,
				enum diff_metric metric)
{
	return row->values[run * DIFF_METRIC_COUNT + metric] / d->runs[run].divisor * d->basis;
}

/* --- rows.c: what a recording has ---------------------------------------------------------- */

struct diff_last;

/**
 * struct diff_preemptions - who took a CPU from whom
 * @diff: gets it, as @run
 * @names: rows of it, of all runs so far
 * @by_thread: number of times by both threads
 * @last: by CPU, what ran there last
 * @watch: to be asked of the report's engine
 */
struct diff_preemptions {
	struct diff *diff;
	size_t run;
	size_t names;
	struct map by_thread;
	struct diff_last *last[FILTER_CPUS];
	struct report_watch watch;
};

void diff_preemptions_open(struct diff_preemptions *p, struct diff *d, size_t run);
void diff_preemptions_free(struct diff_preemptions *p);

/** diff_take_report() - add the numbers of a run. Return: 0 or -ENOMEM */
int diff_take_report(struct diff *d, size_t run, const struct report *r,
		     struct diff_preemptions *p);

#define DIFF_FRAME_BYTES	3	/* of what is between two frames of a stack's name */

/** diff_next_frame() - in a stack's name the caller of a frame; NULL without one */
const char *diff_next_frame(const char *frames);

/** diff_units() - how often the unit of work occurs in a report */
double diff_units(const struct diff *d, const struct report *r);

/** diff_find() - the row of a name, NULL if there is none */
struct diff_row *diff_find(const struct diff *d, enum diff_kind kind, const char *name);

void diff_free(struct diff *d);

/* --- compare.c ----------------------------------------------------------------------------- */

/** diff_compare() - find out what changed, and sort. Return: 0 or -ENOMEM */
int diff_compare(struct diff *d);

/* --- output -------------------------------------------------------------------------------- */

/** diff_print_changes() - what changed in a row, without its name; no text of an archive is in it */
void diff_print_changes(struct out *o, const struct diff *d, const struct diff_row *row);

/** diff_print_reading() - what the numbers are of, and what chance may have done; likewise */
void diff_print_reading(struct out *o, const struct diff *d);

/* At most @top rows of each kind. */
void diff_print_text(struct out *o, const struct diff *d, size_t top);
void diff_print_json(struct out *o, const struct diff *d, size_t top);
/** diff_print_flames() - graphs of the stacks of both sides, for a page. Return: 0 or -ENOMEM */
int diff_print_flames(struct out *o, const struct diff *d);

/* Return: 0 or -ENOMEM */
int diff_print_html(struct out *o, const struct diff *d, size_t top);

/**
 * diff_session() - a value of the description of a recording
 * @run: the recording
 * @key: as walk/session_text.h has it
 * @value: set to it, terminated; "" if there is none
 */
void diff_session(const struct diff_run *run, const char *key, char value[256]);

/** diff_sessions_key() - the keys whose values are compared; NULL at their end */
const char *diff_sessions_key(size_t i);

/** diff_session_differs() - do not all recordings have the same value? */
bool diff_session_differs(const struct diff *d, const char *key);

#endif /* FXT_DIFF_DIFF_H */
