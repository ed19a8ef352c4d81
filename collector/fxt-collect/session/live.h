/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live.h - one line on the terminal that shows the progress of the recording.
 */
#ifndef FXT_COLLECT_SESSION_LIVE_H
#define FXT_COLLECT_SESSION_LIVE_H

#include "state.h"

/** live_open() - returns NULL if standard error is not a terminal, or with --quiet */
struct live *live_open(const struct options *o);

/** live_update() - update the line if it is due; NULL is ignored */
void live_update(struct live *l, struct session *s);

/** live_close() - clear the line; NULL is ignored */
void live_close(struct live *l);

#endif /* FXT_COLLECT_SESSION_LIVE_H */
