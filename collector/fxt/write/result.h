/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * result.h - the file, or the directory, that a verb writes.
 *
 * What flows in: a path, and what is to stand there. What flows out: a place to write
 * to, which gets that name when it is complete, and goes away if it is never.
 *
 * What stands at the path already is replaced if fxt itself, or for archives a recorder,
 * has written it, which shows by its content: it is kept as PATH.old. With --force, so
 * is anything else. Only the older PATH.old is lost, if fxt could have written that, or
 * with --force.
 */
#ifndef FXT_WRITE_RESULT_H
#define FXT_WRITE_RESULT_H

#include <limits.h>
#include <stdbool.h>

/* How SQLite databases of fxt are marked (PRAGMA application_id). */
#define RESULT_SQLITE_ID	"fxts"

enum result_kind {
	RESULT_ARCHIVE,
	RESULT_JSON,		/* of fxt convert */
	RESULT_FTRACE,
	RESULT_SQLITE,
	RESULT_CSV,		/* a directory */
	RESULT_PAGE,		/* of fxt report --html */
	RESULT_DUMP,		/* lines of fxt dump */
};

/**
 * struct result - where to write
 * @path: that it is to have; NULL or "-" for standard output
 * @fd: to write to, the caller's to close; -1 of a directory
 * @place: what to open instead; of a directory, what to put files into
 *
 * The rest is result.c's own.
 */
struct result {
	const char *path;
	int fd;
	char place[PATH_MAX + 32];
	char target[PATH_MAX];		/* where @path leads */
	enum result_kind kind;
	bool is_pending;		/* it has not got its name yet */
	bool is_new;			/* nothing stood there */
	bool is_there;			/* an empty directory, which stays what it is */
	bool keeps_old;
};

/** result_force() - replace whatever stands there */
void result_force(void);

/**
 * result_open() - begin to write
 * @r: filled in; one at a time
 * @path: NULL or "-" is standard output; devices and pipes are written to as they are
 * @kind: what it will be
 *
 * From now on a signal that ends the process removes what has been written.
 *
 * Return: VERB_DONE, or VERB_UNWRITABLE after saying why.
 */
int result_open(struct result *r, const char *path, enum result_kind kind);

/**
 * result_end() - there is no more to write; nothing if it has been said before
 * @r: all that is in it is closed
 * @status: enum verb_exit so far
 * @is_complete: it is what it was to be; else it is removed
 *
 * Return: @status, or VERB_UNWRITABLE after saying why it has not got its name.
 */
int result_end(struct result *r, int status, bool is_complete);

/* --- result_kind.c --- */

/** result_is_ours() - does what stands at a path show that fxt could have written it? */
bool result_is_ours(const char *path, enum result_kind kind);

/** result_is_empty() - is it a file, or directory, with nothing in it? */
bool result_is_empty(const char *path);

/** result_what() - "an archive", "a page of fxt report --html" */
const char *result_what(enum result_kind kind);

/** result_remove() - a file, or the files of fxt in a directory; safe in signal handlers */
void result_remove(const char *path, enum result_kind kind, bool keep_directory);

#endif /* FXT_WRITE_RESULT_H */
