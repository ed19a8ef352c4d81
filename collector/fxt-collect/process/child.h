/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - COMMAND, started ready and let go once recording is on.
 */
#ifndef FXT_COLLECT_PROCESS_CHILD_H
#define FXT_COLLECT_PROCESS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"
#include "privilege.h"

/**
 * struct child - the command's process
 * @pid: its id, 0 without one
 * @go: written to when it may begin
 * @failed: read: why it did not become the command
 * @status: as waitpid(2) gave it
 */
struct child {
	pid_t pid;
	int go;
	int failed;
	int status;
};

/**
 * child_fork() - make a process that waits for child_go()
 * @c: set to it
 * @command: what it shall become, NULL at the end
 * @who: whom it shall run as
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int child_fork(struct child *c, char **command, const struct invoker *who,
	       struct error *e);

/**
 * child_go() - let it become the command
 * @c: the child
 * @command: for the message
 * @e: filled in on error
 *
 * Return: 0, or the negative errno of the exec, or of giving up root; the child is
 * gone then.
 */
int child_go(struct child *c, char **command, struct error *e);

/**
 * child_ended() - has it ended by now?
 * @c: the child; without a process the answer is no
 */
bool child_ended(struct child *c);

/**
 * child_wait() - wait for its end, after a signal if there is one to send
 * @c: the child; without a process nothing is done
 * @signal: 0 for none
 */
void child_wait(struct child *c, int signal);

/**
 * child_exit_code() - its exit status as a shell tells it
 * @c: the child, ended
 */
int child_exit_code(const struct child *c);

#endif /* FXT_COLLECT_PROCESS_CHILD_H */
