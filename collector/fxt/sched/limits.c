// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * limits.c - when classes of threads may not run, by the description of a recording.
 *
 * In: its lines "rt_runtime_us 950000", "rt_period_us 1000000", "rt_groups no",
 * "fair_server_ns 50000000/1000000000" and "kernel Linux 6.12.0 x86_64".
 * Out: struct sched_limits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"

#define VALUE	64	/* bytes of a value that are looked at */

/* The first kernel with a fair server. */
#define SERVER_MAJOR	6
#define SERVER_MINOR	12

/* Several recordings may be merged; 0 is no value. */
static void take_number(struct sched_limits *l, int64_t *at, int64_t value)
{
	l->differ |= *at && *at != value;
	*at = value;
}

static void take_server(struct sched_limits *l, const char *value)
{
	char *end;
	long long runtime = strtoll(value, &end, 10);

	if (*end != '/')
		return;
	take_number(l, &l->server_runtime_ns, runtime);
	take_number(l, &l->server_period_ns, strtoll(end + 1, NULL, 10));
}

static void take_kernel(struct sched_limits *l, const char *value)
{
	unsigned int major, minor;

	if (sscanf(value, "Linux %u.%u", &major, &minor) == 2 &&
	    (major < SERVER_MAJOR || (major == SERVER_MAJOR && minor < SERVER_MINOR)))
		l->lacks_server = true;
}

void sched_take_limits(struct sched_limits *l, const char *line, size_t length)
{
	const char *blank = memchr(line, ' ', length);
	size_t key = blank ? blank - line : 0;
	char value[VALUE];

	if (!key)
		return;
	snprintf(value, sizeof(value), "%.*s", (int)(length - key - 1 < VALUE ? length - key - 1 : VALUE),
		 blank + 1);
#define IS_KEY(text)	(key == sizeof(text) - 1 && !memcmp(line, text, key))
	if (IS_KEY("rt_runtime_us"))
		take_number(l, &l->rt_runtime_us, strtoll(value, NULL, 10));
	else if (IS_KEY("rt_period_us"))
		take_number(l, &l->rt_period_us, strtoll(value, NULL, 10));
	else if (IS_KEY("fair_server_ns"))
		take_server(l, value);
	else if (IS_KEY("kernel"))
		take_kernel(l, value);
	else if (IS_KEY("rt_groups"))
		*(*value == 'y' ? &l->has_groups : &l->lacks_groups) = true;
	l->differ |= (l->has_groups && l->lacks_groups) || (l->lacks_server && l->server_period_ns);
#undef IS_KEY
}
