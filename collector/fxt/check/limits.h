/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - what the specification says of values, and no reader stumbles over.
 *
 * In: records, taken apart.
 * Out: notes of the class format.
 */
#ifndef FXT_CHECK_LIMITS_H
#define FXT_CHECK_LIMITS_H

#include "report.h"

/** check_limits() - look at one record */
void check_limits(struct check_report *report, const struct fxt_record *rec,
		  const struct fxt_content *c);

#endif /* FXT_CHECK_LIMITS_H */
