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
 * the time at which it ends. The threads that ran meanwhile are those on the CPU whose
 * run queue the thread was on, which may be another one.
 *
 * A thread that waits while its CPU is idle does not wait for that CPU: its cgroup is
 * throttled, or something else holds it off. Such waits are a kind of their own.
 *
 * Times are ns, as the archive has them.
 */
#ifndef FXT_REPORT_H
#define FXT_REPORT_H

#include "libfxt/fxt_reader.h"
#include "walk/filter.h"
#include "hist.h"
#include "sched/model.h"

#define REPORT_WAKERS	8	/* of each thread that are counted one by one */
#define REPORT_OCCUPANTS	3	/* of a CPU during a wait that are named */
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

/** report_irq_name() - of enum fxt_sched_irq: "hard", "soft", "nmi", NULL of no interrupt */
const char *report_irq_name(uint8_t irq);

/**
 * struct report_waker - who wakes a thread
 * @thread: NULL if an interrupt does
 * @irq: the interrupt, enum fxt_sched_irq
 * @count: how often, or up to @over less often: only so many wakers have a counter,
 *	and a new one takes over that of the rarest. Without @over it is exact
 */
struct report_waker {
	const struct report_thread *thread;
	uint8_t irq;
	uint64_t count;
	uint64_t over;
};

/**
 * struct report_counts - what a thread or process did
 * @run: ns on a CPU
 * @switches: times that it was switched out
 * @preempted: how many of those left it runnable
 * @migrations: times that it was switched in on another CPU than it had run on last
 * @wakeups: times that it was woken
 * @unknown: times that it was switched in after a wait of unknown length
 */
struct report_counts {
	uint64_t run;
	uint64_t switches;
	uint64_t preempted;
	uint64_t migrations;
	uint64_t wakeups;
	uint64_t unknown;
};

/** struct report_waits - latencies of one kind, and the longest of them */
struct report_waits {
	struct report_hist hist;
	uint64_t max_time;	/* ns, when it ended; the first of several */
	uint16_t max_cpu;	/* that it ended on */
};

struct report_process;
struct report_worst;

/**
 * struct report_thread - one thread
 * @waits: by kind; NULL if there are none
 * @wakers: @waker_count of them; after report_finish() those first that certainly
 *	woke it most often
 * @process: after report_finish(); NULL only for idle threads
 * @is_shown: it takes part and is selected, known after report_finish()
 * @wait_cpu: whose run queue it was put on when its wait began
 * @idle_before: ns that @wait_cpu had been idle by then
 *
 * The rest is the engine's own.
 */
struct report_thread {
	struct report_counts n;
	uint64_t since;			/* ns, that it waits from */
	uint8_t wait;			/* enum report_wait_kind + 1, 0: it does not */
	uint8_t waker_count;
	bool is_idle;			/* the idle threads of all CPUs together */
	bool is_shown;
	uint16_t last_cpu;		/* that it ran on; 0xffff: not known */
	uint16_t irq_cpu;		/* as struct report_wait has it, like @irq */
	uint8_t irq;
	uint16_t wait_cpu;
	uint64_t idle_before;
	struct report_waits *waits[REPORT_WAITS];
	struct sched_thread *sched;
	struct report_waker *wakers;
	struct report_thread *woken_by;
	struct report_process *process;
	struct report_worst *worst;
	uint64_t mark;			/* of the search that @marked belongs to */
	uint64_t marked;		/* ns */
} __attribute__((aligned(64)));

/**
 * struct report_sum - what several threads did together
 * @threads: that took part
 * @is_shown: one of them is
 * @wakers: of all of them, the first REPORT_WAKERS
 */
struct report_sum {
	uint64_t threads;
	bool is_shown;
	struct report_counts n;
	struct report_waits *waits[REPORT_WAITS];
	struct report_waker *wakers;
	unsigned int waker_count;
};

/**
 * struct report_process - one process: the sum of its threads
 * @nth: how many processes had the koid before it
 * @is_known: the archive tells which process its threads are of; else @koid is 0, and
 *	this one has all threads of which it does not
 * @name: as the archive has it, "" if it has none
 */
struct report_process {
	uint64_t koid;
	uint32_t nth;
	bool is_known;
	const char *name;
	struct report_sum sum;
};

/**
 * struct report_comm - all threads of one name, whatever processes they are of
 * @name: as the archive has it, "" of all that have none
 * @processes: of which @sum has threads; all that are not known are one
 * @sum: its wakers are names as well: each is one thread for all of its name
 */
struct report_comm {
	const char *name;
	uint64_t processes;
	struct report_sum sum;
};

/**
 * struct report_cpu - one CPU that switched
 * @busy: ns that other threads than the idle one ran
 * @idle: ns that it ran
 * @switches: on this CPU
 * @longest: ns, of the (first) longest time that one thread ran without a switch
 * @longest_thread: which one; NULL if none did
 * @longest_from: ns, from when on
 * @lost: records
 * @gap: ns in which they were lost
 *
 * What is neither @busy nor @idle is not known.
 */
