/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - run times, counts and latencies, for the text, JSON and HTML reports.
 *
 * In: all records of an archive, in one walk.
 * Out: threads, processes, names and CPUs with their run times, counts and latencies, the
 * worst latencies and the losses. Memory grows with threads and CPUs, not with events.
 *
 * A thread waits from its wakeup until it is switched in, or, if it is switched out while
 * still runnable, from its preemption until it is switched in again; the two are kept
 * apart. A wait that begins before all CPUs are covered, or that may be interrupted where
 * records are lost, is unknown and counted only as that. A wait belongs to the CPU and
 * the time at which it ends. One that is not over at the end of the selected time counts like
 * the others, but is at least so long. The threads that ran meanwhile are those on the CPU whose
 * run queue the thread was on, which may be another one.
 *
 * A thread that waits while its CPU is idle does not wait for that CPU: its cgroup is
 * throttled, or something else holds it off. Such waits are a separate kind.
 *
 * A thread sleeps from the switch that took it off its CPU until its wakeup, with which it
 * begins to wait. A sleep is known like a wait, but not if only some CPUs were recorded: the
 * thread may have run on another one meanwhile. It belongs to the CPU on which it began. A
 * sleep that begins before the selected time or is not over at its end is cut: the part that
 * is inside counts, apart from the others.
 *
 * Times are ns, as the archive has them.
 */
#ifndef FXT_REPORT_H
#define FXT_REPORT_H

#include "libfxt/fxt_reader.h"
#include "walk/filter.h"
#include "calls.h"
#include "finding.h"
#include "hist.h"
#include "level.h"
#include "slices.h"
#include "sources.h"
#include "stacks.h"
#include "sched/model.h"

#define REPORT_WAKERS	8	/* of each thread, counted one by one */
#define REPORT_OCCUPANTS	3	/* of a CPU during a wait, named in the report */
#define REPORT_HELD_MIN	1000000	/* ns; a CPU needs less to wake up from idle */
#define REPORT_NO_TIME	UINT64_MAX
#define REPORT_NO_CPU	0xffff

enum report_wait_kind {
	REPORT_WOKEN,		/* from a wakeup on */
	REPORT_PREEMPTED,	/* from a switch on that left it runnable */
	REPORT_HELD,		/* from either on, while its CPU was idle */
	REPORT_WAITS
};

/** report_wait_name() - "woken", "preempted", "held off" */
const char *report_wait_name(enum report_wait_kind kind);

enum report_sleep_kind {
	REPORT_SLEEP,		/* S: until an event or a signal */
	REPORT_UNINTERRUPTIBLE,	/* D: until an event, mostly of a device or a lock */
	REPORT_IDLE,		/* I: a kernel thread without work */
	REPORT_STOPPED,		/* T: by a signal */
	REPORT_TRACED,		/* t: by a debugger */
	REPORT_PARKED,		/* P: a kernel thread of a CPU that is offline */
	REPORT_SLEEPS
};

#define REPORT_LISTED_SLEEPS	2	/* kinds of which the longest are listed, the first ones */

/** report_sleep_name() - "sleep", "uninterruptible", "idle", "stopped", "traced", "parked" */
const char *report_sleep_name(enum report_sleep_kind kind);

/** report_irq_name() - of enum fxt_sched_irq: "hard", "soft", "nmi", NULL of no interrupt */
const char *report_irq_name(uint8_t irq);

/**
 * struct report_waker - a waker of a thread
 * @thread: NULL if an interrupt does
 * @irq: the interrupt, enum fxt_sched_irq
 * @count: number of wakeups, or up to @over fewer: only some wakers have a counter, and
 *	a new one takes over that of the rarest. It is exact if @over is 0
 */
struct report_waker {
	const struct report_thread *thread;
	uint8_t irq;
	uint64_t count;
	uint64_t over;
};

