/* SPDX-License-Identifier: GPL-2.0-or-later */
/* types.h - threads, their states, and the events that the model reports. */
#ifndef FXT_SCHED_TYPES_H
#define FXT_SCHED_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel_types.h"

/*
 * States are Linux's letters and two of our own: R runnable (woken), + runnable (preempted),
 * S sleeping, D uninterruptible, I idle kernel thread, T stopped, t traced, P parked, Z zombie,
 * X dead; O running on a CPU, ? unknown (before the first event, after a loss).
 */
#define SCHED_RUNNING	'O'
#define SCHED_UNKNOWN	'?'

#define SCHED_NAME_BYTES	64

/* Perfetto's name of a state: "Running", "R", "R+", "S", ..., "Unknown" */
const char *sched_state_name(char state);

/*
 * Linux reuses ids, and koids are such ids: each of the successive threads with one koid has its
 * own struct (threads.c). The fields that every event touches come first and fill one cache line.
 */
struct sched_thread {
	uint64_t koid;		/* 0: the idle threads of all CPUs together */
	uint64_t user;		/* for the caller */
	uint64_t switches;	/* times that it was switched out */
	uint64_t since;		/* ns, begin of the span in @state, if @is_open */
	uint64_t last_event;	/* ns, of the last event that named it */
	uint64_t last_offset;	/* bytes, of the same */
	char state;		/* letter of its current state */
	char on_state;		/* its state on a CPU; not 'O' for idle threads */
	bool is_open;
	bool is_missed;		/* switched in without a wakeup */
	uint16_t cpu;		/* where it runs or will run */
	bool has_weight;
	bool named : 1;		/* it has a kernel object record */
	bool is_woken : 1;	/* it slept or was forked within the archive */
	bool woke_early : 1;	/* its first event is a wakeup by it, on a CPU without a switch */
	bool overlaps : 1;	/* @before may still have to leave its CPU */
	bool is_forked : 1;	/* a record of its fork was seen */
	bool is_ended : 1;	/* its exit was seen, and nothing that may have freed its id */
	bool has_stack : 1;	/* a stack waits for its wakeup */
	bool at_end : 1;	/* it had a CPU when the recording of that CPU ended */
	int32_t weight;
	uint16_t queue;		/* CPU whose run queue it is or was last on; 0xffff: unknown */
	bool had_cpu;		/* its first event shows that it has had a CPU */
	bool by_mark : 1;	/* its span began with a mark, not with a switch */
	bool by_idle : 1;	/* an idle thread woke it last */
	bool is_refuted : 1;	/* its span began with a switch, but it left the CPU unseen */

	uint64_t process;	/* koid, 0 if unknown */
	uint32_t id;		/* in the order of first occurrence, from 0 */
	uint32_t nth;		/* number of earlier owners of the koid */
	uint64_t begin;		/* ns, of its fork, else of its first event; 0 without either */
	struct sched_process *owner;	/* its process, NULL if unknown */
	struct sched_thread *before;	/* previous owner of the koid, NULL if unknown */
	struct sched_thread *next;	/* next owner of the koid, if known, maybe in the future */
	struct sched_thread *same;	/* that this one turned out to be; then it has no events */
	struct sched_thread *jump;	/* one of those before it, see sched_life_at() */
	/*
	 * The last thread to wake it, or the one that @irq hit, if the begin of its run is known.
	 * Set only if spans are reported, like @waker_cpu and @irq.
	 */
	struct sched_thread *waker;
	uint16_t waker_cpu;
	uint8_t irq;
	uint64_t first_offset;	/* bytes, of the first event that names it */
	uint64_t breaks;	/* times that it was switched in, and another was switched out */
	uint64_t break_offset;	/* bytes, of the first break */
	uint64_t break_time;	/* ns */
	uint64_t exec_time;	/* ns, of the last execve(), 0 for none */
	uint64_t renamed;	/* ns, when its name replaced another one; 0: never */
	uint64_t worked_until;	/* ns, end of its last work item */
	uint64_t locked_until;	/* ns, end of its last wait for a lock */
	uint64_t memory_until;	/* ns, end of its last reclaim or compaction of memory */
	uint64_t called_until;	/* ns, end of its last system call */
	uint64_t ended;		/* ns, of its exit, if @is_ended */
	uint64_t stack_offset;	/* bytes, of the stack, if @has_stack */
	uint64_t stack_time;	/* ns, of the same */
	uint64_t stack_switches; /* @switches, once it was off the CPU */
	char *cpus;		/* that it may run on, as "0-3,8"; NULL: all or unknown */
	struct sched_cgroups *apart;	/* where it was without its process; NULL: nowhere */
	/* From the last kernel object record, truncated between characters; empty without one. */
	char name[SCHED_NAME_BYTES];
} __attribute__((aligned(64)));

