/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - call stacks in a page: of which sleep each is, and the functions that it is in.
 *
 * In: moments with stacks. Out: a column, and lists of functions.
 */
#ifndef FXT_REPORT_HTML_STACKS_H
#define FXT_REPORT_HTML_STACKS_H

#include "write/out.h"
#include "timeline.h"

/** html_take_stack() - take the stack of a moment. Return: 0 or -ENOMEM */
int html_take_stack(struct report_html *h, const struct sched_moment *m);

/**
 * html_print_stacks() - fields "stack_events", "functions" and "stacks"
 * @h: the page
 * @o: output
 * @r: its stacks
 *
 * Return: 0 or -ENOMEM.
 */
int html_print_stacks(const struct report_html *h, struct out *o, const struct report_stacks *r);

#endif /* FXT_REPORT_HTML_STACKS_H */
