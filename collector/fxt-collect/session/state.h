/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - a recording, as all that acts on it sees it.
 */
#ifndef FXT_COLLECT_SESSION_STATE_H
#define FXT_COLLECT_SESSION_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/counters.h"
#include "archive/cut.h"
#include "archive/host.h"
#include "archive/instants.h"
#include "archive/lives.h"
#include "options/options.h"
#include "output/broker.h"
#include "process/child.h"
#include "process/error.h"
#include "process/privilege.h"
#include "source/source.h"
#include "summary.h"

#define NS_PER_MS	1000000ULL
#define NS_PER_SECOND	1000000000ULL

#define PART_PATH	4096

struct fxt_writer;
struct live;
struct output;
struct stitch;

/**
 * struct missed_names - of which there is no record
 * @folded: renames that came too fast
 * @lost: names that found no room
 */
struct missed_names {
	uint64_t folded;
	uint64_t lost;
};

/**
 * struct session - a recording
 * @invoker: who asked
 * @broker: opens files as that user
 * @host: the machine
 * @counters: of CPUs; NULL if there are to be none
 * @instants: of execs and renames, for the next archive
 * @lives: of threads whose ids were others' before
 * @out: the archive that is being written, NULL if none is
 * @w: its writer
 * @unsafe: bytes of it since it was last made safe
 * @part: number of that archive, from 1
 * @path: of that archive
 * @kept: paths of segments that are complete, oldest first; @kept_count of them
 * @signals: descriptor to read SIGUSR1 and SIGCHLD from
 * @end: descriptor that can be read once a signal has told the recording to end; which
 *	nobody does, so that it stays so
 * @snapshot_asked: by SIGUSR1
 * @tracing: started and not yet stopped
 * @missed: when names were last read of all tasks
 * @write_error: why the archive cannot be written on, a negative errno, or 0
 * @began: ns, CLOCK_BOOTTIME
 * @cut: what was fetched for the next archive already
 * @start: ticks when tracing began, went on after a snapshot, or the segment begins
 * @stopped: ticks
 */
struct session {
	const struct options *o;
	struct invoker invoker;
	struct broker *broker;
	struct source *source;
	struct stitch *stitch;
	struct cut cut;
	struct names *names;
	struct child child;
	struct live *live;
	struct host host;
	struct counters *counters;
	struct instants instants;
	struct lives lives;
	struct output *out;
	struct fxt_writer *w;
	uint64_t unsafe;
	unsigned int part;
	char path[PART_PATH];
	char **kept;
	size_t kept_count;
	int signals;
	int end;
	bool snapshot_asked;
	bool tracing;
	struct missed_names missed;
	int write_error;
	uint64_t began;
	uint64_t start;
	uint64_t stopped;
	struct summary summary;
	struct error *e;
};

#endif /* FXT_COLLECT_SESSION_STATE_H */
