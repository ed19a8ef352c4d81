/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - rules of the specification that no reader depends on.
 *
 * In: decoded records.
 * Out: notes of the class format.
 */
#ifndef FXT_CHECK_LIMITS_H
#define FXT_CHECK_LIMITS_H

#include "report.h"

/** check_limits() - check one record */
void check_limits(struct check_report *report, const struct fxt_record *rec,
		  const struct fxt_content *c);

#endif /* FXT_CHECK_LIMITS_H */
