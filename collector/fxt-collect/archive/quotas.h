/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quotas.h - cgroups with a quota of CPU time, as an archive has them.
 *
 * In:  the list of these cgroups; chunks of the CPUs' streams. Out: for each cgroup with a
 * quota, a counter of what its cpu.stat counts, where it has changed; names of the tracks
 * that slices of throttled cgroups are on.
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
 * The cgroups that have a quota of CPU time.
 *
 * In:  the hierarchy of cgroup v2. Out: the path of each cgroup that has or had a quota, and
 * what the kernel counts of it.
 *
 * Cgroups come and go, so the hierarchy is searched again and again, but for no more than a
 * hundredth of the time.
 */

/*
 * Cgroups whose quotas are known at the same time. Who may make cgroups, not only root, must not
 * make the collector as large as he likes.
 */
#define QUOTA_LIST_MOST	4096

/**
 * struct quota_list - all of them
 * @all: by id
 * @root: descriptor of the root of the hierarchy; -1 if cgroup v2 is not mounted
 * @below: only this cgroup and those below it; NULL for all
 * @search: number of the last search
 * @over: how many quotas are over
 * @beyond: cgroups with a quota that this search has left out
 * @left_out: the same of the search that left out most
 * @next_search: ns; no search before
 */
struct quota_list {
	struct map all;
	int root;
	const char *below;
	uint32_t search;
	unsigned int over;
	unsigned int beyond;
	unsigned int left_out;
	uint64_t next_search;
};

void quota_list_close(struct quota_list *l);

/** quota_list_search() - search the hierarchy, unless that was done just now; 0 or -ENOMEM */
int quota_list_search(struct quota_list *l);

/* --- counters of an archive ------------------------------------------------------------- */

/**
 * quotas_open() - find the cgroups with a quota
 * @q: set to them
 * @below: only this cgroup and those below it; NULL for all; must stay
 * @counts: write counters, too
 *
 * Return: 0 or -ENOMEM.
 */
int quotas_open(struct quotas **q, const char *below, bool counts);

/** quotas_close() - free them; NULL is ignored */
void quotas_close(struct quotas *q);

/**
 * quotas_read() - read what the kernel has counted
 * @q: the cgroups
 * @now: ticks
 *
 * Return: 0 or -ENOMEM.
 */
int quotas_read(struct quotas *q, uint64_t now);

/** quotas_update() - the same, if the last time was a second ago */
int quotas_update(struct quotas *q, uint64_t now, uint64_t ticks_per_second);

/**
 * struct quotas_lacks - what is in no archive
 * @cgroups: with a quota, beyond QUOTA_LIST_MOST at the same time
 * @samples: counts that were read between snapshots, and made room for later ones
 */
struct quotas_lacks {
	unsigned int cgroups;
	uint64_t samples;
};

/** quotas_lacking() - what is in no archive; of NULL nothing lacks */
struct quotas_lacks quotas_lacking(const struct quotas *q);

/** quotas_begin() - start a new archive, which has neither values nor names yet */
void quotas_begin(struct quotas *q);

/**
 * quotas_write() - write the counters that were read
 * @q: the cgroups
 * @w: the archive; the strings of fxt_sched.h are registered
 * @from: ticks where the archive begins; its counters begin with what was read before
 *
 * "Counter event".
 *
 * Return: 0 or a negative errno.
 */
int quotas_write(struct quotas *q, struct fxt_writer *w, uint64_t from);

/**
 * quotas_name() - name the tracks that slices of a chunk are on
 * @q: the cgroups
 * @w: the archive
 * @chunk: of any stream, as stitch_chunk() takes it
 *
 * Return: 0 or a negative errno.
 */
int quotas_name(struct quotas *q, struct fxt_writer *w, const struct chunk *chunk);

#endif /* FXT_COLLECT_ARCHIVE_QUOTAS_H */
