// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live.c - one line on the terminal that says how the recording goes.
 *
 * What flows in: the statistics of the source. What flows out: twice a second, the
 * time, rates since the last look, what was written and lost, the fullest buffer.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "session_internal.h"

#define LOOK_NS		(500 * NS_PER_MS)

struct counts {
	uint64_t switches;
	uint64_t wakeups;
	uint64_t lost;
	uint32_t fullest;	/* sub-buffers that wait, of the CPU where most do */
};

struct live {
	uint64_t looked;	/* ns */
	struct counts last;
	bool shown;
};

struct live *live_open(const struct options *o)
{
	if (o->quiet || !isatty(STDERR_FILENO))
		return NULL;
	return calloc(1, sizeof(struct live));
}

void live_close(struct live *l)
{
	if (l && l->shown)
		fputs("\r\033[K", stderr);
	free(l);
}

static void add(void *arg, const struct stream_stats *stats)
{
	struct counts *c = arg;

	c->switches += stats->switches;
	c->wakeups += stats->wakeups;
	c->lost += stats->lost;
	if (stats->stream != FXT_LEDGER_STREAM_NAMES && stats->waiting > c->fullest)
		c->fullest = stats->waiting;
}

void live_update(struct live *l, struct session *s)
{
	uint64_t now = session_now();
	struct counts c = { 0 };
	struct error e;
	double since;

	if (!l || now - l->looked < LOOK_NS ||
	    s->source->ops->stats(s->source, add, &c, &e))
		return;
	since = (now - (l->looked ? l->looked : s->began)) / 1e9;
	fprintf(stderr, "\r\033[K%.1f s: %.0f switches/s, %.0f wakeups/s",
		(now - s->began) / 1e9, (c.switches - l->last.switches) / since,
		(c.wakeups - l->last.wakeups) / since);
	if (s->out)
		fprintf(stderr, ", %.1f MB, fullest buffer %u %%",
			output_bytes(s->out) / 1e6,
			100 * c.fullest / s->o->config.subbuf_count);
	else
		fprintf(stderr, ", in memory, %u snapshots", s->summary.files);
	fprintf(stderr, ", %" PRIu64 " lost", c.lost);
	fflush(stderr);
	l->shown = true;
	l->looked = now;
	l->last = c;
}
