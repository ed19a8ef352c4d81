/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - struct report as text.
 */
#ifndef FXT_REPORT_TEXT_TEXT_H
#define FXT_REPORT_TEXT_TEXT_H

#include "style.h"

/** report_print_text() - print the report, the most urgent first; @path is only printed */
void report_print_text(struct out *o, const char *path, const struct report *r,
		       const struct report_options *options,
		       const struct report_style *style);

#endif /* FXT_REPORT_TEXT_TEXT_H */
