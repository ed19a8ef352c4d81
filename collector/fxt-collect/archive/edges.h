/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edges.h - which thread has a CPU where its part of an archive begins and ends.
 *
 * In: the switches of a CPU's chunks; the marks that a source gives, and its counts. Out: the
 * thread, or that nobody knows.
 *
 * A thread that a mark has seen on a CPU has it until the CPU's next switch. So the count of
 * switches tells whether a mark still holds: equal counts before the mark and now prove that no
 * switch came since. A lost switch is in the count as well.
 *
 * Used by stitch.c only.
 */
#ifndef FXT_COLLECT_ARCHIVE_EDGES_H
#define FXT_COLLECT_ARCHIVE_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "source/source.h"

/**
 * struct edge_owner - the thread that has a CPU
 * @thread: its id; 0 is the idle thread
 * @weight: its weight
 * @is_known: else the other fields are 0
 */
struct edge_owner {
	uint32_t thread;
	int32_t weight;
	bool is_known;
};

/**
 * struct edge_mark - a mark of the source
 * @time: ticks
 * @switches: the producer's count before it; later switches are not in it
 * @owner: the thread
 */
struct edge_mark {
	uint64_t time;
	uint64_t switches;
	struct edge_owner owner;
};

/**
 * struct edge - one CPU; initialized with zeros
 * @has: as its chunks and their losses tell
 * @first: mark after recording began or went on, until an archive ends
 * @newest: newest mark
 * @switches: newest count of the producer, lost ones included
 * @lost: likewise, of lost records
 */
struct edge {
	struct edge_owner has;
	struct edge_mark first;
	struct edge_mark newest;
	uint64_t switches;
	uint64_t lost;
};

/** edge_start() - recording begins or goes on: nothing is known */
void edge_start(struct edge *e);

/** edge_count() - note the producer's counts */
void edge_count(struct edge *e, const struct stream_stats *stats);

/**
 * edge_mark() - note a mark that was made after edge_count()
 * @e: the CPU
 * @mark: the mark
 * @is_first: recording has just begun or gone on
 */
void edge_mark(struct edge *e, const struct source_mark *mark, bool is_first);

/** edge_chunk() - find the thread that has the CPU at the end of a chunk */
void edge_chunk(struct edge *e, uint32_t cpu, const struct chunk *c);

/** edge_has_switch() - does the chunk have a switch on this CPU? */
bool edge_has_switch(uint32_t cpu, const struct chunk *c);

/**
 * edge_at_begin() - the thread that has the CPU where its part of the archive begins
 * @e: the CPU
 * @cpu: its number
 * @c: the first chunk of the part, before which nothing was lost; NULL if there is none, or if
 *	something was lost
 * @hides: a filter hides threads
 */
struct edge_owner edge_at_begin(const struct edge *e, uint32_t cpu, const struct chunk *c,
				bool hides);

/**
 * edge_holder() - the thread of the newest mark, if it has had the CPU since
 * @e: the CPU, after edge_count()
 * @time: ticks; newer marks are of no use
 */
struct edge_owner edge_holder(const struct edge *e, uint64_t time);

/**
 * edge_at_end() - the thread that has the CPU now, after edge_count()
 * @e: the CPU, of which all chunks are known
 * @lost: records lost before the last chunk; if more were, the rest of the stream is a gap, and
 *	the thread is unknown from now on
 * @time: ticks; newer marks are of no use
 */
struct edge_owner edge_at_end(struct edge *e, uint64_t lost, uint64_t time);

#endif /* FXT_COLLECT_ARCHIVE_EDGES_H */