/**
 * struct report_counts - the activity of a thread or process
 * @run: ns on a CPU
 * @switches: times that it was switched out
 * @preempted: how many of those left it runnable
 * @migrations: times that it was switched in on another CPU than its last one
 * @wakeups: times that it was woken
 * @unknown: times that it was switched in after a wait of unknown length
 * @stolen: ns of @run that interrupts took
 * @moves: times that it was moved to another CPU's run queue, if the archive has those
 * @alone: ns of @run in which no other CPU was busy
 * @calls: system calls that returned, and of these @failed_calls that failed
 * @in_calls: ns in system calls, waits included
 * @forks: threads that it created
 * @ipis: CPUs that it interrupted
 * @unknown_sleeps: how many were of unknown length, or without a wakeup
 * @early_sleeps: 1 for a thread that its first wakeup found asleep since before the archive
 */
struct report_counts {
	uint64_t run;
	uint64_t switches;
	uint64_t preempted;
	uint64_t migrations;
	uint64_t wakeups;
	uint64_t unknown;
	uint64_t stolen;
	uint64_t moves;
	uint64_t alone;
	uint64_t calls;
	uint64_t failed_calls;
	uint64_t in_calls;
	uint64_t forks;
	uint64_t ipis;
	uint64_t unknown_sleeps;
	uint64_t early_sleeps;
};

/**
 * struct report_waits - latencies of one kind, and the longest of them
 * @open: how many of them were not over when they were seen last: these are at least so long
 * @max_is_open: the longest is one of these
 */
struct report_waits {
	struct report_hist hist;
	uint64_t open;
	bool max_is_open;
	uint64_t max_time;	/* ns, when it ended; the first of several */
	uint16_t max_cpu;	/* on which it ended */
};

struct report_process;
struct report_team;
struct report_worst;
struct report_sleeps;

/**
 * struct report_thread - one thread
 * @waits: by kind; NULL if there are none. @sleeps likewise
 * @wakers: @waker_count of them; after report_finish() sorted by the number of certain
 *	wakeups, the most first
 * @process: after report_finish(); NULL only for idle threads
 * @is_shown: it took part and is selected; known after report_finish()
 * @wait_cpu: the CPU of the run queue that it was put on when its wait began
 * @inherited: NULL: it inherited no priority
 * @idle_before: ns that @wait_cpu had been idle by then
 * @crowd_ns: ns that it waited for @crowd_cpu, in waits of REPORT_HELD_MIN or more, while
 *	another CPU was idle; less what it waited so for other CPUs. @crowd_count such waits
 * @is_seen: it was switched, or woken, or woke another
 *
 * The rest is private to the engine.
 */
struct report_thread {
	struct report_counts n;
	uint64_t since;			/* ns, begin of its wait or sleep */
	uint8_t wait;			/* enum report_wait_kind + 1; 0: it does not wait */
	uint8_t sleep;			/* enum report_sleep_kind + 1; 0: it does not sleep */
	uint8_t waker_count;
	bool is_seen;
	bool is_idle;			/* the idle threads of all CPUs together */
	bool is_shown;
	uint16_t last_cpu;		/* that it last ran on; 0xffff: unknown */
	uint16_t irq_cpu;		/* as struct report_wait has it, like @irq */
	uint8_t irq;
	bool by_idle;
	uint16_t wait_cpu;
	uint16_t crowd_cpu;
	uint64_t idle_before;
	uint64_t free_before;		/* ns that any CPU had been idle by then */
	uint64_t crowd_ns;
	uint64_t crowd_count;
	struct report_waits *waits[REPORT_WAITS];
	struct report_sleeps *sleeps[REPORT_SLEEPS];
	struct sched_thread *sched;
	struct report_waker *wakers;
	struct report_calls calls;
	struct report_off off;
	struct report_thread *woken_by;
	struct report_process *process;
	struct report_team *team;	/* the threads of its process; NULL: unknown so far */
	struct report_worst *worst;
	struct report_inherited *inherited;
	uint64_t mark;			/* of the search that @marked belongs to */
	uint64_t marked;		/* ns */
} __attribute__((aligned(64)));

