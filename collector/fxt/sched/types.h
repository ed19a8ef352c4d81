/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * types.h - threads, their states, and the events that the model reports.
 */
#ifndef FXT_SCHED_TYPES_H
#define FXT_SCHED_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel_types.h"

/*
 * The state of a thread is one of Linux's letters, or one of two of our own:
 * R runnable (woken), + runnable (preempted), S sleeping, D uninterruptible,
 * I idle kernel thread, T stopped, t traced, P parked, Z zombie, X dead;
 * O running on a CPU, ? not known (before its first event, after a loss).
 */
#define SCHED_RUNNING	'O'
#define SCHED_UNKNOWN	'?'

#define SCHED_NAME_BYTES	64


/* Line of a session's description: wakeups are those of sched_waking. */
#define SCHED_WAKING_LINE	"wakeups waking"

/** sched_state_name() - Perfetto's name of a state: "Running", "R", "R+", "S", ..., "Unknown" */
const char *sched_state_name(char state);

/**
 * struct sched_thread - one thread
 * @koid: its id; 0: the idle threads of all CPUs together
 * @process: koid of its process, 0 if unknown
 * @name: from the last kernel object record so far, terminated, truncated between characters; empty
 *	if there is none
 * @named: a kernel object record was seen for it
 * @is_woken: it has been woken, so it slept or was forked within the archive
 * @overlaps: @before may still have to leave its CPU, although its id is reused
 * @is_forked: a record of its fork was seen
 * @is_ended: its exit was seen, and no event since then that may give its id to another thread
 * @has_stack: a stack waits for the wakeup that it belongs to
 * @at_end: it had a CPU when the recording of that CPU ended
 * @had_cpu: its first event shows that it has had a CPU
 * @woke_early: its first event is a wakeup of another thread, on a CPU without a switch so far
 * @switches: times that it was switched out
 * @state: letter of its current state
 * @is_open: a span in @state began at @since
 * @cpu: the CPU that it runs on or will run on
 * @queue: the CPU whose run queue it is or was on last, 0xffff if unknown
 * @waker: the last thread to wake it, or the one that @irq hit, if it is known since when it had
 *	its CPU; only if spans are reported, like @waker_cpu and @irq
 * @begin: ns, of its fork, else of its first event; 0 without either
 * @owner: its process, NULL if unknown
 * @before: the thread that had the koid before it, NULL if none is known
 * @next: the next thread with the koid, if known, maybe in the future
 * @nth: number of earlier owners of the koid
 * @same: the thread that this one turned out to be; then this one has no events of its own
 * @id: number in the order of first occurrence, from 0
 * @cpus: CPUs that it may run on, as "0-3,8", terminated; NULL: all or unknown
 * @user: for the caller
 *
 * Linux reuses ids, and koids are such ids: each of the successive threads with one koid
 * has a struct of its own (threads.c).
 *
 * The fields that every event touches come first and fill one cache line.
 */
struct sched_thread {
	uint64_t koid;
	uint64_t user;
	uint64_t switches;
	uint64_t since;		/* ns */
	uint64_t last_event;	/* ns, of the last event that named it */
	uint64_t last_offset;	/* bytes, of the same */
	char state;
	char on_state;		/* its state on a CPU; not 'O' for idle threads */
	bool is_open;
	bool is_missed;		/* switched in without a wakeup */
	uint16_t cpu;
	bool has_weight;
	bool named : 1;
	bool is_woken : 1;
	bool woke_early : 1;
	bool overlaps : 1;
	bool is_forked : 1;
	bool is_ended : 1;
	bool has_stack : 1;
	bool at_end : 1;
	int32_t weight;
	uint16_t queue;
	bool had_cpu;
	bool by_mark : 1;	/* its span began with a mark, not with a switch */
	bool by_idle : 1;	/* an idle thread woke it last */
	bool is_refuted : 1;	/* its span began with a switch, but it left the CPU unseen */

