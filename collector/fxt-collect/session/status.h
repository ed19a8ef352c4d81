/* SPDX-License-Identifier: GPL-2.0-or-later */
/* status.h - messages about a recording on standard error. */
#ifndef FXT_COLLECT_SESSION_STATUS_H
#define FXT_COLLECT_SESSION_STATUS_H

#include "options/options.h"
#include "state.h"
#include "stats.h"

/* Clear the progress line and print a line that begins with the program's name. */
void status_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print the summary of a recording with the source of that name. */
void status_summary(const struct options *o, const char *source,
		    const struct summary *s);

/* Print only what is missing; status_summary() includes that. */
void status_losses(const struct options *o, const struct summary *s);

/* --- the line that shows progress ------------------------------------------------------- */

/* Return: NULL if standard error is not a terminal, or with --quiet */
struct live *live_open(const struct options *o);

/* Update the line if it is due; NULL is ignored. */
void live_update(struct live *l, struct session *s);

/* Clear the line; NULL is ignored. */
void live_close(struct live *l);

#endif /* FXT_COLLECT_SESSION_STATUS_H */
