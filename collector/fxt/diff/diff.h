/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.h - the numbers of several recordings, side by side.
 *
 * In: archives of side A and of side B.
 * Out: rows, e.g. of a name, a process or a CPU, with numbers of each run; whether, and by how
 * much, the sides differ in each number; differences between the recordings themselves.
 */
#ifndef FXT_DIFF_DIFF_H
#define FXT_DIFF_DIFF_H

#include <fxt/fxt_glob.h>

#include "libfxt/map.h"
#include "rank.h"
#include "report/stats/report.h"
#include "table/schema.h"
#include "walk/archive.h"

/* Kinds of rows: name in JSON, title in text. */
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

/* From DIFF_METRICS. */
struct diff_metric_info {
	const char *name;
	const char *before;
	const char *after;
	bool is_time;
	double weight;
};

extern const struct diff_metric_info diff_metrics[DIFF_METRIC_COUNT];

extern const struct diff_kind_info {
	const char *name;
	const char *title;
} diff_kinds[DIFF_KIND_COUNT];

struct diff_run {
	const char *path;
	unsigned int side;	/* 0: A, 1: B */
	double divisor;		/* of its numbers: seconds of wall time, or units of work */
	uint64_t from;
	uint64_t to;
	unsigned int cpus;
	uint64_t lost;
	uint64_t written;
	uint64_t violations;
	bool is_told;		/* the archive records its losses */
	bool is_truncated;
	bool skipped;		/* records could not be read */
	uint64_t threads;	/* compared ones, in @scope */
	struct scope scope;
	char command[SCHED_NAME_BYTES];	/* name of a recorded command */
	char *session;		/* its description, for sched/session_text.h */
	size_t session_bytes;
};

/* How one number changed. */
struct diff_change {
	double a;		/* median of the runs of side A, in the printed unit */
	double b;
	double effect;		/* weight in the order of rows */
	bool is_listed;		/* it differs by more than the thresholds and, if known, than chance */
	bool is_apart;		/* the sides do not overlap, except for outliers */
	bool is_tested;		/* by the rank test, which gave @p and @q */
	bool has_shift;		/* @shift is known: factors of B by A, less 1 */
	double p;
	double q;
	struct rank_shift shift;
};

/* Waits of all runs of one side, as in struct report_waits. */
struct diff_waits {
	struct report_hist hist;
	uint64_t open;
	uint64_t unknown;
	bool max_is_open;
};

/* The numbers of one name, process, CPU and so on. */
struct diff_row {
	struct map_node node;
	enum diff_kind kind;
	char *name;
	double *values;		/* by run, then by metric; ns or counts, as in the archives */
	bool is_in[2];		/* by side: does it occur there? */
	struct diff_waits waits[2];
	struct diff_change changes[DIFF_METRIC_COUNT];
	double effect;		/* of all listed changes */
	/* If only one side has it: the other side's row that may be the same, renamed. */
	const struct diff_row *other;
};

/* How changes are distinguished from chance. */
enum diff_judge {
	DIFF_ONE_RUN,		/* not at all: a side has only one run */
	DIFF_APART,		/* too few runs for the test: the sides must lie apart */
	DIFF_TESTED,
};

struct diff {
	const char *unit;	/* glob of the name of a thread or system call; NULL: wall time */
	struct fxt_glob glob;
	bool is_call;		/* it is a system call */
	double least;		/* least relative change to list (0.04 is 4 %) */
	struct diff_run *runs;	/* @counts[0] of A, then @counts[1] of B */
	size_t counts[2];
	struct map map;
	struct diff_row **rows;	/* by kind, then the largest effect first */
	size_t row_count;
	double basis;		/* factor from numbers per divisor to printed ones */
	double seconds;		/* of wall time, for printed numbers */
	enum diff_judge judges[DIFF_KIND_COUNT];
	size_t tests[DIFF_KIND_COUNT];	/* number of rank tests */
	/* Runs per side that suffice to find a single change among the tests of names. */
	size_t needed;
};

static inline size_t diff_run_count(const struct diff *d)
{
	return d->counts[0] + d->counts[1];
}

/* The value of a run, in the printed unit. */
static inline double diff_value(const struct diff *d, const struct diff_row *row, size_t run,
				enum diff_metric metric)
{
	return row->values[run * DIFF_METRIC_COUNT + metric] / d->runs[run].divisor * d->basis;
}

/* --- rows.c: what a recording has ---------------------------------------------------------- */

struct diff_last;

/* Who took a CPU from whom. */
struct diff_preemptions {
	struct diff *diff;	/* receives the result as @run */
	size_t run;
	size_t names;		/* rows of preemptions, of all runs so far */
	struct map by_thread;	/* counts by pair of threads */
	struct diff_last *last[FILTER_CPUS];	/* by CPU: what ran there last */
	struct report_watch watch;	/* for the options of the report */
};

void diff_preemptions_open(struct diff_preemptions *p, struct diff *d, size_t run);
void diff_preemptions_free(struct diff_preemptions *p);

void diff_add_report(struct diff *d, size_t run, const struct report *r,
		     struct diff_preemptions *p);

#define DIFF_FRAME_BYTES	3	/* length of the separator of two frames in a stack's name */

/* The caller of a frame in a stack's name, or NULL. */
const char *diff_next_frame(const char *frames);

/* Count the units of work in a report. */
double diff_units(const struct diff *d, const struct report *r);

/* The row of a name, or NULL. */
struct diff_row *diff_find(const struct diff *d, enum diff_kind kind, const char *name);

void diff_free(struct diff *d);

/* --- compare.c ----------------------------------------------------------------------------- */

void diff_compare(struct diff *d);

/* --- output -------------------------------------------------------------------------------- */

/* Print the changes of a row, without its name or other text of an archive. */
void diff_print_changes(struct out *o, const struct diff *d, const struct diff_row *row);

/* Explain the numbers and how chance was judged; likewise. */
void diff_print_reading(struct out *o, const struct diff *d);

/* Print at most @top rows of each kind. */
void diff_print_text(struct out *o, const struct diff *d, size_t top);
void diff_print_json(struct out *o, const struct diff *d, size_t top);
extern const struct schema diff_schema[];

/* How to read the recordings again, for their timelines. */
struct diff_source {
	const struct archive *how;	/* none is open */
	const struct filter *filter;
};

/* Print a page; at most @top rows of each kind. Returns enum verb_exit. */
int diff_print_html(struct out *o, const struct diff *d, size_t top, const struct diff_source *from);

/* Can the first recording of each side be read again? */
bool diff_has_timelines(const struct diff *d);

/* Print the timelines of both sides, for a page. Returns enum verb_exit. */
int diff_print_timelines(struct out *o, const struct diff *d, const struct diff_source *from);

void diff_print_flames(struct out *o, const struct diff *d);

/* A value of a recording's description, terminated, or "". */
void diff_session(const struct diff_run *run, const char *key, char value[256]);

/* The keys whose values are compared, by number; NULL after the last one. */
const char *diff_sessions_key(size_t i);

bool diff_session_differs(const struct diff *d, const char *key);

#endif /* FXT_DIFF_DIFF_H */
