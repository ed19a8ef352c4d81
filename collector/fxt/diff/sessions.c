// SPDX-License-Identifier: GPL-2.0-or-later
/* sessions.c - differences between the descriptions of recordings. See diff.h. */
#include <string.h>

#include "diff.h"
#include "sched/session_text.h"

const char *diff_sessions_key(size_t i)
{
	static const char *const keys[] = {
		"host", "cpus", "kernel", "source", "clock", "events", "stacks", "stacks_min_ns",
		"stacks_hz", "filter", NULL,
	};

	return keys[i];
}

void diff_session(const struct diff_run *run, const char *key, char value[256])
{
	size_t length = 0;
	const char *found = run->session ?
			    session_value(run->session, run->session_bytes, key, &length) : NULL;

	length = length < 255 ? length : 255;
	if (found)
		memcpy(value, found, length);
	value[found ? length : 0] = '\0';
}

bool diff_session_differs(const struct diff *d, const char *key)
{
	char first[256], value[256];
	size_t i;

	diff_session(&d->runs[0], key, first);
	for (i = 1; i < diff_run_count(d); i++) {
		diff_session(&d->runs[i], key, value);
		if (strcmp(first, value))
			return true;
	}
	return false;
}
