/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - the data of a recording, shared by the code that acts on it.
 *
 * From top to bottom: session.c sets up and tears down a recording, and ends an archive after a
 * failed write. record.c and flight.c are the two ways of recording. fetch.c brings records into
 * the archive; part.c begins and ends archives. signals.c and status.c serve them all.
 */
#ifndef FXT_COLLECT_SESSION_STATE_H
#define FXT_COLLECT_SESSION_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/clock.h"
#include "archive/chunks.h"
#include "archive/counters.h"
#include "archive/host.h"
#include "archive/quotas.h"
#include "archive/task_events.h"
#include "archive/tracks.h"
#include "limits.h"
#include "options/options.h"
#include "output/broker.h"
#include "process/child.h"
#include "process/error.h"
#include "process/privilege.h"
#include "source/source.h"
#include "stats.h"
#include "symbols/symbols.h"

struct fxt_writer;
struct live;
struct output;
struct stitch;

#define PART_PATH	4096

/* Names without a record. */
struct missed_names {
	uint64_t folded;	/* renames in quick succession */
	uint64_t lost;		/* names that did not fit into the buffer */
};

/* Chunks that were fetched while a segment ended, see session_end_part(). */
struct aside {
	struct chunks chunks;	/* in the order of fetching */
	int error;		/* of fetching */
};

/* Chunks whose stacks are not complete yet, see session_chunk(). */
struct pending {
	struct chunks chunks;	/* in the order of arrival, with those of all CPUs after them */
	uint64_t since;		/* ns, when the first one came */
};

/* A complete segment or snapshot. */
struct kept {
	char *path;
	uint32_t user;		/* whose thread fired the trigger; SOURCE_NO_USER: nobody's */
};

struct session {
	const struct options *o;
	struct invoker invoker;
	struct broker *broker;	/* opens files as that user */
	struct source *source;
	struct stitch *stitch;
	struct cut cut;		/* records held back for the next archive */
	struct aside aside;	/* later chunks, set aside */
	struct pending pending;	/* chunks that wait for files */
	struct names *names;
	struct child child;
	struct live *live;
	struct host host;
	struct tracks tracks;
	struct counters *counters;	/* of CPUs, or NULL */
	struct quotas *quotas;	/* of cgroups, or NULL */
	struct task_events instants;	/* execs and renames to be written */
	struct task_events reuses;	/* forks that reuse the id of another thread */
	struct symbols symbols;	/* of the addresses in stacks */
	struct output *out;	/* the archive being written, or NULL */
	struct fxt_writer *w;
	uint64_t unsafe;	/* bytes written since the last part_flush() */
	unsigned int part;	/* number of that archive, from 1 */
	unsigned int tried;	/* the last number in the name of a snapshot */
	char path[PART_PATH];	/* of that archive */
	uint32_t user;	/* who made the trigger fire for that archive, or SOURCE_NO_USER */
	struct kept *kept;	/* the oldest first */
	size_t kept_count;
	struct limits limits;	/* of the trigger, for those who have fired it */
	uint64_t ignored;	/* events that fired within their limits, and made no snapshot */
	int signals;		/* descriptor to read SIGUSR1 and SIGCHLD from */
	int end;		/* readable, and not read, after a signal has ended the recording */
	bool snapshot_asked;	/* by SIGUSR1 */
	bool tracing;		/* tracing has started and not yet stopped */
	struct missed_names missed;	/* the counts at the last session_catch_up() */
	int write_error;	/* the negative errno of a failed write, or 0 */
	uint64_t began;		/* ns, CLOCK_BOOTTIME */
	struct start_at start_at;	/* requested start */
	uint64_t late;		/* ns from the requested start until tracing had started */
	uint64_t counted_from;	/* ns, CLOCK_BOOTTIME: durations and segments begin here */
	uint64_t until;	/* ns, CLOCK_BOOTTIME, when the recording ends; 0 without --duration */
	/* Ticks at the start of tracing, its resumption after a snapshot, or the segment. */
	uint64_t start;
	uint64_t stopped;	/* ticks when tracing stopped or was frozen */
	struct summary summary;
	uint64_t stacks_counted;	/* sleep_stacks_dropped that snapshots have counted */
	int sampling_error;	/* why some CPUs were not sampled for a time, a negative errno */
	struct error *e;
};

/* --- record ----------------------------------------------------------------------------- */

/* Record until the end, and complete the archives; tracing is on. */
int record_run(struct session *s);

/* --- flight ----------------------------------------------------------------------------- */

/* Record and write snapshots until the end; tracing is on. */
int flight_run(struct session *s);

/* --- recordings ------------------------------------------------------------------------- */

/**
 * session_run() - record as the options say
 *
 * Reports on standard error; with --quiet, errors and losses only. COMMAND continues if the
 * recording fails.
 *
 * Return: the exit code: that of an error, else COMMAND's if there is one, else EXIT_DONE.
 */
int session_run(const struct options *o, struct error *e);

#endif /* FXT_COLLECT_SESSION_STATE_H */
