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
 * apart. A wait that begins before all CPUs are covered, or during which records are lost, is
 * unknown, and only the number of such waits is reported. A wait counts for the CPU and the time at
 * which it ends. A wait that is not over at the end of the selected time counts like the others,
 * with its length so far. The threads that ran meanwhile are those on the CPU whose run queue the
 * thread was on, which may be another one.
 *
 * Waits while the CPU is idle are a separate kind ("held off"): such a thread does not wait for the
 * CPU, but because its cgroup is throttled or for another reason.
 *
 * A thread sleeps from the switch that took it off its CPU until its wakeup, with which it
 * begins to wait. Sleeps are known like waits, but never if only some CPUs were recorded, because
 * the thread may have run on another one meanwhile. A sleep counts for the CPU on which it began. A
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
#include "hist.h"
#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"
#include "libfxt/objects.h"
#include "libfxt/stacks.h"
#include "sched/kernel_types.h"
#include "sched/model.h"
#include "sched/symbols.h"
#include "walk/scope.h"

struct report_thread;
struct report_process;
struct report_wait;
struct report_share;

/* --- interrupts and other origins (interrupts.c, cgroups.c) ------------------------------ */

/**
 * struct report_inherited - priorities that a thread inherited
 * @thread: the thread
 * @count: how often its priority was raised, while it had its own or an inherited one
 * @own: its least urgent priority before a raise
 * @best: the most urgent one that it inherited
 */
struct report_inherited {
	const struct report_thread *thread;
	uint64_t count;
	int32_t own;
	int32_t best;
};

#define REPORT_PERIODS	16	/* periods that are remembered */

/** struct report_period - a time in which at least one CPU throttled a cgroup */
struct report_period {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
};

/**
 * struct report_throttled - the time in which a cgroup was throttled
 * @ns: ns in which at least one CPU throttled it; like @periods, without those in @recent
 * @periods: how often this began
 * @until: ns, end of the last period that is no longer in @recent
 */
struct report_throttled {
	uint64_t ns;
	uint64_t periods;
	uint64_t until;
	unsigned int count;
	struct report_period recent[REPORT_PERIODS];
};

/**
 * struct report_origin - all slices of one interrupt, idle state or function of work items, all
 * system calls of one name by the threads that are shown, all slices of one throttled cgroup,
 * or all ends of threads of one name with one code or signal
 * @of: the origin, as the model has it
 * @count: slices that ended in the selected time, on selected CPUs
 * @total: ns in the selected time
 * @longest: ns, of the (first) longest slice
 * @longest_time: ns, when it ended
 * @longest_cpu: on which CPU
 * @errors: system calls that failed
 * @throttled: of a cgroup: when CPUs throttled it, else NULL
 * @most: the thread that lost most time to it; NULL if none is known
 * @most_ns: ns that @most lost
 *
 * The rest is private to the engine.
 */
struct report_origin {
	const struct sched_origin *of;
	uint64_t count;
	uint64_t total;
	uint64_t longest;
	uint64_t longest_time;
	uint16_t longest_cpu;
	uint64_t errors;
	struct report_throttled *throttled;
	const struct report_thread *most;
	uint64_t most_ns;
	uint64_t mark;			/* number of the search that @marked belongs to */
	uint64_t marked;		/* ns */
};

/**
 * struct report_cpu_kernel - what the kernel did on one CPU
 * @hard: ns that hard interrupts took, those of the CPU itself included
 * @soft: ns that soft interrupts took
 * @idle: ns in idle states, including interrupts meanwhile
 */
struct report_cpu_kernel {
	uint64_t hard;
	uint64_t soft;
	uint64_t idle;
};

/** struct report_share - an origin on one CPU; fields as in struct report_origin */
struct report_share {
	const struct report_origin *origin;
	uint16_t cpu;
	uint64_t count;
	uint64_t total;
	const struct report_thread *most;
	uint64_t most_ns;
};

/**
 * struct report_ipi - interrupts that one CPU sent to another
 * @of: the function that the other CPU had to call
 * @from: the CPU that interrupted
 * @to: the CPU that was interrupted; REPORT_NO_CPU: any beyond the first 64
 * @count: how often
 */
struct report_ipi {
	const struct sched_origin *of;
	uint16_t from;
	uint16_t to;
	uint64_t count;
};

/**
 * struct report_signal - a signal that a thread sent to another one, or to itself
 * @sender: NULL if an interrupt sent it, as for a timer
 * @target: the thread that gets it; of a signal for a process, one of its threads
 * @number: of the signal
 * @result: code of what became of it, as in fxt_sched_put_signal()
 * @count: how often, in the selected time
 */
struct report_signal {
	const struct report_thread *sender;
	const struct report_thread *target;
	uint32_t number;
	uint8_t result;
	uint64_t count;
};

/** report_signal_result() - what became of a signal, in words; NULL if the code is unknown */
const char *report_signal_result(uint8_t result);

#define REPORT_SIGNAL_RESULTS	5	/* codes that have words */

/**
 * struct report_quota - what the kernel counted of a cgroup in the selected time, on all CPUs
 * @cgroup: its id
 * @path: its name
 * @base: the counts when the selected time began, or the first known ones
 * @counts: as in struct sched_quota, less @base
 */
struct report_quota {
	uint64_t cgroup;
	const char *path;
	uint64_t base[SCHED_QUOTA_COUNTS];
	uint64_t counts[SCHED_QUOTA_COUNTS];
};