	uint64_t process;
	uint32_t id;
	uint64_t begin;
	struct sched_process *owner;
	struct sched_thread *before;
	struct sched_thread *next;
	struct sched_thread *same;
	uint32_t nth;
	struct sched_thread *waker;
	uint16_t waker_cpu;
	uint8_t irq;
	uint64_t first_offset;	/* bytes, of the first event that names it */
	uint64_t breaks;	/* times that it was switched in, and another was switched out */
	uint64_t break_offset;	/* bytes, of the first of them */
	uint64_t break_time;	/* ns */
	uint64_t exec_time;	/* ns, of the last execve(), 0 for none */
	uint64_t renamed;	/* ns, when it got its name instead of another one; 0: never */
	uint64_t worked_until;	/* ns, end of its last work item */
	uint64_t called_until;	/* ns, end of its last system call */
	uint64_t ended;		/* ns, of its exit, if @is_ended */
	uint64_t stack_offset;	/* bytes, of the stack, if @has_stack */
	uint64_t stack_time;	/* ns, of the same */
	uint64_t stack_switches; /* @switches, once it was off the CPU */
	char *cpus;
	char name[SCHED_NAME_BYTES];
} __attribute__((aligned(64)));

/** struct sched_in_cgroup - a process is in a cgroup from then (ns) on; @path: NULL if unknown */
struct sched_in_cgroup {
	uint64_t from;
	char *path;
};

/**
 * struct sched_process - one process, from kernel object records
 * @cgroup: the last one known, terminated; NULL without any
 * @cgroups: all, in the order of time; see sched_cgroup_at()
 * @leader: its main thread, if known
 * @parent_koid: koid of the first parent known, 0 if unknown
 * @parent: the process of @parent_koid; after sched_model_finish(), NULL if it is not known
 * @threads: number of threads that it ever had
 * @nth: number of earlier owners of the koid
 */
struct sched_process {
	uint64_t koid;
	char name[SCHED_NAME_BYTES];
	const char *cgroup;
	struct sched_in_cgroup *cgroups;
	size_t cgroup_count;
	struct sched_thread *leader;
	uint64_t parent_koid;
	struct sched_process *parent;
	uint64_t threads;
	uint32_t id;
	uint32_t nth;
	uint64_t user;
};

/** sched_cgroup_at() - the cgroup of a process at a time (ns); NULL if unknown */
const char *sched_cgroup_at(const struct sched_process *p, uint64_t time);

/** sched_was_in_cgroup() - was the process ever in a cgroup, or in one below? */
bool sched_was_in_cgroup(const struct sched_process *p, const char *path);

/** sched_was_elsewhere() - was it ever in another one, or may it have been? */
bool sched_was_elsewhere(const struct sched_process *p, const char *path);

/**
 * struct sched_span - a thread was in one state
 * @cpu: the CPU that it ran on (SCHED_RUNNING), whose run queue it was on (R, +), or that it got
 *	and was not seen to leave (SCHED_UNKNOWN); 0xffff if unknown
 * @by_mark: of SCHED_RUNNING: no switch began it
 * @by_idle: of R: an idle thread woke it
 * @end_state: of SCHED_RUNNING: the next state; SCHED_UNKNOWN if the trace ended or records were
 *	lost
 * @is_open: the state was not over at the end of the archive
 * @waker: of R: the thread that woke it, NULL if unknown or an interrupt
 * @waker_cpu: the CPU of @waker or of the interrupt; 0xffff if unknown
 * @irq: of R: the interrupt that woke it, enum fxt_sched_irq
 * @hit: of R: the thread that @irq hit; NULL if unknown or idle, or if it is unknown since when
 *	that thread had its CPU
 *
 * SCHED_UNKNOWN begins at a loss, and where a filter hides what a thread does, not before
 * a thread's first event. Of the idle threads only the spans in which they run are
 * reported.
 */
struct sched_span {
	struct sched_thread *thread;
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	char state;
	char end_state;
	bool is_open;
	bool by_mark;
	bool by_idle;
	bool has_weight;
	int32_t weight;		/* weight of the thread when it last ran or was woken */
	uint16_t cpu;
	uint16_t waker_cpu;
	uint8_t irq;
	struct sched_thread *waker;
	struct sched_thread *hit;
};

