/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - which records of an archive are wanted.
 *
 * In: what the command line says, then all records in file order.
 * Out: yes or no. All filters that were set must hold; of each, one value of its list. A
 * record without the property that a filter looks at is not wanted. Times are ns. Memory
 * grows with the number of objects that have records, and only if processes or names are
 * asked for.
 */
#ifndef FXT_WALK_FILTER_H
#define FXT_WALK_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_glob.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/objects.h"
#include "koids.h"

#define FILTER_CPUS	65536	/* what the field of 16 bits can say */

_Static_assert(FXT_KIND_COUNT <= 64, "kinds fit a word");

/** struct filter_ids - a list of koids; empty: not asked for */
struct filter_ids {
	uint64_t *ids;
	size_t count;
};

/** struct filter_limit - one end of the time asked for */
struct filter_limit {
	bool set;
	bool relative;		/* to the earliest time stamp of the archive */
	uint64_t ns;
};

/**
 * struct filter_life - a thread, which may have had its koid after another one
 * @from: ticks, of its fork; 0 for the first of a koid
 * @before: who had the koid before, as an index, plus 1; 0: nobody
 */
struct filter_life {
	uint64_t from;
	uint64_t process;
	size_t before;
};

/** struct filter - all of it; begins as zero, ends with filter_free() */
struct filter {
	uint64_t kinds;		/* bit per enum fxt_kind; 0: all */
	struct filter_limit from;
	struct filter_limit to;
	struct filter_ids pids;
	struct filter_ids tids;
	bool by_comm;
	struct fxt_glob comm;
	bool by_cpu;
	uint64_t cpus[FILTER_CPUS / 64];
	bool keep_names;	/* whatever is asked for */

	struct koids threads;	/* the last of @lives of each koid, plus 1 */
	struct filter_life *lives;
	size_t life_count;
	size_t life_room;
	struct fxt_objects objects;
};

/* What is wrong with a pattern that filter_set_comm() does not take. */
#define FILTER_PATTERN_WRONG	\
	"no pattern of a thread's name, which has 15 bytes at most; use e.g. 'nginx*'"

/* The message for --to where filter_is_backwards(). */
#define FILTER_BACKWARDS	"is before --from: nothing is in between"

/* What is right for a limit: seconds as fxt prints them, or what fxt_parse_time() takes. */
#define FILTER_TIME_EXAMPLES	"12.345, +2.5s, +150ms"

/*
 * Each takes one option's value. Return: 0; -EINVAL if it is not understood;
 * -ENOMEM. Lists are added to what was given before.
 */
int filter_add_kinds(struct filter *f, const char *list);
int filter_add_ids(struct filter_ids *ids, const char *list);
int filter_add_cpus(struct filter *f, const char *list);
int filter_set_comm(struct filter *f, const char *pattern);
int filter_set_limit(struct filter_limit *limit, const char *time);

/** filter_is_backwards() - do the limits, both absolute or both not, keep out all? */
bool filter_is_backwards(const struct filter *f);

bool filter_has_id(const struct filter_ids *ids, uint64_t id);
bool filter_has_cpu(const struct filter *f, uint16_t cpu);

void filter_free(struct filter *f);

/**
 * filter_needs() - must this record be taken apart?
 * @f: the filter
 * @r: the reader
 * @rec: its last record; all of them are to be shown to this function
 *
 * Return: false if it is not wanted and nothing can be learned from it.
 */
bool filter_needs(struct filter *f, const struct fxt_reader *r,
		  const struct fxt_record *rec);

/**
 * filter_learn_ahead() - learn from a record that will come again, when all are wanted in turn
 * @f: the filter
 * @c: its content; a kernel object, for a pointer may have meant another object before
 *
 * So records that stand before the kernel object of their thread are known as well.
 *
 * Return: 0 or -ENOMEM.
 */
int filter_learn_ahead(struct filter *f, const struct fxt_content *c);

/**
 * filter_wants() - is this record wanted?
 * @f: the filter; learns processes of threads, and names, from object records
 * @rec: a record that filter_needs() was true of
 * @c: its content; NULL if its kind is not known
 *
 * Return: 1 or 0; -ENOMEM.
 */
int filter_wants(struct filter *f, const struct fxt_record *rec,
		 const struct fxt_content *c);

/* What those look at, for others that choose records. */

/** filter_is_relative() - do limits count from the archive's earliest time stamp? */
bool filter_is_relative(const struct filter *f);

/**
 * filter_begin() - let relative limits count from here; they are absolute then
 * @f: the filter; to be called before records are shown to it, if they are relative
 * @first: ns; a sum that is beyond all times is the last one
 */
void filter_begin(struct filter *f, uint64_t first);

/**
 * filter_time() - the time stamp of a record that has it in its second word
 *
 * Return: false if it has none there.
 */
bool filter_time(const struct fxt_reader *r, const struct fxt_record *rec, uint64_t *ns);

/** filter_thread_is_of() - was a thread of the processes asked for at a time, in ticks? */
bool filter_thread_is_of(const struct filter *f, uint64_t thread, uint64_t ticks);

/** filter_learn() - take the process of a thread from a kernel object. Return: 0 or -ENOMEM */
int filter_learn(struct filter *f, const struct fxt_content *c);

/** filter_process_of() - the process of the thread that had a koid at a time, in ticks */
bool filter_process_of(const struct filter *f, uint64_t thread, uint64_t ticks,
		       uint64_t *process);

/** filter_process_wanted() - is a record of the processes asked for? */
bool filter_process_wanted(const struct filter *f, const struct fxt_content *c);

/** filter_counts_cpu() - is it a counter of a CPU, as fxt-collect writes them? */
bool filter_counts_cpu(const struct fxt_content *c);

/** filter_cpu_wanted() - is it a switch, wakeup or counter of the CPUs asked for? */
bool filter_cpu_wanted(const struct filter *f, const struct fxt_content *c);

#endif /* FXT_WALK_FILTER_H */
