/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priorities.h - inherited priorities as text.
 */
#ifndef FXT_REPORT_TEXT_PRIORITIES_H
#define FXT_REPORT_TEXT_PRIORITIES_H

#include "style.h"

/** text_priorities() - of threads that are shown; nothing if none inherited one */
void text_priorities(const struct text *t);

#endif /* FXT_REPORT_TEXT_PRIORITIES_H */
