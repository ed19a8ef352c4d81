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
#include "walk/operations.h"
#include "walk/order.h"
#include "walk/scope.h"

struct report_thread;
struct report_process;
struct report_wait;
struct report_share;

/* --- interrupts and other origins (interrupts.c, cgroups.c) ------------------------------ */

/** struct report_inherited - priorities that a thread inherited */
struct report_inherited {
	const struct report_thread *thread;
	uint64_t count;	/* raises of its own or an inherited priority */
	int32_t own;	/* its least urgent priority before a raise */
	int32_t best;	/* the most urgent one that it inherited */
};

#define REPORT_PERIODS	16	/* periods that are remembered */

/** struct report_period - a time in which at least one CPU throttled a cgroup */
struct report_period {
	uint64_t from;
	uint64_t to;
};

/** struct report_throttled - the time in which a cgroup was throttled */
struct report_throttled {
	uint64_t ns;		/* on at least one CPU; without those in @recent */
	uint64_t periods;	/* how often this began */
	uint64_t until;		/* ns, end of the last period that is no longer in @recent */
	unsigned int count;
	struct report_period recent[REPORT_PERIODS];
};

/**
 * struct report_origin - all slices of one interrupt, idle state or function of work items, all
 * system calls of one name by the threads that are shown, all slices of one throttled cgroup, or
 * all ends of threads of one name with one code or signal
 *
 * The rest is private to the engine.
 */
struct report_origin {
	const struct sched_origin *of;
	uint64_t count;		/* slices that ended in the selected time */
	uint64_t total;		/* ns in the selected time */
	uint64_t longest;	/* ns, of the (first) longest slice */
	uint64_t longest_time;	/* ns, when it ended */
	uint16_t longest_cpu;
	uint64_t errors;	/* system calls that failed */
	struct report_throttled *throttled;	/* of a cgroup: when CPUs throttled it, else NULL */
	const struct report_thread *most;	/* who lost most to it, or NULL */
	uint64_t most_ns;	/* ns that @most lost */
	uint64_t mark;		/* number of the search that @marked belongs to */
	uint64_t marked;
};

