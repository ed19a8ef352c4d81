/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * findings.h - a finding in words.
 */
#ifndef FXT_REPORT_TEXT_FINDINGS_H
#define FXT_REPORT_TEXT_FINDINGS_H

#include "report/stats/report.h"

/** struct report_sentence - without a full stop; names of the archive are not escaped in it */
struct report_sentence {
	char text[640];
	size_t used;
};

/** report_sentence() - what a finding says */
struct report_sentence report_sentence(const struct report *r, const struct report_finding *f);

#endif /* FXT_REPORT_TEXT_FINDINGS_H */
