/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * streams.h - walks through a table of all streams that an archive may have. Of its 65,536 rows,
 * the first ones and the last one are used: touching unused memory would cost page faults.
 */
#ifndef FXT_WALK_STREAMS_H
#define FXT_WALK_STREAMS_H

#include <fxt/fxt_sched_ledger.h>

#define STREAMS		(FXT_LEDGER_STREAM_NAMES + 1U)

/* The stream has a row. @end: for streams_next(), 0 at first */
static inline void streams_add(unsigned int *end, unsigned int stream)
{
	if (stream != FXT_LEDGER_STREAM_NAMES && stream >= *end)
		*end = stream + 1;
}

/*
 * The next row that may be used. @end: as streams_add() has set it; @stream: 0 at first, whether it
 * is used or not. Returns STREAMS after the last one, the stream of names.
 */
static inline unsigned int streams_next(unsigned int end, unsigned int stream)
{
	stream++;
	return stream >= end && stream < FXT_LEDGER_STREAM_NAMES ? FXT_LEDGER_STREAM_NAMES : stream;
}

#endif /* FXT_WALK_STREAMS_H */
