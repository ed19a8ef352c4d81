/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match_groups.h - open slices, operations and flows, and findings.
 *
 * Threads, ids of asynchronous events and ids of flows are groups. The group of a thread
 * holds a stack of slices, that of an id what has begun. A complete slice stays on its stack
 * until the next event of its thread shows that it has ended.
 */
#ifndef FXT_CHECK_MATCH_GROUPS_H
#define FXT_CHECK_MATCH_GROUPS_H

#include "match_data.h"

#define NOT_ENDED	UINT64_MAX

/**
 * struct match_event - a waiting event
 * @name: hash of category and name
 * @end: ns, of complete slices
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
	uint32_t number;	/* order in the file */
	uint8_t kind;		/* enum fxt_kind */
	uint8_t rank;		/* order among events at the same time */
	bool is_dropped;	/* Perfetto drops the record */
};

enum group_kind {
	GROUP_THREAD,		/* process, thread */
	GROUP_ASYNC,		/* id */
	GROUP_FLOW,		/* id, by the format */
};

/* Something open; the newest one of a thread comes first. */
struct match_open {
	struct match_open *below;
	uint64_t begin;		/* ns */
	uint64_t end;		/* ns, or NOT_ENDED */
	uint64_t name;
	uint64_t offset;
	uint64_t record;
};

/**
 * struct match_group - all that is open under one key
 * @drawn: of threads: slices and instants as Perfetto has them, @drawn_depth of them
 * @ended: of threads: end of the slice that ended last, in ns
 */
struct match_group {
	struct map_node node;
	uint64_t a;
	uint64_t b;
	struct match_open *top;
	struct match_open *drawn;
	unsigned int drawn_depth;
	uint64_t ended;
	uint8_t kind;
};

struct match_finding {
	uint64_t offset;
	uint64_t record;
	uint64_t time;
	uint8_t kind;		/* enum check_match_kind */
};

/** match_find() - find a group; NULL if nothing of it is open */
struct match_group *match_find(struct check_match *m, enum group_kind kind, uint64_t a,
			       uint64_t b);

/** match_get() - find or make a group; NULL if there are too many, or no memory */
struct match_group *match_get(struct check_match *m, enum group_kind kind, uint64_t a,
			      uint64_t b);

/** match_drop() - remove a group in which nothing is open any more */
void match_drop(struct check_match *m, struct match_group *g);

/** match_push() - something begins; @to: NULL counts as not judged, like too many of them */
void match_push(struct check_match *m, struct match_open **to, const struct match_event *e,
		uint64_t end);

/** match_pop() - something ends; @at: the pointer to it in its group or in the entry above */
void match_pop(struct check_match *m, struct match_open **at);

/** match_not_judged() - count an event beyond the limits */
void match_not_judged(struct check_match *m, const struct match_event *e);

/** match_add() - add a finding; match_found() - on this event */
void match_add(struct check_match *m, uint8_t kind, uint64_t offset, uint64_t record,
	       uint64_t time);
void match_found(struct check_match *m, uint8_t kind, const struct match_event *e);

#endif /* FXT_CHECK_MATCH_GROUPS_H */