/*
 * A process, or a thread without its process, is in a cgroup from then on. A process is where its
 * main thread is. If that moved alone, its other threads stay, but later ones begin where it is.
 */
struct sched_in_cgroup {
	uint64_t from;		/* ns */
	char *path;		/* NULL if unknown */
	bool is_alone;		/* of a process: its main thread moved alone */
	/*
	 * SCHED_CGROUP_* of the path asked for: in this and later entries; in those of them without
	 * @is_alone; in those of the same time
	 */
	uint8_t all;
	uint8_t others;
	uint8_t same;
	size_t together;	/* number of entries up to the last one without @is_alone */
};

/* Where a process or a thread was, in the order of time. */
struct sched_cgroups {
	struct sched_in_cgroup *list;
	size_t count;
	char *asked;		/* the last path of sched_cgroup_match(), or NULL */
};

/* Limit for ancestors: reused ids may make a process its own ancestor. */
#define SCHED_GENERATIONS	64

/* A process, from kernel object records. */
struct sched_process {
	uint64_t koid;
	char name[SCHED_NAME_BYTES];
	const char *cgroup;			/* the last one known; NULL without any */
	struct sched_cgroups cgroups;		/* see sched_cgroup_at() */
	bool has_apart;				/* not all of its threads may be in it */
	struct sched_thread *leader;		/* its main thread, if known */
	uint64_t parent_koid;			/* of the first parent known, 0 if unknown */
	struct sched_process *parent;		/* after sched_model_finish(); NULL if unknown */
	uint64_t threads;			/* that it ever had */
	uint32_t id;
	uint32_t nth;				/* number of earlier owners of the koid */
	uint64_t user;
};

/*
 * The cgroup of a thread at @time (ns), after sched_model_finish(); NULL if unknown. A process
 * begins in the cgroup of its parent, unless the archive differs.
 */
const char *sched_cgroup_at(const struct sched_thread *t, uint64_t time);

/* Was a thread ever in a cgroup or below it? Elsewhere? Is it sometimes unknown? */
#define SCHED_CGROUP_IN		1U
#define SCHED_CGROUP_OUT	2U
#define SCHED_CGROUP_UNKNOWN	4U

/* Returns those of these bits that hold. */
unsigned int sched_cgroup_match(const struct sched_thread *t, const char *path);

/*
 * A thread was in one state. SCHED_UNKNOWN begins at a loss, and where a filter hides what a thread
 * does, not before a thread's first event. Idle threads only have spans in which they run.
 */
struct sched_span {
	struct sched_thread *thread;
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	char state;
	char end_state;		/* of SCHED_RUNNING: the next state, if known */
	bool is_open;		/* the state was not over at the end of the archive */
	bool by_mark;		/* of SCHED_RUNNING: no switch began it */
	bool by_idle;		/* of R: an idle thread woke it */
	bool has_weight;
	int32_t weight;		/* of the thread when it last ran or was woken */
	/*
	 * The CPU that it ran on (SCHED_RUNNING), whose run queue it was on (R, +), or that it got
	 * and was not seen to leave (SCHED_UNKNOWN); 0xffff if unknown.
	 */
	uint16_t cpu;
	uint16_t waker_cpu;	/* of @waker or of the interrupt; 0xffff if unknown */
	uint8_t irq;		/* of R: the interrupt that woke it, enum fxt_sched_irq */
	struct sched_thread *waker;	/* of R; NULL if unknown or an interrupt */
	/* Of R: the thread that @irq hit; NULL: idle, unknown, or unknown since when it ran */
	struct sched_thread *hit;
};

