/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instants.h - execs and renames, shown at the time they happened.
 *
 * In: events of the registry of names. Out: instant events on the tracks of their
 * threads, because readers such as Perfetto show only the last name of a thread.
 */
#ifndef FXT_COLLECT_ARCHIVE_INSTANTS_H
#define FXT_COLLECT_ARCHIVE_INSTANTS_H

#include <stddef.h>
#include <stdint.h>

#include "names/names.h"

/* Maximum number of instants kept for a snapshot, the newest: 1 MiB. */
#define INSTANTS_MOST	(1U << 14)

/**
 * struct instants - instants to be written; initialized with zeros
 * @events: a ring of INSTANTS_MOST, allocated with the first event
 * @first: index of the oldest
 * @count: number of events
 */
struct instants {
	struct names_event *events;
	size_t first;
	size_t count;
};

/**
 * instants_add() - callback for names_on_event(); @arg is the struct instants; 0 or
 * -ENOMEM
 */
int instants_add(void *arg, const struct names_event *e);

/**
 * instants_write() - write all instants, and remove them
 * @i: the instants
 * @w: the archive; the strings of fxt_sched.h are registered
 * @from: ticks; earlier instants are only removed
 *
 * "Instant event".
 *
 * Return: 0 or a negative errno of writing.
 */
int instants_write(struct instants *i, struct fxt_writer *w, uint64_t from);

/** instants_free() - free all */
void instants_free(struct instants *i);

#endif /* FXT_COLLECT_ARCHIVE_INSTANTS_H */
