/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - the process of COMMAND, which waits until recording is on.
 */
#ifndef FXT_COLLECT_PROCESS_CHILD_H
#define FXT_COLLECT_PROCESS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"
#include "privilege.h"

/** struct child - the command's process */
struct child {
	pid_t pid;		/* its id, 0 without one */
	int go;			/* written to let it start */
	int failed;		/* to read why it did not execute the command */
	int status;		/* as waitpid(2) gave it */
};

/**
 * child_fork() - create a process that waits for child_go()
 * @c: set to the process
 * @command: the command to execute, NULL at the end
 * @who: the user to run as
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int child_fork(struct child *c, char **command, const struct invoker *who,
	       struct error *e);

/**
 * child_go() - let it execute the command
 * @command: for the error message
 * @e: filled in on error
 *
 * Return: 0, or the negative errno of the exec, or of dropping root; then the child has
 * ended.
 */
int child_go(struct child *c, char **command, struct error *e);

/**
 * child_ended() - has it ended?
 * @c: the child; false without a process
 */
bool child_ended(struct child *c);

/**
 * child_wait() - send a signal, if any, and wait for its end
 * @c: the child; does nothing without a process
 * @signal: 0 for none
 */
void child_wait(struct child *c, int signal);

/**
 * child_exit_code() - its exit status, as a shell reports it
 * @c: the child, ended
 */
int child_exit_code(const struct child *c);

#endif /* FXT_COLLECT_PROCESS_CHILD_H */