/*
 * Kinds of anomalies. N: a note, explained by the archive itself.
 *
 * chain: a thread is switched out on a CPU on which another was switched in.
 * two-cpus: a thread is switched in while it runs already, on any CPU.
 * woken-running, woken-runnable: a running or runnable thread is woken.
 * not-woken: a sleeping thread is switched in without a wakeup; one note, if the archive is another
 *	program's and has no wakeups at all.
 * time-back: time goes back within a stream.
 * wrong-stream: a record is in the stream of another CPU, or of names.
 * record: a record describes what no scheduler does, such as an idle thread that sleeps.
 * ledger: written = stored + lost does not hold, or the ledgers are out of order.
 * loss-untold: a loss without its provider event or slice, or the other way round; also a
 *	switch that represents a loss and does not fit one.
 * mark: a mark of a snapshot is wrong: the switch that triggered it is missing, or a CPU begins
 *	after the stated time from which all CPUs are covered. Or a mark of a CPU's beginning or
 *	end is elsewhere in its stream.
 * event: an event of the kernel lacks its origin, or is on a wrong track; or a counter of a cgroup
 *	goes back.
 * nesting: interrupts and idle states of a CPU overlap without one being inside the other, a
 *	soft interrupt interrupts another interrupt, a kworker executes two work items at
 *	once, a thread is in two system calls, or a cgroup is throttled twice on a CPU.
 * switch-in-irq: a context switch happens inside a hard interrupt.
 * busy-idle: a CPU is in an idle state while a thread runs on it.
 * wrong-move: a thread is moved from a CPU whose run queue it is not on.
 * after-exit: a thread that has ended begins a system call, or ends again.
 * unnamed: a thread without a kernel object record. A note if the archive is not from our
 *	producers, or was merged with one that is not; if names were lost; if the recorder was in a
 *	pid namespace; if the thread ended, or may have been about to end: it neither was woken nor
 *	sleeps.
 * stack: a call stack belongs to neither a switch nor a wakeup.
 * loss: records were lost, by the ledgers of the archive.
 * hidden: some kernels hide from tracers what happens while certain threads run. Such threads are
 *	switched in and never out in the whole archive; that, and what they wake, is of this kind.
 *	So is what a thread that was on a CPU when the recording began may have done, if any
 *	thread is hidden, or if process 1, which such kernels hide, is never switched out.
 * exec: a thread that was not the leader of its process became it while it ran, so it has
 *	another koid than when it was switched in.
 * offline: a CPU was offline: no tracer sees its last switch, nor the wakeups that it
 *	does while it goes offline or comes online.
 * pid-reuse: a thread's id was reused before the thread left its CPU for the last time.
 * after-loss: would be a violation, but records were lost before it.
 * part: would be a violation, but the archive is a part of a recording, in which some CPUs
 *	begin later than others, and not all have begun.
 * filtered: the recording was filtered. If by CPU, threads may have been woken (not-woken)
 *	or have slept (woken-runnable) on the other CPUs; all other rules hold for the
 *	recorded CPUs. If by thread, the rules chain, two-cpus, woken-* and not-woken do
 *	not apply. Reported once, as a sum.
 * wakings: wakeups are those of sched_waking: a thread's wait begins there, on the CPU where it ran
 *	last, not on that of its run queue.
 * late: events come too late in the archive to be merged by time; also what would be a violation
 *	without such events.
 */
#define SCHED_ANOMALIES(X)						\
	X(SCHED_CHAIN,		"chain")				\
	X(SCHED_TWO_CPUS,	"two-cpus")				\
	X(SCHED_WOKEN_RUNNING,	"woken-running")			\
	X(SCHED_WOKEN_RUNNABLE,	"woken-runnable")			\
	X(SCHED_NOT_WOKEN,	"not-woken")				\
	X(SCHED_TIME_BACK,	"time-back")				\
	X(SCHED_WRONG_STREAM,	"wrong-stream")				\
	X(SCHED_RECORD,		"record")				\
	X(SCHED_LEDGER,		"ledger")				\
	X(SCHED_LOSS_UNTOLD,	"loss-untold")				\
	X(SCHED_UNNAMED,	"unnamed")				\
	X(SCHED_MARK,		"mark")					\
	X(SCHED_EVENT,		"event")				\
	X(SCHED_NESTING,	"nesting")				\
	X(SCHED_SWITCH_IN_IRQ,	"switch-in-irq")			\
	X(SCHED_BUSY_IDLE,	"busy-idle")				\
	X(SCHED_WRONG_MOVE,	"wrong-move")				\
	X(SCHED_AFTER_EXIT,	"after-exit")				\
	X(SCHED_STACK,		"stack")	/* N */			\
	X(SCHED_LOSS,		"loss")		/* N */			\
	X(SCHED_HIDDEN,		"hidden")	/* N */			\
	X(SCHED_EXEC,		"exec")		/* N */			\
	X(SCHED_OFFLINE,	"offline")	/* N */			\
	X(SCHED_PID_REUSE,	"pid-reuse")	/* N */			\
	X(SCHED_AFTER_LOSS,	"after-loss")	/* N */			\
	X(SCHED_PART,		"part")		/* N */			\
	X(SCHED_FILTERED,	"filtered")	/* N */			\
	X(SCHED_WAKINGS,	"wakings")	/* N */			\
	X(SCHED_LATE,		"late")		/* N */

