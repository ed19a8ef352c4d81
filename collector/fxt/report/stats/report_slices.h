/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_slices.h - an archive without scheduling: slices, counters and tracks. */
#ifndef FXT_REPORT_SLICES_H
#define FXT_REPORT_SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"
#include "libfxt/objects.h"
#include "walk/filter.h"
#include "walk/operations.h"
#include "walk/order.h"

/* All slices of a name; times are ns. */
struct slices_name {
	struct map_node node;
	uint64_t count;
	uint64_t total;		/* sum of their durations */
	uint64_t self;		/* @total without slices inside them */
	uint64_t longest;
	uint64_t longest_at;	/* its begin */
	bool is_async;		/* they may overlap, belong to no thread and have no @self */
	uint32_t number;
	uint32_t length;
	char *name;
};

/* A thread that has slices. */
struct slices_track {
	struct map_node node;
	uint32_t provider;
	uint32_t number;
	uint64_t process;
	uint64_t thread;
	uint64_t slices;
	uint64_t covered;		/* ns within at least one; unknown where self times are */
	uint64_t last;			/* ns, the last begin or end so far */
	struct slices_open *stack;	/* slices that are not over */
	size_t depth;
};

/* A series of values. */
struct slices_counter {
	struct map_node node;
	uint64_t process;
	uint64_t id;
	uint64_t values;
	double min;
	double max;
	double last;
	uint32_t number;
	uint32_t length;
	char *name;		/* of counter and series */
};

struct slices_late;

/* A slice of a thread; times are ns. */
struct slices_piece {
	uint64_t begin;
	uint64_t end;
	uint32_t track;		/* number */
	uint32_t name;		/* number */
};

/* An asynchronous slice, or a value of a counter, of a process; times are ns. */
struct slices_drawn {
	uint64_t begin;
	uint64_t end;
	uint64_t process;
	double value;
	uint32_t of;		/* number of the name or counter */
	bool is_value;
};

/* Contents of an archive without scheduling; zeros before slices_begin(); then set @is_drawn. */
struct slices {
	const struct filter *filter;		/* by time and process; may be NULL */
	struct slices_name **names;		/* after slices_finish(): the largest total first */
	size_t name_count;
	struct slices_track **tracks;		/* most slices first */
	size_t track_count;
	struct slices_counter **counters;	/* most values first */
	size_t counter_count;
	uint64_t first;				/* ns, of the first event */
	uint64_t last;				/* end of the last one */
	uint64_t slices;			/* complete ones of threads */
	uint64_t async;				/* complete asynchronous ones */
	uint64_t instants;
	uint64_t flows;				/* records */
	uint64_t unended;			/* slices without end, in no other number */
	uint64_t unbegun;			/* ends without begin */
	uint64_t refused;			/* async slices, too many at once */
	uint64_t unkept;			/* slices whose self time is not known */
	struct fxt_objects objects;		/* names of processes and threads */
	struct map name_map;
	struct map track_map;
	struct map counter_map;
	struct operations operations;		/* with the open asynchronous slices */
	struct nest_user operation_user;
	struct order waiting;			/* their events */
	struct slices_piece *pieces;		/* by thread and begin; if all is drawn, by end */
	size_t piece_count;
	bool is_drawn;				/* set by a caller that needs the next ones */
	struct slices_drawn *drawn;		/* after slices_finish(): by end */
	size_t drawn_count;
	uint64_t undrawn;			/* there were too many of these */
	struct slices_late *late;
	size_t late_count;
};

/* Before the first record; end with slices_free(). @filter: see struct slices. */
void slices_begin(struct slices *s, const struct filter *filter);

void slices_record(struct slices *s, struct fxt_reader *r, const struct fxt_record *rec);

/* Complete the numbers, after the last record. */
void slices_finish(struct slices *s);
void slices_free(struct slices *s);

/* The name of a process or thread; NULL if it has none. */
const struct fxt_object *slices_object(const struct slices *s, enum fxt_object_class class,
				       uint64_t koid);

#endif /* FXT_REPORT_SLICES_H */
