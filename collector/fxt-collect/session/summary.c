// SPDX-License-Identifier: GPL-2.0-or-later
/* summary.c - see summary.h. */
#include <errno.h>
#include <stdlib.h>

#include "summary.h"

int summary_add(struct summary *s, const struct stream_stats *stats)
{
	struct stream_stats *more = realloc(s->streams,
					    (s->stream_count + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	s->streams = more;
	more[s->stream_count++] = *stats;
	return 0;
}

struct summary_counts summary_count(const struct summary *s)
{
	struct summary_counts c = { 0 };
	size_t i;

	for (i = 0; i < s->stream_count; i++) {
		c.switches += s->streams[i].switches;
		c.wakeups += s->streams[i].wakeups;
		c.events += s->streams[i].events;
		c.names += s->streams[i].names;
		c.folded += s->streams[i].folded;
		c.lost += s->streams[i].lost;
		c.cpus += s->streams[i].stream != FXT_LEDGER_STREAM_NAMES;
	}
	return c;
}

bool summary_lacks(const struct summary *s)
{
	return summary_count(s).lost || s->missed || s->skipped || s->stacks_cut ||
	       s->mappings_left_out || s->frames_left_out ||
	       s->mappings_lost || s->quotas.cgroups || s->quotas.samples;
}