/*
 * Kinds of anomalies. N: a note, explained by the archive itself.
 *
 * chain: a thread is switched out on a CPU on which another was switched in.
 * two-cpus: a thread is switched in while it runs already, on any CPU.
 * woken-running, woken-runnable: a running or runnable thread is woken.
 * not-woken: a sleeping thread is switched in without a wakeup; one note, if the archive
 *	has no wakeups at all, and another program recorded it.
 * time-back: time goes back within a stream.
 * wrong-stream: a record is in the stream of another CPU, or of names.
 * record: a record describes what no scheduler does, such as an idle thread that sleeps.
 * ledger: written = stored + lost does not hold, or the ledgers are out of order.
 * loss-untold: a loss without its provider event or slice, or the other way round; also a
 *	switch that represents a loss and does not fit one.
 * mark: a mark of a snapshot is wrong: the switch that triggered it is missing, or a CPU
 *	begins after the stated time from which all CPUs are covered. Or a mark of a CPU's
 *	beginning or end is elsewhere in its stream.
 * event: an event of the kernel lacks what it is of, or is on another track than its own; or
 *	a counter of a cgroup goes back.
 * nesting: interrupts and idle states of a CPU overlap without one being inside the other, a
 *	soft interrupt interrupts another interrupt, a kworker executes two work items at
 *	once, a thread is in two system calls, or a cgroup is throttled twice on a CPU.
 * switch-in-irq: a context switch happens inside a hard interrupt.
 * busy-idle: a CPU is in an idle state while a thread runs on it.
 * wrong-move: a thread is moved from a CPU whose run queue it is not on.
 * after-exit: a thread that has ended begins a system call, or ends again.
 * unnamed: a thread without a kernel object record; a note where the archive is not from
 *	our producers, or was merged with one that is not, names were lost, the recorder was
 *	in a pid namespace of its own, the thread ended, or may have been about to end: a
 *	thread that neither was woken nor sleeps.
 * stack: a call stack belongs to neither a switch nor a wakeup.
 * loss: records were lost, by the ledgers of the archive.
 * hidden: some kernels hide from tracers what happens while certain threads run. Such
 *	threads are switched in and never out in the whole archive; that, and what they
 *	wake, is of this kind. So is what a thread that was on a CPU when the recording
 *	began may have done, if any thread is hidden, or if process 1, which such kernels
 *	are known to hide, is never switched out.
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
 * wakings: wakeups are those of sched_waking: the wait of a thread begins there, and the CPU is the
 *	one that the thread ran on last, not that of its run queue.
 * late: events come so late in the archive that they could not be merged by time; also
 *	what would be a violation otherwise, where there are such events.
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

/**
 * struct sched_anomaly - a violation, or a note with its explanation
 * @violation: false for notes
 * @count: number of occurrences, for kinds that are reported once; else 1
 * @offset: bytes, of the (first) record that shows it
 * @time: ns of that record
 * @text: one line: "byte N: cpu N: what is wrong"; valid during the call. Names
 *	of threads are not escaped in it
 */
struct sched_anomaly {
	enum sched_anomaly_kind kind;
	bool violation;
	uint64_t count;
	uint64_t offset;
	uint64_t time;
	const char *text;
};

/**
 * struct sched_step - a switch, in the order of time
 * @time: ns, by the clock of its CPU: up to a step of the clocks before the last one
 * @in: NULL if unknown
 * @out_weight: of @out from now on; 0: unknown
 * @state: letter of the state that @out is left in; SCHED_UNKNOWN if that is hidden
 * @is_late: it came too late to be merged: later events were reported already
 */
struct sched_step {
	uint64_t time;
	struct sched_thread *out;
	struct sched_thread *in;
	int32_t out_weight;
	uint16_t cpu;
	char state;
	bool is_late;
};

/**
 * struct sched_run - successive switches of one CPU: each switches out what the one before it
 *	has switched in
 * @time: ns, of the first
 * @until: ns, of the last
 * @busy: ns between these in which a thread had the CPU, and not the idle one
 * @out: switched out by the first
 * @in: switched in by the last
 */
