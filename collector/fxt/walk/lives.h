/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lives.h - threads that had the same koid one after the other.
 *
 * In: the kernel object records of threads, in any order. A fork record begins the life of a
 * thread; parts of a recording repeat it.
 * Out: which of the threads had a koid at a time, and its process. The first thread of a koid has
 * it from the beginning.
 *
 * The model of scheduling (sched/threads.h) also takes lives from switches and wakeups. This is for
 * code that only has records of objects.
 */
#ifndef FXT_WALK_LIVES_H
#define FXT_WALK_LIVES_H

#include "libfxt/fxt_reader.h"
#include "koids.h"

/** struct life - the life of a thread */
struct life {
	uint64_t from;		/* time of its fork, in a unit of the caller; 0 if it is unknown */
	uint64_t process;	/* valid if @has_process */
	bool has_process;
};

struct lives_of;

/** struct lives - all lives; initialize with zeros, end with lives_free() */
struct lives {
	struct koids lists;	/* by koid: index in @of */
	struct lives_of *of;
	size_t count;		/* number of koids */
	bool is_reused;		/* several threads had a koid */
};

/** lives_fork() - the ticks of the fork in a kernel object record; 0 if it is not about a fork */
uint64_t lives_fork(const struct fxt_content *c);

/**
 * lives_learn() - learn from a kernel object record
 * @from: the time of lives_fork(), in the unit of lives_find(); 0 if that is 0
 */
void lives_learn(struct lives *l, const struct fxt_content *c, uint64_t from);

/**
 * lives_find() - the thread that had a koid at a time
 * @nth: set to the number of threads that had the koid before; may be NULL
 *
 * Return: NULL if no record has the koid.
 */
const struct life *lives_find(const struct lives *l, uint64_t koid, uint64_t time, uint64_t *nth);

void lives_free(struct lives *l);

#endif /* FXT_WALK_LIVES_H */
