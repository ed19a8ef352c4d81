/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - the interface of a source of records: the module (relay) or BPF programs (bpf).
 *
 * A source delivers chunks: whole FXT records of one stream (of a CPU, or of names) in the order of
 * writing, each chunk beginning with a ledger.
 *
 * The order of calls: open, start, any number of next, stop, next until it returns nothing, stats,
 * close. close may come at any time, marks and stats between start and close.
 *
 * In overwrite mode: open, start, next for the stream of names only, which is never overwritten;
 * freeze, next (partial) until it returns nothing, stats, thaw, and so on; finally stop, which also
 * freezes. All calls come from one thread. They may block until the kernel answers, but none waits
 * for events.
 */
#ifndef FXT_COLLECT_SOURCE_H
#define FXT_COLLECT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_catalogue.h>
#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_custom.h>
#include <linux/fxt_sched.h>

#include "process/error.h"
#include "process/subids.h"

struct source;

/* --- tracepoints ------------------------------------------------------------------------ */

#define TRACEPOINT_NAME		64	/* bytes, with a 0 */
#define TRACEPOINT_FIELD	64	/* likewise */

/* A tracepoint that the user has chosen. */
struct tracepoint {
	char name[TRACEPOINT_NAME];
	/* What to record: arguments and members of what they refer to, as in "prev.pid". */
	char fields[FXT_SCHED_CUSTOM_FIELDS][TRACEPOINT_FIELD];
	unsigned int field_count;	/* 0 until the source has found all integer arguments */
	bool is_counter;	/* of its only field, or of the second if the first is its id */
};

struct tracepoints {
	struct tracepoint all[FXT_SCHED_CUSTOM_MOST];
	unsigned int count;
};

/* --- sources ---------------------------------------------------------------------------- */

enum clock_kind {
	CLOCK_KIND_BOOT,
	CLOCK_KIND_MONO,
	CLOCK_KIND_TSC,
};

enum weight_mode {
	WEIGHT_MODE_WEIGHT,
	WEIGHT_MODE_PRIO,
	WEIGHT_MODE_NONE,
};

enum wakeup_mode {
	WAKEUP_MODE_WAKEUP,
	WAKEUP_MODE_WAKING,
};

/*
 * ns until the record of an event is certainly in its buffer: a virtual CPU can be stopped for long
 * between reading the clock and writing the record.
 */
#define LATEST_NS	100000000ULL
#define MAX_CPUS	8192		/* the kernel's largest NR_CPUS */

/**
 * struct source_filter - what to record; the rest does not count as lost
 *
 * A switch is recorded if the thread switched out or the one switched in matches; a wakeup, if the
 * woken thread or the waker does. A thread matches if it meets each given one of @pids, @comm and
 * @cgroup.
 */
struct source_filter {
	const char *cpus;	/* "0-3,8": switches on these CPUs, wakeups to them; NULL: all */
	bool has_cpu[MAX_CPUS];	/* likewise, by number */
	/* Process ids: their threads, and the processes that those fork later. */
	uint32_t pids[FXT_SCHED_FILTER_PIDS_MAX];
	unsigned int pid_count;	/* 0: all */
	const char *comm;	/* pattern (fxt_glob.h) of thread names, NULL for all */
	const char *cgroup;	/* path below the root of cgroup v2, "/..."; NULL for all */
	const char *cgroup_dir;	/* path of its directory */
	uint64_t cgroup_id;	/* the inode number of its directory */
	bool cgroup_is_empty;	/* no thread was in it or below it at the start */
	unsigned int cgroup_level;	/* its depth; 0 is the root */
};

/* When the kernel freezes the recording by itself. */
struct source_trigger {
	/*
	 * By FXT_SCHED_CAUSE_*, what must be exceeded, 0: this cause does not fire it. ns of a
	 * thread's wait from its wakeup to its switch-in, of its sleep, of its wait for a lock, or
	 * of an interrupt; or the number of runnable threads of a CPU, with the running one (BPF
	 * only).
	 */
	uint64_t limit[FXT_SCHED_CAUSES];
	uint64_t after;		/* ns for which the recording continues */
	const char *comm;	/* pattern of the names of matching threads, NULL for all */
	uint32_t pid;		/* process of matching threads, 0 for all */
};

