/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - events of the kernel in the timeline of a page: slices, moments and counters.
 *
 * In: what struct report_watch is given. Out: columns, and what the slices are of.
 */
#ifndef FXT_REPORT_HTML_EVENTS_H
#define FXT_REPORT_HTML_EVENTS_H

#include "write/out.h"
#include "timeline.h"

/* Callbacks of struct report_watch; @arg is the page. Return: 0 or -ENOMEM. */
int html_take_slice(void *arg, const struct sched_slice *slice);
int html_take_moment(void *arg, const struct sched_moment *moment);
int html_take_move(void *arg, const struct sched_move *move);
int html_take_frequency(void *arg, const struct sched_frequency *frequency);

/** html_print_events() - fields "slices", "moments", "counters" and "sources" */
void html_print_events(const struct report_html *h, struct out *o);

#endif /* FXT_REPORT_HTML_EVENTS_H */
