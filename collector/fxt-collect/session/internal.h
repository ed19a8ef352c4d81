/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internal.h - what the parts of a recording share. The API is session.h.
 *
 * session.c sets everything up and tears it down, record.c and flight.c are the two
 * ways of recording, part.c begins and ends archives, salvage.c ends one that cannot
 * be written on, live.c shows how it goes.
 */
#ifndef FXT_COLLECT_SESSION_INTERNAL_H
#define FXT_COLLECT_SESSION_INTERNAL_H

#include "output/broker.h"
#include "output/output.h"
#include "process/child.h"
#include "archive/counters.h"
#include "archive/cut.h"
#include "archive/host.h"
#include "archive/instants.h"
#include "archive/lives.h"
#include "options/options.h"
#include "process/privilege.h"
#include "status.h"

#define NS_PER_MS	1000000ULL
#define NS_PER_SECOND	1000000000ULL
/* How old a record in an unfinished sub-buffer may get before it is fetched. */
#define HAND_OVER_NS	(200 * NS_PER_MS)
/* Chunks fetched before signals and the clock are looked at again. */
#define CHUNKS_AT_ONCE	64
/* To here an archive that meets the end of its disk can be cut back. */
#define BOUNDARY_BYTES	(512 << 10)

#define PART_PATH	4096

struct fxt_writer;
struct live;

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

/* --- session.c -------------------------------------------------------------- */

/** session_now() - ns, CLOCK_BOOTTIME */
uint64_t session_now(void);

/** session_write_failed() - a failed write, told with what it was about; returns @err */
int session_write_failed(struct session *s, int err);

/** session_ends() - has a signal or the command's end come? Takes SIGUSR1, too */
bool session_ends(struct session *s);

/**
 * session_open() - open an output, with its reader if it is a pipe
 * @s: the session
 * @out: set to it
 * @path: of it
 * @options: @broker and @end are filled in
 *
 * Waits for that reader to come, or for the end.
 *
 * Return: as output_open().
 */
int session_open(struct session *s, struct output **out, const char *path,
		 struct output_options *options);

/** session_wait() - until @until (ns), a signal, or, with @records, a complete sub-buffer */
int session_wait(struct session *s, uint64_t until, bool records);

/** session_rundown() - name all tasks that the source knows */
int session_rundown(struct session *s);

/**
 * session_catch_up() - name the threads of which the newest name is in no record
 * @s: the session; all names that there are records of have been fetched
 */
int session_catch_up(struct session *s);

/** session_chunk() - a chunk on its way into the archive, or to the names */
int session_chunk(struct session *s, const struct chunk *c);

/** session_fetch() - @most chunks at most: 0 if there are no more, 1 if there may be */
int session_fetch(struct session *s, bool partial, unsigned int most);

/**
 * session_count() - write what is to be counted of CPUs
 * @s: the session
 * @until: ticks; all that happened before has been fetched
 */
int session_count(struct session *s, uint64_t until);

/**
 * session_end_streams() - statistics, closing ledgers; tracing is stopped or frozen
 * @s: the session
 * @breaks: not all chunks are in the archive
 */
int session_end_streams(struct session *s, bool breaks);

/* --- record.c, flight.c ------------------------------------------------------- */

/** record_run() - from the first record to the finished archives, tracing is on */
int record_run(struct session *s);

/** flight_run() - the same for a flight recorder */
int flight_run(struct session *s);

/* --- part.c ------------------------------------------------------------------- */

/* Each: 0 or a negative errno, told. */

/** part_open() - make the file of the next archive */
int part_open(struct session *s);

/** part_head() - its preamble and names; @is_part: others may come before it */
int part_head(struct session *s, bool is_part);

/** part_begin() - both, for an archive that others may come before */
int part_begin(struct session *s);

/** part_flush() - all chunks so far are to be safe soon */
int part_flush(struct session *s);

/** part_end() - the last names, and the file is complete */
int part_end(struct session *s);

/** part_drop() - let go of an archive that has failed */
void part_drop(struct session *s);

/** part_check_place() - can archives be made where they are to be? */
int part_check_place(struct session *s);

/* --- salvage.c ------------------------------------------------------------------ */

/**
 * salvage() - the archive cannot be written on: end it where it is whole
 * @s: the session, @write_error set; what has gone wrong is in @s->e
 *
 * Stops tracing, cuts the file back, and says in it what is missing.
 */
void salvage(struct session *s);

/* --- live.c ---------------------------------------------------------------------- */

/** live_open() - NULL if standard error is no terminal, or nothing is to be said */
struct live *live_open(const struct options *o);

/** live_update() - show how it goes, if it is time; NULL is ignored */
void live_update(struct live *l, struct session *s);

/** live_close() - clear the line; NULL is ignored */
void live_close(struct live *l);

#endif /* FXT_COLLECT_SESSION_INTERNAL_H */
