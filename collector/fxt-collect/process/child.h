/* SPDX-License-Identifier: GPL-2.0-or-later */
/* child.h - the process of COMMAND, which waits until recording is on. */
#ifndef FXT_COLLECT_PROCESS_CHILD_H
#define FXT_COLLECT_PROCESS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"
#include "privilege.h"

struct child {
	pid_t pid;		/* 0 without one */
	int go;			/* written to let it start */
	int failed;		/* to read why it did not execute the command */
	int status;		/* as waitpid(2) gave it */
};

/* Create a process that waits for child_go(), to run as @who. Return: 0 or a negative errno */
int child_fork(struct child *c, char **command, const struct invoker *who,
	       struct error *e);

/*
 * Let it execute the command. Return: 0, or the negative errno of the exec, or of dropping root;
 * then the child has ended
 */
int child_go(struct child *c, char **command, struct error *e);

/* Has it ended? False without a process. */
bool child_ended(struct child *c);

/* Send a signal, unless 0, and wait for its end; do nothing without a process. */
void child_wait(struct child *c, int signal);

/* The exit status of an ended child, as a shell reports it. */
int child_exit_code(const struct child *c);

#endif /* FXT_COLLECT_PROCESS_CHILD_H */
