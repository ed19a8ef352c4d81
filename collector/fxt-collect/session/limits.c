// SPDX-License-Identifier: GPL-2.0-or-later
/* limits.c - see limits.h. */
#include "limits.h"

#define RAISED_MOST	40U	/* no wait is that long */

static uint64_t limit_of(const struct limit_of_user *u, const struct source_trigger *t)
{
	uint64_t limit = t->limit[u->cause];

	return limit > UINT64_MAX >> u->raised ? UINT64_MAX : limit << u->raised;
}

static struct limit_of_user *find(struct limits *l, uint32_t cause, uint32_t user)
{
	unsigned int i;

	for (i = 0; i < l->count; i++)
		if (l->all[i].cause == cause && l->all[i].user == user)
			return &l->all[i];
	return NULL;
}

static struct limit_of_user *add(struct limits *l, uint32_t cause, uint32_t user)
{
	struct limit_of_user *u = find(l, cause, user);

	/* Leave room for one of no user for each cause. */
	if (!u && user != SOURCE_NO_USER && l->count >= LIMITS_MOST - FXT_SCHED_CAUSES)
		return add(l, cause, SOURCE_NO_USER);
	if (u)
		return u;
	u = &l->all[l->count++];
	*u = (struct limit_of_user){ .cause = cause, .user = user };
	return u;
}

bool limits_take(struct limits *l, const struct source_trigger *t, const struct trigger_hit *hit,
		 uint64_t now)
{
	struct limit_of_user *u = add(l, hit->cause, hit->user);
	bool is_new = !u->raised;

	if (!is_new && hit->value <= limit_of(u, t))
		return false;
	if (u->raised < RAISED_MOST)
		u->raised++;
	u->since = now;
	return true;
}

bool limits_relax(struct limits *l, uint64_t now)
{
	unsigned int i, kept = 0;
	bool changed = false;

	for (i = 0; i < l->count; i++) {
		struct limit_of_user *u = &l->all[i];

		while (u->raised && now - u->since >= LIMITS_HALVE_NS) {
			u->raised--;
			u->since += LIMITS_HALVE_NS;
			changed = true;
		}
		if (u->raised)
			l->all[kept++] = *u;
	}
	l->count = kept;
	return changed;
}

void limits_list(const struct limits *l, const struct source_trigger *t, struct raised_limit *list)
{
	unsigned int i;

	for (i = 0; i < l->count; i++)
		list[i] = (struct raised_limit){ l->all[i].cause, l->all[i].user,
						 limit_of(&l->all[i], t) };
}
