/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices.h - what an archive without scheduling has, as JSON.
 */
#ifndef FXT_REPORT_JSON_SLICES_H
#define FXT_REPORT_JSON_SLICES_H

#include "members.h"

/** report_json_slices() - "scheduling", and "slices" unless @s is NULL */
void report_json_slices(struct json *j, const struct slices *s, size_t top);

#endif /* FXT_REPORT_JSON_SLICES_H */
