/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * earliest.h - limits that count from the earliest time stamp of an archive.
 *
 * In: a filter, and its archive, which is not in the order of time.
 * Out: the same filter, with times as the archive has them.
 */
#ifndef FXT_WALK_EARLIEST_H
#define FXT_WALK_EARLIEST_H

#include "archive.h"
#include "filter.h"

/**
 * earliest_limits() - make the limits of a filter absolute
 * @verb: for messages
 * @how: how to read; its archive is not open yet
 * @path: of the archive; becomes "-" if standard input, or a temporary file in its
 *	place, has to be read again from its current offset
 * @f: the filter
 *
 * Reads the archive once if there are such limits, else does nothing.
 *
 * Return: VERB_DONE, or another exit status after reporting why: the archive cannot be
 * read, or the limits exclude everything.
 */
int earliest_limits(const char *verb, const struct archive *how, const char **path,
		    struct filter *f);

#endif /* FXT_WALK_EARLIEST_H */
