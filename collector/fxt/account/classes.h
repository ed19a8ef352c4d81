/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes.h - times in which a scheduling class might not run.
 *
 * In: a runnable thread of the real-time or deadline class, and the turns of its CPU meanwhile.
 * Out: times in which the scheduler chose a lower class, or no thread, although it was runnable.
 */
#ifndef FXT_ACCOUNT_CLASSES_H
#define FXT_ACCOUNT_CLASSES_H

#include "occupants.h"

/* A time (ns) in which the class of a runnable thread might not run. */
struct account_limit {
	uint64_t from;
	uint64_t to;
	uint8_t why;	/* enum why_limit */
};

/* Completes "kept from running by". */
const char *account_limit_name(enum why_limit why);

/*
 * Find the last time in which the scheduler ran a lower class instead of a thread, which is
 * runnable in @turn on @cpu from @from to @to (ns). occupants_rewind() was called for @to or later.
 */
bool account_limited(struct occupants *o, uint32_t turn, uint16_t cpu, uint64_t from, uint64_t to,
		     struct account_limit *l);

#endif /* FXT_ACCOUNT_CLASSES_H */
