/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waits.h - the longest waits, and the one that triggered a snapshot, as text.
 */
#ifndef FXT_REPORT_TEXT_WAITS_H
#define FXT_REPORT_TEXT_WAITS_H

#include "style.h"

/** text_trigger() - what triggered the recording; nothing without a trigger */
void text_trigger(const struct text *t);

/** text_worst() - the longest waits; nothing without any */
void text_worst(const struct text *t);

#endif /* FXT_REPORT_TEXT_WAITS_H */
