/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices.h - the report of an archive without scheduling, as text.
 */
#ifndef FXT_REPORT_TEXT_SLICES_H
#define FXT_REPORT_TEXT_SLICES_H

#include "style.h"

/** text_slices() - print @t->r->slices */
void text_slices(const struct text *t);

#endif /* FXT_REPORT_TEXT_SLICES_H */
