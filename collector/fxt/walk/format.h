/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - formats of traces, and conversion of other traces to archives.
 *
 * In: the table of formats, which main() sets; a path.
 * Out: the path itself, or that of an archive made from the trace: an unnamed temporary file, which
 * disappears with the process.
 */
#ifndef FXT_WALK_FORMAT_H
#define FXT_WALK_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libopt/option.h"
#include "write/result.h"
#include "import.h"

#define FORMAT_MAX_ENDINGS	4

struct io;

struct format {
	const char *name;	/* as in --to and --from-format */
	const char *about;	/* for the help of --to; NULL if fxt does not write it */
	const char *reads;	/* its meaning in --from-format; NULL if fxt does not read it */
	const char *endings[FORMAT_MAX_ENDINGS];	/* file extensions of results; or NULL */
	/* Is this the beginning of such a file? NULL for archives, and if this build lacks it. */
	bool (*detect)(const char *head, size_t bytes);
	struct import_reader in;	/* @read is NULL if this program cannot read it */
	/*
	 * Convert an archive to this format: open both ends, whose paths, kind and options are set,
	 * convert all records and close them. Returns enum verb_exit, after reporting errors.
	 */
	int (*write)(struct io *io);
	const struct result_kind *result;	/* to recognize a result before it is replaced */
	/* An option, without its --, that replaces @write. */
	struct {
		const char *option;
		const char *about;
		int (*write)(struct io *io);
	} variant;
};

/* The table (formats.c), in the order of the help of fxt convert; a row without a name ends it. */
extern const struct format all_formats[];

/* The table, set by main(). */
extern const struct format *formats;

/* The format that --to names, or NULL. */
const struct format *format_to_write(const char *name);

/* The format for the file extension of @path, or NULL. */
const struct format *format_of_ending(const char *path);

/* Formats that foreign_open() takes; see option_words. */
bool foreign_word(unsigned int i, struct option_word *w);

/*
 * Make an archive from a trace, unless it is one. The format is that of foreign_set_format(), else
 * detected. Each path is converted only once. Text in UTF-16 is first converted to UTF-8.
 * @path: "-" is standard input
 * @strict: stop at the first violation of the format
 * @archive: set to the path of the archive
 * @pipe: set to a descriptor to read in place of this path, and to close; else -1. It is of a named
 * pipe,
 *	whose writers may have ended when the path is opened again
 *
 * Returns VERB_DONE; VERB_DEVIATES if the archive lacks something; VERB_UNREADABLE or
 * VERB_UNWRITABLE without an archive, after reporting why on standard error.
 */
int foreign_open(const char *path, bool strict, const char **archive, int *pipe);

/* Take --from-format for all inputs, one of foreign_word(); an option_setter. */
const char *foreign_set_format(void *unused, const char *value);

/* Take --ticks-per-second, the rate of clocks that traces do not state; an option_setter. */
const char *foreign_set_ticks(void *unused, const char *value);

/*
 * Convert ticks of such a clock. Returns false if the rate is unknown, or the time exceeds 64 bits.
 */
bool foreign_ticks_to_ns(uint64_t *time);

/* Is the rate of such clocks known? */
bool foreign_is_timed(void);

/* The end of a message about a trace whose clock has an unknown rate. */
#define FOREIGN_TICKS	"the trace does not state how many a second has; give it with --ticks-per-second=N"

/* What to do with a file whose format is not detected, after an error. */
const char *foreign_hint(void);

/* Close all archives made from traces, and forget options. */
void foreign_forget(void);

#endif /* FXT_WALK_FORMAT_H */
