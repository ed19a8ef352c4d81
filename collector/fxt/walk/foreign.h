/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign.h - traces of other formats as archives, for all commands.
 *
 * In: a path.
 * Out: the path itself, or that of an archive with what the trace has. This archive is a
 * temporary file without a name, and goes away with the process.
 */
#ifndef FXT_WALK_FOREIGN_H
#define FXT_WALK_FOREIGN_H

#include <stdbool.h>

#include "libopt/option.h"
#include "format.h"

/** foreign_formats() - set the formats to read: those of @formats, the last without a name */
void foreign_formats(const struct format *formats);

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

#endif /* FXT_WALK_FOREIGN_H */