/** struct report_cpu_kernel - what the kernel did on one CPU */
struct report_cpu_kernel {
	uint64_t hard;	/* ns that hard interrupts took, those of the CPU itself included */
	uint64_t soft;	/* ns that soft interrupts took */
	uint64_t idle;	/* ns in idle states, including interrupts meanwhile */
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

/** struct report_ipi - interrupts that one CPU sent to another */
struct report_ipi {
	const struct sched_origin *of;	/* the function that the other CPU had to call */
	uint16_t from;			/* the CPU that interrupted */
	uint16_t to;			/* REPORT_NO_CPU: any beyond the first 64 */
	uint64_t count;
};

/** struct report_lock - a lock, and the waits of the threads shown for it in the selected time */
struct report_lock {
	const struct sched_origin *of;
	char name[SCHED_SOURCE_BYTES + 24];	/* its kind, and the process of a futex */
	char address[2 + 16 + 1];		/* hexadecimal */
	uint64_t count;				/* waits that ended */
	uint64_t waiters;			/* threads */
	uint64_t total;				/* ns, of all waiters */
	uint64_t longest;			/* ns */
	uint64_t longest_time;			/* ns, when it ended */
	const struct report_thread *longest_waiter;
	const struct report_thread *longest_holder;	/* NULL if unknown */
	/*
	 * Whom the waiters saw last for more of @total than any other and than @unknown; NULL: nobody
	 */
	const struct report_thread *most;
	uint64_t most_ns;			/* ns of @total in which they saw @most last */
	uint64_t unknown;			/* ns of @total in which the holder is unknown */
	bool is_lock;				/* a futex need not be one */
};

/** struct report_signal - a signal that a thread sent to another one, or to itself */
struct report_signal {
	const struct report_thread *sender;	/* NULL if an interrupt sent it, as for a timer */
	const struct report_thread *target;	/* of a signal for a process, one of its threads */
	uint32_t number;	/* of the signal */
	uint8_t result;		/* code of what became of it, as in fxt_sched_put_signal() */
	uint64_t count;		/* how often, in the selected time */
};

/** report_signal_result() - what became of a signal, in words; NULL if the code is unknown */
const char *report_signal_result(uint8_t result);

#define REPORT_SIGNAL_RESULTS	5	/* codes that have words */

/** struct report_requests - requests of a block device of one kind that ended in the selected time */
struct report_requests {
	const struct sched_origin *origin;	/* the device; its number is the operation */
	struct report_hist hist;	/* ns, from the first queue to the completion */
	uint64_t queued;		/* ns, of these in queues */
	uint64_t bytes;
	uint64_t errors;		/* that failed */
	uint64_t open;			/* that did not end in the selected time; they are not in @hist */
	uint64_t longest_time;		/* ns, when the (first) longest one ended */
	uint64_t longest_queued;	/* ns, of that one in queues */
	uint32_t longest_bytes;
	uint32_t depth;			/* the most that the driver had of the device, of any kind */
	const struct report_thread *longest_thread;	/* that submitted that one; NULL: unknown */
};

/** struct report_quota - what the kernel counted of a cgroup in the selected time, on all CPUs */
struct report_quota {
	uint64_t cgroup;
	const char *path;
	/* when the selected time began, or the first ones */
	uint64_t base[SCHED_QUOTA_COUNTS];
	uint64_t counts[SCHED_QUOTA_COUNTS];	/* as in struct sched_quota, less @base */
};

/* --- where threads are put (placement.c) ------------------------------------------------- */

#define REPORT_CONCURRENCY	65	/* numbers of busy CPUs; the last: or more */

/** struct report_concurrency - the time in which some number of CPUs was busy */
struct report_concurrency {
	uint32_t busy;
	uint32_t busy_to;	/* a row may stand for several numbers */
	char label[12];
	uint64_t ns;		/* of the selected time */
	uint64_t waiting;	/* the part of @ns in which threads waited for a CPU */
	uint64_t waits;		/* ns that these threads waited, in total */
	uint64_t starved;	/* of @ns, one waited beside an idle CPU that it may use */
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
 */
struct report_placement {
	struct report_concurrency concurrency[REPORT_CONCURRENCY];
	size_t concurrency_count;
	struct report_placed places[REPORT_PLACES];	/* placements that occurred */
	size_t place_count;
};

/** struct report_kernel - events of the kernel, complete after report_finish() */
struct report_kernel {
	bool has[KERNEL_EVENTS];	/* the archive has such, selected or not */
	struct report_origin **origins;	/* by group of kinds; those with most time first */
	size_t origin_count;
	struct report_share *shares;	/* of CPUs, but not of system calls: by origin, the largest first */
	size_t share_count;
	struct report_ipi *ipis;	/* the most frequent first */
	size_t ipi_count;
	struct report_lock *locks;	/* those with most waiting time first */
	size_t lock_count;
	struct report_quota *quotas;	/* of cgroups: those throttled longest first */
	size_t quota_count;
	struct report_inherited **inherited;	/* of threads shown: the largest count first */
	size_t inherited_count;
	struct report_signal *signals;	/* of threads shown: the largest count first */
	size_t signal_count;
	struct report_requests *requests;	/* those with most time first */
	size_t request_count;
	uint64_t exits;			/* ends of threads */
	uint64_t failed_exits;
};

/** report_has_irqs() - does the archive have interrupts, hard or soft? */
static inline bool report_has_irqs(const struct report_kernel *k)
{
	return k->has[KERNEL_IRQ] || k->has[KERNEL_VECTOR] || k->has[KERNEL_SOFTIRQ];
}

/* --- system calls (syscalls.c) ----------------------------------------------------------- */

/** struct report_call - all calls of one name */
struct report_call {
	struct sched_origin *of;	/* its name and number, as the model has them */
	uint64_t count;			/* calls that returned in the selected time */
	uint64_t errors;		/* how many of these failed */
	uint64_t total;			/* ns in the selected time, waits included */
	uint64_t longest;		/* ns, of the (first) longest call */
	uint64_t longest_time;		/* ns, when it returned */
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

enum report_stack_kind {
	REPORT_STACK_SLEPT,	/* where threads slept */
	REPORT_STACK_IDLE,	/* where kernel threads waited for work (state I) */
	REPORT_STACK_PREEMPTED,	/* where they were preempted */
	REPORT_STACK_WAKER,	/* what woke them, with the sleeps that it ended */
	REPORT_STACK_RAN,	/* what they ran, by samples */
	REPORT_STACK_KINDS
};

/** struct report_off - the time off its CPU of a thread, current or just ended */
struct report_off {
	uint64_t since;	/* ns, of its switch-out */
	uint64_t woken;	/* ns, of its wakeup; 0 if there was none */
	uint64_t until;	/* ns, of its last switch-in */
	const struct fxt_call_stack *waker;	/* the stack of what woke it, NULL if unknown */
	const struct fxt_call_stack *from;	/* the same of the sleep that has ended */
	char state;	/* letter; 0: it is not, or since when is unknown */
	char left;	/* what @state was until it was switched in */
	bool has_ended;	/* at @until, and its stack has not been seen */
};

/** struct report_stack - all stacks in the same functions */
struct report_stack {
	/* of beginnings of functions, where these are known */
	const struct fxt_call_stack *stack;
	const struct report_thread *thread;	/* NULL if it is of several threads */
	uint64_t ns;		/* sum of its @count sleeps, preemptions or samples */
	uint64_t count;
	uint64_t longest;	/* ns of the (first) longest one, which @longest_thread was in */
	uint64_t longest_time;	/* ns, when it ended */
	const struct report_thread *longest_thread;
};

/** struct report_stack_list - stacks, those with most time first */
struct report_stack_list {
	struct report_stack *all;
	size_t count;
};

/** struct report_function - a function that is in stacks */
struct report_function {
	char *name;		/* its name, or its address if that is unknown */
	uint64_t self_ns;	/* sum over the @self_count stacks whose innermost function it is */
	uint64_t self_count;
	uint64_t ns;		/* of all stacks that it is in, as are those below */
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

/** struct report_waking - what woke threads that slept in one stack */
struct report_waking {
	const struct fxt_call_stack *stack;	/* of struct report_stack */
	const struct fxt_call_stack *from;	/* the waker's stack, likewise; NULL if unknown */
	const struct report_thread *by;	/* or one of its name; NULL: unknown, or @irq */
	uint8_t irq;			/* enum fxt_sched_irq */
	uint64_t ns;			/* sum of @count sleeps */
	uint64_t count;
	uint64_t longest;
};

/** struct report_stacks - call stacks of the threads that are shown */
struct report_stacks {
	/* a thread and a stack each */
	struct report_stack_list of_threads[REPORT_STACK_KINDS];
	struct report_stack_list together[REPORT_STACK_KINDS];	/* by kind: a stack each */
	struct report_function_list functions[REPORT_STACK_KINDS];
	struct report_waking *wakings;	/* by stack; those with most time first */
	size_t waking_count;
	struct sched_symbols *symbols;	/* of the archive */
	bool has;			/* the archive has stacks */
	bool has_sleeps;		/* some of them are of sleeps */
	bool has_samples;		/* some of them are samples */
};

/**
 * report_stack_range() - find the frames of a stack that matter: why a thread slept, or what woke
 * one
 * @stack: one of @s
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
 * struct report_trigger_stacks - functions, innermost first, of a sleep, or of a wait for a lock, that
 * fired the trigger; NULL: unknown
 */
struct report_trigger_stacks {
	const struct fxt_call_stack *slept;	/* where the thread slept */
	const struct fxt_call_stack *woken;	/* what woke it */
	const struct fxt_call_stack *held;	/* where the holder of the lock slept meanwhile */
};

/* --- levels of CPUs (cpus.c) ------------------------------------------------------------- */

#define REPORT_UTIL_MAX	1024.0	/* the kernel's SCHED_CAPACITY_SCALE */

/** struct report_level - a value over the selected time */
struct report_level {
	uint64_t known;	/* ns in which it was known; 0: other fields are invalid */
	double sum;	/* integral of the value over time (ns) */
	uint64_t above;	/* ns in which it was greater than 1 */
	uint32_t least;
	uint32_t most;
	uint32_t now;	/* the value since @since (ns), if @is_known */
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
 * trigger: the wait or the sleep that fired the trigger.
 * throttled: the quota of a cgroup was used up.
 * held: the CPU was idle, and yet the thread waited for it.
 * limited: its scheduling class might not run.
 * behind: other threads had its CPU.
 * interrupt: interrupts took its CPU.
 * convoy: the threads of a process take turns, as behind one lock.
 * limit: others sleep until a thread that always runs, or wants to.
 * slow: one of several equal threads sleeps until interrupts, the others hardly do.
 * slept: it sleeps until a thread that itself waits for a device.
 * request: it sleeps for requests of block devices.
 * spike: a rare wait is much longer than usual.
 * serial: mostly one CPU was busy.
 * steal: the host of the virtual machine ran something else on a CPU.
 * crowd: threads of one name waited for each other, and no CPU was idle.
 * unknown: who had its CPU is not known.
 * recorder: the recorder had its CPU.
 */
#define REPORT_FINDING_KINDS(X)							\
	X(TRIGGER, "trigger") X(THROTTLED, "throttled") X(HELD, "held")		\
	X(LIMITED, "limited") X(BEHIND, "behind") X(INTERRUPT, "interrupt") X(CONVOY, "convoy")	\
	X(LIMIT, "limit") X(SLOW, "slow") X(SLEPT, "slept") X(REQUEST, "request")		\
	X(SPIKE, "spike") X(SERIAL, "serial") X(STEAL, "steal") X(CROWD, "crowd")		\
	X(UNKNOWN, "unknown") X(RECORDER, "recorder")

enum report_finding_kind {
#define REPORT_FINDING_ENUM(kind, name) REPORT_FINDING_##kind,
	REPORT_FINDING_KINDS(REPORT_FINDING_ENUM)
#undef REPORT_FINDING_ENUM
	REPORT_FINDING_KIND_COUNT
};

/** report_finding_name() - the name of a kind, from REPORT_FINDING_KINDS */
const char *report_finding_name(enum report_finding_kind kind);

/** struct report_party - threads of one name */
struct report_party {
	const struct report_thread *thread;	/* one of them, NULL if there are none */
	uint64_t threads;
	uint64_t ns;	/* their part of the finding, of @of ns */
	uint64_t of;
	bool is_own;	/* the victims, or others of their group */
	bool is_other;	/* of another group than the victims, whose threads have the same name */
};

/** struct report_finding - time that threads could have used, and who took it */
struct report_finding {
	enum report_finding_kind kind;
	/*
	 * @of: the time in which it existed; serial: in which one CPU was busy; steal: the selected
	 * time, and @ns are those of the CPU
	 */
	struct report_party victim;
	uint64_t count;			/* waits, or sleeps */
	uint64_t longest;		/* ns; slow: on average */
	uint64_t longest_from;
	uint64_t direct;		/* ns that it did not sleep until those of @through */
	bool is_part;			/* not all was looked at, so the numbers are lower bounds */
	bool is_inversion;		/* a less urgent thread delays one that it sleeps until */
	bool is_open;			/* a wait was not over at the end */
	bool is_bound;			/* the victims may run on one CPU only */
	bool is_near;
	bool is_own;			/* most of it is because of the victims' own group */
	/* the first ones; interrupts have no thread; request: who submitted those ahead */
	struct report_party culprits[REPORT_PARTIES];
	size_t culprit_count;
	struct report_party through[REPORT_PARTIES];
	/* the interrupt that took most; the requests for which it slept most, for @of_origin ns */
	const struct sched_origin *origin;
	uint64_t of_origin;
	uint64_t queued;		/* ns, in which the requests for which it slept were in queues */
	const char *cgroup;	/* whose quota was used up; held without @is_near: its own */
	struct report_party others[REPORT_PARTIES];	/* who lost time in the same way */
	size_t other_count;
	struct report_party sleepers[REPORT_PARTIES];	/* who slept until the victim meanwhile */
	size_t sleeper_count;
	struct report_party back;	/* behind: the culprit waited behind the victim, too */
	const char *limit;		/* limited: what kept its class from running */
	const char *function;		/* in which the one that was slept for worked, or NULL */
	uint16_t cpu;			/* where it happened, REPORT_NO_CPU if on several */
	uint16_t idle_cpu;		/* idle meanwhile, for @idle_ns */
	uint64_t idle_ns;
	uint64_t usual;			/* ns, of spike; 0 if unknown */
	uint64_t host;			/* at most so many ns of the victim's the host had the CPU */
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
	uint32_t number;
	uint32_t length;
	char *name;		/* of counter and series */
};

struct slices_late;

/** struct slices_piece - a slice of a thread; times are ns */
struct slices_piece {
	uint64_t begin;
	uint64_t end;
	uint32_t track;		/* number, like @name */
	uint32_t name;
};

/** struct slices_drawn - an asynchronous slice, or a value of a counter, of a process; times are ns */
struct slices_drawn {
	uint64_t begin;
	uint64_t end;
	uint64_t process;
	double value;
	uint32_t of;		/* number of the name or counter */
	bool is_value;
};

/**
 * struct slices - contents of an archive without scheduling; all zeros before slices_begin(); then
 * set @is_drawn
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
	uint64_t refused;			/* async slices, too many at once */
	uint64_t unkept;			/* slices whose self time is not known */
	struct fxt_objects objects;		/* names of processes and threads */
	struct map name_map;
	struct map track_map;
	struct map counter_map;
	struct operations operations;		/* with the open asynchronous slices */
	struct nest_user operation_user;
	struct order waiting;			/* their events */
	struct slices_piece *pieces;		/* by thread and begin; if all is drawn, by end */
	size_t piece_count;
	bool is_drawn;				/* set by a caller that needs the next ones */
	struct slices_drawn *drawn;		/* after slices_finish(): by end */
	size_t drawn_count;
	uint64_t undrawn;			/* there were too many of these */
	struct slices_late *late;
	size_t late_count;
};

/** slices_begin() - before the first record; end with slices_free(). @filter: see struct slices */
void slices_begin(struct slices *s, const struct filter *filter);

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

/** struct report_waker - a waker of a thread */
struct report_waker {
	const struct report_thread *thread;	/* NULL: an interrupt */
	uint8_t irq;	/* the interrupt, enum fxt_sched_irq */
	uint64_t count;	/* of wakeups, too large by at most @over */
	uint64_t over;
	uint64_t slept;	/* ns of the sleeps that it ended, a lower bound */
};

/** struct report_counts - the activity of a thread or process */
struct report_counts {
	uint64_t unknown;		/* waits of unknown length */
	uint64_t stolen;		/* ns of @run that interrupts took */
	uint64_t moves;			/* to another CPU's run queue */
	uint64_t calls;			/* system calls that returned */
	uint64_t failed_calls;
	uint64_t in_calls;		/* ns in system calls, waits included */
	uint64_t forks;			/* threads that it created */
	uint64_t ipis;			/* CPUs that it interrupted */
	uint64_t unknown_sleeps;	/* sleeps of unknown length or without a wakeup */
	uint64_t early_sleeps;		/* 1: it slept when the archive began */
	/* what each switch and wakeup touches */
	uint64_t run;			/* ns on a CPU */
	uint64_t switches;		/* how often it was switched out */
	uint64_t preempted;		/* how many of @switches left it runnable */
	uint64_t migrations;		/* switched in on another CPU than before */
	uint64_t wakeups;		/* how often it was woken */
	uint64_t alone;			/* ns of @run in which no other CPU was busy */
};

/** struct report_waits - latencies of one kind, and the longest of them */
struct report_waits {
	struct report_hist hist;
	uint64_t open;		/* not over at the end: counted as long as they lasted */
	uint64_t max_time;	/* ns, when the longest one ended; the first of several */
	uint16_t max_cpu;	/* CPU on which it ended */
	bool max_is_open;	/* it was not over */
	struct report_waits *older;	/* private to the engine */
};

struct report_team;
struct report_worst;
struct report_sleeps;

/**
 * struct report_thread - one thread
 *
 * The rest is private to the engine.
 */
struct report_thread {
	/* One line of the cache: what each switch and wakeup touches. */
	uint64_t since;			/* ns, begin of its wait or sleep */
	uint8_t wait;			/* enum report_wait_kind + 1; 0: it does not wait */
	uint8_t sleep;			/* enum report_sleep_kind + 1; 0: it does not sleep */
	uint8_t waker_count;
	bool is_seen;			/* it was switched or woken, or woke a thread */
	bool is_idle;			/* the idle threads of all CPUs together */
	bool by_idle;
	uint16_t last_cpu;		/* CPU that it last ran on; 0xffff: unknown */
	uint16_t wait_cpu;		/* of the run queue on which its wait began */
	uint16_t irq_cpu;		/* as struct report_wait has it, like @irq */
	uint8_t irq;
	uint8_t placed;			/* private to placement.c */
	bool is_shown;			/* valid after report_finish() */
	struct report_waker *wakers;	/* finally the most certain wakeups first */
	struct report_team *team;	/* the threads of its process; NULL: unknown so far */
	struct report_thread *woken_by;
	uint64_t idle_before;		/* ns that @wait_cpu had been idle by then */
	uint64_t free_before;		/* ns in which any CPU was idle, until its wait began */

