/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rundown.h - read the names of all tasks during a recording.
 */
#ifndef FXT_COLLECT_SESSION_RUNDOWN_H
#define FXT_COLLECT_SESSION_RUNDOWN_H

#include "state.h"

/** session_rundown() - read the names of all tasks from the source */
int session_rundown(struct session *s);

/**
 * session_catch_up() - name the threads whose newest name no record has
 * @s: the session; all name records have been fetched
 */
int session_catch_up(struct session *s);

#endif /* FXT_COLLECT_SESSION_RUNDOWN_H */
