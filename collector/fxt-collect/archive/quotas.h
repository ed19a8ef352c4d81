/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quotas.h - cgroups with a quota of CPU time, for an archive: for each, a counter of the counts in
 * its cpu.stat, when they have changed; names of the tracks of slices of throttled cgroups.
 *
 * Functions of type int return 0 or a negative errno.
 */
#ifndef FXT_COLLECT_ARCHIVE_QUOTAS_H
#define FXT_COLLECT_ARCHIVE_QUOTAS_H

#include <stdbool.h>
#include <stdint.h>

#include "libfxt/map.h"
#include "source/source.h"

struct fxt_writer;
struct quotas;

/* --- the cgroups that have a quota ------------------------------------------------------ */

/*
 * The cgroups that have or had a quota of CPU time, in the hierarchy that has the CPU controller:
 * v2, or one of v1. Cgroups come and go, so the hierarchy is searched repeatedly, but at most for a
 * hundredth of the time.
 */

/*
 * Cgroups with known quotas at the same time: users who may create cgroups must not be able to let
 * the collector grow without limit.
 */
#define QUOTA_LIST_MOST	4096

struct quota_list {
	struct map all;			/* by id */
	int root;	/* descriptor of the root of the hierarchy; -1 if none is mounted */
	bool is_v1;			/* it is of cgroup v1 */
	const char *below;		/* only this cgroup and those below it; NULL for all */
	uint32_t search;		/* number of the last search */
	unsigned int over;		/* quotas that are over */
	unsigned int beyond;		/* cgroups with a quota that this search has omitted */
	unsigned int left_out;		/* the largest @beyond of all searches */
	uint64_t next_search;		/* ns; no search before */
};

void quota_list_close(struct quota_list *l);

/* Search the hierarchy, unless it was searched recently. */
int quota_list_search(struct quota_list *l);

/* --- counters of an archive ------------------------------------------------------------- */

/**
 * quotas_open() - find the cgroups with a quota
 * @below: only this cgroup of v2 and those below it; NULL for all; must stay
 * @counts: write counters, too
 */
int quotas_open(struct quotas **q, const char *below, bool counts);

void quotas_close(struct quotas *q);

/* Read the kernel's counts; @now is in ticks. */
int quotas_read(struct quotas *q, uint64_t now);

/* Likewise, if the last reading is a second old. */
int quotas_update(struct quotas *q, uint64_t now, uint64_t ticks_per_second);

/* Numbers of what no archive has. */
struct quotas_lacks {
	unsigned int cgroups;	/* cgroups with a quota beyond QUOTA_LIST_MOST at the same time */
	uint64_t samples;	/* counts read between snapshots, and removed to make room */
};

/* Zeros for NULL. */
struct quotas_lacks quotas_lacking(const struct quotas *q);

/* Start a new archive, without values and names so far. */
void quotas_begin(struct quotas *q);

/**
 * quotas_write() - write counters of the counts that were read
 * @w: has the strings of fxt_sched.h
 * @from: ticks where the archive begins; its counters begin with the counts read before
 */
int quotas_write(struct quotas *q, struct fxt_writer *w, uint64_t from);

/* Name the tracks of the slices in a chunk of any stream, as stitch_chunk() takes it. */
int quotas_name(struct quotas *q, struct fxt_writer *w, const struct chunk *chunk);

#endif /* FXT_COLLECT_ARCHIVE_QUOTAS_H */
