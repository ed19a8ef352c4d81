/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hist.h - histograms of latencies as text.
 */
#ifndef FXT_REPORT_TEXT_HIST_H
#define FXT_REPORT_TEXT_HIST_H

#include "style.h"

/** text_small_hist() - a character for each class of latencies */
void text_small_hist(const struct text *t, const struct report_hist *h);

/** text_large_hists() - histograms of all threads shown; also the legend of the small ones */
void text_large_hists(const struct text *t);

/** text_held_off() - the waits that no other thread caused */
void text_held_off(const struct text *t);

#endif /* FXT_REPORT_TEXT_HIST_H */
