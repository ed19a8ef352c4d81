/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - how often the trigger may make a snapshot.
 *
 * Any user can fire a trigger, again and again. So each user who has fired it needs a larger value
 * the next time: the limit doubles with each snapshot, and halves again with time. This bounds the
 * number of snapshots, keeps those of the worst events, and keeps users from using up those of
 * others. The ids of a range that a person owns are one user.
 */
#ifndef FXT_COLLECT_SESSION_LIMITS_H
#define FXT_COLLECT_SESSION_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "libfxt/clock.h"
#include "process/subids.h"
#include "source/source.h"

#define LIMITS_OWN	(FXT_SCHED_LIMITS_MAX - FXT_SCHED_CAUSES)
#define LIMITS_HALVE_NS	(600 * NS_PER_SECOND)

/* The limit of a user for a cause. */
struct limit_of_user {
	uint32_t cause;
	struct users users;	/* SOURCE_NO_USER: events without a known user */
	unsigned int raised;	/* how often it was doubled */
	uint64_t since;		/* ns, when @raised was changed */
};

/* Initialize with zeros. */
struct limits {
	struct subids subids;
	struct limit_of_user own[LIMITS_OWN];	/* those that are raised */
	unsigned int count;
	struct limit_of_user others[FXT_SCHED_CAUSES];	/* of all other users, by cause */
};

/**
 * limits_accept() - may this event make a snapshot? If so, raise the limit of its user
 * @hit: its value in ns, or a number
 * @now: ns
 * @user: set if it may: who counts as its user, SOURCE_OTHER_USERS for those without an own limit
 */
bool limits_accept(struct limits *l, const struct source_trigger *t, const struct trigger_hit *hit,
		   uint64_t now, uint32_t *user);

/* Halve what is old enough. Return: has any limit changed? */
bool limits_relax(struct limits *l, uint64_t now);

/* Write the raised limits to @list. Return: their number */
unsigned int limits_list(const struct limits *l, const struct source_trigger *t,
			 struct raised_limit list[FXT_SCHED_LIMITS_MAX]);

#endif /* FXT_COLLECT_SESSION_LIMITS_H */
