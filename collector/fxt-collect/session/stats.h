/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.h - the summary of a recording for machines: --stats-json.
 */
#ifndef FXT_COLLECT_SESSION_STATS_H
#define FXT_COLLECT_SESSION_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#include "archive/quotas.h"
#include "archive/stitch.h"
#include "options/options.h"
#include "output/output.h"
#include "process/error.h"
#include "source/source.h"

/* --- sums ------------------------------------------------------------------------------- */

/** struct summary_wait - the longest wait that matched the trigger */
struct summary_wait {
	uint64_t time;		/* ns of the archive: of its end, or when it was seen */
	uint64_t latency;	/* ns; 0 if there was none or the source does not know it */
	uint32_t thread;	/* the waiting thread */
	uint32_t cpu;		/* the CPU that it was switched in on, or waits for */
	bool goes_on;		/* the wait was not over at @time */
	char comm[FXT_SCHED_COMM_SIZE];
};

/** struct summary - the results of a recording */
struct summary {
	uint64_t duration;	/* ns */
	struct stream_stats *streams;	/* the counts of each stream since the recording began */
	size_t stream_count;	/* of @streams */
	struct stitch_totals totals;	/* of the last archive */
	uint64_t threads;	/* named */
	uint64_t processes;	/* named */
	uint64_t bytes;		/* of all files */
	uint64_t archive_bytes;	/* bytes before compression */
	unsigned int files;	/* number of complete files */
	unsigned int missed;	/* number of snapshots that could not be written */
	unsigned int fired;	/* how often the trigger fired */
	/* Events that would have fired it, but did not exceed the raised limit of their user. */
	uint64_t ignored;
	struct summary_wait longest;	/* the longest wait that matched the trigger */
	const char *path;	/* of the last archive */
	char snapshot[4096];	/* of the last complete snapshot */
	uint64_t skipped;	/* events that the kernel hid from the source */
	/* Stacks that may lack frames of the program, see struct callers. */
	uint64_t stacks_incomplete;
	/* Stacks that lack the frames of the program, because there was no room. */
	uint64_t user_stacks_dropped;
	struct stack_checks stack_checks;	/* of --stacks check */
	/*
	 * Mappings of programs lost because there was no room; @mappings_most of them are of
	 * process @mappings_most_by.
	 */
	uint64_t mappings_lost;
	uint64_t mappings_most;
	uint64_t mappings_most_by;
	/* Mappings not in the archive, because a process has too many files. */
	uint64_t mappings_left_out;
	/* Processes whose mappings were not read, or not all, because that took too long. */
	uint64_t processes_unread;
	uint64_t texts_late;	/* texts of /proc that came too late */
	/* Frames without a name, because there were too many addresses. */
	uint64_t frames_left_out;
	/* Cgroups with a quota, and counts of them, that no archive has. */
	struct quotas_lacks quotas;
	const char *error;	/* why the recording failed, NULL if it did not */
};

/** struct summary_counts - sums over all streams */
struct summary_counts {
	uint64_t switches;
	uint64_t wakeups;
	uint64_t events;
	uint64_t names;
	uint64_t folded;
	uint64_t lost;
	unsigned int cpus;
};

/** summary_add() - add the statistics of one stream; 0 or -ENOMEM */
int summary_add(struct summary *s, const struct stream_stats *stats);

/** summary_count() - sum up all streams */
struct summary_counts summary_count(const struct summary *s);

/** summary_lacks() - is anything missing in the archives? */
bool summary_lacks(const struct summary *s);

/* --- for machines ----------------------------------------------------------------------- */

/**
 * stats_write() - write the JSON object, and close the file
 * @out: the file; NULL is ignored
 * @o: the options of the recording
 * @source: the name of the source, NULL if none was opened
 * @s: the summary
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int stats_write(struct output *out, const struct options *o, const char *source,
		const struct summary *s, struct error *e);

#endif /* FXT_COLLECT_SESSION_STATS_H */
