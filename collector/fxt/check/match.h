/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - do slices, asynchronous events and flows begin, end and nest?
 *
 * In: events, in the order of the file.
 * Out: findings of the class format, violations where the specification says "must", else
 * notes; of the class perfetto, parts of flows that Perfetto drops. All of them are notes
 * where something explains that a part is missing: losses, a part of an archive, skipped
 * records.
 *
 * Events are judged in the order of time. For that, MATCH_EVENTS of them are kept; what
 * stands further away from its place than that is judged where it stands. Besides that,
 * memory grows with threads that have slices, and with slices and ids that are open at
 * one time, to MATCH_OPEN; with findings, to MATCH_FINDINGS. What goes beyond is counted.
 */
#ifndef FXT_CHECK_MATCH_H
#define FXT_CHECK_MATCH_H

#include "match_data.h"

/** check_match_begin() - ends with check_match_end() */
void check_match_begin(struct check_match *m, struct check_perfetto *perfetto);

/** check_match_content() - a record; 0 or -ENOMEM */
int check_match_content(struct check_match *m, const struct fxt_record *rec,
			const struct fxt_content *c);

/**
 * check_match_end() - tell what was found, and free all
 * @m: the archive
 * @report: where to, if the class is one of @only
 * @only: by enum check_class
 * @is_excused: something is missing, as the archive says itself
 */
void check_match_end(struct check_match *m, struct check_report *report, const bool *only,
		     bool is_excused);

#endif /* FXT_CHECK_MATCH_H */
