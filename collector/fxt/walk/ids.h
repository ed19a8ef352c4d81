/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ids.h - which flow, or which asynchronous operation, does an event belong to?
 *
 * The format gives the ids of both no scope, and writers use them in two ways: unique in the
 * trace, so that a flow goes from process to process; or local to a process, so that two
 * processes use one id at a time. An event belongs to what its own process began with the id.
 * Only if there is nothing of the kind, it belongs to what another process began:
 *
 * - a flow, as Perfetto has it: to that of the process which began the id first. If a second
 *   process has begun it since, nobody can know which is meant, so it belongs to none. The end
 *   of any flow of the id ends this, too;
 * - an operation: to the newest.
 *
 * An id is used again when a flow or operation has ended, so each gets a number that no other
 * one has.
 *
 * In: begins, steps and ends in the order of time.
 * Must hold: no more than @most are open.
 */
#ifndef FXT_WALK_IDS_H
#define FXT_WALK_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "libfxt/map.h"

/**
 * struct ids_one - an open flow or operation
 * @process: the process that began it, whatever the user identifies processes by
 * @id: as in the trace
 * @number: from 1 on, unique among those of one struct ids
 * @data, @depth: the user's; NULL and 0 at first
 * @newer, @older: operations of the same id
 */
struct ids_one {
	struct map_node node;
	uint64_t process;
	uint64_t id;
	uint64_t number;
	void *data;
	uint64_t depth;
	struct ids_one *newer;
	struct ids_one *older;
};

/**
 * struct ids - all flows or all operations; begins as zeros but for @are_operations and @most
 * @ones: those that are open, by process and id
 * @owners: for each id, what other processes mean by it
 * @last: the number that was given last
 */
struct ids {
	bool are_operations;
	size_t most;
	struct map ones;
	struct map owners;
	uint64_t last;
};

/**
 * ids_begin() - a flow or operation begins
 * @one: set to it; to the one that the process has begun with this id and not ended, if any
 *
 * Return: 0, -ENOMEM, or -ENOSPC if too many are open
 */
int ids_begin(struct ids *s, uint64_t process, uint64_t id, struct ids_one **one);

/**
 * ids_find() - what a step, an instant or an end belongs to
 * @is_ambiguous: set if it is NULL because several processes began flows of the id; may be NULL
 *
 * Return: it, or NULL
 */
struct ids_one *ids_find(const struct ids *s, uint64_t process, uint64_t id, bool *is_ambiguous);

/** ids_end() - forget one that has ended; frees @one, not its data */
void ids_end(struct ids *s, struct ids_one *one);

/** ids_new_number() - a number for an event that belongs to nothing */
static inline uint64_t ids_new_number(struct ids *s)
{
	return ++s->last;
}

/** ids_free() - forget all. @free_data: called with the data of each that has any; may be NULL */
void ids_free(struct ids *s, void (*free_data)(void *data, void *arg), void *arg);

#endif /* FXT_WALK_IDS_H */