enum sched_anomaly_kind {
#define SCHED_ANOMALY_ENUM(kind, name) kind,
	SCHED_ANOMALIES(SCHED_ANOMALY_ENUM)
#undef SCHED_ANOMALY_ENUM
	SCHED_ANOMALY_COUNT
};

/** sched_anomaly_name() - the name of a kind, from SCHED_ANOMALIES */
const char *sched_anomaly_name(enum sched_anomaly_kind kind);

/* A violation, or a note with its explanation. */
struct sched_anomaly {
	enum sched_anomaly_kind kind;
	bool violation;		/* false for notes */
	uint64_t count;		/* of occurrences, for kinds that are reported once; else 1 */
	uint64_t offset;	/* bytes, of the (first) record that shows it */
	uint64_t time;		/* ns, of that record */
	/* "byte N: cpu N: what is wrong", valid during the call. Thread names are not escaped. */
	const char *text;
};

/* A switch, in the order of time. */
struct sched_step {
	uint64_t time;		/* ns, by the clock of its CPU: up to a step before the last one */
	struct sched_thread *out;
	struct sched_thread *in;	/* NULL if unknown */
	int32_t out_weight;	/* of @out from now on; 0: unknown */
	uint16_t cpu;
	char state;		/* of @out; SCHED_UNKNOWN if that is hidden */
	bool is_late;		/* too late to be merged: later events were reported already */
};

/* Successive switches of one CPU: each switches out the thread that the one before switched in. */
struct sched_run {
	uint64_t time;		/* ns, of the first */
	uint64_t until;		/* ns, of the last */
	uint64_t busy;		/* ns between these in which the CPU was not idle */
	struct sched_thread *out;	/* by the first switch */
	struct sched_thread *in;	/* by the last switch */
	uint16_t cpu;
};

/* A wakeup, in the order of time. */
struct sched_waking {
	uint64_t time;		/* ns, as in struct sched_step */
	struct sched_thread *thread;
	struct sched_thread *waker;	/* NULL if unknown, or an interrupt or an idle thread */
	struct sched_thread *interrupted; /* that the interrupt hit; NULL: unknown or idle */
	int32_t weight;		/* of the thread from now on; 0: unknown */
	uint16_t cpu;		/* of the run queue */
	uint16_t irq_cpu;	/* the interrupted CPU, 0xffff if unknown */
	uint8_t irq;		/* the interrupt that woke it, enum fxt_sched_irq */
	bool by_idle;		/* an idle thread woke it */
	/*
	 * As far as known, the thread was not runnable before, the wakeup came in time, and the
	 * thread's next switch is recorded.
	 */
	bool fits;
};

/* What a thread did at some time, without an event. */
struct sched_sight {
	uint64_t time;		/* ns; may be older than the thread's events before it */
	struct sched_thread *thread;
	uint16_t cpu;		/* of its run queue, or where it ran last; 0xffff if unknown */
	/*
	 * 'R' if it is in a run queue, else the letter of its sleep. If a runnable thread is woken
	 * later, it was being woken then.
	 */
	char state;
};

/* A time in which a CPU's activity is unknown, because records are lost. */
struct sched_gap {
	uint64_t from;		/* ns, of the last record before the gap */
	uint64_t to;		/* ns, of the first record after it */
	uint64_t records;
	uint16_t cpu;
};

/*
 * The end of a CPU's recording, after which its activity is unknown. Reported only if other
 * recordings in the archive end later.
 */
struct sched_end {
	uint64_t time;		/* ns */
	uint16_t cpu;
};

/* The thread that has a CPU where its recording begins or ends, without a switch. */
struct sched_edge {
	uint64_t time;		/* ns */
	struct sched_thread *thread;	/* had the CPU before @time, or has it since if @is_begin */
	uint16_t cpu;
	bool is_begin;		/* the CPU's activity is known from here on, else it is unknown */
	bool is_online;		/* the CPU has come online, or goes offline */
	bool is_late;		/* as in struct sched_step */
};

