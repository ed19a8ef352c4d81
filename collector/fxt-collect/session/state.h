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

#include "archive/chunks.h"
#include "archive/counters.h"
#include "archive/cut.h"
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

#define NS_PER_MS	1000000ULL
#define NS_PER_SECOND	1000000000ULL

#define PART_PATH	4096

/** struct missed_names - names without a record */
struct missed_names {
	uint64_t folded;	/* renames in quick succession */
	uint64_t lost;		/* names that did not fit into the buffer */
};

/** struct aside - chunks that were fetched while a segment ended, see session_end_part() */
struct aside {
	struct chunks chunks;	/* in the order of fetching */
	int error;		/* of fetching */
};

/** struct pending - chunks whose stacks are not complete yet, see session_chunk() */
struct pending {
	struct chunks chunks;	/* in the order of arrival, with those of all CPUs after them */
	uint64_t since;		/* ns, when the first one came */
};

/** struct kept - a complete segment or snapshot */
struct kept {
	char *path;
	uint32_t user;		/* whose thread fired the trigger; SOURCE_NO_USER: nobody's */
};

/** struct session - a recording */
struct session {
	const struct options *o;
	struct invoker invoker;	/* the invoking user */
	struct broker *broker;	/* opens files as that user */
	struct source *source;
	struct stitch *stitch;
	struct cut cut;		/* records held back for the next archive */
	struct aside aside;	/* later chunks, set aside */
	struct pending pending;	/* chunks that wait for files */
	struct names *names;
	struct child child;
	struct live *live;
	struct host host;	/* the machine */
	struct tracks tracks;	/* of events */
	struct counters *counters;	/* of CPUs; NULL without counters */
	struct quotas *quotas;	/* of cgroups; NULL if they are not recorded */
	struct task_events instants;	/* execs and renames to be written */
	struct task_events reuses;	/* forks that reuse the id of another thread */
	struct symbols symbols;	/* of the addresses in stacks */
	struct output *out;	/* the archive being written, NULL if none is */
	struct fxt_writer *w;	/* its writer */
	uint64_t unsafe;	/* bytes written since the last part_flush() */
	unsigned int part;	/* number of that archive, from 1 */
	unsigned int tried;	/* the last number in the name of a snapshot */
	char path[PART_PATH];	/* of that archive */
	uint32_t user;	/* who made the trigger fire for that archive, SOURCE_NO_USER for nobody */
	/* Complete segments or snapshots, oldest first; @kept_count of them. */
	struct kept *kept;
	size_t kept_count;
	struct limits limits;	/* of the trigger, for those who have fired it */
	/* Events that fired the trigger within their limits, and made no snapshot. */
	uint64_t ignored;
	int signals;		/* descriptor to read SIGUSR1 and SIGCHLD from */
	/*
	 * Descriptor that becomes readable when a signal ends the recording; it is not read before
	 * signals_close(), so it stays readable.
	 */
	int end;
	bool snapshot_asked;	/* SIGUSR1 has asked for a snapshot */
	bool tracing;		/* tracing has started and not yet stopped */
	struct missed_names missed;	/* the counts at the last session_catch_up() */
	int write_error;	/* the negative errno of a failed write, or 0 */
	uint64_t began;		/* ns, CLOCK_BOOTTIME */
	struct start_at start_at;	/* requested start */
	uint64_t late;		/* ns from the requested start until tracing had started */
	/* In ns of CLOCK_BOOTTIME; durations and segments are counted from here. */
	uint64_t counted_from;
	uint64_t until;	/* ns, CLOCK_BOOTTIME, when the recording ends; 0 without --duration */
	/* Ticks at the start of tracing, its resumption after a snapshot, or the segment. */
	uint64_t start;
	uint64_t stopped;	/* ticks when tracing stopped or was frozen */
	struct summary summary;
	int sampling_error;	/* why some CPUs were not sampled for a time, a negative errno */
	struct error *e;
};

/* --- record ----------------------------------------------------------------------------- */

/** record_run() - record until the end, and complete the archives; tracing is on */
int record_run(struct session *s);

/* --- flight ----------------------------------------------------------------------------- */

/** flight_run() - record and write snapshots until the end; tracing is on */
int flight_run(struct session *s);

/* --- recordings ------------------------------------------------------------------------- */

/**
 * session_run() - record as the options say
 * @e: filled in on error
 *
 * Reports on standard error; with --quiet, errors and losses only. COMMAND continues if the
 * recording fails.
 *
 * Return: the exit code: that of the error if there was one, else COMMAND's if
 * there is one, else EXIT_DONE.
 */
int session_run(const struct options *o, struct error *e);

#endif /* FXT_COLLECT_SESSION_STATE_H */
