/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stats.h - the summary of a recording for machines: --stats-json. */
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

/* The longest wait that matched the trigger. */
struct summary_wait {
	uint64_t time;		/* ns of the archive: of its end, or when it was seen */
	uint64_t latency;	/* ns; 0 if there was none or the source does not know it */
	uint32_t thread;
	uint32_t cpu;		/* the CPU that it was switched in on, or waits for */
	bool goes_on;		/* the wait was not over at @time */
	char comm[FXT_SCHED_COMM_SIZE];
};

struct summary {
	uint64_t duration;	/* ns */
	struct stream_stats *streams;	/* the counts of each stream since the recording began */
	size_t stream_count;
	struct stitch_totals totals;	/* of the last archive */
	uint64_t threads;	/* named */
	uint64_t processes;	/* named */
	uint64_t bytes;		/* of all files */
	uint64_t archive_bytes;	/* before compression */
	unsigned int files;	/* complete */
	unsigned int missed;	/* snapshots that could not be written */
	unsigned int fired;	/* how often the trigger fired */
	uint64_t ignored;	/* events that did not exceed the raised limit of their user */
	struct summary_wait longest;
	const char *path;	/* of the last archive */
	char snapshot[4096];	/* path of the last complete snapshot */
	uint64_t skipped;	/* events that the kernel hid from the source */
	uint64_t stacks_incomplete;	/* may lack frames of the program, see struct callers */
	uint64_t user_stacks_dropped;	/* lack the frames of the program for lack of room */
	uint64_t sleep_stacks_dropped;	/* missing, as in struct source_ops */
	struct stack_checks stack_checks;	/* of --stacks check */
	uint64_t mappings_lost;	/* of programs, because there was no room */
	uint64_t mappings_most;	/* those of @mappings_lost that are of process @mappings_most_by */
	uint64_t mappings_most_by;
	uint64_t mappings_left_out;	/* because a process has too many files */
	uint64_t processes_unread;	/* whose mappings took too long to read */
	uint64_t texts_late;	/* texts of /proc that came too late */
	uint64_t frames_left_out;	/* without a name, because of too many addresses */
	struct quotas_lacks quotas;	/* that no archive has */
	const char *error;	/* why the recording failed, NULL if it did not */
};

/* Sums over all streams. */
struct summary_counts {
	uint64_t switches;
	uint64_t wakeups;
	uint64_t events;
	uint64_t names;
	uint64_t folded;
	uint64_t lost;
	unsigned int cpus;
};

/* Add the statistics of one stream. Return: 0 or -ENOMEM */
int summary_add(struct summary *s, const struct stream_stats *stats);

struct summary_counts summary_count(const struct summary *s);

/* Do the archives lack anything? */
bool summary_lacks(const struct summary *s);

/* --- for machines ----------------------------------------------------------------------- */

/**
 * stats_write() - write the JSON object, and close the file
 * @out: NULL is ignored
 * @source: the name of the source, NULL if none was opened
 *
 * Return: 0 or a negative errno.
 */
int stats_write(struct output *out, const struct options *o, const char *source,
		const struct summary *s, struct error *e);

#endif /* FXT_COLLECT_SESSION_STATS_H */
