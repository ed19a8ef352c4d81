/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * broker.h - a process that opens, renames and removes files, and connects to receivers,
 * as the invoking user.
 *
 * In: paths and addresses. Out: open files and connections. Invariant: a path is looked up only with that user's ids,
 * groups and capabilities, whatever the recorder itself may do. It is a process, because
 * ids are per thread and the recorder cannot regain privileges that it has dropped: the
 * broker's privileges are final before it sees the first path.
 */
#ifndef FXT_COLLECT_OUTPUT_BROKER_H
#define FXT_COLLECT_OUTPUT_BROKER_H

#include "place.h"
#include "process/privilege.h"

struct broker;

/**
 * broker_start() - start the process
 * @broker: set to the broker
 * @who: the user whose ids it takes for good; if no other user is known, it keeps our
 *	own: root may write anywhere, others keep no capability
 * @end: see wait_ready()
 * @e: filled in on error
 *
 * Called while there is one thread and nothing open that the broker should not inherit.
 * Paths are relative to the current directory at the time of the call.
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

/*
 * The functions of place.h, called in the broker; -ECHILD with @e filled in if it has
 * ended.
 */

int broker_open(struct broker *broker, struct place_file *f, const char *path,
		unsigned int how, struct error *e);
int broker_complete(struct broker *broker, const struct place_file *f);
int broker_remove(struct broker *broker, const char *path);
int broker_check(struct broker *broker, const char *directory, unsigned int how);

#endif /* FXT_COLLECT_OUTPUT_BROKER_H */
