/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions, and callers, that a busy machine finds too late. */
#ifndef SELFTESTS_LATE_NAMES_H
#define SELFTESTS_LATE_NAMES_H

#include <string.h>

#include "collector.h"
#include "harness.h"
#include "trace.h"

/*
 * On a busy machine, the recorder gives up files that it cannot read in time, or reads their rules
 * for callers too late, and the kernel's buffers of mappings overflow. It says so. Then functions
 * have no names, or stacks lack callers.
 */
static inline bool names_are_late(const struct collector *c, const struct trace *t)
{
	long incomplete = trace_session_number(t, "stacks_incomplete");

	return strstr(c->text, " took too ") ||
	       strstr(c->text, " mappings of programs were lost") ||
	       incomplete > (long)t->stack_count / 4;
}

/* @found: has the test found the names that it needs? */
#define NEEDS_NAMES(found) do {							\
	if (!(found) && names_are_late(&self->c, &self->t))			\
		SKIP(return, "this machine is too busy to find names");		\
} while (0)

#endif /* SELFTESTS_LATE_NAMES_H */