struct report_cpu {
	uint16_t number;
	bool is_shown;
	uint64_t busy;
	uint64_t idle;
	uint64_t switches;
	uint64_t longest;
	const struct report_thread *longest_thread;
	uint64_t longest_from;
	uint64_t lost;
	uint64_t gap;
};

/** struct report_occupant - @thread had a CPU for @ns of a wait */
struct report_occupant {
	const struct report_thread *thread;
	uint64_t ns;
};

/**
 * struct report_wait - one of the worst latencies
 * @time: ns, when it ended
 * @latency: ns
 * @cpu: that it ended on
 * @from_cpu: that it began on
 * @waker: NULL if it did not begin with a wakeup, that is not known, or an interrupt woke it
 * @irq: the interrupt that woke it, enum fxt_sched_irq
 * @irq_cpu: that was interrupted, REPORT_NO_CPU if not known
 * @occupants: who ran longest meanwhile on the CPU that it waited for, the idle thread
 *	included; @occupant_count of them, none if that is not known
 * @is_part: so many switches were meanwhile that only the last of them are known
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
	bool is_part;
};

#define REPORT_SORTS(X)								\
	X(RUN, "run") X(SHARE, "share") X(SWITCHES, "switches")			\
	X(PREEMPTIONS, "preempted") X(MIGRATIONS, "migrations")			\
	X(WAKEUPS, "wakeups") X(WAIT, "wait") X(P99, "p99") X(MAX, "max")	\
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
 * struct report_watch - who sees the time line pass that the numbers are of
 * @span: as that of struct sched_ops, of what overlaps the time that is looked at
 * @gap: likewise
 * @arg: handed to them
 */
struct report_watch {
	int (*span)(void *arg, const struct sched_span *span);
	int (*gap)(void *arg, const struct sched_gap *gap);
	void *arg;
};

/**
 * struct report_options - what is asked for
 * @filter: of which from, to and CPUs choose what is counted, and pids what is shown
 * @comm: pattern that a thread's name must match to be shown (fxt_glob.h), or NULL
 * @worst: how many of the worst latencies
 * @watch: NULL if nobody watches
 */
struct report_options {
	struct filter filter;
	const char *comm;
	enum report_sort sort;
	size_t worst;
	const struct report_watch *watch;
};

/**
 * struct report_totals - all that was counted, whatever is shown of it
 * @from: ns, of the time that is looked at, and @to; @to is less if nothing is
 * @cpus: that switched and are looked at
 * @threads: that took part, @processes likewise
 * @n: of all threads but the idle ones
 * @switches: all, those of the idle threads included
 * @busy: ns, the sum of all CPUs, like @idle
 * @waits: latencies of the threads that are shown
 * @archive: of the whole archive, whatever was filtered
 * @reader: what was read of it; valid until the reader is closed
 * @lost_names: records of names that are lost
 * @buffer_full: provider events that tell of a loss
 * @violations: what cannot be, as fxt check tells it
 * @filtered: what the recording was told to leave out, NULL if nothing
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
	struct report_waits *waits[REPORT_WAITS];
	const struct sched_totals *archive;
	const struct fxt_reader_totals *reader;
	uint64_t lost_names;
	uint64_t buffer_full;
	uint64_t violations;
	const char *filtered;
};

/**
 * struct report - what came out; the arrays are whole after report_finish()
 * @threads: that are shown, in the order asked for
 * @processes: those that are shown, likewise
 * @comms: names of @threads, likewise; in the order of the names where pids decide
 * @cpus: that are shown, by number
 * @worst: the worst latencies of @threads, the longest first
 * @has_trigger: the archive is a snapshot, and tells which wait made it
 * @trigger: that wait, whatever is shown; who woke it is known only if it is one of @worst
 */
struct report {
	struct report_totals totals;
	struct report_thread **threads;
	size_t thread_count;
	struct report_process **processes;
	size_t process_count;
	struct report_comm **comms;
	size_t comm_count;
	struct report_cpu **cpus;
	size_t cpu_count;
	struct report_wait *worst;
	size_t worst_count;
	bool has_trigger;
	struct report_wait trigger;
};

/** report_unknown() - ns, the sum of all CPUs, in which nobody knows who ran */
uint64_t report_unknown(const struct report *r);

/** report_share() - the part of all CPUs' time that is looked at, from 0 to 1 */
double report_share(const struct report *r, uint64_t run);

/** report_window() - ns that are looked at */
uint64_t report_window(const struct report *r);

/** report_name() - of a thread; "(idle)" of the idle ones, "?" if it has none */
const char *report_name(const struct report_thread *t);

/** report_process_name() - "?" if it has none */
const char *report_process_name(const struct report_process *p);

/** report_comm_name() - "?" if it has none */
const char *report_comm_name(const struct report_comm *c);

#endif /* FXT_REPORT_H */
