/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ids.h - which flow does an event belong to?
 *
 * The format gives the ids of flows no scope. By Perfetto's rules, an event belongs to the flow
 * that its own process began with the id; if there is none, to that of the process which first
 * began the id. If a second process has begun it since, it is ambiguous and belongs to none. The
 * end of any flow of the id ends this, too.
 *
 * An id is reused when a flow has ended, so each flow gets a unique number.
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

struct flow_place {
	int64_t slice;		/* any number for it */
	uint64_t begin;		/* ns */
};

struct ids_one {
	struct map_node node;
	uint64_t process;	/* that began the flow, any number for it */
	uint64_t id;		/* as in the trace */
	uint64_t number;	/* unique in its struct ids, from 1 */
	void *data;		/* for the user; NULL at first */
	bool is_bound;		/* the flow continues from @last */
	struct flow_place last;
};

/* All flows; initialize with zeros except @most. */
struct ids {
	size_t most;
	struct map ones;	/* open ones, by process and id */
	struct map owners;	/* by id: what it means in other processes */
	uint64_t last;		/* number assigned */
};

/*
 * Begin a flow. Returns the new one, or the open one that the process has begun with the id; NULL
 * if too many are open.
 */
struct ids_one *ids_begin(struct ids *s, uint64_t process, uint64_t id);

/*
 * Find the flow of a step or an end, or NULL. @is_ambiguous: set if it is NULL because several
 * processes began flows with the id; may be NULL
 */
struct ids_one *ids_find(const struct ids *s, uint64_t process, uint64_t id, bool *is_ambiguous);

/* Free an ended flow, but not its data. */
void ids_end(struct ids *s, struct ids_one *one);

enum flow_fate {
	FLOW_DRAWN,
	FLOW_FULL,		/* too many are open */
	FLOW_TWICE,		/* the process has already begun the flow */
	FLOW_NO_SLICE,
	FLOW_AMBIGUOUS,		/* see above */
	FLOW_UNKNOWN,		/* a step or an end of an id that is not open */
	FLOW_UNBOUND,		/* likewise, but a begin outside of slices has opened it */
};

/* What becomes of a part of a flow; the other members are set if it is drawn. */
struct flow_part {
	enum flow_fate fate;
	uint64_t number;		/* of the flow */
	struct flow_place from;		/* of the part before; of a begin, zero */
};

/*
 * Take a part of a flow, by the rules of Perfetto. @kind: FXT_KIND_FLOW_BEGIN, _STEP or _END; @at:
 * its slice; NULL: none, so that it is not drawn
 */
struct flow_part ids_flow(struct ids *flows, enum fxt_kind kind, uint64_t process, uint64_t id,
			  const struct flow_place *at);

/* A number for an event that belongs to no flow. */
static inline uint64_t ids_new_number(struct ids *s)
{
	return ++s->last;
}

/* @free_data: called for all data that is not NULL; may be NULL */
void ids_free(struct ids *s, void (*free_data)(void *data, void *arg), void *arg);

#endif /* FXT_WALK_IDS_H */
