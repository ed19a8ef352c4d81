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
 * Events are judged in the order of time. For that, MATCH_EVENTS of them are kept; an event
 * that is further out of order than that is judged where it stands. Besides that, memory
 * grows with threads that have slices, and with slices and ids that are open at one time, up
 * to MATCH_OPEN; and with findings, up to MATCH_FINDINGS. Anything beyond these limits is
 * counted.
 */
#ifndef FXT_CHECK_MATCH_H
#define FXT_CHECK_MATCH_H

#include "match_data.h"

/** check_match_begin() - start; ends with check_match_end() */
void check_match_begin(struct check_match *m, struct check_perfetto *perfetto);

/** check_match_content() - feed a record; 0 or -ENOMEM */
int check_match_content(struct check_match *m, const struct fxt_record *rec,
			const struct fxt_content *c);

/**
 * check_match_end() - report all findings, and free everything
 * @m: the archive
 * @report: receives findings of classes in @only
 * @only: the classes to report, by enum check_class
 * @is_excused: the archive itself says that something is missing
 */
void check_match_end(struct check_match *m, struct check_report *report, const bool *only,
		     bool is_excused);

#endif /* FXT_CHECK_MATCH_H */
