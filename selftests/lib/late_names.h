/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions, and callers, that a busy machine finds too late. */
#ifndef SELFTESTS_LATE_NAMES_H
#define SELFTESTS_LATE_NAMES_H

#include <string.h>

#include "collector.h"
#include "harness.h"
#include "trace.h"

#define NAME_ATTEMPTS	5	/* recordings until a test finds the names that it needs */

/*
 * On a busy machine, the recorder gives up files that it cannot read in time, and the kernel's
 * buffers of mappings overflow. It says so. Then functions have no names, or stacks lack callers.
 * @found: has the test found the names that it needs? @attempts: counts recordings; first 0
 *
 * Return: must the test record again, because names are late? Then @t is free. If they are late in
 * all attempts, the test has to fail.
 */
static inline bool must_record_again(const struct collector *c, struct trace *t, bool found,
				     unsigned int *attempts)
{
	if (found || ++*attempts == NAME_ATTEMPTS ||
	    (!strstr(c->text, " took too ") &&
	     !strstr(c->text, " mappings of programs were lost")))
		return false;
	trace_free(t);
	return true;
}

#define MUST_RECORD_AGAIN(found, attempts)					\
	must_record_again(&self->c, &self->t, found, attempts)

#endif /* SELFTESTS_LATE_NAMES_H */