/* What fired the trigger, or the longest wait. */
struct trigger_hit {
	uint64_t time;		/* ticks of its end, or when it was seen */
	uint64_t value;		/* ticks; with FXT_SCHED_CAUSE_RUNNABLE the number of threads */
	uint32_t thread;	/* the koid of the thread that waited, or had the CPU */
	uint32_t cpu;		/* the CPU that it waited for, had, or was woken on */
	uint32_t cause;		/* enum fxt_sched_cause */
	bool goes_on;		/* a wait that was not over at @time */
	uint32_t user;		/* of the thread that waited; or SOURCE_NO_USER */
	struct trigger_lock {
		uint64_t address;	/* of the lock that it waited for; 0: of none */
		uint32_t kind;		/* enum fxt_lock_kind */
		uint32_t holder;	/* koid of the thread that had it; 0: unknown */
	} lock;
};

#define SOURCE_NO_USER		UINT32_MAX
#define SOURCE_OTHER_USERS	(UINT32_MAX - 1)	/* those without a limit of their own */

/* What a user's threads must exceed to fire the trigger. */
struct raised_limit {
	uint32_t cause;		/* FXT_SCHED_CAUSE_* */
	struct users users;	/* or SOURCE_NO_USER */
	uint64_t limit;		/* as in struct source_trigger */
};

/* Which thread has a CPU (<fxt/fxt_mark.h>). */
struct source_mark {
	uint64_t time;		/* ticks */
	uint32_t cpu;
	uint32_t thread;	/* id; 0 is the idle thread */
	int32_t weight;		/* as in its switches, or FXT_SCHED_WEIGHT_NONE */
	/* ns since boot in which the hypervisor ran something else on the CPU; 0: none, or unknown */
	uint64_t steal;
};

/* Stacks to record: bits in the order of their names, as in the module. */
enum {
	STACKS_OFFCPU	= FXT_SCHED_STACKS_OFFCPU,
	STACKS_PREEMPT	= FXT_SCHED_STACKS_PREEMPT,
	STACKS_WAKE	= FXT_SCHED_STACKS_WAKE,
	STACKS_KERNEL	= FXT_SCHED_STACKS_KERNEL,
	STACKS_USER	= FXT_SCHED_STACKS_USER,
	STACKS_ONCPU	= FXT_SCHED_STACKS_ONCPU,
	STACKS_CHECK	= 1 << 6,	/* only with BPF */
	STACKS_UNWIND	= 1 << 7,	/* leave all stacks of the kernel to its unwinder */
};

#define STACKS_OFF	(STACKS_OFFCPU | STACKS_PREEMPT)
#define STACKS_EVENTS	(STACKS_OFF | STACKS_WAKE)	/* taken at switches and wakeups */
#define STACKS_KINDS	(STACKS_EVENTS | STACKS_ONCPU)
#define STACKS_FRAMES	(STACKS_KERNEL | STACKS_USER)

/* Call stacks to record. */
struct source_stacks {
	unsigned int what;	/* STACKS_*; 0 for none */
	unsigned int depth;	/* maximum frames, in the kernel and in the program each */
	uint64_t min;		/* ns that a thread must have been off the CPU */
	unsigned int hz;	/* with STACKS_ONCPU: samples of a CPU per second */
};

/* Stacks of the kernel that a source has found without the kernel's unwinder. */
struct stack_checks {
	uint64_t stacks;	/* that the kernel has unwound, too */
	uint64_t wrong;		/* those for which it has found something else */
};

struct source_config {
	size_t subbuf_size;	/* bytes, a power of two and a multiple of the page size */
	unsigned int subbuf_count;	/* per CPU, at least 2 */
	enum clock_kind clock;
	enum weight_mode weight;	/* the meaning of weights */
	enum wakeup_mode wakeups;	/* the event that wakeups are recorded at */
	uint64_t events;	/* groups to record, FXT_SCHED_EVENTS_* */
	bool events_optional;	/* groups that the kernel lacks are left out; else open fails */
	struct tracepoints *tracepoints;	/* only with BPF; open fills in fields; or NULL */
	struct source_stacks stacks;
	bool overwrite;		/* the newest records overwrite the oldest */
	/* NULL for none; must live as long as the source, like the strings of @trigger. */
	const struct source_filter *filter;
	struct source_trigger trigger;	/* only with @overwrite */
};

