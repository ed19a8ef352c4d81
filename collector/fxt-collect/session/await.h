/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * await.h - wait for the time at which a recording is to start.
 */
#ifndef FXT_COLLECT_SESSION_AWAIT_H
#define FXT_COLLECT_SESSION_AWAIT_H

#include "state.h"

/**
 * session_await_start() - wait until --start-at
 * @s: everything is prepared
 *
 * Follows the wall clock if somebody sets it meanwhile.
 *
 * Return: 0; -EINTR if a signal ends the recording before it has begun, with @s->e filled
 * in.
 */
int session_await_start(struct session *s);

/**
 * session_note_start() - tracing has started
 * @s: sets the time from which durations and segments are counted: with --start-at it is
 *	that time, so that recordings of many machines end, and divide, at the same time
 */
void session_note_start(struct session *s);

#endif /* FXT_COLLECT_SESSION_AWAIT_H */
