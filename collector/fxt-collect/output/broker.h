/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * broker.h - a process that opens, renames and removes files, and connects to receivers, as the
 * invoking user.
 *
 * Invariant: a path is looked up only with that user's ids, groups and capabilities, regardless of
 * what the recorder may do. It is a process, because ids are per thread and the recorder cannot
 * regain dropped privileges: the broker's privileges are final before it sees the first path.
 */
#ifndef FXT_COLLECT_OUTPUT_BROKER_H
#define FXT_COLLECT_OUTPUT_BROKER_H

#include "liboutput/output_file.h"
#include "process/privilege.h"

struct broker;

#define BROKER_STATS	256U	/* for broker_open(): --stats-json, else --output */

#define BROKER_STATS_BEGIN	"{\"collector\":"	/* the first bytes of statistics */

/**
 * broker_start() - start the process, while there is one thread and nothing open that the process
 *	should not inherit
 * @who: the user whose ids it takes for good; if no other user is known, it keeps our own: root may
 *	write anywhere, others keep no capability
 * @end: see wait_ready()
 *
 * Paths are relative to the current directory at the time of the call.
 *
 * Return: 0 or a negative errno.
 */
int broker_start(struct broker **broker, const struct invoker *who, int end,
		 struct error *e);

/* End the process; NULL is ignored. */
void broker_stop(struct broker *broker);

/* The functions below return -ECHILD, with @e filled in, if the broker has ended. */

/* direct_open() for a path, or connect to an address; @how may have BROKER_STATS. */
int broker_open(struct broker *broker, struct direct *f, const char *path,
		unsigned int how, struct error *e);

int broker_complete(struct broker *broker, const struct direct *f);
int broker_remove(struct broker *broker, const char *path);

/* Does a directory exist, or, with DIRECT_PART_FIRST, can a file be created there? */
int broker_check(struct broker *broker, const char *directory, unsigned int how);

#endif /* FXT_COLLECT_OUTPUT_BROKER_H */
