/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quotas.h - cgroups with a quota of CPU time, for an archive.
 *
 * In:  the list of these cgroups; chunks of the CPUs' streams.
 * Out: for each cgroup with a quota, a counter of the counts in its cpu.stat, when they have
 * changed; names of the tracks of slices of throttled cgroups.
 *
 * Functions that can fail return 0 or a negative errno, unless they say otherwise.
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
 * v2, or one of v1.
 *
 * Cgroups come and go, so the hierarchy is searched repeatedly, but at most for a hundredth of the
 * time.
 */

/*
 * Cgroups whose quotas are known at the same time, at most: users who may create cgroups must not
 * be able to let the collector grow without limit.
 */
#define QUOTA_LIST_MOST	4096

/** struct quota_list - cgroups with quotas */
struct quota_list {
	struct map all;			/* by id */
	int root;	/* descriptor of the root of the hierarchy; -1 if none is mounted */
	bool is_v1;			/* it is of cgroup v1 */
	const char *below;		/* only this cgroup and those below it; NULL for all */
	uint32_t search;		/* number of the last search */
	unsigned int over;		/* number of quotas that are over */
	unsigned int beyond;	/* number of cgroups with a quota that this search has omitted */
	unsigned int left_out;		/* the largest @beyond of all searches */
	uint64_t next_search;		/* ns; no search before */
};

void quota_list_close(struct quota_list *l);

/** quota_list_search() - search the hierarchy, unless it was searched recently; 0 or -ENOMEM */
int quota_list_search(struct quota_list *l);

/* --- counters of an archive ------------------------------------------------------------- */

/**
 * quotas_open() - find the cgroups with a quota
 * @below: only this cgroup of v2 and those below it; NULL for all; must stay
 * @counts: write counters, too
 */
int quotas_open(struct quotas **q, const char *below, bool counts);

/** quotas_close() - free them; NULL is ignored */
void quotas_close(struct quotas *q);

/** quotas_read() - read the kernel's counts. @now: ticks. Return: 0 or -ENOMEM */
int quotas_read(struct quotas *q, uint64_t now);

/** quotas_update() - likewise, if the last reading is a second old */
int quotas_update(struct quotas *q, uint64_t now, uint64_t ticks_per_second);

/** struct quotas_lacks - numbers of what no archive has */
struct quotas_lacks {
	unsigned int cgroups;	/* cgroups with a quota beyond QUOTA_LIST_MOST at the same time */
	/* Counts that were read between snapshots, and removed to make room. */
	uint64_t samples;
};

/** quotas_lacking() - what no archive has; nothing for NULL */
struct quotas_lacks quotas_lacking(const struct quotas *q);

/** quotas_begin() - start a new archive, without values and names so far */
void quotas_begin(struct quotas *q);

/**
 * quotas_write() - write counters of the counts that were read
 * @w: the archive; the strings of fxt_sched.h are registered
 * @from: ticks where the archive begins; its counters begin with the counts read before
 */
int quotas_write(struct quotas *q, struct fxt_writer *w, uint64_t from);

/**
 * quotas_name() - name the tracks of the slices in a chunk; @chunk: of any stream, as
 * stitch_chunk() takes it
 */
int quotas_name(struct quotas *q, struct fxt_writer *w, const struct chunk *chunk);

#endif /* FXT_COLLECT_ARCHIVE_QUOTAS_H */
