/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_events.h - what happened to threads: execs, renames, and ids that were used again.
 *
 * In: events of the registry of names. Out, of execs and renames: instant events on the tracks of
 * their threads, because readers such as Perfetto show only the last name of a thread. Out, of
 * threads that had the same id one after the other: at the head of an archive, the names of those
 * whose ids have other owners by now; and, for Perfetto, packets that mark where one thread ends
 * and the next one begins.
 *
 * Functions that can fail return 0 or a negative errno, unless they say otherwise.
 */
#ifndef FXT_COLLECT_ARCHIVE_TASK_EVENTS_H
#define FXT_COLLECT_ARCHIVE_TASK_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "names/names.h"

struct fxt_writer;

/* Maximum number of events kept, the newest: 1.5 MiB. */
#define TASK_EVENTS_MOST	(1U << 14)

/** struct task_events - the newest events; initialized with zeros */
struct task_events {
	/* A ring of TASK_EVENTS_MOST, allocated with the first event. */
	struct names_event *events;
	size_t first;			/* index of the oldest */
	size_t count;			/* number of events */
	/* Number of the oldest events that reuses_write() has written for Perfetto. */
	size_t written;
};

/** task_events_add() - callback for names_on_event(); @arg is the struct task_events; 0 or -ENOMEM */
int task_events_add(void *arg, const struct names_event *e);

/** task_events_free() - free all */
void task_events_free(struct task_events *all);

/**
 * instants_write() - write all instants, and remove them
 * @w: the archive; the strings of fxt_sched.h are registered
 * @from: ticks; earlier instants are only removed
 */
int instants_write(struct task_events *all, struct fxt_writer *w, uint64_t from);

/**
 * reuses_write_names() - write the names of threads whose ids were reused since @from
 * @all: the forks, and later events with the same ids
 * @from: ticks at the beginning of the archive
 *
 * Call names_write() afterwards. reuses_write() writes events since @from again, because this is a
 * new archive.
 */
int reuses_write_names(struct task_events *all, struct fxt_writer *w, uint64_t from);

/**
 * reuses_write() - write new events as packets for Perfetto
 * @all: the forks, and later events with the same ids
 * @w: the archive; the strings of fxt_sched.h are registered
 * @ticks_per_second: of the times of events
 *
 * "BLOB record (record type = 5)" of Perfetto's type. Perfetto identifies threads by
 * their ids. A sched_process_free just before the fork makes it treat the id as a new
 * thread from there on. Names need task_rename, because Perfetto gives those of all
 * kernel object records to the first thread with an id. task_newtask would leave a thread
 * state that never ends.
 */
int reuses_write(struct task_events *all, struct fxt_writer *w, uint64_t ticks_per_second);

#endif /* FXT_COLLECT_ARCHIVE_TASK_EVENTS_H */
