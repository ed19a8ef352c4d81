/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices_self.h - which slice of a thread contains which.
 *
 * In: slices of threads, in any order. Out: self times of names, covered times of threads.
 */
#ifndef FXT_REPORT_STATS_SLICES_SELF_H
#define FXT_REPORT_STATS_SLICES_SELF_H

#include "slices.h"

/** slices_keep() - remember a slice for slices_nest(). Return: 0 or -ENOMEM */
int slices_keep(struct slices *s, const struct slices_track *track, uint32_t name,
		uint64_t begin, uint64_t end);

/** slices_nest() - set the self time of all names, and what slices cover of all tracks */
void slices_nest(struct slices *s);

#endif /* FXT_REPORT_STATS_SLICES_SELF_H */
