/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lives.h - threads that had the same id one after the other.
 *
 * In: forks that the registry of names reports. Out: at the head of an archive, the names
 * of threads whose ids have other owners by now; and, for Perfetto, packets that mark
 * where one thread ends and the next one begins.
 */
#ifndef FXT_COLLECT_ARCHIVE_LIVES_H
#define FXT_COLLECT_ARCHIVE_LIVES_H

#include <stddef.h>
#include <stdint.h>

#include "names/names.h"

/* Maximum number of events kept, the newest: 1.5 MiB. */
#define LIVES_MOST	(1U << 14)

/**
 * struct lives - the newest events; initialized with zeros
 * @events: a ring of LIVES_MOST, allocated with the first event
 * @first: index of the oldest
 * @count: number of events
 * @written: how many of them, the oldest, are in packets for Perfetto
 */
struct lives {
	struct names_event *events;
	size_t first;
	size_t count;
	size_t written;
};

/** lives_add() - add an event from names_on_event(); 0 or -ENOMEM */
int lives_add(struct lives *l, const struct names_event *e);

/**
 * lives_write_names() - write the names of threads whose ids were reused since @from
 * @l: the lives
 * @w: the archive, at its head
 * @from: ticks at the beginning of the archive
 *
 * To be followed by names_write(). lives_write() writes events since @from again, because
 * this is another archive.
 *
 * Return: 0 or a negative errno of writing.
 */
int lives_write_names(struct lives *l, struct fxt_writer *w, uint64_t from);

/**
 * lives_write() - write new events as packets for Perfetto
 * @l: the lives
 * @w: the archive; the strings of fxt_sched.h are registered
 * @ticks_per_second: of the times of events
 *
 * "BLOB record (record type = 5)" of Perfetto's type. Perfetto identifies threads by
 * their ids. A sched_process_free just before the fork makes it treat the id as a new
 * thread from there on. Names need task_rename, because Perfetto gives those of all
 * kernel object records to the first thread with an id. task_newtask would leave a thread
 * state that never ends.
 *
 * Return: 0 or a negative errno of writing.
 */
int lives_write(struct lives *l, struct fxt_writer *w, uint64_t ticks_per_second);

/** lives_free() - free all */
void lives_free(struct lives *l);

#endif /* FXT_COLLECT_ARCHIVE_LIVES_H */
