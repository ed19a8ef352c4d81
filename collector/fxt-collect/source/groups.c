// SPDX-License-Identifier: GPL-2.0-or-later
/* groups.c - see groups.h. */
#include <stddef.h>

#include "groups.h"

const struct event_group event_groups[] = {
#define GROUP(bit, name, who, since, what, bytes, instructions)	\
	{ FXT_SCHED_EVENTS_##bit, name, who, since, what, bytes, instructions },
	FXT_GROUPS(GROUP)
	{ 0 },
};

const char *event_group_name(uint64_t bit)
{
	const struct event_group *g = event_groups;

	while (g->name && g->bit != bit)
		g++;
	return g->name;
}

bool event_group_word(unsigned int i, struct option_word *w)
{
	/* The first one is always on. */
	*w = (struct option_word){ event_groups[i + 1].name, event_groups[i + 1].what };
	return w->name;
}
