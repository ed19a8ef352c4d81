/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.h - memory for fxt, or the end of fxt.
 *
 * A command runs and ends, so without memory it could only report that. Functions that can only
 * fail for want of memory return nothing. libfxt and fxt-collect return -ENOMEM.
 */
#ifndef FXT_TERMINAL_MEMORY_H
#define FXT_TERMINAL_MEMORY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/array.h"
#include "libfxt/map.h"

/* Set the path that messages name from now on; it must stay valid. */
void memory_is_for(const char *path);

/* This process is a child, which only exits, and reports the limit of its address space, @gib. */
void memory_is_of_child(unsigned int gib);

/* "PATH: ", or "". */
const char *memory_subject(void);

/* Report that, remove an unfinished result, and exit with VERB_UNREADABLE. */
void memory_ran_out(void) __attribute__((noreturn, cold));

/* For the result of malloc(), strdup() and the like; never NULL. */
static inline void *must(void *p)
{
	if (!p)
		memory_ran_out();
	return p;
}

/* For functions that return 0 or -ENOMEM. */
static inline void must_fit(int ret)
{
	if (ret)
		memory_ran_out();
}

/* Allocate a @type of zeros. */
#define new_zero(type) ((type *)must(calloc(1, sizeof(type))))

/* array_grow() that cannot fail. */
#define array_more(list, count) must_fit(array_grow(list, count))

/* array_reserve() that cannot fail. */
#define array_hold(list, room, need) must_fit(array_reserve(list, room, need))

/* map_reserve() and map_add(). */
static inline void map_put(struct map *m, struct map_node *n, uint64_t hash)
{
	must_fit(map_reserve(m));
	map_add(m, n, hash);
}

/*
 * Like map_find(), but add a missing entry, all zero. Returns: was it added, so that it needs its
 * key?
 */
#define map_get(map, h, e, is_it) __extension__ ({				\
	uint64_t key_ = (h);							\
	bool is_new_ = !map_find(map, key_, e, is_it);				\
										\
	if (is_new_)								\
		must(map_new(map, key_, e));					\
	is_new_;								\
})

#endif /* FXT_TERMINAL_MEMORY_H */