/*
 * Callbacks of the model, in the order of time. Each may be NULL. They return 0, or a negative
 * errno that ends the walk.
 */
struct sched_ops {
	/*
	 * A thread's state ended. Spans of one thread do not overlap (except that idle threads
	 * share a koid). All spans are in the order of their ends.
	 */
	int (*span)(void *arg, const struct sched_span *span);
	/* Before the threads change. */
	int (*step)(void *arg, const struct sched_step *step);
	/*
	 * Many switches, in place of their @step, for callers that need only the thread that has
	 * each CPU: states of threads, anomalies, most wakeups and most other events of the kernel
	 * are not reported then.
	 */
	int (*run)(void *arg, const struct sched_run *run);
	int (*waking)(void *arg, const struct sched_waking *waking);
	/*
	 * What a thread did that had no CPU when the recording began; not in parts of a recording,
	 * nor if only some threads or CPUs were recorded.
	 */
	int (*sight)(void *arg, const struct sched_sight *sight);
	/* Each recorded or proven beginning and end of a CPU. */
	int (*edge)(void *arg, const struct sched_edge *edge);
	/* Each loss, except of names, by @from. */
	int (*gap)(void *arg, const struct sched_gap *gap);
	/* Each CPU of a recording that ends; its spans end there, too. */
	int (*end)(void *arg, const struct sched_end *end);
	/* Each slice of the kernel, by their ends, after each @piece of an interrupt. */
	int (*slice)(void *arg, const struct sched_slice *slice);
	int (*piece)(void *arg, const struct sched_piece *piece);
	int (*move)(void *arg, const struct sched_move *move);
	int (*frequency)(void *arg, const struct sched_frequency *frequency);
	/* Each other event of the kernel that is not a slice. */
	int (*moment)(void *arg, const struct sched_moment *moment);
	/* Each request of a block device, by their ends; open ones at the end. */
	int (*request)(void *arg, const struct sched_request *request);
	/* Each counter of a cgroup, in the order of the archive. */
	int (*quota)(void *arg, struct sched_quota *quota);
	/* Those that need the whole archive come from sched_model_finish(), out of order. */
	void (*anomaly)(void *arg, const struct sched_anomaly *anomaly);
};

/*
 * When classes of threads may not run, by the description of a recording. In each period, real-time
 * threads may run for their runtime. The fair server runs fair threads before them for at most its
 * own runtime.
 */
struct sched_limits {
	int64_t rt_runtime_us;		/* -1: always */
	int64_t rt_period_us;		/* 0: unknown */
	int64_t server_runtime_ns;
	int64_t server_period_ns;	/* 0: unknown */
	bool has_groups;	/* cgroups have limits of real-time threads, too */
	bool lacks_groups;	/* cgroups cannot have such limits */
	bool lacks_server;	/* the kernel is older than the fair server */
	bool differ;		/* different machines were merged: all this is unknown */
};

/* Totals of the archive. */
struct sched_totals {
	uint64_t first;		/* ns; known after sched_model_finish(), like @last and @late */
	uint64_t last;		/* ns */
	uint64_t switches;
	uint64_t wakeups;
	uint64_t events[KERNEL_EVENTS];	/* other events of the kernel */
	uint64_t before;	/* written or lost before a part; not in the next ones */
	uint64_t written;	/* by the ledgers: records that producers wrote or tried to write */
	uint64_t stored;	/* records in the archive, in streams with ledgers */
	uint64_t lost;		/* by the ledgers */
	uint64_t ledgers;	/* 0: the archive is not from our producers */
	uint64_t unclosed;	/* streams without a closing ledger: a truncated archive */
	uint64_t late;		/* events that came too late to be merged */
	uint64_t complete;	/* ns, since when a part of a recording covers all CPUs; else 0 */
	uint64_t begins;	/* ns, start of a part, if events before it are known; else 0 */

	unsigned int cpus;	/* with a switch, a mark, a ledger or a wakeup */
	unsigned int cpu_end;	/* 1 + the largest number of these CPUs; 0: there are none */

