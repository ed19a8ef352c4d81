/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * groups.h - the groups of events that can be recorded beside switches and wakeups.
 */
#ifndef FXT_COLLECT_SOURCE_GROUPS_H
#define FXT_COLLECT_SOURCE_GROUPS_H

#include <stdint.h>

#include <linux/fxt_sched.h>

/**
 * struct event_group - a group of events
 * @bit: FXT_SCHED_EVENTS_*
 * @name: as options have it
 * @what: what is recorded
 * @cost: when, and how many bytes
 * @instructions: of the kernel for each event, with the module / with BPF, as
 *	scripts/bench-instructions.sh counts them (x86-64, Linux 6.1); NULL: not counted
 */
struct event_group {
	uint64_t bit;
	const char *name;
	const char *what;
	const char *cost;
	const char *instructions;
};

/* All groups; one without a name is at the end. */
extern const struct event_group event_groups[];

#define EVENTS_ALL	(FXT_SCHED_EVENTS_SCHED | FXT_SCHED_EVENTS_IRQ | \
			 FXT_SCHED_EVENTS_MIGRATE | FXT_SCHED_EVENTS_IDLE | \
			 FXT_SCHED_EVENTS_FREQ | FXT_SCHED_EVENTS_WORK | \
			 FXT_SCHED_EVENTS_TASK | FXT_SCHED_EVENTS_SYSCALL | \
			 FXT_SCHED_EVENTS_IPI | FXT_SCHED_EVENTS_LOAD | \
			 FXT_SCHED_EVENTS_THROTTLE)

/** event_group_name() - the name of the group with that bit */
const char *event_group_name(uint64_t bit);

#endif /* FXT_COLLECT_SOURCE_GROUPS_H */