/**
 * struct report_sum - the activity of several threads together
 * @threads: number of threads that took part
 * @is_shown: one of them is shown
 * @wakers: of all of them, the first REPORT_WAKERS
 */
struct report_sum {
	uint64_t threads;
	bool is_shown;
	struct report_counts n;
	struct report_waits *waits[REPORT_WAITS];
	struct report_sleeps *sleeps[REPORT_SLEEPS];
	struct report_waker *wakers;
	unsigned int waker_count;
	struct report_calls calls;
};

/**
 * struct report_process - one process: the sum of its threads
 * @nth: how many processes had the koid before it
 * @is_known: the archive has the process of its threads; else @koid is 0, and this
 *	entry has all threads of unknown process
 * @sched: NULL if the archive has no kernel object of it
 * @name: as the archive has it, "" if it has none
 * @parent_name: likewise, of its parent; NULL if the archive does not have that one
 * @team: its threads as they ran together; NULL if that is unknown
 */
struct report_process {
	uint64_t koid;
	uint32_t nth;
	bool is_known;
	const struct sched_process *sched;
	const char *name;
	const char *parent_name;
	const struct report_team *team;
	struct report_sum sum;
};

/**
 * struct report_comm - all threads of one name, of any process; or of one cgroup
 * @name: as the archive has it, "" for all threads without a name, or of unknown cgroup
 * @processes: number of processes with threads in @sum; all unknown ones count as one
 * @sum: its wakers are summed by name, too: one thread stands for all of its name
 */
struct report_comm {
	const char *name;
	uint64_t processes;
	struct report_sum sum;
};

/**
 * struct report_levels - values of one CPU over time
 * @khz: its frequency
 * @queue: threads that ran or wanted to
 * @util: the kernel's utilization, of 1024
 */
struct report_levels {
	struct report_level khz;
	struct report_level queue;
	struct report_level util;
};

/**
 * struct report_cpu - one CPU
 * @busy: ns in which threads other than the idle one ran
 * @idle: ns in which the idle thread ran
 * @offline: ns in which it was offline
 * @switches: on this CPU
 * @longest: ns, of the (first) longest time that one thread ran without a switch
 * @longest_thread: that thread; NULL if none ran
 * @longest_from: ns, begin of that time
 * @lost: records
 * @gap: ns in which they were lost
 * @kernel: interrupts and idle states
 * @levels: frequency, run queue and load
 *
 * The rest of the selected time is unknown.
 */
struct report_cpu {
	uint16_t number;
	bool is_shown;
	uint64_t busy;
	uint64_t idle;
	uint64_t offline;
	uint64_t switches;
	uint64_t longest;
	const struct report_thread *longest_thread;
	uint64_t longest_from;
	uint64_t lost;
	uint64_t gap;
	struct report_cpu_kernel kernel;
	struct report_levels levels;
};

/** struct report_occupant - @thread had a CPU for @ns of a wait */
struct report_occupant {
	const struct report_thread *thread;
	uint64_t ns;
};

/**
 * struct report_wait - one of the worst latencies, or of the longest sleeps
 * @time: ns, when it ended
 * @latency: ns
 * @kind: enum report_wait_kind; of a sleep, enum report_sleep_kind
 * @cpu: the CPU on which it ended; of a sleep, the CPU that the thread was woken onto
 * @from_cpu: the CPU on which it began
 * @waker: NULL if it did not begin with a wakeup, is unknown, or was an interrupt or an idle
 *	CPU; of a sleep, who ended it, like @irq
 * @irq: the interrupt that woke it, enum fxt_sched_irq
 * @irq_cpu: the interrupted CPU, REPORT_NO_CPU if unknown
 * @by_idle: an idle CPU woke it
 * @occupants: the threads that ran longest meanwhile on the CPU that it waited for,
 *	including the idle thread; @occupant_count of them, none if unknown
 * @is_part: there were so many switches meanwhile that only the last are known
 * @is_open: it was not over at the end of the selected time: it is at least so long
 * @stolen: ns that interrupts took meanwhile on that CPU
 * @thief: the interrupt that took most of it, NULL without any
 * @thief_ns: how much
 */
