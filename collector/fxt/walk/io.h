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

/** struct io - archive and result; initialize with zeros but @a's options and the paths */
struct io {
	struct archive a;
	const char *input;	/* path of the archive, "-" for standard input */
	const char *root;	/* NULL, or the directory of many results like @output */
	const char *output;	/* NULL or "-" for standard output; for tables a directory */
	const struct result_kind *kind;
	struct result result;	/* its temporary place until it is complete */
	bool rewinds;		/* each io_open() reads standard input again from @start */
	int64_t start;
};

/**
 * io_rereadable() - make sure that the archive can be read more than once
 * @io: @input is set to "-" if standard input replaces it
 *
 * An archive that is not a regular file is first copied to an unnamed temporary file, which
 * disappears with the process.
 *
 * Return: VERB_DONE, or VERB_UNREADABLE after reporting why.
 */
int io_rereadable(struct io *io);

/** io_open() - open the archive. Return: VERB_DONE, or another status after reporting why */
int io_open(struct io *io);

/**
 * io_create() - begin the result of a conversion
 * @files: those of a directory, a list ended by NULL; or NULL
 *
 * Return: VERB_DONE; VERB_USAGE if the result would overwrite the archive, or
 * VERB_UNWRITABLE, after reporting why. The archive is closed then.
 */
int io_create(struct io *io, const char *const *files);

/** io_create_text() - like io_create(), for a result that @o writes */
int io_create_text(struct io *io, struct out *o);

/** io_create_packed() - like io_create(), compressed according to the file extension */
int io_create_packed(struct io *io, struct pack **p);

/**
 * io_walk() - pass all records of the archive to a function
 * @o: the result: the walk ends when it cannot be written. May be NULL
 * @record: called for each record; returns -EBADMSG or -ENOTSUP if the record is invalid
 *	or of an unknown kind, which a lenient walk skips; other negative errnos end the walk
 *
 * Return: 0, or the error that ended the walk.
 */
int io_walk(struct io *io, const struct out *o,
	    int (*record)(void *arg, struct fxt_reader *r, const struct fxt_record *rec),
	    void *arg);

/**
 * io_close() - close archive and result
 * @ret: result of the walk; unless it is 0, the result file is removed
 *
 * Return: enum verb_exit, after reporting errors.
 */
int io_close(struct io *io, struct out *o, int ret);

/* --------------------------------------------------------------------
 * Limits that count from the earliest time stamp of an archive, which is not in the order of time.
 */

/**
 * earliest_limits() - make the limits of a filter absolute
 * @how: how to read the archive, which is not open yet
 * @path: of the archive; becomes "-" if standard input, or a temporary file in its
 *	place, has to be read again from its current offset
 *
 * Reads the archive once if there are such limits, else does nothing.
 *
 * Return: VERB_DONE, or another exit status after reporting why: the archive cannot be
 * read, or the limits exclude everything.
 */
int earliest_limits(const char *verb, const struct archive *how, const char **path,
		    struct filter *f);

/**
 * limits_warn() - report that a limit excludes nothing
 * @first: ns, earliest time stamp; 0: none
 *
 * "--from 5" is a time of the clock, in most archives long before their first event.
 */
void limits_warn(const char *path, const struct filter *f, uint64_t first);

#endif /* FXT_WALK_IO_H */
