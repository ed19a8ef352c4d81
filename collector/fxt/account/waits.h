/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waits.h - what kept a runnable thread from running.
 *
 * In: a history, a turn of a thread and a time in which it was runnable.
 * Out: parts, from the last one to the first. They partition the time. Each has one cause: others
 * had the CPU that it waited for, its cgroup was throttled, records are missing.
 *
 * A waiting thread may be moved. If moves were not recorded and it ran on another CPU than the one
 * where its wait began, it is unknown when it was moved, and so who kept it from running.
 */
#ifndef FXT_ACCOUNT_WAITS_H
#define FXT_ACCOUNT_WAITS_H

#include "occupants.h"

/* A part of some time of a thread, ns. */
struct account_part {
	uint64_t from;
	uint64_t to;
	uint32_t turn;		/* that contains it, or HISTORY_NONE */
	uint16_t cpu;		/* that it had or waited for; HISTORY_NO_CPU if none, or unknown */
	uint8_t cause;
	uint8_t detail;
	uint64_t stolen;	/* of a part in which the thread ran, as in struct why_by */
};

/* @by: who had the CPU (sorted as account_open() says), or the cgroup */
typedef void account_part_fn(void *arg, const struct account_part *p, const struct why_by *by,
			     size_t count);

/* Private, except for @h, @steps, @occupants, @lacks_cpus and @is_bare. */
struct account {
	const struct history *h;
	struct steps steps;
	struct occupants occupants;
	bool has_wakings;	/* wakeups do not have the run queue in which the thread was put */
	bool has_moves;		/* moves of runnable threads to other CPUs were recorded */
	bool is_bare;		/* set by a caller that does not need to know who had the CPU */
	bool lacks_cpus;	/* only some CPUs were recorded */
	bool has_one_cpu;	/* no other CPU had anything to do */
	account_part_fn *part;
	void *arg;
};

/*
 * Prepare to look at waits in @windows windows of a complete history. @sorts: those who had a CPU
 * are sorted by time; else only the first one is the one with most
 */
void account_open(struct account *a, const struct history *h, uint64_t windows, bool sorts);
void account_close(struct account *a);

/*
 * Begin with another window. Until the next call, all times asked for are earlier than @time (ns),
 * and each is earlier than the one before.
 */
void account_rewind(struct account *a, uint64_t time);

/* The parts of a time (ns) in which a thread was runnable in @turn. */
void account_turn(struct account *a, uint32_t turn, uint64_t from, uint64_t to,
		  account_part_fn *part, void *arg);

/*
 * The parts of a whole wait, which began with a wakeup or preemption. @turn: in which it ended, or
 * is at
 * @to; @from: ns, where to begin to look
 */
void account_wait(struct account *a, uint32_t turn, uint64_t from, uint64_t to,
		  account_part_fn *part, void *arg);

#endif /* FXT_ACCOUNT_WAITS_H */
