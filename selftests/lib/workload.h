/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads and processes whose every switch is known, by the scheduler's own count of their switches
 * (/proc).
 */
#ifndef SELFTESTS_WORKLOAD_H
#define SELFTESTS_WORKLOAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define COMM_SIZE	16	/* bytes, the kernel's TASK_COMM_LEN */
#define ANY_CPU		(-1)
#define MAX_CPUS	16	/* the most that tests use */

uint64_t boottime_ns(void);
void sleep_ms(unsigned int ms);

/* the state letter of /proc/PID/stat, 0 if there is none */
char process_state(pid_t pid);

/*
 * A number of rounds, smaller on a slow machine: an emulated machine is twenty times slower. Its
 * tests do less instead of taking longer.
 */
unsigned int scaled(unsigned int rounds);

/* Return: the number of CPUs that this process may use, at most MAX_CPUS */
unsigned int allowed_cpus(int *cpus);

/* ANY_CPU does nothing. */
void pin(int cpu);

/* how often a thread was switched out before a certain moment */
struct counts {
	uint64_t at;	/* CLOCK_BOOTTIME in ns of that moment; the thread does not switch at it */
	unsigned long voluntary;	/* it had to wait */
	unsigned long involuntary;	/* it was preempted, or it yielded */
};

/* of the calling thread, exact at counts.at */
int counts_read(struct counts *c);

/* of another thread; repeats until it does not switch meanwhile */
int counts_read_of(pid_t tid, struct counts *c);

/* Wait until two readings in a row find it asleep, with the same counts. */
int counts_read_asleep(pid_t tid, struct counts *c);

struct worker {
	/* the name that it gives itself; empty: it keeps the name of its creator */
	char name[COMM_SIZE];
	int cpu;	/* CPU that it runs on, or ANY_CPU */
	int nice;	/* nice value */
	void (*run)(struct worker *w);	/* its work */
	void *arg;	/* for @run */
	pid_t tid;	/* its id; valid once it has been started */
	struct counts begun;	/* counts before @run */
	struct counts counts;	/* counts after @run */
	bool failed;	/* something failed */
	pthread_t thread;
	pthread_barrier_t started;
};

/* Wait until it has its name and CPU. */
int worker_start(struct worker *w);

/* Return: 0, or -1 if it failed */
int worker_join(struct worker *w);

/* two threads that pass a token to each other through two pipes */
struct pair {
	struct worker ends[2];	/* the threads; the caller sets name, cpu and nice */
	unsigned int rounds;	/* how often each passes the token */
	int pipes[2][2];	/* made by pair_start() */
};

int pair_start(struct pair *p);
int pair_join(struct pair *p);

/* Start all of them, then wait for all. */
int pairs_run(struct pair *pairs, size_t count);

/* struct worker.run: be preempted as often as @arg points to */
void worker_spin_until_preempted(struct worker *w);

/* struct worker.run: sleep a little, as often as @arg points to */
void worker_nap(struct worker *w);

/*
 * struct worker.run: sleep as often as @arg points to, but so briefly that the wakeup often comes
 * while the thread is still going to sleep
 */
void worker_nap_hardly(struct worker *w);

/*
 * A test program that is executed under a name with this prefix is not a test, but the child of a
 * test: see workload_child.c.
 */
#define CHILD_PREFIX	"fxt-child"

/* this program, executed under another name */
struct child {
	pid_t pid;	/* its id */
	char name[64];	/* file name under which it was executed */
	struct counts counts;	/* counts of its whole life, from child_counts() */
	int in;
	int out;
};

/* Make a link with that name in a directory and execute it. */
int child_start(struct child *c, const char *dir, const char *name);

/* Let it read its own counts; it lives until child_end(). */
int child_counts(struct child *c);

/* Return: 0, or -1 if it failed */
int child_end(struct child *c);

#endif /* SELFTESTS_WORKLOAD_H */
