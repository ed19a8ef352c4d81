/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * groups.h - the groups of events that can be recorded in addition to switches and wakeups.
 */
#ifndef FXT_COLLECT_SOURCE_GROUPS_H
#define FXT_COLLECT_SOURCE_GROUPS_H

#include <stdint.h>

#include <fxt/fxt_catalogue.h>
#include <linux/fxt_sched.h>

#include "libopt/option.h"

/** struct event_group - a group of events: a row of FXT_GROUPS() */
struct event_group {
	uint64_t bit;		/* FXT_SCHED_EVENTS_* */
	const char *name;	/* name in options */
	unsigned int who;	/* FXT_BY_* */
	const char *since;	/* the first kernel that has it; NULL: all */
	const char *what;	/* what is recorded */
	const char *cost;	/* when, and how many bytes */
	const char *instructions;	/* with the module / with BPF; NULL: not counted */
};

/* All groups, ended by one without a name. */
extern const struct event_group event_groups[];

/** event_group_word() - list the groups that can be chosen; see option_words */
bool event_group_word(unsigned int i, struct option_word *w);

/** event_group_name() - the name of the group with that bit */
const char *event_group_name(uint64_t bit);

#endif /* FXT_COLLECT_SOURCE_GROUPS_H */