struct report_wait {
	uint64_t time;
	uint64_t latency;
	const struct report_thread *thread;
	const struct report_thread *waker;
	struct report_occupant occupants[REPORT_OCCUPANTS];
	uint8_t occupant_count;
	uint16_t cpu;
	uint16_t from_cpu;
	uint16_t irq_cpu;
	uint8_t irq;
	uint8_t kind;
	bool by_idle;
	bool is_part;
	bool is_open;
	uint64_t stolen;
	const struct report_source *thief;
	uint64_t thief_ns;
};

/**
 * struct report_sleeps - sleeps of one kind
 * @ns: in @count sleeps that are inside the selected time
 * @cut_ns: the part of @cut_count others that is inside
 * @longest: of the first; without any, its latency is 0
 * @worst: private to the engine
 */
struct report_sleeps {
	uint64_t count;
	uint64_t ns;
	uint64_t cut_count;
	uint64_t cut_ns;
	struct report_wait longest;
	struct report_worst *worst;
};

/** struct report_longest - @count sleeps, the longest first */
struct report_longest {
	struct report_wait *list;
	size_t count;
};

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

/** report_sort_name() - as REPORT_SORTS has it */
const char *report_sort_name(enum report_sort sort);

/**
 * struct report_watch - observer of the timeline behind the numbers
 * @span: as in struct sched_ops, for spans that overlap the selected time
 * @gap: likewise
 * @slice: likewise
 * @moment: likewise
 * @move: likewise
 * @frequency: likewise
 * @arg: passed to them
 */
struct report_watch {
	int (*span)(void *arg, const struct sched_span *span);
	int (*gap)(void *arg, const struct sched_gap *gap);
	int (*slice)(void *arg, const struct sched_slice *slice);
	int (*moment)(void *arg, const struct sched_moment *moment);
	int (*move)(void *arg, const struct sched_move *move);
	int (*frequency)(void *arg, const struct sched_frequency *frequency);
	void *arg;
};

/**
 * struct report_options - the request
 * @filter: its from, to and CPUs select what is counted, its pids what is shown
 * @comm: pattern that a thread's name must match to be shown (fxt_glob.h), or NULL
 * @cgroup: path of a cgroup that a thread must be in, or below, to be shown; or NULL
 * @worst: number of worst latencies
 * @watch: NULL without an observer
 */
struct report_options {
	struct filter filter;
	const char *comm;
	const char *cgroup;
	enum report_sort sort;
	size_t worst;
	const struct report_watch *watch;
};

/** report_selects_threads() - are only some threads to be shown? */
static inline bool report_selects_threads(const struct report_options *o)
{
	return o->filter.pids.count || o->comm || o->cgroup;
}

/**
 * struct report_totals - everything counted, whether shown or not
 * @from: ns, begin of the selected time; @to is its end, and is less if nothing is selected
 * @cpus: number of selected CPUs
 * @threads: number of threads that took part, @processes likewise
 * @n: of all threads except the idle ones
 * @switches: all, including those of the idle threads
 * @busy: ns, the sum of all CPUs, like @idle and @offline
 * @waits: latencies of the threads that are shown; @sleeps likewise
 * @archive: totals of the archive without any filter
 * @reader: what was read of it; valid until the reader is closed
 * @lost_names: number of lost records of names
 * @buffer_full: number of provider events that report a loss
 * @violations: number of violations, as reported by fxt check
 * @filtered: the filter of the recording, NULL without one
 */
struct report_totals {
	uint64_t from;
	uint64_t to;
	unsigned int cpus;
	size_t threads;
	size_t processes;
	struct report_counts n;
	uint64_t switches;
	uint64_t busy;
	uint64_t idle;
	uint64_t offline;
	struct report_waits *waits[REPORT_WAITS];
	struct report_sleeps *sleeps[REPORT_SLEEPS];
	const struct sched_totals *archive;
	const struct fxt_reader_totals *reader;
	uint64_t lost_names;
	uint64_t buffer_full;
	uint64_t violations;
	const char *filtered;
};

