/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - run times, counts and latencies, for the text, JSON and HTML reports, made in one walk
 * through an archive. Memory grows with threads and CPUs, not with events.
 *
 * A thread waits from its wakeup until it is switched in, or, if it is switched out while still
 * runnable, from its preemption until it is switched in again; the two are kept apart. A wait that
 * begins before all CPUs are covered, or during which records are lost, is unknown, and only the
 * number of such waits is reported. A wait counts for the CPU and the time at which it ends. A wait
 * that is not over at the end of the selected time counts like the others, with its length so far.
 * The threads that ran meanwhile are those on the CPU whose run queue the thread was on, which may
 * be another one.
 *
 * Waits while the CPU is idle are a separate kind ("held off"): such a thread does not wait for the
 * CPU, but because its cgroup is throttled or for another reason.
 *
 * A thread sleeps from the switch that took it off its CPU until its wakeup, with which it begins
 * to wait. Sleeps are known like waits, but never if only some CPUs were recorded, because the
 * thread may have run on another one meanwhile. A sleep counts for the CPU on which it began. A
 * sleep that begins before the selected time or is not over at its end is cut: its part inside that
 * time is counted separately.
 *
 * Times are ns, on the archive's clock.
 */
#ifndef FXT_REPORT_H
#define FXT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "account/history.h"
#include "libfxt/fxt_reader.h"
#include "report_cpus.h"
#include "report_findings.h"
#include "report_kernel.h"
#include "report_slices.h"
#include "report_stacks.h"
#include "report_threads.h"
#include "sched/model.h"
#include "walk/scope.h"

#define REPORT_SORTS(X)								\
	X(RUN, "run") X(SHARE, "share") X(SWITCHES, "switches")			\
	X(PREEMPTIONS, "preempted") X(MIGRATIONS, "migrations")			\
	X(WAKEUPS, "wakeups") X(WAIT, "wait") X(P99, "p99") X(MAX, "max")	\
	X(SLEEP, "sleep") X(UNINTERRUPTIBLE, "uninterruptible")			\
	X(NAME, "name") X(PID, "pid")

enum report_sort {
#define REPORT_SORT_ENUM(sort, name) REPORT_SORT_##sort,
	REPORT_SORTS(REPORT_SORT_ENUM)
#undef REPORT_SORT_ENUM
	REPORT_SORT_COUNT
};

const char *report_sort_name(enum report_sort sort);

/* Callbacks for events that overlap the selected time; may be NULL. */
struct report_watch {
	int (*span)(void *arg, const struct sched_span *span);
	int (*sight)(void *arg, const struct sched_sight *sight);	/* at its begin, if known */
	int (*gap)(void *arg, const struct sched_gap *gap);
	/* A switch to a thread that is not known, so that no span begins. */
	void (*hidden)(void *arg, const struct sched_step *step);
	int (*slice)(void *arg, const struct sched_slice *slice);
	int (*moment)(void *arg, const struct sched_moment *moment);
	int (*move)(void *arg, const struct sched_move *move);
	int (*frequency)(void *arg, const struct sched_frequency *frequency);
	int (*request)(void *arg, const struct sched_request *request);
	void *arg;
};

struct report_options {
	struct filter filter;	/* times and CPUs select what is counted */
	bool only_sums;		/* no account: it is not asked who had the CPU */
	enum report_sort sort;
	size_t worst;
	const struct report_watch *watch;	/* or NULL */
};

/* Sums over everything selected, whether shown or not. */
struct report_totals {
	uint64_t from;			/* ns, begin of the selected time */
	uint64_t to;			/* its end, less than @from if nothing is selected */
	unsigned int cpus;		/* selected CPUs */
	size_t threads;			/* that took part */
	size_t processes;		/* likewise */
	struct report_counts n;		/* activity of all threads except the idle ones */
	struct report_counts shown;	/* of the threads that are shown */
	uint64_t switches;		/* context switches, those of idle threads included */
	uint64_t busy;			/* ns, sum over all CPUs */
	uint64_t idle;			/* likewise */
	uint64_t offline;		/* likewise */
	struct report_waits *waits[REPORT_KINDS];	/* of the threads that are shown */
	struct report_sleeps *sleeps[REPORT_SLEEPS];	/* likewise */
	const struct sched_totals *archive;	/* of the whole archive, without the filter */
	const struct fxt_reader_totals *reader;	/* valid until the reader is closed */
	uint64_t lost_names;		/* lost records of names */
	uint64_t buffer_full;		/* provider events that report a loss */
	uint64_t violations;		/* as reported by fxt check */
	uint64_t contradictions;	/* see report_contradictions() */
	const char *filtered;		/* the filter of the recording, NULL without one */
};

