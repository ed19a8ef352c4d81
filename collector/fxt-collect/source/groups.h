/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.h - the groups of events that can be recorded in addition to switches and wakeups. */
#ifndef FXT_COLLECT_SOURCE_GROUPS_H
#define FXT_COLLECT_SOURCE_GROUPS_H

#include <stdint.h>

#include <fxt/fxt_catalogue.h>
#include <linux/fxt_sched.h>

#include "libopt/option.h"

/* A row of FXT_GROUPS(). */
struct event_group {
	uint64_t bit;		/* FXT_SCHED_EVENTS_* */
	const char *name;	/* in options */
	unsigned int who;	/* FXT_BY_* */
	const char *since;	/* the first kernel that has it; NULL: all */
	const char *what;	/* what is recorded */
	const char *cost;	/* when, and how many bytes */
	const char *instructions;	/* with the module / with BPF; NULL: not counted */
};

/* Ended by one without a name. */
extern const struct event_group event_groups[];

/* List the groups that can be chosen; see option_words. */
bool event_group_word(unsigned int i, struct option_word *w);

const char *event_group_name(uint64_t bit);

#endif /* FXT_COLLECT_SOURCE_GROUPS_H */
