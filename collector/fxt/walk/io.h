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

/* Archive and result; initialize with zeros, except for @a's options and the paths. */
struct io {
	struct archive a;
	const char *input;	/* path of the archive, "-" for standard input */
	const char *root;	/* NULL, or the directory of many results like @output */
	const char *output;	/* NULL or "-" for standard output; for tables a directory */
	const struct result_kind *kind;
	struct result result;	/* at a temporary place until it is complete */
	bool rewinds;		/* each io_open() reads standard input again from @start */
	int64_t start;
};

/*
 * Make sure that the archive can be read more than once: copy it to an unnamed temporary file if it
 * is not a regular file. Sets @input to "-" if standard input replaces it. Returns VERB_DONE, or
 * VERB_UNREADABLE after reporting why.
 */
int io_rereadable(struct io *io);

/* Open the archive. Returns VERB_DONE, or another status after reporting why. */
int io_open(struct io *io);

/*
 * Begin the result of a conversion. @files: those of a directory, a list ended by NULL; or NULL.
 * Returns VERB_DONE; VERB_USAGE if the result would overwrite the archive, or VERB_UNWRITABLE,
 * after reporting why and closing the archive.
 */
int io_create(struct io *io, const char *const *files);

/* Like io_create(), for a result that @o writes. */
int io_create_text(struct io *io, struct out *o);

/* Like io_create(), compressed according to the file extension. */
int io_create_packed(struct io *io, struct pack **p);

/*
 * Pass all records of the archive to a function. @o: the result: the walk ends when it cannot be
 * written; may be NULL. @record: returns -EBADMSG or -ENOTSUP if the record is invalid or of an
 * unknown kind, which a lenient walk skips; other negative errnos end the walk. Returns 0, or the
 * error that ended the walk.
 */
int io_walk(struct io *io, const struct out *o,
	    int (*record)(void *arg, struct fxt_reader *r, const struct fxt_record *rec),
	    void *arg);

/*
 * Close archive and result. @ret: of the walk; unless it is 0, the result file is removed. Returns
 * enum verb_exit, after reporting errors.
 */
int io_close(struct io *io, struct out *o, int ret);

/*
 * Make the limits of a filter absolute if they count from the earliest time stamp. The archive is
 * not in the order of time, so that reads it once.
 * @how: how to read the archive, which is not open yet
 * @path: of the archive; becomes "-" if standard input, or a temporary file in its place, has to be
 *	read again from its current offset
 *
 * Returns VERB_DONE, or another exit status after reporting why: the archive cannot be read, or the
 * limits exclude everything.
 */
int earliest_limits(const char *verb, const struct archive *how, const char **path,
		    struct filter *f);

/*
 * Report that a limit excludes nothing: "--from 5" is a time of the clock, in most archives long
 * before the first event. @first: ns, earliest time stamp; 0: none
 */
void limits_warn(const char *path, const struct filter *f, uint64_t first);

#endif /* FXT_WALK_IO_H */