/* --- where threads are put (placement.c) ------------------------------------------------- */

#define REPORT_CONCURRENCY	65	/* numbers of busy CPUs; the last: or more */

/**
 * struct report_concurrency - the time in which some number of CPUs was busy
 * @busy: how many
 * @busy_to: up to this number, because one row may stand for several numbers
 * @label: the numbers as text
 * @ns: of the selected time
 * @waiting: the part of @ns in which threads waited for a CPU
 * @waits: ns that these threads waited, in total
 * @starved: the part of @ns in which a thread waited for a busy CPU although another one was idle,
 *	not counting threads that may not run on all CPUs
 */
struct report_concurrency {
	uint32_t busy;
	uint32_t busy_to;
	char label[12];
	uint64_t ns;
	uint64_t waiting;
	uint64_t waits;
	uint64_t starved;
};

enum report_place {
	REPORT_PLACE_BUSY,	/* woken on a busy CPU, although another one was idle */
	REPORT_PLACE_SIBLING,	/* woken on an idle CPU of a busy core, although a core was idle */
	REPORT_PLACE_CORE,	/* moved to another core that shares the last-level cache */
	REPORT_PLACE_CACHE,	/* moved to another cache on the same node */
	REPORT_PLACE_NODE,	/* moved to another node */
	REPORT_PLACES
};

/** struct report_placed - how often a placement happened, and ns that the threads waited then */
struct report_placed {
	const char *what;
	uint64_t count;
	uint64_t ns;
};

/**
 * struct report_placement - concurrency and placement; empty unless the archive has the topology
 * @concurrency: rows for numbers of CPUs that occurred
 * @places: placements that occurred
 */
struct report_placement {
	struct report_concurrency concurrency[REPORT_CONCURRENCY];
	size_t concurrency_count;
	struct report_placed places[REPORT_PLACES];
	size_t place_count;
};

/**
 * struct report_kernel - events of the kernel, complete after report_finish()
 * @has: by enum kernel_event_what: the archive has such events, even if none is selected
 * @origins: all interrupts, then idle states, work items, system calls, throttled cgroups and
 *	ends of threads; of each those with most time first, or with the largest count
 * @shares: of CPUs, but not of system calls: the largest first
 * @ipis: the most frequent first
 * @quotas: of cgroups: those throttled longest first
 * @inherited: by threads that are shown: the largest count first
 * @signals: sent or taken by threads that are shown: the largest count first
 * @exits: ends of threads, and of these @failed_exits with a code or by a signal
 */
struct report_kernel {
	bool has[KERNEL_EVENTS];
	struct report_origin **origins;
	size_t origin_count;
	struct report_share *shares;
	size_t share_count;
	struct report_ipi *ipis;
	size_t ipi_count;
	struct report_quota *quotas;
	size_t quota_count;
	struct report_inherited **inherited;
	size_t inherited_count;
	struct report_signal *signals;
	size_t signal_count;
	uint64_t exits;
	uint64_t failed_exits;
};

/** report_has_irqs() - does the archive have interrupts, hard or soft? */
static inline bool report_has_irqs(const struct report_kernel *k)
{
	return k->has[KERNEL_IRQ] || k->has[KERNEL_VECTOR] || k->has[KERNEL_SOFTIRQ];
}

/* --- system calls (syscalls.c) ----------------------------------------------------------- */

/**
 * struct report_call - all calls of one name
 * @of: its name and number, as the model has them
 * @count: calls that returned in the selected time, on selected CPUs
 * @errors: how many of these failed
 * @total: ns in the selected time, waits included
 * @longest: ns, of the (first) longest call
 * @longest_time: ns, when it returned
 * @longest_cpu: on which CPU
 */
struct report_call {
	struct sched_origin *of;
	uint64_t count;
	uint64_t errors;
	uint64_t total;
	uint64_t longest;
	uint64_t longest_time;
	uint16_t longest_cpu;
};

/**
 * struct report_calls - system calls by name, @count of them; finally sorted by time, longest
 * first
 */
struct report_calls {
	struct report_call *list;
	unsigned int count;
};

/* --- call stacks (stacks.c) -------------------------------------------------------------- */

#define REPORT_FRAME_BYTES	520

enum report_stack_kind {
	REPORT_STACK_SLEPT,	/* where threads slept */
	REPORT_STACK_IDLE,	/* where kernel threads waited for work (state I) */
	REPORT_STACK_PREEMPTED,	/* where they were preempted */
	REPORT_STACK_WAKER,	/* what woke them, with the sleeps that it ended */
	REPORT_STACK_KINDS
};

/**
 * struct report_off - the time off its CPU of a thread, current or just ended
 * @since: ns, of its switch-out
 * @woken: ns, of its wakeup; 0 if there was none
 * @ns: how long it was, once it has been switched in
 * @waker: the stack of what woke it, NULL if unknown
 * @from: the same of the sleep that has ended
 * @state: letter; 0: it is not, or since when is unknown
 * @left: what @state was until it was switched in
 * @has_ended: @ns is valid, and its stack has not been seen
 */
struct report_off {
	uint64_t since;
	uint64_t woken;
	uint64_t ns;
	const struct fxt_call_stack *waker;
	const struct fxt_call_stack *from;
	char state;
	char left;
	bool has_ended;
};

/**
 * struct report_stack - all stacks in the same functions
 * @stack: its frames are beginnings of functions, or addresses where functions are unknown
 * @thread: NULL if it is of several threads
 * @ns: sum of its @count sleeps or preemptions
 * @longest: ns of the (first) longest one, which @longest_thread was in
 * @longest_time: ns, when it ended
 */
