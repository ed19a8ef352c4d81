/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rundown.h - the names of all tasks, while a recording runs.
 */
#ifndef FXT_COLLECT_SESSION_RUNDOWN_H
#define FXT_COLLECT_SESSION_RUNDOWN_H

#include "state.h"

/** session_rundown() - name all tasks that the source knows */
int session_rundown(struct session *s);

/**
 * session_catch_up() - name the threads of which the newest name is in no record
 * @s: the session; all names that there are records of have been fetched
 */
int session_catch_up(struct session *s);

#endif /* FXT_COLLECT_SESSION_RUNDOWN_H */
