/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_names.h - the names of threads, as kernel objects tell them.
 *
 * What flows in: kernel object records. What flows out: of each thread the name that
 * it had last, or, while no record has named it yet, the first one that comes later.
 * Memory grows with the number of threads.
 */
#ifndef FXT_TOOL_THREAD_NAMES_H
#define FXT_TOOL_THREAD_NAMES_H

#include "../lib/fxt_reader.h"
#include "koids.h"

/** struct thread_names - all of them; begins as zeros, ends with thread_names_free() */
struct thread_names {
	struct koids at;		/* index in @list */
	struct thread_name *list;
	size_t count;
	size_t room;
};

/** struct thread_name - not terminated, may be any bytes */
struct thread_name {
	char *bytes;
	size_t length;
};

/**
 * thread_names_learn() - look at a record
 * @n: the names
 * @c: its content; all but kernel objects of threads are passed over
 * @first: keep the name that a thread has already
 *
 * Return: 0 or -ENOMEM.
 */
int thread_names_learn(struct thread_names *n, const struct fxt_content *c, bool first);

/** thread_names_get() - of a thread; NULL if it has none */
const struct thread_name *thread_names_get(const struct thread_names *n, uint64_t koid);

void thread_names_free(struct thread_names *n);

#endif /* FXT_TOOL_THREAD_NAMES_H */