struct report_stack {
	const struct fxt_call_stack *stack;
	const struct report_thread *thread;
	uint64_t ns;
	uint64_t count;
	uint64_t longest;
	uint64_t longest_time;
	const struct report_thread *longest_thread;
};

/** struct report_stack_list - stacks, those with most time first */
struct report_stack_list {
	struct report_stack *all;
	size_t count;
};

/**
 * struct report_function - a function that is in stacks
 * @name: its name, or its address if that is unknown
 * @self_ns: sum over the @self_count stacks whose innermost function it is
 * @ns: sum over all stacks that it is in; @count, @longest and so on as in struct report_stack
 */
struct report_function {
	char *name;
	uint64_t self_ns;
	uint64_t self_count;
	uint64_t ns;
	uint64_t count;
	uint64_t longest;
	uint64_t longest_time;
	const struct report_thread *longest_thread;
};

/** struct report_function_list - functions, sorted by @self_ns (wakers: by @ns), largest first */
struct report_function_list {
	struct report_function *all;
	size_t count;
};

/**
 * struct report_waking - what woke threads that slept in one stack
 * @stack: of struct report_stack
 * @from: the waker's stack, likewise; NULL if unknown
 * @by: the thread that woke them, or one of its name; NULL if unknown or an interrupt
 * @irq: enum fxt_sched_irq
 * @ns: sum of these sleeps, of which there are @count; the longest lasted @longest
 */
struct report_waking {
	const struct fxt_call_stack *stack;
	const struct fxt_call_stack *from;
	const struct report_thread *by;
	uint8_t irq;
	uint64_t ns;
	uint64_t count;
	uint64_t longest;
};

/**
 * struct report_stacks - call stacks of the threads that are shown
 * @of_threads: by kind: a thread and a stack each
 * @together: by kind: a stack each
 * @functions: by kind
 * @wakings: for each stack in turn, those with most time first; @waking_count in total
 * @symbols: of the archive
 * @has: the archive has stacks
 */
struct report_stacks {
	struct report_stack_list of_threads[REPORT_STACK_KINDS];
	struct report_stack_list together[REPORT_STACK_KINDS];
	struct report_function_list functions[REPORT_STACK_KINDS];
	struct report_waking *wakings;
	size_t waking_count;
	struct sched_symbols *symbols;
	bool has;
};

/**
 * report_stack_range() - find the frames of a stack that matter: why a thread slept, or what woke
 * one
 * @s: the stacks
 * @stack: one of them
 * @is_waker: the stack is that of a wakeup
 * @begin: set to the innermost frame that is not of the tracer
 * @end: set to the end; below an interrupt, code that it interrupted is excluded, because that did
 *	not wake the thread
 */
void report_stack_range(const struct report_stacks *s, const struct fxt_call_stack *stack,
			bool is_waker, uint32_t *begin, uint32_t *end);

/** report_wakings_of() - what ended the sleeps in a stack; sets @count to their number */
const struct report_waking *report_wakings_of(const struct report_stacks *s,
					      const struct fxt_call_stack *stack, size_t *count);

/**
 * report_frame_name() - the name of a frame's function
 * @s: the stacks
 * @stack: one of them
 * @i: number of the frame, 0 for the innermost
 * @text: room for the address of an unknown function
 *
 * Return: its name, or its address in hexadecimal.
 */
const char *report_frame_name(const struct report_stacks *s, const struct fxt_call_stack *stack,
			      uint32_t i, char text[20]);

/**
 * report_recorded_name() - likewise for a recorded stack, whose frames are return addresses
 */
const char *report_recorded_name(const struct report_stacks *s, const struct fxt_call_stack *stack,
				 uint32_t i, char text[20]);

/* --- levels of CPUs (cpus.c) ------------------------------------------------------------- */

#define REPORT_UTIL_MAX	1024.0	/* the kernel's SCHED_CAPACITY_SCALE */

/**
 * struct report_level - a value over the selected time
 * @known: ns in which it was known; 0: other fields are invalid
 * @sum: integral of the value over time (ns)
 * @above: ns in which it was greater than 1
 * @now: the value since @since (ns), if @is_known
 */
struct report_level {
	uint64_t known;
	double sum;
	uint64_t above;
	uint32_t least;
	uint32_t most;
	uint32_t now;
	bool is_known;
	uint64_t since;
};

/** report_level_average() - average over the known time; 0 if it was never known */
static inline double report_level_average(const struct report_level *l)
{
	return l->known ? l->sum / l->known : 0;
}

/* --- findings (findings.c) --------------------------------------------------------------- */

#define REPORT_FINDINGS	8	/* findings in a report, at most */
#define REPORT_PARTIES	3	/* culprits, and other victims, that a finding names */

/*
 * Kinds of findings. Those that are a part of the victim's time are sorted by that part; the wait that
 * fired the trigger comes before them, and those from spike on come after them.
 *
 * trigger: the wait that fired the trigger.
 * throttled: the quota of a cgroup was used up.
 * held: the CPU was idle, and yet the thread waited for it.
 * limited: its scheduling class might not run.
 * behind: other threads had its CPU.
 * interrupt: interrupts took its CPU.
 * convoy: the threads of a process take turns, as behind one lock.
 * limit: others sleep until a thread that always runs, or wants to.
 * slow: one of several equal threads sleeps until interrupts, the others hardly do.
 * slept: it sleeps until a thread that itself waits for a device.
 * spike: a rare wait is much longer than usual.
 * serial: mostly one CPU was busy.
 * crowd: threads of one name waited for each other, and no CPU was idle.
 * unknown: who had its CPU is not known.
 * recorder: the recorder had its CPU.
 */
