/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - a row of the table of formats (formats/formats.c).
 */
#ifndef FXT_WALK_FORMAT_H
#define FXT_WALK_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "write/result_kind.h"

#define FORMAT_MAX_ENDINGS	4

struct io;

/**
 * struct format - a format of traces
 * @name: as in --to and --from
 * @about: what it is, for the help of --to; NULL if fxt does not write it
 * @reads: what of it fxt reads, for the help of --from; NULL if it does not
 * @endings: file extensions of results; NULL ends a shorter list
 * @detect: does a file begin like it? @head: its first @bytes. NULL for archives, and for
 *	formats that this fxt was built without
 * @read: write an archive of a trace
 *	@path: its name, for messages
 *	@from: a descriptor of it, plain or compressed
 *	@strict: stop at the first violation of the format
 *	@fd: where to write the archive
 *	Returns enum verb_exit, after reporting on standard error what could not be read and
 *	converted. After VERB_DEVIATES without @strict the archive has all that was readable.
 * @write: convert an archive to it
 *	@io: its paths, its kind of result and the options of its archive are set
 *	Opens both ends, converts all records and closes them. Returns enum verb_exit, after
 *	reporting errors on standard error.
 * @result: how its results are recognized, before one is replaced
 * @variant: an option that changes what @write does
 */
struct format {
	const char *name;
	const char *about;
	const char *reads;
	const char *endings[FORMAT_MAX_ENDINGS];
	bool (*detect)(const char *head, size_t bytes);
	int (*read)(const char *path, int from, bool strict, int fd);
	int (*write)(struct io *io);
	const struct result_kind *result;
	struct {
		const char *option;	/* without the -- */
		const char *about;
		int (*write)(struct io *io);
	} variant;
};

#endif /* FXT_WALK_FORMAT_H */
