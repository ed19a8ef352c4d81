/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracks.h - the tracks of events of groups.
 *
 * In:  groups of events, this machine.
 * Out: for the preamble of each archive, names of the tracks of CPUs, of this machine's idle
 * states, and of its system calls.
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

/** struct tracks - what the preamble says about events */
struct tracks {
	uint64_t groups;		/* groups that are recorded, FXT_SCHED_EVENTS_* */
	const struct tracepoints *tracepoints;	/* chosen by the user, NULL for none */
	unsigned int cpus;		/* number of CPUs that this machine can have */
	/* Names of the idle states, "" for those that it does not have. */
	char idle[TRACKS_IDLE_STATES][32];
};

/** tracks_tracepoints() - number of tracepoints that the user has chosen */
static inline unsigned int tracks_tracepoints(const struct tracks *t)
{
	return t && t->tracepoints ? t->tracepoints->count : 0;
}

/** tracks_exist() - are events other than switches and wakeups recorded? */
static inline bool tracks_exist(const struct tracks *t)
{
	return t && (t->groups & ~FXT_SCHED_EVENTS_SCHED || tracks_tracepoints(t));
}

/**
 * tracks_read() - find out which tracks the machine has
 * @root: "" for this machine, else the directory of another one's /sys
 * @tracepoints: chosen by the user, NULL for none; must stay
 */
void tracks_read(struct tracks *t, const char *root, uint64_t groups,
		 const struct tracepoints *tracepoints);

/** tracks_string() - the text of a producers' string on this machine; @text: on all machines */
const char *tracks_string(const struct tracks *t, unsigned int index, const char *text);

/** tracks_write() - name tracks, system calls and tracepoints; 0 or a negative errno */
int tracks_write(const struct tracks *t, struct fxt_writer *w);

#endif /* FXT_COLLECT_ARCHIVE_TRACKS_H */