#define REPORT_FINDING_KINDS(X)							\
	X(TRIGGER, "trigger") X(THROTTLED, "throttled") X(HELD, "held")		\
	X(LIMITED, "limited") X(BEHIND, "behind") X(INTERRUPT, "interrupt") X(CONVOY, "convoy")	\
	X(LIMIT, "limit") X(SLOW, "slow") X(SLEPT, "slept") X(SPIKE, "spike")	\
	X(SERIAL, "serial") X(CROWD, "crowd") X(UNKNOWN, "unknown")		\
	X(RECORDER, "recorder")

enum report_finding_kind {
#define REPORT_FINDING_ENUM(kind, name) REPORT_FINDING_##kind,
	REPORT_FINDING_KINDS(REPORT_FINDING_ENUM)
#undef REPORT_FINDING_ENUM
	REPORT_FINDING_KIND_COUNT
};

/** report_finding_name() - the name of a kind, from REPORT_FINDING_KINDS */
const char *report_finding_name(enum report_finding_kind kind);

/**
 * struct report_party - threads of one name
 * @thread: one of them, NULL if there are none
 * @threads: their number
 * @ns: their part of the finding, of @of ns
 */
struct report_party {
	const struct report_thread *thread;
	uint64_t threads;
	uint64_t ns;
	uint64_t of;
};

/**
 * struct report_finding - time that threads could have used, and who took it
 * @victim: who lost @ns of @of, the time in which they existed; limit: the one that limits the others,
 *	with the time that it ran or waited for a CPU; serial: who ran alone, with that time, of the
 *	selected time in which one CPU was busy
 * @count: waits, or sleeps
 * @longest: ns, which began at @longest_from; of slow, ns on average
 * @direct: ns that the victim did not sleep; the rest it slept until the threads of @through
 * @is_part: not all was looked at, so the numbers are lower bounds
 * @is_inversion: the victim is more urgent than the culprit, and sleeps until one that is less urgent
 * @is_open: a wait was not over at the end
 * @is_bound: the victims may run on one CPU only
 * @is_own: the culprits are threads of the same name
 * @culprits: @culprit_count of them, the first ones are named; of an interrupt they have no thread
 * @origin: the interrupt that took most
 * @cgroup: throttled: whose quota; held: whose quota was used up on that CPU meanwhile, if
 *	@is_near, else the cgroup of the threads, or NULL
 * @others: @other_count of them, who lost time in the same way
 * @sleepers: @sleeper_count of them, who slept until the victim meanwhile
 * @back: behind: the culprit waited behind the victim, too
 * @limit: limited: what kept its class from running
 * @function: in which the one that was slept for worked, or NULL
 * @cpu: where it happened, REPORT_NO_CPU if on several
 * @idle_cpu: if @idle_ns: the CPU that was idle meanwhile, and how long in total
 * @usual: ns, of spike; 0 if unknown
 */
struct report_finding {
	enum report_finding_kind kind;
	struct report_party victim;
	uint64_t count;
	uint64_t longest;
	uint64_t longest_from;
	uint64_t direct;
	bool is_part;
	bool is_inversion;
	bool is_open;
	bool is_bound;
	bool is_near;
	bool is_own;
	struct report_party culprits[REPORT_PARTIES];
	size_t culprit_count;
	struct report_party through[REPORT_PARTIES];
	const struct sched_origin *origin;
	const char *cgroup;
	struct report_party others[REPORT_PARTIES];
	size_t other_count;
	struct report_party sleepers[REPORT_PARTIES];
	size_t sleeper_count;
	struct report_party back;
	const char *limit;
	const char *function;
	uint16_t cpu;
	uint16_t idle_cpu;
	uint64_t idle_ns;
	uint64_t usual;
};

/* --- without scheduling (slices.c) ------------------------------------------------------- */

/** struct slices_name - all slices of a name; times are ns */
struct slices_name {
	struct map_node node;
	uint64_t count;
	uint64_t total;		/* sum of their durations */
	uint64_t self;		/* @total without slices inside them */
	uint64_t longest;
	uint64_t longest_at;	/* its begin */
	bool is_async;		/* they may overlap, belong to no thread and have no @self */
	uint32_t number;
	uint32_t length;
	char *name;
};

/** struct slices_track - a thread that has slices */
struct slices_track {
	struct map_node node;
	uint32_t provider;
	uint32_t number;
	uint64_t process;
	uint64_t thread;
	uint64_t slices;
	uint64_t covered;		/* ns within at least one; unknown where self times are */
	uint64_t last;			/* ns, the last begin or end so far */
	struct slices_open *stack;	/* slices that are not over, @depth of them */
	size_t depth;
};

/** struct slices_counter - a series of values */
struct slices_counter {
	struct map_node node;
	uint64_t process;
	uint64_t id;
	uint64_t values;
	double min;
	double max;
	double last;
	uint32_t length;
	char *name;		/* of counter and series */
};

struct slices_late;
struct slices_piece;
struct slices_async;

/**
 * struct slices - contents of an archive without scheduling; initialize with zeros, end with
 * slices_free()
 */
