/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * findings.h - what is wrong, at the top of the text report.
 */
#ifndef FXT_REPORT_TEXT_FINDINGS_H
#define FXT_REPORT_TEXT_FINDINGS_H

#include "style.h"

/** text_findings() - a title and a sentence for each; nothing without any */
void text_findings(const struct text *t);

#endif /* FXT_REPORT_TEXT_FINDINGS_H */
