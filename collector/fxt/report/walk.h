/* SPDX-License-Identifier: GPL-2.0-or-later */
/* walk.h - the records of an open archive, as a report. */
#ifndef FXT_REPORT_WALK_H
#define FXT_REPORT_WALK_H

#include "report/stats/report.h"
#include "walk/archive.h"

/**
 * report_walk() - read an archive to its end
 * @e: set to the engine, to be closed in all cases
 * @note: called with each record that is not one of many hot ones; or NULL
 *
 * Return: 0; -EBADMSG if a strict reader stopped early, with the report of what it read; another
 * negative errno without a report.
 */
int report_walk(struct report_engine **e, const struct report_options *options, struct archive *a,
		void (*note)(void *arg, const struct fxt_record *rec), void *arg);

/* Is there a report, after report_walk() returned @ret? */
static inline bool report_walk_is_done(int ret)
{
	return !ret || ret == -EBADMSG;
}

#endif /* FXT_REPORT_WALK_H */
