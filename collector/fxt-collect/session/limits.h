/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - how often the trigger may make a snapshot.
 *
 * Any user can fire a trigger, again and again. So each user who has fired it needs a larger value
 * the next time: the limit doubles with each snapshot, and halves again with time. This bounds the
 * number of snapshots, keeps those of the worst events, and one user's events use up nothing of
 * another's.
 */
#ifndef FXT_COLLECT_SESSION_LIMITS_H
#define FXT_COLLECT_SESSION_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "source/source.h"

#define LIMITS_MOST	64U
#define LIMITS_HALVE_NS	(600 * 1000000000ULL)

/**
 * struct limit_of_user - the limit of a user for a cause
 * @user: SOURCE_NO_USER: events without a known user, and users beyond LIMITS_MOST
 * @raised: how often it was doubled
 * @since: ns, when @raised was changed
 */
struct limit_of_user {
	uint32_t cause;
	uint32_t user;
	unsigned int raised;
	uint64_t since;
};

/**
 * struct limits - initialize with zeros
 * @all: those that are raised, @count of them
 */
struct limits {
	struct limit_of_user all[LIMITS_MOST];
	unsigned int count;
};

/**
 * limits_take() - may this event make a snapshot? If so, raises the limit of its user
 * @l: the limits
 * @t: the trigger
 * @hit: the event; its value in ns, or a number
 * @now: ns
 */
bool limits_take(struct limits *l, const struct source_trigger *t, const struct trigger_hit *hit,
		 uint64_t now);

/** limits_relax() - halve what is old enough. Return: has any limit changed? */
bool limits_relax(struct limits *l, uint64_t now);

/** limits_list() - write the raised limits to @list, which has room for LIMITS_MOST */
void limits_list(const struct limits *l, const struct source_trigger *t,
		 struct raised_limit *list);

#endif /* FXT_COLLECT_SESSION_LIMITS_H */
