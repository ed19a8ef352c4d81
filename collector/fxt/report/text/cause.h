/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cause.h - a trigger that is no thread's wait, as text.
 */
#ifndef FXT_REPORT_TEXT_CAUSE_H
#define FXT_REPORT_TEXT_CAUSE_H

#include "style.h"

/**
 * text_cause() - print an interrupt or a run queue that fired the trigger
 * @t: the text; its report has such a trigger
 * @line: what begins the second line
 * @least: columns of the thread's name at least
 */
void text_cause(const struct text *t, const char *line, unsigned int least);

#endif /* FXT_REPORT_TEXT_CAUSE_H */
