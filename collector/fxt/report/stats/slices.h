/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices.h - what an archive has that has no scheduling: slices, tracks and counters.
 *
 * In: the event and object records of an archive.
 * Out: slices by name, threads that have slices, series of counters, and counts of the rest.
 *
 * A slice is a duration event, from its begin to its end, or an async event. Slices of a
 * thread contain each other; the self time of a slice is what no slice within it has. Memory
 * grows with names, threads and series, and, for self times, with the first SLICES_KEPT
 * slices.
 */
#ifndef FXT_REPORT_STATS_SLICES_H
#define FXT_REPORT_STATS_SLICES_H

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"
#include "libfxt/objects.h"
#include "walk/filter.h"

#define SLICES_KEPT	(4U << 20)

/**
 * struct slices_name - all slices of a name; times are ns
 * @is_async: they may overlap, and belong to no thread; they have no @self
 * @total: their durations
 * @self: without the slices within them
 * @longest: of one, which began at @longest_at
 */
struct slices_name {
	struct map_node node;
	uint64_t count;
	uint64_t total;
	uint64_t self;
	uint64_t longest;
	uint64_t longest_at;
	bool is_async;
	uint32_t number;
	uint32_t length;
	char *name;
};

/** struct slices_open - a slice that has begun */
struct slices_open {
	uint64_t begin;
	uint32_t name;
};

/**
 * struct slices_track - a thread that has slices
 * @covered: ns within at least one of them; known like self times
 * @last: ns, of the last begin or end so far
 * @stack: those that have begun, @depth of them
 */
struct slices_track {
	struct map_node node;
	uint32_t provider;
	uint32_t number;
	uint64_t process;
	uint64_t thread;
	uint64_t slices;
	uint64_t covered;
	uint64_t last;
	struct slices_open *stack;
	size_t depth;
	size_t room;
};

/**
 * struct slices_late - a begin or an end that is not in its place
 *
 * Some writers find out later when a slice began. Perfetto sorts all by time; so are these, at
 * the end.
 * @track: its number; @name of the slice, or SLICES_END
 */
struct slices_late {
	uint64_t ns;
	uint32_t track;
	uint32_t name;
	uint32_t order;
};

#define SLICES_END	UINT32_MAX

/** struct slices_counter - a series of values. @name: of the counter, and of the series */
struct slices_counter {
	struct map_node node;
	uint64_t process;
	uint64_t id;
	uint64_t values;
	double min;
	double max;
	double last;
	uint32_t length;
	char *name;
};

struct slices_piece;
struct slices_async;

/**
 * struct slices - all of it; begins as zero, ends with slices_free()
 * @filter: selects by time and process; may be NULL
 * @names: after slices_finish() the largest total first. @tracks (most slices) and @counters
 *	(most values) likewise
 * @first: ns, of the first event; @last: the end of the last
 * @slices: that have ended, of threads; @async: likewise
 * @instants, @flows: number of records
 * @unended: slices whose end is missing; they are in no other number
 * @unbegun: ends whose begin is missing
 * @unkept: slices whose self time is not known
 * @objects: names of processes and threads
 */
struct slices {
	const struct filter *filter;
	struct slices_name **names;
	size_t name_count;
	struct slices_track **tracks;
	size_t track_count;
	struct slices_counter **counters;
	size_t counter_count;
	uint64_t first;
	uint64_t last;
	uint64_t slices;
	uint64_t async;
	uint64_t instants;
	uint64_t flows;
	uint64_t unended;
	uint64_t unbegun;
	uint64_t unkept;
	struct fxt_objects objects;
	struct map name_map;
	struct map track_map;
	struct map counter_map;
	struct map async_map;
	struct slices_piece *pieces;
	size_t piece_count;
	size_t piece_room;
	struct slices_late *late;
	size_t late_count;
};

/** slices_record() - take a record, of any kind. Return: 0 or -ENOMEM */
int slices_record(struct slices *s, struct fxt_reader *r, const struct fxt_record *rec);

/** slices_finish() - all records were taken. Return: 0 or -ENOMEM */
int slices_finish(struct slices *s);

void slices_free(struct slices *s);

/** slices_object() - the name of a process or thread; NULL if it has none */
const struct fxt_object *slices_object(const struct slices *s, enum fxt_object_class class,
				       uint64_t koid);

#endif /* FXT_REPORT_STATS_SLICES_H */
