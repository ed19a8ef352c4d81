/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - formats of traces, and traces of other formats as archives.
 *
 * In: the table of formats, which main() sets; a path.
 * Out: the path itself, or that of an archive with what the trace has. This archive is a
 * temporary file without a name, and goes away with the process.
 */
#ifndef FXT_WALK_FORMAT_H
#define FXT_WALK_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "libopt/option.h"
#include "write/result.h"

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

/* The table (formats.c), in the order of the help of fxt convert; a row without a name ends it. */
extern const struct format all_formats[];

/* Set by main() to that table. */
extern const struct format *formats;

/** format_to_write() - the format that --to names; NULL if there is none of this name */
const struct format *format_to_write(const char *name);

/** format_of_ending() - the format that the file extension of @path selects, or NULL */
const struct format *format_of_ending(const char *path);

/** foreign_word() - the formats that foreign_open() takes; see option_words */
bool foreign_word(unsigned int i, struct option_word *w);

/**
 * foreign_open() - make an archive of a trace, unless it is one
 * @path: "-" is standard input
 * @format: one of foreign_word(); NULL: what the file begins like; of a pipe: fxt
 * @strict: stop at the first violation of the format
 * @archive: set to the path of the archive
 *
 * The archive is made only once for each path.
 *
 * Return: VERB_DONE; VERB_DEVIATES if the archive lacks something; VERB_UNREADABLE or
 * VERB_UNWRITABLE, and there is no archive. The reason was reported on standard error.
 */
int foreign_open(const char *path, const char *format, bool strict, const char **archive);

/** foreign_forget() - close all archives made so far */
void foreign_forget(void);

#endif /* FXT_WALK_FORMAT_H */
