/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * aside.h - empty the buffers while a segment ends.
 */
#ifndef FXT_COLLECT_SESSION_ASIDE_H
#define FXT_COLLECT_SESSION_ASIDE_H

#include "state.h"

/**
 * session_set_aside() - fetch what is complete, and keep it in memory
 * @session: struct session
 *
 * Called while others read the files of programs, for which an archive waits. The memory is
 * limited; what does not fit stays in the buffers.
 */
void session_set_aside(void *session);

/** session_drop_aside() - forget it */
void session_drop_aside(struct session *s);

/** session_take_aside() - put it into the current archive. Return: 0 or a negative errno */
int session_take_aside(struct session *s);

#endif /* FXT_COLLECT_SESSION_ASIDE_H */
