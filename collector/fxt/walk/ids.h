/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ids.h - which flow does an event belong to?
 *
 * The format gives the ids of flows no scope. Here they mean what they mean in Perfetto: an event
 * belongs to the flow that its own process began with the id. Only if there is none, it belongs to
 * that of the process which began the id first. If a second process has begun it since, nobody can
 * know which is meant, so it belongs to none. The end of any flow of the id ends this, too.
 *
 * An id is used again when a flow has ended, so each gets a number that no other one has.
 *
 * In: begins, steps and ends in the order of time.
 * Must hold: at most @most are open.
 */
#ifndef FXT_WALK_IDS_H
#define FXT_WALK_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"

/** struct flow_place - the slice that a part of a flow belongs to */
struct flow_place {
	int64_t slice;		/* any number of it */
	uint64_t begin;		/* ns */
};

/** struct ids_one - an open flow */
struct ids_one {
	struct map_node node;
	uint64_t process;	/* that began the flow, identified in any way */
	uint64_t id;		/* as in the trace */
	uint64_t number;	/* unique in its struct ids, from 1 */
	void *data;		/* for the user; NULL at first */
	bool is_bound;		/* the flow goes on from @last */
	struct flow_place last;
};

/** struct ids - all flows; initialize with zeros except @most */
struct ids {
	size_t most;
	struct map ones;	/* the open ones, by process and id */
	struct map owners;	/* by id: what it means in other processes */
	uint64_t last;		/* the last number assigned */
};

/**
 * ids_begin() - begin a flow
 *
 * Return: the new one, or the open one that the process has begun with the id; NULL if too many are
 * open.
 */
struct ids_one *ids_begin(struct ids *s, uint64_t process, uint64_t id);

/**
 * ids_find() - find the one to which a step or an end belongs
 * @is_ambiguous: set if the result is NULL because several processes began flows with the id; may
 *	be NULL
 *
 * Return: it, or NULL
 */
struct ids_one *ids_find(const struct ids *s, uint64_t process, uint64_t id, bool *is_ambiguous);

/** ids_end() - remove one that has ended; frees @one, but not its data */
void ids_end(struct ids *s, struct ids_one *one);

enum flow_fate {
	FLOW_DRAWN,
	FLOW_FULL,		/* too many are open */
	FLOW_TWICE,		/* the process has begun the flow already */
	FLOW_NO_SLICE,
	FLOW_AMBIGUOUS,		/* see above */
	FLOW_UNKNOWN,		/* a step or an end of an id that is not open */
	FLOW_UNBOUND,		/* likewise, but a begin outside of slices has opened it */
};

/** struct flow_part - what becomes of a part of a flow; the rest is set if it is drawn */
struct flow_part {
	enum flow_fate fate;
	uint64_t number;		/* of the flow */
	struct flow_place from;		/* of the part before; of a begin, zero */
};

/**
 * ids_flow() - take a part of a flow, by the rules of Perfetto
 * @flows: all flows
 * @kind: FXT_KIND_FLOW_BEGIN, _STEP or _END
 * @process: of the part
 * @id: of the flow
 * @at: the slice in which it is; NULL: it is in none, so it is not drawn
 */
struct flow_part ids_flow(struct ids *flows, enum fxt_kind kind, uint64_t process, uint64_t id,
			  const struct flow_place *at);

/** ids_new_number() - get a number for an event that belongs to no flow */
static inline uint64_t ids_new_number(struct ids *s)
{
	return ++s->last;
}

/** ids_free() - remove all. @free_data: called for all data that is not NULL; may be NULL */
void ids_free(struct ids *s, void (*free_data)(void *data, void *arg), void *arg);

#endif /* FXT_WALK_IDS_H */
