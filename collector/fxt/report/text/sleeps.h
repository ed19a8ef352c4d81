/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sleeps.h - how long threads slept, and who woke them, as text.
 */
#ifndef FXT_REPORT_TEXT_SLEEPS_H
#define FXT_REPORT_TEXT_SLEEPS_H

#include "style.h"

/** text_sleeps() - of the threads that are shown: by state, and the longest */
void text_sleeps(const struct text *t);

/** text_unknown_sleeps() - those that are counted nowhere else; nothing without any */
void text_unknown_sleeps(const struct text *t);

#endif /* FXT_REPORT_TEXT_SLEEPS_H */
