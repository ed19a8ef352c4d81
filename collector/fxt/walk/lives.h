/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lives.h - threads that had the same koid one after the other.
 *
 * In: the kernel object records of threads, in any order. A fork record begins the life of a
 * thread; parts of a recording repeat it.
 * Out: which of the threads had a koid at a time, and its process. The first thread of a koid has
 * it from the beginning.
 *
 * The scheduling model (sched/threads.h) also takes lives from switches and wakeups. This is for
 * code that only has records of objects.
 */
#ifndef FXT_WALK_LIVES_H
#define FXT_WALK_LIVES_H

#include "libfxt/fxt_reader.h"
#include "koids.h"

struct life {
	uint64_t from;		/* time of its fork, in a unit of the caller; 0 if unknown */
	uint64_t process;	/* valid if @has_process */
	bool has_process;
};

struct lives_of;

/* Initialize with zeros, end with lives_free(). */
struct lives {
	struct koids lists;	/* by koid: index in @of */
	struct lives_of *of;
	size_t count;		/* number of koids */
	bool is_reused;		/* several threads had a koid */
};

/* The ticks of the fork in a kernel object record; 0 if it does not describe a fork. */
uint64_t lives_fork(const struct fxt_content *c);

/* Learn from a kernel object record. @from: lives_fork() in the unit of lives_find(), or 0 */
void lives_learn(struct lives *l, const struct fxt_content *c, uint64_t from);

/*
 * The thread that had a koid at a time; NULL if no record has the koid. @nth: set to the number of
 * earlier threads with it; may be NULL
 */
const struct life *lives_find(const struct lives *l, uint64_t koid, uint64_t time, uint64_t *nth);

void lives_free(struct lives *l);

#endif /* FXT_WALK_LIVES_H */