static inline unsigned int source_tracepoints(const struct source_config *c)
{
	return c->tracepoints ? c->tracepoints->count : 0;
}

/* Are events other than switches and wakeups recorded? */
static inline bool source_has_events(const struct source_config *c)
{
	return c->events & ~FXT_SCHED_EVENTS_SCHED || source_tracepoints(c);
}

/* Words of the largest record of a CPU's stream. */
static inline uint32_t source_record_words(const struct source_config *c)
{
	uint32_t stack = 0, words;

	if (c->stacks.what)
		stack = FXT_SCHED_STACK_HEAD +
			c->stacks.depth * (!!(c->stacks.what & STACKS_KERNEL) +
					   !!(c->stacks.what & STACKS_USER)) +
			(c->stacks.what & STACKS_USER ? FXT_SCHED_COPY_WORDS : 0);
	if (source_tracepoints(c))
		words = FXT_SCHED_CUSTOM_WORDS;
	else
		words = source_has_events(c) ? FXT_SCHED_EVENT_WORDS : FXT_SCHED_RECORD_WORDS;
	return words > stack ? words : stack;
}

/* Records of one stream, valid until the next call of next, stop or close. */
struct chunk {
	const void *data;	/* whole records, the first is a ledger (head or continued) */
	size_t bytes;		/* more than 0 */
	uint64_t kept;		/* the producer's count of records up to this chunk's end, or 0 */
	uint64_t last;		/* with @kept: ticks of the last one */
};

/* Counts of a stream's producer. */
struct stream_stats {
	uint32_t stream;	/* CPU number or FXT_LEDGER_STREAM_NAMES */
	uint64_t switches;	/* records written or lost, as the next three */
	uint64_t wakeups;
	uint64_t events;
	uint64_t names;		/* kernel object records (stream of names only) */
	uint64_t folded;	/* renames without a record, see fxt_rename.h (likewise) */
	uint64_t lost;		/* records that had no room, or no program to write them */
	/*
	 * Those of @lost that the kernel hid from all programs (stream of names only); more room
	 * would not have helped.
	 */
	uint64_t unseen;
	uint64_t last;		/* ticks of the last record stored, 0 if there is none */
	uint32_t subbufs;	/* sub-buffers begun: the sequence number after the last */
	uint32_t waiting;	/* complete sub-buffers not read yet */
};

/* Records that were written or lost. */
static inline uint64_t stream_written(const struct stream_stats *s)
{
	return s->switches + s->wakeups + s->events + s->names;
}

/**
 * source_names_bytes() - the size of the buffer of names, for that of a CPU's buffer, in bytes
 *
 * The module allocates it per CPU, BPF for all CPUs together.
 */
static inline uint64_t source_names_bytes(uint64_t buffer)
{
	uint64_t bytes = buffer / FXT_SCHED_NAMES_SHARE;

	if (bytes < FXT_SCHED_NAMES_SIZE_MIN)
		return FXT_SCHED_NAMES_SIZE_MIN;
	return bytes < FXT_SCHED_NAMES_SIZE_MAX ? bytes : FXT_SCHED_NAMES_SIZE_MAX;
}

/* Takes kernel object records. Return: 0, or a negative errno that ends the call */
typedef int (*source_emit)(void *arg, const void *records, size_t bytes);

/* Takes the mark of one CPU. */
typedef void (*source_mark_fn)(void *arg, const struct source_mark *mark);

/* Takes the counts of one stream. */
typedef void (*source_stat)(void *arg, const struct stream_stats *stats);

/*
 * Operations of type int return 0, or a negative errno with @e filled in, unless stated otherwise.
 */
