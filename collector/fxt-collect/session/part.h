/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part.h - begin and end archives: the only one, segments, snapshots. */
#ifndef FXT_COLLECT_SESSION_PART_H
#define FXT_COLLECT_SESSION_PART_H

#include <stdbool.h>

#include "output/output.h"
#include "state.h"

/* --- files ------------------------------------------------------------------------------ */

/* Fill in the error of a failed write. Return: @err */
int session_write_failed(struct session *s, int err);

/**
 * session_open() - open an output; if it is a pipe, wait for its reader until the recording ends
 * @path: see --output
 * @options: @broker and @end are filled in here
 *
 * Return: as output_open().
 */
int session_open(struct session *s, struct output **out, const char *path,
		 struct output_options *options);

/* --- archives --------------------------------------------------------------------------- */

/* Each returns 0, or a negative errno with the session's error filled in. */

/* Create the file of the next archive. */
int part_open(struct session *s);

/* Write its preamble and names. @is_part: it does not begin with the recording. */
int part_head(struct session *s, bool is_part);

/* Open and begin an archive that may follow another one. */
int part_begin(struct session *s);

/* Pass all chunks so far on to the file. */
int part_flush(struct session *s);

/* Write the last names, and complete the file. */
int part_end(struct session *s);

/* Close an archive that has failed or was not begun. @keep: leave what was written. */
void part_drop(struct session *s, bool keep);

/* Check that archives can be created at --output. */
int part_check_place(struct session *s);

/*
 * Write a line "KEY COUNT" about what the archive lacks, unless it is 0. part_flush() reports an
 * error of writing.
 */
void part_count(struct session *s, const char *key, uint64_t count);

#endif /* FXT_COLLECT_SESSION_PART_H */
