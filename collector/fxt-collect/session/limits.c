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
		if (l->own[i].cause == cause && l->own[i].users.first <= user &&
		    user <= l->own[i].users.last)
			return &l->own[i];
	return NULL;
}

static struct limit_of_user *add(struct limits *l, uint32_t cause, uint32_t user)
{
	struct limit_of_user *u = find(l, cause, user);

	if (u)
		return u;
	if (l->count == LIMITS_OWN) {
		u = &l->others[cause];
		u->users = (struct users){ 0, SOURCE_NO_USER };
	} else {
		u = &l->own[l->count++];
		*u = (struct limit_of_user){ .users = subids_of(&l->subids, user) };
	}
	u->cause = cause;
	return u;
}

bool limits_accept(struct limits *l, const struct source_trigger *t, const struct trigger_hit *hit,
		   uint64_t now, uint32_t *user)
{
	struct limit_of_user *u = add(l, hit->cause, hit->user);

	if (u->raised && hit->value <= limit_of(u, t))
		return false;
	if (u->raised < RAISED_MOST)
		u->raised++;
	u->since = now;
	*user = u == &l->others[hit->cause] ? SOURCE_OTHER_USERS : u->users.first;
	return true;
}

/* Return: has it changed? */
static bool relax(struct limit_of_user *u, uint64_t now)
{
	unsigned int before = u->raised;

	for (; u->raised && now - u->since >= LIMITS_HALVE_NS; u->raised--)
		u->since += LIMITS_HALVE_NS;
	return u->raised != before;
}

bool limits_relax(struct limits *l, uint64_t now)
{
	unsigned int i, kept = 0;
	bool changed = false;

	for (i = 0; i < l->count; i++) {
		changed |= relax(&l->own[i], now);
		if (l->own[i].raised)
			l->own[kept++] = l->own[i];
	}
	l->count = kept;
	for (i = 0; i < FXT_SCHED_CAUSES; i++)
		changed |= relax(&l->others[i], now);
	return changed;
}

static struct raised_limit raised(const struct limit_of_user *u, const struct source_trigger *t)
{
	return (struct raised_limit){ u->cause, u->users, limit_of(u, t) };
}

unsigned int limits_list(const struct limits *l, const struct source_trigger *t,
			 struct raised_limit list[FXT_SCHED_LIMITS_MAX])
{
	unsigned int i, count = 0;

	for (i = 0; i < l->count; i++)
		list[count++] = raised(&l->own[i], t);
	for (i = 0; i < FXT_SCHED_CAUSES; i++)
		if (l->others[i].raised)
			list[count++] = raised(&l->others[i], t);
	return count;
}
