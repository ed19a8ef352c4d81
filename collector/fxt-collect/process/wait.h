/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.h - wait for the other side of a pipe or socket, which may never answer.
 */
#ifndef FXT_COLLECT_PROCESS_WAIT_H
#define FXT_COLLECT_PROCESS_WAIT_H

/* Maximum wait for the other side once the recording has to end. */
#define WAIT_PATIENCE_MS	5000

/**
 * wait_ready() - wait until a descriptor can be read or written
 * @fd: the descriptor
 * @events: POLLIN or POLLOUT
 * @end: becomes readable, and stays so, when the recording has to end; -1 for never
 *
 * Waits without limit until the recording has to end, and from then on for
 * WAIT_PATIENCE_MS.
 *
 * Return: 0, -ECANCELED on timeout, or another negative errno.
 */
int wait_ready(int fd, short events, int end);

/**
 * wait_ready_for() - the same, with a limit
 * @fd: the descriptor
 * @events: POLLIN or POLLOUT
 * @end: see wait_ready()
 * @limit: maximum wait in ms until the recording has to end, -1 for none
 *
 * Return: 0, -ETIMEDOUT after @limit, or as wait_ready().
 */
int wait_ready_for(int fd, short events, int end, int limit);

#endif /* FXT_COLLECT_PROCESS_WAIT_H */