struct slices {
	const struct filter *filter;		/* by time and process; may be NULL */
	struct slices_name **names;		/* after slices_finish(): the largest total first */
	size_t name_count;
	struct slices_track **tracks;		/* most slices first */
	size_t track_count;
	struct slices_counter **counters;	/* most values first */
	size_t counter_count;
	uint64_t first;				/* ns, of the first event */
	uint64_t last;				/* end of the last one */
	uint64_t slices;			/* complete ones of threads */
	uint64_t async;				/* complete asynchronous ones */
	uint64_t instants;
	uint64_t flows;				/* records */
	uint64_t unended;			/* slices without end, in no other number */
	uint64_t unbegun;			/* ends without begin */
	uint64_t unkept;			/* slices whose self time is not known */
	struct fxt_objects objects;		/* names of processes and threads */
	struct map name_map;
	struct map track_map;
	struct map counter_map;
	struct map async_map;
	struct slices_piece *pieces;
	size_t piece_count;
	struct slices_late *late;
	size_t late_count;
};

/** slices_record() - take a record of any type */
void slices_record(struct slices *s, struct fxt_reader *r, const struct fxt_record *rec);

/** slices_finish() - complete the numbers, after the last record */
void slices_finish(struct slices *s);
void slices_free(struct slices *s);

/** slices_object() - the name of a process or thread; NULL if it has none */
const struct fxt_object *slices_object(const struct slices *s, enum fxt_object_class class,
				       uint64_t koid);

/* --- threads, CPUs and the report -------------------------------------------------------- */

#define REPORT_WAKERS	8	/* wakers counted for each thread */
#define REPORT_OCCUPANTS	3	/* of a wait, those that had the CPU longest */
#define REPORT_HELD_MIN	1000000	/* ns; longer than a CPU needs to wake up from idle */
#define REPORT_NO_TIME	UINT64_MAX
#define REPORT_NO_CPU	0xffff

enum report_wait_kind {
	REPORT_WOKEN,		/* since its wakeup */
	REPORT_PREEMPTED,	/* since it was switched out while runnable */
	REPORT_HELD,		/* since either, while its CPU was idle */
	REPORT_WAITS,
	REPORT_EARLY = REPORT_WAITS,	/* since before the recording, so it is longer than known */
	REPORT_KINDS
};

/** report_wait_name() - "woken", "preempted", "held off", "early" */
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

#define REPORT_LISTED_SLEEPS	2	/* the first kinds, whose longest sleeps are listed */

/** report_irq_name() - "hard", "soft" or "nmi" of enum fxt_sched_irq; NULL of no interrupt */
const char *report_irq_name(uint8_t irq);

/**
 * struct report_waker - a waker of a thread
 * @thread: NULL: an interrupt
 * @irq: the interrupt, enum fxt_sched_irq
 * @count: number of wakeups, too large by at most @over: there are few counters, and a new waker
 *	takes over the one of the least frequent waker
 * @slept: ns of the sleeps that it ended, a lower bound
 */
struct report_waker {
	const struct report_thread *thread;
	uint8_t irq;
	uint64_t count;
	uint64_t over;
	uint64_t slept;
};

/**
 * struct report_counts - the activity of a thread or process
 * @run: ns on a CPU
 * @switches: how often it was switched out
 * @preempted: how many of @switches left it runnable
 * @migrations: how often it was switched in on another CPU than before
 * @wakeups: how often it was woken
 * @unknown: waits of unknown length
 * @alone: ns of @run in which no other CPU was busy
 * @stolen: ns of @run that interrupts took
 * @moves: how often it was moved to another CPU's run queue, if the archive has migrations
 * @calls: system calls that returned; @failed_calls of them failed
 * @in_calls: ns in system calls, waits included
 * @forks: threads that it created
 * @ipis: CPUs that it interrupted
 * @unknown_sleeps: sleeps of unknown length or without a wakeup
 * @early_sleeps: 1 if the thread slept before the archive began, until its first wakeup
 */
struct report_counts {
	uint64_t run;
	uint64_t switches;
	uint64_t preempted;
	uint64_t migrations;
	uint64_t wakeups;
	uint64_t unknown;
	uint64_t alone;
	uint64_t stolen;
	uint64_t moves;
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
 * @open: how many of them were not over at the end: they count with their length so far
 * @max_is_open: the longest one was not over
 */
struct report_waits {
	struct report_hist hist;
	uint64_t open;
	bool max_is_open;
	uint64_t max_time;	/* ns, when it ended; the first of several */
	uint16_t max_cpu;	/* CPU on which it ended */
};

struct report_team;
struct report_worst;
struct report_sleeps;

/**
 * struct report_thread - one thread
 * @waits: by kind; NULL if there are none. @sleeps likewise
 * @wakers: @waker_count of them; sorted by report_finish(): the most certain wakeups first
 * @process: after report_finish(); NULL only for idle threads
 * @is_shown: it took part and is selected; valid after report_finish()
 * @wait_cpu: the CPU of the run queue that it was put on when its wait began
 * @inherited: NULL: it inherited no priority
 * @idle_before: ns that @wait_cpu had been idle by then
 * @crowd_ns: ns that it waited for @crowd_cpu while another CPU was idle, in waits of
 *	REPORT_HELD_MIN or more; reduced by such waits for other CPUs
 * @is_seen: it was switched or woken, or woke a thread
 *
 * The rest is private to the engine.
 */
struct report_thread {
	/* One line of the cache: what each switch and wakeup touches. */
	uint64_t since;			/* ns, begin of its wait or sleep */
	uint8_t wait;			/* enum report_wait_kind + 1; 0: it does not wait */
	uint8_t sleep;			/* enum report_sleep_kind + 1; 0: it does not sleep */
	uint8_t waker_count;
	bool is_seen;
	bool is_idle;			/* the idle threads of all CPUs together */
	bool by_idle;
	uint16_t last_cpu;		/* CPU that it last ran on; 0xffff: unknown */
	uint16_t wait_cpu;
	uint16_t irq_cpu;		/* as struct report_wait has it, like @irq */
	uint8_t irq;
	uint8_t placed;			/* private to placement.c */
	bool is_shown;
	struct report_waker *wakers;
	struct report_team *team;	/* the threads of its process; NULL: unknown so far */
	struct report_thread *woken_by;
	uint64_t idle_before;
	uint64_t free_before;		/* ns in which any CPU was idle, until its wait began */

