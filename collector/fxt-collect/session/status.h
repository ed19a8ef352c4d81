/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.h - what people are told about a recording.
 */
#ifndef FXT_COLLECT_SESSION_STATUS_H
#define FXT_COLLECT_SESSION_STATUS_H

#include "options/options.h"
#include "summary.h"

/** status_line() - show a line that the next one is written over */
void status_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** status_line_end() - clear that line, if there is one */
void status_line_end(void);

/** status_say() - print one line, the program's name first, where no other line is shown */
void status_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * status_summary() - print the end of a recording
 * @o: the options it was made with
 * @source: the source's name
 * @s: what there is to tell
 */
void status_summary(const struct options *o, const char *source,
		    const struct summary *s);

#endif /* FXT_COLLECT_SESSION_STATUS_H */
