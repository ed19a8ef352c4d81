/* SPDX-License-Identifier: GPL-2.0-or-later */
/* covers.h - does a filtered recording have everything that a comparison asks for? */
#ifndef FXT_ASSERT_COVERS_H
#define FXT_ASSERT_COVERS_H

#include "expression.h"

/**
 * judge_covers() - does the filter of the recording keep all that a comparison asks for?
 *
 * A filter by name keeps what threads did while they had the name, so the caller has to add what
 * they did under earlier names.
 */
bool judge_covers(const struct report *r, const struct comparison *c);

#endif /* FXT_ASSERT_COVERS_H */
