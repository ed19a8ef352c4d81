/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * losses.h - where records were lost.
 */
#ifndef FXT_COLLECT_ARCHIVE_LOSSES_H
#define FXT_COLLECT_ARCHIVE_LOSSES_H

#include <stdint.h>

struct stitch;

/**
 * losses_write() - report a loss, if there is one
 * @st: the stitcher
 * @stream: of the records
 * @from: ticks of the last record before the gap, 0 without one
 * @to: ticks of the first record after it, or of the end
 * @lost: records lost so far
 *
 * In both ways: as a provider event, as the specification defines, and as a slice on a track of
 * its own.
 *
 * Return: 0 or a negative errno of writing.
 */
int losses_write(struct stitch *st, uint32_t stream, uint64_t from, uint64_t to, uint64_t lost);

#endif /* FXT_COLLECT_ARCHIVE_LOSSES_H */