struct source_ops {
	const char *name;	/* "kmod" or "bpf" */
	const char *what;	/* its description, for a message */
	bool names_have_gaps;	/* rundown and names can miss tasks that /proc shows */
	/*
	 * Check that it can be used. Return: 0; -ENODEV if it does not exist, -EPROTO if it has
	 * another version, -EACCES or -EPERM if it may not be used.
	 */
	int (*available)(struct error *e);
	/* Acquire the session and its buffers; nothing is traced yet. */
	int (*open)(struct source **s, const struct source_config *c, struct error *e);
	int (*start)(struct source *s, struct error *e);
	/*
	 * Emit the kernel object records of all tasks. Return: also -ENODATA without @e: it cannot
	 * be repeated in this session; read /proc instead.
	 */
	int (*rundown)(struct source *s, source_emit emit, void *arg, struct error *e);
	/*
	 * Get the next chunk, with @partial also the current contents of unfinished sub-buffers.
	 * Return: 1; 0 if there is none; a negative errno.
	 */
	int (*next)(struct source *s, struct chunk *c, bool partial, struct error *e);
	/* Stop tracing; the contents of the buffers remain for next. */
	int (*stop)(struct source *s, struct error *e);
	/* Afterwards, next (partial) returns all events that happened before. */
	void (*flush)(struct source *s);
	/*
	 * Overwrite mode: pause recording. next returns the contents of the buffers, oldest first
	 * and without gaps in each stream.
	 */
	int (*freeze)(struct source *s, struct error *e);
	/* Overwrite mode: continue into empty sub-buffers, and rearm the trigger. */
	int (*thaw)(struct source *s, struct error *e);
	/* Has the trigger fired since start or thaw? Then fills in @hit. */
	bool (*triggered)(struct source *s, struct trigger_hit *hit);
	/*
	 * Replace the limits of users that have their own, at most FXT_SCHED_LIMITS_MAX. The first
	 * one with a user holds, so one for all others comes last; users without one have that of
	 * the trigger. @ignored is set to how many events since open would have fired the trigger
	 * without these limits.
	 */
	int (*raise)(struct source *s, const struct raised_limit *limits, unsigned int count,
		     uint64_t *ignored, struct error *e);
	/*
	 * Has any wait matched the trigger since open? Then fills in @hit with the longest; exact
	 * while nothing is recorded.
	 */
	bool (*longest)(struct source *s, struct trigger_hit *hit);
	/* Give the statistics of all streams; exact after stop. */
	int (*stats)(struct source *s, source_stat stat, void *arg, struct error *e);
	/* Events since open that reached no program, and that no stream counts; NULL: none ever. */
	uint64_t (*skipped)(struct source *s);
	/* Stacks since open that lack the frames of the program, because there was no room. */
	uint64_t (*user_stacks_dropped)(struct source *s);
	/*
	 * Stacks since open that are missing, of sleeps that fired the trigger and went on, or of
	 * threads that slept with the lock of such a sleep; exact while nothing is recorded.
	 */
	uint64_t (*sleep_stacks_dropped)(struct source *s);
	/* With STACKS_CHECK, the results since open; NULL: the kernel unwinds all its stacks. */
	struct stack_checks (*stacks_checked)(struct source *s);
	/*
	 * With STACKS_ONCPU, begin to sample CPUs that have come online; NULL: needless. Return: 0,
	 * or a negative errno without @e: some CPUs are not sampled.
	 */
	int (*follow)(struct source *s);
	/*
	 * Call back for each online CPU that is recorded with the thread that is on it now, as an
	 * interrupt on that CPU sees it. All records of earlier events of that CPU that are written
	 * with interrupts off are in its buffer then. Omits threads that the filter hides, and CPUs
	 * that cannot be asked. NULL: the source has no marks.
	 */
	int (*marks)(struct source *s, source_mark_fn take, void *arg, struct error *e);
	/* The current time in ticks of the session's clock. */
	uint64_t (*now)(struct source *s);
	void (*close)(struct source *s);	/* NULL is ignored */
};

/* The part common to all sources; the first member of each. */
struct source {
	const struct source_ops *ops;
	int poll_fd;	/* readable while a complete sub-buffer waits; owned by the source */
	uint64_t ticks_per_second;	/* of the session's clock */
	const char *limit;	/* what records lack on this kernel, as text; NULL: nothing */
	uint64_t events;
	char lacking[512];	/* groups that were left out, with the reasons; "" for none */
	unsigned int keep;	/* privileges needed after open, of enum privilege_keep */
	/*
	 * ns between calls of triggered(), so that waits that are not over fire the trigger in time
	 * (fxt_trigger.h); 0: the kernel looks for them.
	 */
	uint64_t look_ns;
	const char *throttle_hook;	/* origin of slices of throttled cgroups, or NULL */
};

extern const struct source_ops source_relay;

extern const struct source_ops source_bpf;

#endif /* FXT_COLLECT_SOURCE_H */