struct sched_run {
	uint64_t time;
	uint64_t until;
	uint64_t busy;
	struct sched_thread *out;
	struct sched_thread *in;
	uint16_t cpu;
};

/**
 * struct sched_waking - a wakeup, in the order of time
 * @time: ns, as in struct sched_step
 * @thread: the woken thread
 * @waker: NULL if unknown, or if an interrupt or an idle thread woke it
 * @interrupted: the thread that the interrupt hit; NULL if unknown or idle
 * @weight: of the thread from now on; 0: unknown
 * @cpu: the CPU on whose run queue it is put
 * @irq: the interrupt that woke it, enum fxt_sched_irq
 * @irq_cpu: the interrupted CPU, 0xffff if unknown
 * @by_idle: an idle thread woke it
 * @fits: as far as known, the thread was not runnable before, the wakeup came in time, and the
 *	thread's next switch is recorded
 */
struct sched_waking {
	uint64_t time;
	struct sched_thread *thread;
	struct sched_thread *waker;
	struct sched_thread *interrupted;
	int32_t weight;
	uint16_t cpu;
	uint16_t irq_cpu;
	uint8_t irq;
	bool by_idle;
	bool fits;
};

/**
 * struct sched_sight - what a thread did at some time, without an event that says so
 * @time: ns; if the thread has an event before, what was seen may be older than that
 * @thread: the thread
 * @cpu: CPU of its run queue, or on which it ran last; 0xffff if unknown
 * @state: 'R' if it is in a run queue; else the letter of its sleep. A wakeup of a runnable thread
 *	means that it was being woken then
 */
struct sched_sight {
	uint64_t time;
	struct sched_thread *thread;
	uint16_t cpu;
	char state;
};

/**
 * struct sched_gap - a time in which a CPU's activity is unknown, because records are lost
 * @from: ns, of the last record before the gap
 * @to: ns, of the first record after it
 */
struct sched_gap {
	uint64_t from;
	uint64_t to;
	uint64_t records;
	uint16_t cpu;
};

/**
 * struct sched_end - the end of a CPU's recording, after which its activity is unknown
 * @time: ns
 *
 * Only reported if other recordings in the same archive end later.
 */
struct sched_end {
	uint64_t time;
	uint16_t cpu;
};

/**
 * struct sched_edge - the thread that has a CPU where its recording begins or ends, without a
 * switch
 * @time: ns
 * @thread: it had the CPU before @time, or has it from then on if @is_begin
 * @is_begin: the CPU's activity is known from here on, else it is unknown
 * @is_online: the CPU has come online, or goes offline
 * @is_late: as in struct sched_step
 */
struct sched_edge {
	uint64_t time;
	struct sched_thread *thread;
	uint16_t cpu;
	bool is_begin;
	bool is_online;
	bool is_late;
};

/**
 * struct sched_ops - callbacks of the model; each may be NULL
 * @span: a thread's state ended; spans of one thread are in order and do not overlap (except that
 *	idle threads share a koid); those of all threads are in the order of their ends. Returns 0,
 *	or a negative errno that ends the walk
 * @step: each switch, in the order of time, before the threads change; like @span
 * @run: many switches, in place of their @step, for callers that need to know only which thread
 *	has each CPU: the states of threads, anomalies and most wakeups are not reported then
 * @waking: each wakeup, likewise
 * @sight: what a thread did that had no CPU when the recording began, likewise; not in parts of a
 *	recording, nor if only some threads or CPUs were recorded
 * @edge: each recorded or proven beginning and end of a CPU, likewise
 * @gap: each loss, except of names, likewise by @from
 * @end: each CPU of a recording that ends; its spans end there, too
 * @slice: each slice of the kernel, in the order of their ends; like @span
 * @piece: each piece of an interrupt, before its @slice
 * @move: each migration, in the order of time
 * @frequency: each frequency, likewise
 * @moment: each other event of the kernel that is not a slice, likewise
 * @quota: each counter of a cgroup, in the order of the archive
 * @anomaly: each anomaly. Those that need the whole archive are reported by sched_model_finish(),
 *	so offsets are not in order
 */
