/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io.h - reads an archive, and writes a result from it.
 *
 * In: the records of an archive, once or several times.
 * Out: a result, messages on standard error, the exit status.
 */
#ifndef FXT_WALK_IO_H
#define FXT_WALK_IO_H

#include <stdint.h>

#include "liboutput/out.h"
#include "write/pack.h"
#include "write/result.h"
#include "archive.h"
#include "filter.h"

/**
 * struct io - both ends; begins as zeros but for @a's options and the paths
 * @a: the archive
 * @input: its path, "-" for standard input
 * @root: NULL, or a directory of many results, of which @output is one
 * @output: path of the result, NULL or "-" for standard output; for tables a directory
 * @kind: kind of the result
 * @result: the temporary place of the result until it is complete
 * @rewinds: each io_open() reads standard input from @start
 * @start: offset in standard input
 */
struct io {
	struct archive a;
	const char *input;
	const char *root;
	const char *output;
	const struct result_kind *kind;
	struct result result;
	bool rewinds;
	int64_t start;
};

/**
 * io_rereadable() - make sure that the archive can be read more than once
 * @io: @input becomes "-" if standard input takes its place
 *
 * An archive that is not a regular file is copied to a temporary file first, which
 * has no name and goes away with the process.
 *
 * Return: VERB_DONE, or VERB_UNREADABLE after reporting why.
 */
int io_rereadable(struct io *io);

/** io_open() - open the archive. Return: VERB_DONE, or another status after reporting why */
int io_open(struct io *io);

/**
 * io_create() - begin the result of a conversion
 * @io: its archive is open
 *
 * Return: VERB_DONE; VERB_USAGE if the result would overwrite the archive, or
 * VERB_UNWRITABLE, after reporting why. The archive is closed then.
 */
int io_create(struct io *io);

/** io_create_text() - the same, to be written by @o */
int io_create_text(struct io *io, struct out *o);

/** io_create_packed() - the same, compressed according to the file extension */
int io_create_packed(struct io *io, struct pack **p);

/** io_create_directory() - the same, a directory of @files (a list that NULL ends) */
int io_create_directory(struct io *io, const char *const *files);

/**
 * io_walk() - hand over all records of the archive
 * @io: its archive is open
 * @o: the result: the walk ends when it cannot be written. May be NULL
 * @record: called for each record; returns -EBADMSG or -ENOTSUP if the record is invalid
 *	or of an unknown kind, which a lenient walk skips; other negative errnos end the walk
 * @arg: passed to @record
 *
 * Return: 0, or the error that ended the walk.
 */
int io_walk(struct io *io, const struct out *o,
	    int (*record)(void *arg, struct fxt_reader *r, const struct fxt_record *rec),
	    void *arg);

/**
 * io_close() - close both ends
 * @io: both are open
 * @o: writes the result
 * @ret: result of the walk; unless it is 0, the result file is removed
 *
 * Return: enum verb_exit, after reporting errors.
 */
int io_close(struct io *io, struct out *o, int ret);

/* --------------------------------------------------------------------
 * Limits that count from the earliest time stamp of an archive.
 *
 * In: a filter, and its archive, which is not in the order of time.
 * Out: the same filter, with times as the archive has them.
 */

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

#endif /* FXT_WALK_IO_H */
