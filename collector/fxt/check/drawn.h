/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * drawn.h - which slices and parts of flows does Perfetto draw?
 *
 * In: events of records that Perfetto keeps, in the order of time, those of one time in the
 * order of the file.
 * Out: findings, and its counters, for those that it drops.
 *
 * Perfetto has a stack of slices for each thread, like ours, but for that: instants are slices of
 * no duration; what has ended stays until the next slice or instant shows it; one that ends, and
 * is not the topmost, stays as well; none is deeper than 512. A part of a flow belongs to the topmost one, ended or not.
 */
#ifndef FXT_CHECK_DRAWN_H
#define FXT_CHECK_DRAWN_H

#include "match_groups.h"

/** drawn_take() - take an event of any kind; others than those above are ignored */
void drawn_take(struct check_match *m, const struct match_event *e);

#endif /* FXT_CHECK_DRAWN_H */
