/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_events.h - what happened to threads, by the registry of names.
 *
 * Execs and renames become instant events on the tracks of their threads, because readers such as
 * Perfetto show only the last name of a thread. If threads had the same id one after the other, the
 * head of an archive has the names of those whose ids have other owners by now; and, for Perfetto,
 * packets mark where one thread ends and the next one begins.
 *
 * Functions of type int return 0 or a negative errno.
 */
#ifndef FXT_COLLECT_ARCHIVE_TASK_EVENTS_H
#define FXT_COLLECT_ARCHIVE_TASK_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "names/names.h"

struct fxt_writer;

#define TASK_EVENTS_MOST	(1U << 14)	/* events kept, the newest: 1.5 MiB */

/* Initialize with zeros. */
struct task_events {
	struct names_event *events;	/* a ring of TASK_EVENTS_MOST; NULL without events */
	size_t first;			/* index of the oldest */
	size_t count;
	size_t written;		/* the oldest events, which reuses_write() has written */
};

/* For names_on_event(); @arg is the struct task_events. */
int task_events_add(void *arg, const struct names_event *e);

void task_events_free(struct task_events *all);

/**
 * instants_write() - write all instants, and remove them
 * @w: has the strings of fxt_sched.h
 * @from: ticks; earlier instants are only removed
 */
int instants_write(struct task_events *all, struct fxt_writer *w, uint64_t from);

/**
 * reuses_write_names() - write the names of threads whose ids were reused since @from
 * @from: ticks at the beginning of the archive
 *
 * Call names_write() afterwards. reuses_write() writes events since @from again, because this is a
 * new archive.
 */
int reuses_write_names(struct task_events *all, struct fxt_writer *w, uint64_t from);

/**
 * reuses_write() - write new events as packets for Perfetto: "BLOB record (record type = 5)"
 * @w: has the strings of fxt_sched.h
 * @ticks_per_second: of the times of events
 *
 * Perfetto identifies threads by their ids. A sched_process_free just before the fork makes it
 * treat the id as a new thread from there on. Names need task_rename, because Perfetto gives those
 * of all kernel object records to the first thread with an id. task_newtask would leave a thread
 * state that never ends.
 */
int reuses_write(struct task_events *all, struct fxt_writer *w, uint64_t ticks_per_second);

#endif /* FXT_COLLECT_ARCHIVE_TASK_EVENTS_H */
