/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * broker.h - a process that opens, renames and removes files, and connects to receivers,
 * as the invoking user.
 *
 * In: paths and addresses. Out: open files and connections. Invariant: a path is looked up only
 * with that user's ids, groups and capabilities, regardless of what the recorder may do. It is a process, because
 * ids are per thread and the recorder cannot regain privileges that it has dropped: the
 * broker's privileges are final before it sees the first path.
 */
#ifndef FXT_COLLECT_OUTPUT_BROKER_H
#define FXT_COLLECT_OUTPUT_BROKER_H

#include "liboutput/output_file.h"
#include "process/privilege.h"

struct broker;

/* A bit for broker_open() besides enum direct_how: for --stats-json; else for --output. */
#define BROKER_STATS	256U

/* The first bytes of statistics. */
#define BROKER_STATS_BEGIN	"{\"collector\":"

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

/* Done by the broker. The functions below return -ECHILD, with @e filled in, if it has ended. */

/** broker_open() - direct_open() for a path, or connect to an address */
int broker_open(struct broker *broker, struct direct *f, const char *path,
		unsigned int how, struct error *e);

int broker_complete(struct broker *broker, const struct direct *f);
int broker_remove(struct broker *broker, const char *path);

/**
 * broker_check() - check a directory
 * @directory: its path
 * @how: with DIRECT_PART_FIRST, that a file can be created there; else that it exists
 *
 * Return: 0 or a negative errno.
 */
int broker_check(struct broker *broker, const char *directory, unsigned int how);

#endif /* FXT_COLLECT_OUTPUT_BROKER_H */
