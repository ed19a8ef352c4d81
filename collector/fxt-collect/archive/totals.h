/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals.h - sums over an archive.
 */
#ifndef FXT_COLLECT_ARCHIVE_TOTALS_H
#define FXT_COLLECT_ARCHIVE_TOTALS_H

#include <stdint.h>

/**
 * struct stitch_totals - sums over an archive
 * @written: records written or lost
 * @lost: records lost
 * @before: records of its streams that are older than the archive
 * @worst_gap: largest number of records lost between two records of a CPU
 * @worst_names_gap: the same for the stream of names
 * @streams: number of CPUs in it
 * @complete: ticks from which on all streams are complete
 */
struct stitch_totals {
	uint64_t written;
	uint64_t lost;
	uint64_t before;
	uint64_t worst_gap;
	uint64_t worst_names_gap;
	unsigned int streams;
	uint64_t complete;
};

#endif /* FXT_COLLECT_ARCHIVE_TOTALS_H */
