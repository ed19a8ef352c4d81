/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * processes.h - parents of processes in the timeline of a page.
 *
 * In: the threads of the page. Out: their processes, as far as parents are known, and the
 * ancestors of these.
 */
#ifndef FXT_REPORT_HTML_PROCESSES_H
#define FXT_REPORT_HTML_PROCESSES_H

#include "write/out.h"
#include "timeline.h"

/** html_note_processes() - find the processes of the page. Return: 0 or -ENOMEM */
int html_note_processes(struct report_html *h);

/** html_has_process() - has the page a process, after html_note_processes()? */
bool html_has_process(const struct report_html *h, const struct sched_process *p);

/** html_print_processes() - field "processes" */
void html_print_processes(const struct report_html *h, struct out *o);

#endif /* FXT_REPORT_HTML_PROCESSES_H */
