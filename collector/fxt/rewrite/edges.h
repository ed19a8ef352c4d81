/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edges.h - the marks of one stream of a result (<fxt/fxt_mark.h>).
 *
 * In: the marks that are read, and the range of the result.
 * Out: the marks in it. A mark of an end and one of a beginning are omitted where they meet: there,
 * two parts of a recording join.
 *
 * A mark of a beginning is held until there is a ledger, one of an end until something follows.
 */
#ifndef FXT_REWRITE_EDGES_H
#define FXT_REWRITE_EDGES_H

#include "libfxt/fxt_reader.h"

/** struct streams_range - ticks, both ends included */
struct streams_range {
	uint64_t from;
	uint64_t to;
};

/**
 * struct edges_mark - a mark
 * @kind: FXT_STR_BEGIN or the like; 0: none
 * @time: ticks
 */
struct edges_mark {
	uint32_t kind;
	int32_t weight;
	uint64_t time;
	uint64_t thread;
};

/** struct edges - marks of one stream that are held; begins as zeros */
struct edges {
	struct edges_mark begin;
	struct edges_mark end;
};

/**
 * edges_take() - a mark was read
 * @e: the edges
 * @range: of the result
 * @sw: the mark
 * @ticks: its time in the result
 *
 * Return: true if @begin or @end has it now, and what that had is overwritten.
 */
bool edges_take(struct edges *e, const struct streams_range *range, const struct fxt_switch *sw,
		uint64_t ticks);

/** edges_content() - a mark as a record of its CPU */
void edges_content(const struct edges_mark *mark, uint16_t cpu, struct fxt_content *c);

#endif /* FXT_REWRITE_EDGES_H */
