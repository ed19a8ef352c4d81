/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pieces.h - what a process has mapped between two of its forks and execs.
 *
 * In:  mappings, about in the order of time. Out: for an address and a time, what it is in.
 */
#ifndef LIBSYM_PIECES_H
#define LIBSYM_PIECES_H

#include "mapping.h"

#define PIECES_OLD	64U	/* of those that others have taken the place of */

/**
 * struct piece - a mapping, or what is left of it
 * @m: from @m.time on
 * @until: something else is in its place from then on
 * @next: in a list
 */
struct piece {
	struct mapping m;
	uint64_t until;
	struct piece *next;
};

/**
 * struct pieces - from @time on
 * @kind: what began it; MAPPING_FILE: that is unknown
 * @parent: of a fork
 * @now: by address, @count of them, none of which overlap
 * @old: the last ones that others have taken the place of, @old_count of them
 * @old_next: the next one that is forgotten
 * @latest: the time of the last one
 * @bytes: of memory, about
 */
struct pieces {
	uint64_t time;
	enum mapping_kind kind;
	uint64_t parent;
	struct piece **now;
	size_t count;
	size_t room;
	struct piece **old;
	size_t old_count;
	size_t old_next;
	uint64_t latest;
	size_t bytes;
};

/** pieces_drop - called with the module of each piece that is freed */
typedef void (*pieces_drop)(void *arg, struct module *m);

/**
 * pieces_add() - add a mapping, whose module has one use more for each piece that it becomes
 * @e: takes it
 * @m: the mapping
 * @drop: for pieces that are forgotten, with @arg
 * @lost: more by the number of these
 *
 * Takes time in proportion to what it takes the place of, and to move the pieces behind it.
 *
 * Return: 0 or -ENOMEM
 */
int pieces_add(struct pieces *e, const struct mapping *m, pieces_drop drop, void *arg,
	       uint64_t *lost);

/** pieces_find() - what an address was in at a time, NULL if nothing is known */
struct piece *pieces_find(const struct pieces *e, uint64_t time, uint64_t at);

/** pieces_take_later() - remove those that were mapped after @time. Return: a list of them */
struct piece *pieces_take_later(struct pieces *e, uint64_t time);

/**
 * pieces_halve() - forget half of them, and all that others have taken the place of
 *
 * First those of no file, then the oldest. Return: how many
 */
uint64_t pieces_halve(struct pieces *e, pieces_drop drop, void *arg);

/** pieces_each_used() - see images_each_used() */
int pieces_each_used(struct pieces *e, uint64_t process,
		     int (*visit)(void *arg, uint64_t process, struct mapping *m), void *arg);

void pieces_free(struct pieces *e, pieces_drop drop, void *arg);

#endif /* LIBSYM_PIECES_H */
