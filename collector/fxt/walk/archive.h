/* SPDX-License-Identifier: GPL-2.0-or-later */
/* archive.h - the archive that a command reads, messages about it, and the exit status. */
#ifndef FXT_WALK_ARCHIVE_H
#define FXT_WALK_ARCHIVE_H

#include <stdbool.h>

#include <errno.h>

#include "libfxt/fxt_reader.h"
#include "liboutput/out.h"
#include "terminal/progress.h"
#include "terminal/exit_status.h"

struct archive {
	const char *path;	/* as given by the user */
	const char *file;	/* @path, or an archive made from the trace there */
	bool has_pipe;		/* the file is a named pipe, open as @pipe */
	int pipe;
	int imported;		/* VERB_DEVIATES if the archive lacks some of the trace */
	struct fxt_reader_options options;
	struct fxt_reader *r;
	struct progress_source progress;
	/* The message of the first deviation, or of damage of the compression; or "". */
	char first[256];
	bool is_damaged;	/* @first is about damaged compression */
	bool is_truncated;	/* @first is about truncated compression */
};

/* Report that the argument @what (may be NULL) is wrong because of @why. Returns VERB_USAGE. */
int archive_usage(const char *verb, const char *what, const char *why);

/* Report that an archive cannot be opened. Returns VERB_UNREADABLE. */
int archive_unreadable(const char *path, int error);

/*
 * Open an archive, or a trace that can be converted to one. @a: has its options set, else zeros;
 * @path: "-" is standard input. Unless the caller has set a deviation function, the first deviation
 * is kept for archive_close(). Returns VERB_DONE, or VERB_UNREADABLE after reporting why.
 */
int archive_open(struct archive *a, const char *path);

/*
 * Would writing to @output destroy the archive that is read? @input: "-" is standard input;
 * @output: NULL or "-" is standard output
 */
bool archive_is_same(const char *input, const char *output);

static inline bool archive_continues(const struct archive *a, int ret)
{
	return !ret || ret == -ENOTSUP || (ret == -EBADMSG && !a->options.strict);
}

/*
 * Close an archive, and report what could not be read. @ret: result of the walk: 0, or a negative
 * errno of the reader. Returns VERB_DONE; VERB_DEVIATES if anything was skipped or a strict reader
 * ended early; VERB_UNREADABLE after an error of the system.
 */
int archive_close(struct archive *a, int ret);

/*
 * Did a walk see all of the archive? A strict reader ends where others skip records. @status:
 * result of archive_close()
 */
static inline bool archive_is_read(const struct archive *a, int status)
{
	return status == VERB_DONE || (status == VERB_DEVIATES && !a->options.strict);
}

/* Close an archive without a report, if it is open. */
void archive_drop(struct archive *a);

/* Close an output. Returns @status; VERB_UNWRITABLE after reporting an error. */
int archive_output(struct out *o, const char *path, int status);

/* Report that a filter selects nothing. Returns VERB_NOTHING. */
int archive_selects_nothing(const char *path);

#endif /* FXT_WALK_ARCHIVE_H */
