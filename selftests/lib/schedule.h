/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random schedules of a few threads and CPUs, all from a seed: an archive as fxt-collect would have
 * written it; and what each thread and each CPU did at each ns, also where records were lost,
 * hidden by a filter, or never written.
 *
 * Threads run, sleep, are preempted and woken, by each other and by interrupts; they wait while
 * their cgroup is throttled, and move between CPUs while they wait. Times are ns.
 */
#ifndef SELFTESTS_SCHEDULE_H
#define SELFTESTS_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "sched_story.h"

#define SCHEDULE_THREADS	20
#define SCHEDULE_TID		101		/* of the first thread; also that of its process */
#define SCHEDULE_IDLE		(-1)		/* instead of a thread's index: none */
#define SCHEDULE_IRQ		"eth0"
#define SCHEDULE_SOFTIRQ	"NET_RX"
#define SCHEDULE_CGROUP		"/quota"

enum schedule_features {
	SCHEDULE_MOVES		= 1 << 0,	/* waiting threads move */
	SCHEDULE_UNRECORDED	= 1 << 1,	/* the archive has no moves */
	SCHEDULE_INTERRUPTS	= 1 << 2,
	SCHEDULE_QUOTA		= 1 << 3,	/* a cgroup is throttled at times */
	SCHEDULE_LOSSES		= 1 << 4,	/* a CPU loses records */
	SCHEDULE_MARKS		= 1 << 5,	/* marks begin the streams */
	SCHEDULE_EQUAL		= 1 << 6,	/* events of several CPUs at one time */
	SCHEDULE_FILTER		= 1 << 7,	/* only some threads are recorded */
};

enum schedule_state { SCHEDULE_ASLEEP, SCHEDULE_RUNNABLE, SCHEDULE_RUNNING };

/* Who may have a CPU, besides the threads' indexes. */
enum schedule_party {
	SCHEDULE_BY_IDLE = SCHEDULE_THREADS,
	SCHEDULE_BY_IRQ,
	SCHEDULE_BY_SOFTIRQ,
	SCHEDULE_BY_QUOTA,
	SCHEDULE_PARTIES
};

/* A thread was in one state, on one CPU; or a party had a CPU. */
struct schedule_spell {
	uint64_t from;
	uint64_t to;
	unsigned int cpu;	/* of a thread that was not asleep */
	int what;	/* of a thread: enum schedule_state; of a CPU: enum schedule_party */
	/*
	 * of a sleep: index of the thread that ended it, or that the interrupt hit which ended it
	 */
	int waker;
};

enum schedule_event_kind {
	SCHEDULE_SWITCH,	/* @a: out, @b: in, @c: enum fxt_thread_state */
	SCHEDULE_WAKE,		/* @a: thread, @b: CPU, @c: context of the waker */
	SCHEDULE_MOVE,		/* @a: thread, @b: from, @c: to */
	SCHEDULE_SLICE,		/* of an interrupt; @a: its party */
	SCHEDULE_THROTTLE,
};

/* in the order in which its CPU records it; @begin: of slices */
struct schedule_event {
	enum schedule_event_kind kind;
	uint64_t begin;
	uint64_t time;
	int a;
	int b;
	unsigned int c;
};

struct schedule_list {
	struct schedule_spell *of;
	size_t count;
};

/* Its index gives its id and name. */
struct schedule_thread {
	uint32_t tgid;	/* its process */
	bool in_cgroup;	/* it is in the cgroup that is throttled at times */
	bool is_kept;	/* the filter keeps it */
	bool has_moved;	/* in its current wait */
	struct schedule_spell now;
	struct schedule_list spells;	/* all its time, in order */
	uint64_t known;	/* since when an archive without gaps shows what it does */
};

struct schedule_cpu {
	int running;	/* index of the thread that has it, or SCHEDULE_IDLE */
	int first;	/* the same, at the begin */
	uint64_t last;
	/* number of interrupts that it serves, whose parties and begins follow */
	unsigned int depth;
	enum schedule_party irqs[2];
	uint64_t begins[2];
	uint64_t throttled;	/* since when the cgroup is throttled on it; 0: it is not */
	struct schedule_spell now;
	struct schedule_list holds;	/* who had it, all its time, in order */
	struct schedule_list throttles;	/* times in which the cgroup was throttled on it */
	struct schedule_event *events;
	size_t event_count;
	size_t written;
	size_t lost_from;
	size_t lost_to;
	bool is_shown;	/* the filter has kept the begin of the run of the thread that has it */
};

struct schedule {
	uint64_t random;
	unsigned int features;	/* enum schedule_features */
	unsigned int scale;	/* of all times, but for the shortest */
	unsigned int cpu_count;
	unsigned int thread_count;
	uint64_t from;	/* its begin */
	uint64_t to;	/* its end */
	uint64_t time;
	struct schedule_thread threads[SCHEDULE_THREADS];
	struct schedule_cpu cpus[STORY_CPUS];
	struct story story;
};

/* What a thread did in some time; ns. */
struct schedule_account {
	uint64_t run;
	uint64_t interrupted;	/* it had a CPU that served an interrupt */
	uint64_t asleep;
	uint64_t runnable;
	/* while it was runnable: who had the CPU, or SCHEDULE_BY_QUOTA */
	uint64_t by[SCHEDULE_PARTIES];
	unsigned int cpus;	/* bits of the CPUs that it had or waited for */
};

/* The archive is in @s->story.b; schedule_free() frees it. */
void schedule_make(struct schedule *s, uint64_t seed);
void schedule_free(struct schedule *s);

unsigned int schedule_random(struct schedule *s, unsigned int limit);

/* Add what a thread did in some time. */
void schedule_truth(const struct schedule *s, unsigned int thread, uint64_t from, uint64_t to,
		    struct schedule_account *a);

/* SCHEDULE_IDLE if no thread ended it */
int schedule_waker_at(const struct schedule *s, unsigned int thread, uint64_t time);

/* schedule_make() calls it. */
void schedule_write(struct schedule *s);

#endif /* SELFTESTS_SCHEDULE_H */
