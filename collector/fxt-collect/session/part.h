/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part.h - archives begin and end: the only one, segments, snapshots.
 */
#ifndef FXT_COLLECT_SESSION_PART_H
#define FXT_COLLECT_SESSION_PART_H

#include <stdbool.h>

#include "state.h"

/* Each: 0 or a negative errno, told. */

/** part_open() - make the file of the next archive */
int part_open(struct session *s);

/** part_head() - its preamble and names; @is_part: others may come before it */
int part_head(struct session *s, bool is_part);

/** part_begin() - both, for an archive that others may come before */
int part_begin(struct session *s);

/** part_flush() - all chunks so far are to be safe soon */
int part_flush(struct session *s);

/** part_end() - the last names, and the file is complete */
int part_end(struct session *s);

/** part_drop() - let go of an archive that has failed */
void part_drop(struct session *s);

/** part_check_place() - can archives be made where they are to be? */
int part_check_place(struct session *s);

#endif /* FXT_COLLECT_SESSION_PART_H */
