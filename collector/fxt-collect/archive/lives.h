/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lives.h - threads that have one id after the other.
 *
 * What flows in: what the registry of names learns of forks. What flows out: at the head
 * of an archive the names of threads whose ids have other owners by now; and, for
 * Perfetto, packets that say where one thread ends and the next one begins.
 */
#ifndef FXT_COLLECT_ARCHIVE_LIVES_H
#define FXT_COLLECT_ARCHIVE_LIVES_H

#include <stddef.h>
#include <stdint.h>

#include "names/names.h"

/* The newest so many are kept: 1.5 MiB. */
#define LIVES_MOST	(1U << 14)

/**
 * struct lives - the newest events; begins as zeros
 * @events: a ring of LIVES_MOST, allocated with the first
 * @first: index of the oldest
 * @count: how many there are
 * @written: how many of them Perfetto has been told of, the oldest ones
 */
struct lives {
	struct names_event *events;
	size_t first;
	size_t count;
	size_t written;
};

/** lives_add() - for what names_on_event() tells; 0 or -ENOMEM */
int lives_add(struct lives *l, const struct names_event *e);

/**
 * lives_write_names() - the names of those whose ids were given away since @from
 * @l: the lives
 * @w: the archive, at its head
 * @from: ticks, that the archive begins at
 *
 * To be followed by names_write(). What has happened since @from, lives_write() tells
 * again: this is another archive.
 *
 * Return: 0 or a negative errno of writing.
 */
int lives_write_names(struct lives *l, struct fxt_writer *w, uint64_t from);

/**
 * lives_write() - tell Perfetto what it was not told yet
 * @l: the lives
 * @w: the archive; the strings of fxt_sched.h are registered
 * @ticks_per_second: of the events
 *
 * "BLOB record (record type = 5)" of Perfetto's type. Perfetto keys threads by their ids.
 * A sched_process_free, just before the fork, is what makes the id another thread's from
 * there on. Names go by task_rename: those of kernel object records all go to the
 * thread that has an id first. A task_newtask would leave a state behind that nothing
 * ends.
 *
 * Return: 0 or a negative errno of writing.
 */
int lives_write(struct lives *l, struct fxt_writer *w, uint64_t ticks_per_second);

/** lives_free() - forget all */
void lives_free(struct lives *l);

#endif /* FXT_COLLECT_ARCHIVE_LIVES_H */