struct sched_ops {
	int (*span)(void *arg, const struct sched_span *span);
	int (*step)(void *arg, const struct sched_step *step);
	int (*run)(void *arg, const struct sched_run *run);
	int (*waking)(void *arg, const struct sched_waking *waking);
	int (*sight)(void *arg, const struct sched_sight *sight);
	int (*edge)(void *arg, const struct sched_edge *edge);
	int (*gap)(void *arg, const struct sched_gap *gap);
	int (*end)(void *arg, const struct sched_end *end);
	int (*slice)(void *arg, const struct sched_slice *slice);
	int (*piece)(void *arg, const struct sched_piece *piece);
	int (*move)(void *arg, const struct sched_move *move);
	int (*frequency)(void *arg, const struct sched_frequency *frequency);
	int (*moment)(void *arg, const struct sched_moment *moment);
	int (*quota)(void *arg, struct sched_quota *quota);
	void (*anomaly)(void *arg, const struct sched_anomaly *anomaly);
};

/**
 * struct sched_limits - when classes of threads may not run, by the description of a recording
 * @rt_runtime_us: of each @rt_period_us, the time in which real-time threads may run; -1: always
 * @rt_period_us: 0: unknown
 * @server_runtime_ns: of each @server_period_ns, the time in which the fair server runs threads of the
 *	fair class before those of the real-time class, at most
 * @server_period_ns: 0: unknown
 * @has_groups: cgroups have limits of real-time threads, too
 * @lacks_groups: they cannot
 * @lacks_server: the kernel is older than the fair server
 * @differ: recordings of machines with different limits were merged: nothing of this is known
 */
struct sched_limits {
	int64_t rt_runtime_us;
	int64_t rt_period_us;
	int64_t server_runtime_ns;
	int64_t server_period_ns;
	bool has_groups;
	bool lacks_groups;
	bool lacks_server;
	bool differ;
};

/**
 * struct sched_totals - the whole archive
 * @first: ns, of the first event by time; known after sched_model_finish(), like @last and
 *	@late
 * @last: ns, of the last
 * @cpus: number of CPUs with a switch, a mark, a ledger or a wakeup
 * @cpu_end: 1 + the largest number of these CPUs; 0: there are none
 * @events: numbers of other events of the kernel, by enum kernel_event_what
 * @before: by the opening ledgers: records written or lost before the archive's part of the
 *	recording, which the next fields do not count
 * @written: records that producers wrote or tried to write, by the ledgers
 * @stored: records in the archive, in streams with ledgers
 * @lost: by the ledgers
 * @ledgers: number of ledgers; 0: the archive is not from our producers
 * @unclosed: streams that have ledgers but no closing one, after sched_model_finish(): the
 *	archive is truncated
 * @late: events that came too late to be merged
 * @complete: by the opening ledgers so far: ns, since when all CPUs are covered; 0 if the archive
 *	is not a part of a recording
 * @begins: ns, start of a part of a recording, if events before it are known; else 0
 * @epoch: ns since 1970 at time 0 of the archive, by the description of a recording; 0: unknown
 * @command: koid of the process that was recorded while it ran, likewise; 0: none, or several
 * @lacks_cpus: by the description of a recording so far: only some CPUs were recorded
 * @lacks_threads: only some threads, likewise
 * @is_imported: another program recorded it, likewise
 * @has_priorities: weights are the kernel's priorities, likewise
 * @lacks_weights: only those of idle threads were recorded, likewise
 * @lacks_quotas: the kernel was built without quotas of CPU time, likewise
 * @has_throttle: slices or counters of throttled cgroups were recorded, likewise
 * @limits: of scheduling classes
 * @has_wakings: wakeups are those of sched_waking, likewise: the CPU is the one that the thread
 *	ran on last, and waits begin earlier
 * @has_moves: each move of a runnable thread to another CPU was recorded, likewise of all recordings
 *	in the archive: without an event, a thread has stayed where it was
 * @has_all_moves: so were those of threads that were being woken
 */
