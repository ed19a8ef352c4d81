/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live.h - one line on the terminal that shows how the recording goes.
 */
#ifndef FXT_COLLECT_SESSION_LIVE_H
#define FXT_COLLECT_SESSION_LIVE_H

#include "state.h"

/** live_open() - NULL if standard error is no terminal, or nothing is to be said */
struct live *live_open(const struct options *o);

/** live_update() - show how it goes, if it is time; NULL is ignored */
void live_update(struct live *l, struct session *s);

/** live_close() - clear the line; NULL is ignored */
void live_close(struct live *l);

#endif /* FXT_COLLECT_SESSION_LIVE_H */
