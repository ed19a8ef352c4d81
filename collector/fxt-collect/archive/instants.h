/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instants.h - execs and renames, to be seen where they happened.
 *
 * What flows in: what the registry of names learns of them. What flows out: instant
 * events on the tracks of their threads. Readers such as Perfetto show only the last
 * name that a thread had.
 */
#ifndef FXT_COLLECT_ARCHIVE_INSTANTS_H
#define FXT_COLLECT_ARCHIVE_INSTANTS_H

#include <stddef.h>
#include <stdint.h>

#include "names/names.h"

/* Of those that wait for a snapshot, the newest so many are kept: 1 MiB. */
#define INSTANTS_MOST	(1U << 14)

/**
 * struct instants - those that wait to be written; begins as zeros
 * @events: a ring of INSTANTS_MOST, allocated with the first
 * @first: index of the oldest
 * @count: how many wait
 */
struct instants {
	struct names_event *events;
	size_t first;
	size_t count;
};

/** instants_add() - for names_on_event(); @arg is the struct instants; 0 or -ENOMEM */
int instants_add(void *arg, const struct names_event *e);

/**
 * instants_write() - write all that wait, and forget them
 * @i: the instants
 * @w: the archive; the strings of fxt_sched.h are registered
 * @from: ticks; what was before is only forgotten
 *
 * "Instant event".
 *
 * Return: 0 or a negative errno of writing.
 */
int instants_write(struct instants *i, struct fxt_writer *w, uint64_t from);

/** instants_free() - forget all */
void instants_free(struct instants *i);

#endif /* FXT_COLLECT_ARCHIVE_INSTANTS_H */
