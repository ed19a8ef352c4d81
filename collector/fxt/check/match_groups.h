/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match_groups.h - what has begun and not ended, and what was found.
 *
 * Threads, ids of asynchronous events and ids of flows are groups. Of each thread a group
 * holds a stack of slices, of each id what has begun. A slice that is one record stays on
 * its stack until the next event of its thread shows that it has ended: so does Perfetto,
 * which takes the topmost one for what encloses a flow.
 */
#ifndef FXT_CHECK_MATCH_GROUPS_H
#define FXT_CHECK_MATCH_GROUPS_H

#include "match_data.h"

#define NOT_ENDED	UINT64_MAX

/**
 * struct match_event - one that waits
 * @name: hash of category and name
 * @end: ns, of slices that are one record
 * @id: of asynchronous events and flows
 */
struct match_event {
	uint64_t time;
	uint64_t offset;
	uint64_t record;
	uint64_t process;
	uint64_t thread;
	uint64_t name;
	union {
		uint64_t end;
		uint64_t id;
	};
	uint32_t number;	/* in the order of the file */
	uint8_t kind;		/* enum fxt_kind */
	uint8_t rank;		/* of those at the same time */
};

enum group_kind {
	GROUP_THREAD,		/* process, thread */
	GROUP_ASYNC,		/* id */
	GROUP_FLOW,		/* id */
	GROUP_FLOW_OF,		/* process, id: that Perfetto has */
	GROUP_FLOW_OWNER,	/* id: with the process that began it */
};

/* What has begun; of a thread the newest comes first. */
struct match_open {
	struct match_open *below;
	uint64_t begin;		/* ns */
	uint64_t end;		/* ns, or NOT_ENDED */
	uint64_t name;
	uint64_t offset;
	uint64_t record;
};

/**
 * struct match_group - what has the same key
 * @ended: of threads, ns, of the slice that ended last
 * @process: of GROUP_FLOW_OWNER
 * @is_bound: Perfetto has a slice for the flow
 * @is_ambiguous: several processes began it
 */
struct match_group {
	struct match_group *next;
	uint64_t a;
	uint64_t b;
	struct match_open *top;
	union {
		uint64_t ended;
		uint64_t process;
	};
	uint8_t kind;
	bool is_bound;
	bool is_ambiguous;
};

struct match_finding {
	uint64_t offset;
	uint64_t record;
	uint64_t time;
	uint8_t kind;		/* enum check_match_kind */
};

/** match_find() - a group; NULL if nothing of it has begun */
struct match_group *match_find(struct check_match *m, enum group_kind kind, uint64_t a,
			       uint64_t b);

/** match_get() - a group, made if there is none; NULL if there are too many, or no memory */
struct match_group *match_get(struct check_match *m, enum group_kind kind, uint64_t a,
			      uint64_t b);

/** match_drop() - a group in which nothing is open any more */
void match_drop(struct check_match *m, struct match_group *g);

/** match_push() - something begins; @g: NULL counts as not judged, like too many of them */
void match_push(struct check_match *m, struct match_group *g, const struct match_event *e,
		uint64_t end);

/** match_pop() - it has ended; @at: where its group, or what lies on it, points to it */
void match_pop(struct check_match *m, struct match_open **at);

/** match_not_judged() - an event goes beyond the limits */
void match_not_judged(struct check_match *m, const struct match_event *e);

/** match_add() - something was found; match_found() - it is this event */
void match_add(struct check_match *m, uint8_t kind, uint64_t offset, uint64_t record,
	       uint64_t time);
void match_found(struct check_match *m, uint8_t kind, const struct match_event *e);

#endif /* FXT_CHECK_MATCH_GROUPS_H */