struct sched_totals {
	uint64_t first;
	uint64_t last;
	uint64_t switches;
	uint64_t wakeups;
	uint64_t events[KERNEL_EVENTS];
	uint64_t before;
	uint64_t written;
	uint64_t stored;
	uint64_t lost;
	uint64_t ledgers;
	uint64_t unclosed;
	uint64_t late;
	uint64_t complete;
	uint64_t begins;
	uint64_t epoch;
	uint64_t command;
	unsigned int cpus;
	unsigned int cpu_end;
	bool lacks_cpus;
	bool lacks_threads;
	bool is_imported;
	bool has_priorities;
	bool lacks_weights;
	bool lacks_quotas;
	bool has_throttle;
	struct sched_limits limits;
	bool has_wakings;
	bool has_moves;
	bool has_all_moves;
};

enum sched_share { SCHED_CORE, SCHED_CACHE, SCHED_NODE, SCHED_SHARES };

#define SCHED_TOPOLOGY_CPUS	4096
#define SCHED_SHARE_UNKNOWN	0

/**
 * struct sched_topology - which CPUs share cores, caches and nodes
 * @groups: by CPU: number of its core, last-level cache and node, from 1; SCHED_SHARE_UNKNOWN if
 *	the description of the recording does not say
 */
struct sched_topology {
	uint16_t groups[SCHED_SHARES][SCHED_TOPOLOGY_CPUS];
};

/**
 * struct sched_trigger - what triggered a snapshot
 * @time: ns: when @thread was switched in on @cpu; or when an interrupt that hit it ended; or when
 *	@cpu, where it ran, had too many runnable threads
 * @value: ns that @thread had waited, or that the interrupt took; or the number of these threads
 * @thread: koid
 * @cause: enum fxt_sched_cause
 * @goes_on: @thread was not switched in at @time; it still waited
 */
struct sched_trigger {
	uint64_t time;
	uint64_t value;
	uint64_t thread;
	uint16_t cpu;
	uint8_t cause;
	bool goes_on;
};

/**
 * sched_find_cause() - which cause does an argument of a trigger's mark stand for?
 * @argument: its name, FXT_STR_*
 * @cause: set to enum fxt_sched_cause
 *
 * Return: false if it stands for none.
 */
bool sched_find_cause(uint16_t argument, uint8_t *cause);

/** sched_cause_word() - the word for a cause in JSON */
const char *sched_cause_word(uint8_t cause);

/** sched_cause_interrupt() - "hard" or "soft"; NULL if the cause is no interrupt */
const char *sched_cause_interrupt(uint8_t cause);

/**
 * sched_is_started_by() - does a process, or one of its ancestors, have this koid?
 * @p: the process, NULL if it is unknown
 * @koid: koid of the process or ancestor; after sched_model_finish()
 */
bool sched_is_started_by(const struct sched_process *p, uint64_t koid);

#define SCHED_TIMER_PART	100	/* part of the time: a command that runs for less only waits */

/**
 * sched_is_timer() - is the recorded command one thread that hardly runs?
 * @threads: of the command, that were active; they ran for @run ns
 * @span: ns, of the recording
 *
 * "fxt-collect -- sleep 10" records the machine for a while: nobody asks what sleep(1) does.
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

/**
 * sched_weight_of_prio() - the weight that archives have for a thread
 * @tid: 0: an idle task
 * @prio: the kernel's priority (task_struct.prio)
 */
int32_t sched_weight_of_prio(uint32_t tid, int32_t prio);

/* Scheduling classes, the higher ones last; one runs if those above it have no thread that may. */
enum sched_class { SCHED_CLASS_NONE, SCHED_CLASS_FAIR, SCHED_CLASS_RT, SCHED_CLASS_DL };

/**
 * sched_class_of() - the class of a thread, but for idle threads, by its weight
 * @totals: of the archive
 * @weight: as the archive has it; 0: unknown
 */
enum sched_class sched_class_of(const struct sched_totals *totals, int32_t weight);

#endif /* FXT_SCHED_TYPES_H */