/* The arrays are complete after report_finish(). */
struct report {
	struct report_totals totals;
	struct report_thread **threads;	/* the shown threads, in the requested order */
	size_t thread_count;
	struct report_process **processes;	/* the shown processes, likewise */
	size_t process_count;
	struct report_comm **comms;	/* likewise; by name if the order is that of pids */
	size_t comm_count;
	struct report_comm **cgroups;	/* by the last cgroup of a process, or of its parent */
	size_t cgroup_count;
	struct report_cpu **cpus;	/* the shown CPUs, by number */
	size_t cpu_count;
	struct report_wait *worst;	/* the worst latencies of @threads, the longest first */
	size_t worst_count;
	struct report_longest longest_sleeps[REPORT_LISTED_SLEEPS];	/* cut ones only in D */
	struct report_kernel kernel;	/* what interrupts, idle states and work items took */
	struct report_stacks stacks;
	struct report_placement placement;
	/* What matters most first; none of a damaged archive. */
	struct report_finding findings[REPORT_FINDINGS];
	size_t finding_count;
	uint64_t unlooked;		/* threads not analysed for findings, to limit the time */
	bool has_trigger;		/* the archive is a snapshot, and says what triggered it */
	uint8_t cause;			/* what fired the trigger: enum fxt_sched_cause */
	struct report_wait trigger;	/* the wait, or what ran or was interrupted then */
	struct report_trigger_lock trigger_lock;
	struct report_trigger_stacks trigger_stacks;
	uint64_t runnable;		/* with that cause: threads that were runnable on the CPU */
	const struct slices *slices;	/* of an archive without scheduling, else NULL */
	const struct sched_topology *topology;	/* NULL if unknown */
	struct scope scope;		/* which threads are shown */
	const struct history *history;	/* what each thread did; NULL for only sums */
	bool is_part;			/* only some threads are shown */
};

/* Violations, except that names or the end of the archive are missing. */
uint64_t report_contradictions(const struct report *r);

/*
 * Do records deviate from the format, or contradict each other? What they say may not have
 * happened, so there are no findings.
 */
bool report_is_damaged(const struct report *r);

/* ns in which the running thread is unknown, summed over all CPUs. */
uint64_t report_unknown(const struct report *r);

/* Of all kinds of waits, as far as known. */
uint64_t report_waited_ns(struct report_waits *const *waits);
/* Of sleeps, with cut ones. */
uint64_t report_slept_ns(struct report_sleeps *const *sleeps);

/* ns as a share of the selected time of all CPUs, from 0 to 1. */
double report_share(const struct report *r, uint64_t run);

/* Length of the selected time in ns. */
uint64_t report_window(const struct report *r);

/* "(idle)" of the idle threads, "?" without a name. */
const char *report_name(const struct report_thread *t);

/* "?" without a name. */
const char *report_process_name(const struct report_process *p);

/* Path of a thread's cgroup, "" if unknown; valid after sched_model_finish(). */
const char *engine_cgroup(const struct report_thread *t);

/* scope_find() of another selection than that of the report. */
void report_find_scope(const struct report *r, struct sched_model *m, struct scope *s);

/* Of a cgroup, its path. */
const char *report_origin_name(const struct report_origin *s);

/*
 * Of the cgroups that a thread is in, the one that used up its quota most often in the selected
 * time; NULL if none did, or the cgroup of the thread is unknown.
 */
const struct report_quota *report_quota_of(const struct report *r, const struct report_thread *t);

/* A scheduling class in words; "" for nice 0. */
struct report_class {
	char text[16];
};

/* The class of a weight (0: unknown): "real-time 50", "deadline", "nice 19". */
struct report_class report_class(int32_t weight);

/* Is this the weight of a real-time or deadline thread? */
bool report_is_real_time(int32_t weight);

/* Did a thread that is not real-time wait for one that is? */
bool report_is_starved(const struct report_wait *w);

/*
 * Did a real-time thread wait behind one that is not, although interrupts were not recorded? Only
 * interrupts or non-preemptible code explain such a wait.
 */
bool report_lacks_irqs(const struct report *r, const struct report_wait *w);

/* The name that the threads share; "?" if they have none. */
const char *report_comm_name(const struct report_comm *c);

/* --- making it (engine.c) ---------------------------------------------------------------- */

struct report_engine;

/* The caller keeps @options valid. */
struct report_engine *report_open(const struct report_options *options);
void report_close(struct report_engine *e);

/* Like fxt_reader_next(), but feeds and skips frequent records itself. */
int report_next(struct report_engine *e, struct fxt_reader *r, struct fxt_record *rec);

/* Feed a record. Return: as sched_model_record() */
int report_record(struct report_engine *e, struct fxt_reader *r,
		  const struct fxt_record *rec);

/*
 * Find who had the CPU during a wait, of which @time, @latency and @thread are set. Call it after
 * report_finish(), with an account.
 */
void report_explain(struct report_engine *e, struct report_wait *w);

/* Complete the report, at the end. Return: 0 or a negative errno */
int report_finish(struct report_engine *e);

/* Make the same report again, of all threads, after report_finish(). */
void report_widen(struct report_engine *e);

/* Valid until report_close(). */
const struct report *report_of(const struct report_engine *e);

#endif /* FXT_REPORT_H */
