/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.h - messages about a recording on standard error.
 */
#ifndef FXT_COLLECT_SESSION_STATUS_H
#define FXT_COLLECT_SESSION_STATUS_H

#include "options/options.h"
#include "state.h"
#include "stats.h"

/** status_print() - clear the progress line and print a line that begins with the program's name */
void status_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * status_summary() - print the summary of a recording
 * @o: the options of the recording
 * @source: the name of the source
 * @s: the summary
 */
void status_summary(const struct options *o, const char *source,
		    const struct summary *s);

/** status_losses() - print only what is missing; status_summary() includes that */
void status_losses(const struct options *o, const struct summary *s);

/* --- the line that shows progress ------------------------------------------------------- */

/** live_open() - returns NULL if standard error is not a terminal, or with --quiet */
struct live *live_open(const struct options *o);

/** live_update() - update the line if it is due; NULL is ignored */
void live_update(struct live *l, struct session *s);

/** live_close() - clear the line; NULL is ignored */
void live_close(struct live *l);

#endif /* FXT_COLLECT_SESSION_STATUS_H */
