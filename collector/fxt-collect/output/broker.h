/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * broker.h - a process that opens, renames and removes files as the user who asked.
 *
 * What flows in: paths. What flows out: open files. What must hold: a path is only ever
 * looked up with that user's ids, groups and capabilities, whatever the recorder itself
 * may do. A process, because ids are each thread's own and a recorder cannot get rights
 * back that it has dropped: what the broker may do is settled once and for all before
 * it sees the first path.
 */
#ifndef FXT_COLLECT_OUTPUT_BROKER_H
#define FXT_COLLECT_OUTPUT_BROKER_H

#include "place.h"
#include "process/privilege.h"

struct broker;

/**
 * broker_start() - make the process
 * @broker: set to it
 * @who: whose rights it has for good; if nobody is behind us, it keeps our own: root may
 *	write anywhere, others have no capability left
 * @end: see wait_ready()
 * @e: filled in on error
 *
 * Called while there is one thread, and nothing open that others should not have. Paths
 * are relative to the working directory of that moment.
 *
 * Return: 0 or a negative errno.
 */
int broker_start(struct broker **broker, const struct invoker *who, int end,
		 struct error *e);

/**
 * broker_stop() - end the process
 * @broker: freed; NULL is ignored
 */
void broker_stop(struct broker *broker);

/* The calls of place.h, made there; -ECHILD, told, if the process is gone. */

int broker_open(struct broker *broker, struct place_file *f, const char *path,
		unsigned int how, struct error *e);
int broker_complete(struct broker *broker, const struct place_file *f);
int broker_remove(struct broker *broker, const char *path);
int broker_check(struct broker *broker, const char *directory, unsigned int how);

#endif /* FXT_COLLECT_OUTPUT_BROKER_H */
