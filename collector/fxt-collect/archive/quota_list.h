/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quota_list.h - the cgroups that have a quota of CPU time.
 *
 * In:  the hierarchy of cgroup v2. Out: the path of each cgroup that has or had a quota, and
 * what the kernel counts of it.
 *
 * Cgroups come and go, so the hierarchy is searched again and again, but for no more than a
 * hundredth of the time.
 */
#ifndef FXT_COLLECT_ARCHIVE_QUOTA_LIST_H
#define FXT_COLLECT_ARCHIVE_QUOTA_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "libfxt/map.h"

/*
 * Cgroups whose quotas are known at the same time. Who may make cgroups, not only root, must not
 * make the collector as large as he likes.
 */
#define QUOTA_LIST_MOST	4096

/**
 * struct quota_counts - what cpu.stat of a cgroup counts
 * @periods: in which it had something to run
 * @throttled: of these, those in which its quota was used up
 * @usec: for how long its run queues were throttled, added up
 */
struct quota_counts {
	uint64_t periods;
	uint64_t throttled;
	uint64_t usec;
};

/**
 * struct quota - a cgroup that has or had a quota
 * @node: by its id
 * @id: the kernel's
 * @path: below the root, with a leading slash
 * @search: the last search that has found it
 * @is_over: it lost its quota, or is gone
 * @counts: as read last
 * @has_counts: it was read
 * @base: the counts before the first sample of quotas.c
 * @has_base: there is one
 * @is_written: the archive has a value of the counter
 */
struct quota {
	struct map_node node;
	uint64_t id;
	char *path;
	uint32_t search;
	bool is_over;
	struct quota_counts counts;
	bool has_counts;
	struct quota_counts base;
	bool has_base;
	bool is_written;
};

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

/**
 * quota_list_open() - find the cgroups with a quota
 * @l: filled in
 * @below: only this cgroup and those below it; NULL for all; must stay
 *
 * Return: 0 or -ENOMEM.
 */
int quota_list_open(struct quota_list *l, const char *below);

void quota_list_close(struct quota_list *l);

/** quota_list_search() - search the hierarchy, unless that was done just now; 0 or -ENOMEM */
int quota_list_search(struct quota_list *l);

/** quota_list_find() - the cgroup with that id; NULL if it is not known */
struct quota *quota_list_find(const struct quota_list *l, uint64_t id);

/** quota_read() - read its counts; false if it is gone */
bool quota_read(const struct quota_list *l, const struct quota *q, struct quota_counts *counts);

/** quota_list_each() - call @visit for each; stops with what that returns if it is not 0 */
int quota_list_each(struct quota_list *l, int (*visit)(struct quota *q, void *arg), void *arg);

#endif /* FXT_COLLECT_ARCHIVE_QUOTA_LIST_H */