	/* The next lines, in the order of use. */
	struct history_thread account;
	struct report_counts n;
	struct report_waits *waits[REPORT_KINDS];
	struct report_off off;
	struct report_sleeps *sleeps[REPORT_SLEEPS];
	struct sched_thread *sched;
	struct report_calls calls;
	struct report_process *process;
	struct report_worst *worst;
	struct report_inherited *inherited;
	uint64_t crowd_ns;
	uint16_t crowd_cpu;
	uint64_t mark;			/* number of the search that @marked belongs to */
	uint64_t marked;		/* ns */
} __attribute__((aligned(64)));

/**
 * struct report_sum - the activity of several threads together
 * @threads: number of threads that took part
 * @is_shown: one of them is shown
 * @only: the only one of them; NULL: there are several
 * @wakers: of all of them, the first REPORT_WAKERS
 * @borrows_wakers: they are those of its only thread
 */
struct report_sum {
	uint64_t threads;
	bool is_shown;
	const struct report_thread *only;
	struct report_counts n;
	struct report_waits *waits[REPORT_KINDS];
	struct report_sleeps *sleeps[REPORT_SLEEPS];
	struct report_waker *wakers;
	unsigned int waker_count;
	bool borrows_wakers;
	struct report_calls calls;
};

/**
 * struct report_process - one process: the sum of its threads
 * @nth: how many processes had the koid before it
 * @is_known: else @koid is 0, and this entry has all threads whose process is unknown
 * @sched: NULL if the archive has no kernel object of it
 * @name: as the archive has it, "" if it has none
 * @parent_name: name of its parent; NULL if the archive does not have the parent
 * @team: how its threads ran together; NULL if unknown
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
 * struct report_comm - all threads of one name in any process, or of one cgroup
 * @name: as the archive has it, "" for all threads without a name, or of unknown cgroup
 * @processes: number of processes with threads in @sum; all unknown ones count as one
 * @sum: its wakers are summed by name, too: a waker stands for all threads of its name
 */
struct report_comm {
	const char *name;
	uint64_t processes;
	struct report_sum sum;
};

/**
 * struct report_levels - values of one CPU over time
 * @khz: its frequency
 * @queue: runnable threads, the running one included
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
 * @longest_thread: the thread that ran @longest; NULL if none ran
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

/**
 * struct report_occupant - who had the CPU during a wait: a thread, or all threads of a name
 * @thread: the thread, or the one of the name that had the CPU longest
 * @threads: number of threads
 * @weight: of @thread then, as archives have it; 0: unknown
 * @ns: ns that they had the CPU
 */
struct report_occupant {
	const struct report_thread *thread;
	uint32_t threads;
	int32_t weight;
	uint64_t ns;
};

/**
 * struct report_wait - one of the worst latencies, or of the longest sleeps
 * @time: ns, when it ended
 * @latency: ns
 * @kind: enum report_wait_kind; of a sleep, enum report_sleep_kind
 * @cpu: the CPU on which it ended; of a sleep, the CPU that the thread was woken onto
 * @from_cpu: the CPU on which it began
 * @waker: the thread whose wakeup began the wait or ended the sleep; NULL: none, unknown, an
 *	interrupt or an idle CPU
 * @irq: the interrupt that woke it, enum fxt_sched_irq
 * @irq_cpu: the interrupted CPU, REPORT_NO_CPU if unknown
 * @by_idle: an idle CPU woke it
 * @weight: of the thread when its wait began, as archives have it; 0: unknown
 * @occupants: who had the CPU longest meanwhile, the idle thread included; @occupant_count of them,
 *	none if unknown. If very many threads shared it, those of one name are one entry
 * @sharers: number of threads that had the CPU; @most had it longest, for @most_ns
 * @others: ns of threads that are not told apart, as there were too many
 * @unplaced: ns in which it is not known which CPU the thread waited for, as it was moved
 * @unknown: ns in which it is not known who had that CPU, or what the thread did
 * @throttled: ns in which its cgroup was, namely @cgroup
 * @limited: ns in which its class might not run, because of @limit, enum why_limit
 * @idle_ns: ns in which another CPU that it may use, @idle_cpu, was idle; 0 if less than half of it
 * @turn: its last turn in the account; 0: none so far
 * @is_open: it was not over at the end of the selected time; @latency is its length until then
 * @stolen: ns that interrupts took meanwhile on that CPU
 * @thief: the interrupt that took most of @stolen, NULL if there was none
 * @thief_ns: ns that @thief took
 */
struct report_wait {
	uint64_t time;
	uint64_t latency;
	const struct report_thread *thread;
	const struct report_thread *waker;
	struct report_occupant occupants[REPORT_OCCUPANTS];
	int32_t weight;
	uint32_t sharers;
	const struct report_thread *most;
	uint64_t most_ns;
	uint8_t occupant_count;
	uint16_t cpu;
	uint16_t from_cpu;
	uint16_t irq_cpu;
	uint8_t irq;
	uint8_t kind;
	bool by_idle;
	bool is_open;
	uint32_t turn;
	uint64_t others;
	uint64_t unplaced;
	uint64_t unknown;
	uint64_t throttled;
	const struct report_origin *cgroup;
	uint64_t limited;
	uint8_t limit;
	uint16_t idle_cpu;
	uint64_t idle_ns;
	uint64_t stolen;
	const struct report_origin *thief;
	uint64_t thief_ns;
};

/** report_is_shared() - did too many threads share the CPU to name each of them? */
static inline bool report_is_shared(const struct report_wait *w)
{
	return w->most_ns < w->latency / 10 && w->sharers > REPORT_OCCUPANTS;
}

/**
 * struct report_sleeps - sleeps of one kind
 * @ns: sum of @count sleeps that are inside the selected time
 * @cut_ns: sum of the parts inside it of @cut_count other sleeps
 * @longest: the longest one inside; its latency is 0 if there is none
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

/** report_sort_name() - the name of a sort key, from REPORT_SORTS */
const char *report_sort_name(enum report_sort sort);

/**
 * struct report_watch - callbacks for the timeline behind the numbers
 * @span: as in struct sched_ops, called for spans that overlap the selected time
 * @sight: likewise; its time is when that state began, as far as that is known
 * @gap: likewise
 * @slice: likewise
 * @moment: likewise
 * @move: likewise
 * @frequency: likewise
 * @arg: passed to them
 */
struct report_watch {
	int (*span)(void *arg, const struct sched_span *span);
	int (*sight)(void *arg, const struct sched_sight *sight);
	int (*gap)(void *arg, const struct sched_gap *gap);
	int (*slice)(void *arg, const struct sched_slice *slice);
	int (*moment)(void *arg, const struct sched_moment *moment);
	int (*move)(void *arg, const struct sched_move *move);
	int (*frequency)(void *arg, const struct sched_frequency *frequency);
	void *arg;
};

/**
 * struct report_options - the request
 * @filter: its times and CPUs select what is counted, the rest which threads are shown (walk/scope.h)
 * @worst: number of worst latencies
 * @only_sums: no account: it is not asked who had the CPU
 * @watch: NULL without an observer
 */
struct report_options {
	struct filter filter;
	bool only_sums;
	enum report_sort sort;
	size_t worst;
	const struct report_watch *watch;
};

/**
 * struct report_totals - sums over everything selected, whether shown or not
 * @from: ns, begin of the selected time; @to: its end, less than @from if nothing is selected
 * @cpus: number of selected CPUs
 * @threads: number of threads that took part, @processes likewise
 * @n: activity of all threads except the idle ones; @shown: of the threads that are shown
 * @switches: context switches, those of idle threads included
 * @busy: ns, sum over all CPUs; @idle and @offline likewise
 * @waits: latencies of the threads that are shown; @sleeps likewise
 * @archive: totals of the whole archive, without the options' filter
 * @reader: the reader's totals; valid until the reader is closed
 * @lost_names: number of lost records of names
 * @buffer_full: number of provider events that report a loss
 * @violations: number of violations, as reported by fxt check
 * @contradictions: the same without threads that have no name; see report_contradictions()
 * @filtered: the filter of the recording, NULL without one
 */
struct report_totals {
	uint64_t from;
	uint64_t to;
	unsigned int cpus;
	size_t threads;
	size_t processes;
	struct report_counts n;
	struct report_counts shown;
	uint64_t switches;
	uint64_t busy;
	uint64_t idle;
	uint64_t offline;
	struct report_waits *waits[REPORT_KINDS];
	struct report_sleeps *sleeps[REPORT_SLEEPS];
	const struct sched_totals *archive;
	const struct fxt_reader_totals *reader;
	uint64_t lost_names;
	uint64_t buffer_full;
	uint64_t violations;
	uint64_t contradictions;
	const char *filtered;
};

/**
 * struct report - the result; the arrays are complete after report_finish()
 * @threads: the shown threads, in the requested order
 * @processes: the shown processes, likewise
 * @comms: names of @threads, likewise; sorted by name if the order requested is that of pids
 * @cgroups: likewise, by the cgroup that a process, or else its parent, had last; none if the
 *	archive has no cgroups
 * @cpus: the shown CPUs, by number
 * @worst: the worst latencies of @threads, the longest first
 * @longest_sleeps: of @threads, by kind. Of cut sleeps, only uninterruptible ones are listed,
 *	because a thread that never wakes up from one is suspicious
 * @kernel: what interrupts, idle states and work items took
 * @placement: how many CPUs were busy at once, and where threads were put
 * @findings: where threads lost time, what matters most first; none of a damaged archive
 * @unlooked: number of threads that waited and were not looked at for findings: it takes too long
 * @has_trigger: the archive is a snapshot, and names the wait that triggered it
 * @cause: what fired the trigger: enum fxt_sched_cause
 * @trigger: that wait, even if its thread is not shown; its waker is known only if it is one of
 * @worst. Its thread is NULL if an interrupt hit a thread that the archive does not have. With
 *	FXT_SCHED_CAUSE_RUNNABLE its thread is the one that ran, and there is no wait
 * @runnable: with that cause: threads that were runnable on the CPU
 * @slices: what the archive has instead if it has no scheduling at all; else NULL
 * @topology: which CPUs share cores, caches and nodes; NULL if unknown
 * @ksoftirqd: as sched_model_ksoftirqd() returns it; only for a page, and NULL on PREEMPT_RT
 * @scope: which threads are shown
 * @history: what each thread did; NULL if only sums were asked for
 * @is_part: only some threads are shown
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
	struct report_placement placement;
	struct report_finding findings[REPORT_FINDINGS];
	size_t finding_count;
	uint64_t unlooked;
	bool has_trigger;
	uint8_t cause;
	struct report_wait trigger;
	uint64_t runnable;
	const struct slices *slices;
	const struct sched_topology *topology;
	const uint32_t *ksoftirqd;
	struct scope scope;
	const struct history *history;
	bool is_part;
};

/** report_contradictions() - violations, except that names or the end of the archive are missing */
uint64_t report_contradictions(const struct report *r);

/**
 * report_is_damaged() - do records deviate from the format, or contradict each other? What they
 * say may not have happened, so there are no findings.
 */
bool report_is_damaged(const struct report *r);

/** report_unknown() - ns in which the running thread is unknown, summed over all CPUs */
uint64_t report_unknown(const struct report *r);

/** report_share() - ns as a share of the selected time of all CPUs, from 0 to 1 */
double report_share(const struct report *r, uint64_t run);

/** report_window() - length of the selected time in ns */
uint64_t report_window(const struct report *r);

/** report_name() - the name of a thread; "(idle)" of the idle ones, "?" if it has none */
const char *report_name(const struct report_thread *t);

/** report_process_name() - the name of a process; "?" if it has none */
const char *report_process_name(const struct report_process *p);

/** engine_cgroup() - path of a thread's cgroup, "" if unknown; valid after sched_model_finish() */
const char *engine_cgroup(const struct report_thread *t);

/** report_find_scope() - scope_find() of another selection than that of the report */
void report_find_scope(const struct report *r, struct sched_model *m, struct scope *s);

/** report_origin_name() - the name of an origin; of a cgroup its path */
const char *report_origin_name(const struct report_origin *s);

/**
 * report_throttled_of() - of the throttled cgroups that a thread is in, the one throttled longest
 * @r: the report
 * @t: the thread
 *
 * Return: NULL if there is none, or the cgroup of the thread is unknown.
 */
const struct report_origin *report_throttled_of(const struct report *r,
						const struct report_thread *t);

/**
 * report_quota_of() - of the cgroups that a thread is in, the one that used up its quota most often
 * @r: the report
 * @t: the thread
 *
 * Return: the kernel's counts of it in the selected time; NULL if no quota was used up in it, or the
 * cgroup of the thread is unknown.
 */
const struct report_quota *report_quota_of(const struct report *r, const struct report_thread *t);

/**
 * report_throttled_ns() - ns in which throttling may have kept a thread from running
 * @r: the report
 * @t: the thread
 * @cpu: on this CPU, or REPORT_NO_CPU for any
 *
 * A throttled cgroup whose path is unknown may contain any thread.
 */
uint64_t report_throttled_ns(const struct report *r, const struct report_thread *t,
			     uint16_t cpu);

/** struct report_class - a scheduling class in words; "" for nice 0 */
struct report_class {
	char text[16];
};

/** report_class() - the class of a weight (0: unknown), as "real-time 50", "deadline", "nice 19" */
struct report_class report_class(int32_t weight);

/** report_is_real_time() - is this the weight of a real-time or deadline thread? */
bool report_is_real_time(int32_t weight);

/** report_is_starved() - did a thread that is not real-time wait for one that is? */
bool report_is_starved(const struct report_wait *w);

/**
 * report_lacks_irqs() - did a real-time thread wait behind one that is not, although interrupts
 * were not recorded? Only interrupts or non-preemptible code explain such a wait.
 */
bool report_lacks_irqs(const struct report *r, const struct report_wait *w);

/** report_comm_name() - the name that the threads share; "?" if they have none */
const char *report_comm_name(const struct report_comm *c);

/* --- making it (engine.c) ---------------------------------------------------------------- */

struct report_engine;

/**
 * report_open() - begin a report
 * @e: set to the new engine
 * @options: the caller keeps them valid
 *
 * Return: 0 or -ENOMEM.
 */
int report_open(struct report_engine **e, const struct report_options *options);
void report_close(struct report_engine *e);

/**
 * report_next() - read up to the next record that the caller has to feed
 *
 * Like fxt_reader_next(), but feeds and skips frequent records itself.
 */
int report_next(struct report_engine *e, struct fxt_reader *r, struct fxt_record *rec);

/** report_record() - feed a record. Return: as sched_model_record() */
int report_record(struct report_engine *e, struct fxt_reader *r,
		  const struct fxt_record *rec);

/**
 * report_explain() - find who had the CPU during a wait of a thread
 * @e: the engine, after report_finish(), with an account
 * @w: the wait, of which @time, @latency and @thread are set
 *
 * Return: 0 or a negative errno.
 */
int report_explain(struct report_engine *e, struct report_wait *w);

/** report_finish() - complete the report, at the end. Return: 0 or a negative errno */
int report_finish(struct report_engine *e);

/** report_of() - get the report; valid until report_close() */
const struct report *report_of(const struct report_engine *e);

#endif /* FXT_REPORT_H */
