/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * when.h - the time of a record in its stream.
 */
#ifndef FXT_COLLECT_ARCHIVE_WHEN_H
#define FXT_COLLECT_ARCHIVE_WHEN_H

#include <stdint.h>

#include <fxt/fxt_sched.h>

/**
 * when() - the time of a record of a CPU's stream
 * @rec: a whole record
 *
 * Times of a stream never decrease. Slices are written when they end.
 *
 * Return: ticks.
 */
static inline uint64_t when(const uint64_t *rec)
{
	if (fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_EVENT &&
	    fxt_get(FXT_EVENT_TYPE, rec[0]) == FXT_EVENT_DURATION_COMPLETE)
		return rec[fxt_get(FXT_SIZE, rec[0]) - 1];
	return rec[1];
}

#endif /* FXT_COLLECT_ARCHIVE_WHEN_H */
