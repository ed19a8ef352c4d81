/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracks.h - names of the tracks of events of groups, of this machine's idle states, and of its
 * system calls, for the preamble of each archive.
 */
#ifndef FXT_COLLECT_ARCHIVE_TRACKS_H
#define FXT_COLLECT_ARCHIVE_TRACKS_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/fxt_catalogue.h>
#include <fxt/fxt_sched.h>
#include <linux/fxt_sched.h>

#include "source/source.h"

#define TRACKS_IDLE_STATES	(FXT_STR_IDLE_LAST - FXT_STR_IDLE_FIRST + 1)

struct fxt_writer;

/* What the preamble says about events. */
struct tracks {
	uint64_t groups;		/* groups that are recorded, FXT_SCHED_EVENTS_* */
	const struct tracepoints *tracepoints;	/* chosen by the user, or NULL */
	unsigned int cpus;		/* that this machine can have */
	char idle[TRACKS_IDLE_STATES][32];	/* names, "" for missing states */
};

static inline unsigned int tracks_tracepoints(const struct tracks *t)
{
	return t && t->tracepoints ? t->tracepoints->count : 0;
}

/* Are events other than switches and wakeups recorded? */
static inline bool tracks_exist(const struct tracks *t)
{
	return t && (t->groups & ~FXT_SCHED_EVENTS_SCHED || tracks_tracepoints(t));
}

/**
 * tracks_read() - find out which tracks the machine has
 * @root: "" for this machine, else the directory of another one's /sys
 * @tracepoints: NULL for none; must stay
 */
void tracks_read(struct tracks *t, const char *root, uint64_t groups,
		 const struct tracepoints *tracepoints);

/* The text of a producers' string on this machine; @text is that on all machines. */
const char *tracks_string(const struct tracks *t, unsigned int index, const char *text);

/*
 * Name tracks, system calls and tracepoints. A later call of the writer returns an error of
 * writing.
 */
void tracks_write(const struct tracks *t, struct fxt_writer *w);

#endif /* FXT_COLLECT_ARCHIVE_TRACKS_H */
