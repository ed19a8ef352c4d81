// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live.c - one line on the terminal that shows the progress of the recording.
 *
 * In: the statistics of the source. Out: twice a second, the elapsed time, the rates
 * since the last update, bytes written, records lost, and how full the fullest buffer is.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "live.h"
#include "output/output.h"
#include "signals.h"
#include "status.h"

#define LOOK_NS		(500 * NS_PER_MS)

struct counts {
	uint64_t switches;
	uint64_t wakeups;
	uint64_t events;
	uint64_t lost;
	uint32_t fullest;	/* complete sub-buffers of the fullest CPU */
};

struct live {
	uint64_t looked;	/* ns */
	struct counts last;
};

struct live *live_open(const struct options *o)
{
	if (o->quiet || !isatty(STDERR_FILENO))
		return NULL;
	return calloc(1, sizeof(struct live));
}

void live_close(struct live *l)
{
	status_line_end();
	free(l);
}

static void add(void *arg, const struct stream_stats *stats)
{
	struct counts *c = arg;

	c->switches += stats->switches;
	c->wakeups += stats->wakeups;
	c->events += stats->events;
	c->lost += stats->lost;
	if (stats->stream != FXT_LEDGER_STREAM_NAMES && stats->waiting > c->fullest)
		c->fullest = stats->waiting;
}

/* Print where the archive goes, and how full the buffers are. */
static void print_place(char *text, size_t room, const struct session *s, uint32_t fullest)
{
	if (s->out)
		snprintf(text, room, "%.1f MB, fullest buffer %u %%",
			 output_bytes(s->out) / 1e6,
			 100 * fullest / s->o->config.subbuf_count);
	else
		snprintf(text, room, "in memory, %u snapshots", s->summary.files);
}

void live_update(struct live *l, struct session *s)
{
	uint64_t now = session_now();
	struct counts c = { 0 };
	char place[64], events[40] = "";
	struct error e;
	double since;

	if (!l || now - l->looked < LOOK_NS ||
	    s->source->ops->stats(s->source, add, &c, &e))
		return;
	since = (now - (l->looked ? l->looked : s->began)) / 1e9;
	print_place(place, sizeof(place), s, c.fullest);
	if (tracks_exist(&s->tracks))
		snprintf(events, sizeof(events), " %.0f events/s,",
			 (c.events - l->last.events) / since);
	status_line("%.1f s: %.0f switches/s, %.0f wakeups/s,%s %s, %" PRIu64 " lost",
		    (now - s->began) / 1e9, (c.switches - l->last.switches) / since,
		    (c.wakeups - l->last.wakeups) / since, events, place, c.lost);
	l->looked = now;
	l->last = c;
}
