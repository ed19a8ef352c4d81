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

/**
 * struct missed_names - names without a record
 * @folded: renames in quick succession
 * @lost: names that did not fit into the buffer
 */
struct missed_names {
	uint64_t folded;
	uint64_t lost;
};

/**
 * struct aside - chunks that were fetched while a segment ended, see session_end_part()
 * @chunks: in the order of fetching
 * @error: of fetching
 */
struct aside {
	struct chunks chunks;
	int error;
};

/**
 * struct late - chunks whose stacks are not complete yet, see session_chunk()
 * @chunks: in the order of arrival, with those of all CPUs after them
 * @since: ns, when the first one came
 */
struct late {
	struct chunks chunks;
	uint64_t since;
};

/**
 * struct kept - a complete segment or snapshot
 * @user: whose thread fired the trigger; SOURCE_NO_USER: nobody's
 */
struct kept {
	char *path;
	uint32_t user;
};

/**
 * struct session - a recording
 * @invoker: the invoking user
 * @broker: opens files as that user
 * @host: the machine
 * @tracks: of events
 * @counters: of CPUs; NULL without counters
 * @quotas: of cgroups; NULL if they are not recorded
 * @instants: execs and renames to be written
 * @symbols: of the addresses in stacks
 * @lives: forks that reuse the id of another thread
 * @out: the archive being written, NULL if none is
 * @w: its writer
 * @unsafe: bytes written since the last part_flush()
 * @part: number of that archive, from 1
 * @tried: the last number in the name of a snapshot
 * @path: of that archive
 * @user: who made the trigger fire for that archive, SOURCE_NO_USER for nobody
 * @kept: complete segments or snapshots, oldest first; @kept_count of them
 * @limits: of the trigger, for those who have fired it
 * @ignored: events that fired the trigger within their limits, and made no snapshot
 * @signals: descriptor to read SIGUSR1 and SIGCHLD from
 * @end: descriptor that becomes readable when a signal ends the recording; it is not read
 *	before signals_close(), so it stays readable
 * @snapshot_asked: SIGUSR1 has asked for a snapshot
 * @tracing: tracing has started and not yet stopped
 * @missed: the counts at the last session_catch_up()
 * @write_error: the negative errno of a failed write, or 0
 * @began: ns, CLOCK_BOOTTIME
 * @start_at: requested start
 * @late: ns from the requested start until tracing had started
 * @until: ns, CLOCK_BOOTTIME, when the recording ends; 0 without --duration
 * @counted_from: ns, CLOCK_BOOTTIME; durations and segments are counted from here
 * @cut: records held back for the next archive
 * @aside: later chunks, set aside
 * @late_chunks: chunks that wait for files
 * @start: ticks at the start of tracing, its resumption after a snapshot, or the segment
 * @stopped: ticks when tracing stopped or was frozen
 */
struct session {
	const struct options *o;
	struct invoker invoker;
	struct broker *broker;
	struct source *source;
	struct stitch *stitch;
	struct cut cut;
	struct aside aside;
	struct late late_chunks;
	struct names *names;
	struct child child;
	struct live *live;
	struct host host;
	struct tracks tracks;
	struct counters *counters;
	struct quotas *quotas;
	struct task_events instants;
	struct task_events lives;
	struct symbols symbols;
	struct output *out;
	struct fxt_writer *w;
	uint64_t unsafe;
	unsigned int part;
	unsigned int tried;
	char path[PART_PATH];
	uint32_t user;
	struct kept *kept;
	size_t kept_count;
	struct limits limits;
	uint64_t ignored;
	int signals;
	int end;
	bool snapshot_asked;
	bool tracing;
	struct missed_names missed;
	int write_error;
	uint64_t began;
	struct start_at start_at;
	uint64_t late;
	uint64_t counted_from;
	uint64_t until;
	uint64_t start;
	uint64_t stopped;
	struct summary summary;
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
 * @o: the options
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
