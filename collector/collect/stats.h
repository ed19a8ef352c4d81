/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.h - the summary of a recording for machines: --stats-json.
 */
#ifndef FXT_COLLECT_STATS_H
#define FXT_COLLECT_STATS_H

#include <stdio.h>

#include "privilege.h"
#include "status.h"

/**
 * stats_open() - make the file while there is the right to
 * @f: set to it, NULL if none is asked for
 * @o: where to
 * @who: gets the file
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int stats_open(FILE **f, const struct options *o, const struct invoker *who,
	       struct error *e);

/**
 * stats_write() - write the document, and close the file
 * @f: of stats_open(); NULL is ignored
 * @o: the options of the recording
 * @source: the source's name, NULL if none was opened
 * @s: the summary
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int stats_write(FILE *f, const struct options *o, const char *source,
		const struct summary *s, struct error *e);

#endif /* FXT_COLLECT_STATS_H */
