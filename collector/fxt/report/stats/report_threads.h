/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_threads.h - threads, processes and names: their run times, waits and sleeps. */
#ifndef FXT_REPORT_THREADS_H
#define FXT_REPORT_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "account/history.h"
#include "hist.h"
#include "report_kernel.h"
#include "report_stacks.h"
#include "sched/model.h"

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

/* "woken", "preempted", "held off", "early" */
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

/* "hard", "soft" or "nmi" of enum fxt_sched_irq; NULL of no interrupt. */
const char *report_irq_name(uint8_t irq);

/* A waker of a thread. */
struct report_waker {
	const struct report_thread *thread;	/* NULL: an interrupt */
	uint8_t irq;	/* the interrupt, enum fxt_sched_irq */
	uint64_t count;	/* of wakeups, too large by at most @over */
	uint64_t over;
	uint64_t slept;	/* ns of the sleeps that it ended, a lower bound */
};

/* The activity of a thread or process; report_counts_add() adds all members, as uint64_t. */
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

/* Latencies of one kind, and the longest of them. */
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

/* The rest is private to the engine. */
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
	struct report_memory *memory;		/* private to memory.c */
	uint64_t crowd_ns;	/* waited for @crowd_cpu beside an idle CPU, less waits elsewhere */
	uint16_t crowd_cpu;
	uint64_t host;			/* ns counted while it had a CPU, as of struct report_cpu */
	uint64_t moved;			/* ns, when it was moved last while it waited */
	uint64_t mark;			/* number of the search that @marked belongs to */
	uint64_t marked;
} __attribute__((aligned(64)));

/* The activity of several threads together. */
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

/* The sum of its threads. */
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

/* All threads of one name in any process, or of one cgroup. */
struct report_comm {
	const char *name;	/* "": of all threads without one */
	uint64_t processes;	/* all unknown ones count as one */
	struct report_sum sum;	/* a waker stands for all threads of its name */
};

/* Who had the CPU during a wait: a thread, or all threads of a name. */
struct report_occupant {
	const struct report_thread *thread;	/* the one that had it longest */
	uint32_t threads;
	int32_t weight;	/* of @thread then, as archives have it; 0: unknown */
	uint64_t ns;	/* ns that they had the CPU */
};

/* One of the worst latencies, or of the longest sleeps. */
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
	uint64_t others;	/* ns of threads that are not distinguished, because there were too many */
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

/* Did too many threads share the CPU to name each of them? */
static inline bool report_is_shared(const struct report_wait *w)
{
	return w->most_ns < w->latency / 10 && w->sharers > REPORT_OCCUPANTS;
}

/* Sleeps of one kind. */
struct report_sleeps {
	uint64_t count;
	uint64_t ns;			/* sum of @count sleeps that are inside the selected time */
	uint64_t cut_count;
	uint64_t cut_ns;		/* sum of the parts inside it of @cut_count other sleeps */
	struct report_wait longest;	/* inside; its latency is 0 if there is none */
	struct report_worst *worst;	/* private to the engine */
};

/* The longest first. */
struct report_longest {
	struct report_wait *list;
	size_t count;
};

#endif /* FXT_REPORT_THREADS_H */
