/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sums.h - where the time of windows went, by cause and by name.
 *
 * In: parts, of one or more windows.
 * Out: rows, those with most time first. A row is one cause: a thread of one name ran, or had the
 * CPU that another wanted; an interrupt; nobody. It has its longest occurrences. The window's own
 * thread and the threads that it waited for have different rows.
 */
#ifndef FXT_WHY_SUMS_H
#define FXT_WHY_SUMS_H

#include "libfxt/map.h"
#include "path.h"

#define WHY_LONGEST	10	/* longest occurrences kept per row */
#define WHY_ROWS	10000	/* limit; the rest is one row */

/* One occurrence, in ns. */
struct why_case {
	uint64_t from;
	uint64_t ns;
	uint32_t thread;	/* of the window */
};

struct why_row {
	struct map_node node;
	uint8_t cause;
	uint8_t detail;
	struct why_by by;	/* had the CPU or ended the sleep; its ns are those of all parts */
	uint32_t thread;	/* of the row: of the chain; unless @is_other, of the window */
	bool is_other;		/* the window's thread slept meanwhile, and waited for @thread */
	bool is_rest;		/* all rows beyond the limit */
	uint64_t count;		/* parts */
	struct history_memory memory;	/* of the threads in parts with at most one culprit */
	struct why_case longest[WHY_LONGEST];	/* the longest first */
	unsigned int longest_count;
};

/* Rows of one history; initialize with zeros, end with why_sums_free(). */
struct why_sums {
	struct map map;
	struct why_row **rows;
	size_t count;
	struct why_row *rest;
	uint64_t *hashes;	/* of the names of threads, by id; 0: not yet */
	uint64_t ns;
};

/* Adds a part to the struct why_sums at @arg. */
why_part_fn why_sums_add;

/* Sort rows by time, longest first. */
void why_sums_sort(struct why_sums *s);
void why_sums_free(struct why_sums *s);

#endif /* FXT_WHY_SUMS_H */
