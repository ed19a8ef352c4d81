/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.h - the numbers of several recordings, side by side.
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
 * Numbers of a row: name in JSON; texts before and after the values; is it a time; weight in the
 * order of rows: a factor for times, ns per unit for counts.
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
 * @divisor: seconds of wall time or units of work, by which its numbers are divided
 * @session: description of the recording, for walk/session_text.h
 * @skipped: records could not be read
 * @scope: its @threads threads are compared; @command: name of a recorded command
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
	bool is_told;		/* the archive records its losses */
	bool is_truncated;
	bool skipped;
	uint64_t threads;
	struct scope scope;
	char command[SCHED_NAME_BYTES];
	char *session;
	size_t session_bytes;
};

/**
 * struct diff_change - how one number changed
 * @a: median of the runs of side A, in the unit that is printed; @b likewise
 * @effect: its weight in the order of rows
 * @is_listed: it differs by more than the thresholds and, as far as known, by more than chance
 * @is_apart: the sides do not overlap, but for outliers
 * @is_tested: the rank test was made: @p and @q of it
 * @has_shift: @shift is known: factors of B by A, less 1
 */
struct diff_change {
	double a;
	double b;
	double effect;
	bool is_listed;
	bool is_apart;
	bool is_tested;
	bool has_shift;
	double p;
	double q;
	struct rank_shift shift;
};

/** struct diff_waits - waits of all runs of one side; as in struct report_waits */
struct diff_waits {
	struct report_hist hist;
	uint64_t open;
	uint64_t unknown;
	bool max_is_open;
};

/**
 * struct diff_row - the numbers of one name, process, CPU and so on
 * @values: by run, then by metric; ns or counts, as in the archives
 * @is_in: by side: does it occur there?
 * @effect: sum of the effects of all listed changes
 * @other: if only one side has it: the row on the other side that may be the same under another
 *	name
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

/* How changes are told from chance. */
enum diff_judge {
	DIFF_ONE_RUN,		/* a side has only one run: not at all */
	DIFF_APART,		/* too few runs for the test: the sides must lie apart */
	DIFF_TESTED,
};

/**
 * struct diff - a comparison
 * @unit: glob of the name of a thread or system call, or NULL: wall time
 * @is_call: it is a system call
 * @least: least relative change that is listed (0.04 is 4 %)
 * @runs: @counts[0] of A, then @counts[1] of B
 * @rows: sorted: by kind, then the largest effect first; @row_count of them
 * @basis: factor from numbers per divisor to printed ones
 * @seconds: of wall time that printed numbers are about
 * @judges: by kind: how chance is judged; @tests: number of its rank tests
 * @needed: runs per side that suffice to tell a single change among the tests of names
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
 * @diff: receives the result as @run
 * @names: rows of preemptions, of all runs so far
 * @by_thread: counts by pair of threads
 * @last: by CPU: what ran there last
 * @watch: for the options of the report
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

#define DIFF_FRAME_BYTES	3	/* length of the separator of two frames in a stack's name */

/** diff_next_frame() - find the caller of a frame in a stack's name; NULL if there is none */
const char *diff_next_frame(const char *frames);

/** diff_units() - count the units of work in a report */
double diff_units(const struct diff *d, const struct report *r);

/** diff_find() - the row of a name, NULL if there is none */
struct diff_row *diff_find(const struct diff *d, enum diff_kind kind, const char *name);

void diff_free(struct diff *d);

/* --- compare.c ----------------------------------------------------------------------------- */

/** diff_compare() - find changes, and sort rows. Return: 0 or -ENOMEM */
int diff_compare(struct diff *d);

/* --- output -------------------------------------------------------------------------------- */

/**
 * diff_print_changes() - print the changes of a row, without its name or other text of an archive
 */
void diff_print_changes(struct out *o, const struct diff *d, const struct diff_row *row);

/** diff_print_reading() - explain the numbers and how chance was judged; likewise */
void diff_print_reading(struct out *o, const struct diff *d);

/* Print at most @top rows of each kind. */
void diff_print_text(struct out *o, const struct diff *d, size_t top);
void diff_print_json(struct out *o, const struct diff *d, size_t top);
/** diff_print_flames() - print flame graphs of both sides, for a page. Return: 0 or -ENOMEM */
int diff_print_flames(struct out *o, const struct diff *d);

/* Return: 0 or -ENOMEM */
int diff_print_html(struct out *o, const struct diff *d, size_t top);

/**
 * diff_session() - get a value of the description of a recording
 * @run: the recording
 * @key: as in walk/session_text.h
 * @value: set to the value, terminated; "" if there is none
 */
void diff_session(const struct diff_run *run, const char *key, char value[256]);

/** diff_sessions_key() - a key whose values are compared, by number; NULL after the last */
const char *diff_sessions_key(size_t i);

/** diff_session_differs() - do the recordings have different values? */
bool diff_session_differs(const struct diff *d, const char *key);

#endif /* FXT_DIFF_DIFF_H */