	/* The next lines: what most of them touch, with the last counts of @n. */
	struct history_thread account;
	struct report_waits *waits[REPORT_KINDS];	/* by kind; NULL if there are none */
	struct report_off off;
	struct report_sleeps *sleeps[REPORT_SLEEPS];	/* likewise */
	struct sched_thread *sched;
	struct report_counts n;
	struct report_calls calls;
	struct report_process *process;	/* after report_finish(); NULL only for idle threads */
	struct report_worst *worst;
	struct report_inherited *inherited;	/* NULL: it inherited no priority */
	/* waited for @crowd_cpu beside an idle CPU, less such waits elsewhere */
	uint64_t crowd_ns;
	uint16_t crowd_cpu;
	uint64_t host;			/* ns counted while it had a CPU, as of struct report_cpu */
	uint64_t moved;			/* ns, when it was moved last while it waited */
	uint64_t mark;			/* number of the search that @marked belongs to */
	uint64_t marked;
} __attribute__((aligned(64)));

/** struct report_sum - the activity of several threads together */
struct report_sum {
	uint64_t threads;		/* number of threads that took part */
	bool is_shown;			/* one of them is shown */
	const struct report_thread *only;	/* the only one of them; NULL: there are several */
	struct report_counts n;
	struct report_waits *waits[REPORT_KINDS];
	struct report_sleeps *sleeps[REPORT_SLEEPS];
	struct report_waker *wakers;	/* of all of them, the first REPORT_WAKERS */
	unsigned int waker_count;
	struct report_calls calls;
};

/** struct report_process - one process: the sum of its threads */
struct report_process {
	uint64_t koid;
	uint32_t nth;			/* how many processes had the koid before it */
	bool is_known;			/* else it has all threads of unknown processes */
	const struct sched_process *sched;	/* NULL if the archive has no kernel object of it */
	const char *name;		/* as the archive has it, "" if it has none */
	const char *parent_name;	/* NULL if the archive does not have the parent */
	const struct report_team *team;	/* how its threads ran together; NULL if unknown */
	size_t twin;			/* 1 + the row of its only thread in the page; 0: none */
	struct report_sum sum;
};

/** struct report_comm - all threads of one name in any process, or of one cgroup */
struct report_comm {
	const char *name;	/* "": of all threads without one */
	uint64_t processes;	/* all unknown ones count as one */
	struct report_sum sum;	/* a waker stands for all threads of its name */
};

/** struct report_levels - values of one CPU over time */
struct report_levels {
	struct report_level khz;
	struct report_level queue;	/* runnable threads, the running one included */
	struct report_level util;	/* the kernel's utilization, of 1024 */
};

/**
 * struct report_cpu - one CPU
 *
 * The rest of the selected time is unknown.
 */
struct report_cpu {
	uint16_t number;
	bool is_shown;
	uint64_t busy;			/* ns */
	uint64_t idle;			/* ns in which the idle thread ran */
	uint64_t offline;		/* ns in which it was offline */
	uint64_t switches;		/* on this CPU */
	uint64_t longest;		/* ns that one thread ran without a switch */
	const struct report_thread *longest_thread;	/* NULL if none ran */
	uint64_t longest_from;		/* ns, begin of that time */
	uint64_t lost;
	uint64_t gap;			/* ns in which they were lost */
	uint64_t host;			/* ns in which the hypervisor ran something else on it */
	struct report_cpu_kernel kernel;	/* interrupts and idle states */
	struct report_levels levels;	/* frequency, run queue and load */
};

/** struct report_occupant - who had the CPU during a wait: a thread, or all threads of a name */
struct report_occupant {
	const struct report_thread *thread;	/* the one that had it longest */
	uint32_t threads;
	int32_t weight;	/* of @thread then, as archives have it; 0: unknown */
	uint64_t ns;	/* ns that they had the CPU */
};

/** struct report_wait - one of the worst latencies, or of the longest sleeps */
struct report_wait {
	uint64_t time;		/* ns, when it ended */
	uint64_t latency;
	const struct report_thread *thread;
	const struct report_thread *waker;	/* NULL: unknown, an interrupt or an idle CPU */
	/* who had the CPU longest, idle threads included */
	struct report_occupant occupants[REPORT_OCCUPANTS];
	int32_t weight;		/* of @thread when its wait began; 0: unknown */
	uint32_t sharers;	/* threads that had the CPU; @most had it longest */
	const struct report_thread *most;
	uint64_t most_ns;
	uint8_t occupant_count;
	uint16_t cpu;		/* on which it ended, or onto which it was woken */
	uint16_t from_cpu;	/* the CPU on which it began */
	uint16_t irq_cpu;	/* the interrupted CPU, REPORT_NO_CPU if unknown */
	uint8_t irq;		/* the interrupt that woke it, enum fxt_sched_irq */
	uint8_t kind;		/* enum report_wait_kind; of a sleep, enum report_sleep_kind */
	bool by_idle;		/* an idle CPU woke it */
	bool is_open;		/* not over at the end; @latency is its length until then */
	uint32_t turn;		/* its last turn in the account; 0: none so far */
	uint64_t others;	/* ns of threads that are not told apart, as there were too many */
	uint64_t unplaced;	/* ns; it was moved, and it is not known where it waited */
	uint64_t unknown;	/* ns in which it is not known who had that CPU */
	uint64_t throttled;	/* ns in which its cgroup was, namely @cgroup */
	const struct report_origin *cgroup;
	uint64_t limited;	/* ns in which its class might not run */
	uint8_t limit;
	uint16_t idle_cpu;
	uint64_t idle_ns;	/* ns that @idle_cpu, which it may use, was idle; or 0 */
	uint64_t stolen;	/* ns that interrupts took meanwhile on that CPU */
	const struct report_origin *thief;	/* which took most of @stolen, or NULL */
	uint64_t thief_ns;	/* ns that @thief took */
};

/** report_is_shared() - did too many threads share the CPU to name each of them? */
static inline bool report_is_shared(const struct report_wait *w)
{
	return w->most_ns < w->latency / 10 && w->sharers > REPORT_OCCUPANTS;
}

/** struct report_sleeps - sleeps of one kind */
struct report_sleeps {
	uint64_t count;
	uint64_t ns;			/* sum of @count sleeps that are inside the selected time */
	uint64_t cut_count;
	uint64_t cut_ns;		/* sum of the parts inside it of @cut_count other sleeps */
	struct report_wait longest;	/* inside; its latency is 0 if there is none */
	struct report_worst *worst;	/* private to the engine */
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

/** struct report_watch - callbacks, of what overlaps the selected time; NULL: not wanted */
struct report_watch {
	int (*span)(void *arg, const struct sched_span *span);
	/* its time is when that state began, if known */
	int (*sight)(void *arg, const struct sched_sight *sight);
	int (*gap)(void *arg, const struct sched_gap *gap);
	/* a switch to a thread that is not known, so that no span begins */
	void (*hidden)(void *arg, const struct sched_step *step);
	int (*slice)(void *arg, const struct sched_slice *slice);
	int (*moment)(void *arg, const struct sched_moment *moment);
	int (*move)(void *arg, const struct sched_move *move);
	int (*frequency)(void *arg, const struct sched_frequency *frequency);
	int (*request)(void *arg, const struct sched_request *request);
	void *arg;
};

/** struct report_options - the request */
struct report_options {
	struct filter filter;	/* times and CPUs select what is counted */
	bool only_sums;		/* no account: it is not asked who had the CPU */
	enum report_sort sort;
	size_t worst;
	const struct report_watch *watch;	/* NULL without an observer */
};

/** struct report_totals - sums over everything selected, whether shown or not */
struct report_totals {
	uint64_t from;			/* ns, begin of the selected time */
	uint64_t to;			/* its end, less than @from if nothing is selected */
	unsigned int cpus;		/* number of selected CPUs */
	size_t threads;			/* number of threads that took part, @processes likewise */
	size_t processes;
	struct report_counts n;		/* activity of all threads except the idle ones */
	struct report_counts shown;	/* of the threads that are shown */
	uint64_t switches;		/* context switches, those of idle threads included */
	uint64_t busy;			/* ns, sum over all CPUs; @idle and @offline likewise */
	uint64_t idle;
	uint64_t offline;
	/* of the threads that are shown, as are @sleeps */
	struct report_waits *waits[REPORT_KINDS];
	struct report_sleeps *sleeps[REPORT_SLEEPS];	/* likewise */
	const struct sched_totals *archive;	/* of the whole archive, without the filter */
	const struct fxt_reader_totals *reader;	/* valid until the reader is closed */
	uint64_t lost_names;		/* number of lost records of names */
	uint64_t buffer_full;		/* number of provider events that report a loss */
	uint64_t violations;		/* number of violations, as reported by fxt check */
	uint64_t contradictions;	/* see report_contradictions() */
	const char *filtered;		/* the filter of the recording, NULL without one */
};

/** struct report - the result; the arrays are complete after report_finish() */
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
	/* of cut ones, only uninterruptible ones */
	struct report_longest longest_sleeps[REPORT_LISTED_SLEEPS];
	struct report_kernel kernel;	/* what interrupts, idle states and work items took */
	struct report_stacks stacks;
	struct report_placement placement;
	/* what matters most first; none of a damaged archive */
	struct report_finding findings[REPORT_FINDINGS];
	size_t finding_count;
	uint64_t unlooked;		/* threads not looked at for findings, for want of time */
	bool has_trigger;		/* the archive is a snapshot, and says what triggered it */
	uint8_t cause;			/* what fired the trigger: enum fxt_sched_cause */
	struct report_wait trigger;	/* the wait, or what ran or was interrupted then */
	struct report_trigger_stacks trigger_stacks;
	uint64_t runnable;		/* with that cause: threads that were runnable on the CPU */
	const struct slices *slices;	/* of an archive without scheduling, else NULL */
	const struct sched_topology *topology;	/* NULL if unknown */
	struct scope scope;		/* which threads are shown */
	const struct history *history;	/* what each thread did; NULL if only sums were asked for */
	bool is_part;			/* only some threads are shown */
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

/**
 * report_waited_ns() - of all kinds of waits, as far as known; report_slept_ns() - of sleeps, with
 * cut ones
 */
uint64_t report_waited_ns(struct report_waits *const *waits);
uint64_t report_slept_ns(struct report_sleeps *const *sleeps);

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
 * report_quota_of() - of the cgroups that a thread is in, the one that used up its quota most often
 *
 * Return: the kernel's counts of it in the selected time; NULL if no quota was used up in it, or the
 * cgroup of the thread is unknown.
 */
const struct report_quota *report_quota_of(const struct report *r, const struct report_thread *t);

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

/** report_open() - begin a report; the caller keeps @options valid */
struct report_engine *report_open(const struct report_options *options);
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
 */
void report_explain(struct report_engine *e, struct report_wait *w);

/** report_finish() - complete the report, at the end. Return: 0 or a negative errno */
int report_finish(struct report_engine *e);

/** report_widen() - make the same report again, of all threads, after report_finish() */
void report_widen(struct report_engine *e);

/** report_of() - get the report; valid until report_close() */
const struct report *report_of(const struct report_engine *e);

#endif /* FXT_REPORT_H */
