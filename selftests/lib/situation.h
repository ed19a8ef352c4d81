/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes in which one known thing goes wrong, for a second or so. Each situation uses the CPUs
 * that this process may use, and has a process of its own, which ends with it. The comments of the
 * situations have the names of their threads.
 */
#ifndef SELFTESTS_SITUATION_H
#define SELFTESTS_SITUATION_H

#include <stdbool.h>
#include <sys/types.h>

#include "cgroup.h"

#define SITUATION_JOBS		6	/* of situation_serial */
#define SITUATION_TELLERS	4	/* threads of situation_convoy */
#define SITUATION_BROOD		40	/* processes of situation_storm */
#define SITUATION_PINNED	8	/* threads of situation_crowd */

#define SITUATION_DELAYED	2	/* result: the machine delayed situation_healthy */

struct situation {
	const char *process;	/* name of its process */
	const char *thread;	/* name of the threads that suffer, or that cause it */
	unsigned int cpus;	/* number of CPUs that it needs */
	/* it does not arise, or only a little, while other processes keep all CPUs busy */
	bool needs_idle;
	/* brings it about, in its process; returns 0, -1 or SITUATION_DELAYED */
	int (*make)(void);
};

/* "metronome" runs every 2 ms, until "hog", a real-time thread, takes its CPU for long. */
extern const struct situation situation_spike;

/* A build: all processes "job" start at once, and need the same token to work. */
extern const struct situation situation_serial;

/* Many processes "brood" start at once, all on the last CPU, and work for a moment each. */
extern const struct situation situation_storm;

/* Threads "teller" work under one lock, sleep a little with it, and do little else. */
extern const struct situation situation_convoy;

/* Threads "pinned" are busy, all on the last CPU. */
extern const struct situation situation_crowd;

/* "flooder" sends packets through lo to a socket that nobody reads. */
extern const struct situation situation_flood;

/* "parser" and "poller" are busy, both on the last CPU. */
extern const struct situation situation_contention;

/*
 * On the last CPU, "high" often needs a lock that "low" has, while "mid" runs: real-time threads
 * whose priorities are as their names say.
 */
extern const struct situation situation_inversion;

/* Threads "worker-0" to "worker-3" get work to do once in 50 ms; the last one sleeps in it. */
extern const struct situation situation_pool;

/* "glutton" is busy; situation_start() puts it into a cgroup. */
extern const struct situation situation_glutton;

/*
 * Nothing is wrong: threads "napper" work for a moment every few ms, with a higher priority than
 * all other processes. They measure how late they are, because a host may take a guest's CPUs away.
 */
extern const struct situation situation_healthy;

/* the process of a situation that has not begun */
struct actor {
	pid_t pid;	/* its id */
	int go;		/* a pipe that makes it begin */
};

/* @cgroup: its own; NULL for that of this process */
int situation_start(struct actor *a, const struct situation *s, const struct cgroup *cgroup);

/* Wait for its end. Return: the result of situation.make */
int situation_run(const struct actor *a);

#endif /* SELFTESTS_SITUATION_H */
