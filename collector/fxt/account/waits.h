/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waits.h - what kept a runnable thread from running.
 *
 * In: a history, a turn of a thread and a time in which it was runnable.
 * Out: parts, from the last one to the first. They partition the time; each has one cause: others
 * had the CPU that it waited for, its cgroup was throttled, records are missing.
 *
 * A thread that waits may be moved. If moves were not recorded and it ran on another CPU than the one
 * where its wait began, it is not known when it was moved, and so not who kept it from running.
 */
#ifndef FXT_ACCOUNT_WAITS_H
#define FXT_ACCOUNT_WAITS_H

#include "occupants.h"

/** struct account_part - a part of some time of a thread, ns */
struct account_part {
	uint64_t from;
	uint64_t to;
	uint32_t turn;		/* the turn that contains it, or HISTORY_NONE */
	uint16_t cpu;		/* that it had or waited for; HISTORY_NO_CPU if none, or unknown */
	uint8_t cause;
	uint8_t detail;
	uint64_t stolen;	/* of a part in which the thread ran, as of struct why_by */
};

/**
 * account_part_fn - takes a part
 * @by: who had the CPU (sorted as account_open() says), or the cgroup
 */
typedef void account_part_fn(void *arg, const struct account_part *p, const struct why_by *by,
			     size_t count);

/** struct account - private, but for @h, @steps, @occupants, @lacks_cpus and @is_bare */
struct account {
	const struct history *h;
	struct steps steps;
	struct occupants occupants;
	bool has_wakings;	/* wakeups do not say in which run queue the thread was put */
	bool has_moves;		/* moves of runnable threads to other CPUs were recorded */
	bool is_bare;		/* set by a caller that does not need to know who had the CPU */
	bool lacks_cpus;	/* only some CPUs were recorded */
	bool has_one_cpu;	/* no other CPU had anything to do */
	account_part_fn *part;
	void *arg;
};

/**
 * account_open() - prepare to look at waits
 * @h: the history, which is complete
 * @windows: number of windows that will be looked at
 * @sorts: those who had a CPU are sorted by time; else only the first one has most
 */
void account_open(struct account *a, const struct history *h, uint64_t windows, bool sorts);
void account_close(struct account *a);

/**
 * account_rewind() - begin with another window
 * @time: ns; all times asked for until the next call are earlier, and each is earlier than the one
 *	before
 */
void account_rewind(struct account *a, uint64_t time);

/**
 * account_turn() - the parts of a time in which a thread was runnable
 * @turn: number of its turn then
 * @from: ns
 * @to: ns
 */
void account_turn(struct account *a, uint32_t turn, uint64_t from, uint64_t to,
		  account_part_fn *part, void *arg);

/**
 * account_wait() - the parts of a whole wait, which began with a wakeup or preemption
 * @turn: number of the turn in which it ended, or is at @to
 * @from: ns; the wait is looked at from here on
 * @to: ns
 */
void account_wait(struct account *a, uint32_t turn, uint64_t from, uint64_t to,
		  account_part_fn *part, void *arg);

#endif /* FXT_ACCOUNT_WAITS_H */