/**
 * struct report - the result; the arrays are complete after report_finish()
 * @threads: the shown threads, in the requested order
 * @processes: the shown processes, likewise
 * @comms: names of @threads, likewise; in the order of the names where pids decide
 * @cgroups: likewise, by the cgroup that a process, or else its parent, had last; none if the
 *	archive has no cgroups
 * @cpus: the shown CPUs, by number
 * @worst: the worst latencies of @threads, the longest first
 * @longest_sleeps: of @threads, by kind. Only uninterruptible sleeps are listed if they are
 *	cut, because a thread that never wakes up stands out
 * @kernel: what interrupts, idle states and work items took
 * @findings: what is wrong, the most important first
 * @has_trigger: the archive is a snapshot, and names the wait that triggered it
 * @cause: for what the thread waited: enum fxt_sched_cause
 * @trigger: that wait; its thread is NULL if an interrupt hit one that the archive does not
 *	have; whether shown or not; its waker is known only if it is one of @worst. With
 *	FXT_SCHED_CAUSE_RUNNABLE the thread that ran, and no wait
 * @runnable: with that cause: threads that were runnable on the CPU
 * @slices: what the archive has instead if it has no scheduling at all; else NULL
 */
struct report {
	struct report_totals totals;
	struct report_thread **threads;
	size_t thread_count;
	struct report_process **processes;
	size_t process_count;
	struct report_comm **comms;
	size_t comm_count;
	struct report_comm **cgroups;
	size_t cgroup_count;
	struct report_cpu **cpus;
	size_t cpu_count;
	struct report_wait *worst;
	size_t worst_count;
	struct report_longest longest_sleeps[REPORT_LISTED_SLEEPS];
	struct report_kernel kernel;
	struct report_stacks stacks;
	struct report_finding findings[REPORT_FINDING_KIND_COUNT * REPORT_FINDINGS_OF_KIND + 1];
	size_t finding_count;
	bool has_trigger;
	uint8_t cause;
	struct report_wait trigger;
	uint64_t runnable;
	const struct slices *slices;
};

/** report_unknown() - ns, the sum of all CPUs, in which the running thread is unknown */
uint64_t report_unknown(const struct report *r);

/** report_share() - the share of all CPUs' selected time, from 0 to 1 */
double report_share(const struct report *r, uint64_t run);

/** report_window() - the selected time in ns */
uint64_t report_window(const struct report *r);

/** report_name() - of a thread; "(idle)" of the idle ones, "?" if it has none */
const char *report_name(const struct report_thread *t);

/** report_process_name() - "?" if it has none */
const char *report_process_name(const struct report_process *p);

/** report_source_name() - of a cgroup its path */
const char *report_source_name(const struct report_source *s);

/**
 * report_is_in() - is a cgroup that of a path, or below it?
 * @cgroup: its path, in a merged archive followed by its host: "/path [host]"; "" if unknown
 * @path: likewise; without a host, that of any
 *
 * Return: false if the path of the cgroup is unknown.
 */
bool report_is_in(const char *cgroup, const char *path);

/**
 * report_throttled_of() - the throttled cgroup that a thread is in, the one throttled longest
 * @r: the report
 * @t: the thread
 *
 * Return: NULL without any, or if the cgroup of the thread is unknown.
 */
const struct report_source *report_throttled_of(const struct report *r,
						const struct report_thread *t);

/**
 * report_throttled_ns() - for how long throttling may have kept a thread from running
 * @r: the report
 * @t: the thread
 * @cpu: on this CPU, or REPORT_NO_CPU for any
 *
 * A throttled cgroup whose path is unknown may be that of any thread.
 */
uint64_t report_throttled_ns(const struct report *r, const struct report_thread *t,
			     uint16_t cpu);

/** report_comm_name() - "?" if it has none */
const char *report_comm_name(const struct report_comm *c);

#endif /* FXT_REPORT_H */