	/* From descriptions of recordings so far. */
	uint64_t epoch;		/* ns since 1970 at time 0 of the archive; 0: unknown */
	uint64_t command;	/* koid of the process that was recorded; 0: none, or several */
	bool lacks_cpus;	/* only some CPUs were recorded */
	bool lacks_threads;	/* only some threads */
	bool is_imported;	/* another program recorded it */
	bool has_priorities;	/* weights are the kernel's priorities */
	bool lacks_weights;	/* weights of threads that are not idle may be missing */
	bool lacks_quotas;	/* the kernel was built without quotas of CPU time */
	bool has_throttle;	/* slices or counters of throttled cgroups were recorded */
	bool has_locks;		/* waits for locks were recorded */
	struct sched_limits limits;
	bool has_wakings;	/* wakeups are those of sched_waking: see SCHED_WAKINGS */
	/* In all recordings: without an event, a runnable thread has stayed on its CPU. */
	bool has_moves;
	bool has_all_moves;	/* so has a thread that was being woken */
	/* In all recordings: the cgroups are those of version 2, which have all controllers. */
	bool has_v2;
};

enum sched_share { SCHED_CORE, SCHED_CACHE, SCHED_NODE, SCHED_SHARES };

#define SCHED_TOPOLOGY_CPUS	4096
#define SCHED_SHARE_UNKNOWN	0

/* Which CPUs share cores, caches and nodes. */
struct sched_topology {
	/* By CPU: number of its core, last-level cache or node, from 1; or SCHED_SHARE_UNKNOWN. */
	uint16_t groups[SCHED_SHARES][SCHED_TOPOLOGY_CPUS];
};

/* What triggered a snapshot. */
struct sched_trigger {
	/*
	 * ns: when @thread was switched in on @cpu, was woken or got a lock; when an interrupt that
	 * hit it ended; or when @cpu, where it ran, had too many runnable threads.
	 */
	uint64_t time;
	uint64_t value;		/* ns of the wait, sleep or interrupt; or number of these threads */
	uint64_t thread;	/* koid */
	uint16_t cpu;
	uint8_t cause;		/* enum fxt_sched_cause */
	bool goes_on;		/* the wait or sleep of @thread was not over at @time */
	const struct sched_origin *lock;	/* that @thread waited for; NULL: none, or unknown */
	uint64_t holder;	/* koid of who had @lock at @time; 0: unknown */
};

/* The cause for an argument of a trigger's mark, FXT_STR_*. */
bool sched_find_cause(uint16_t argument, uint8_t *cause);

/* The word for a cause in JSON. */
const char *sched_cause_word(uint8_t cause);

/* Did the thread sleep? */
bool sched_cause_sleeps(uint8_t cause);

/* "hard" or "soft"; NULL if the cause is not an interrupt. */
const char *sched_cause_interrupt(uint8_t cause);

/* How the thread of a cause slept or waited: " in D", " for a lock" or "". */
const char *sched_cause_how(uint8_t cause);

/* At the end: does a process, or an ancestor, have this koid? */
bool sched_is_started_by(const struct sched_process *p, uint64_t koid);

#define SCHED_TIMER_PART	100	/* of the time: a command that runs for less only waits */

/*
 * Is the recorded command one thread that hardly runs, as in "fxt-collect -- sleep 10"? Then it
 * only limits the time. @threads: its active threads, which ran for @run of @span ns
 */
static inline bool sched_is_timer(uint64_t threads, uint64_t run, uint64_t span)
{
	return threads == 1 && run < span / SCHED_TIMER_PART;
}

#define SCHED_NICE_0_PRIO	120
#define SCHED_FAIR_MIN_PRIO	100	/* nice -20 */
#define SCHED_MAX_PRIO		140

/* Nice -20 to 19; each is 1.25 of the next. */
extern const int32_t sched_nice_weights[SCHED_MAX_PRIO - SCHED_FAIR_MIN_PRIO];

/* The weight in archives of a thread with task_struct.prio @prio. */
int32_t sched_weight_of_prio(uint32_t tid, int32_t prio);

/* Scheduling classes, higher ones last; a class runs if those above it have no runnable thread. */
enum sched_class { SCHED_CLASS_NONE, SCHED_CLASS_FAIR, SCHED_CLASS_RT, SCHED_CLASS_DL };

/* The class of a thread other than an idle one, by its weight; 0: unknown. */
enum sched_class sched_class_of(const struct sched_totals *totals, int32_t weight);

/* Truncates names between characters of UTF-8. */
void sched_set_name(char *name, size_t size, const struct fxt_text *text);

#endif /* FXT_SCHED_TYPES_H */
