/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - selects records of an archive.
 *
 * In: options of the command line, then all records in file order.
 * Out: whether a record is wanted. All filters that are set must match; a filter matches if any
 * value of its list does. A record without the filtered property is not wanted. Times are ns.
 * Memory grows with the number of objects that have records, and only if processes or names are
 * selected.
 */
#ifndef FXT_WALK_FILTER_H
#define FXT_WALK_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_glob.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/objects.h"
#include "libopt/option.h"
#include "lives.h"

#define FILTER_CPUS	65536	/* all values of the 16-bit field */

_Static_assert(FXT_KIND_COUNT <= 64, "kinds fit into a word");

/* A list of koids; empty: no filter. */
struct filter_ids {
	uint64_t *ids;
	size_t count;
};

struct filter_limit {
	bool set;
	bool relative;		/* relative to the earliest time stamp of the archive */
	uint64_t ns;
};

/* Initialize with zeros, end with filter_free(). */
struct filter {
	uint64_t kinds;		/* bit per enum fxt_kind; 0: all */
	struct filter_limit from;
	struct filter_limit to;
	struct filter_ids pids;
	struct filter_ids tids;
	bool by_comm;
	struct fxt_glob comm;
	const char *comm_text;	/* as typed */
	const char *cgroup;	/* path, or NULL; only for scope.h, like the next two */
	bool is_all;		/* even if a command was recorded */
	bool has_trees;		/* @pids and @comm are processes, and include what these started */
	bool by_cpu;
	uint64_t cpus[FILTER_CPUS / 64];
	bool keep_names;	/* even if nothing requires it */

	struct lives threads;	/* times in ticks */
	struct fxt_objects objects;
};

/* The message for --to if filter_is_backwards(). */
#define FILTER_BACKWARDS	"is before --from; give a later time"

/* Groups of kinds of records, then all kinds; see option_words. */
bool filter_kind(unsigned int i, struct option_word *w);

/* Only the groups. */
bool filter_kind_group(unsigned int i, struct option_word *w);

/*
 * Each parses the value of one option, for a filter or the named part of it. Lists are added to
 * earlier ones. The caller keeps the text.
 */
option_setter filter_add_kinds, filter_add_cpus, filter_set_comm, filter_set_cgroup;
option_setter filter_add_ids;	/* of struct filter_ids */
option_setter filter_set_limit;	/* of struct filter_limit */

void filter_add_id(struct filter_ids *ids, uint64_t id);

/* Is there a filter by time, process, thread, name or CPU (not kind)? */
bool filter_selects(const struct filter *f);

/* Is there a filter by process, thread, name or cgroup? */
bool filter_selects_threads(const struct filter *f);

/* Is the end before the start (both absolute or both relative)? */
bool filter_is_backwards(const struct filter *f);

bool filter_has_id(const struct filter_ids *ids, uint64_t id);
bool filter_has_cpu(const struct filter *f, uint16_t cpu);

void filter_free(struct filter *f);

/*
 * Must @rec, the reader's last record, be decoded? The function must see all records. Returns false
 * if the record is not wanted and has nothing for the filter to learn.
 */
bool filter_needs(struct filter *f, const struct fxt_reader *r,
		  const struct fxt_record *rec);

/*
 * Learn from a kernel object that will be read again later, so that records match that come before
 * the kernel object of their thread. Not for userspace objects, whose pointers may have meant other
 * objects before.
 */
void filter_learn_ahead(struct filter *f, const struct fxt_content *c);

/*
 * Is a record wanted for which filter_needs() was true? Learns processes of threads, and names,
 * from object records. @c: NULL if its kind is unknown
 */
bool filter_wants(struct filter *f, const struct fxt_record *rec, const struct fxt_content *c);

/* Parts of these functions, for other code that selects records. */

/* Are limits relative to the archive's earliest time stamp? */
bool filter_is_relative(const struct filter *f);

/*
 * Make relative limits absolute, before any record. @first: ns, the earliest time stamp; sums that
 * overflow become the latest time
 */
void filter_begin(struct filter *f, uint64_t first);

/*
 * Like filter_time(), only for records of events. Modules and mappings are not events: they
 * describe programs, and have time 0 if these existed when the recording began.
 */
bool filter_event_time(const struct fxt_reader *r, const struct fxt_record *rec, uint64_t *ns);

/* Does a record with a time only describe programs? */
bool filter_describes(enum fxt_kind kind);

/* Did a thread belong to a selected process at a time (in ticks)? */
bool filter_thread_is_of(const struct filter *f, uint64_t thread, uint64_t ticks);

/* Take the process of a thread from a kernel object. */
void filter_learn(struct filter *f, const struct fxt_content *c);

/* The process of the thread that had a koid at a time (in ticks). */
bool filter_process_of(const struct filter *f, uint64_t thread, uint64_t ticks,
		       uint64_t *process);

bool filter_process_wanted(const struct filter *f, const struct fxt_content *c);

/* Is a record a counter of a CPU, as written by fxt-collect? */
bool filter_counts_cpu(const struct fxt_content *c);

/* Is a record a switch, wakeup, counter or other event of a selected CPU? */
bool filter_cpu_wanted(const struct filter *f, const struct fxt_content *c);

#endif /* FXT_WALK_FILTER_H */
