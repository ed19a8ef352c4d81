/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.h - the summary of a recording for machines: --stats-json.
 */
#ifndef FXT_COLLECT_SESSION_STATS_H
#define FXT_COLLECT_SESSION_STATS_H

#include "options/options.h"
#include "output/output.h"
#include "process/error.h"
#include "summary.h"

/**
 * stats_write() - write the JSON object, and close the file
 * @out: the file; NULL is ignored
 * @o: the options of the recording
 * @source: the name of the source, NULL if none was opened
 * @s: the summary
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int stats_write(struct output *out, const struct options *o, const char *source,
		const struct summary *s, struct error *e);

#endif /* FXT_COLLECT_SESSION_STATS_H */
